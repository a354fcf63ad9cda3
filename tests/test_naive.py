"""Tests of the slow judge and engine: the rules' examples, each clause of N6, and the golden deals."""

from __future__ import annotations

import gzip
import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from naive import (
    KIND,
    KINDS,
    TOKENS,
    Score,
    Seat,
    Win,
    base_hu,
    best_score,
    distance,
    groups_from,
    has_three_elders,
    partitions,
    preference,
    round_up,
    settle,
    useful,
    wins,
)
from naive_engine import Deal

GOLDEN = Path(__file__).parent / "golden" / "nantong.jsonl.gz"

# Seven runs and a pair of TH; no group scores, so its base hu is 0.
SEVEN_RUNS = "m1 m2 m3 m4 m5 m6 m7 m8 m9 s1 s2 s3 s4 s5 s6 s7 s8 s9 c4 c5 c6 TH TH"
# Six runs, a triple of RF (4 in hand, x2 old general = 8 hu) and a pair of TH.
SIX_RUNS = "m1 m2 m3 m4 m5 m6 m7 m8 m9 s1 s2 s3 s4 s5 s6 s7 s8 s9 RF RF RF TH TH"
# Triples only: with indicators of rank 2 they are 4 hu each.
SEVEN_TRIPLES = "m1 m1 m1 m4 m4 m4 m7 m7 m7 s1 s1 s1 s4 s4 s4 s7 s7 s7 c5 c5 c5 TH TH"
SIX_TRIPLES = "m4 m4 m4 m7 m7 m7 s1 s1 s1 s4 s4 s4 s7 s7 s7 c5 c5 c5 TH TH"


def kinds(tokens: str) -> list[int]:
    """Read tokens into kinds."""
    return [KIND[token] for token in tokens.split()]


def counts(tokens: str) -> list[int]:
    """Read tokens into counts."""
    cards = kinds(tokens)
    return [cards.count(kind) for kind in range(KINDS)]


def seat_of(hand: str = "", melds: str = "", hezi: str | None = None, ready: bool = False) -> Seat:
    """Build a seat from tokens; melds are written sort:token."""
    pairs = [meld.split(":") for meld in melds.split()]
    own = None if hezi is None else KIND[hezi]
    return Seat(counts(hand), [(sort, KIND[token]) for sort, token in pairs], own, ready)


def score_of(seat: Seat, source: str = "discard", card: str | None = "m1", flags: str = "") -> Score:
    """Score a win under the indicators m2 m2, of a rank that no scoring group of the hands has."""
    kind = None if card is None else KIND[card]
    return best_score(seat, kinds("m2 m2"), Win(source, kind, "first" in flags, "last" in flags))


# ---------------------------------------------------------------------------------------------------------
# Section 7


@pytest.mark.parametrize(
    ("seat", "indicators", "hu"),
    [
        (seat_of("m2 m2 m2"), "s2 m3", 8),  # 4 x2 (rank 2)
        (seat_of("s2 s2 s2"), "s2 m3", 24),  # 12 (exact) x2 (rank 2)
        (seat_of(hezi="c4"), "c4 c4", 64),  # 16 x2 x2
        (seat_of(hezi="TH"), "TH TH", 128),  # 16 x2 (old general) x2 x2
    ],
)
def test_worked_examples(seat: Seat, indicators: str, hu: int) -> None:
    """The base hu of section 7's examples."""
    assert base_hu(seat, kinds(indicators)) == hu


def test_worked_settlement() -> None:
    """Section 7's rounding and settlement (N6.10, N6.11)."""
    assert [round_up(22), round_up(20), round_up(0), round_up(1)] == [30, 20, 0, 10]
    assert settle([100, 40, 20]) == [140, -40, -100]


# ---------------------------------------------------------------------------------------------------------
# N2


def test_tokens() -> None:
    """Thirty kinds in the order of N1.1."""
    assert len(TOKENS) == KINDS == 30
    assert kinds("m1 m9 s1 s9 c1 c9 TH WF RF") == [0, 8, 9, 17, 18, 26, 27, 28, 29]


