"""Chi and bi (P5): every way to lay out a table card, its word, and what it leaves, against the slow judge."""

import random
from collections.abc import Iterator
from itertools import chain

import numpy as np
import pytest

from longcards_env import paohuzi
from longcards_env._jit import jit
from longcards_env.paohuzi.chi import (
    GROUP_NUMBERS,
    LAYOUTS,
    NUM_SHAPES,
    after_chi,
    chi_groups,
    chi_huxi,
    chi_shapes,
)
from longcards_env.paohuzi.groups import GROUPS_OF_THREE
from longcards_env.paohuzi.state import CHI
from naive_paohuzi import KIND, KINDS, Partition, chi_choices, chi_word, chi_words, group_huxi

LOOSE = 2
Hand = list[int]

# Kinds that hang together with a claimed kind most: the fewer a hand is drawn from, the more chi it has.
POOLS = [
    list(range(KINDS)),
    list(range(10)),
    [kind for kind in range(KINDS) if kind % 10 < 5],
    [kind for kind in range(KINDS) if kind % 10 in (0, 1, 2, 5, 6, 7, 8, 9)],
    [kind for kind in range(KINDS) if 2 < kind % 10 < 8],
]


def kinds(text: str) -> list[int]:
    return [KIND[token] for token in text.split()]


def counts(text: str) -> Hand:
    cards = kinds(text)
    return [cards.count(kind) for kind in range(KINDS)]


@jit
def fill_chi(hands: np.ndarray, kinds: np.ndarray, spare: int, shapes: np.ndarray, after: np.ndarray) -> None:
    """Overwrite int64[N] shapes, and int64[N, NUM_SHAPES, 4] once, twice, huxi and groups after each of them.

    hands: once and twice, int64[N, 2].
    """
    for i in range(len(hands)):
        once, twice, kind = hands[i, 0], hands[i, 1], kinds[i]
        shapes[i] = chi_shapes(once, twice, kind, spare)
        for shape in range(after.shape[1]):
            if shapes[i] >> shape & 1:
                after[i, shape, 0], after[i, shape, 1] = after_chi(once, twice, kind, shape)
                after[i, shape, 2] = chi_huxi(kind, shape)
                after[i, shape, 3] = chi_groups(kind, shape)


Found = dict[str, tuple[Hand, int, int]]  # by word: the loose cards left, huxi and groups of the chi


def found_chi(hands: list[Hand], cards: list[int], spare: int) -> Iterator[Found]:
    """All chi of a card with each hand; no two shapes have the same word."""
    counted = np.array(hands)
    sets = np.stack([(counted >= n) @ (1 << np.arange(KINDS)) for n in (1, 2)], axis=1)
    shapes, after = np.empty(len(hands), np.int64), np.empty((len(hands), NUM_SHAPES, 4), np.int64)
    fill_chi(sets, np.array(cards), spare, shapes, after)
    for kind, word, rows in zip(cards, shapes.tolist(), after.tolist(), strict=True):
        offered = [shape for shape in range(NUM_SHAPES) if word >> shape & 1]
        found: Found = {}
        for shape in offered:
            once, twice, huxi, groups = rows[shape]
            left = [(once >> card & 1) + (twice >> card & 1) for card in range(KINDS)]
            found[paohuzi.action_name(CHI + shape, kind)] = left, huxi, groups
        assert len(found) == len(offered)
        yield found


def left_after(hand: Hand, kind: int, groups: Partition) -> Hand:
    """What the judge leaves in hand of a chi."""
    used = [card for group in groups for card in group]
    return [n - used.count(card) + (card == kind) for card, n in enumerate(hand)]


def judged_chi(hand: Hand, kind: int, spare: int) -> Found:
    found: Found = {}
    for groups in chi_choices(hand, (), kind):
        left = left_after(hand, kind, groups)
        if sum(left) >= spare:
            found[chi_word(groups)] = left, sum(map(group_huxi, groups)), len(groups)
    return found


def random_hand(rng: random.Random) -> tuple[Hand, int]:
    """Loose cards, many of them of few kinds, and a kind to claim."""
    pool = rng.choice(POOLS)
    hand = [0] * KINDS
    for _ in range(rng.randint(0, 20)):
        kind = rng.choice(pool if rng.random() < 0.9 else range(KINDS))
        hand[kind] = min(hand[kind] + 1, LOOSE)
    return hand, rng.choice(pool)


# ---- a few, by eye


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("card", "hand", "words"),
    [
        ("s2", "s1 s3", ["s1s2s3"]),
        ("s2", "s7 s10", ["s2s7s10"]),
        ("b10", "b2 b7 b8 b9", ["b2b7b10", "b8b9b10"]),
        ("s4", "s4 b4", ["s4s4b4"]),
        ("s4", "b4 b4", ["s4b4b4"]),
        ("b4", "s4 b4", ["s4b4b4"]),
        ("s10", "b1 b2", []),
        ("s4", "s5 s6 s4", []),  # the other copy must be laid out too (P5.2)
        ("s4", "s4 s5 s6 s5 s6", ["s4s5s6+s4s5s6"]),
        ("s4", "s4 s5 s6 b4 b4", ["s4s4b4", "s4s5s6+s4b4b4"]),
        ("s4", "s4 s4 b4 s2 s3", ["s2s3s4+s4s4b4"]),
        ("s4", "s4 s4 s2 s3 s5 s3 s5 s6", ["s2s3s4+s3s4s5+s4s5s6"]),
        ("s4", "s4 s4", []),
    ],
)
def test_some_chi(card: str, hand: str, words: list[str]) -> None:
    ((found),) = found_chi([counts(hand)], [KIND[card]], 0)
    assert sorted(found) == [f"chi {word}" for word in words] == chi_words(counts(hand), (), KIND[card])


