"""Arrays of hands (N2): their forms, wins, distance and useful cards, and the waits of single hands."""

import random
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longcards_env._jit import jit
from longcards_env.nantong import groups
from longcards_env.nantong.hands import (
    counts_of,
    counts_of_keys,
    distance,
    keys_of,
    text_of,
    useful,
    wins,
)
from naive import COPIES, GROUPS, KIND, KINDS, TOKENS, groups_from, with_card
from naive import distance as judged_distance
from naive import useful as judged_useful
from naive import wins as judged_wins

Hand = list[int]
ARRAY_FUNCTIONS = [wins, distance, useful]

# Few kinds, so that all small hands can be listed: both ends of a suit, and kinds that touch without being a suit.
REDUCED_DECKS = ["m1 m2 m3 m4 m5 TH", "s5 s6 s7 s8 s9 WF", "m8 m9 s1 s2 s3 RF"]
SMALL_MELDS = (5, 6, 7)
SMALL_SIZES = range(9)

# Kinds to draw the groups of a random hand from; the fewer they are, the more they overlap.
POOLS = [
    list(range(KINDS)),
    list(range(KINDS)),
    list(range(9)),
    list(range(11, 17)),
    [*range(18, 27), 27, 28],
    [*range(4, 13), 27, 28, 29],
]
DECK = [kind for kind in range(KINDS) for _ in range(COPIES)]
TRIPLES_AND_RUNS = [[group for group in groups_from(kind) if len(group) == 3] for kind in range(KINDS)]


def kinds(text: str) -> list[int]:
    return [KIND[token] for token in text.split()]


def small_hands(deck: list[int], size: int) -> Iterator[Hand]:
    """All hands of so many cards of these kinds."""
    if not deck:
        if size == 0:
            yield [0] * KINDS
        return
    for copies in range(min(size, COPIES) + 1):
        for hand in small_hands(deck[1:], size - copies):
            hand[deck[0]] = copies
            yield hand


def whole_size(melds: int) -> int:
    return 3 * (GROUPS - melds) + 2


def random_win(rng: random.Random, melds: int) -> Hand:
    """The counts of 7 - melds groups and a pair, most of them from few kinds."""
    pool = rng.choice(POOLS)
    while True:
        hand = [0] * KINDS
        hand[rng.choice(pool)] = 2
        for _ in range(GROUPS - melds):
            for kind in rng.choice(TRIPLES_AND_RUNS[rng.choice(pool)]):
                hand[kind] += 1
        if max(hand) <= COPIES:
            return hand


def random_cards(rng: random.Random, size: int) -> Hand:
    cards = rng.sample(DECK, size)
    return [cards.count(kind) for kind in range(KINDS)]


def with_changes(rng: random.Random, hand: Hand, changes: int) -> Hand:
    """The hand with this many of its cards exchanged for others; near ones half of the time."""
    changed = list(hand)
    for _ in range(changes):
        out = rng.choice([kind for kind in range(KINDS) if changed[kind]])
        changed[out] -= 1
        near = [kind for kind in range(out - 2, out + 3) if 0 <= kind < KINDS and changed[kind] < COPIES]
        far = [kind for kind in range(KINDS) if changed[kind] < COPIES]
        changed[rng.choice(near if near and rng.random() < 0.5 else far)] += 1
    return changed


def without_card(rng: random.Random, hand: Hand) -> Hand:
    rest = list(hand)
    rest[rng.choice([kind for kind in range(KINDS) if hand[kind]])] -= 1
    return rest


def random_hands(rng: random.Random, number: int, most_changes: int) -> tuple[np.ndarray, np.ndarray]:
    """Hands of all numbers of melds, some winning, some near it and some of any cards: int8[N, 30], int64[N]."""
    hands, melds = [], []
    for _ in range(number):
        beside = rng.choice([0, 0, 0, *range(GROUPS + 1)])
        changes = rng.randint(-1, most_changes)
        if changes < 0:
            hand = random_cards(rng, whole_size(beside))
        else:
            hand = with_changes(rng, random_win(rng, beside), changes)
        hands.append(hand)
        melds.append(beside)
    return np.array(hands, np.int8), np.array(melds)


# ---- text, counts, keys


hands_of_any_size = st.lists(st.integers(0, COPIES), min_size=KINDS, max_size=KINDS)
arrays_of_hands = st.lists(hands_of_any_size, min_size=1, max_size=3).map(lambda hands: np.array(hands, np.int8))


@settings(derandomize=True, deadline=None, database=None, max_examples=200)
@given(arrays_of_hands)
def test_forms_round_trip(counts: np.ndarray) -> None:
    texts = text_of(counts)
    assert np.array_equal(counts_of(texts), counts)
    assert text_of(counts_of(texts)) == texts
    assert np.array_equal(counts_of_keys(keys_of(counts)), counts)
    assert [len(text.split()) for text in texts] == counts.sum(axis=1).tolist()


