"""Tests of the slow Paohuzi judge and engine: hand-worked cases, literal brute force, and the golden deals."""

from __future__ import annotations

import gzip
import itertools
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from naive_engine_paohuzi import Deal
from naive_paohuzi import (
    CHI_GROUPS,
    FAR,
    GROUPS,
    KIND,
    KINDS,
    LEAST_HUXI,
    TOKENS,
    Group,
    Meld,
    Seat,
    best_partition,
    chi_choices,
    chi_words,
    distance,
    four_groups,
    group_huxi,
    heavenly_huxi,
    meld_huxi,
    partitions,
    points,
    settled_huxi,
    sort_huxi,
    sort_of,
    tun,
    useful,
    win_huxi,
    winning_ways,
)

GOLDEN = Path(__file__).parent / "golden" / "paohuzi.jsonl.gz"


def kinds(tokens: str) -> list[int]:
    """Read tokens into kinds."""
    return [KIND[token] for token in tokens.split()]


def counts(tokens: str) -> list[int]:
    """Read tokens into counts."""
    cards = kinds(tokens)
    return [cards.count(kind) for kind in range(KINDS)]


def meld_of(text: str) -> Meld:
    """Read a meld: sort:token, or three tokens joined by commas for the group of a chi."""
    if "," in text:
        return "chi", tuple(KIND[token] for token in text.split(","))
    sort, token = text.split(":")
    return sort, KIND[token]


def seat_of(hand: str = "", kan: str = "", melds: str = "", dead: bool = False) -> Seat:
    """Build a seat from tokens of its loose cards and its kan, and from its melds."""
    return Seat(counts(hand), set(kinds(kan)), [meld_of(text) for text in melds.split()], dead=dead)


# ---------------------------------------------------------------------------------------------------------
# P1, P2


def test_tokens() -> None:
    """Twenty kinds in the order of P1.1."""
    assert len(TOKENS) == KINDS == 20
    assert kinds("s1 s10 b1 b10") == [0, 9, 10, 19]


@pytest.mark.parametrize(
    ("sort", "small", "big"),
    [("ti", 9, 12), ("pao", 6, 9), ("wei", 3, 6), ("kan", 3, 6), ("peng", 1, 3)],
)
def test_huxi_of_identical_cards(sort: str, small: int, big: int) -> None:
    """The rows of identical cards, of any rank (P2)."""
    for number in range(10):
        assert meld_huxi((sort, number)) == sort_huxi(sort, number) == small
        assert meld_huxi((sort, 10 + number)) == sort_huxi(sort, 10 + number) == big


@pytest.mark.parametrize(
    ("group", "sort", "huxi"),
    [
        ("s1 s2 s3", "scoring", 3),
        ("s2 s7 s10", "scoring", 3),
        ("b1 b2 b3", "scoring", 6),
        ("b2 b7 b10", "scoring", 6),
        ("s2 s3 s4", "run", 0),
        ("s8 s9 s10", "run", 0),
        ("b2 b3 b4", "run", 0),
        ("b8 b9 b10", "run", 0),
        ("s1 s1 b1", "mix", 0),
        ("s1 b1 b1", "mix", 0),
        ("s2 s2 b2", "mix", 0),
        ("s7 b7 b7", "mix", 0),
        ("s1 s1", "pair", 0),
        ("b10 b10", "pair", 0),
        ("s4 s4 s4", "peng", 1),
        ("b4 b4 b4", "peng", 3),
    ],
)
def test_huxi_of_loose_groups(group: str, sort: str, huxi: int) -> None:
    """The other rows, and three identical loose cards, which are a peng (P2, P7.1)."""
    cards = tuple(kinds(group))
    assert (sort_of(cards), group_huxi(cards), meld_huxi(("chi", cards))) == (sort, huxi, huxi)