def test_partitions_are_distinct_and_whole() -> None:
    """Three equal triples are three equal runs too; each partition is listed once (N2.4)."""
    hand = counts("m1 m1 m1 m2 m2 m2 m3 m3 m3 TH TH")
    run, pair = (0, 1, 2), (27, 27)
    assert partitions(hand, 4) == [((0, 0, 0), (1, 1, 1), (2, 2, 2), pair), (run, run, run, pair)]
    assert partitions(hand, 3) == []
    assert partitions(counts("m1 m1 m1 m2 m2 m2 m3 m3 TH TH TH"), 4) != []


def test_two_pairs_are_no_win() -> None:
    """Exactly one pair and no loose card belongs to a win (N2.4)."""
    assert not wins(counts("m1 m1 m3 m3 m5"), 6)
    assert not wins(counts("m1 m1 m1 TH TH WF WF WF"), 6)
    assert wins(counts("m1 m1 m1 TH TH WF WF WF"), 5)


def test_four_in_hand_may_be_split() -> None:
    """Four identical cards are a triple and one in a run, or in four runs, never a group (N2.4)."""
    assert wins(counts("m1 m1 m1 m1 m2 m3 TH TH"), 5)
    assert wins(counts("m1 m1 m1 m1 m2 m2 m2 m2 m3 m3 m3 m3 TH TH"), 3)
    assert not wins(counts("m1 m1 m1 m1 TH TH"), 6)


def test_runs_stay_in_their_suit() -> None:
    """s7 s8 s9 is a run; m9 s1 s2 and TH WF RF are not (N2.1)."""
    assert wins(counts("s7 s8 s9 TH TH"), 6)
    assert not wins(counts("m9 s1 s2 TH TH"), 6)
    assert not wins(counts("m8 m9 s1 TH TH"), 6)
    assert not wins(counts("TH WF RF m1 m1"), 6)


def test_seven_melds_leave_the_pair() -> None:
    """With seven melds only the pair is in hand (N2.4)."""
    assert wins(counts("RF RF"), 7)
    assert not wins(counts("RF WF"), 7)
    assert distance(counts("RF"), 7) == 1


def targets(groups: int) -> Iterator[list[int]]:
    """List every complete hand of so many groups and a pair, at most four of a kind, one by one (N2.4)."""
    every = [group for kind in range(KINDS) for group in groups_from(kind)]
    sets = [group for group in every if len(group) == 3]
    pairs = [group for group in every if len(group) == 2]
    for chosen in itertools.combinations_with_replacement(sets, groups):
        for pair in pairs:
            cards = [kind for group in (*chosen, pair) for kind in group]
            if all(cards.count(kind) <= 4 for kind in set(cards)):
                yield cards


def brute_distance(hand: list[int], all_targets: list[list[int]]) -> int:
    """Take the least number of cards missing over all complete hands listed (N2.4)."""
    return min(sum(max(0, cards.count(kind) - hand[kind]) for kind in set(cards)) for cards in all_targets)


def random_hand(rng: random.Random, cards: int, narrow: bool) -> list[int]:
    """Draw cards from the whole deck, or from a few close kinds only."""
    pool = (kinds("m1 m2 m3 m4 s7 s8 s9 TH") if narrow else list(range(KINDS))) * 4
    drawn = rng.sample(pool, cards)
    return [drawn.count(kind) for kind in range(KINDS)]


@pytest.mark.parametrize(("groups", "hands"), [(0, 20), (1, 40), (2, 6)])
def test_distance_against_every_complete_hand(groups: int, hands: int) -> None:
    """The distance equals the least shortage over all complete hands, whatever the number of cards (N2.4)."""
    rng = random.Random(groups)
    all_targets = list(targets(groups))
    for trial in range(hands):
        hand = random_hand(rng, rng.randrange(3 * groups + 6), trial % 2 == 0)
        assert distance(hand, 7 - groups) == brute_distance(hand, all_targets)


def test_distance_falls_with_useful_cards_down_to_a_win() -> None:
    """A useful card lowers the distance by one; at one, the useful cards are those that win (N2.4)."""
    rng = random.Random(5)
    for _ in range(5):
        hand = random_hand(rng, 22, False)
        while distance(hand, 0) > 1:
            before = distance(hand, 0)
            hand[rng.choice(useful(hand, 0))] += 1
            assert distance(hand, 0) == before - 1
            drop_a_spare_card(hand, before - 1)
        waits = [kind for kind in range(KINDS) if hand[kind] < 4 and wins(plus(hand, kind), 0)]
        assert useful(hand, 0) == waits


