"""A slow, literal judge of Nantong Long Cards hands and scores (N1, N2, N6), for checking fast engines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypedDict

Group = tuple[int, ...]
Partition = tuple[Group, ...]
Shortages = dict[tuple[int, int], int]

# N1.1: 30 kinds in index order.
TOKENS: list[str] = [f"{suit}{rank}" for suit in "msc" for rank in range(1, 10)] + ["TH", "WF", "RF"]
KIND: dict[str, int] = {token: kind for kind, token in enumerate(TOKENS)}
KINDS = len(TOKENS)
COPIES = 4

# N1.2: the old generals; every other kind is ordinary.
OLD_GENERALS = frozenset(KIND[token] for token in ("TH", "WF", "RF", "s9"))

# N2.4: groups in a whole winning hand, besides its pair.
GROUPS = 7

# N6.1: base hu of a meld by its sort; an added kong is an exposed kong that was a pong (N4.3).
MELD_HU = {
    "pong": 2,
    "exposed_kong": 8,
    "added_kong": 8,
    "concealed_kong": 12,
    "opening_triple": 16,
    "opening_quad": 16,
}
MELD_CARDS = {
    "pong": 3,
    "exposed_kong": 4,
    "added_kong": 4,
    "concealed_kong": 4,
    "opening_triple": 3,
    "opening_quad": 4,
}
HEZI_HU = 16
TRIPLE_IN_HAND_HU = 4
MATCHED_TRIPLE_IN_HAND_HU = 12
FOUR_IN_HAND_HU = 12

# N6.5: the winner's bonuses.
SHAPE_HU = {"qing": 100, "piao": 50, "tazi": 20}
WENQIAN_HU = {0: 0, 1: 20, 2: 50, 3: 100, 4: 200}
SELF_DRAW_HU = 10
KONG_REPLACEMENT_HU = 10
FINAL_WAIT_HU = 10

# The run c1 c2 c3 of N6.5.
WENQIAN_RUN: Group = (KIND["c1"], KIND["c2"], KIND["c3"])


def in_suit(kind: int) -> bool:
    """Tell whether the kind belongs to one of the three suits, so that it can make runs (N2.1)."""
    return kind < 27


def rank(kind: int) -> int:
    """Give the rank number 1..9 of a suited kind (N1.1)."""
    return kind % 9 + 1


def is_run(group: Group) -> bool:
    """Tell whether a group is three consecutive ranks and not three identical cards (N2.1)."""
    return len(group) == 3 and group[0] != group[1]


# ---------------------------------------------------------------------------------------------------------
# Winning hands (N2)


def groups_from(kind: int) -> list[Group]:
    """List the pair, the triple and the run whose lowest card is the given kind (N2.1, N2.2)."""
    groups: list[Group] = [(kind, kind), (kind, kind, kind)]
    if in_suit(kind) and rank(kind) <= 7:
        groups.append((kind, kind + 1, kind + 2))
    return groups


def without(counts: Sequence[int], group: Group) -> list[int] | None:
    """Take a group's cards out of the counts, or give None when they are not all there."""
    rest = list(counts)
    for kind in group:
        if rest[kind] == 0:
            return None
        rest[kind] -= 1
    return rest


def split(counts: Sequence[int], groups: int, pairs: int) -> set[Partition]:
    """Split all the cards into so many runs and triples and so many pairs, in every way (N2.4).

    The lowest card left must be the lowest card of some group, so only those groups are tried.
    """
    lowest = next((kind for kind in range(KINDS) if counts[kind]), None)
    if lowest is None:
        return {()} if groups == 0 and pairs == 0 else set()
    found: set[Partition] = set()
    for group in groups_from(lowest):
        left = (groups, pairs - 1) if len(group) == 2 else (groups - 1, pairs)
        rest = without(counts, group)
        if rest is None or min(left) < 0:
            continue
        for others in split(rest, *left):
            found.add(tuple(sorted((group, *others))))
    return found


def partitions(counts: Sequence[int], melds: int) -> list[Partition]:
    """List the distinct partitions of all hand cards into 7 - melds groups and one pair (N2.4)."""
    if sum(counts) != 3 * (GROUPS - melds) + 2:
        return []
    return sorted(split(counts, GROUPS - melds, 1))


def wins(counts: Sequence[int], melds: int) -> bool:
    """Tell whether the hand with so many melds beside it wins (N2.4)."""
    return bool(partitions(counts, melds))


# ---------------------------------------------------------------------------------------------------------
# Distance from a win (N2)


def keep_least(table: Shortages, key: tuple[int, int], missing: int) -> None:
    """Enter a number of missing cards in the table unless a smaller one stands there."""
    table[key] = min(missing, table.get(key, missing))


def rank_choices(begun_before: int, may_begin: bool) -> Iterator[tuple[int, int, int, int]]:
    """List (runs begun here, triples, pairs, cards needed) at one kind, at most four cards (N1.1, N2)."""
    for runs in range(COPIES + 1 if may_begin else 1):
        for triples in range(2):
            for pairs in range(2):
                need = begun_before + runs + 3 * triples + 2 * pairs
                if need <= COPIES:
                    yield runs, triples, pairs, need


