"""The course of a deal: start it, ask for the legal actions, apply one (N1, N3-N5).

All functions are compiled and expect valid input; they play nothing by themselves but draws.
"""

import numpy as np

from .._jit import inline, jit
from ..bits import count
from ..seats import NUM_SEATS, next_seat
from . import rules, state as st
from .cards import NUM_CARDS
from .groups import waits, wins
from .scoring import settle
from .state import NONE, Meld, Outcome, Phase, Source, add_card, remove_cards


@jit
def reset(state: np.record, dealer: int, deck: np.ndarray) -> None:
    """Start a deal from its dealer and int8[120] deck of kinds; overwrites every field (N1.4)."""
    _clear(state)
    for i in range(NUM_CARDS):
        state.deck[i] = deck[i]
    place = 0
    seat = dealer
    for hand in rules.HAND_SIZES:
        for _ in range(hand):
            add_card(state, seat, np.int64(deck[place]))
            place += 1
        seat = next_seat(seat)
    first, second = np.int64(deck[rules.INDICATORS]), np.int64(deck[rules.INDICATORS + 1])
    state.indicators[0], state.indicators[1] = first, second
    state.exact = 1 << first | 1 << second
    state.shown[first] += 1
    state.shown[second] += 1
    for seat in range(NUM_SEATS):
        held = state.held[seat]
        state.openable[seat] = held[3] | held[2] & state.exact
    state.dealer = dealer
    _begin_preparation(state, dealer)


@inline
def _clear(state: np.record) -> None:
    state.shown[:] = 0
    state.river[:] = 0
    state.held[:] = 0
    state.keys[:] = 0
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
    state.outcome, state.source, state.hand_shape = Outcome.LIVING, Source.NONE, 0
    state.winner = state.from_seat = state.winning_card = state.card = NONE
    state.bonus = state.multiplier = state.wenqian = state.final_wait = 0


@inline
def _rest(state: np.record, seat: int) -> None:
    """Find the waits of a hand that has come to rest; later checks for wins look only at them."""
    state.waits[seat] = waits(state.keys[seat], state.held[seat])


# Legal actions: one function for each phase, as two words (state.py).


@inline
def legal_words(state: np.record) -> tuple[int, int]:
    """Return the legal actions as two sets; both are empty when the deal is over."""
    phase = state.phase
    if phase == Phase.TURN:
        return _legal_turn(state), 0
    if phase == Phase.CLAIM_MELD:
        return 1 << st.PONG | 1 << st.PASS, _legal_claim_kong(state)
    if phase == Phase.DISCARD:
        return state.held[state.seat, 0], 0
    if phase == Phase.PREPARE:
        return 0, _legal_preparation(state)
    if phase == Phase.OVER:
        return 0, 0
    return 1 << st.WIN | 1 << st.PASS, 0  # CLAIM_WIN, ROB


@jit
def _legal_preparation(state: np.record) -> int:
    """N3.1: open, hezi, ready (not the dealer), end."""
    seat = state.seat
    actions = state.openable[seat] | 1 << st.END - st.OPEN
    if state.indicators[0] == state.indicators[1] and state.held[seat, 1] & state.exact:
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


@inline
def _legal_turn(state: np.record) -> int:
    """N4.1, N4.2: win, kong, discard; a ready seat only wins or discards what it drew (N3.3)."""
    seat = state.seat
    held = state.held[seat]
    win = state.can_win << st.WIN
    if state.ready[seat]:
        return win | 1 << state.card
    kongs = held[3] | held[0] & state.melds[seat, Meld.PONG]
    may_kong = state.front < state.back and (state.card != NONE or rules.DEALER_MAY_KONG_FIRST)
    return win | held[0] | (kongs if may_kong else 0) << st.KONG


@inline
def _legal_claim_kong(state: np.record) -> int:
    """N4.4, second round, besides pong and pass: kong with three copies, while there is a replacement."""
    has_three = state.held[state.seat, 2] >> state.card & 1
    return (has_three if state.front < state.back else 0) << st.CLAIM_KONG - st.OPEN