def plus(hand: list[int], kind: int) -> list[int]:
    """Give the hand with one more card."""
    return [count + (1 if own == kind else 0) for own, count in enumerate(hand)]


def drop_a_spare_card(hand: list[int], wanted: int) -> None:
    """Take out the first card that keeps the distance, so that the hand stays at 22 cards."""
    for kind in range(KINDS):
        if hand[kind]:
            hand[kind] -= 1
            if distance(hand, 0) == wanted:
                return
            hand[kind] += 1
    raise AssertionError("no spare card in 23 cards that do not win")


def test_distance_knows_only_four_copies() -> None:
    """A complete hand has at most four of a kind: TH TH TH TH is a triple or a pair, not both (N1.1)."""
    assert distance(counts("TH TH TH TH"), 6) == 2
    assert distance(counts("TH TH TH TH WF"), 6) == 1
    assert useful(counts("TH TH TH TH WF"), 6) == kinds("WF")
    assert useful(counts("m1 m2 TH TH"), 6) == kinds("m3")
    assert useful(counts("m1 m1 TH TH"), 6) == kinds("m1 TH")


# ---------------------------------------------------------------------------------------------------------
# N6.1 - N6.4


@pytest.mark.parametrize(
    ("seat", "hu"),
    [
        (seat_of("m1 m1 s1 c1 TH TH RF"), 0),
        (seat_of(melds="pong:m1"), 2),
        (seat_of("m1 m1 m1"), 4),
        (seat_of(melds="exposed_kong:m1"), 8),
        (seat_of(melds="added_kong:m1"), 8),
        (seat_of(melds="concealed_kong:m1"), 12),
        (seat_of("m1 m1 m1 m1"), 12),
        (seat_of(melds="opening_quad:m1"), 16),
        (seat_of(melds="opening_triple:m1"), 16),
        (seat_of(hezi="m1"), 16),
        (seat_of("m1 m1 m1 m2 m2 m2 m3 m3 m3"), 12),  # three triples by count, even if used as runs
        (seat_of("m1 m1 m1 s4 s4 s4 s4", "pong:c1 opening_quad:c9", "m5"), 50),  # 4 + 12 + 2 + 16 + 16
    ],
)
def test_base_values(seat: Seat, hu: int) -> None:
    """The base values without any double (N6.1)."""
    assert base_hu(seat, kinds("m7 s8")) == hu


@pytest.mark.parametrize(
    ("seat", "hu"),
    [
        (seat_of("m3 m3 m3"), 24),  # 12 (exact) x2 (rank)
        (seat_of(melds="pong:m3"), 8),  # 2 x2 (exact) x2 (rank)
        (seat_of(melds="opening_triple:m3"), 32),  # 16 x2 (rank)
        (seat_of("s3 s3 s3"), 8),  # no exact match: 4 x2 (rank)
        (seat_of(melds="pong:s3"), 4),  # no exact match: 2 x2 (rank)
        (seat_of("RF RF RF"), 48),  # 12 (exact) x2 (old general) x2 (indicator RF)
        (seat_of(melds="pong:RF"), 16),  # 2 x2 (exact) x2 (old general) x2 (indicator RF)
    ],
)
def test_exact_match(seat: Seat, hu: int) -> None:
    """Three in hand start at 12 and a pong doubles once more; opening melds keep 16 (N6.2)."""
    assert base_hu(seat, kinds("m3 RF")) == hu


@pytest.mark.parametrize(
    ("token", "indicators", "hu"),
    [
        ("TH", "m7 s8", 8),  # 4 x2 (old general)
        ("s9", "m7 s8", 8),  # 4 x2 (old general)
        ("TH", "WF m3", 16),  # 4 x2 (old general) x2 (WF)
        ("TH", "WF s9", 32),  # 4 x2 (old general) x2 (WF) x2 (s9)
        ("s9", "RF RF", 32),  # 4 x2 (old general) x2 x2
        ("s9", "m9 c9", 8),  # 4 x2 (old general); ordinary nines do nothing
        ("m9", "s9 TH", 4),  # old generals do nothing for an ordinary kind
        ("m9", "c9 s9", 8),  # 4 x2 (c9)
        ("m5", "s5 s5", 16),  # 4 x2 x2: identical indicators count twice
        ("m5", "s5 c5", 16),  # 4 x2 x2
        ("m5", "m6 m4", 4),
    ],
)
def test_doubles_of_a_group(token: str, indicators: str, hu: int) -> None:
    """Three in hand doubled by old generals and by each indicator (N6.3)."""
    assert base_hu(seat_of(f"{token} {token} {token}"), kinds(indicators)) == hu