@lru_cache(maxsize=50_000)
def strip_shortages(counts: tuple[int, ...], one_back: int, two_back: int) -> Shortages:
    """Give, by (groups, pairs) built in a strip of consecutive ranks, the fewest cards missing (N2.4).

    one_back runs began one rank before the strip and two_back runs two ranks before it: both need its
    first rank, and the former its second rank too. They are not counted among the strip's groups.
    """
    if not counts:
        return {(0, 0): 0}
    best: Shortages = {}
    for runs, triples, pairs, need in rank_choices(one_back + two_back, len(counts) >= 3):
        missing = max(0, need - counts[0])
        for (groups, other_pairs), more in strip_shortages(counts[1:], runs, one_back).items():
            total = (groups + runs + triples, other_pairs + pairs)
            if total[0] <= GROUPS and total[1] <= 1:
                keep_least(best, total, missing + more)
    return best


def joined(one: Shortages, other: Shortages) -> Shortages:
    """Add the tables of two strips that share no run."""
    best: Shortages = {}
    for (groups, pairs), missing in one.items():
        for (other_groups, other_pairs), more in other.items():
            if groups + other_groups <= GROUPS and pairs + other_pairs <= 1:
                keep_least(best, (groups + other_groups, pairs + other_pairs), missing + more)
    return best


def distance(counts: Sequence[int], melds: int) -> int:
    """Give the fewest cards to add to the hand so that it contains a whole winning hand (N2.4)."""
    strips = [tuple(counts[0:9]), tuple(counts[9:18]), tuple(counts[18:27])]
    strips += [(count,) for count in counts[27:30]]
    table: Shortages = {(0, 0): 0}
    for strip in strips:
        table = joined(table, strip_shortages(strip, 0, 0))
    return table[GROUPS - melds, 1]


def useful(counts: Sequence[int], melds: int) -> list[int]:
    """List the kinds, short of four in the hand, of which one more lowers the distance (N2.4)."""
    now = distance(counts, melds)
    return [kind for kind in range(KINDS) if counts[kind] < COPIES and distance(with_card(counts, kind), melds) < now]


def with_card(counts: Sequence[int], kind: int) -> list[int]:
    """Give the counts with one more card of a kind."""
    more = list(counts)
    more[kind] += 1
    return more


# ---------------------------------------------------------------------------------------------------------
# Base hu (N6.1 - N6.4)


@dataclass
class Seat:
    """One seat's cards: hand counts (a winner's winning card included), melds, hezi, ready (N2.3, N3)."""

    hand: list[int]
    melds: list[tuple[str, int]] = field(default_factory=list)
    hezi: int | None = None
    ready: bool = False


def indicator_doubles(kind: int, indicator: int) -> bool:
    """Tell whether one indicator doubles a group of the kind (N6.3 a, b)."""
    if kind in OLD_GENERALS or indicator in OLD_GENERALS:
        return kind in OLD_GENERALS and indicator in OLD_GENERALS
    return rank(kind) == rank(indicator)


def kind_factor(kind: int, indicators: Sequence[int]) -> int:
    """Multiply the doubles of a group's kind: old general, and each indicator (N6.3)."""
    factor = 2 if kind in OLD_GENERALS else 1
    for indicator in indicators:
        if indicator_doubles(kind, indicator):
            factor *= 2
    return factor


def meld_hu(sort: str, kind: int, indicators: Sequence[int]) -> int:
    """Score one meld; a pong of an indicator's kind is doubled once more (N6.1, N6.2, N6.3)."""
    hu = MELD_HU[sort] * kind_factor(kind, indicators)
    return hu * 2 if sort == "pong" and kind in indicators else hu


def held_hu(kind: int, count: int, indicators: Sequence[int]) -> int:
    """Score the copies of one kind held in hand, by count alone (N6.1, N6.2, N6.3)."""
    if count < 3:
        return 0
    if count == 4:
        hu = FOUR_IN_HAND_HU
    elif kind in indicators:
        hu = MATCHED_TRIPLE_IN_HAND_HU
    else:
        hu = TRIPLE_IN_HAND_HU
    return hu * kind_factor(kind, indicators)


def base_hu(seat: Seat, indicators: Sequence[int], winning_card: int | None = None, from_other: bool = False) -> int:
    """Add up a seat's base hu; a winner names its winning card and whether another gave it (N6.1-N6.4)."""
    hu = sum(meld_hu(sort, kind, indicators) for sort, kind in seat.melds)
    if seat.hezi is not None:
        hu += HEZI_HU * kind_factor(seat.hezi, indicators)
    for kind, count in enumerate(seat.hand):
        if from_other and kind == winning_card and count == 3:
            hu += meld_hu("pong", kind, indicators)  # N6.4
        else:
            hu += held_hu(kind, count, indicators)
    return hu


# ---------------------------------------------------------------------------------------------------------
# The winner's score (N6.5 - N6.9)


