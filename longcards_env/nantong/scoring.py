"""Hu of all seats, the winner's best partition, and the settlement (N6)."""

import numpy as np

from .._jit import inline, jit
from ..bits import count, lowest
from ..seats import NONE, NUM_SEATS
from . import rules
from .cards import FIRST_KIND, KINDS, NUM_SUITS, OLD_GENERALS, RANK, SUIT, SUIT_RANKS
from .partitions import MAX_WAYS, NIBBLE, suit_copies, suit_partitions
from .rules import DOUBLED_BY, FINAL_WAIT_RUNS, WENQIAN, Meld, Shape, Source

_COINS = 2
_HONOUR_SUIT = NUM_SUITS - 1
_ELDERS = sum(1 << KINDS[token] for token in ("TH", "WF", "RF"))

# What a partition of one suit brings is a set of pairs (runs c1 c2 c3, final wait), bit 2 * runs + wait, so that
# sets of different suits add up bit by bit. One such set for each class of partitions:
_ANY, _FLOATING, _RUNS = 0, 1, 2  # all; triples and runs c1 c2 c3 alone (Piao Hu); runs alone (Qing Hu)
_CLASSES = 3


@inline
def _doublings(state: np.record, kind: int) -> int:
    """How often a group of this kind is doubled (N6.3)."""
    by_first = DOUBLED_BY[state.indicators[0]] >> kind & 1
    by_second = DOUBLED_BY[state.indicators[1]] >> kind & 1
    return (OLD_GENERALS >> kind & 1) + by_first + by_second


@jit
def hu_of_kinds(state: np.record, kinds: int, value: int) -> int:
    """Return the hu of groups of this base value, one of each of the kinds, with their doublings (N6.3)."""
    total = 0
    while kinds:
        total += value << _doublings(state, lowest(kinds))
        kinds &= kinds - 1
    return total


@inline
def _with_exact(state: np.record, kinds: int, value: int, exact_value: int) -> int:
    """Hu of groups whose base value is another for kinds that equal an indicator (N6.2)."""
    exact = kinds & state.exact
    return hu_of_kinds(state, kinds & ~exact, value) + hu_of_kinds(state, exact, exact_value)


@jit
def hu_in_hand(state: np.record, kind: int, copies: int) -> int:
    """Return the hu of this many identical cards in hand (N6.1-N6.3)."""
    if copies == 4:
        return hu_of_kinds(state, 1 << kind, rules.FOUR_IN_HAND)
    return _with_exact(state, 1 << kind if copies == 3 else 0, rules.THREE_IN_HAND, rules.EXACT_THREE_IN_HAND)


@inline
def _copies(held: np.ndarray, kind: int) -> int:
    """How many copies of a kind a hand holds."""
    return (held[0] >> kind & 1) + (held[1] >> kind & 1) + (held[2] >> kind & 1) + (held[3] >> kind & 1)


@jit
def base_hu(state: np.record, seat: int, claimed: int) -> int:
    """Return a seat's base hu (N6.1-N6.4), its winning card among its hand cards.

    claimed: the winning kind if it came from another seat, else NONE.
    """
    melds = state.melds[seat]
    held = state.held[seat]
    threes = held[2] & ~held[3]
    pongs = melds[Meld.PONG]
    if claimed != NONE and rules.scores_as_pong(_copies(held, claimed)):
        threes &= ~(1 << claimed)
        pongs |= 1 << claimed
    hu = _with_exact(state, pongs, rules.PONG, 2 * rules.PONG)
    hu += _with_exact(state, threes, rules.THREE_IN_HAND, rules.EXACT_THREE_IN_HAND)
    hu += hu_of_kinds(state, held[3], rules.FOUR_IN_HAND)
    hu += hu_of_kinds(state, melds[Meld.EXPOSED_KONG] | melds[Meld.ADDED_KONG], rules.EXPOSED_KONG)
    hu += hu_of_kinds(state, melds[Meld.CONCEALED_KONG], rules.CONCEALED_KONG)
    hu += hu_of_kinds(state, melds[Meld.OPENING_TRIPLE] | melds[Meld.OPENING_QUAD], rules.OPENING)
    return hu + hu_of_kinds(state, state.hezi[seat], rules.HEZI)


@inline
def _is_final_wait(suit: int, pair: int, runs: int, rank: int) -> bool:
    """Whether the winning card can stand as a final wait in this partition of its suit (N6.5)."""
    if pair == rank:
        return True
    starts = FINAL_WAIT_RUNS[rank] if suit != _HONOUR_SUIT else 0
    while starts:
        if runs >> NIBBLE * lowest(starts) & 15:
            return True
        starts &= starts - 1
    return False


@jit
def _suit_results(held: np.ndarray, suit: int, card: int, out: np.ndarray) -> None:
    """What the partitions of one suit bring: overwrites out, int64[_CLASSES]. card: winning kind or NONE."""
    out[:] = 0
    ways = np.empty((MAX_WAYS, 3), np.int64)
    copies = suit_copies(held, suit)
    cards = 0
    for kinds in held:
        cards += count(kinds >> FIRST_KIND[suit] & SUIT_RANKS)
    in_suit = card != NONE and SUIT[card] == suit
    for way in range(suit_partitions(copies, suit != _HONOUR_SUIT, cards % 3 == 2, ways)):
        pair, triples, runs = ways[way]
        wenqian = runs & 15 if suit == _COINS else 0
        wait = 1 if in_suit and _is_final_wait(suit, pair, runs, RANK[card]) else 0
        result = 1 << 2 * wenqian + wait
        out[_ANY] |= result
        if runs == wenqian:
            out[_FLOATING] |= result
        if triples == 0:
            out[_RUNS] |= result


