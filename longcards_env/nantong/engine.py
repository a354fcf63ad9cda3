"""The course of a deal: start it, ask for the legal actions, apply one (N1, N3-N5).

All functions are compiled and expect valid input. They play nothing by themselves but draws: forced actions (N5.1) are
left to `play.advance`. What a phase does stands in a file of its own: preparation.py (N3), turns.py (N4.1-N4.3),
claims.py (N4.2-N4.6).
"""

import numpy as np

from .._jit import inline, jit, widen
from ..bits import fill_mask
from ..held import add_copy
from ..seats import NONE, NUM_SEATS, next_seat
from . import rules
from . import state as st
from .cards import NUM_CARDS
from .claims import apply_claim, legal_claim_kong, win_claim
from .preparation import apply_preparation, begin_preparation, dealt_declarations, legal_preparation
from .rules import Shape, Source
from .state import Outcome, Phase
from .turns import apply_turn, legal_turn


@jit
def reset(state: np.record, dealer: int, deck: np.ndarray) -> None:
    """Start a deal from its dealer and int8[120] deck of kinds; overwrites every field (N1.3, N1.4)."""
    _clear(state)
    for i in range(NUM_CARDS):
        state.deck[i] = deck[i]
    place = 0
    seat = dealer
    for hand in rules.HAND_SIZES:
        for _ in range(hand):
            add_copy(state.held[seat], widen(deck[place]))
            place += 1
        seat = next_seat(seat)
    first, second = widen(deck[rules.INDICATORS]), widen(deck[rules.INDICATORS + 1])
    state.indicators[0], state.indicators[1] = first, second
    state.exact = 1 << first | 1 << second
    state.shown[first] += 1
    state.shown[second] += 1
    for seat in range(NUM_SEATS):
        state.openable[seat] = dealt_declarations(state, seat)
    state.dealer = dealer
    begin_preparation(state, dealer)


@inline
def _clear(state: np.record) -> None:
    state.shown[:] = 0
    state.river[:] = 0
    state.held[:] = 0
    state.waits[:] = 0
    state.melds[:] = 0
    state.num_melds[:] = 0
    state.hezi[:] = 0
    state.ready[:] = 0
    state.base_hu[:] = 0
    state.totals[:] = 0
    state.points[:] = 0
    state.river_size = state.discards = state.can_win = state.replaced = 0
    state.front, state.back = rules.STOCK, NUM_CARDS
    state.outcome, state.source, state.hand_shape = Outcome.LIVING, Source.NONE, Shape.NONE
    state.winner = state.from_seat = state.winning_card = state.card = NONE
    state.bonus = state.multiplier = state.wenqian = state.final_wait = 0


@inline
def legal_words(state: np.record) -> tuple[int, int]:
    """Return the legal actions as two sets; both are empty when the deal is over."""
    phase = state.phase
    if phase == Phase.TURN:
        return legal_turn(state), 0
    if phase == Phase.CLAIM_MELD:
        return 1 << st.PONG | 1 << st.PASS, legal_claim_kong(state)
    if phase == Phase.DISCARD:
        return state.held[state.seat, 0], 0
    if phase == Phase.PREPARE:
        return 0, legal_preparation(state)
    if phase == Phase.OVER:
        return 0, 0
    return 1 << st.WIN | 1 << st.PASS, 0  # CLAIM_WIN, ROB


@jit
def legal(state: np.record, out: np.ndarray) -> int:
    """Overwrite the mask int8[97] with the legal actions; return how many there are (0 = the deal is over)."""
    low, high = legal_words(state)
    return fill_mask(low, high, st.OPEN, out)


@inline
def apply(state: np.record, action: int) -> None:
    """Apply one legal action; whatever cannot be decided (draws, the end) follows at once."""
    phase = state.phase
    if phase == Phase.TURN or phase == Phase.DISCARD:
        apply_turn(state, action)
    elif phase == Phase.PREPARE:
        apply_preparation(state, action)
    elif action == st.WIN:
        win_claim(state)
    else:
        apply_claim(state, action)
