"""Partitions of hands (N2.4, N6.9): equal to the slow judge's, and few enough for their room in every suit."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

from longcards_env._jit import jit
from longcards_env.nantong.partitions import (
    MAX_WAYS,
    NIBBLE,
    Partition,
    partitions,
    suit_partitions,
    winning_places,
)
from naive import COPIES, GROUPS, KIND, KINDS, groups_from
from naive import partitions as judged_partitions

RANKS = 9
SUIT_HANDS = (COPIES + 1,) * RANKS

# Few kinds, so that all small hands can be listed: both ends of a suit, and kinds that touch without being a suit.
REDUCED_DECKS = ["m1 m2 m3 m4 m5 TH", "s5 s6 s7 s8 s9 WF", "m8 m9 s1 s2 s3 RF", "c7 c8 c9 TH WF RF"]

# Kinds to draw the groups of a random hand from; the fewer they are, the more partitions its hands have.
POOLS = [
    list(range(KINDS)),
    list(range(9)),
    list(range(11, 17)),
    [*range(9, 18), 27, 28],
    [*range(18, 23), 28, 29],
    [*range(4, 13), 27, 28, 29],
]


def kinds(text: str) -> list[int]:
    return [KIND[token] for token in text.split()]


def counts(text: str) -> list[int]:
    cards = kinds(text)
    return [cards.count(kind) for kind in range(KINDS)]


def small_hands(deck: list[int], size: int) -> Iterator[list[int]]:
    """All hands of so many cards of these kinds."""
    if not deck:
        if size == 0:
            yield [0] * KINDS
        return
    for copies in range(min(size, COPIES) + 1):
        for hand in small_hands(deck[1:], size - copies):
            hand[deck[0]] = copies
            yield hand


def random_groups(rng: random.Random, pool: list[int], melds: int) -> list[int] | None:
    """The counts of 7 - melds groups and a pair from the pool; None if a kind would need a fifth copy."""
    hand = [0] * KINDS
    sizes = [3] * (GROUPS - melds) + [2]
    for size in sizes:
        group = rng.choice([group for group in groups_from(rng.choice(pool)) if len(group) == size])
        for kind in group:
            hand[kind] += 1
    return hand if max(hand) <= COPIES else None


def random_win(rng: random.Random, melds: int = 0) -> list[int]:
    while True:
        hand = random_groups(rng, rng.choice(POOLS), melds)
        if hand is not None:
            return hand


def moved_card(rng: random.Random, hand: list[int]) -> list[int]:
    """The hand with one of its cards exchanged for another."""
    changed = list(hand)
    changed[rng.choice([kind for kind in range(KINDS) if hand[kind]])] -= 1
    changed[rng.choice([kind for kind in range(KINDS) if hand[kind] < COPIES])] += 1
    return changed


def found_partitions(hand: list[int], melds: int = 0) -> list[Partition]:
    """The partitions in the judge's order, after a look at their own."""
    found = partitions(np.array(hand, np.int8), melds)
    assert found == sorted(found)
    assert all(len(partition[-1]) == 2 for partition in found)
    return sorted(tuple(sorted(partition)) for partition in found)


# ---- a few hands, by eye


@pytest.mark.nojit
def test_quad_may_be_split_in_any_way() -> None:
    # Four m2: a triple and one in a run, or a pair and two in runs.
    hand = counts("m1 m2 m2 m2 m2 m3 TH TH")
    assert partitions(np.array(hand), 5) == [((0, 1, 2), (1, 1, 1), (27, 27))]
    hand = counts("m1 m1 m2 m2 m2 m2 m3 m3")
    assert partitions(np.array(hand), 5) == [((0, 1, 2), (0, 1, 2), (1, 1))]


def test_honours_make_no_runs() -> None:
    assert partitions(np.array(counts("TH WF RF m1 m1")), 6) == []
    assert partitions(np.array(counts("TH TH TH m1 m1")), 6) == [((27, 27, 27), (0, 0))]