@pytest.mark.nojit
@pytest.mark.parametrize(("hand", "spare", "offered"), [("s1 s3", 0, 1), ("s1 s3", 1, 0), ("s1 s3 b8", 1, 1)])
def test_a_card_is_kept_for_the_discard(hand: str, spare: int, offered: int) -> None:
    """P4.6."""
    (found,) = found_chi([counts(hand)], [KIND["s2"]], spare)
    assert len(found) == offered


# ---- all of them


def all_choices() -> list[list[tuple[int, Partition]]]:
    """By copies in hand: each kind with each chi of it that some hand can lay out."""
    found: list[list[tuple[int, Partition]]] = []
    for copies in range(LOOSE + 1):
        hands = [[copies if card == kind else LOOSE for card in range(KINDS)] for kind in range(KINDS)]
        found.append([(kind, groups) for kind in range(KINDS) for groups in chi_choices(hands[kind], (), kind)])
    return found


@pytest.mark.nojit
def test_every_chi_that_some_hand_can_make_has_a_shape() -> None:
    choices = all_choices()
    assert [len(each) for each in choices] == [74, 180, 228]
    listed = [(kind, groups) for kind in range(KINDS) for groups in LAYOUTS[kind] if groups is not None]
    assert len(listed) == len(set(listed)) == 482
    assert sorted(listed) == sorted(chain.from_iterable(choices))
    assert NUM_SHAPES == 46 == len(LAYOUTS[0])
    assert all(any(LAYOUTS[kind][shape] for kind in range(KINDS)) for shape in range(NUM_SHAPES))


@pytest.mark.nojit
def test_words_of_chi() -> None:
    """P5.3: a word says all groups in kind order, and which card it claims is not in it."""
    judged = {chi_word(groups) for each in all_choices() for _, groups in each}
    by_kind = [[paohuzi.action_name(CHI + shape, kind) for shape in range(NUM_SHAPES)] for kind in range(KINDS)]
    assert {word for words in by_kind for word in words if word} == judged
    assert len(judged) == 376
    for kind, words in enumerate(by_kind):
        own = [word for word in words if word]
        assert len(own) == len(set(own))
        assert own == [chi_word(groups) for groups in LAYOUTS[kind] if groups is not None]


@pytest.mark.nojit
def test_a_shape_is_the_same_chi_of_every_kind() -> None:
    """An action number means the same of each kind: the groups by their places relative to the kind claimed."""
    for shape in range(NUM_SHAPES):
        forms = {form_of(kind, groups) for kind in range(KINDS) if (groups := LAYOUTS[kind][shape]) is not None}
        assert len(forms) == 1


def form_of(kind: int, groups: Partition) -> tuple[tuple[object, ...], ...]:
    """The groups as ranks above or below the kind, with its own size first; 2-7-10 by name."""

    def form(group: tuple[int, ...]) -> tuple[object, ...]:
        if [card % 10 for card in group] == [1, 6, 9] and len({card // 10 for card in group}) == 1:
            return ("2-7-10",)
        return tuple(sorted((card // 10 != kind // 10, card % 10 - kind % 10) for card in group))

    return tuple(sorted(map(form, groups), key=repr))


@pytest.mark.nojit
def test_numbers_of_the_groups_of_a_chi() -> None:
    for kind in range(KINDS):
        for shape, groups in enumerate(LAYOUTS[kind]):
            numbers = [int(number) for number in GROUP_NUMBERS[kind, shape] if number >= 0]
            assert tuple(GROUPS_OF_THREE[number] for number in numbers) == (groups or ())


# ---- random hands


@pytest.mark.parametrize("spare", [0, 1])
def test_chi_as_judged(spare: int) -> None:
    """All chi, the cards left, huxi and groups, of 20,000 hands."""
    rng = random.Random(spare)
    drawn = [random_hand(rng) for _ in range(20_000)]
    hands, cards = [hand for hand, _ in drawn], [kind for _, kind in drawn]
    several = 0
    words: set[str] = set()
    for hand, kind, found in zip(hands, cards, found_chi(hands, cards, spare), strict=True):
        judged = judged_chi(hand, kind, spare)
        assert found == judged, (hand, kind)
        several += len(judged) > 1
        words.update(judged)
    assert several > 3000
    assert len(words) > 300


def test_every_chi_is_found_with_just_its_cards() -> None:
    """With the cards of a chi alone; with one of them less it cannot be made."""
    for copies, choices in enumerate(all_choices()):
        for kind, groups in choices:
            hand = [0] * KINDS
            for card in [card for group in groups for card in group]:
                hand[card] += 1
            hand[kind] -= 1
            assert hand[kind] == copies
            (found, barred) = (next(found_chi([hand], [kind], spare)) for spare in (0, 1))
            left, huxi, made = found[chi_word(groups)]
            assert (sum(left), huxi, made) == (0, sum(map(group_huxi, groups)), len(groups))
            assert chi_word(groups) not in barred
            for card in set(range(KINDS)) - {kind}:
                if hand[card]:
                    fewer = [n - (card == other) for other, n in enumerate(hand)]
                    assert chi_word(groups) not in next(found_chi([fewer], [kind], 0))
