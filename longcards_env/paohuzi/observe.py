"""What a seat may know, as one int8 vector; the table `LAYOUT` is its documentation.

Seats are relative: 0 is the observing seat, 1 the next one, 2 the one after that. Cards in other hands, the order of
the stock, what others could claim and what they have refused never show: a seat that is not asked sees no phase, and of
the locks only its own.
"""

import numpy as np

from .._jit import inline, jit, widen
from ..layout import Layout, Part, length, offsets, spread, version
from ..river import river_kind, river_seat
from ..seats import NONE, NUM_SEATS
from .cards import COPIES, NUM_CARDS, NUM_KINDS
from .groups import GROUPS_OF_THREE
from .rules import GROUPS, PUBLIC_CARD, STOCK, Meld
from .state import RIVER, Phase, kan_huxi, river_revealed

_NUM_GROUPS = len(GROUPS_OF_THREE)
_MOST_HUXI = 100  # no seat has as many

LAYOUT: Layout = (
    Part("hand", (NUM_KINDS,), COPIES, "copies of each kind in the own hand, kan included"),
    Part("kan", (NUM_KINDS,), 1, "kinds of which the own hand holds a kan (P2.1)"),
    Part("unseen", (NUM_KINDS,), COPIES, "copies of each kind neither face up nor in the own hand"),
    Part("locked", (NUM_KINDS,), 1, "kinds that the seat may no longer chi or peng (P6.1)"),
    Part("public", (NUM_KINDS,), 1, "the dealer's public card (P1.3)"),
    Part("melds", (NUM_SEATS, len(Meld), NUM_KINDS), 1, "by seat, sort of meld, kind"),
    Part("chis", (NUM_SEATS, _NUM_GROUPS), GROUPS, "by seat, groups of each sort laid out by chi (GROUPS_OF_THREE)"),
    Part("discarded", (NUM_SEATS, NUM_KINDS), COPIES, "by seat, dead cards of each kind that it discarded"),
    Part("revealed", (NUM_SEATS, NUM_KINDS), COPIES, "by seat, dead cards of each kind that it revealed"),
    Part(
        "recent",
        (NUM_SEATS, NUM_KINDS),
        RIVER,
        "by seat, how many dead cards ago it showed this one; 1 = last, 0 = never",
    ),
    Part("huxi", (NUM_SEATS,), _MOST_HUXI, "by seat, huxi on the table; of the own seat, with its kan"),
    Part("owed", (NUM_SEATS,), GROUPS, "by seat, discards still to be waived (P3.3)"),
    Part("dead", (NUM_SEATS,), 1, "by seat, is dead (P4.7)"),
    Part("dealer", (NUM_SEATS,), 1, "by seat, is the dealer"),
    Part("card", (NUM_KINDS,), 1, "the card on the table, or just taken as ti or wei, if the seat is asked"),
    Part("card_from", (NUM_SEATS,), 1, "by seat, who revealed or discarded it"),
    Part("is_revealed", (1,), 1, "that card was revealed"),
    Part("phase", (len(Phase),), 1, "what the seat is asked (Phase); nothing if it is not asked"),
    Part("stock", (1,), NUM_CARDS - STOCK, "cards left in the stock"),
)
OBS_SIZE = length(LAYOUT)
OBS_VERSION = version(LAYOUT)
_AT = offsets(LAYOUT)


@jit
def observe(state: np.record, seat: int, out: np.ndarray) -> None:
    """Overwrite int8[OBS_SIZE] with what the seat may know."""
    out[:] = 0
    _own_cards(state, seat, out)
    for away in range(NUM_SEATS):
        _table(state, (seat + away) % NUM_SEATS, away, out)
    out[_AT.huxi] += kan_huxi(state.kan[seat])
    for i in range(state.river_size):
        card = state.river[i]
        place = (river_seat(card) - seat) % NUM_SEATS * NUM_KINDS + river_kind(card)
        out[(_AT.revealed if river_revealed(card) else _AT.discarded) + place] += 1
        out[_AT.recent + place] = state.river_size - i
    out[_AT.public + state.deck[PUBLIC_CARD]] = 1
    out[_AT.dealer + (state.dealer - seat) % NUM_SEATS] = 1
    out[_AT.stock] = NUM_CARDS - state.front
    if seat == state.seat:
        _question(state, seat, out)


@jit
def _own_cards(state: np.record, seat: int, out: np.ndarray) -> None:
    spread(state.once[seat], _AT.hand, out)
    spread(state.twice[seat], _AT.hand, out)
    spread(state.kan[seat], _AT.kan, out)
    spread(state.locked[seat], _AT.locked, out)
    for kind in range(NUM_KINDS):
        out[_AT.hand + kind] += 3 * out[_AT.kan + kind]
        out[_AT.unseen + kind] = COPIES - state.shown[kind] - out[_AT.hand + kind]


@jit
def _table(state: np.record, seat: int, away: int, out: np.ndarray) -> None:
    """What lies before one seat."""
    for sort in range(state.melds.shape[1]):
        spread(state.melds[seat, sort], _AT.melds + (away * state.melds.shape[1] + sort) * NUM_KINDS, out)
    for i in range(state.num_chis[seat]):
        out[_AT.chis + away * _NUM_GROUPS + widen(state.chis[seat, i]) - 1] += 1
    out[_AT.huxi + away] = state.huxi[seat] - kan_huxi(state.kan[seat])
    out[_AT.owed + away] = state.owed[seat]
    out[_AT.dead + away] = state.dead[seat]


@inline
def _question(state: np.record, seat: int, out: np.ndarray) -> None:
    """What the seat is asked, and about which card."""
    out[_AT.phase + state.phase] = 1
    if state.card != NONE:
        out[_AT.card + state.card] = 1
        out[_AT.card_from + (state.actor - seat) % NUM_SEATS] = 1
        out[_AT.is_revealed] = state.revealed
