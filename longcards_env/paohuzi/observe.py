"""What a seat may know, as one int8 vector; the table `LAYOUT` is its documentation.

Seats are relative: 0 is the observing seat, 1 the next one, 2 the one after that. Cards in other hands, the order of
the stock, what others could claim and what they have refused never show: a seat that is not asked sees no phase, and of
the locks only its own.
"""

import numpy as np

from .._jit import inline, jit
from ..layout import Layout, Part, length, offset
from ..seats import NONE, NUM_SEATS
from .cards import COPIES, NUM_CARDS, NUM_KINDS
from .groups import GROUPS_OF_THREE
from .rules import GROUPS, PUBLIC_CARD, STOCK, Meld
from .state import Phase, kan_huxi, river_kind, river_revealed, river_seat

_NUM_GROUPS = len(GROUPS_OF_THREE)
_MOST_HUXI = 100  # no seat has as many

LAYOUT: Layout = (
    Part("hand", NUM_KINDS, COPIES, "copies of each kind in the own hand, kan included"),
    Part("kan", NUM_KINDS, 1, "kinds of which the own hand holds a kan (P2.1)"),
    Part("unseen", NUM_KINDS, COPIES, "copies of each kind neither face up nor in the own hand"),
    Part("locked", NUM_KINDS, 1, "kinds that the seat may no longer chi or peng (P6.1)"),
    Part("public", NUM_KINDS, 1, "the dealer's public card (P1.3)"),
    Part("melds", NUM_SEATS * len(Meld) * NUM_KINDS, 1, "by seat, sort of meld, kind"),
    Part("chis", NUM_SEATS * _NUM_GROUPS, GROUPS, "by seat, groups laid out by chi, of each of the 38 groups of three"),
    Part("discarded", NUM_SEATS * NUM_KINDS, COPIES, "by seat, dead cards of each kind that it discarded"),
    Part("revealed", NUM_SEATS * NUM_KINDS, COPIES, "by seat, dead cards of each kind that it revealed"),
    Part("huxi", NUM_SEATS, _MOST_HUXI, "by seat, huxi on the table; of the own seat, with its kan"),
    Part("owed", NUM_SEATS, GROUPS, "by seat, discards still to be waived (P3.3)"),
    Part("dead", NUM_SEATS, 1, "by seat, is dead (P4.7)"),
    Part("dealer", NUM_SEATS, 1, "by seat, is the dealer"),
    Part("card", NUM_KINDS, 1, "the card on the table, or just taken as ti or wei, if the seat is asked"),
    Part("card_from", NUM_SEATS, 1, "by seat, who revealed or discarded it"),
    Part("is_revealed", 1, 1, "that card was revealed"),
    Part("phase", len(Phase), 1, "what the seat is asked (Phase); nothing if it is not asked"),
    Part("stock", 1, NUM_CARDS - STOCK, "cards left in the stock"),
)
OBS_SIZE = length(LAYOUT)

_HAND = offset(LAYOUT, "hand")
_KAN = offset(LAYOUT, "kan")
_UNSEEN = offset(LAYOUT, "unseen")
_LOCKED = offset(LAYOUT, "locked")
_PUBLIC = offset(LAYOUT, "public")
_MELDS = offset(LAYOUT, "melds")
_CHIS = offset(LAYOUT, "chis")
_DISCARDED = offset(LAYOUT, "discarded")
_REVEALED = offset(LAYOUT, "revealed")
_HUXI = offset(LAYOUT, "huxi")
_OWED = offset(LAYOUT, "owed")
_DEAD = offset(LAYOUT, "dead")
_DEALER = offset(LAYOUT, "dealer")
_CARD = offset(LAYOUT, "card")
_CARD_FROM = offset(LAYOUT, "card_from")
_IS_REVEALED = offset(LAYOUT, "is_revealed")
_PHASE = offset(LAYOUT, "phase")
_STOCK = offset(LAYOUT, "stock")


@jit
def observe(state: np.record, seat: int, out: np.ndarray) -> None:
    """Overwrite int8[OBS_SIZE] with what the seat may know."""
    out[:] = 0
    _own_cards(state, seat, out)
    for away in range(NUM_SEATS):
        _table(state, (seat + away) % NUM_SEATS, away, out)
    out[_HUXI] += kan_huxi(state.kan[seat])
    for i in range(state.river_size):
        card = state.river[i]
        place = _REVEALED if river_revealed(card) else _DISCARDED
        out[place + (river_seat(card) - seat) % NUM_SEATS * NUM_KINDS + river_kind(card)] += 1
    out[_PUBLIC + state.deck[PUBLIC_CARD]] = 1
    out[_DEALER + (state.dealer - seat) % NUM_SEATS] = 1
    out[_STOCK] = NUM_CARDS - state.front
    if seat == state.seat:
        _question(state, seat, out)


@inline
def _spread(kinds: int, place: int, out: np.ndarray) -> None:
    """Add a set of kinds to the 20 entries from `place` on."""
    for kind in range(NUM_KINDS):
        out[place + kind] += kinds >> kind & 1


@jit
def _own_cards(state: np.record, seat: int, out: np.ndarray) -> None:
    _spread(state.once[seat], _HAND, out)
    _spread(state.twice[seat], _HAND, out)
    _spread(state.kan[seat], _KAN, out)
    _spread(state.locked[seat], _LOCKED, out)
    for kind in range(NUM_KINDS):
        out[_HAND + kind] += 3 * out[_KAN + kind]
        out[_UNSEEN + kind] = COPIES - state.shown[kind] - out[_HAND + kind]


@jit
def _table(state: np.record, seat: int, away: int, out: np.ndarray) -> None:
    """What lies before one seat."""
    for sort in range(state.melds.shape[1]):
        _spread(state.melds[seat, sort], _MELDS + (away * state.melds.shape[1] + sort) * NUM_KINDS, out)
    for i in range(state.num_chis[seat]):
        out[_CHIS + away * _NUM_GROUPS + state.chis[seat, i] - 1] += 1
    out[_HUXI + away] = state.huxi[seat] - kan_huxi(state.kan[seat])
    out[_OWED + away] = state.owed[seat]
    out[_DEAD + away] = state.dead[seat]


@inline
def _question(state: np.record, seat: int, out: np.ndarray) -> None:
    """What the seat is asked, and about which card."""
    out[_PHASE + state.phase] = 1
    if state.card != NONE:
        out[_CARD + state.card] = 1
        out[_CARD_FROM + (state.actor - seat) % NUM_SEATS] = 1
        out[_IS_REVEALED] = state.revealed