@dataclass
class Win:
    """How a deal was won: source, winning kind (None when heavenly), first discard, last card (N6.5-N6.8)."""

    source: str
    winning_card: int | None = None
    first_discard: bool = False
    last_card: bool = False


class Score(TypedDict):
    """A winner's score in one partition; wenqian is the number of runs c1 c2 c3 (N6.5, N6.6, N6.10)."""

    base: int
    bonus: int
    multiplier: int
    total: int
    shape: str
    wenqian: int
    final_wait: bool


def shape_of(partition: Partition, melds: int) -> str:
    """Name the shape of a partition beside so many melds: qing, piao or tazi (N6.5)."""
    groups = [group for group in partition if len(group) == 3]
    if melds == 0 and all(is_run(group) for group in groups):
        return "qing"
    if all(not is_run(group) or group == WENQIAN_RUN for group in groups):
        return "piao"
    return "tazi"


def is_final_wait(group: Group, winning_card: int) -> bool:
    """Tell whether the winning card, standing in this group, was a final wait (N6.5)."""
    if len(group) == 2:
        return True
    if not is_run(group):
        return False
    low, middle, high = group
    if winning_card == middle:
        return True
    three_of_123 = winning_card == high and rank(high) == 3
    seven_of_789 = winning_card == low and rank(low) == 7
    return three_of_123 or seven_of_789


def final_waits(partition: Partition, winning_card: int | None) -> list[bool]:
    """Say for each place the winning card can stand in whether it is a final wait (N6.5, N6.7, N6.9)."""
    if winning_card is None:
        return [False]
    return [is_final_wait(group, winning_card) for group in partition if winning_card in group]


def bonus_hu(shape: str, wenqian: int, final_wait: bool, source: str) -> int:
    """Add up the winner's bonuses; a heavenly win is self-drawn (N6.5, N6.7)."""
    hu = SHAPE_HU[shape] + WENQIAN_HU[wenqian]
    if source in ("self_draw", "kong_replacement", "heavenly"):
        hu += SELF_DRAW_HU
    if source == "kong_replacement":
        hu += KONG_REPLACEMENT_HU
    if final_wait:
        hu += FINAL_WAIT_HU
    return hu


def has_three_elders(seat: Seat) -> bool:
    """Tell whether hand and melds hold at least three each of TH, WF and RF (N6.6)."""
    held = list(seat.hand)
    for sort, kind in seat.melds:
        held[kind] += MELD_CARDS[sort]
    return all(held[KIND[token]] >= 3 for token in ("TH", "WF", "RF"))


def is_closed(seat: Seat) -> bool:
    """Tell whether no pong and no added kong is among the melds (N6.6, N6.8)."""
    return all(sort not in ("pong", "added_kong") for sort, _ in seat.melds)


def win_multiplier(seat: Seat, shape: str, win: Win) -> int:
    """Multiply the winner's doubles, all of which stack (N6.6, N6.7, N6.8)."""
    drew = win.source in ("self_draw", "kong_replacement")
    doubles = [
        shape == "piao",
        shape == "piao" and is_closed(seat),
        has_three_elders(seat),
        win.source == "heavenly",
        win.source == "discard" and win.first_discard,
        seat.ready,
        drew and win.last_card,
    ]
    multiplier = 1
    for double in doubles:
        multiplier *= 2 if double else 1
    return multiplier


def round_up(hu: int) -> int:
    """Round up to a multiple of ten (N6.10)."""
    return (hu + 9) // 10 * 10


def placed_score(seat: Seat, base: int, partition: Partition, final_wait: bool, win: Win) -> Score:
    """Score one partition with the winning card in one place (N6.5, N6.6, N6.10)."""
    shape = shape_of(partition, len(seat.melds))
    wenqian = partition.count(WENQIAN_RUN)
    bonus = bonus_hu(shape, wenqian, final_wait, win.source)
    multiplier = win_multiplier(seat, shape, win)
    return {
        "base": base,
        "bonus": bonus,
        "multiplier": multiplier,
        "total": round_up((base + bonus) * multiplier),
        "shape": shape,
        "wenqian": wenqian,
        "final_wait": final_wait,
    }


def preference(score: Score) -> tuple[int, int, int]:
    """Order scores by hu before rounding, then multiplier, then bonus (N6.9)."""
    hu = (score["base"] + score["bonus"]) * score["multiplier"]
    return hu, score["multiplier"], score["bonus"]


def best_score(seat: Seat, indicators: Sequence[int], win: Win) -> Score:
    """Choose the best of all partitions and places of the winning card (N6.9)."""
    base = base_hu(seat, indicators, win.winning_card, win.source in ("discard", "robbed_kong"))
    scores = [
        placed_score(seat, base, partition, final_wait, win)
        for partition in partitions(seat.hand, len(seat.melds))
        for final_wait in final_waits(partition, win.winning_card)
    ]
    if not scores:
        raise ValueError("the hand does not win")
    return max(scores, key=preference)


def settle(totals: Sequence[int]) -> list[int]:
    """Give each seat the sum of its total's differences from the other seats' totals (N6.11)."""
    return [sum(mine - other for other in totals) for mine in totals]