@pytest.mark.parametrize("sort", ["exposed_kong", "added_kong", "concealed_kong", "opening_quad"])
def test_doubles_of_melds(sort: str) -> None:
    """Every kind of meld takes the same doubles: x2 (old general) x2 (indicator WF) (N6.3)."""
    plain = base_hu(seat_of(melds=f"{sort}:m1"), kinds("m7 s8"))
    assert base_hu(seat_of(melds=f"{sort}:TH"), kinds("m7 WF")) == plain * 4


@pytest.mark.parametrize(
    ("hand", "card", "from_other", "hu"),
    [
        ("m1 m1 m1", "m1", True, 2),  # as a pong
        ("m1 m1 m1", "m1", False, 4),  # as in hand
        ("m1 m1 m1 s1 s1 s1", "m1", True, 6),  # 2 and, untouched, 4
        ("m3 m3 m3", "m3", True, 8),  # pong 2 x2 (exact) x2 (rank)
        ("m3 m3 m3", "m3", False, 24),  # 12 (exact) x2 (rank)
        ("TH TH TH", "TH", True, 4),  # pong 2 x2 (old general)
        ("m1 m1 m1 m1", "m1", True, 12),  # a fourth copy scores 12 whatever its source
        ("m5 m5 m5 m6 m6 m6 m7 m7 m7", "m6", True, 10),  # 4 + 2 + 4, even if used as runs
        ("m1 m1", "m1", True, 0),
    ],
)
def test_winning_card_completes_a_triple(hand: str, card: str, from_other: bool, hu: int) -> None:
    """A triple completed by another's card scores as a pong, by count (N6.4)."""
    assert base_hu(seat_of(hand), kinds("m3 s8"), KIND[card], from_other) == hu


# ---------------------------------------------------------------------------------------------------------
# N6.5


@pytest.mark.parametrize(
    ("hand", "card", "bonus", "shape"),
    [
        (SEVEN_RUNS, "m1", 100, "qing"),
        (SIX_RUNS, "m1", 20, "tazi"),
        (SEVEN_TRIPLES, "m1", 50, "piao"),
    ],
)
def test_shapes(hand: str, card: str, bonus: int, shape: str) -> None:
    """Qing, Tazi and Piao Hu won from a discard without any other bonus (N6.5)."""
    score = score_of(seat_of(hand), card=card)
    assert (score["bonus"], score["shape"], score["final_wait"]) == (bonus, shape, False)


def test_shapes_with_melds() -> None:
    """A meld breaks Qing Hu, and counts as a triple in Piao Hu (N6.5)."""
    runs = "m1 m2 m3 m4 m5 m6 m7 m8 m9 s1 s2 s3 s4 s5 s6 s7 s8 s9 TH TH"
    assert score_of(seat_of(runs, "concealed_kong:c4"))["shape"] == "tazi"
    seven_pongs = "pong:m1 pong:m3 pong:m5 pong:m7 pong:s1 pong:s3 pong:s5"
    assert score_of(seat_of("RF RF", seven_pongs), card="RF")["shape"] == "piao"


@pytest.mark.parametrize(
    ("hand", "card", "wenqian", "bonus"),
    [
        # tazi 20 + one 20
        ("c1 c2 c3 m4 m5 m6 m7 m8 m9 s1 s2 s3 s4 s5 s6 s7 s8 s9 RF RF RF TH TH", "m4", 1, 40),
        # qing 100 + two 50
        ("c1 c1 c2 c2 c3 c3 m1 m2 m3 m4 m5 m6 m7 m8 m9 s1 s2 s3 s4 s5 s6 TH TH", "m4", 2, 150),
        # qing 100 + three 100
        ("c1 c1 c1 c2 c2 c2 c3 c3 c3 m1 m2 m3 m4 m5 m6 m7 m8 m9 s1 s2 s3 TH TH", "m4", 3, 200),
        # piao 50 + four 200; the c1 c2 c3 do not break Piao Hu
        ("c1 c1 c1 c1 c2 c2 c2 c2 c3 c3 c3 c3 m1 m1 m1 m4 m4 m4 m7 m7 m7 TH TH", "m4", 4, 250),
        # piao 50 + one 20
        ("c1 c2 c3 m4 m4 m4 m7 m7 m7 s1 s1 s1 s4 s4 s4 s7 s7 s7 c5 c5 c5 TH TH", "m4", 1, 70),
        # m1 m2 m3 is no wenqian: qing 100
        (SEVEN_RUNS, "m4", 0, 100),
    ],
)
def test_wenqian(hand: str, card: str, wenqian: int, bonus: int) -> None:
    """The runs c1 c2 c3 of the partition (N6.5)."""
    score = score_of(seat_of(hand), card=card)
    assert (score["wenqian"], score["bonus"]) == (wenqian, bonus)


