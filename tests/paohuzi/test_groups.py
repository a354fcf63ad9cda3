"""Partitions and wins (P7): the groups of loose cards, the ways to win with a card, and after the own ti or wei."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from longcards_env import paohuzi
from longcards_env._jit import jit
from longcards_env.paohuzi import scoring
from longcards_env.paohuzi.groups import GROUPS_OF_THREE, NO_PARTITION
from longcards_env.paohuzi.hands import counts_of, most_huxi, wins
from longcards_env.paohuzi.partitions import Partition, partition_huxi, partitions
from longcards_env.paohuzi.rules import Meld
from naive_paohuzi import (
    CHI_GROUPS,
    GROUPS,
    KIND,
    KINDS,
    LEAST_HUXI,
    TOKENS,
    Group,
    Seat,
    best_partition,
    four_groups,
    group_huxi,
    meld_huxi,
    settled_huxi,
    sort_huxi,
    whole_huxi,
    win_huxi,
    winning_ways,
)
from naive_paohuzi import partitions as judged_partitions

SEATS = 3
LOOSE, COPIES = 2, 4
SIZES = {"ti": 4, "pao": 4, "wei": 3, "peng": 3, "kan": 3}
WAYS = ["partition", "peng as third", "kan", "wei", "peng"]  # what the card of a win does (P7.1)
Case = tuple[Seat, int, bool]  # a seat, the revealed card, and whether it is the seat's own reveal


def kinds(text: str) -> list[int]:
    return [KIND[token] for token in text.split()]


# Kinds to draw the groups of a random hand from; the fewer they are, the more they overlap.
POOLS = [
    list(range(KINDS)),
    list(range(KINDS)),
    [kind for kind in range(KINDS) if kind % 10 < 5],
    [kind for kind in range(KINDS) if 3 < kind % 10 < 9],
    kinds("s1 s2 s3 s6 s7 s8 s9 s10 b1 b2 b3 b6 b7 b8 b9 b10"),
    [*range(10), 11, 16, 19],
    [*range(10, 20), 1, 6, 9],
]

GROUPS_OF_POOLS = [[group for group in CHI_GROUPS if set(group) <= set(pool)] for pool in POOLS]
POOLS_AND_GROUPS = [
    (pool, own, list(filter(group_huxi, own))) for pool, own in zip(POOLS, GROUPS_OF_POOLS, strict=True)
]
TRIES = 5  # to fit one more group into a hand

# Few kinds, so that all small hands can be listed.
REDUCED_DECKS = ["s1 s2 s3 s4 b1 b2 b3 b4", "s2 s3 s7 s10 b2 b7 b9 b10"]
SMALL_SIZES = range(17)  # all of them
SMALL_GROUPS = range(7)


# ---- random seats, most of them winning or one card away


class Cards:
    """The cards of a seat that is being made, of which there are four of a kind."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.pool, self.groups, self.with_huxi = rng.choice(POOLS_AND_GROUPS)
        self.left = [COPIES] * KINDS
        self.seat = Seat([0] * KINDS)

    def identical(self, sort: str, kind: int | None = None) -> bool:
        """Put a ti, pao, wei, peng or kan of some kind before the seat or in its hand."""
        kind = self.rng.choice(self.pool) if kind is None else kind
        fits = self.left[kind] >= SIZES[sort] and kind not in self.seat.kan and not self.seat.hand[kind]
        if fits:
            self.left[kind] -= SIZES[sort]
            self.seat.kan.add(kind) if sort == "kan" else self.seat.melds.append((sort, kind))
        return fits

    def group(self) -> Group:
        """Some run, 2-7-10 or mix; one with huxi half of the time."""
        return self.rng.choice(self.with_huxi if self.with_huxi and self.rng.random() < 0.5 else self.groups)

    def chi(self) -> bool:
        group = self.group()
        fits = self.takes(group)
        if fits:
            self.seat.melds.append(("chi", group))
        return fits

    def loose(self, group: Group) -> bool:
        """Put a group of loose cards into the hand."""
        fits = not self.seat.kan.intersection(group) and self.takes(group)
        if fits:
            for kind in group:
                self.seat.hand[kind] += 1
        return fits

    def takes(self, group: Group) -> bool:
        fits = all(self.left[kind] >= group.count(kind) for kind in group)
        if fits:
            for kind in group:
                self.left[kind] -= 1
        return fits

    def fill(self) -> bool:
        """Make seven groups of what lies there, with loose cards and a pair where it is due (P7.2)."""
        due = GROUPS - len(self.seat.melds) - len(self.seat.kan)
        if due > 0 and four_groups(self.seat.melds):
            if not self.loose((self.rng.choice(self.pool),) * 2):
                return False
            due -= 1
        return all(any(self.loose(self.group()) for _ in range(TRIES)) for _ in range(due))


