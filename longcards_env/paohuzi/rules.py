"""Every number of the rules (RULES.md), and each of their Readings, in one named place.

A set of kinds is an int64 with bit k for kind k.
"""

from enum import IntEnum

import numpy as np

from .._jit import inline
from ..deck import deal_seeds
from ..seats import NUM_SEATS, next_seat


class Meld(IntEnum):
    """The sorts of identical cards on the table (section 2), and the columns of `melds`; chi are kept apart."""

    TI = 0
    PAO = 1
    WEI = 2
    PENG = 3


class Source(IntEnum):
    """Where the winning card came from."""

    NONE = 0
    HEAVENLY = 1
    OWN_REVEAL = 2
    OTHER_REVEAL = 3


# P1.3: a deck of 80 cards, in this order.
HAND_SIZE = 20  # of a seat that is not the dealer
HAND_SIZES = (HAND_SIZE + 1, HAND_SIZE, HAND_SIZE)  # dealer, next seat, the seat after that
PUBLIC_CARD = HAND_SIZE  # deck[20], the dealer's
STOCK = 61  # deck[61:80]

GROUPS = 7  # P7.1
LEAST_HUXI = 15  # P7.1

# Section 2: huxi of identical cards by size (small, big). A peng is won by claiming a third card.
MELD_HUXI = np.array([[9, 12], [6, 9], [3, 6], [1, 3]])  # by Meld
KAN_HUXI = np.array([3, 6])
UNIT_HUXI = np.array([3, 6])  # of a run 1-2-3 and of 2-7-10; all other runs, mixes and pairs bring none

# P3.1: what may win before the first discard.
HEAVENLY_TI = 3
HEAVENLY_KAN = 5

# P8.1
TUN_HUXI = 3
WINNER_SHARE = NUM_SEATS - 1


def session_dealers(session: int, deals: range) -> np.ndarray:
    """Return the dealers int64[n] of these deals of a session: each picked at random (P1.2).

    session: a random number, which fixes them all.
    """
    words = np.empty(len(deals), np.uint64)
    deal_seeds(np.uint64(session), deals.start, words)
    return (words % np.uint64(NUM_SEATS)).astype(np.int64)


@inline
def tun(huxi: int) -> int:
    """Return what each opponent pays for a win of this many huxi (P8.1)."""
    return 1 + (huxi - LEAST_HUXI) // TUN_HUXI


# Readings: what the sources leave open is settled here, or, where it is a step of play, in the place RULES.md names.


@inline
def is_heavenly(num_ti: int, num_kan: int) -> bool:
    """Whether a dealt hand may win; its huxi are those of all its ti and kan, whichever number counts (P3.1)."""
    return num_ti >= HEAVENLY_TI or num_kan >= HEAVENLY_KAN


@inline
def owed_discards(num_ti: int) -> int:
    """Return how many discards a seat skips for its dealt ti (P3.3); later four-groups change nothing in it."""
    return num_ti - 1 if num_ti > 1 else 0


@inline
def chi_seat(actor: int, revealed: int) -> int:
    """Return the one seat that may chi: who revealed the card, or who is next after its discarder (P4.2)."""
    return actor if revealed else next_seat(actor)


@inline
def may_pao(kan: int, wei: int, peng: int, own: bool, revealed: int) -> bool:
    """Whether a seat with a kan, a wei or a peng of the table card may pao it (P4.2, step 3).

    With an exposed wei whatever the source, on the seat's own reveal too (P4.3); with a peng only what is revealed.
    """
    return (kan != 0 and not own) or wei != 0 or (peng & revealed) != 0


@inline
def locked_by_refusal(refused: int, chi_taker: int) -> int:
    """Return the seats (bits) that a settled card locks: those that refused an offer of it (P6.1, P6.3).

    Who passes the peng and takes the chi of the same card has refused nothing. chi_taker: seat or -1.
    """
    return refused & ~(1 << chi_taker) if chi_taker >= 0 else refused
