"""Preparation: opening declarations of each seat in turn (N3)."""

import numpy as np

from .._jit import inline, jit
from ..held import remove_copies
from ..seats import next_seat
from . import rules
from . import state as st
from .groups import keys_of_held, wins
from .rules import Meld
from .state import Phase, add_meld, rest, take_back


@inline
def dealt_declarations(state: np.record, seat: int) -> int:
    """The kinds that a seat may open or lay aside by its dealt cards; replacements never add to them (N3.1)."""
    held = state.held[seat]
    of_indicators = held[1] if state.indicators[0] == state.indicators[1] else held[2]
    return held[3] | of_indicators & state.exact


@jit
def legal_preparation(state: np.record) -> int:
    """N3.1: open, hezi, ready (not the dealer), end."""
    seat = state.seat
    hezi = state.openable[seat] & state.exact if state.indicators[0] == state.indicators[1] else 0
    actions = state.openable[seat] & ~hezi | 1 << st.END - st.OPEN
    if hezi:
        actions |= 1 << st.HEZI - st.OPEN
    if seat != state.dealer and rules.ready_kinds(state.waits[seat], _all_visible(state, seat)):
        actions |= 1 << st.READY - st.OPEN
    return actions


@inline
def _all_visible(state: np.record, seat: int) -> int:
    """The kinds of which a seat sees all four copies in its hand, melds, hezi and the indicators (N3.2)."""
    held = state.held[seat]
    shown = held[3] | state.hezi[seat] | held[2] & state.exact
    shown |= state.melds[seat, Meld.OPENING_QUAD] | state.melds[seat, Meld.OPENING_TRIPLE]
    if state.indicators[0] == state.indicators[1]:
        shown |= held[1] & state.exact
    return shown


@jit
def apply_preparation(state: np.record, action: int) -> None:
    """N3.1."""
    seat = state.seat
    if action >= st.READY:
        state.ready[seat] = action == st.READY
        _end_preparation(state)
        return
    if action == st.HEZI:
        _lay_aside(state, seat, state.indicators[0])
    else:
        _open(state, seat, action - st.OPEN)
    if seat != state.dealer:
        rest(state, seat)


@inline
def _lay_aside(state: np.record, seat: int, kind: int) -> None:
    """Tiandi Hezi (N3.1): two replacements, one after the other."""
    remove_copies(state.held[seat], kind, 2)
    state.openable[seat] &= ~(1 << kind)
    state.hezi[seat] = 1 << kind
    state.shown[kind] += 2
    take_back(state, seat)
    take_back(state, seat)


@inline
def _open(state: np.record, seat: int, kind: int) -> None:
    """Lay down a dealt quad or triple (N3.1); a quad brings a replacement."""
    quad = state.held[seat, 3] >> kind & 1
    remove_copies(state.held[seat], kind, 3 + quad)
    state.openable[seat] &= ~(1 << kind)
    add_meld(state, seat, Meld.OPENING_QUAD if quad else Meld.OPENING_TRIPLE, kind)
    state.shown[kind] += 3 + quad
    if quad:
        take_back(state, seat)


@inline
def begin_preparation(state: np.record, seat: int) -> None:
    """N3.1: the waits of a seat other than the dealer tell whether it may be ready."""
    state.phase, state.seat, state.actor = Phase.PREPARE, seat, seat
    if seat != state.dealer:
        rest(state, seat)


@inline
def _end_preparation(state: np.record) -> None:
    """Go on to the next seat, or to the dealer's first turn (N4.1)."""
    seat = next_seat(state.seat)
    if seat != state.dealer:
        begin_preparation(state, seat)
        return
    state.can_win = wins(keys_of_held(state.held[seat]), state.num_melds[seat])
    state.phase, state.seat, state.actor = Phase.TURN, seat, seat
