"""The state of one deal as a flat record, its phases, and the numbers of the actions (P3-P6, P9)."""

from enum import IntEnum

import numpy as np

from .._jit import inline, jit, new_records, record_dtype, widen
from ..bits import count
from ..seats import NUM_SEATS
from .cards import NUM_CARDS, NUM_KINDS, SIZE, SIZE_RANKS
from .chi import GROUP_NUMBERS, NUM_SHAPES, after_chi, chi_groups, chi_huxi
from .groups import GROUPS_OF_THREE, num_cards
from .rules import GROUPS, KAN_HUXI, MELD_HUXI, STOCK, Meld


class Phase(IntEnum):
    """What the acting seat is asked."""

    HEAVENLY = 0  # win with the dealt hand, or pass (P3.1)
    DISCARD = 1  # (P3.2, P4.5)
    OWN_WIN = 2  # win after the own ti or wei, or pass (P4.2 step 1, P7.4)
    CLAIM_WIN = 3  # win with a revealed card, or pass (P4.2 step 2)
    CLAIM_MELD = 4  # pao or peng, or pass (P4.2 step 3)
    CLAIM_CHI = 5  # chi, or pass (P4.2 step 4)
    OVER = 6


class Outcome(IntEnum):
    """How a deal ended."""

    LIVING = 0
    WIN = 1
    DRAW = 2


# Actions. A legal set is two words: bit a of the first is action a, bit a of the second action CHI + a.
DISCARD = 0  # + kind
WIN = 20
PASS = 21
PAO = 22
PENG = 23
CHI = 24  # + shape (chi.py)
NUM_ACTIONS = CHI + NUM_SHAPES

# Bounds. Each reveal and each claim is followed by one discard at most, and each card on the table by at most three
# offers of a win, one of pao or peng and one of chi; a seat claims at most seven times.
_CARDS_SHOWN = 1 + (NUM_CARDS - STOCK) + 2 * NUM_SEATS * GROUPS
MAX_DECISIONS = NUM_SEATS + 6 * _CARDS_SHOWN  # no deal has more
RIVER = 1 + NUM_CARDS - STOCK  # dead cards: the last discard before each reveal, or the revealed card itself
REVEALED = 7  # the bit of a dead card that was revealed, not discarded
_CHIS = GROUPS + 1  # columns for the groups that a seat has chi'd, one more than needed: no byte of padding

# Sets of kinds are int64 words with bit k for kind k. All fields but the deck, river, shown and chis are int64, which
# keeps the arithmetic the same with and without the compiler.
STATE = record_dtype(
    [
        ("deck", "i1", NUM_CARDS),  # kinds, in the order of P1.3
        ("river", "u1", RIVER),  # dead cards, in order (river.py, and bit REVEALED); 0 from river_size on
        ("shown", "i1", NUM_KINDS),  # copies face up: river, melds, chis, the card on the table
        ("chis", "i1", (NUM_SEATS, _CHIS)),  # 1 + number in GROUPS_OF_THREE of each group laid out by chi, in order
        ("river_size", "i8"),
        ("once", "i8", NUM_SEATS),  # kinds of which at least one loose card is in hand (groups.py)
        ("twice", "i8", NUM_SEATS),  # kinds of which two are
        ("kan", "i8", NUM_SEATS),  # kinds of which a kan is in hand (P2.1)
        ("melds", "i8", (NUM_SEATS, len(Meld))),  # kinds, by sort of meld
        ("num_chis", "i8", NUM_SEATS),  # groups laid out by chi
        ("num_groups", "i8", NUM_SEATS),  # derived: melds, chis and kan together
        ("huxi", "i8", NUM_SEATS),  # derived: of melds, chis and kan
        ("fours", "i8", NUM_SEATS),  # derived: four-groups (P2.3)
        ("owed", "i8", NUM_SEATS),  # discards still to be waived (P3.3)
        ("dead", "i8", NUM_SEATS),  # 1 = a dead seat (P4.7)
        ("locked", "i8", NUM_SEATS),  # kinds that a seat may no longer chi or peng (P6.1)
        ("dealer", "i8"),
        ("phase", "i8"),
        ("seat", "i8"),  # who is asked
        ("actor", "i8"),  # whose turn it is: who revealed or discarded the card on the table, or is to discard
        ("card", "i8"),  # the kind on the table, or just taken as ti or wei; -1 = none
        ("revealed", "i8"),  # 1 = the card on the table was revealed, 0 = it was discarded, or none lies there
        ("refused", "i8"),  # seats (bits) that refused an offer of the card on the table (P6.1)
        ("shapes", "i8"),  # in CLAIM_CHI: the shapes offered
        ("discard_due", "i8"),  # in OWN_WIN: whether a discard follows (P4.5)
        ("front", "i8"),  # the stock is deck[front:]
        ("outcome", "i8"),  # Outcome; what follows is set when the deal ends
        ("winner", "i8"),  # seat or -1
        ("from_seat", "i8"),  # who revealed the card with which another seat won, or -1
        ("source", "i8"),  # Source
        ("winning_card", "i8"),  # kind or -1
        ("won_huxi", "i8"),  # the winner's (P7.1, P7.4)
        ("tun", "i8"),  # P8.1
        ("points", "i8", NUM_SEATS),  # P8.1
    ]
)


