"""The course of play: reveal, discard, and what follows a claim (P4)."""

import numpy as np

from .._jit import inline, jit, widen
from ..seats import NONE, next_seat
from . import state as st
from .cards import NUM_CARDS
from .claims import ask_chi, ask_meld, ask_winner, bury, end_with_win, take_card, take_revealed
from .rules import Source
from .scoring import huxi_after_meld, huxi_with_card
from .state import Outcome, Phase, remove_card


@jit
def reveal(state: np.record, seat: int) -> None:
    """Let this seat, and those after it, reveal until somebody is asked or the stock is empty (P4.1)."""
    while state.front < NUM_CARDS:
        state.card, state.actor, state.revealed, state.refused = widen(state.deck[state.front]), seat, 1, 0
        state.front += 1
        state.shown[state.card] += 1
        if take_revealed(state, seat):
            if not state.dead[seat] and huxi_after_meld(state, seat):
                state.phase, state.seat = Phase.OWN_WIN, seat
                return
            if state.discard_due and ask_discard(state, seat):
                return
        elif ask_winner(state, seat) or ask_meld(state):
            return
        else:
            bury(state)
        seat = next_seat(seat)
    state.phase, state.outcome = Phase.OVER, Outcome.DRAW
    state.seat = state.actor = seat
    state.card = NONE


@jit
def ask_discard(state: np.record, seat: int) -> bool:
    """Ask a seat for the discard that is due (P4.5); False if it is waived (P3.3), or the seat is dead (P4.7)."""
    state.card = NONE
    if state.owed[seat]:
        state.owed[seat] -= 1
        return False
    if state.once[seat] == 0:
        state.dead[seat] = 1
        return False
    state.phase, state.seat, state.actor = Phase.DISCARD, seat, seat
    return True


@inline
def _go_on(state: np.record, seat: int, discard_due: bool) -> None:
    """After a seat's meld or chi: its discard, or the next reveal (P4.5)."""
    state.card = NONE
    if not discard_due or not ask_discard(state, seat):
        reveal(state, next_seat(seat))


@jit
def apply_discard(state: np.record, kind: int) -> None:
    """Discard a loose card; its kind is locked for the seat (P6.1). Others may claim it, but not win (P4.2, P7.5)."""
    seat = state.seat
    remove_card(state, seat, kind)
    state.locked[seat] |= 1 << kind
    state.card, state.revealed, state.refused = kind, 0, 0
    state.shown[kind] += 1
    if not ask_meld(state):
        bury(state)
        reveal(state, next_seat(seat))


@jit
def apply_own_win(state: np.record, action: int) -> None:
    """P7.4: win after the own ti or wei, or go on."""
    if action == st.WIN:
        end_with_win(state, Source.OWN_REVEAL, huxi_after_meld(state, state.seat))
    else:
        _go_on(state, state.seat, state.discard_due)


@jit
def apply_win_claim(state: np.record, action: int) -> None:
    """Win with a revealed card, or pass it on (P4.2, step 2)."""
    seat = state.seat
    if action == st.WIN:
        source = Source.OWN_REVEAL if seat == state.actor else Source.OTHER_REVEAL
        end_with_win(state, source, huxi_with_card(state, seat))
        return
    following = next_seat(seat)
    if following != state.actor and ask_winner(state, following):
        return
    if not ask_meld(state):
        _leave(state)


@jit
def apply_claim(state: np.record, action: int) -> None:
    """Pao, peng, chi, or pass (P4.2, steps 3 and 4); passing a pao locks nothing (P6.2)."""
    if action != st.PASS:
        due = take_card(state, action)
        _go_on(state, state.seat, due)
        return
    chi = state.phase == Phase.CLAIM_CHI
    if chi or state.twice[state.seat] >> state.card & 1:  # not a pao
        state.refused |= 1 << state.seat
    if chi or not ask_chi(state):
        _leave(state)


@inline
def _leave(state: np.record) -> None:
    """The card is dead, and the seat after the revealer or discarder reveals (P4.4)."""
    bury(state)
    reveal(state, next_seat(state.actor))
