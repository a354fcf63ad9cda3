"""Arrays of hands (P2): their forms, and the distance to a win and the useful cards against the slow judge."""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longcards_env.paohuzi.distance import FAR
from longcards_env.paohuzi.hands import (
    counts_of,
    counts_of_loose,
    distance,
    loose_of,
    most_huxi,
    text_of,
    useful,
    wins,
)
from naive_paohuzi import CHI_GROUPS, GROUPS, KIND, KINDS, LEAST_HUXI, TOKENS, sort_huxi
from naive_paohuzi import FAR as JUDGED_FAR
from naive_paohuzi import distance as judged_distance
from naive_paohuzi import useful as judged_useful

LOOSE, IN_HAND = 2, 3
MOST_HUXI = 100
Hand = list[int]
ARRAY_FUNCTIONS = [most_huxi, wins, distance, useful]


def kinds(text: str) -> list[int]:
    return [KIND[token] for token in text.split()]


POOLS = [
    list(range(KINDS)),
    list(range(KINDS)),
    list(range(KINDS)),
    [*range(10), 11, 16, 19],
    [*range(10, 20), 1, 6, 9],
    [kind for kind in range(KINDS) if kind % 10 < 6],
    [kind for kind in range(KINDS) if kind % 10 in (0, 1, 2, 5, 6, 7, 8, 9)],
]

# Few kinds, so that all small hands can be listed.
REDUCED_DECK = "s1 s2 s3 s4 b1 b2 b3 b4"


class Case(NamedTuple):
    """Loose cards, kinds of kan, and what is exposed: groups, their huxi, four-groups."""

    loose: Hand
    kan: tuple[int, ...]
    melds: int
    huxi: int
    fours: int

    @property
    def counts(self) -> Hand:
        return [IN_HAND if kind in self.kan else n for kind, n in enumerate(self.loose)]

    def judged(self, least: int = LEAST_HUXI) -> tuple[Hand, int, bool, int]:
        """The hand as the judge takes it: groups still due, whether one is a pair, and the huxi they must bring."""
        kan_huxi = sum(sort_huxi("kan", kind) for kind in self.kan)
        return self.loose, GROUPS - self.melds - len(self.kan), self.fours > 0, least - self.huxi - kan_huxi