@settings(derandomize=True, deadline=None, database=None)
@given(st.permutations([token for token in TOKENS for _ in range(COPIES)]), st.integers(0, 23))
def test_text_may_be_in_any_order(tokens: list[str], size: int) -> None:
    hand = tokens[:size]
    (text,) = text_of(counts_of("  ".join(hand)))
    assert text.split() == sorted(hand, key=TOKENS.index)


@pytest.mark.nojit
def test_forms_of_one_hand() -> None:
    counts = counts_of("RF m1 m1 s9 c2 m1 TH")
    assert counts.dtype == np.int8
    assert counts.shape == (1, KINDS)
    assert np.flatnonzero(counts[0]).tolist() == kinds("m1 s9 c2 TH RF")
    assert text_of(counts) == ["m1 m1 m1 s9 c2 TH RF"]
    # One byte for each three ranks, n1 + 5 n2 + 25 n3, and the number of cards in the byte above.
    expected = [3 | 3 << 24, 25 << 16 | 1 << 24, 5 | 1 << 24, 26 | 2 << 24]
    assert keys_of(counts).tolist() == [expected]
    assert counts_of_keys([expected]).tolist() == counts.tolist()


@pytest.mark.nojit
def test_no_cards_and_no_hands() -> None:
    assert counts_of([]).shape == (0, KINDS)
    assert text_of(np.zeros((0, KINDS), np.int8)) == []
    assert text_of(counts_of("")) == [""]
    assert keys_of(counts_of("")).tolist() == [[0, 0, 0, 0]]
    assert counts_of_keys(np.zeros((0, 4), np.int64)).shape == (0, KINDS)


@pytest.mark.nojit
@pytest.mark.parametrize("function", ARRAY_FUNCTIONS)
def test_empty_array(function: Callable[..., np.ndarray]) -> None:
    none = np.zeros((0, KINDS), np.int8)
    for melds in (0, np.zeros(0, np.int64)):
        assert len(function(none, melds)) == 0
    assert keys_of(none).shape == (0, 4)


