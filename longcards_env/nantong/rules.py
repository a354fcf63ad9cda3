"""Every number of the rules (RULES.md), and each of their Readings, in one named place.

A set of kinds is an int64 with bit k for kind k; sets of sorts of melds and of sources likewise.
"""

from enum import IntEnum

import numpy as np

from .._jit import inline
from ..seats import NUM_SEATS
from .cards import NUM_KINDS, OLD_GENERALS, RANK


class Meld(IntEnum):
    """The sorts of melds (N2.3), and the columns of `melds`."""

    PONG = 0
    EXPOSED_KONG = 1  # claimed from a discard
    ADDED_KONG = 2  # an exposed kong that was a pong (N4.3)
    CONCEALED_KONG = 3
    OPENING_TRIPLE = 4
    OPENING_QUAD = 5


class Source(IntEnum):
    """Where the winning card came from."""

    NONE = 0
    SELF_DRAW = 1
    KONG_REPLACEMENT = 2
    DISCARD = 3
    ROBBED_KONG = 4
    HEAVENLY = 5


class Shape(IntEnum):
    """The shape of a winning hand (N6.5)."""

    NONE = 0
    TAZI = 1
    PIAO = 2
    QING = 3


# N1.4: a deck of 120 cards, in this order.
HAND_SIZE = 22  # of a seat that is not the dealer
HAND_SIZES = (HAND_SIZE + 1, HAND_SIZE, HAND_SIZE)  # dealer, next seat, the seat after that
INDICATORS = 67  # deck[67:69]
STOCK = 69  # deck[69:120], drawn from the front; replacements from the back

GROUPS = 7  # N2.4: seven groups and one pair

# N6.1, N6.2: base values in hu.
PONG = 2
THREE_IN_HAND = 4
EXACT_THREE_IN_HAND = 12
EXPOSED_KONG = 8
FOUR_IN_HAND = 12
CONCEALED_KONG = 12
OPENING = 16
HEZI = 16

# N6.5: bonuses of the winner.
QING_HU = 100
PIAO_HU = 50
TAZI_HU = 20
WENQIAN = np.array([0, 20, 50, 100, 200])  # by the number of runs c1 c2 c3
SELF_DRAW = 10
KONG_REPLACEMENT = 10
FINAL_WAIT = 10

ROUNDING = 10  # N6.10


def session_dealers(session: int, deals: range) -> np.ndarray:
    """Return the dealers int64[n] of these deals of a session: the dealer rotates after every deal (N1.5).

    session: a random number, which picks the first dealer.
    """
    return (session % NUM_SEATS + np.arange(deals.start, deals.stop)) % NUM_SEATS


def _doubled_by(indicator: int) -> int:
    """Return the kinds that this indicator doubles (N6.3): (a) the same rank, or (b) both old generals."""
    if OLD_GENERALS >> indicator & 1:
        return OLD_GENERALS
    same_rank = sum(1 << k for k in range(27) if RANK[k] == RANK[indicator])
    return same_rank & ~OLD_GENERALS


DOUBLED_BY = np.array([_doubled_by(kind) for kind in range(NUM_KINDS)], np.int64)


def _final_wait_runs(rank: int) -> int:
    """Return the first ranks of the runs in which this rank is a final wait (N6.5), as a set."""
    middle = 1 << rank - 1 if 1 <= rank <= 7 else 0
    three_or_seven = {2: 1 << 0, 6: 1 << 6}.get(rank, 0)
    return middle | three_or_seven


FINAL_WAIT_RUNS = np.array([_final_wait_runs(rank) for rank in range(9)], np.int64)

# Readings: what the sources leave open is settled here, or, where it is a step of play, in the place RULES.md names.
DEALER_MAY_KONG_FIRST = True  # N4.1: in the first turn, without drawing
# N6.7: a heavenly win brings the 10 hu of a self-draw, but is no win with the last card. (It has no winning card, so
# that it has no final wait either, and its triples are in hand. After a kong of the dealer's a win is a replacement's.)
SELF_DRAWN = 1 << Source.SELF_DRAW | 1 << Source.KONG_REPLACEMENT | 1 << Source.HEAVENLY
LAST_CARD = 1 << Source.SELF_DRAW | 1 << Source.KONG_REPLACEMENT  # N6.8: a replacement can be the last card too
# N6.8: an added kong was a pong; a kong claimed from a discard, or a triple completed by one, breaks nothing.
BREAKS_CLOSED = 1 << Meld.PONG | 1 << Meld.ADDED_KONG


@inline
def is_first_discard(discards: int) -> bool:
    """Whether the discard that wins is the dealer's first, after a kong too (N6.6; N6.8, Reading)."""
    return discards == 1


@inline
def ready_kinds(waits: int, all_visible: int) -> int:
    """Return the waits that make a seat ready: not those of which it sees all four copies (N3.2, Reading).

    Cards shown by other seats are not among `all_visible`.
    """
    return waits & ~all_visible


@inline
def claimable_waits(waits: int) -> int:
    """Return the waits that win on another seat's card: all, those that complete a run too (N4.4, Reading)."""
    return waits


@inline
def scores_as_pong(copies: int) -> bool:
    """Whether a claimed winning card completes a triple, by count alone, that scores as a pong (N6.4, Reading)."""
    return copies == 3