@pytest.mark.parametrize(
    ("source", "bonus"),
    [
        ("discard", 100),
        ("robbed_kong", 100),
        ("self_draw", 110),  # 100 + self-draw 10
        ("kong_replacement", 120),  # 100 + self-draw 10 + kong replacement 10
    ],
)
def test_draw_bonuses(source: str, bonus: int) -> None:
    """Self-draw, and the kong replacement on top of it (N6.5)."""
    assert score_of(seat_of(SEVEN_RUNS), source)["bonus"] == bonus


@pytest.mark.parametrize(
    ("token", "final"),
    [
        ("m1", False),
        ("m2", True),
        ("m3", True),
        ("m4", False),
        ("m5", True),
        ("m6", False),
        ("m7", True),
        ("m8", True),
        ("m9", False),
        ("TH", True),
    ],
)
def test_final_wait(token: str, final: bool) -> None:
    """The pair, a middle card, the 3 of 1-2-3 and the 7 of 7-8-9 (N6.5)."""
    score = score_of(seat_of(SEVEN_RUNS), card=token)
    assert (score["final_wait"], score["bonus"]) == (final, 110 if final else 100)


def test_final_wait_needs_the_right_run() -> None:
    """The 3 of 3-4-5, the 7 of 5-6-7 and a card of a triple are no final wait (N6.5)."""
    threes = SEVEN_RUNS.replace("c4 c5 c6", "c3 c4 c5")
    sevens = SEVEN_RUNS.replace("c4 c5 c6", "c5 c6 c7")
    assert not score_of(seat_of(threes), card="c3")["final_wait"]
    assert not score_of(seat_of(sevens), card="c7")["final_wait"]
    assert not score_of(seat_of(SIX_RUNS), card="RF")["final_wait"]


# ---------------------------------------------------------------------------------------------------------
# N6.6 - N6.8


@pytest.mark.parametrize(
    ("hand", "melds", "card", "multiplier", "total"),
    [
        # 7 x 4 + piao 50 + pair 10 = 88; x2 piao x2 closed = 352
        (SEVEN_TRIPLES, "", "TH", 4, 360),
        # pong 2 + 24 + 60 = 86; x2 piao = 172
        (SIX_TRIPLES, "pong:m1", "TH", 2, 180),
        # added kong 8 + 24 + 60 = 92; x2 piao = 184
        (SIX_TRIPLES, "added_kong:m1", "TH", 2, 190),
        # exposed kong 8 + 24 + 60 = 92; x2 piao x2 closed = 368
        (SIX_TRIPLES, "exposed_kong:m1", "TH", 4, 370),
        # concealed kong 12 + 24 + 60 = 96; x4 = 384
        (SIX_TRIPLES, "concealed_kong:m1", "TH", 4, 390),
        # opening quad 16 + 24 + 60 = 100; x4 = 400
        (SIX_TRIPLES, "opening_quad:m1", "TH", 4, 400),
        # a triple completed by the discard: 6 x 4 + 2 + 50 = 76; still x4 = 304
        (SEVEN_TRIPLES, "", "c5", 4, 310),
    ],
)
def test_floating(hand: str, melds: str, card: str, multiplier: int, total: int) -> None:
    """Piao Hu and closed floating: pongs and added kongs break it, nothing else does (N6.6, N6.8)."""
    score = score_of(seat_of(hand, melds), card=card)
    assert (score["multiplier"], score["total"]) == (multiplier, total)


