"""The state of one deal as a flat record, its phases, and the numbers of the actions (N3-N5)."""

from enum import IntEnum

import numpy as np

from .._jit import inline, new_records, record_dtype, widen
from ..held import add_copy
from ..seats import NUM_SEATS
from .cards import COPIES, NUM_CARDS, NUM_KINDS
from .groups import waits
from .rules import GROUPS, STOCK, Meld


class Phase(IntEnum):
    """What the acting seat is asked."""

    PREPARE = 0  # declare, or end preparation (N3.1)
    TURN = 1  # win, kong or discard (N4.1, N4.2)
    DISCARD = 2  # discard after a pong (N4.4)
    ROB = 3  # win with the card of an added kong, or pass (N4.3)
    CLAIM_WIN = 4  # win with a discard, or pass (N4.4)
    CLAIM_MELD = 5  # pong or kong a discard, or pass (N4.4)
    OVER = 6


class Outcome(IntEnum):
    """How a deal ended."""

    LIVING = 0
    WIN = 1
    EXHAUSTED = 2


# Actions. A legal set is two words: bit a of the first is action a, bit a of the second action OPEN + a.
DISCARD = 0  # + kind
KONG = 30  # + kind: concealed or added
WIN = 60
PASS = 61
PONG = 62
OPEN = 63  # + kind
HEZI = 93
READY = 94
END = 95
CLAIM_KONG = 96  # of a discard
NUM_ACTIONS = 97

# Bounds: 51 cards are drawn at most, and 21 melds made, each after one decision and at most two passes of robbers.
_DRAWS, _MELDS = NUM_CARDS - STOCK, NUM_SEATS * GROUPS
_DISCARDS = 1 + _DRAWS + _MELDS  # the dealer's first, one a draw, one after each meld; each asks four times at most
_DECLARATIONS = NUM_SEATS * (GROUPS + 2)
MAX_DECISIONS = 4 * _DISCARDS + 3 * _MELDS + _DECLARATIONS  # no deal has more
RIVER = 58  # no deal leaves as many unclaimed discards: one a draw and the dealer's first (and no byte of padding)

# Sets of kinds are int64 words with bit k for kind k. All fields but the deck, river and shown are int64, which
# keeps the arithmetic the same with and without the compiler.
STATE = record_dtype(
    [
        ("deck", "i1", NUM_CARDS),  # kinds, in the order of N1.4
        ("river", "i1", RIVER),  # discards that nobody claimed, in order (river.py); 0 from river_size on
        ("shown", "i1", NUM_KINDS),  # copies face up: river, melds, hezi, indicators, a kong being robbed
        ("river_size", "i8"),
        ("held", "i8", (NUM_SEATS, COPIES)),  # kinds of which more than 0, 1, 2, 3 copies are in hand
        ("waits", "i8", NUM_SEATS),  # winning kinds of the hand when it last was at rest (3n + 1 cards)
        ("melds", "i8", (NUM_SEATS, len(Meld))),  # kinds, by sort of meld
        ("num_melds", "i8", NUM_SEATS),
        ("hezi", "i8", NUM_SEATS),  # the kind laid aside as Tiandi Hezi, as a set
        (
            "openable",
            "i8",
            NUM_SEATS,
        ),  # dealt quads, and dealt triples of an indicator, not yet opened (N3.1)
        ("ready", "i8", NUM_SEATS),  # 1 = declared ready (N3.3)
        ("indicators", "i8", 2),  # kinds
        ("exact", "i8"),  # derived: the kinds that equal an indicator (N6.2)
        ("dealer", "i8"),
        ("phase", "i8"),
        ("seat", "i8"),  # who is asked
        ("actor", "i8"),  # whose turn it is, or whose card lies on the table
        ("card", "i8"),  # the kind drawn in this turn, or on the table; -1 = none
        ("can_win", "i8"),  # in a TURN: whether the hand wins
        ("replaced", "i8"),  # in a TURN: the card is a replacement for a kong
        ("front", "i8"),  # the stock is deck[front:back]
        ("back", "i8"),
        ("discards", "i8"),  # how many were made so far
        ("outcome", "i8"),  # Outcome; what follows is set when the deal ends
        ("winner", "i8"),  # seat or -1
        ("from_seat", "i8"),  # whose card won, or -1
        ("source", "i8"),  # Source
        ("winning_card", "i8"),  # kind or -1
        ("base_hu", "i8", NUM_SEATS),  # N6.1-N6.4; `base` and `shape` are attributes of every numpy record
        ("bonus", "i8"),  # the winner's added hu (N6.5)
        ("multiplier", "i8"),  # the winner's (N6.6)
        ("hand_shape", "i8"),  # Shape
        ("wenqian", "i8"),  # runs c1 c2 c3 in the winner's partition
        ("final_wait", "i8"),
        ("totals", "i8", NUM_SEATS),  # hu, rounded (N6.10)
        ("points", "i8", NUM_SEATS),  # N6.11
    ]
)


def new_states(n: int) -> np.ndarray:
    """Return n blank states, to be filled by `reset`."""
    return new_records(STATE, n)


@inline
def rest(state: np.record, seat: int) -> None:
    """Find the waits of a hand that has come to rest; later checks for wins look only at them."""
    state.waits[seat] = waits(state.held[seat])


@inline
def add_meld(state: np.record, seat: int, sort: int, kind: int) -> None:
    """Put a meld of this sort on the table; the hand is the caller's."""
    state.melds[seat, sort] |= 1 << kind
    state.num_melds[seat] += 1


@inline
def take_back(state: np.record, seat: int) -> int:
    """Move the card at the back of the stock into a hand (N1.4)."""
    state.back -= 1
    kind = widen(state.deck[state.back])
    add_copy(state.held[seat], kind)
    return kind


def hand_counts(state: np.record, seat: int) -> np.ndarray:
    """Return the hand as counts int8[30] (plain Python, for display and tests)."""
    kinds = np.arange(NUM_KINDS)
    return ((state.held[seat][:, None] >> kinds) & 1).sum(axis=0).astype(np.int8)