@inline
def _add_results(first: int, second: int) -> int:
    """All sums of one result of each set."""
    total = 0
    while second:
        total |= first << lowest(second)
        second &= second - 1
    return total


@jit
def _hand_results(state: np.record, seat: int, card: int, out: np.ndarray) -> None:
    """What the partitions of the whole hand bring: overwrites out, int64[_CLASSES]."""
    out[:] = 1
    suit_out = np.empty(_CLASSES, np.int64)
    for suit in range(NUM_SUITS):
        _suit_results(state.held[seat], suit, card, suit_out)
        for which in range(_CLASSES):
            out[which] = _add_results(out[which], suit_out[which])
    if state.num_melds[seat] > 0:
        out[_RUNS] = 0  # Qing Hu is seven runs (N6.5)


@jit
def _common_doublings(state: np.record, seat: int) -> int:
    """The winner's doublings whatever the partition (N6.6)."""
    doublings = state.ready[seat]
    held_elders = state.held[seat, 2] & _ELDERS
    for kinds in state.melds[seat]:
        held_elders |= kinds & _ELDERS
    doublings += held_elders == _ELDERS
    source = state.source
    doublings += source == Source.HEAVENLY
    doublings += source == Source.DISCARD and rules.is_first_discard(state.discards)
    return doublings + (rules.LAST_CARD >> source & 1 and state.front == state.back)


@jit
def _floating_doublings(state: np.record, seat: int) -> int:
    """The doublings of Piao Hu, and of closed floating (N6.6, N6.8)."""
    breaking = 0
    for sort, kinds in enumerate(state.melds[seat]):
        if rules.BREAKS_CLOSED >> sort & 1:
            breaking |= kinds
    return 2 if breaking == 0 else 1


@inline
def _drawn_bonus(source: int) -> int:
    """The bonus of self-draw and kong replacement (N6.5, N6.7)."""
    bonus = rules.SELF_DRAW if rules.SELF_DRAWN >> source & 1 else 0
    return bonus + (rules.KONG_REPLACEMENT if source == Source.KONG_REPLACEMENT else 0)


@inline
def _offer(state: np.record, shape: int, results: int, bonus: int, doublings: int) -> None:
    """Keep the best result of this shape in the state if it beats what stands there (N6.9)."""
    base = state.base_hu[state.winner]
    while results:
        result = lowest(results)
        results &= results - 1
        total_bonus = bonus + WENQIAN[result >> 1] + rules.FINAL_WAIT * (result & 1)
        multiplier = 1 << doublings
        value = (base + total_bonus) * multiplier
        best = (base + state.bonus) * state.multiplier
        better = value > best or (value == best and multiplier > state.multiplier)
        if better or (value == best and multiplier == state.multiplier and total_bonus > state.bonus):
            state.bonus, state.multiplier = total_bonus, multiplier
            state.hand_shape, state.wenqian, state.final_wait = shape, result >> 1, result & 1


@jit
def score_win(state: np.record) -> None:
    """Choose the winner's best partition; sets bonus, multiplier, shape, wenqian and final_wait (N6.5-N6.9)."""
    seat = state.winner
    results = np.empty(_CLASSES, np.int64)
    _hand_results(state, seat, state.winning_card, results)
    drawn = _drawn_bonus(state.source)
    common = _common_doublings(state, seat)
    floating = common + _floating_doublings(state, seat)
    state.bonus, state.multiplier = -1, 0
    _offer(state, Shape.QING, results[_RUNS], drawn + rules.QING_HU, common)
    _offer(state, Shape.PIAO, results[_FLOATING], drawn + rules.PIAO_HU, floating)
    _offer(state, Shape.TAZI, results[_ANY], drawn + rules.TAZI_HU, common)


@inline
def _round_up(hu: int) -> int:
    """N6.10: up to a multiple of ten; 0 stays 0."""
    return (hu + rules.ROUNDING - 1) // rules.ROUNDING * rules.ROUNDING


@jit
def settle(state: np.record) -> None:
    """Score a deal that has ended: sets base, bonus, multiplier, totals and points (N6.1-N6.11).

    Every partition has its true shape among those offered, and a Tazi Hu offered for a hand that is more than
    that never wins the comparison, since the true shape brings more.
    """
    claimed = state.winning_card if state.from_seat != NONE else NONE
    for seat in range(NUM_SEATS):
        state.base_hu[seat] = base_hu(state, seat, claimed if seat == state.winner else NONE)
    state.bonus, state.multiplier = 0, 1
    if state.winner != NONE:
        score_win(state)
    total = 0
    for seat in range(NUM_SEATS):
        hu = state.base_hu[seat]
        if seat == state.winner:
            hu = (hu + state.bonus) * state.multiplier
        state.totals[seat] = _round_up(hu)
        total += state.totals[seat]
    for seat in range(NUM_SEATS):
        state.points[seat] = NUM_SEATS * state.totals[seat] - total