def test_three_elders() -> None:
    """Three TH, WF and RF in hand or melds, the winning card included, the hezi not (N6.6)."""
    elders = "TH TH TH WF WF WF RF RF RF"
    runs = "m1 m2 m3 m4 m5 m6 m7 m8 m9 s1 s2 s3 s5 s5"
    # 3 x 8 + tazi 20 = 44; x2 = 88
    assert score_of(seat_of(f"{elders} {runs}"))["total"] == 90
    # the last RF from a discard: 8 + 8 + pong 4 + 20 = 40; x2 = 80
    assert score_of(seat_of(f"{elders} {runs}"), card="RF")["total"] == 80
    # pong 4 + exposed kong 16 + 8 + 20 = 48; x2 = 96
    assert score_of(seat_of(f"RF RF RF {runs}", "pong:TH exposed_kong:WF"))["total"] == 100
    assert not has_three_elders(seat_of("TH TH TH WF WF WF", hezi="RF"))
    assert not has_three_elders(seat_of("TH TH TH WF WF WF RF RF"))


@pytest.mark.parametrize(
    ("source", "flags", "ready", "total"),
    [
        ("discard", "", False, 100),
        ("discard", "", True, 200),  # x2 ready
        ("discard", "first", False, 200),  # x2 first discard
        ("discard", "first", True, 400),  # x2 x2
        ("discard", "last", False, 100),  # not drawn by the winner
        ("robbed_kong", "first last", False, 100),  # neither applies
        ("self_draw", "last", False, 220),  # 110 x2
        ("kong_replacement", "last", False, 240),  # 120 x2
        ("self_draw", "last", True, 440),  # 110 x2 x2
        ("self_draw", "first", False, 110),  # not on the discard
    ],
)
def test_circumstances(source: str, flags: str, ready: bool, total: int) -> None:
    """Ready, the dealer's first discard and the last card (N6.6)."""
    assert score_of(seat_of(SEVEN_RUNS, ready=ready), source, flags=flags)["total"] == total


def test_heavenly_win() -> None:
    """A heavenly win is self-drawn without a winning card: no final wait, triples in hand (N6.7)."""
    score = score_of(seat_of(SIX_RUNS), "heavenly", None)
    # RF in hand 8; tazi 20 + self-draw 10; x2 heavenly: 38 x2 = 76
    assert score == {
        "base": 8,
        "bonus": 30,
        "multiplier": 2,
        "total": 80,
        "shape": "tazi",
        "wenqian": 0,
        "final_wait": False,
    }
    # piao 50 + 10, 28: 88; x2 piao x2 closed x2 heavenly = 704
    assert score_of(seat_of(SEVEN_TRIPLES), "heavenly", None)["total"] == 710


# ---------------------------------------------------------------------------------------------------------
# N6.9 - N6.11


def test_best_partition() -> None:
    """Three triples rather than three runs where Piao Hu pays more (N6.9)."""
    hand = "m1 m1 m1 m2 m2 m2 m3 m3 m3 m5 m5 m5 m7 m7 m7 s5 s5 s5 s7 s7 s7 TH TH"
    score = best_score(seat_of(hand), kinds("s8 c8"), Win("discard", KIND["TH"]))
    # 7 x 4 + piao 50 + pair 10 = 88; x4 = 352, against 28 + tazi 20 + 10 = 58
    assert (score["shape"], score["total"]) == ("piao", 360)


def test_best_place() -> None:
    """The winning m4 stands in m3 m4 m5 as the middle card, not in m4 m5 m6 (N6.9)."""
    hand = "m3 m4 m4 m5 m5 m6 s1 s2 s3 s4 s5 s6 s7 s8 s9 c4 c5 c6 c7 c8 c9 TH TH"
    assert score_of(seat_of(hand), card="m4")["bonus"] == 110


def test_triple_by_count_keeps_its_base_in_any_place() -> None:
    """The base does not depend on the partition; the place of the winning card does (N6.4, N6.9)."""
    hand = "c1 c1 c1 c2 c2 c2 c3 c3 c3 m4 m5 m6 m7 m8 m9 s1 s2 s3 s4 s5 s6 TH TH"
    score = best_score(seat_of(hand), kinds("m7 s8"), Win("discard", KIND["c2"]))
    # 4 + 2 + 4; qing 100 + three wenqian 100 + middle of c1 c2 c3 10
    assert (score["base"], score["bonus"], score["multiplier"], score["total"]) == (10, 210, 1, 220)