@jit
def legal(state: np.record, out: np.ndarray) -> int:
    """Overwrite the mask int8[97] with the legal actions; return how many there are (0 = the deal is over)."""
    low, high = legal_words(state)
    for action in range(st.OPEN):
        out[action] = low >> action & 1
    for action in range(st.OPEN, st.NUM_ACTIONS):
        out[action] = high >> action - st.OPEN & 1
    return count(low) + count(high)


# Applying an action: one function for each phase.


@inline
def apply(state: np.record, action: int) -> None:
    """Apply one legal action; whatever cannot be decided (draws, the end) follows at once."""
    phase = state.phase
    if phase == Phase.TURN or phase == Phase.DISCARD:
        _apply_turn(state, action)
    elif phase == Phase.PREPARE:
        _apply_preparation(state, action)
    elif action == st.WIN:
        _win_claim(state)
    else:
        _apply_claim(state, action)


@jit
def _apply_turn(state: np.record, action: int) -> None:
    """N4.1, N4.2, N4.3."""
    if action < st.KONG:
        _discard(state, action)
    elif action == st.WIN:
        _win_turn(state)
    else:
        _kong(state, action - st.KONG)


@jit
def _apply_claim(state: np.record, action: int) -> None:
    """Pong, kong or pass (N4.3, N4.4)."""
    if action == st.PONG:
        _meld_claim(state, Meld.PONG, 2)
        state.phase, state.card = Phase.DISCARD, NONE
    elif action == st.CLAIM_KONG:
        _meld_claim(state, Meld.EXPOSED_KONG, 3)
        _rest(state, state.seat)
        _draw_replacement(state, state.seat)
    elif state.phase == Phase.CLAIM_MELD:
        _draw(state, next_seat(state.actor))
    else:
        _ask_winner(state, next_seat(state.seat))


@jit
def _apply_preparation(state: np.record, action: int) -> None:
    """N3.1."""
    seat = state.seat
    if action >= st.READY:
        state.ready[seat] = action == st.READY
        _end_preparation(state)
        return
    if action == st.HEZI:
        kind = state.indicators[0]
        remove_cards(state, seat, kind, 2)
        state.hezi[seat] = 1 << kind
        state.shown[kind] += 2
        _take_back(state, seat)
        _take_back(state, seat)
    else:
        _open(state, seat, action - st.OPEN)
    if seat != state.dealer:
        _rest(state, seat)


@inline
def _open(state: np.record, seat: int, kind: int) -> None:
    """Lay down a dealt quad or triple (N3.1); a quad brings a replacement."""
    quad = state.held[seat, 3] >> kind & 1
    remove_cards(state, seat, kind, 3 + quad)
    state.openable[seat] &= ~(1 << kind)
    _add_meld(state, seat, Meld.OPENING_QUAD if quad else Meld.OPENING_TRIPLE, kind)
    state.shown[kind] += 3 + quad
    if quad:
        _take_back(state, seat)


@inline
def _begin_preparation(state: np.record, seat: int) -> None:
    """N3.1: the waits of a seat other than the dealer tell whether it may be ready."""
    state.phase, state.seat, state.actor = Phase.PREPARE, seat, seat
    if seat != state.dealer:
        _rest(state, seat)


@inline
def _end_preparation(state: np.record) -> None:
    """Go on to the next seat, or to the dealer's first turn (N4.1)."""
    seat = next_seat(state.seat)
    if seat != state.dealer:
        _begin_preparation(state, seat)
        return
    state.can_win = wins(state.keys[seat], state.num_melds[seat])
    state.phase, state.seat, state.actor = Phase.TURN, seat, seat


@inline
def _add_meld(state: np.record, seat: int, sort: int, kind: int) -> None:
    state.melds[seat, sort] |= 1 << kind
    state.num_melds[seat] += 1


@inline
def _take_back(state: np.record, seat: int) -> int:
    """Move the card at the back of the stock into a hand (N1.4)."""
    state.back -= 1
    kind = np.int64(state.deck[state.back])
    add_card(state, seat, kind)
    return kind


