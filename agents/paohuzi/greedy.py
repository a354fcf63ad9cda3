"""The greedy policy: the least distance to a win with 15 huxi, and nothing that is not on the table.

It wins when it can; pengs and paos unless its distance rises, chis if it falls; discards for the least distance, ties
by the links that the card has in the hand, then by the lowest kind. Where claims cannot reach 15 huxi, the distance to
seven groups counts instead.
"""

import numpy as np

from agents.paohuzi.links import links
from longcards_env._jit import inline, jit
from longcards_env.bits import lowest
from longcards_env.paohuzi import state as st
from longcards_env.paohuzi.cards import SIZE
from longcards_env.paohuzi.chi import after_chi, chi_groups, chi_huxi
from longcards_env.paohuzi.distance import FAR, distance
from longcards_env.paohuzi.groups import without
from longcards_env.paohuzi.rules import GROUPS, KAN_HUXI, LEAST_HUXI, MELD_HUXI, Meld
from longcards_env.paohuzi.state import Phase
from longcards_env.seats import NONE

_NEVER = 99  # above every cost


@jit
def choose_greedy(state: np.record, low: int, high: int, tables: np.record) -> int:
    """Return the greedy action among the legal ones."""
    if low >> st.WIN & 1:
        return st.WIN
    if state.phase == Phase.DISCARD:
        return st.DISCARD + best_discard(state, low, tables)
    if state.phase == Phase.CLAIM_CHI:
        return _best_chi(state, high, tables)
    after = _cost_of_pao(state, tables) if low >> st.PAO & 1 else _cost_of_peng(state, tables)
    if after > _cost_now(state, tables):
        return st.PASS
    return st.PAO if low >> st.PAO & 1 else st.PENG


@jit
def cost(tables: np.record, once: int, twice: int, groups: int, pair: int, huxi: int) -> int:
    """Return the distance of loose cards beside groups worth this many huxi; above FAR without 15 huxi in reach."""
    with_huxi = distance(tables, once, twice, groups, pair, LEAST_HUXI - huxi)
    return with_huxi if with_huxi < FAR else FAR + distance(tables, once, twice, groups, pair, 0)


@inline
def _pair_due(state: np.record) -> int:
    return 1 if state.fours[state.seat] else 0


@jit
def _cost_now(state: np.record, tables: np.record) -> int:
    """The cost of the hand as it is."""
    seat = state.seat
    due = GROUPS - state.num_groups[seat]
    return cost(tables, state.once[seat], state.twice[seat], due, _pair_due(state), state.huxi[seat])


@inline
def _not_won(after: int) -> int:
    """Return the cost after a claim, 1 or more: no claim wins, since a discard or another card must follow."""
    return max(1, after)


@inline
def _cost_of_peng(state: np.record, tables: np.record) -> int:
    seat, card = state.seat, 1 << state.card
    huxi = state.huxi[seat] + MELD_HUXI[Meld.PENG, SIZE[state.card]]
    once, twice = state.once[seat] & ~card, state.twice[seat] & ~card
    due = GROUPS - state.num_groups[seat] - 1
    return _not_won(cost(tables, once, twice, due, _pair_due(state), huxi))


@inline
def _cost_of_pao(state: np.record, tables: np.record) -> int:
    seat, kind = state.seat, state.card
    before = KAN_HUXI[SIZE[kind]]
    if state.melds[seat, Meld.PENG] >> kind & 1:
        before = MELD_HUXI[Meld.PENG, SIZE[kind]]
    huxi = state.huxi[seat] + MELD_HUXI[Meld.PAO, SIZE[kind]] - before  # a wei brings what a kan does
    due = GROUPS - state.num_groups[seat]
    return _not_won(cost(tables, state.once[seat], state.twice[seat], due, 1, huxi))


@jit
def _best_chi(state: np.record, shapes: int, tables: np.record) -> int:
    """Return the chi of the least cost, the first of equal ones, if that is below the present cost, else pass."""
    seat, kind = state.seat, state.card
    least, best = _cost_now(state, tables), st.PASS
    while shapes:
        shape = lowest(shapes)
        shapes &= shapes - 1
        once, twice = after_chi(state.once[seat], state.twice[seat], kind, shape)
        due = GROUPS - state.num_groups[seat] - chi_groups(kind, shape)
        huxi = state.huxi[seat] + chi_huxi(kind, shape)
        after = _not_won(cost(tables, once, twice, due, _pair_due(state), huxi)) if due >= 0 else _NEVER
        if after < least:
            least, best = after, st.CHI + shape
    return best


@jit
def best_discard(state: np.record, kinds: int, tables: np.record) -> int:
    """Return the kind to discard: least cost, then fewest links, then lowest kind."""
    seat = state.seat
    once, twice = state.once[seat], state.twice[seat]
    due = GROUPS - state.num_groups[seat]
    least, fewest, best = _NEVER, 0, NONE
    while kinds:
        kind = lowest(kinds)
        kinds &= kinds - 1
        rest_once, rest_twice = without(once, twice, 1 << kind, 0)
        after = cost(tables, rest_once, rest_twice, due, _pair_due(state), state.huxi[seat])
        linked = links(rest_once, kind)
        if after < least or (after == least and linked < fewest):
            least, fewest, best = after, linked, kind
    return best
