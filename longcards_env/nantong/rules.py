"""Every number of the rules page, and each of its Readings, in one named place.

Cited clauses are those of the rules page (N1.1 ... N6.11). A set of kinds is an int64 with bit k for kind k.
"""

import numpy as np

from .._jit import inline
from ..seats import NUM_SEATS
from .cards import NUM_KINDS, OLD_GENERALS, RANK

# N1.4: a deck of 120 cards, in this order.
HAND_SIZES = (23, 22, 22)  # dealer, next seat, the seat after that
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

# Readings: what the sources leave open is settled here and nowhere else.
DEALER_MAY_KONG_FIRST = True  # N4.1: in the first turn, without drawing
HEAVENLY_IS_SELF_DRAWN = True  # N6.7: 10 hu, and triples score as in hand
ADDED_KONG_BREAKS_CLOSED = True  # N6.8: it was a pong


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
def scores_as_pong(copies: int, from_other: bool) -> bool:
    """Whether a triple completed by the winning card scores as a pong: by count alone (N6.4, Reading)."""
    return from_other and copies == 3