def some_identical(cards: Cards) -> bool:
    """Put any number of melds, chi and kan before a seat; more of few than of many."""
    rng = cards.rng
    sorts = ["ti", "pao", "wei", "peng", "kan", "kan", "chi"]
    number = min(rng.randint(0, GROUPS), rng.randint(0, GROUPS))
    if rng.random() < 0.05:
        sorts, number = ["kan"], rng.randint(5, GROUPS)
    chosen = (rng.choice(sorts) for _ in range(number))
    return all(cards.chi() if sort == "chi" else cards.identical(sort) for sort in chosen)


def made_seat(rng: random.Random, last: str | None = None) -> Seat:
    """A seat with seven groups and no more than two loose cards of a kind; `last`: the sort of one of its melds."""
    while True:
        cards = Cards(rng)
        made = (last is None or cards.identical(last)) and some_identical(cards) and cards.fill()
        if made and len(cards.seat.melds) + len(cards.seat.kan) <= GROUPS and max(cards.seat.hand) <= LOOSE:
            rng.shuffle(cards.seat.melds)
            return cards.seat


def made_case(rng: random.Random, way: str) -> Case:
    """A seat and a revealed card with which it has seven groups in one of the ways of P7.1."""
    while True:
        cards = Cards(rng)
        seat, kind = cards.seat, rng.choice(cards.pool)
        if way in ("partition", "peng as third"):
            made = some_identical(cards) and (way == "partition" or cards.loose((kind,) * 3)) and cards.fill()
            held = [kind for kind in range(KINDS) if seat.hand[kind]]
            if not made or not held:
                continue
            kind = rng.choice(held) if way == "partition" else kind
            kind = next((three for three in held if seat.hand[three] > LOOSE), kind)
            seat.hand[kind] -= 1
        else:
            if not (cards.identical("pao", kind) and some_identical(cards) and cards.fill()):
                continue
            seat.melds.remove(("pao", kind))
            seat.kan.add(kind) if way == "kan" else seat.melds.append((way, kind))
        if max(seat.hand) <= LOOSE and len(seat.melds) + len(seat.kan) <= GROUPS:
            forced = seat.hand[kind] == LOOSE or kind in seat.kan  # on its own reveal: a wei or a ti takes the card
            return seat, kind, not forced and rng.random() < 0.5


def moved_card(rng: random.Random, seat: Seat, kind: int | None = None) -> Seat:
    """The seat with one of its loose cards exchanged for another, a near one half of the time; kind: on the table."""
    held = [out for out in range(KINDS) if seat.hand[out]]
    if not held:
        return seat
    out, hand = rng.choice(held), list(seat.hand)
    hand[out] -= 1
    used = {card for _, what in seat.melds for card in (what if isinstance(what, tuple) else (what,))}
    room = [into for into in range(KINDS) if hand[into] < LOOSE and into not in seat.kan | used and into != kind]
    near = [into for into in room if into % 10 - out % 10 in (-1, 0, 1)]
    hand[rng.choice(near if near and rng.random() < 0.5 else room or [out])] += 1
    return replace(seat, hand=hand)


def random_loose(rng: random.Random, seat: Seat) -> Seat:
    """The seat with any loose cards, as many as it has."""
    deck = [kind for kind in range(KINDS) if kind not in seat.kan for _ in range(LOOSE)]
    cards = rng.sample(deck, sum(seat.hand))
    return replace(seat, hand=[cards.count(kind) for kind in range(KINDS)])


def changed(rng: random.Random, seat: Seat, kind: int | None = None) -> Seat:
    """The seat as it is, or with a card moved, or two, or seldom with any cards."""
    chance = rng.random()
    if chance < 0.04:
        return random_loose(rng, seat)
    for _ in range(0 if chance < 0.6 else 1 if chance < 0.9 else 2):
        seat = moved_card(rng, seat, kind)
    return seat


