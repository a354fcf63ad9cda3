"""What names a compiled policy."""

from typing import NamedTuple


class Policy(NamedTuple):
    """A compiled policy of one game."""

    number: int  # in the compiled loop
    about: str  # one line for the user