def is_chi_group(cards: Sequence[int]) -> bool:
    """Tell whether three kinds in order are a run, 2-7-10 or mix (P2)."""
    sizes = {kind // 10 for kind in cards}
    ranks = [kind % 10 + 1 for kind in cards]
    if len(sizes) == 2:
        return len(set(ranks)) == 1
    return ranks in ([ranks[0], ranks[0] + 1, ranks[0] + 2], [2, 7, 10])


TRIPLES: list[Group] = [
    cards for cards in itertools.combinations_with_replacement(range(KINDS), 3) if is_chi_group(cards)
]


def test_chi_groups_are_all_of_them() -> None:
    """Eight runs and one 2-7-10 a size, two mixes a rank; s9 s10 b1 and s10 s1 s2 are none (P2)."""
    assert CHI_GROUPS == TRIPLES
    assert len(CHI_GROUPS) == 2 * 8 + 2 + 20
    assert tuple(kinds("s9 s10 b1")) not in CHI_GROUPS
    assert tuple(kinds("s1 s2 s10")) not in CHI_GROUPS


def test_four_groups() -> None:
    """Ti and pao are four-groups, nothing else is (P2.3)."""
    assert four_groups(seat_of(melds="ti:s1 pao:b1 wei:s2 peng:s3 s4,s5,s6").melds) == 2


# ---------------------------------------------------------------------------------------------------------
# P5


@pytest.mark.parametrize(
    ("card", "hand", "words"),
    [
        # no further copy
        ("s4", "s2 s3 s5 s6 b4", ["chi s2s3s4", "chi s3s4s5", "chi s4s5s6"]),
        ("s4", "b2 b3 b5 b6", []),
        ("s4", "b4 b4", ["chi s4b4b4"]),
        ("b4", "s4 s4", ["chi s4s4b4"]),
        ("s4", "b4", []),
        ("s10", "s8 s9 s2 s7", ["chi s2s7s10", "chi s8s9s10"]),
        ("b7", "b2 b10 b8 b9", ["chi b2b7b10", "chi b7b8b9"]),
        ("b2", "b7 s10", []),
        ("s1", "s2 s3 s10 s9", ["chi s1s2s3"]),
        # one further copy
        ("s4", "s4 b4", ["chi s4s4b4"]),
        ("b4", "s4 b4", ["chi s4b4b4"]),
        ("s4", "s4 b4 b4", ["chi s4s4b4"]),
        ("b4", "b4 s4 s4", ["chi s4b4b4"]),
        ("s4", "s4 s2 s3", []),
        ("s4", "s4 s2 s3 s5 s6", ["chi s2s3s4+s4s5s6"]),
        ("s4", "s4 s2 s3 s3 s5 s6", ["chi s2s3s4+s3s4s5", "chi s2s3s4+s4s5s6"]),
        ("s4", "s4 s3 s3 s5 s5", ["chi s3s4s5+s3s4s5"]),
        ("s4", "s4 s3 s5 s5 s6", ["chi s3s4s5+s4s5s6"]),
        ("s4", "s4 s2 s3 b4 b4", ["chi s2s3s4+s4b4b4", "chi s4s4b4"]),
        ("b4", "b4 b2 b3 s4 s4", ["chi s4b4b4", "chi s4s4b4+b2b3b4"]),
        ("s3", "s3 s1 s1 s2 s2", ["chi s1s2s3+s1s2s3"]),
        ("s2", "s2 s7 s10 s1 s3", ["chi s1s2s3+s2s7s10"]),
        ("s7", "s7 s2 s2 s10 s10", ["chi s2s7s10+s2s7s10"]),
        # two further copies
        ("s4", "s4 s4", []),
        ("s4", "s4 s4 b4", []),
        ("s4", "s4 s4 b4 b4", []),
        ("s4", "s4 s4 b4 s2 s3", ["chi s2s3s4+s4s4b4"]),
        ("s4", "s4 s4 b4 b4 s5 s6", ["chi s4s4b4+s4s5s6"]),
        ("b4", "b4 b4 s4 b5 b6", ["chi s4b4b4+b4b5b6"]),
        ("s4", "s4 s4 s2 s3 s3 s5 s5 s6", ["chi s2s3s4+s3s4s5+s4s5s6"]),
        ("s3", "s3 s3 s1 s1 s2 s2 b3 b3", ["chi s1s2s3+s1s2s3+s3b3b3", "chi s1s2s3+s3s3b3"]),
    ],
)
def test_chi(card: str, hand: str, words: list[str]) -> None:
    """All copies in hand are laid out, in every way (P5.1-P5.3)."""
    assert chi_words(counts(hand), set(), KIND[card]) == words


def test_no_chi_of_a_kan() -> None:
    """A kind of which a kan is held is never chi'd, and kan cards are in no chi (P2.1, P5.2)."""
    assert chi_words(counts("s2 s3 b4 b4"), {KIND["s4"]}, KIND["s4"]) == []
    assert chi_words(counts("s2 s5"), {KIND["s3"]}, KIND["s4"]) == []
    assert chi_words(counts("s2 s3"), {KIND["b4"]}, KIND["s4"]) == ["chi s2s3s4"]


def brute_chi(hand: Sequence[int], kind: int) -> set[tuple[Group, ...]]:
    """Lay out one group with the table card, then a group with a copy from hand as long as one is left (P5.2)."""

    def further(rest: list[int], laid: tuple[Group, ...]) -> Iterator[tuple[Group, ...]]:
        if rest[kind] == 0:
            yield tuple(sorted(laid))
            return
        for group in TRIPLES:
            if kind in group and all(rest[card] >= group.count(card) for card in group):
                yield from further([rest[own] - group.count(own) for own in range(KINDS)], (*laid, group))

    found: set[tuple[Group, ...]] = set()
    for group in TRIPLES:
        if kind not in group:
            continue
        rest = [hand[own] - group.count(own) + (1 if own == kind else 0) for own in range(KINDS)]
        if min(rest) >= 0:
            found.update(further(rest, (group,)))
    return found


def near_groups(rng: random.Random, groups: int, pair: bool) -> list[int]:
    """Draw the loose cards of so many groups, at most two of a kind, and often put another in one's place."""
    while True:
        cards = [kind for group in rng.choices(TRIPLES, k=groups - pair) for kind in group]
        cards += [rng.randrange(KINDS)] * (2 if pair else 0)
        if rng.random() < 0.5:
            cards[rng.randrange(len(cards))] = rng.randrange(KINDS)
        if all(cards.count(kind) <= 2 for kind in cards):
            return [cards.count(kind) for kind in range(KINDS)]


def random_loose(rng: random.Random, cards: int, pool: str) -> list[int]:
    """Draw loose cards, at most two of a kind, from the kinds of the pool, or from all of them."""
    drawn = rng.sample((kinds(pool) or list(range(KINDS))) * 2, cards)
    return [drawn.count(kind) for kind in range(KINDS)]


@pytest.mark.parametrize("pool", ["", "s1 s2 s3 s4 s5 b2 b3", "b2 b6 b7 b8 b9 b10 s7 s8"])
def test_chi_against_laying_out_one_by_one(pool: str) -> None:
    """The chi are those found by laying out group after group (P5.2)."""
    rng = random.Random(1)
    listed = 0
    for _ in range(200):
        hand = random_loose(rng, rng.randrange(4, 13), pool)
        for kind in range(KINDS):
            choices = chi_choices(hand, set(), kind)
            assert len(choices) == len(set(choices))
            assert set(choices) == brute_chi(hand, kind)
            listed += len(choices)
    assert listed > 200


# ---------------------------------------------------------------------------------------------------------
# P7: partitions


@pytest.mark.parametrize(
    ("hand", "groups", "pair", "third", "huxi"),
    [
        ("", 0, False, None, 0),
        ("", 0, True, None, None),
        ("s1 s2 s3", 1, False, None, 3),
        ("s1 s2 s3", 1, True, None, None),
        ("s1 s2 s3", 2, False, None, None),
        ("s1 s1", 1, True, None, 0),
        ("s1 s1", 1, False, None, None),
        ("s1 b1", 1, True, None, None),
        ("s1 s1 b1 b1", 2, True, None, None),
        ("s1 s1 b1 b1 s2", 2, True, None, None),
        ("s1 s1 b1 b2 b2", 2, True, None, 0),
        ("s1 s1 s1", 1, False, None, None),
        ("s1 s1 s1", 1, False, "s1", 1),
        ("s1 s1 s1 s2 s3", 2, True, "s1", 3),
        ("s1 s1 s1 s2 s3", 2, True, None, 3),
        ("s1 s1 s1 s2 s2", 2, True, "s1", 1),
        ("s1 s1 s1 s2 s2", 2, True, None, None),
        # 1-2-3 and 2-7-10 rather than 2-3-4 and what is left
        ("b1 b2 b2 b3 b7 b10", 2, False, None, 12),
        # two ways: 1-2-3 and 4-5-6, or mixes
        ("s1 s2 s3 s4 s5 s6", 2, False, None, 3),
        # 2-3-4 with a 1-1-1 mix, or 1-2-3 with s1 and s4 left over
        ("s1 s1 b1 s2 s3 s4", 2, False, None, 0),
        ("s1 s1 b1 b1 s2 s3", 2, False, None, 3),
    ],
)
def test_best_partition(hand: str, groups: int, pair: bool, third: str | None, huxi: int | None) -> None:
    """All the cards, exactly so many groups, exactly one pair or none (P7.1, P7.2)."""
    assert best_partition(counts(hand), groups, pair, None if third is None else KIND[third]) == huxi


def test_partitions_are_distinct() -> None:
    """Each partition is listed once (P7.1)."""
    run, other = (0, 1, 2), (1, 2, 3)
    assert partitions(counts("s1 s1 s2 s2 s3 s3"), 2, False) == [(run, run)]
    assert partitions(counts("s1 s2 s2 s3 s3 s4"), 2, False) == [(run, other)]


def brute_partition(cards: Sequence[int], groups: int, pair: bool, third: int | None) -> int | None:
    """Try every set of so many groups and sum the huxi of those with just these cards (P7.1, P7.2)."""
    hand = [cards.count(kind) for kind in range(KINDS)]
    sets = [group for group in TRIPLES if all(hand[kind] for kind in group)]
    if third is not None:
        sets.append((third, third, third))
    pairs: list[tuple[Group, ...]] = [((kind, kind),) for kind in set(cards)] if pair else [()]
    best: int | None = None
    for chosen in itertools.combinations_with_replacement(sets, groups - len(pairs[0])):
        for last in pairs:
            whole = (*chosen, *last)
            if sorted(kind for group in whole for kind in group) == sorted(cards):
                huxi = sum(group_huxi(group) for group in whole)
                best = huxi if best is None else max(best, huxi)
    return best


def test_best_partition_against_every_set_of_groups() -> None:
    """The best partition is the best of all sets of groups with just these cards (P7.1, P7.3)."""
    rng = random.Random(2)
    found = 0
    for trial in range(300):
        groups, pair = rng.randrange(1, 4), trial % 2 == 0
        cards: list[int] = []
        pool = TRIPLES if trial % 3 else TRIPLES[:9]
        for group in rng.choices(pool, k=groups - pair):
            cards += group
        cards += [rng.choice(cards) if cards else 0] * (2 if pair else 0)
        if trial % 5 == 0:
            cards[0] = rng.randrange(KINDS)
        third = next((kind for kind in cards if cards.count(kind) == 3), None) if trial % 4 < 2 else None
        hand = [cards.count(kind) for kind in range(KINDS)]
        best = best_partition(hand, groups, pair, third)
        assert best == brute_partition(cards, groups, pair, third)
        found += best is not None
    assert found > 200


# ---------------------------------------------------------------------------------------------------------
# P7: wins


@pytest.mark.parametrize(
    ("seat", "card", "own", "ways"),
    [
        # wei 6 + kan 6 + 1-2-3 3 + peng 1 = 16, six groups; any run ends it
        (seat_of("b8 b9", "b2", "wei:b1 s1,s2,s3 s4,s5,s6 s4,s5,s6 peng:s8"), "b10", True, [("partition", 16)]),
        (seat_of("b8 b9", "b2", "wei:b1 s1,s2,s3 s4,s5,s6 s4,s5,s6 peng:s8"), "b7", False, [("partition", 16)]),
        (seat_of("b8 b9", "b2", "wei:b1 s1,s2,s3 s4,s5,s6 s4,s5,s6 peng:s8"), "b6", False, []),
        # no four-group: a pair is no win (P7.2)
        (seat_of("b8", "b2", "wei:b1 s1,s2,s3 s4,s5,s6 s4,s5,s6 peng:s8"), "b8", True, []),
        # a four-group: six groups and a pair, never seven groups of three
        (seat_of("b8 b9", "b2", "pao:b1 s1,s2,s3 s4,s5,s6 s4,s5,s6 peng:s8"), "b10", True, []),
        (seat_of("b8", "b2", "pao:b1 s1,s2,s3 s4,s5,s6 s4,s5,s6 peng:s8"), "b8", True, [("partition", 19)]),
        (seat_of("b8", "b2", "pao:b1 s1,s2,s3 s4,s5,s6 s4,s5,s6 peng:s8"), "s8", True, []),
        # the pair is in hand already, and the run is won
        (seat_of("b8 b8 s9 s10", "b2", "ti:b1 s1,s2,s3 s4,s5,s6 s4,s5,s6"), "s8", False, [("partition", 21)]),
        # two four-groups still have one pair
        (seat_of("b8", "b2", "ti:b1 pao:s1 s4,s5,s6 s4,s5,s6 peng:s8"), "b8", True, [("partition", 25)]),
        # a dead seat never wins (P4.7)
        (seat_of("b8", "b2", "pao:b1 s1,s2,s3 s4,s5,s6 s4,s5,s6 peng:s8", dead=True), "b8", True, []),
        # fourteen huxi are too few: wei 6 + 1-2-3 3 + wei 3 + peng 1 + peng 1
        (seat_of("b8 b9", "", "wei:b1 s1,s2,s3 wei:s9 s4,s5,s6 peng:s8 peng:s7"), "b10", True, []),
        # with 1-2-3 big 20
        (seat_of("b1 b2", "", "wei:b5 s1,s2,s3 wei:s9 s4,s5,s6 peng:s8 peng:s7"), "b3", True, [("partition", 20)]),
        # three identical from another's reveal are a peng: 14 + 3, or 14 + 1
        (seat_of("b9 b9", "", "wei:b1 s1,s2,s3 wei:s9 s4,s5,s6 peng:s8 peng:s7"), "b9", False, [("partition", 17)]),
        (seat_of("s2 s2", "", "wei:b1 s1,s2,s3 wei:s9 s4,s5,s6 peng:s8 peng:s7"), "s2", False, [("partition", 15)]),
        # on its own reveal they would be a wei, not this
        (seat_of("b9 b9", "", "wei:b1 s1,s2,s3 wei:s9 s4,s5,s6 peng:s8 peng:s7"), "b9", True, []),
    ],
)
def test_winning_ways_in_the_partition(seat: Seat, card: str, own: bool, ways: list[tuple[str, int]]) -> None:
    """The card in the partition, under the pair rule, with at least 15 huxi (P7.1, P7.2)."""
    assert winning_ways(seat, KIND[card], own) == ways


def test_peng_or_run() -> None:
    """The third of two in hand makes a peng, or a run beside a pair, whichever brings more (P7.1, P7.3)."""
    # pao 9 + 1-2-3 3 + peng 1 = 13. b1b1b1 b2b3b4 s4s4: 3; b1b2b3 b1b1 s4s4b4: 6
    seat = seat_of("b1 b1 b2 b3 b4 s4 s4", "", "pao:b9 s1,s2,s3 s7,s8,s9 peng:s10")
    assert winning_ways(seat, KIND["b1"], False) == [("partition", 19)]
    # the same cards, s4 for b1: pao 9 + wei 3 + peng 1 + peng 1 = 14. s4s4s4 s5s6s7 b7b7: 1; s4s5s6 s4s4 s7b7b7: 0
    seat = seat_of("s4 s4 s5 s6 s7 b7 b7", "", "pao:b9 wei:s10 peng:s8 peng:s9")
    assert winning_ways(seat, KIND["s4"], False) == [("partition", 15)]
    assert winning_ways(seat, KIND["s4"], True) == []


FIVE_MELDS = "wei:b1 s1,s2,s3 s1,s2,s3 s4,s5,s6 s4,s5,s6"  # 6 + 3 + 3 = 12 huxi


@pytest.mark.parametrize(
    ("seat", "own", "ways"),
    [
        # a kan becomes a pao by another's reveal: 12 + 9, and a pair
        (seat_of("s9 s9", "b5", FIVE_MELDS), False, [("kan", 21)]),
        (seat_of("s9 s9", "b5", FIVE_MELDS), True, []),
        # the fourth copy in a run, the kan stays: 12 + 6, and no pair
        (seat_of("b4 b6", "b5", FIVE_MELDS), False, [("partition", 18)]),
        # the fourth copy in a mix, or a pao beside the pair
        (seat_of("s5 s5", "b5", FIVE_MELDS), False, [("partition", 18), ("kan", 21)]),
        # a wei or a peng becomes a pao by any reveal
        (seat_of("s9 s9", "", f"wei:b5 {FIVE_MELDS}"), True, [("wei", 21)]),
        (seat_of("s9 s9", "", f"wei:b5 {FIVE_MELDS}"), False, [("wei", 21)]),
        (seat_of("s9 s9", "", f"{FIVE_MELDS} peng:b5"), True, [("peng", 21)]),
        (seat_of("s9 s9", "", f"{FIVE_MELDS} peng:b5"), False, [("peng", 21)]),
        # the fourth copy in a run or mix beside the wei 6 or peng 3
        (seat_of("b6 b7", "", f"wei:b5 {FIVE_MELDS}"), True, [("partition", 18)]),
        (seat_of("b3 b4", "", f"peng:b5 {FIVE_MELDS}"), False, [("partition", 15)]),
        (seat_of("s5 s5", "", f"peng:b5 {FIVE_MELDS}"), True, [("partition", 15), ("peng", 21)]),
        # no pair in hand, or none of the ways
        (seat_of("s9 s8", "", f"wei:b5 {FIVE_MELDS}"), True, []),
        (seat_of("s9 s9", "", f"wei:b6 {FIVE_MELDS}"), True, []),
        # a ti cannot grow
        (seat_of("s9 s9", "", f"ti:b6 {FIVE_MELDS}"), True, []),
    ],
)
def test_ways_to_a_pao(seat: Seat, own: bool, ways: list[tuple[str, int]]) -> None:
    """A revealed b5 makes a pao of a kan, a wei or a peng, or stands in the partition (P7.1, P7.3)."""
    assert winning_ways(seat, KIND["b5"], own) == ways
    assert win_huxi(seat, KIND["b5"], own) == max((huxi for _, huxi in ways), default=None)


@pytest.mark.parametrize(
    ("seat", "huxi"),
    [
        (seat_of("", "b9", f"wei:b5 {FIVE_MELDS}"), 24),  # 12 + 6 + 6, seven groups
        (seat_of("", "", f"wei:b5 {FIVE_MELDS}"), None),  # six groups
        (seat_of("s9 s9", "", f"wei:b5 {FIVE_MELDS}"), None),  # a pair without a four-group
        (seat_of("s9 s9", "", f"ti:b5 {FIVE_MELDS}"), 24),
        (seat_of("s7 s8 s9", "", f"ti:b5 {FIVE_MELDS}"), None),  # a four-group without a pair
        (seat_of("s7 s8 s9", "", f"wei:b5 {FIVE_MELDS}"), 18),
        (seat_of("s7 s8 s9", "", f"wei:b5 {FIVE_MELDS}", dead=True), None),
        (seat_of("s7 s8 s9", "", "wei:s1 wei:s2 wei:s3 wei:s4 peng:s5 peng:s6"), None),  # 14
        (seat_of("s7 s8 s9", "", "wei:s1 wei:s2 wei:s3 wei:s4 wei:s5 s6,b6,b6"), 15),
    ],
)
def test_win_after_ti_or_wei(seat: Seat, huxi: int | None) -> None:
    """The melds, the kan and all the loose cards are seven groups with 15 huxi (P7.4)."""
    assert settled_huxi(seat) == huxi


@pytest.mark.parametrize(
    ("seat", "huxi"),
    [
        (seat_of("b4 b6", "", "ti:s1 ti:s2 ti:b3"), 30),
        (seat_of("b4 b6", "b9", "ti:s1 ti:s2 ti:b3"), 36),
        (seat_of("b4 b6", "s1 s2 s3 s4 s5"), 15),
        (seat_of("b4 b6", "s1 s2 s3 s4 b5", "ti:s6"), 27),
        (seat_of("b4 b6", "s1 s2 s3 s4", "ti:s6 ti:b7"), None),
    ],
)
def test_heavenly_win(seat: Seat, huxi: int | None) -> None:
    """Three ti or five kan; the huxi are those of all ti and kan (P3.1)."""
    assert heavenly_huxi(seat) == huxi


def test_tun_and_points() -> None:
    """Tun of 15-17, 18-20 and so on; each opponent pays them (P8.1)."""
    assert [tun(huxi) for huxi in range(15, 25)] == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4]
    assert points(1, 19) == [-2, 4, -2]


