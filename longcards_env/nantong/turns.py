"""A seat's own turn: win, kong or discard (N4.1-N4.3)."""

import numpy as np

from .._jit import inline, jit
from ..held import remove_copies
from ..river import river_entry
from ..seats import NONE, next_seat
from . import rules
from . import state as st
from .claims import ask_winner, draw_replacement, end_with_win
from .rules import Meld, Source
from .state import Phase, add_meld, rest


@inline
def legal_turn(state: np.record) -> int:
    """N4.1, N4.2: win, kong, discard; a ready seat only wins or discards what it drew (N3.3)."""
    seat = state.seat
    held = state.held[seat]
    win = state.can_win << st.WIN
    if state.ready[seat]:
        return win | 1 << state.card
    kongs = held[3] | held[0] & state.melds[seat, Meld.PONG]
    may_kong = state.front < state.back and (state.card != NONE or rules.DEALER_MAY_KONG_FIRST)
    return win | held[0] | (kongs if may_kong else 0) << st.KONG


@jit
def apply_turn(state: np.record, action: int) -> None:
    """N4.1, N4.2, N4.3."""
    if action < st.KONG:
        _discard(state, action)
    elif action == st.WIN:
        _win_turn(state)
    else:
        _kong(state, action - st.KONG)


@inline
def _discard(state: np.record, kind: int) -> None:
    """Discard and ask the other seats (N4.4)."""
    seat = state.seat
    remove_copies(state.held[seat], kind, 1)
    if kind != state.card:  # discarding the drawn card leaves the hand, and its waits, as they were
        rest(state, seat)
    state.river[state.river_size] = river_entry(seat, kind)
    state.river_size += 1
    state.shown[kind] += 1
    state.discards += 1
    state.card = kind
    ask_winner(state, next_seat(seat))


@jit
def _kong(state: np.record, kind: int) -> None:
    """A concealed kong, or an added kong that others may first rob (N4.3)."""
    seat = state.seat
    if state.held[seat, 3] >> kind & 1:
        remove_copies(state.held[seat], kind, 4)
        add_meld(state, seat, Meld.CONCEALED_KONG, kind)
        state.shown[kind] += 4
        rest(state, seat)
        draw_replacement(state, seat)
        return
    remove_copies(state.held[seat], kind, 1)
    state.shown[kind] += 1
    state.card, state.phase = kind, Phase.ROB
    ask_winner(state, next_seat(seat))


@jit
def _win_turn(state: np.record) -> None:
    """A win with the drawn card, or with the dealt hand (N4.1-N4.3, N6.7)."""
    state.winning_card = state.card
    if state.card == NONE:
        state.source = Source.HEAVENLY
    else:
        state.source = Source.KONG_REPLACEMENT if state.replaced else Source.SELF_DRAW
    end_with_win(state)
