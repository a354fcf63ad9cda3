"""Cards on the table: who may take a discard or rob a kong, and the draw that follows (N4.2-N4.6)."""

import numpy as np

from .._jit import inline, jit, widen
from ..held import add_copy, remove_copies
from ..seats import NONE, next_seat
from . import rules
from . import state as st
from .rules import Meld, Source
from .scoring import settle
from .state import Outcome, Phase, add_meld, rest, take_back


@inline
def legal_claim_kong(state: np.record) -> int:
    """N4.4, second round, besides pong and pass: kong with three copies, while there is a replacement."""
    has_three = state.held[state.seat, 2] >> state.card & 1
    return (has_three if state.front < state.back else 0) << st.CLAIM_KONG - st.OPEN


@jit
def apply_claim(state: np.record, action: int) -> None:
    """Pong, kong or pass (N4.3, N4.4)."""
    if action == st.PONG:
        _meld_claim(state, Meld.PONG, 2)
        state.phase, state.card = Phase.DISCARD, NONE
    elif action == st.CLAIM_KONG:
        _meld_claim(state, Meld.EXPOSED_KONG, 3)
        rest(state, state.seat)
        draw_replacement(state, state.seat)
    elif state.phase == Phase.CLAIM_MELD:
        _draw(state, next_seat(state.actor))
    else:
        ask_winner(state, next_seat(state.seat))


@jit
def _draw(state: np.record, seat: int) -> None:
    """Begin a turn with the front card of the stock (N4.2, N4.5), or end the deal (N4.6)."""
    if state.front == state.back:
        state.seat = state.actor = seat
        state.card = NONE
        state.phase, state.outcome = Phase.OVER, Outcome.EXHAUSTED
        settle(state)
        return
    kind = widen(state.deck[state.front])
    state.front += 1
    add_copy(state.held[seat], kind)
    _begin_turn(state, seat, kind, 0)


@inline
def draw_replacement(state: np.record, seat: int) -> None:
    """Go on after a kong with the back card of the stock (N4.3)."""
    _begin_turn(state, seat, take_back(state, seat), 1)


@inline
def _begin_turn(state: np.record, seat: int, kind: int, replaced: int) -> None:
    state.phase, state.seat, state.actor = Phase.TURN, seat, seat
    state.card, state.replaced = kind, replaced
    state.can_win = state.waits[seat] >> kind & 1


@inline
def _next_winner(state: np.record, seat: int) -> int:
    """The first seat, from this one up to the actor, that wins with the card on the table; else NONE."""
    while seat != state.actor:
        if rules.claimable_waits(state.waits[seat]) >> state.card & 1:
            return seat
        seat = next_seat(seat)
    return NONE


@inline
def ask_winner(state: np.record, first: int) -> None:
    """Ask the next seat that can win with the table card, or go on when there is none (N4.3, N4.4)."""
    seat = _next_winner(state, first)
    robbing = state.phase == Phase.ROB
    if seat != NONE:
        state.seat = seat
        if not robbing:
            state.phase = Phase.CLAIM_WIN
    elif robbing:
        _finish_added_kong(state)
    else:
        _ask_meld(state)


@inline
def _ask_meld(state: np.record) -> None:
    """Ask the one seat that can pong or kong (N4.4, second round), or let the next seat draw (N4.5)."""
    seat = next_seat(state.actor)
    while seat != state.actor:
        if state.held[seat, 1] >> state.card & 1 and not state.ready[seat]:
            state.phase, state.seat = Phase.CLAIM_MELD, seat
            return
        seat = next_seat(seat)
    _draw(state, next_seat(state.actor))


@inline
def _meld_claim(state: np.record, sort: int, copies: int) -> None:
    """Meld the table card with `copies` of the hand; the card leaves the river."""
    seat = state.seat
    remove_copies(state.held[seat], state.card, copies)
    add_meld(state, seat, sort, state.card)
    state.river_size -= 1
    state.river[state.river_size] = 0
    state.shown[state.card] += copies
    state.actor = seat


@inline
def _finish_added_kong(state: np.record) -> None:
    """Nobody robbed it: the pong becomes an exposed kong, and a replacement is drawn (N4.3)."""
    seat = state.actor
    kind = 1 << state.card
    state.melds[seat, Meld.PONG] &= ~kind
    state.melds[seat, Meld.ADDED_KONG] |= kind
    rest(state, seat)
    draw_replacement(state, seat)


@jit
def win_claim(state: np.record) -> None:
    """A win with a discard or with the card of an added kong; the card moves to the winner's hand."""
    state.winning_card, state.from_seat = state.card, state.actor
    state.source = Source.ROBBED_KONG if state.phase == Phase.ROB else Source.DISCARD
    if state.source == Source.DISCARD:
        state.river_size -= 1
        state.river[state.river_size] = 0
    state.shown[state.card] -= 1
    add_copy(state.held[state.seat], state.card)
    end_with_win(state)


@inline
def end_with_win(state: np.record) -> None:
    """End the deal with a win of the acting seat, and score it (N6)."""
    state.winner, state.phase, state.outcome = state.seat, Phase.OVER, Outcome.WIN
    settle(state)