@cache
def random_seats(number: int, seed: int) -> list[Seat]:
    rng = random.Random(seed)
    return [changed(rng, made_seat(rng)) for _ in range(number)]


def whole_counts(seat: Seat) -> list[int]:
    """The hand with its kan."""
    return [3 if kind in seat.kan else seat.hand[kind] for kind in range(KINDS)]


def meld_numbers(seats: Sequence[Seat]) -> tuple[list[int], list[int], list[int]]:
    """How many melds the seats have, their huxi, and how many are four-groups."""
    melds = [seat.melds for seat in seats]
    return list(map(len, melds)), [sum(map(meld_huxi, each)) for each in melds], list(map(four_groups, melds))


def or_none(huxi: int | None) -> int:
    return NO_PARTITION if huxi is None else huxi


def small_hands(deck: list[int], size: int) -> Iterator[list[int]]:
    """All hands of so many loose cards of these kinds."""
    if not deck:
        if size == 0:
            yield [0] * KINDS
        return
    for copies in range(min(size, LOOSE) + 1):
        for hand in small_hands(deck[1:], size - copies):
            hand[deck[0]] = copies
            yield hand


def all_small_hands(deck: str) -> list[list[int]]:
    return [hand for size in SMALL_SIZES for hand in small_hands(kinds(deck), size)]


# ---- a few hands, by eye


def found_groups(partition: Partition) -> str:
    return " ".join("".join(TOKENS[kind] for kind in group) for group in partition)


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("text", "groups", "pair", "huxi", "found"),
    [
        ("s2 s7 s10", 1, 0, 3, "s2s7s10"),
        ("b2 b7 b10", 1, 0, 6, "b2b7b10"),
        ("s2 s7 b10", 1, 0, -1, ""),
        ("s2 s7 s9", 1, 0, -1, ""),
        ("s1 s2 s3", 1, 0, 3, "s1s2s3"),
        ("b1 b2 b3", 1, 0, 6, "b1b2b3"),
        ("b8 b9 b10", 1, 0, 0, "b8b9b10"),
        ("s9 s10 b1", 1, 0, -1, ""),  # runs stay in their size
        ("s4 s4 b4", 1, 0, 0, "s4s4b4"),
        ("s4 b4 b4", 1, 0, 0, "s4b4b4"),
        ("s4 s4 b4 b4", 2, 1, -1, ""),  # four cards are no two groups
        ("s4 s4", 1, 1, 0, "s4s4"),
        ("s4 s4", 1, 0, -1, ""),
        ("s4 b4", 1, 1, -1, ""),
        ("", 0, 0, 0, ""),
        ("", 0, 1, -1, ""),
        ("s4 s4 s4", 1, 0, 3, "s4s4s4"),  # a kan
        ("b4 b4 b4", 1, 0, 6, "b4b4b4"),
        ("s1 s1 s2 s2 s3 s3", 2, 0, 6, "s1s2s3 s1s2s3"),
        ("s2 s2 s7 s7 s10 s10 b2 b2 b7 b7 b10 b10", 4, 0, 18, "s2s7s10 s2s7s10 b2b7b10 b2b7b10"),
        ("s5 s5 s6 s7 s8", 2, 1, 0, "s6s7s8 s5s5"),  # the pair stands last
        ("s5 s5 s6 s7 s8", 2, 0, -1, ""),
    ],
)
def test_some_hands(text: str, groups: int, pair: int, huxi: int, found: str) -> None:
    counts, melds = counts_of(text), GROUPS - groups
    assert most_huxi(counts, melds, 0, pair).tolist() == [huxi]
    best = max(partitions(counts[0], melds, pair), key=partition_huxi, default=())
    assert found_groups(best) == found
    assert huxi in (partition_huxi(best), NO_PARTITION)


@pytest.mark.nojit
def test_all_partitions_of_a_hand() -> None:
    """Runs or mixes: the partition with the most huxi counts (P7.3)."""
    counts = counts_of("s1 s1 s2 s2 s3 s3 b1 b2 b3 b9 b9 b9 s10 s10")
    found = {found_groups(partition): partition_huxi(partition) for partition in partitions(counts[0], 2, 1)}
    assert found == {
        "b9b9b9 s1s2s3 s1s2s3 b1b2b3 s10s10": 18,
        "b9b9b9 s1s1b1 s2s2b2 s3s3b3 s10s10": 6,
    }
    assert most_huxi(counts, 2, 10, 1).tolist() == [28]


