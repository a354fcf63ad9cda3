"""The names of enumerations' members, as they stand in records, tables and texts."""

from enum import IntEnum


def names_of(enum: type[IntEnum]) -> list[str]:
    """Return the members' names in lower case by number, which must be 0, 1, 2, ..."""
    return [enum(number).name.lower() for number in range(len(enum))]