def new_states(n: int) -> np.ndarray:
    """Return n blank states, to be filled by `reset`; a copy of one is an assignment."""
    return new_records(STATE, n)


@inline
def river_revealed(entry: int) -> int:
    """Return 1 if a dead card was revealed, 0 if it was discarded."""
    return widen(entry) >> REVEALED


@inline
def num_loose(state: np.record, seat: int) -> int:
    """Return how many loose cards a seat holds: those that it may discard (P2.1)."""
    return num_cards(state.once[seat], state.twice[seat])


@inline
def remove_card(state: np.record, seat: int, kind: int) -> None:
    """Take one loose card of a kind out of a hand that holds it."""
    card = 1 << kind
    state.once[seat] &= ~(card & ~state.twice[seat])
    state.twice[seat] &= ~card


@inline
def add_meld(state: np.record, seat: int, sort: int, kind: int) -> None:
    """Put identical cards on the table (P2); the hand, and what they were before, are the caller's."""
    state.melds[seat, sort] |= 1 << kind
    state.huxi[seat] += MELD_HUXI[sort, SIZE[kind]]
    state.num_groups[seat] += 1
    state.fours[seat] += sort <= Meld.PAO


@inline
def take_meld(state: np.record, seat: int, sort: int, kind: int) -> None:
    """Take a meld off the table, to make a pao of it."""
    state.melds[seat, sort] &= ~(1 << kind)
    state.huxi[seat] -= MELD_HUXI[sort, SIZE[kind]]
    state.num_groups[seat] -= 1


@inline
def take_kan(state: np.record, seat: int, kind: int) -> None:
    """Take a kan out of a hand, to make a ti or a pao of it (P2.1)."""
    state.kan[seat] &= ~(1 << kind)
    state.huxi[seat] -= KAN_HUXI[SIZE[kind]]
    state.num_groups[seat] -= 1
    state.shown[kind] += 3


@inline
def take_two(state: np.record, seat: int, kind: int) -> None:
    """Take both loose cards of a kind out of a hand, for a wei or a peng."""
    state.once[seat] &= ~(1 << kind)
    state.twice[seat] &= ~(1 << kind)
    state.shown[kind] += 2


@inline
def kan_huxi(kan: int) -> int:
    """Return the huxi of kan of these kinds (P2)."""
    small = count(kan & SIZE_RANKS)
    return KAN_HUXI[0] * small + KAN_HUXI[1] * (count(kan) - small)


_CARDS_OF_GROUP = np.array(GROUPS_OF_THREE)


@jit
def lay_chi(state: np.record, seat: int, shape: int) -> None:
    """Lay out the table card with loose cards, bi included (P5)."""
    kind = state.card
    state.once[seat], state.twice[seat] = after_chi(state.once[seat], state.twice[seat], kind, shape)
    state.huxi[seat] += chi_huxi(kind, shape)
    state.num_groups[seat] += chi_groups(kind, shape)
    for place in range(chi_groups(kind, shape)):
        number = GROUP_NUMBERS[kind, shape, place]
        state.chis[seat, state.num_chis[seat]] = number + 1
        state.num_chis[seat] += 1
        for card in range(3):
            state.shown[_CARDS_OF_GROUP[number, card]] += 1
    state.shown[kind] -= 1  # the table card was face up before


def hand_counts(state: np.record, seat: int) -> np.ndarray:
    """Return the hand, kan included, as counts int8[20] (plain Python, for display and tests)."""
    kinds = np.arange(NUM_KINDS)
    once, twice, kan = (state[name][seat] >> kinds & 1 for name in ("once", "twice", "kan"))
    return (once + twice + 3 * kan).astype(np.int8)