def test_seven_melds_leave_the_pair() -> None:
    assert partitions(np.array(counts("RF RF")), 7) == [((29, 29),)]
    assert partitions(np.array(counts("RF WF")), 7) == []


@pytest.mark.nojit
@pytest.mark.parametrize("melds", [0, 1, 5, 7])
def test_wrong_number_of_cards_has_no_partition(melds: int) -> None:
    assert partitions(np.array(counts("m1 m2 m3 m4 m5 m6 TH TH TH s9 s9")), melds) == []
    assert partitions(np.zeros(KINDS, np.int64), melds) == []


@pytest.mark.nojit
@pytest.mark.parametrize("hand", [[0] * 29, [[0] * 30], [0] * 29 + [5], [0] * 29 + [-1]])
def test_bad_hand_is_refused(hand: object) -> None:
    with pytest.raises(
        ValueError, match=r"hands are integers \[N, 30\], not|a hand holds 0\.\.4 copies of a kind, not"
    ):
        partitions(np.array(hand))


@pytest.mark.nojit
def test_winning_places() -> None:
    (partition,) = partitions(np.array(counts("m1 m2 m3 m3 m3 m3 RF RF")), 5)
    assert partition == ((0, 1, 2), (2, 2, 2), (29, 29))
    assert [winning_places(partition, kind) for kind in kinds("m1 m3 RF WF")] == [[0], [0, 1], [2], []]
    (twice,) = partitions(np.array(counts("c1 c1 c2 c2 c3 c3 s9 s9")), 5)
    assert winning_places(twice, KIND["c2"]) == [0, 1]


# ---- against the judge


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("text", "melds"),
    [
        ("m1 m1 m1 m2 m2 m2 m3 m3 m3 m4 m4 m4 m5 m5 m5 m6 m6 m6 m7 m7 m7 m8 m8", 0),
        ("s1 s1 s1 s1 s2 s2 s2 s2 s3 s3 s3 s3 s4 s4", 3),
        ("c1 c2 c3 c7 c8 c9 c9 c9 c9 TH TH TH RF RF", 3),
        ("m7 m8 m9 s1 s2 s3 s9 s9 WF WF WF", 4),
        ("m7 m8 m9 s1 s2 s4 s9 s9 WF WF WF", 4),
        ("m8 m9 s1 TH TH", 6),
        ("TH TH TH TH WF", 6),
        ("s9 s9", 7),
    ],
)
def test_some_hands(text: str, melds: int) -> None:
    assert found_partitions(counts(text), melds) == judged_partitions(counts(text), melds)


@pytest.mark.parametrize(("size", "melds"), [(2, 7), (5, 6), (8, 5)])
@pytest.mark.parametrize("deck", REDUCED_DECKS)
def test_every_small_hand(deck: str, size: int, melds: int) -> None:
    wins = 0
    for hand in small_hands(kinds(deck), size):
        judged = judged_partitions(hand, melds)
        wins += bool(judged)
        assert found_partitions(hand, melds) == judged, hand
    assert wins >= 6


def test_random_winning_hands() -> None:
    rng = random.Random(1)
    most = 0
    for _ in range(2500):
        hand = random_win(rng)
        judged = judged_partitions(hand, 0)
        assert judged
        assert found_partitions(hand) == judged, hand
        most = max(most, len(judged))
    assert most >= 10


@pytest.mark.parametrize("melds", range(1, GROUPS + 1))
def test_random_hands_beside_melds(melds: int) -> None:
    rng = random.Random(melds)
    for _ in range(200):
        hand = random_win(rng, melds)
        for other in (hand, moved_card(rng, hand)):
            assert found_partitions(other, melds) == judged_partitions(other, melds), other


# ---- all hands of a suit


