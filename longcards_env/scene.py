"""What a picture of a position shows, in cards and words: a game makes it (`scene`), pictures and terminals draw it.

It holds nothing that its viewer may not know.
"""

from dataclasses import dataclass

from .seats import NONE


@dataclass(frozen=True)
class Group:
    """Cards that lie together: their kinds, NONE for one that is face down, and what they are, "pong"."""

    kinds: tuple[int, ...]
    name: str = ""


@dataclass(frozen=True)
class SeatScene:
    """What lies before one seat."""

    hand: tuple[Group, ...]
    melds: tuple[Group, ...]
    dead: tuple[int, ...]  # kinds of the cards of this seat that nobody took, in order
    revealed: tuple[bool, ...]  # which of them it revealed, not discarded
    marks: tuple[str, ...]  # what holds of the seat, each in a word or two
    note: str = ""  # more of it, in a line


@dataclass(frozen=True)
class Scene:
    """A position as its viewer sees it."""

    game: str
    title: str
    tokens: list[str]
    viewer: int | None  # seat; None: all cards are open
    seats: tuple[SeatScene, ...]
    dealer: int
    stock: int  # cards left
    face_up: Group  # cards that belong to no seat
    table: int  # kind of the card on the table, or NONE
    table_from: int  # the seat whose card it is
    table_name: str  # how it came there
    turn: int  # the seat that is asked; NONE if the viewer may not know it, or nobody is
    text: tuple[str, ...]  # the question, or how the deal ended, in lines
    over: bool


def is_open(viewer: int | None, seat: int, over: bool) -> bool:
    """Whether the viewer sees a seat's hand: its own, and all when the deal is over and hands are laid open."""
    return viewer is None or viewer == seat or over


def face_down(cards: int) -> tuple[Group, ...]:
    """Return a hand whose number of cards is all that shows."""
    return (Group((NONE,) * cards),) if cards else ()


def in_parts(counts: list[int], part: list[int]) -> tuple[Group, ...]:
    """Return a hand in kind order, a group for each part that it has cards of; both lists are by kind."""
    groups = []
    for each in sorted(set(part)):
        kinds = tuple(kind for kind, n in enumerate(counts) if part[kind] == each for _ in range(n))
        groups.append(Group(kinds))
    return tuple(group for group in groups if group.kinds)