def arrays(cases: Sequence[Case]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The cases as the array functions take them."""
    melds, huxi, fours = np.array([[case.melds, case.huxi, case.fours] for case in cases]).T
    return np.array([case.counts for case in cases], np.int8), melds, huxi, fours


def loose_cards(rng: random.Random, size: int, kan: Sequence[int]) -> Hand:
    """So many loose cards, some of them in whole groups, from few kinds or from all."""
    hand, pool = [0] * KINDS, rng.choice(POOLS)
    free = [kind for kind in pool if kind not in kan]
    grouped = rng.random()
    while sum(hand) < size:
        group: Sequence[int] = rng.choice(CHI_GROUPS) if rng.random() < grouped else [rng.choice(free)]
        fits = sum(hand) + len(group) <= size and all(hand[kind] + group.count(kind) <= LOOSE for kind in group)
        if fits and not set(group).intersection(kan) and (len(group) == 1 or set(group) <= set(pool)):
            for kind in group:
                hand[kind] += 1
        elif sum(hand[kind] for kind in free) == LOOSE * len(free):
            free = [kind for kind in range(KINDS) if kind not in kan]
    return hand


def random_case(rng: random.Random, least_size: int = 0, most_size: int = 20) -> Case:
    """Any numbers of cards, kan, melds, huxi and four-groups, mostly such as a deal has."""
    kan = tuple(rng.sample(range(KINDS), rng.choice([0, 0, 0, 0, 1, 1, 2, 3, 6])))
    loose = loose_cards(rng, rng.randint(least_size, most_size), kan)
    fitting = GROUPS - len(kan) - (sum(loose) + 1) // 3  # melds that leave as many groups due as there are cards for
    melds = fitting if rng.random() < 0.7 else rng.randint(0, GROUPS)
    melds = min(max(melds, 0), GROUPS)
    huxi = rng.randint(0, min(MOST_HUXI, 6 * melds + 3))
    return Case(loose, kan, melds, huxi, min(melds, rng.choice([0, 1, 1, 2])))


def random_cases(seed: int, number: int, least_size: int = 0, most_size: int = 20) -> list[Case]:
    rng = random.Random(seed)
    return [random_case(rng, least_size, most_size) for _ in range(number)]


def small_hands(deck: list[int], size: int) -> Iterator[Hand]:
    """All hands of so many loose cards of these kinds."""
    if not deck:
        if size == 0:
            yield [0] * KINDS
        return
    for copies in range(min(size, LOOSE) + 1):
        for hand in small_hands(deck[1:], size - copies):
            hand[deck[0]] = copies
            yield hand


# ---- text, counts, sets


hands_of_any_size = st.lists(st.integers(0, IN_HAND), min_size=KINDS, max_size=KINDS)
arrays_of_hands = st.lists(hands_of_any_size, min_size=1, max_size=3).map(lambda hands: np.array(hands, np.int8))


@settings(derandomize=True, deadline=None, database=None, max_examples=200)
@given(arrays_of_hands)
def test_forms_round_trip(counts: np.ndarray) -> None:
    texts = text_of(counts)
    assert np.array_equal(counts_of(texts), counts)
    assert text_of(counts_of(texts)) == texts
    assert np.array_equal(counts_of_loose(loose_of(counts)), counts)
    assert [len(text.split()) for text in texts] == counts.sum(axis=1).tolist()


@settings(derandomize=True, deadline=None, database=None)
@given(st.permutations([token for token in TOKENS for _ in range(IN_HAND)]), st.integers(0, 21))
def test_text_may_be_in_any_order(tokens: list[str], size: int) -> None:
    hand = tokens[:size]
    (text,) = text_of(counts_of("  ".join(hand)))
    assert text.split() == sorted(hand, key=TOKENS.index)


@pytest.mark.nojit
def test_forms_of_one_hand() -> None:
    counts = counts_of("b10 s1 s1 s9 b2 s1 b10")
    assert counts.dtype == np.int8
    assert counts.shape == (1, KINDS)
    assert np.flatnonzero(counts[0]).tolist() == kinds("s1 s9 b2 b10")
    assert text_of(counts) == ["s1 s1 s1 s9 b2 b10 b10"]
    once, twice, kan = (sum(1 << kind for kind in kinds(text)) for text in ("s9 b2 b10", "b10", "s1"))
    assert loose_of(counts).tolist() == [[once, twice, kan]]
    assert counts_of_loose([[once, twice, kan]]).tolist() == counts.tolist()


@pytest.mark.nojit
def test_no_cards_and_no_hands() -> None:
    assert counts_of([]).shape == (0, KINDS)
    assert text_of(np.zeros((0, KINDS), np.int8)) == []
    assert text_of(counts_of("")) == [""]
    assert loose_of(counts_of("")).tolist() == [[0, 0, 0]]
    assert counts_of_loose(np.zeros((0, 3), np.int64)).shape == (0, KINDS)


@pytest.mark.nojit
@pytest.mark.parametrize("function", ARRAY_FUNCTIONS)
def test_empty_array(function: Callable[..., np.ndarray]) -> None:
    none = np.zeros((0, KINDS), np.int8)
    for number in (0, np.zeros(0, np.int64)):
        assert len(function(none, number, number, number)) == 0


def test_results_have_their_documented_types() -> None:
    counts = counts_of(["s1 s2", "b3 b3"])
    results = [function(counts, 6, 20, [0, 1]) for function in ARRAY_FUNCTIONS]
    assert [result.dtype.name for result in results] == ["int64", "bool", "int8", "bool"]
    assert [result.shape for result in results] == [(2,), (2,), (2,), (2, KINDS)]
    assert results[0].tolist() == [-1, 20]
    assert results[1].tolist() == [False, True]
    assert results[2].tolist() == [1, 0]
    assert np.flatnonzero(results[3][0]).tolist() == kinds("s3")


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ("s1 s11", "hand 0: unknown card 's11'"),
        (["s1", "B1"], "hand 1: unknown card 'B1'"),
        (["s1", "", "b1 b1 s1 b1 b1"], "hand 2: more than 3 of b1"),  # four are a ti (P2.2)
    ],
)
def test_bad_text_is_refused(texts: str | list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        counts_of(texts)


BAD_COUNTS = [
    (np.zeros(KINDS, np.int8), r"hands are integers \[N, 20\], not int8 \[20\]"),
    (np.zeros((2, 30), np.int8), r"not int8 \[2, 30\]"),
    (np.zeros((1, 1, KINDS), np.int8), r"not int8 \[1, 1, 20\]"),
    (np.zeros((1, KINDS)), "not float64"),
    (np.zeros((1, KINDS), np.bool_), "not bool"),
    (np.full((1, KINDS), -1), r"a hand holds 0\.\.3 copies of a kind, not -1\.\.-1"),
    (np.full((1, KINDS), 4), r"not 4\.\.4"),
    (np.full((1, KINDS), 256), r"not 256\.\.256"),
]


@pytest.mark.nojit
@pytest.mark.parametrize("function", [*ARRAY_FUNCTIONS, loose_of, text_of])
@pytest.mark.parametrize(("counts", "message"), BAD_COUNTS)
def test_bad_counts_are_refused(function: Callable[..., object], counts: np.ndarray, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        function(counts)


@pytest.mark.nojit
@pytest.mark.parametrize("function", ARRAY_FUNCTIONS)
@pytest.mark.parametrize(("name", "most"), [("melds", GROUPS), ("huxi", MOST_HUXI), ("fours", GROUPS)])
def test_bad_numbers_are_refused(function: Callable[..., object], name: str, most: int) -> None:
    hands = np.zeros((2, KINDS), np.int8)
    for values in (-1, most + 1, [0, most + 1], 256):
        with pytest.raises(ValueError, match=rf"{name} are 0\.\.{most}, not"):
            function(hands, **{name: values})
    for other in ([0, 0, 0], [[0, 0]], 0.0, [True, False]):
        with pytest.raises(ValueError, match=rf"{name} are one integer or \[2\], not"):
            function(hands, **{name: other})
    function(hands, **{name: most})


@pytest.mark.nojit
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint64"])
def test_any_integers_will_do(dtype: str) -> None:
    counts: np.ndarray = counts_of(["s1 s2 s3 b9 b9", "s1 s2 s4 b9 b9"]).astype(dtype)
    assert wins(counts, 5, 15, 1).tolist() == wins(counts.tolist(), [5, 5], [15, 15], [1, 1]).tolist() == [True, False]
    assert wins(np.asfortranarray(counts), *np.array([[5, 6], [15, 15], [1, 1]], dtype)).tolist() == [True, False]


# ---- a few hands, by eye


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("text", "melds", "huxi", "fours", "far", "needed"),
    [
        ("s1 s2 s3", 6, 12, 0, 0, ""),
        ("s1 s2", 6, 12, 0, 1, "s3"),
        ("s1 s2", 6, 11, 0, FAR, ""),
        ("s8 s9", 6, 15, 0, 1, "s7 s10"),
        ("s2 s7", 6, 15, 0, 1, "s10"),
        ("s2 b7", 6, 15, 0, FAR, ""),
        ("s4 b4", 6, 15, 0, 1, "s4 b4"),
        ("s4 s4", 6, 14, 0, 1, "s4"),  # as a peng: 1; a mix brings nothing
        ("s4 s4", 6, 15, 0, 1, "s4 b4"),
        ("b4 b4", 6, 12, 0, 1, "b4"),
        ("b4 b4", 6, 11, 0, FAR, ""),
        ("b4 b4", 6, 15, 1, 0, ""),  # the pair
        ("b4", 6, 15, 1, 1, "b4"),
        ("b4", 6, 15, 0, FAR, ""),
        ("", 7, 15, 0, 0, ""),
        ("s5", 7, 15, 0, 0, ""),  # a card too many
        ("", 7, 14, 0, FAR, ""),
        ("", 6, 15, 0, FAR, ""),
        ("b9 b9 b9", 6, 9, 0, 0, ""),  # a kan
        ("b9 b9 b9", 6, 8, 0, FAR, ""),
        ("b9 b9 b9", 7, 50, 0, FAR, ""),  # eight groups
        ("b9 b9 b9 s1 s2", 5, 6, 0, 1, "s3"),
        ("s1 s2 b1 b2", 5, 6, 0, 2, "s3 b3"),
        ("s1 s2 b1 b2", 5, 15, 0, 2, "s1 s2 s3 b1 b2 b3"),
        ("s2 s3 s4 s7 s10", 5, 12, 0, 1, "s2 s5"),  # 2-7-10 for its huxi, not 2-3-4
        ("s2 s3 s4 s7 s7", 5, 12, 0, 2, "s1 s2 s5 s7 s10 b7"),  # 2-3-4 would stand, but brings none
    ],
)
def test_some_distances(text: str, melds: int, huxi: int, fours: int, far: int, needed: str) -> None:
    counts = counts_of(text)
    kan = tuple(np.flatnonzero(counts[0] == IN_HAND).tolist())
    case = Case([0 if kind in kan else n for kind, n in enumerate(counts[0].tolist())], kan, melds, huxi, fours)
    assert (judged_distance(*case.judged()), judged_useful(*case.judged())) == (far, kinds(needed))
    assert distance(counts, melds, huxi, fours).tolist() == [far]
    assert np.flatnonzero(useful(counts, melds, huxi, fours)[0]).tolist() == kinds(needed)


@pytest.mark.nojit
def test_least_huxi_may_be_another() -> None:
    counts = counts_of("s8 s9")
    assert [int(distance(counts, 6, 3, 0, least)[0]) for least in (0, 3, 4, 15)] == [1, 1, FAR, FAR]
    assert [np.count_nonzero(useful(counts, 6, 3, 0, least)) for least in (0, 3, 4, 15)] == [2, 2, 0, 0]


# ---- against the judge


def assert_distances_as_judged(cases: Sequence[Case], least: int = LEAST_HUXI) -> np.ndarray:
    found = distance(*arrays(cases), least=least)
    judged = [judged_distance(*case.judged(least)) for case in cases]
    assert np.flatnonzero(found != judged).tolist() == []
    return found


def assert_useful_as_judged(cases: Sequence[Case], least: int = LEAST_HUXI) -> np.ndarray:
    found = useful(*arrays(cases), least=least)
    for case, row in zip(cases, found, strict=True):
        assert np.flatnonzero(row).tolist() == judged_useful(*case.judged(least)), case
    return np.array([row.any() for row in found])


def test_far_is_the_judges() -> None:
    assert FAR == JUDGED_FAR == GROUPS + 1


@pytest.mark.parametrize(
    ("groups", "pair", "need"),
    [(0, 0, 0), (1, 0, 0), (1, 0, 4), (1, 1, 0), (2, 0, 0), (2, 0, 6), (2, 1, 3), (2, 1, 0), (3, 1, 7), (4, 0, 1)],
)
def test_every_small_hand(groups: int, pair: int, need: int) -> None:
    melds = GROUPS - groups
    hands = [hand for size in range(6) for hand in small_hands(kinds(REDUCED_DECK), size)]
    cases = [Case(hand, (), melds, LEAST_HUXI - need, pair) for hand in hands]
    found = assert_distances_as_judged(cases)
    assert_useful_as_judged(cases)
    assert np.count_nonzero(found < FAR) > (25 if groups < 4 else -1)  # more groups than these cards begin


@pytest.mark.parametrize("least", [0, 8, LEAST_HUXI])
def test_distances_of_random_hands(least: int) -> None:
    found = assert_distances_as_judged(random_cases(least, 1200), least)
    assert set(range(6)) <= set(found.tolist())
    assert np.count_nonzero(found == FAR) > 100


def test_distances_of_large_hands() -> None:
    cases = random_cases(1, 1000, least_size=17)
    found = assert_distances_as_judged(cases)
    assert min(sum(case.loose) for case in cases) == 17
    assert np.count_nonzero(found < FAR) > 500
    assert set(range(7)) <= set(found.tolist())


def test_useful_for_random_hands() -> None:
    helped = assert_useful_as_judged(random_cases(3, 1200, most_size=13))
    assert np.count_nonzero(helped) > 400


@pytest.mark.parametrize("least", [0, LEAST_HUXI])
def test_useful_for_large_hands(least: int) -> None:
    helped = assert_useful_as_judged(random_cases(4 + least, 40, least_size=14), least)
    assert np.count_nonzero(helped) > 10


# ---- what must be so of any hand


def test_hands_that_win_are_at_distance_nought() -> None:
    """A hand of the whole size wins if and only if nothing is missing."""
    cases = random_cases(6, 20_000)
    whole = [3 * groups - pair == sum(loose) for loose, groups, pair, _ in (case.judged() for case in cases)]
    cases = [case for case, is_whole in zip(cases, whole, strict=True) if is_whole]
    for least in (0, LEAST_HUXI):
        found = most_huxi(*arrays(cases)) >= least
        assert np.array_equal(found, distance(*arrays(cases), least=least) == 0)
        assert np.count_nonzero(found) > 50


def test_a_card_more_or_fewer_huxi_never_hurt() -> None:
    cases = random_cases(7, 3000, most_size=19)
    counts, melds, huxi, fours = arrays(cases)
    before = distance(counts, melds, huxi, fours)
    assert (distance(counts, melds, huxi + (huxi < MOST_HUXI), fours) <= before).all()
    for kind in range(KINDS):
        room = counts[:, kind] < LOOSE
        more = counts[room] + np.eye(KINDS, dtype=np.int8)[kind]
        assert (distance(more, melds[room], huxi[room], fours[room]) <= before[room]).all()


def test_some_card_helps_whenever_the_win_is_in_reach() -> None:
    found = arrays(random_cases(8, 5000))
    far, helps = distance(*found), useful(*found)
    assert np.array_equal(helps.any(axis=1), (far > 0) & (far < FAR))


@pytest.mark.nojit
@pytest.mark.parametrize("function", [distance, useful])
@pytest.mark.parametrize("least", [-1, 16])
def test_more_huxi_than_a_win_needs_are_refused(function: Callable[..., np.ndarray], least: int) -> None:
    with pytest.raises(ValueError, match=f"least is 0..15 huxi, not {least}"):
        function(counts_of("s1 s2"), least=least)
