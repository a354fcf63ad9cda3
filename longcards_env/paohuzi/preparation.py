"""Preparation: dealt ti and kan, heavenly wins, and the dealer's first discard (P3)."""

import numpy as np

from .._jit import inline, jit
from ..bits import count
from ..seats import next_seat
from . import rules
from . import state as st
from .claims import end_with_win
from .rules import Meld, Source
from .state import Phase, add_meld, kan_huxi
from .turns import ask_discard, reveal


@inline
def lay_out(state: np.record, seat: int, held: np.ndarray) -> None:
    """Sort a dealt hand into loose cards, kan (P2.1) and ti, which are exposed (P2.2).

    held: int64[4], the dealt cards (held.py).
    """
    state.once[seat], state.twice[seat] = held[0] & ~held[2], held[1] & ~held[2]
    state.kan[seat] = held[2] & ~held[3]
    state.num_groups[seat] = count(state.kan[seat])
    state.huxi[seat] = kan_huxi(state.kan[seat])
    for kind in range(len(state.shown)):
        if held[3] >> kind & 1:
            add_meld(state, seat, Meld.TI, kind)
            state.shown[kind] = 4
    state.owed[seat] = rules.owed_discards(state.fours[seat])


@jit
def begin_preparation(state: np.record, seat: int) -> None:
    """Ask the next seat that may win at once (P3.1), from this one on, or let the dealer begin (P3.2)."""
    while not rules.is_heavenly(state.fours[seat], count(state.kan[seat])):
        seat = next_seat(seat)
        if seat == state.dealer:
            _first_discard(state)
            return
    state.phase, state.seat = Phase.HEAVENLY, seat


@jit
def apply_preparation(state: np.record, action: int) -> None:
    """P3.1: win with all ti and kan, or pass without any effect; dealt cards win in no other way (P7.5)."""
    if action == st.WIN:
        end_with_win(state, Source.HEAVENLY, state.huxi[state.seat])
        return
    seat = next_seat(state.seat)
    if seat == state.dealer:
        _first_discard(state)
    else:
        begin_preparation(state, seat)


@jit
def _first_discard(state: np.record) -> None:
    """P3.2: the dealer discards; if that is waived, or cannot be, the next seat reveals."""
    if not ask_discard(state, state.dealer):
        reveal(state, next_seat(state.dealer))
