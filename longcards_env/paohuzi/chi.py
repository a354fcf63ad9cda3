"""Chi and bi: every way to lay out a table card with loose cards (P5).

A chi is named by its shape: the groups that it makes, each by its place in the list below relative to the kind
claimed. A shape holds the table card and all copies of it in the hand (P5.2), so that kind and copies select the
shapes; what else the hand needs stands in two sets of kinds for each of them.
"""

from itertools import combinations_with_replacement

import numpy as np

from .._jit import inline, jit
from .cards import LOOSE, NUM_KINDS, RANKS
from .groups import GROUPS_OF_THREE, SIZE_GROUPS, UNITS, holds, huxi_of, num_cards, without

Group = tuple[int, ...]

# The groups that may hold a claimed kind: three runs, by the place of the kind in them, 2-7-10, and two mixes.
_FORMS = ("lowest", "middle", "highest", "2-7-10", "one of mix", "two of mix")
MOST_GROUPS = 3


def _form(kind: int, form: str) -> Group | None:
    """Return the group of this form that holds a kind, as kinds; None if there is none."""
    size, rank = divmod(kind, RANKS)
    other = (kind + RANKS) % NUM_KINDS
    if form.endswith("of mix"):
        return tuple(sorted((kind, other, other) if form == "one of mix" else (kind, kind, other)))
    place = ("lowest", "middle", "highest").index(form) if form != "2-7-10" else 0
    ranks = UNITS[1] if form == "2-7-10" else tuple(rank - place + step for step in range(3))
    return tuple(size * RANKS + r for r in ranks) if ranks in SIZE_GROUPS and rank in ranks else None


def _layout(kind: int, forms: tuple[str, ...]) -> tuple[Group, ...] | None:
    """Return the groups of these forms, sorted (P5.3); None if no hand of loose cards can lay them all out."""
    groups = [_form(kind, form) for form in forms]
    made = tuple(sorted(group for group in groups if group is not None))
    cards = [each for group in made for each in group]
    copies = cards.count(kind) - 1  # in hand
    others = all(cards.count(each) <= LOOSE for each in set(cards) - {kind})
    return made if len(made) == len(groups) and copies <= LOOSE and others else None


def _shapes() -> list[tuple[str, ...]]:
    """Return all shapes: sets of forms that some kind can be laid out in."""
    found = []
    for n in range(1, MOST_GROUPS + 1):
        for forms in combinations_with_replacement(_FORMS, n):
            if any(_layout(kind, forms) for kind in range(NUM_KINDS)):
                found.append(forms)
    return found


_SHAPES = _shapes()
NUM_SHAPES = len(_SHAPES)
LAYOUTS = [[_layout(kind, forms) for forms in _SHAPES] for kind in range(NUM_KINDS)]  # by kind and shape


def _copies(kind: int, groups: tuple[Group, ...]) -> int:
    """Return how many copies of the claimed kind the hand lays out."""
    return sum(group.count(kind) for group in groups) - 1


def _rows() -> list[tuple[int, int, int, int, int, int, int]]:
    """Return kind, copies, shape, other kinds needed once and twice, huxi and number of groups, in that order."""
    rows = []
    for kind, layouts in enumerate(LAYOUTS):
        for shape, groups in enumerate(layouts):
            if groups is not None:
                cards = [each for group in groups for each in group if each != kind]
                ones, twos = (sum(1 << each for each in set(cards) if cards.count(each) == n) for n in (1, 2))
                huxi = sum(map(huxi_of, groups))
                rows.append((kind, _copies(kind, groups), shape, ones, twos, huxi, len(groups)))
    return sorted(rows)


_ROWS = np.array(_rows())
_SHAPE, _ONES, _TWOS, _HUXI, _GROUPS = (np.ascontiguousarray(_ROWS[:, column]) for column in range(2, 7))
_START = np.searchsorted(_ROWS[:, 0] * (LOOSE + 1) + _ROWS[:, 1], np.arange(NUM_KINDS * (LOOSE + 1) + 1))


def _rows_by_shape() -> np.ndarray:
    rows = np.full((NUM_KINDS, NUM_SHAPES), -1)
    rows[_ROWS[:, 0], _SHAPE] = np.arange(len(_ROWS))
    return rows


_ROW = _rows_by_shape()


@jit
def chi_shapes(once: int, twice: int, kind: int, spare: int) -> int:
    """Return the shapes in which loose cards can chi a kind, as a set.

    spare: how many loose cards must remain afterwards, for the discard (P4.6).
    """
    most = (num_cards(once, twice) + 1 - spare) // 3
    group = kind * (LOOSE + 1) + (once >> kind & 1) + (twice >> kind & 1)
    shapes = 0
    for row in range(_START[group], _START[group + 1]):
        if _GROUPS[row] <= most and holds(once, twice, _ONES[row], _TWOS[row]):
            shapes |= 1 << _SHAPE[row]
    return shapes


@inline
def after_chi(once: int, twice: int, kind: int, shape: int) -> tuple[int, int]:
    """Return the loose cards that a chi of this shape leaves."""
    row = _ROW[kind, shape]
    return without(once, twice, _ONES[row], _TWOS[row] | 1 << kind)


@inline
def chi_huxi(kind: int, shape: int) -> int:
    """Return the huxi of all groups of a chi (P2)."""
    return _HUXI[_ROW[kind, shape]]


@inline
def chi_groups(kind: int, shape: int) -> int:
    """Return how many groups a chi lays out, bi included."""
    return _GROUPS[_ROW[kind, shape]]


def _group_numbers() -> np.ndarray:
    numbers = np.full((NUM_KINDS, NUM_SHAPES, MOST_GROUPS), -1)
    for kind, layouts in enumerate(LAYOUTS):
        for shape, groups in enumerate(layouts):
            for place, group in enumerate(groups or ()):
                numbers[kind, shape, place] = GROUPS_OF_THREE.index(group)
    return numbers


GROUP_NUMBERS = _group_numbers()  # of the groups of a chi in GROUPS_OF_THREE, by kind, shape and place; -1 = none