# ---------------------------------------------------------------------------------------------------------
# Distance


@pytest.mark.parametrize(
    ("loose", "groups", "pair", "need", "far", "kinds_useful"),
    [
        # no group left to make
        ("s2 s3", 0, False, 0, 0, ""),
        ("s2 s3", 0, False, -5, 0, ""),
        ("s2 s3", 0, False, 1, FAR, ""),
        ("s2 s2", 0, True, 0, FAR, ""),
        ("s2 s2", -1, False, 0, FAR, ""),
        ("", 1, False, 0, FAR, ""),
        # one group
        ("s2 s3", 1, False, 0, 1, "s1 s4"),
        ("s2 s3", 1, False, 3, 1, "s1"),
        ("s2 s3", 1, False, 4, FAR, ""),
        ("s9 s10", 1, False, 0, 1, "s8"),
        ("s2 s7", 1, False, 3, 1, "s10"),
        ("b7 b10", 1, False, 6, 1, "b2"),
        ("s4 s6", 1, False, 0, 1, "s5"),
        ("s4 s7", 1, False, 0, FAR, ""),
        ("s4 s4", 1, False, -3, 1, "s4 b4"),
        ("s4 s4", 1, False, 1, 1, "s4"),
        ("s4 s4", 1, False, 2, FAR, ""),
        ("b4 b4", 1, False, 3, 1, "b4"),
        ("s4 b4", 1, False, 0, 1, "s4 b4"),
        ("s4 b4", 1, False, 1, FAR, ""),
        ("s4 s4 b4", 1, False, 0, 0, ""),
        ("s4 s4 b4", 1, False, 1, 1, "s4"),
        ("s4", 1, False, 0, FAR, ""),
        # the pair
        ("s4", 1, True, 0, 1, "s4"),
        ("s4 b5", 1, True, 0, 1, "s4 b5"),
        ("s4 s4", 1, True, 0, 0, ""),
        ("s4 s4", 1, True, 1, FAR, ""),
        ("s4 s4 s5 s6", 2, True, 0, 1, "s4 s7"),
        # s4 and s4s5, or s5 and s4s4
        ("s4 s4 s5", 2, True, 0, 2, "s3 s4 s5 s6 b4"),
        ("s1 s2 s3", 2, True, 3, 2, "s1 s2 s3"),
        ("s1 s2 s3", 2, True, 0, 2, "s1 s2 s3 s4"),
        # cards may be left over; a whole group may bring too little
        ("s1 s2 s3 b9", 1, False, 3, 0, ""),
        ("s4 s5 s6 b2 b7", 1, False, 0, 0, ""),
        ("s4 s5 s6 b2 b7", 1, False, 3, 1, "b10"),
        ("s4 s5 s6 b2 b7", 2, False, 6, 1, "b10"),
        ("s4 s5 s6 b2 b7", 2, False, 7, FAR, ""),
        # s1s2 + s2s3, or s1s3 + s2s2
        ("s1 s2 s2 s3", 2, False, 0, 2, "s1 s2 s3 s4 b2"),
        ("s1 s2 s2 s3", 2, False, 3, 2, "s1 s2 s3 s4 b2"),
        ("s1 s2 s2 s3", 2, False, 4, 2, "s1 s2 s3"),
        ("s1 s2 s2 s3", 2, False, 6, 2, "s1 s3"),
        ("s1 s2 s2 s3", 2, False, 7, FAR, ""),
    ],
)
def test_distance_and_useful(loose: str, groups: int, pair: bool, need: int, far: int, kinds_useful: str) -> None:
    """Distances worked out by hand."""
    hand = counts(loose)
    assert distance(hand, groups, pair, need) == far
    assert useful(hand, groups, pair, need) == kinds(kinds_useful)


