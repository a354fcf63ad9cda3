"""Who wins with how many huxi, and the settlement (P7, P8)."""

import numpy as np

from .._jit import inline, jit
from ..seats import NONE, NUM_SEATS
from . import rules
from .cards import SIZE
from .groups import MOST_PARTNERS, NO_PARTITION, PARTNER_HUXI, PARTNERS, holds, most_huxi, without
from .rules import KAN_HUXI, MELD_HUXI, Meld


@inline
def _enough(state: np.record, seat: int, added: int) -> int:
    """Return the huxi of a seat with those added, or 0 if it does not win: no partition, or too few (P7.1)."""
    huxi = state.huxi[seat] + added
    return huxi if added != NO_PARTITION and huxi >= rules.LEAST_HUXI else 0


@jit
def huxi_after_meld(state: np.record, seat: int) -> int:
    """Return the huxi with which a seat wins after its own ti or wei, or 0 (P7.4)."""
    pair = 1 if state.fours[seat] else 0  # P7.2
    groups = rules.GROUPS - state.num_groups[seat]
    return _enough(state, seat, most_huxi(state.once[seat], state.twice[seat], groups, pair))


@jit
def huxi_with_card(state: np.record, seat: int) -> int:
    """Return the most huxi with which a living seat wins with the revealed card, or 0 (P7.1-P7.3)."""
    kind = state.card
    once, twice = state.once[seat], state.twice[seat]
    groups = rules.GROUPS - state.num_groups[seat]
    pair = 1 if state.fours[seat] else 0
    card = 1 << kind
    if twice & card:
        added = _third_copy(once, twice, kind, groups, pair)
    else:
        added = most_huxi(once | card, twice | once & card, groups, pair)
    before = _becoming_pao(state, seat, kind)
    if before != NONE:
        with_pao = most_huxi(once, twice, groups, 1)
        if with_pao != NO_PARTITION:
            added = max(added, with_pao + MELD_HUXI[Meld.PAO, SIZE[kind]] - before)
    return _enough(state, seat, added)


@inline
def _becoming_pao(state: np.record, seat: int, kind: int) -> int:
    """Return the huxi of the seat's kan, wei or peng of this kind, which would become a pao (P7.1); NONE without.

    A kan and an own reveal make a ti, which takes the card before anybody is asked (P4.2, step 1).
    """
    if state.kan[seat] >> kind & 1:
        return KAN_HUXI[SIZE[kind]]
    for sort in (Meld.WEI, Meld.PENG):
        if state.melds[seat, sort] >> kind & 1:
            return MELD_HUXI[sort, SIZE[kind]]
    return NONE


@jit
def _third_copy(once: int, twice: int, kind: int, groups: int, pair: int) -> int:
    """Return the most huxi of a partition in which the card is the third of its kind (P7.1), or NO_PARTITION.

    It makes a peng, or stands in a group whose other cards are in hand; the rest must be groups as they are. (A pair of
    it and one of the others is none more: the two in hand are the pair then, and the table card stands for the other.
    On its own reveal a seat that holds two has made a wei, unless it is dead.)
    """
    card = 1 << kind
    best = most_huxi(once & ~card, twice & ~card, groups - 1, pair)
    if best != NO_PARTITION:
        best += MELD_HUXI[Meld.PENG, SIZE[kind]]
    for place in range(MOST_PARTNERS):
        ones, twos = PARTNERS[kind, place, 0], PARTNERS[kind, place, 1]
        if ones < 0:
            break
        if holds(once, twice, ones, twos):
            rest_once, rest_twice = without(once, twice, ones, twos)
            rest = most_huxi(rest_once, rest_twice, groups - 1, pair)
            if rest != NO_PARTITION:
                best = max(best, rest + PARTNER_HUXI[kind, place])
    return best


@jit
def settle(state: np.record, huxi: int) -> None:
    """Score a win with this many huxi: sets won_huxi, tun and points (P8.1)."""
    state.won_huxi = huxi
    state.tun = rules.tun(huxi)
    for seat in range(NUM_SEATS):
        state.points[seat] = rules.WINNER_SHARE * state.tun if seat == state.winner else -state.tun