@pytest.mark.nojit
def test_groups_are_the_judges() -> None:
    assert sorted(GROUPS_OF_THREE) == sorted(CHI_GROUPS)


@pytest.mark.nojit
def test_more_than_seven_groups_are_none() -> None:
    counts = counts_of(["s4 s4 s4", "s1 s2 s3", ""])
    assert most_huxi(counts, 7).tolist() == [-1, -1, 0]
    assert wins(counts, 7, 15).tolist() == [False, False, True]
    assert wins(counts, [6, 6, 7], [12, 11, 14]).tolist() == [True, False, False]
    assert partitions(counts[0], 7) == []


@pytest.mark.nojit
def test_order_of_cards_does_not_matter() -> None:
    rng = random.Random(7)
    for seat in random_seats(60, 7):
        cards = [TOKENS[kind] for kind in range(KINDS) for _ in range(whole_counts(seat)[kind])]
        shuffled = rng.sample(cards, len(cards))
        counts = counts_of([" ".join(cards), " ".join(shuffled)])
        assert counts.tolist() == [whole_counts(seat)] * 2
        beside = len(seat.melds), sum(map(meld_huxi, seat.melds)), four_groups(seat.melds)
        assert len(set(most_huxi(counts, *beside).tolist())) == 1


@pytest.mark.parametrize("hand", [[0] * 19, [[0] * 20], [0] * 19 + [4], [0] * 19 + [-1]])
def test_bad_hand_is_refused(hand: object) -> None:
    with pytest.raises(
        ValueError, match=r"hands are integers \[N, 20\], not|a hand holds 0\.\.3 copies of a kind, not"
    ):
        partitions(np.array(hand))


# ---- partitions against the judge


@pytest.mark.parametrize("pair", [0, 1])
@pytest.mark.parametrize("deck", REDUCED_DECKS)
def test_every_small_hand(deck: str, pair: int) -> None:
    hands = all_small_hands(deck)
    whole = 0
    for groups in SMALL_GROUPS:
        judged = [or_none(best_partition(hand, groups, pair == 1)) for hand in hands]
        assert most_huxi(np.array(hands), GROUPS - groups, 0, pair).tolist() == judged
        whole += sum(huxi != NO_PARTITION for huxi in judged)
    assert whole > (40, 150)[pair]


@pytest.mark.parametrize("pair", [0, 1])
@pytest.mark.parametrize("deck", REDUCED_DECKS)
def test_partitions_of_every_small_hand(deck: str, pair: int) -> None:
    for groups in SMALL_GROUPS:
        for hand in small_hands(kinds(deck), 3 * groups - pair):
            assert_partitions_as_judged(Seat(hand), GROUPS - groups, pair)


def assert_partitions_as_judged(seat: Seat, melds: int, fours: int) -> int:
    """Compare all partitions and their huxi; return how many there are."""
    found = partitions(np.array(whole_counts(seat)), melds, fours)
    judged = judged_partitions(seat.hand, GROUPS - melds - len(seat.kan), fours > 0)
    kan = [(kind,) * 3 for kind in sorted(seat.kan)]
    assert found == sorted(found)
    for partition in found:
        assert list(partition[: len(kan)]) == kan
        assert [len(group) for group in partition].count(2) == (1 if fours else 0)
        assert all(len(group) == 3 for group in partition[:-1])
        loose = sum(map(group_huxi, partition[len(kan) :]))
        assert partition_huxi(partition) == loose + sum(sort_huxi("kan", kind) for kind in seat.kan)
    assert sorted(tuple(sorted(partition[len(kan) :])) for partition in found) == judged, seat
    return len(found)


def test_partitions_of_random_hands() -> None:
    seats = random_seats(20_000, 1)[:4000]
    found = [assert_partitions_as_judged(seat, len(seat.melds), four_groups(seat.melds)) for seat in seats]
    assert 1500 < sum(map(bool, found)) < 3500
    assert max(found) >= 5