# Every group with its huxi, from the rule alone: three cards or a pair.
SCORING = [tuple(kinds(text)) for text in ("s1 s2 s3", "s2 s7 s10", "b1 b2 b3", "b2 b7 b10")]


def brute_huxi(group: Group) -> int:
    """Give the huxi of a group that is made of loose cards, three identical ones being a peng (P2)."""
    small = group[0] < 10
    if group in SCORING:
        return 3 if small else 6
    if len(group) == 3 and len(set(group)) == 1:
        return 1 if small else 3
    return 0


def brute_pieces(loose: Sequence[int], groups: Sequence[Group]) -> Iterator[tuple[Group, int | None, int]]:
    """List whole groups and groups lacking one card, of loose cards: (cards, missing kind, huxi when whole)."""
    for group in groups:
        for lacking in (None, *range(len(group))):
            cards = tuple(kind for place, kind in enumerate(group) if place != lacking)
            if all(loose[kind] >= cards.count(kind) for kind in cards):
                yield cards, None if lacking is None else group[lacking], brute_huxi(group)


def brute_arrangements(loose: Sequence[int], groups: int, pair: bool) -> Iterator[tuple[int, set[int], int]]:
    """List every arrangement: (number of partials, kinds that complete one, huxi)."""
    three = list(brute_pieces(loose, [*TRIPLES, *((kind,) * 3 for kind in range(KINDS))]))
    two = list(brute_pieces(loose, [(kind, kind) for kind in range(KINDS)]))
    for chosen in itertools.combinations_with_replacement(three, groups - pair):
        for last in itertools.combinations(two, 1 if pair else 0):
            pieces = [*chosen, *last]
            used = [kind for cards, _, _ in pieces for kind in cards]
            if all(used.count(kind) <= loose[kind] for kind in used):
                missing = [kind for _, kind, _ in pieces if kind is not None]
                yield len(missing), set(missing), sum(huxi for _, _, huxi in pieces)


