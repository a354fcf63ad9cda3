"""The course of a deal: start it, ask for the legal actions, apply one (P1, P3-P9).

All functions are compiled and expect valid input. They play nothing by themselves but reveals, ti and wei: forced
actions (P9.1) are left to `play.advance`. What a phase does stands in a file of its own: preparation.py (P3), claims.py
(P4.2), turns.py (P4).
"""

import numpy as np

from .._jit import inline, jit, widen
from ..bits import fill_mask
from ..held import add_copy
from ..seats import NONE, NUM_SEATS, next_seat
from . import rules
from . import state as st
from .cards import COPIES, NUM_CARDS
from .claims import legal_meld
from .preparation import apply_preparation, begin_preparation, lay_out
from .rules import Source
from .state import Outcome, Phase
from .turns import apply_claim, apply_discard, apply_own_win, apply_win_claim


@jit
def reset(state: np.record, dealer: int, deck: np.ndarray) -> None:
    """Start a deal from its dealer and int8[80] deck of kinds; overwrites every field (P1.2, P1.3)."""
    _clear(state)
    for i in range(NUM_CARDS):
        state.deck[i] = deck[i]
    held = np.empty(COPIES, np.int64)
    place = 0
    seat = dealer
    for hand in rules.HAND_SIZES:
        held[:] = 0
        for _ in range(hand):
            add_copy(held, widen(deck[place]))
            place += 1
        lay_out(state, seat, held)
        seat = next_seat(seat)
    state.dealer = state.seat = state.actor = dealer
    begin_preparation(state, dealer)


@inline
def _clear(state: np.record) -> None:
    state.river[:] = 0
    state.shown[:] = 0
    state.chis[:] = 0
    state.melds[:] = 0
    for seat in range(NUM_SEATS):
        state.num_chis[seat] = state.fours[seat] = state.dead[seat] = state.locked[seat] = state.points[seat] = 0
    state.river_size = state.revealed = state.refused = state.shapes = state.discard_due = 0
    state.front = rules.STOCK
    state.outcome, state.source = Outcome.LIVING, Source.NONE
    state.winner = state.from_seat = state.winning_card = state.card = NONE
    state.won_huxi = state.tun = 0


@inline
def legal_words(state: np.record) -> tuple[int, int]:
    """Return the legal actions as two sets; both are empty when the deal is over."""
    phase = state.phase
    if phase == Phase.DISCARD:
        return state.once[state.seat], 0
    if phase == Phase.CLAIM_CHI:
        return 1 << st.PASS, state.shapes
    if phase == Phase.CLAIM_MELD:
        return legal_meld(state), 0
    if phase == Phase.OVER:
        return 0, 0
    return 1 << st.WIN | 1 << st.PASS, 0  # HEAVENLY, OWN_WIN, CLAIM_WIN


@jit
def legal(state: np.record, out: np.ndarray) -> int:
    """Overwrite the mask int8[70] with the legal actions; return how many there are (0 = the deal is over)."""
    low, high = legal_words(state)
    return fill_mask(low, high, st.CHI, out)


@inline
def apply(state: np.record, action: int) -> None:
    """Apply one legal action; whatever cannot be decided (reveals, ti, wei, the end) follows at once."""
    phase = state.phase
    if phase == Phase.DISCARD:
        apply_discard(state, action)
    elif phase == Phase.CLAIM_MELD or phase == Phase.CLAIM_CHI:
        apply_claim(state, action)
    elif phase == Phase.CLAIM_WIN:
        apply_win_claim(state, action)
    elif phase == Phase.OWN_WIN:
        apply_own_win(state, action)
    else:
        apply_preparation(state, action)
