"""Cards on the table: who is asked to win with one or to take it, and what it makes (P4.2, steps 1-4)."""

import numpy as np

from .._jit import inline, jit
from ..river import river_entry
from ..seats import NONE, NUM_SEATS, next_seat
from . import rules
from . import state as st
from .chi import chi_shapes
from .rules import Meld, Source
from .scoring import huxi_with_card, settle
from .state import Outcome, Phase, add_meld, lay_chi, num_loose, take_kan, take_meld, take_two


@jit
def take_revealed(state: np.record, seat: int) -> bool:
    """Make the mandatory ti or wei of an own reveal, if there is one (P4.2, step 1); sets `discard_due` (P4.5)."""
    card = 1 << state.card
    if state.kan[seat] & card:
        take_kan(state, seat, state.card)
        add_meld(state, seat, Meld.TI, state.card)
        state.revealed = 0
        state.discard_due = state.fours[seat] == 1 and not state.dead[seat]
        return True
    if state.twice[seat] & card and not state.dead[seat]:
        take_two(state, seat, state.card)
        add_meld(state, seat, Meld.WEI, state.card)
        state.revealed = 0
        state.discard_due = 1
        return True
    return False


@jit
def ask_winner(state: np.record, first: int) -> bool:
    """Ask the next seat that wins with a revealed card (P4.2, step 2); False if none does.

    first: the seat to begin with, in turn order from the revealing seat on.
    """
    seat = first
    while True:
        if not state.dead[seat] and huxi_with_card(state, seat):
            state.phase, state.seat = Phase.CLAIM_WIN, seat
            return True
        seat = next_seat(seat)
        if seat == state.actor:
            return False


@inline
def _spare(state: np.record, seat: int) -> int:
    """Return how many loose cards a seat must keep for the discard after a claim; none if it is waived (P4.6)."""
    return 0 if state.owed[seat] else 1


@inline
def _may_pao(state: np.record, seat: int) -> bool:
    """Whether a seat may pao the table card (P4.2, step 3; P4.6, P4.7)."""
    kind = state.card
    kan = state.kan[seat] >> kind & 1
    wei, peng = state.melds[seat, Meld.WEI] >> kind & 1, state.melds[seat, Meld.PENG] >> kind & 1
    if not rules.may_pao(kan, wei, peng, seat == state.actor, state.revealed):
        return False
    discards = state.fours[seat] == 0 and not state.dead[seat]
    return not discards or num_loose(state, seat) >= _spare(state, seat)


@inline
def _may_peng(state: np.record, seat: int) -> bool:
    """Whether a seat may peng the table card (P4.2, step 3; P4.6, P4.7, P6.1)."""
    card = 1 << state.card
    if state.twice[seat] & card == 0 or state.dead[seat] or state.locked[seat] & card:
        return False
    own = seat == state.actor and state.revealed
    return not own and num_loose(state, seat) - 2 >= _spare(state, seat)


@jit
def ask_meld(state: np.record) -> bool:
    """Ask the one seat that can pao or peng (P4.2, step 3), else the one that can chi (step 4); False if none can."""
    seat = state.actor
    for place in range(NUM_SEATS):
        asked = place > 0 or state.revealed  # not the discarder
        if asked and (_may_pao(state, seat) or _may_peng(state, seat)):
            state.phase, state.seat = Phase.CLAIM_MELD, seat
            return True
        seat = next_seat(seat)
    return ask_chi(state)


@jit
def ask_chi(state: np.record) -> bool:
    """Ask the one seat that can chi (P4.2, step 4); False if it cannot."""
    seat = rules.chi_seat(state.actor, state.revealed)
    barred = (state.locked[seat] | state.kan[seat]) >> state.card & 1  # P5.2, P6.1
    if state.dead[seat] or barred:
        return False
    shapes = chi_shapes(state.once[seat], state.twice[seat], state.card, _spare(state, seat))
    if shapes == 0:
        return False
    state.phase, state.seat, state.shapes = Phase.CLAIM_CHI, seat, shapes
    return True


@inline
def legal_meld(state: np.record) -> int:
    """Return the actions of CLAIM_MELD: pao or peng, and pass (P4.2, step 3)."""
    return 1 << st.PASS | (1 << st.PENG if state.twice[state.seat] >> state.card & 1 else 1 << st.PAO)


@inline
def _settle_refusals(state: np.record, chi_taker: int) -> None:
    """Lock the seats that refused an offer of the card, now that it is settled (P6.1)."""
    seats = rules.locked_by_refusal(state.refused, chi_taker)
    for seat in range(NUM_SEATS):
        state.locked[seat] |= (seats >> seat & 1) << state.card


@jit
def bury(state: np.record) -> None:
    """Nobody takes the card: it is dead (P4.4)."""
    _settle_refusals(state, NONE)
    state.river[state.river_size] = river_entry(state.actor, state.card) | state.revealed << st.REVEALED
    state.river_size += 1
    state.card = NONE


@jit
def take_card(state: np.record, action: int) -> bool:
    """Pao, peng or chi by the acting seat (P4.2, steps 3 and 4); return whether a discard is due (P4.5)."""
    seat, kind = state.seat, state.card
    _settle_refusals(state, seat if action >= st.CHI else NONE)
    state.actor = seat
    if action == st.PAO:
        _pao(state, seat, kind)
        return state.fours[seat] == 1 and not state.dead[seat]
    if action == st.PENG:
        take_two(state, seat, kind)
        add_meld(state, seat, Meld.PENG, kind)
    else:
        lay_chi(state, seat, action - st.CHI)
    return True


@inline
def _pao(state: np.record, seat: int, kind: int) -> None:
    """Make a pao of a kan, a wei or a peng and the table card (P4.2, step 3)."""
    if state.kan[seat] >> kind & 1:
        take_kan(state, seat, kind)
    else:
        take_meld(state, seat, Meld.WEI if state.melds[seat, Meld.WEI] >> kind & 1 else Meld.PENG, kind)
    add_meld(state, seat, Meld.PAO, kind)


@jit
def end_with_win(state: np.record, source: int, huxi: int) -> None:
    """End the deal with a win of the acting seat, and score it (P7, P8)."""
    state.winner, state.phase, state.outcome, state.source = state.seat, Phase.OVER, Outcome.WIN, source
    if source != Source.HEAVENLY:
        state.winning_card = state.card
    if source == Source.OTHER_REVEAL:
        state.from_seat = state.actor
    settle(state, huxi)