def test_huxi_of_random_hands() -> None:
    seats = random_seats(20_000, 1)
    counts, beside = np.array(list(map(whole_counts, seats))), meld_numbers(seats)
    judged = np.array([or_none(whole_huxi(seat.melds, seat.kan, seat.hand)) for seat in seats])
    found = most_huxi(counts, *beside)
    assert np.flatnonzero(found != judged).tolist() == []
    assert np.array_equal(wins(counts, *beside), judged >= LEAST_HUXI)
    assert 5000 < np.count_nonzero(judged >= LEAST_HUXI) < 15_000
    assert 12_000 < np.count_nonzero(judged != NO_PARTITION) < 18_000
    won = [seat for seat, huxi in zip(seats, judged, strict=True) if huxi >= LEAST_HUXI]
    assert {len(seat.kan) for seat in won} == set(range(GROUPS + 1))
    assert {sort for seat in won for sort, _ in seat.melds} == {"ti", "pao", "wei", "peng", "chi"}


# ---- wins against the judge


@jit
def fill_huxi(states: np.ndarray, seats: np.ndarray, with_card: bool, out: np.ndarray) -> None:
    """Overwrite int64[N] with the huxi of the winning seats int64[N], 0 if they do not win."""
    for i in range(len(states)):
        if with_card:
            out[i] = scoring.huxi_with_card(states[i], seats[i])
        else:
            out[i] = scoring.huxi_after_meld(states[i], seats[i])


def states_of(cases: Sequence[Case]) -> tuple[Any, np.ndarray]:
    """The states of these seats, 0, 1, 2 in turn, with a card on the table; and which seats they are."""
    states: Any = paohuzi.new_states(len(cases))
    places = np.arange(len(cases)) % SEATS
    for state, place, (seat, card, own) in zip(states, places.tolist(), cases, strict=True):
        state.once[place] = sum(1 << kind for kind in range(KINDS) if seat.hand[kind] >= 1)
        state.twice[place] = sum(1 << kind for kind in range(KINDS) if seat.hand[kind] >= 2)
        state.kan[place] = sum(1 << kind for kind in seat.kan)
        for sort, what in seat.melds:
            if not isinstance(what, tuple):
                state.melds[place, Meld[sort.upper()]] |= 1 << what
        state.num_groups[place] = len(seat.melds) + len(seat.kan)
        state.huxi[place] = sum(map(meld_huxi, seat.melds)) + sum(sort_huxi("kan", kind) for kind in seat.kan)
        state.fours[place] = four_groups(seat.melds)
        state.card, state.revealed = card, 1
        state.actor = place if own else (place + 1) % SEATS
    return states, places


def huxi_with_card(cases: Sequence[Case]) -> list[int]:
    states, places = states_of(cases)
    out = np.empty(len(cases), np.int64)
    fill_huxi(states, places, True, out)
    return out.tolist()


def huxi_after_meld(seats: Sequence[Seat]) -> list[int]:
    states, places = states_of([(seat, 0, True) for seat in seats])
    out = np.empty(len(seats), np.int64)
    fill_huxi(states, places, False, out)
    return out.tolist()


def meld_of(text: str) -> tuple[str, int | Group]:
    """A meld from sort:token, or a chi from tokens with commas."""
    if "," in text:
        return "chi", tuple(KIND[token] for token in text.split(","))
    sort, token = text.split(":")
    return sort, KIND[token]


def seat_of(hand: str = "", kan: str = "", melds: str = "") -> Seat:
    cards = kinds(hand)
    return Seat(
        [cards.count(kind) for kind in range(KINDS)], set(kinds(kan)), [meld_of(each) for each in melds.split()]
    )