@jit
def fill_ways(copies: np.ndarray, has_runs: bool, with_pair: bool, ways: np.ndarray) -> None:
    """Overwrite int64[N] ways with the number of partitions of each suit, int64[N] copies."""
    out = np.empty((4 * MAX_WAYS, 3), np.int64)
    for i in range(len(copies)):
        ways[i] = suit_partitions(copies[i], has_runs, with_pair, out)


def beside(ways: np.ndarray, group: tuple[int, ...]) -> np.ndarray:
    """For each hand of a suit: the ways of what is left when this group is taken out."""
    out = np.zeros_like(ways)
    taken = [sum(rank == card for card in group) for rank in range(RANKS)]
    out[tuple(slice(n, None) for n in taken)] = ways[tuple(slice(COPIES + 1 - n) for n in taken)]
    return out


def ways_of_groups(has_runs: bool, with_pair: bool) -> np.ndarray:
    """int64[5, ..., 5]: how many sets of triples and runs, and one pair if asked for, make up each hand of a suit."""
    ways = np.zeros(SUIT_HANDS, np.int64)
    ways[(0,) * RANKS] = 1
    for rank in range(RANKS):
        ways = ways + beside(ways, (rank,) * 3)
    for rank in range(RANKS - 2 if has_runs else 0):
        without_run = ways
        for _ in range(COPIES):
            ways = without_run + beside(ways, (rank, rank + 1, rank + 2))
    if with_pair:
        return np.sum([beside(ways, (rank, rank)) for rank in range(RANKS)], axis=0)
    return ways


def suit_words_and_sizes() -> tuple[np.ndarray, np.ndarray]:
    """The word (four bits a rank) and the number of cards of each hand of a suit, int64[5, ..., 5] both."""
    ranks = np.indices(SUIT_HANDS, np.int64, sparse=True)
    words = sum((copies << NIBBLE * rank for rank, copies in enumerate(ranks)), np.int64(0))
    return np.asarray(words), np.asarray(sum(ranks, np.int64(0)))


@pytest.mark.parametrize("with_pair", [False, True])
def test_every_suit_has_few_partitions_and_all_of_them(with_pair: bool) -> None:
    words, sizes = suit_words_and_sizes()
    chosen = (sizes % 3 == (2 if with_pair else 0)) & (sizes <= 3 * GROUPS + 2)
    expected = ways_of_groups(True, with_pair)[chosen]
    ways = np.empty_like(expected)
    fill_ways(words[chosen], True, with_pair, ways)
    assert np.array_equal(ways, expected)
    assert ways.max() <= MAX_WAYS


@pytest.mark.parametrize("with_pair", [False, True])
def test_every_suit_without_runs(with_pair: bool) -> None:
    words, _ = suit_words_and_sizes()
    honours = (slice(None),) * 3 + (0,) * (RANKS - 3)
    ways = np.empty((COPIES + 1) ** 3, np.int64)
    fill_ways(words[honours].ravel(), False, with_pair, ways)
    assert np.array_equal(ways, ways_of_groups(False, with_pair)[honours].ravel())


@pytest.mark.nojit
def test_rows_of_a_suit() -> None:
    """The rows of `suit_partitions`: rank of the pair, triples, runs."""
    out = np.empty((MAX_WAYS, 3), np.int64)
    n = suit_partitions(0x333, True, False, out)  # three each of ranks 1-3
    assert sorted(out[:n].tolist()) == [[-1, 0x000, 0x003], [-1, 0x111, 0x000]]
    n = suit_partitions(0x113, True, True, out)  # three of rank 1, one each of ranks 2 and 3
    assert out[:n].tolist() == [[0, 0x000, 0x001]]
    assert suit_partitions(0x113, False, True, out) == 0
    assert suit_partitions(0x211, True, False, out) == 0
    n = suit_partitions(0x11100_0000, True, False, out)  # ranks 8 and 9 begin no run
    assert out[:n].tolist() == [[-1, 0x000, 0x00100_0000]]
    assert suit_partitions(0x110000001, True, False, out) == 0