@pytest.mark.parametrize(
    ("groups", "cards", "hands"),
    [(1, 6, 150), (2, 8, 150), (3, 8, 60)],
)
def test_distance_against_every_arrangement(groups: int, cards: int, hands: int) -> None:
    """Distance and useful kinds equal those of all arrangements listed, whatever huxi are needed."""
    rng = random.Random(groups)
    pools = ("", "s1 s2 s3 s4 b1 b2 b3", "s2 s7 s8 s9 s10 b2 b7 b9 b10")
    seen: set[int] = set()
    for trial in range(hands):
        pair = rng.random() < 0.5
        if trial % 3:
            loose = near_groups(rng, groups, pair)
        else:
            loose = random_loose(rng, rng.randrange(cards + 1), pools[trial // 3 % 3])
        arrangements = list(brute_arrangements(loose, groups, pair))
        for need in range(-1, 14):
            enough = [(partials, missing) for partials, missing, huxi in arrangements if huxi >= need]
            least = min((partials for partials, _ in enough), default=FAR)
            completing = {kind for partials, missing in enough if partials == least for kind in missing}
            assert distance(loose, groups, pair, need) == least
            assert useful(loose, groups, pair, need) == sorted(completing)
            seen.add(least)
    assert seen == {*range(groups + 1), FAR}


def dealt_numbers(seat: Seat) -> tuple[list[int], int, bool, int]:
    """Give what distance asks for, of a seat: loose counts, groups to make, whether with a pair, huxi needed."""
    huxi = sum(meld_huxi(meld) for meld in seat.melds) + sum(sort_huxi("kan", kind) for kind in seat.kan)
    groups = GROUPS - len(seat.melds) - len(seat.kan)
    return seat.hand, groups, four_groups(seat.melds) > 0, LEAST_HUXI - huxi


def test_distance_of_whole_hands() -> None:
    """A useful card lowers the distance of a dealt hand, and more huxi needed never lower it."""
    rng = random.Random(6)
    for _ in range(60):
        dealt = rng.sample(list(range(KINDS)) * 4, 20)
        seat = Deal.dealt_seat([dealt.count(kind) for kind in range(KINDS)])
        loose, groups, pair, need = dealt_numbers(seat)
        distances = [distance(loose, groups, pair, huxi) for huxi in range(40)]
        assert distances == sorted(distances)
        now = distance(loose, groups, pair, need)
        for kind in useful(loose, groups, pair, need):
            if loose[kind] < 2:
                more = [count + (own == kind) for own, count in enumerate(loose)]
                assert distance(more, groups, pair, need) <= now - 1


def test_distance_nought_is_a_partition() -> None:
    """With no card to spare, the distance is 0 just when a partition brings the huxi needed (P7.1)."""
    rng = random.Random(7)
    nought = 0
    for trial in range(300):
        groups, pair = rng.randrange(1, 6), trial % 2 == 0
        loose = near_groups(rng, groups, pair)
        best = best_partition(loose, groups, pair)
        for need in range(0, 13, 3):
            whole = best is not None and best >= need
            assert (distance(loose, groups, pair, need) == 0) == whole
            nought += whole
    assert nought > 100


# ---------------------------------------------------------------------------------------------------------
# The engine


def deck_with(hands: Sequence[str], stock: str = "", seed: int = 1) -> list[str]:
    """Build a deck for dealer 0: what the three hands and the stock begin with, the rest by chance (P1.3).

    The rest are first the cards of kinds that no hand and no stock names, so these fill the hands.
    """
    named = [token for text in (*hands, stock) for token in text.split()]
    rest = list(TOKENS * 4)
    for token in named:
        rest.remove(token)
    random.Random(seed).shuffle(rest)
    rest.sort(key=lambda token: token in named)
    deck: list[str] = []
    for text, size in zip((*hands, stock), (21, 20, 20, 19), strict=True):
        part = text.split()
        fill = size - len(part)
        deck += part + rest[:fill]
        rest = rest[fill:]
    return deck


def test_bad_input_is_refused() -> None:
    """A wrong deck, a wrong dealer and an illegal action raise an error (P1.3, P9.2)."""
    deck = deck_with(["s1", "s1", "s1"])
    with pytest.raises(ValueError, match="80 cards"):
        Deal(0, deck[1:])
    with pytest.raises(ValueError, match="dealer"):
        Deal(3, deck)
    with pytest.raises(ValueError, match="cannot"):
        Deal(0, deck).apply("peng")
    with pytest.raises(ValueError, match="not over"):
        Deal(0, deck).result()


def test_a_dealt_seat() -> None:
    """Ti are exposed, kan are apart from the loose cards, and two or more ti waive discards (P2.1, P2.2, P3.3)."""
    seat = Deal.dealt_seat(counts("s1 s1 s1 s1 s2 s2 s2 s3 s3 b1 b1 b1 b1 b2 b2 b2 b2 b3 b4 b5"))
    assert (seat.melds, seat.kan) == ([("ti", 0), ("ti", 10), ("ti", 11)], {1})
    assert (seat.hand, seat.owed, seat.dead, seat.locked) == (counts("s3 s3 b3 b4 b5"), 2, False, set())
    assert Deal.dealt_seat(counts("s1 s1 s1 s1")).owed == 0


def test_dealer_with_seven_kan() -> None:
    """A dealer with nothing but kan may win at once; passing it is dead, and the next seat reveals (P3.1, P3.2)."""
    hands = ["s1 s2 s3 s4 s5 s6 s7 " * 3, "b1 b3 b5 b7 b9 b1 b3 b5 b7 b9", "b2 b4 b6 b8 b10 b2 b4 b6 b8 b10"]
    deal = Deal(0, deck_with(hands))
    assert (deal.seat, deal.legal()) == (0, ["pass", "win"])
    deal.apply("pass")
    assert deal.seats[0].dead
    assert (deal.discards, deal.giver, deal.revealed) == ([], 1, True)
    deal = Deal(0, deck_with(hands))
    deal.apply("win")
    expected = {"outcome": "win", "winner": 0, "source": "heavenly", "winning_card": None, "huxi": 21, "tun": 3}
    assert deal.result() == {**expected, "points": [6, -3, -3]}


def test_first_discard_is_waived() -> None:
    """A dealer with two ti discards nothing at first and is not dead (P3.3)."""
    deal = Deal(0, deck_with(["s1 s1 s1 s1 b1 b1 b1 b1 s4", "s2 s3", "b2 b3"]))
    assert (deal.discards, deal.seats[0].owed, deal.seats[0].dead) == ([], 0, False)
    assert len(deal.stock) < 19


def test_refused_peng_and_chi() -> None:
    """Passing peng and chi locks; passing the peng and taking the chi does not (P6.1, P9.2)."""
    deck = deck_with(["s5", "s5 s5 b5 s4 s6 s9", "s3 s7"])
    for answer, locked in (("pass", True), ("chi s4s5s6+s5s5b5", False)):
        deal = Deal(0, deck)
        deal.apply("discard s5")
        assert (deal.seat, deal.legal(), deal.table) == (1, ["pass", "peng"], KIND["s5"])
        deal.apply("pass")
        assert (deal.seat, deal.legal()) == (1, ["chi s4s5s6+s5s5b5", "pass"])
        assert KIND["s5"] not in deal.seats[1].locked
        deal.apply(answer)
        assert (KIND["s5"] in deal.seats[1].locked) == locked
        assert KIND["s5"] in deal.seats[0].locked  # it discarded the kind


def test_refused_peng_before_a_chi() -> None:
    """A refused peng locks before the seat that chis the card discards (P6.1); a taken one bars the chi (P4.2)."""
    deck = deck_with(["s5", "s4 s6 s9", "s5 s5 s3 s7 b5"])
    deal = Deal(0, deck)
    deal.apply("discard s5")
    assert (deal.seat, deal.legal()) == (2, ["pass", "peng"])
    deal.apply("pass")
    assert (deal.seat, deal.legal()) == (1, ["chi s4s5s6", "pass"])
    deal.apply("chi s4s5s6")
    assert deal.seat == 1
    assert all(word.startswith("discard") for word in deal.legal())
    assert deal.seats[2].locked == {KIND["s5"]}
    assert deal.seats[1].melds == [("chi", tuple(kinds("s4 s5 s6")))]
    deal = Deal(0, deck)
    deal.apply("discard s5")
    deal.apply("peng")
    assert (deal.seat, deal.seats[2].melds, deal.seats[1].locked) == (2, [("peng", KIND["s5"])], set())


def test_a_revealed_card_is_for_the_revealer_to_chi() -> None:
    """The seat after the revealer may not chi the card, and is not locked by it (P4.2 step 4, P6.3)."""
    runs = "s3 s3 s4 s4 s6 s6 s7 s7 b5 b5"
    deal = Deal(0, deck_with([f"b1 {runs}", "b2", runs], stock="s5 s5 s5 s5"))
    deal.apply("discard b1")
    while not deal.revealed:
        deal.apply("pass")
    assert deal.untaken == [(0, KIND["b1"]), (1, KIND["s5"])]
    assert (deal.seat, deal.giver, deal.table) == (2, 2, KIND["s5"])
    assert deal.legal() == ["chi s3s4s5", "chi s4s5s6", "chi s5b5b5", "chi s5s6s7", "pass"]
    deal.apply("pass")
    assert (KIND["s5"] in deal.seats[2].locked, deal.giver) == (True, 0)


SIX_KAN = "s1 s2 s3 b1 b2 b3 " * 3


def test_no_claim_without_a_discard() -> None:
    """A chi or peng with the last two cards is not offered, and so locks nothing (P4.6, P6.1)."""
    for last, card in (("s9 s10", "s8"), ("s8 s8", "s8")):
        deal = Deal(0, deck_with(["s8", SIX_KAN + last, "s8 b8"], stock="b5"))
        assert (deal.seat, deal.legal()) == (1, ["pass", "win"])
        deal.apply("pass")
        deal.apply(f"discard {card}")
        while deal.table == KIND[card]:
            assert deal.seat == 2
            deal.apply("pass")
        assert deal.seats[1].melds == []
        assert deal.seats[1].locked == set()


def test_a_waived_discard_allows_the_chi() -> None:
    """With a discard waived a chi may take the last two cards; the next seat then reveals (P3.3, P4.6)."""
    ti = "s1 b1 b3 " * 4
    deal = Deal(0, deck_with(["s8", f"{ti} s4 s4 s4 b5 b5 b5 s9 s10", "b8"]))
    deal.apply("pass")  # the heavenly win
    deal.apply("discard s8")
    assert (deal.seat, deal.legal()) == (1, ["chi s8s9s10", "pass"])
    deal.apply("chi s8s9s10")
    assert (deal.seats[1].owed, deal.seats[1].dead, sum(deal.hands[1])) == (1, False, 0)
    assert deal.discards == [(0, KIND["s8"])]


def test_a_wei_with_the_last_cards() -> None:
    """A wei of the last two cards asks whether to win; declining it with no card to discard is death (P4.7, P7.4)."""
    for answer, dead in (("win", False), ("pass", True)):
        deal = Deal(0, deck_with(["b10", SIX_KAN + "s8 s8", "s9"], stock="s8"))
        deal.apply("pass")  # the heavenly win
        deal.apply("discard b10")
        while not deal.revealed:
            deal.apply("pass")
        assert (deal.seat, deal.legal(), deal.table) == (1, ["pass", "win"], None)
        assert deal.seats[1].melds == [("wei", KIND["s8"])]
        deal.apply(answer)
        assert deal.seats[1].dead == dead
    deal = Deal(0, deck_with(["b10", SIX_KAN + "s8 s8", "s9"], stock="s8"))
    for word in ("pass", "discard b10"):
        deal.apply(word)
    while not deal.revealed:
        deal.apply("pass")
    deal.apply("win")
    # three small kan 9, three big kan 18, a small wei 3
    expected = {"outcome": "win", "winner": 1, "source": "own_reveal", "winning_card": "s8", "huxi": 30, "tun": 6}
    assert deal.result() == {**expected, "points": [-6, 12, -6]}


def test_ti_and_pao() -> None:
    """A ti is mandatory; after the first four-group the seat discards, after the second it does not (P4.2, P4.5)."""
    deal = Deal(0, deck_with(["b10", "s5 s5 s5 s6 s7 s8", "s9"], stock="s5"))
    deal.apply("discard b10")
    while not deal.revealed:
        deal.apply("pass")
    assert deal.seats[1].melds == [("ti", KIND["s5"])]
    assert (deal.seat, deal.seats[1].kan, deal.table) == (1, set(), None)
    assert "discard s6" in deal.legal()
    for dealt, melds in (("", []), ("b1 b1 b1 b1", [("ti", KIND["b1"])])):
        deal = Deal(0, deck_with(["s5", f"s5 s5 s5 s6 s7 {dealt}", "s9"]))
        deal.apply("discard s5")
        assert (deal.seat, deal.legal()) == (1, ["pao", "pass"])
        deal.apply("pao")
        assert deal.seats[1].melds == [*melds, ("pao", KIND["s5"])]
        assert (deal.giver, deal.revealed) == ((2, True) if melds else (0, False))


def test_a_peng_becomes_a_pao_by_a_reveal() -> None:
    """The fourth card makes a pao of a peng when it is revealed (P4.2 step 3)."""
    deal = Deal(0, deck_with(["s5", "s5 s5 b9 b9", "b8"], stock="s5"))
    deal.apply("discard s5")
    deal.apply("peng")
    deal.apply("discard b9")
    while not deal.revealed:
        deal.apply("pass")
    assert (deal.seat, deal.legal(), deal.table, deal.giver) == (1, ["pao", "pass"], KIND["s5"], 2)
    deal.apply("pao")
    assert deal.seats[1].melds == [("pao", KIND["s5"])]
    assert all(word.startswith("discard") for word in deal.legal())


def all_cards(deal: Deal) -> int:
    """Count all the cards of the deal, wherever they lie."""
    sizes = {"ti": 4, "pao": 4}
    total = len(deal.stock) + len(deal.untaken) + (deal.table is not None)
    for seat in deal.seats:
        total += sum(seat.hand) + 3 * len(seat.kan) + sum(sizes.get(sort, 3) for sort, _ in seat.melds)
    return total


def test_random_play() -> None:
    """Random deals end, keep their 80 cards, and ask only where there is a choice (P9.1)."""
    rng = random.Random(3)
    for _ in range(60):
        deck = TOKENS * 4
        rng.shuffle(deck)
        deal = Deal(rng.randrange(3), deck)
        while deal.seat is not None:
            assert len(deal.legal()) == len(set(deal.legal())) >= 2
            assert deal.legal() == sorted(deal.legal())
            assert all_cards(deal) == 80
            deal.apply(rng.choice(deal.legal()))
        assert all_cards(deal) == 80
        scored = deal.result()["points"]
        assert isinstance(scored, list)
        assert sum(scored) == 0


# ---------------------------------------------------------------------------------------------------------
# The golden deals


def golden() -> Iterator[tuple[int, dict[str, Any]]]:
    """Read the golden records with their lines."""
    with gzip.open(GOLDEN, "rt", encoding="utf-8") as lines:
        for line, text in enumerate(lines, 1):
            yield line, json.loads(text)


def replay(record: dict[str, Any], deck: Sequence[str], line: int) -> None:
    """Replay one record and compare its seats, legal actions and result on the way."""
    deal = Deal(record["dealer"], deck)
    for index, ((seat, action), legal) in enumerate(zip(record["decisions"], record["legal"], strict=True)):
        assert (deal.seat, deal.legal()) == (seat, legal), f"line {line}, decision {index}"
        deal.apply(action)
    assert (deal.seat, deal.legal()) == (None, []), f"line {line}: decisions are missing"
    assert deal.result() == record["result"], f"line {line}"


def test_golden_deals() -> None:
    """Every golden deal replays with equal legal actions and an equal result."""
    line = 0
    for line, record in golden():
        replay(record, record["deck"], line)
    assert line == 294


def test_order_in_a_hand_does_not_matter() -> None:
    """The golden deals replay alike with the cards of every dealt hand in another order (P1.3)."""
    rng = random.Random(4)
    for line, record in golden():
        deck = list(record["deck"])
        for first, end in ((0, 21), (21, 41), (41, 61)):
            deck[first:end] = rng.sample(deck[first:end], end - first)
        replay(record, deck, line)


def test_order_of_melds_does_not_matter() -> None:
    """The ways to win are the same in whatever order the melds were made (P7.1)."""
    hand, kan = "s5 s5", "b5 b9 b10"
    melds = ["wei:b1", "s1,s2,s3", "s4,s5,s6"]
    found = {
        tuple(winning_ways(seat_of(hand, kan, " ".join(order)), KIND["b5"], False))
        for order in itertools.permutations(melds)
    }
    # wei 6, 1-2-3 3, kan 6 + 6: with the mix s5s5b5 the kan of b5 6, with the pair s5s5 the pao 9
    assert found == {(("partition", 27), ("kan", 30))}


def test_winning_cards_are_useful() -> None:
    """Where a golden seat wins by a partition, its distance is at most 1, and at 1 the card is useful (P7.1)."""
    seen = 0
    for _, record in golden():
        deal = Deal(record["dealer"], record["deck"])
        for seat, action in record["decisions"]:
            if "win" in deal.legal() and deal.table is not None:
                own = deal.seats[seat]
                ways = dict(winning_ways(own, deal.table, seat == deal.giver))
                far = distance(*dealt_numbers(own))
                if "partition" in ways:
                    assert far == 0 or (far == 1 and deal.table in useful(*dealt_numbers(own)))
                    seen += 1
            deal.apply(action)
    assert seen > 50
