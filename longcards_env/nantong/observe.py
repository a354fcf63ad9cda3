"""What a seat may know, as one int8 vector; the table `LAYOUT` is its documentation.

Seats are relative: 0 is the observing seat, 1 the next one, 2 the one after that. Cards in other hands, the order of
the stock, what others could claim and what they have passed never show (N3.4): a seat that is not asked sees no
phase, and of the cards drawn only its own.
"""

import numpy as np

from .._jit import inline, jit
from ..layout import Layout, Part, length, offsets, spread, version
from ..river import river_kind, river_seat
from ..seats import NONE, NUM_SEATS
from .cards import COPIES, NUM_CARDS, NUM_KINDS
from .rules import STOCK, Meld
from .state import RIVER, Phase

LAYOUT: Layout = (
    Part("hand", (NUM_KINDS,), COPIES, "copies of each kind in the own hand"),
    Part("unseen", (NUM_KINDS,), COPIES, "copies of each kind neither face up nor in the own hand"),
    Part("waits", (NUM_KINDS,), 1, "kinds that won the own hand when it last was at rest"),
    Part("indicators", (NUM_KINDS,), 2, "copies of each kind among the indicators"),
    Part("melds", (NUM_SEATS, len(Meld), NUM_KINDS), 1, "by seat, sort of meld, kind"),
    Part("hezi", (NUM_SEATS, NUM_KINDS), 1, "by seat, kind laid aside as Tiandi Hezi"),
    Part("river", (NUM_SEATS, NUM_KINDS), COPIES, "by seat, unclaimed discards of each kind"),
    Part(
        "recent",
        (NUM_SEATS, NUM_KINDS),
        RIVER,
        "by seat, how many river cards ago it left such a card; 1 = last, 0 = never",
    ),
    Part("ready", (NUM_SEATS,), 1, "by seat, declared ready"),
    Part("dealer", (NUM_SEATS,), 1, "by seat, is the dealer"),
    Part("card", (NUM_KINDS,), 1, "the card drawn, or the card on the table, if the seat is asked"),
    Part("card_from", (NUM_SEATS,), 1, "by seat, whose card it is"),
    Part("phase", (len(Phase),), 1, "what the seat is asked (Phase); nothing if it is not asked"),
    Part("replaced", (1,), 1, "the card drawn is a replacement for a kong"),
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
    for kind in state.indicators:
        out[_AT.indicators + kind] += 1
    for i in range(state.river_size):
        place = (river_seat(state.river[i]) - seat) % NUM_SEATS * NUM_KINDS + river_kind(state.river[i])
        out[_AT.river + place] += 1
        out[_AT.recent + place] = state.river_size - i
    out[_AT.dealer + (state.dealer - seat) % NUM_SEATS] = 1
    out[_AT.stock] = state.back - state.front
    if seat == state.seat:
        _question(state, seat, out)


@jit
def _own_cards(state: np.record, seat: int, out: np.ndarray) -> None:
    for kinds in state.held[seat]:
        spread(kinds, _AT.hand, out)
    spread(state.waits[seat], _AT.waits, out)
    for kind in range(NUM_KINDS):
        out[_AT.unseen + kind] = COPIES - state.shown[kind] - out[_AT.hand + kind]


@jit
def _table(state: np.record, seat: int, away: int, out: np.ndarray) -> None:
    """What lies before one seat."""
    for sort in range(state.melds.shape[1]):
        spread(state.melds[seat, sort], _AT.melds + (away * state.melds.shape[1] + sort) * NUM_KINDS, out)
    spread(state.hezi[seat], _AT.hezi + away * NUM_KINDS, out)
    out[_AT.ready + away] = state.ready[seat]


@inline
def _question(state: np.record, seat: int, out: np.ndarray) -> None:
    """What the seat is asked, and about which card."""
    out[_AT.phase + state.phase] = 1
    out[_AT.replaced] = state.replaced if state.phase == Phase.TURN else 0
    if state.card != NONE:
        out[_AT.card + state.card] = 1
        out[_AT.card_from + (state.actor - seat) % NUM_SEATS] = 1