def test_results_have_their_documented_types() -> None:
    counts = counts_of(["TH TH", "m1 m2"])
    won, short, helps = wins(counts, 7), distance(counts, 7), useful(counts, 7)
    assert (won.dtype, won.shape) == (np.dtype(bool), (2,))
    assert (short.dtype, short.shape) == (np.dtype("int8"), (2,))
    assert (helps.dtype, helps.shape) == (np.dtype(bool), (2, KINDS))


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ("m1 m10", "hand 0: unknown card 'm10'"),
        (["m1", "th"], "hand 1: unknown card 'th'"),
        (["m1", "", "TH m1 TH TH TH TH"], "hand 2: more than 4 of TH"),
    ],
)
def test_bad_text_is_refused(texts: str | list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        counts_of(texts)


BAD_COUNTS = [
    (np.zeros(KINDS, np.int8), r"\[N, 30\], not int8 \[30\]"),
    (np.zeros((2, 29), np.int8), r"not int8 \[2, 29\]"),
    (np.zeros((1, 1, KINDS), np.int8), r"not int8 \[1, 1, 30\]"),
    (np.zeros((1, KINDS)), "not float64"),
    (np.zeros((1, KINDS), np.bool_), "not bool"),
    (np.full((1, KINDS), -1), r"not -1\.\.-1"),
    (np.arange(KINDS)[None] // 6 + np.eye(1, KINDS, 29, dtype=np.int64), r"not 0\.\.5"),
    (np.full((1, KINDS), 256), r"not 256\.\.256"),
]


@pytest.mark.nojit
@pytest.mark.parametrize("function", [*ARRAY_FUNCTIONS, keys_of, text_of])
@pytest.mark.parametrize(("counts", "message"), BAD_COUNTS)
def test_bad_counts_are_refused(function: Callable[..., object], counts: np.ndarray, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        function(counts)


@pytest.mark.nojit
@pytest.mark.parametrize("function", ARRAY_FUNCTIONS)
@pytest.mark.parametrize("melds", [-1, 8, [0, 8], 256])
def test_bad_melds_are_refused(function: Callable[..., object], melds: object) -> None:
    with pytest.raises(ValueError, match=r"melds are 0\.\.7"):
        function(np.zeros((2, KINDS), np.int8), melds)


@pytest.mark.parametrize("function", ARRAY_FUNCTIONS)
@pytest.mark.parametrize("melds", [[0, 0, 0], [[0, 0]]])
def test_melds_of_another_shape_are_refused(function: Callable[..., object], melds: object) -> None:
    with pytest.raises(ValueError, match=r"melds are one integer or \[\d+\], not"):
        function(np.zeros((2, KINDS), np.int8), melds)


@pytest.mark.nojit
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint64"])
def test_any_integers_will_do(dtype: str) -> None:
    counts: np.ndarray = counts_of(["m1 m2 m3 TH TH", "m1 m2 m4 TH TH"]).astype(dtype)
    assert wins(counts, 6).tolist() == wins(counts.tolist(), [6, 6]).tolist() == [True, False]
    assert wins(np.asfortranarray(counts), np.array([6, 5], dtype)).tolist() == [True, False]


# ---- a few hands, by eye


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("text", "melds", "short", "needed"),
    [
        ("m1 m2 m3 TH TH", 6, 0, ""),
        ("m1 m2 m3 TH", 6, 1, "TH"),  # the run stands
        ("m1 m2 TH TH", 6, 1, "m3"),
        ("m4 m5 m6 m7", 6, 1, "m4 m7"),
        ("m8 m9 s1 TH", 6, 2, "m7 s1 TH"),  # runs stay in their suit
        ("TH WF RF s9", 6, 3, "s7 s8 s9 TH WF RF"),  # honours make no runs
        ("TH TH TH TH", 6, 2, " ".join(TOKENS[:27]) + " WF RF"),  # there is no fifth TH
        ("m1 m1 m1 m1", 6, 2, " ".join(TOKENS[1:])),
        ("", 7, 2, " ".join(TOKENS)),
        ("RF", 7, 1, "RF"),
    ],
)
def test_some_distances(text: str, melds: int, short: int, needed: str) -> None:
    counts = counts_of(text)
    assert judged_distance(counts[0].tolist(), melds) == short
    assert judged_useful(counts[0].tolist(), melds) == np.flatnonzero(useful(counts, melds)[0]).tolist()
    assert distance(counts, melds).tolist() == [short]
    assert np.flatnonzero(useful(counts, melds)[0]).tolist() == kinds(needed)


# ---- against the judge


def assert_wins_as_judged(hands: np.ndarray, melds: np.ndarray) -> np.ndarray:
    found = wins(hands, melds)
    judged = [judged_wins(hand, beside) for hand, beside in zip(hands.tolist(), melds.tolist(), strict=True)]
    assert np.flatnonzero(found != judged).tolist() == []
    return found


def assert_distances_as_judged(hands: np.ndarray, melds: np.ndarray) -> np.ndarray:
    found = distance(hands, melds)
    judged = [judged_distance(hand, beside) for hand, beside in zip(hands.tolist(), melds.tolist(), strict=True)]
    assert np.flatnonzero(found != judged).tolist() == []
    return found


def assert_useful_as_judged(hands: np.ndarray, melds: np.ndarray) -> None:
    found = useful(hands, melds)
    for hand, beside, row in zip(hands.tolist(), melds.tolist(), found, strict=True):
        assert np.flatnonzero(row).tolist() == judged_useful(hand, beside), (hand, beside)


def all_small_hands(deck: str) -> np.ndarray:
    return np.array([hand for size in SMALL_SIZES for hand in small_hands(kinds(deck), size)], np.int8)


@pytest.mark.parametrize("melds", SMALL_MELDS)
@pytest.mark.parametrize("deck", REDUCED_DECKS)
def test_every_small_hand(deck: str, melds: int) -> None:
    hands = all_small_hands(deck)
    beside = np.full(len(hands), melds)
    won = assert_wins_as_judged(hands, beside)
    assert_distances_as_judged(hands, beside)
    # A hand of the whole size wins if and only if nothing is missing; no other size wins.
    whole = hands.sum(axis=1) == whole_size(melds)
    assert np.array_equal(won, whole & (distance(hands, beside) == 0))


@pytest.mark.parametrize("melds", SMALL_MELDS)
def test_useful_for_small_hands(melds: int) -> None:
    hands = all_small_hands(REDUCED_DECKS[melds - SMALL_MELDS[0]])[::20]
    assert_useful_as_judged(hands, np.full(len(hands), melds))


@pytest.mark.parametrize("melds", SMALL_MELDS)
def test_distance_is_nought_for_hands_that_contain_a_win(melds: int) -> None:
    deck = kinds(REDUCED_DECKS[0])
    winning = [hand for hand in small_hands(deck, whole_size(melds)) if judged_wins(hand, melds)]
    hands = all_small_hands(REDUCED_DECKS[0])
    contained = np.all(hands[:, None] >= np.array(winning), axis=2)
    assert np.array_equal(distance(hands, melds) == 0, np.any(contained, axis=1))


def test_wins_of_random_hands() -> None:
    found = assert_wins_as_judged(*random_hands(random.Random(1), 20_000, most_changes=1))
    assert 6000 < np.count_nonzero(found) < 12_000


def test_wins_takes_the_right_number_of_cards_alone() -> None:
    rng = random.Random(2)
    melds = np.arange(400) % (GROUPS + 1)
    hands = np.array([random_win(rng, beside) for beside in melds.tolist()], np.int8)
    assert wins(hands, melds).all()
    assert not wins(hands, (melds + 1) % (GROUPS + 1)).any()


def test_distances_of_random_hands() -> None:
    found = assert_distances_as_judged(*random_hands(random.Random(3), 1500, most_changes=8))
    assert set(range(7)) <= set(found.tolist())


def test_distance_falls_by_one_with_a_useful_card_alone() -> None:
    hands, melds = random_hands(random.Random(4), 300, most_changes=8)
    before, helps = distance(hands, melds), useful(hands, melds)
    for kind in range(KINDS):
        room = hands[:, kind] < COPIES
        after = distance(hands[room] + np.eye(KINDS, dtype=np.int8)[kind], melds[room])
        assert np.array_equal(after, before[room] - helps[room, kind])
        assert not helps[~room, kind].any()
    assert helps[before > 0].any(axis=1).all()


def test_useful_for_random_hands() -> None:
    assert_useful_as_judged(*random_hands(random.Random(5), 150, most_changes=5))


# ---- waits


@jit
def fill_waits(held: np.ndarray, keys: np.ndarray, out: np.ndarray) -> None:
    """Overwrite int64[N, 4] keys and int64[N] waits of hands as sets int64[N, 4]."""
    for i in range(len(held)):
        keys[i] = groups.keys_of_held(held[i])
        out[i] = groups.waits(held[i])


def waits_of(hands: np.ndarray) -> list[list[int]]:
    """The kinds that complete each hand of 3n + 1 cards."""
    more_than = hands[:, None] > np.arange(COPIES)[None, :, None]  # [hand, copies, kind]
    held = (more_than << np.arange(KINDS, dtype=np.int64)).sum(axis=2)
    keys, found = np.empty_like(held), np.empty(len(hands), np.int64)
    fill_waits(held, keys, found)
    assert np.array_equal(keys, keys_of(hands))
    return [[kind for kind in range(KINDS) if word >> kind & 1] for word in found.tolist()]


def judged_waits(hand: Hand) -> list[int]:
    melds = GROUPS - sum(hand) // 3
    return [kind for kind in range(KINDS) if hand[kind] < COPIES and judged_wins(with_card(hand, kind), melds)]


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("text", "needed"),
    [
        ("RF", "RF"),
        ("m1 m1 m2 m2", "m1 m2"),
        ("m1 m2 m3 m4", "m1 m4"),
        ("m1 m2 TH TH", "m3"),
        ("m8 m9 TH TH", "m7"),
        ("m9 s1 TH TH", ""),
        ("TH WF RF RF", ""),
        ("m1 m5 m9 s5", ""),  # four lonely cards
        ("m1 m1 m1 m1", ""),  # a fifth copy is no wait
        ("m1 m1 m1 m2 m3 m3 m3", "m1 m2 m3 m4"),
        ("m1 m1 m1 m2 m3 m4 m5 m6 m7 m8 m9 m9 m9", "m1 m2 m3 m4 m5 m6 m7 m8 m9"),
        ("m1 m1 m1 m4 m4 m4 s2 s2 s2 s6 s6 s6 c1 c2 c3 c4 c5 c6 TH TH RF RF", "TH RF"),
    ],
)
def test_some_waits(text: str, needed: str) -> None:
    counts = counts_of(text)
    assert waits_of(counts) == [judged_waits(counts[0].tolist())] == [kinds(needed)]


@pytest.mark.parametrize("size", [1, 4, 7])
@pytest.mark.parametrize("deck", REDUCED_DECKS)
def test_waits_of_every_small_hand(deck: str, size: int) -> None:
    hands = list(small_hands(kinds(deck), size))
    assert waits_of(np.array(hands)) == [judged_waits(hand) for hand in hands]


@pytest.mark.parametrize("melds", range(GROUPS + 1))
def test_waits_of_random_hands(melds: int) -> None:
    rng = random.Random(melds)
    hands = [without_card(rng, with_changes(rng, random_win(rng, melds), rng.choice([0, 0, 1, 2]))) for _ in range(600)]
    hands += [random_cards(rng, whole_size(melds) - 1) for _ in range(50)]
    expected = [judged_waits(hand) for hand in hands]
    assert waits_of(np.array(hands)) == expected
    assert sum(bool(kinds) for kinds in expected) > 250
    assert melds > 5 or any(max(hand) == COPIES and waits for hand, waits in zip(hands, expected, strict=True))