def test_preference_order() -> None:
    """Hu before rounding first, then the multiplier, then the bonus (N6.9)."""
    plain: Score = {
        "base": 0,
        "bonus": 100,
        "multiplier": 1,
        "total": 100,
        "shape": "qing",
        "wenqian": 0,
        "final_wait": False,
    }
    doubled: Score = {**plain, "bonus": 50, "multiplier": 2}
    higher: Score = {**plain, "bonus": 101}
    assert preference(plain) < preference(doubled) < preference(higher)


def test_no_score_without_a_win() -> None:
    """A hand that does not win has no winner's score (N2.4)."""
    with pytest.raises(ValueError, match="does not win"):
        score_of(seat_of("m1 m2 m4 TH TH"))


def test_settle_sums_to_zero() -> None:
    """The winner may lose points, and ties are possible (N6.11)."""
    assert settle([30, 110, 0]) == [-50, 190, -140]
    assert settle([20, 20, 20]) == [0, 0, 0]


# ---------------------------------------------------------------------------------------------------------
# The engine


def deck_with(second: str, indicators: str) -> list[str]:
    """Build a deck that gives the seat after the dealer 22 cards and turns up the indicators (N1.4)."""
    fixed = second.split() + indicators.split()
    rest = list(TOKENS * 4)
    for token in fixed:
        rest.remove(token)
    random.Random(1).shuffle(rest)
    return rest[:23] + second.split() + rest[23:45] + indicators.split() + rest[45:]


def play_to(deal: Deal, seat: int) -> None:
    """End the preparation of the seats before this one."""
    while deal.seat != seat:
        deal.apply("end")


SIX_RUNS_OF_22 = "s1 s2 s3 s4 s5 s6 s7 s8 s9 c1 c2 c3 c4 c5 c6 c7 c8 c9 m1 m2 m2 m3"


def test_ready_is_offered_and_binds() -> None:
    """A seat that waits may be ready; then each of its turns is forced unless it wins (N3.2, N3.3, N5.1)."""
    deal = Deal(0, deck_with(SIX_RUNS_OF_22, "m2 WF"))
    play_to(deal, 1)
    assert deal.legal() == ["end", "ready"]
    deal.apply("ready")
    while deal.seat is not None:
        assert deal.seat != 1 or "win" in deal.legal()
        deal.apply(deal.legal()[0])
    assert deal.seats[1].ready


def test_no_ready_on_four_visible_copies() -> None:
    """A wait on a card whose four copies the seat sees is not ready (N3.2)."""
    deal = Deal(0, deck_with(SIX_RUNS_OF_22, "m2 m2"))
    play_to(deal, 1)
    assert deal.legal() == ["end", "hezi"]
    deal.apply("hezi")
    assert deal.seats[1].hezi == KIND["m2"]
    assert sum(deal.hands[1]) == 22


def test_bad_input_is_refused() -> None:
    """A wrong deck, a wrong dealer and an illegal action raise an error (N1.4, N5.3)."""
    deck = deck_with(SIX_RUNS_OF_22, "m2 WF")
    with pytest.raises(ValueError, match="120 cards"):
        Deal(0, ["m2", *deck[1:]] if deck[0] != "m2" else ["m3", *deck[1:]])
    with pytest.raises(ValueError, match="dealer"):
        Deal(3, deck)
    with pytest.raises(ValueError, match="cannot"):
        Deal(0, deck).apply("pong")
    with pytest.raises(ValueError, match="not over"):
        Deal(0, deck).result()


def replay(record: dict[str, Any], line: int) -> None:
    """Replay one record and compare its seats, legal actions and result on the way."""
    deal = Deal(record["dealer"], record["deck"])
    for index, ((seat, action), legal) in enumerate(zip(record["decisions"], record["legal"], strict=True)):
        assert (deal.seat, deal.legal()) == (seat, legal), f"line {line}, decision {index}"
        deal.apply(action)
    assert (deal.seat, deal.legal()) == (None, []), f"line {line}: decisions are missing"
    assert deal.result() == record["result"], f"line {line}"


def test_golden_deals() -> None:
    """Every golden deal replays with equal legal actions and an equal result."""
    with gzip.open(GOLDEN, "rt", encoding="utf-8") as lines:
        for line, text in enumerate(lines, 1):
            replay(json.loads(text), line)