FIVE_GROUPS = "b1 b2 b3 b2 b7 b10 s4 s5 s6 s7 s8 s9 s5 b5 b5"  # 12 huxi


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("seat", "card", "own", "huxi"),
    [
        (seat_of(FIVE_GROUPS + " s2 s7"), "s10", False, 0),  # six groups
        (seat_of(FIVE_GROUPS + " s2 s7", kan="b9"), "s10", False, 21),  # 12 + 3 + 6
        (seat_of(FIVE_GROUPS + " s2 s7", kan="b9"), "s10", True, 21),
        (seat_of(FIVE_GROUPS + " s2 s7", kan="b9"), "s9", True, 0),
        (seat_of(FIVE_GROUPS + " b6 b6", kan="b9"), "b6", False, 21),  # the third of two in hand is a peng: 3
        (seat_of(FIVE_GROUPS + " s10 s10", kan="b9"), "s10", False, 19),  # a small one: 1
        (seat_of(FIVE_GROUPS + " b6 b6", melds="pao:b9"), "b6", False, 0),  # no pair
        (seat_of(FIVE_GROUPS + " b6", melds="pao:b9"), "b6", True, 21),  # the card makes the pair: 12 + 9
        (seat_of(FIVE_GROUPS + " b6", kan="b9"), "b6", True, 0),  # no pair is due
        (seat_of(FIVE_GROUPS + " b6 b6", kan="b9"), "b9", False, 21),  # the kan becomes a pao: 12 + 9
        (seat_of(FIVE_GROUPS + " b6 b6", melds="wei:b9"), "b9", False, 21),
        (seat_of(FIVE_GROUPS + " b6 b6", melds="wei:b9"), "b9", True, 21),
        (seat_of(FIVE_GROUPS + " b6 b6", melds="peng:b9"), "b9", True, 21),
        (seat_of(FIVE_GROUPS + " b6 b6", melds="b8,b9,b10"), "b9", True, 0),
        (seat_of(FIVE_GROUPS + " b7 b8", kan="b9"), "b9", False, 18),  # the fourth copy in a run: 12 + 6
        (seat_of(FIVE_GROUPS + " b7 b8", melds="peng:b9"), "b9", False, 15),  # 12 + 3
        (seat_of("s4 s5 s6 s7 s8 s9 s5 b5 b5 b6 b6", kan="b9", melds="s1,s2,s3 s2,s7,s10"), "b9", False, 15),
        (seat_of("s4 s5 s6 s7 s8 s9 s5 b5 b5 b6 b6", melds="peng:b9 s1,s2,s3 s8,s9,s10"), "b9", False, 0),
    ],
)
def test_some_wins_with_a_card(seat: Seat, card: str, own: bool, huxi: int) -> None:
    assert huxi_with_card([(seat, KIND[card], own)]) == [huxi]
    assert (win_huxi(seat, KIND[card], own) or 0) == huxi


def test_wins_with_a_card_as_judged() -> None:
    rng = random.Random(2)
    cases = []
    for i in range(20_000):
        seat, card, own = made_case(rng, WAYS[i % len(WAYS)])
        cases.append((changed(rng, seat, card), card, own))
    judged = [win_huxi(*case) or 0 for case in cases]
    found = huxi_with_card(cases)
    assert [i for i in range(len(cases)) if found[i] != judged[i]] == []
    won = [case for case, huxi in zip(cases, judged, strict=True) if huxi]
    assert 5000 < len(won) < 15_000
    assert {len(seat.kan) for seat, _, _ in won} == set(range(GROUPS))  # not seven: the card is in a group
    ways = [way for case in won for way, _ in winning_ways(*case)]
    assert all(ways.count(way) > 500 for way in ("partition", "kan", "wei", "peng"))
    assert sum(len(winning_ways(*case)) > 1 for case in won) > 50
    thirds = [case for case in won if case[0].hand[case[1]] == LOOSE]
    assert len(thirds) > 500
    assert sum(own for _, _, own in won) > 1000


def test_wins_with_any_card_as_judged() -> None:
    """All cards for one hand: most complete nothing."""
    rng = random.Random(3)
    cases = []
    for i in range(250):
        seat, _, own = made_case(rng, WAYS[i % len(WAYS)])
        for kind in range(KINDS):
            used = {card for sort, card in seat.melds if sort in ("ti", "pao")}
            if kind not in used:
                cases.append((seat, kind, own and seat.hand[kind] < LOOSE and kind not in seat.kan))
    judged = [win_huxi(*case) or 0 for case in cases]
    assert huxi_with_card(cases) == judged
    assert sum(map(bool, judged)) > 300


def test_wins_after_the_own_meld_as_judged() -> None:
    rng = random.Random(4)
    seats = [changed(rng, made_seat(rng, ("ti", "wei")[i % 2])) for i in range(10_000)]
    judged = [settled_huxi(seat) or 0 for seat in seats]
    found = huxi_after_meld(seats)
    assert [i for i in range(len(seats)) if found[i] != judged[i]] == []
    won = [seat for seat, huxi in zip(seats, judged, strict=True) if huxi]
    assert 3000 < len(won) < 8000
    assert {len(seat.kan) for seat in won} >= set(range(GROUPS))
    assert {sort for seat in won for sort, _ in seat.melds} == {"ti", "pao", "wei", "peng", "chi"}