@jit
def _draw(state: np.record, seat: int) -> None:
    """Begin a turn with the front card of the stock (N4.2, N4.5), or end the deal (N4.6)."""
    if state.front == state.back:
        state.seat = state.actor = seat
        state.card = NONE
        state.phase, state.outcome = Phase.OVER, Outcome.EXHAUSTED
        settle(state)
        return
    kind = np.int64(state.deck[state.front])
    state.front += 1
    add_card(state, seat, kind)
    _begin_turn(state, seat, kind, 0)


@inline
def _draw_replacement(state: np.record, seat: int) -> None:
    """Go on after a kong with the back card of the stock (N4.3)."""
    _begin_turn(state, seat, _take_back(state, seat), 1)


@inline
def _begin_turn(state: np.record, seat: int, kind: int, replaced: int) -> None:
    state.phase, state.seat, state.actor = Phase.TURN, seat, seat
    state.card, state.replaced = kind, replaced
    state.can_win = state.waits[seat] >> kind & 1


@inline
def _discard(state: np.record, kind: int) -> None:
    """Discard and ask the other seats (N4.4)."""
    seat = state.seat
    remove_cards(state, seat, kind, 1)
    if kind != state.card:  # discarding the drawn card leaves the hand, and its waits, as they were
        _rest(state, seat)
    state.river[state.river_size] = seat << 5 | kind
    state.river_size += 1
    state.shown[kind] += 1
    state.discards += 1
    state.card = kind
    _ask_winner(state, next_seat(seat))


@inline
def _next_winner(state: np.record, seat: int) -> int:
    """The first seat, from this one up to the actor, that wins with the card on the table; else NONE."""
    while seat != state.actor:
        if rules.claimable_waits(state.waits[seat]) >> state.card & 1:
            return seat
        seat = next_seat(seat)
    return NONE


@jit
def _ask_winner(state: np.record, first: int) -> None:
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
    remove_cards(state, seat, state.card, copies)
    _add_meld(state, seat, sort, state.card)
    state.river_size -= 1
    state.river[state.river_size] = 0
    state.shown[state.card] += copies
    state.actor = seat


@jit
def _kong(state: np.record, kind: int) -> None:
    """A concealed kong, or an added kong that others may first rob (N4.3)."""
    seat = state.seat
    if state.held[seat, 3] >> kind & 1:
        remove_cards(state, seat, kind, 4)
        _add_meld(state, seat, Meld.CONCEALED_KONG, kind)
        state.shown[kind] += 4
        _rest(state, seat)
        _draw_replacement(state, seat)
        return
    remove_cards(state, seat, kind, 1)
    state.card, state.phase = kind, Phase.ROB
    _ask_winner(state, next_seat(seat))


@inline
def _finish_added_kong(state: np.record) -> None:
    """Nobody robbed it: the pong becomes an exposed kong, and a replacement is drawn (N4.3)."""
    seat = state.actor
    kind = 1 << state.card
    state.melds[seat, Meld.PONG] &= ~kind
    state.melds[seat, Meld.ADDED_KONG] |= kind
    state.shown[state.card] += 1
    _rest(state, seat)
    _draw_replacement(state, seat)


@jit
def _win_turn(state: np.record) -> None:
    """A win with the drawn card, or with the dealt hand (N4.1-N4.3, N6.7)."""
    state.winning_card = state.card
    if state.card == NONE:
        state.source = Source.HEAVENLY
    else:
        state.source = Source.KONG_REPLACEMENT if state.replaced else Source.SELF_DRAW
    _end(state)


@jit
def _win_claim(state: np.record) -> None:
    """A win with a discard or with the card of an added kong; the card moves to the winner's hand."""
    state.winning_card, state.from_seat = state.card, state.actor
    state.source = Source.ROBBED_KONG if state.phase == Phase.ROB else Source.DISCARD
    if state.source == Source.DISCARD:
        state.river_size -= 1
        state.river[state.river_size] = 0
        state.shown[state.card] -= 1
    add_card(state, state.seat, state.card)
    _end(state)


@inline
def _end(state: np.record) -> None:
    state.winner, state.phase, state.outcome = state.seat, Phase.OVER, Outcome.WIN
    settle(state)
