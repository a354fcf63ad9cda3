"""Scores of deals (N6): each clause by hand, the worked examples, played deals, and random ends against the judge."""

import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from longcards_env._jit import jit
from longcards_env.bits import count, member
from longcards_env.deck import below, seed_stream
from longcards_env.nantong import engine, scoring
from longcards_env.nantong import state as st
from longcards_env.nantong.rules import Meld, Shape, Source
from longcards_env.nantong.state import Outcome, Phase, new_states
from longcards_env.seats import NONE
from naive import (
    COPIES,
    GROUPS,
    KIND,
    KINDS,
    MELD_CARDS,
    OLD_GENERALS,
    WENQIAN_RUN,
    Score,
    Seat,
    Win,
    base_hu,
    best_score,
    final_waits,
    groups_from,
    held_hu,
    partitions,
    placed_score,
    rank,
    round_up,
    settle,
)

SEATS = 3

# Six runs, in which ranks 2, 3, 5, 7, 8 are final waits and the others are not.
SIX_RUNS = "m1 m2 m3 m4 m5 m6 m7 m8 m9 s1 s2 s3 s4 s5 s6 s7 s8 s9"
SEVEN_RUNS = SIX_RUNS + " c4 c5 c6 TH TH"  # Qing Hu, nothing of base value
TAZI = SIX_RUNS + " c5 c5 c5 TH TH"  # base 4
SIX_TRIPLES = "m4 m4 m4 m7 m7 m7 s1 s1 s1 s4 s4 s4 s7 s7 s7 c5 c5 c5"  # base 24
FLOATING = SIX_TRIPLES + " c8 c8 c8 TH TH"  # base 28

# Indicators of a rank that no triple or meld of the hands above has.
PLAIN = "m2 c2"


def kinds(text: str) -> list[int]:
    return [KIND[token] for token in text.split()]


def counts(text: str) -> list[int]:
    cards = kinds(text)
    return [cards.count(kind) for kind in range(KINDS)]


def seat_of(hand: str = "", melds: str = "", hezi: str | None = None, ready: bool = False) -> Seat:
    """A seat's cards from text; melds are written sort:token."""
    pairs = [meld.split(":") for meld in melds.split()]
    own = None if hezi is None else KIND[hezi]
    return Seat(counts(hand), [(sort, KIND[token]) for sort, token in pairs], own, ready)


# ---- ends of deals, from the judge's description of them


@dataclass
class End:
    """What a deal is scored by: the cards of all seats and, unless nobody won, the winner and how it won."""

    seats: list[Seat]
    indicators: list[int]
    winner: int | None = None
    win: Win | None = None


def meld_sets(seat: Seat) -> list[int]:
    """The melds of a seat as sets of kinds, by sort."""
    sets = [0] * len(Meld)
    for sort, kind in seat.melds:
        sets[Meld[sort.upper()]] |= 1 << kind
    return sets


def win_fields(end: End) -> dict[str, int]:
    """What the state says about how the deal was won."""
    if end.win is None or end.winner is None:
        return {"winner": NONE, "source": Source.NONE, "winning_card": NONE, "from_seat": NONE, "discards": 9}
    from_other = end.win.source in ("discard", "robbed_kong")
    return {
        "winner": end.winner,
        "source": Source[end.win.source.upper()],
        "winning_card": NONE if end.win.winning_card is None else end.win.winning_card,
        "from_seat": (end.winner + 1) % SEATS if from_other else NONE,
        "discards": 1 if end.win.first_discard else 9,
        "back": 100 if end.win.last_card else 101,
    }


def states_of(ends: list[End]) -> Any:
    """The states of these ends, with whatever the score depends on."""
    states: Any = new_states(len(ends))
    hands = np.array([[seat.hand for seat in end.seats] for end in ends])
    more_than = hands[:, :, None] > np.arange(COPIES)[:, None]  # [end, seat, copies, kind]
    states.held[:] = (more_than << np.arange(KINDS, dtype=np.int64)).sum(axis=3)
    states.melds[:] = [[meld_sets(seat) for seat in end.seats] for end in ends]
    states.num_melds[:] = [[len(seat.melds) for seat in end.seats] for end in ends]
    states.hezi[:] = [[0 if seat.hezi is None else 1 << seat.hezi for seat in end.seats] for end in ends]
    states.ready[:] = [[seat.ready for seat in end.seats] for end in ends]
    states.indicators[:] = [end.indicators for end in ends]
    states.exact[:] = [1 << end.indicators[0] | 1 << end.indicators[1] for end in ends]
    states.front[:] = 100
    fields = [{"back": 101, **win_fields(end)} for end in ends]
    for name in fields[0]:
        states[name] = [row[name] for row in fields]
    return states


@jit
def settle_all(states: np.ndarray) -> None:
    for i in range(len(states)):
        scoring.settle(states[i])


def settled(ends: list[End]) -> Any:
    states = states_of(ends)
    settle_all(states)
    return states


def base_of(seat: Seat, indicators: str) -> int:
    """The engine's base hu of a seat that did not win; the judge's must be the same."""
    (state,) = settled([End([Seat([0] * KINDS), seat, Seat([0] * KINDS)], kinds(indicators))])
    assert state.base_hu[1] == base_hu(seat, kinds(indicators))
    assert state.base_hu[0] == state.base_hu[2] == 0
    return int(state.base_hu[1])


def end_of_win(
    seat: Seat, card: str | None = "m1", source: str = "discard", flags: str = "", indicators: str = PLAIN
) -> End:
    """The end of a deal that the first seat wins, the others without cards."""
    win = Win(source, None if card is None else KIND[card], "first" in flags, "last" in flags)
    return End([seat, Seat([0] * KINDS), Seat([0] * KINDS)], kinds(indicators), 0, win)


def won(
    seat: Seat, card: str | None = "m1", source: str = "discard", flags: str = "", indicators: str = PLAIN
) -> tuple[int, int, int, int]:
    """The winner's base hu, bonus, multiplier and total, after a comparison of everything with the judge."""
    end = end_of_win(seat, card, source, flags, indicators)
    states = settled([end])
    assert_scored_as_judged([end], states)
    state = states[0]
    return int(state.base_hu[0]), int(state.bonus), int(state.multiplier), int(state.totals[0])


# ---- the judge


def reported(state: Any) -> tuple[int, int, str, int, bool]:
    shape = Shape(state.hand_shape).name.lower()
    return int(state.bonus), int(state.multiplier), shape, int(state.wenqian), bool(state.final_wait)


def of_score(score: Score) -> tuple[int, int, str, int, bool]:
    return score["bonus"], score["multiplier"], score["shape"], score["wenqian"], score["final_wait"]


def all_scores(end: End) -> list[Score]:
    """The scores of all partitions and places of the winning card, best or not (N6.9)."""
    assert end.win is not None
    assert end.winner is not None
    seat, win = end.seats[end.winner], end.win
    base = base_hu(seat, end.indicators, win.winning_card, win.source in ("discard", "robbed_kong"))
    return [
        placed_score(seat, base, partition, wait, win)
        for partition in partitions(seat.hand, len(seat.melds))
        for wait in final_waits(partition, win.winning_card)
    ]


def assert_winner_as_judged(end: End, state: Any, best: Score) -> None:
    assert (state.bonus, state.multiplier) == (best["bonus"], best["multiplier"]), end
    # Of exactly equal scores either may be told, but all that is told must be of one partition and place.
    if reported(state) != of_score(best):
        assert reported(state) in [of_score(score) for score in all_scores(end)], end


def assert_scored_as_judged(ends: list[End], states: Any) -> None:
    for end, state in zip(ends, states, strict=True):
        base = [base_hu(seat, end.indicators) for seat in end.seats]
        totals = [round_up(hu) for hu in base]
        if end.win is not None and end.winner is not None:
            best = best_score(end.seats[end.winner], end.indicators, end.win)
            base[end.winner], totals[end.winner] = best["base"], best["total"]
            assert_winner_as_judged(end, state, best)
        else:
            assert (state.bonus, state.multiplier) == (0, 1)
        assert state.base_hu.tolist() == base, end
        assert state.totals.tolist() == totals, end
        assert state.points.tolist() == settle(totals), end


# ---- base hu (N6.1 - N6.4) and the examples of section 7


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("seat", "indicators", "hu"),
    [
        (seat_of("m2 m2 m2"), "s2 m3", 8),  # 4 x2 (rank 2)
        (seat_of("s2 s2 s2"), "s2 m3", 24),  # 12 (exact) x2 (rank 2)
        (seat_of(hezi="c4"), "c4 c4", 64),  # 16 x2 x2 (rank 4, twice)
        (seat_of(hezi="TH"), "TH TH", 128),  # 16 x2 (old general) x2 x2
    ],
)
def test_worked_examples(seat: Seat, indicators: str, hu: int) -> None:
    assert base_of(seat, indicators) == hu


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("seat", "hu"),
    [
        (seat_of("m4 m5 m6 TH TH WF RF"), 0),  # runs, pairs and single cards
        (seat_of(melds="pong:m4"), 2),
        (seat_of("m4 m4 m4"), 4),
        (seat_of(melds="exposed_kong:m4"), 8),
        (seat_of(melds="added_kong:m4"), 8),  # an exposed kong too
        (seat_of(melds="concealed_kong:m4"), 12),
        (seat_of("m4 m4 m4 m4"), 12),
        (seat_of(melds="opening_quad:m4"), 16),
        (seat_of("m4 m4 m4 s6 s6 s6 s6 c7 c7", "pong:c8 exposed_kong:c5"), 4 + 12 + 2 + 8),
        (seat_of("m4 m4 m4 m5 m5 m5 m6 m6 m6"), 4 + 4 + 4),  # by count, be they runs or triples
    ],
)
def test_base_values(seat: Seat, hu: int) -> None:
    """N6.1, under indicators that double none of them."""
    assert base_of(seat, "m1 c9") == hu


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("seat", "indicators", "hu"),
    [
        (seat_of("m4 m4 m4"), "m4 s7", 24),  # 12 x2 (rank)
        (seat_of(melds="pong:m4"), "m4 s7", 8),  # 2 x2 (exact) x2 (rank)
        (seat_of(melds="pong:m4"), "s7 m4", 8),
        (seat_of(melds="opening_triple:m4"), "m4 s7", 32),  # 16 x2 (rank), not more
        (seat_of("m4 m4 m4"), "m4 c4", 48),  # 12 x2 x2 (rank, twice)
        (seat_of(melds="pong:m4"), "m4 c4", 16),  # 2 x2 (exact) x2 x2
        (seat_of("TH TH TH"), "TH m1", 48),  # 12 x2 (old general) x2 (indicator)
        (seat_of(melds="pong:TH"), "TH m1", 16),  # 2 x2 (exact) x2 x2
        (seat_of("s9 s9 s9"), "s9 m9", 48),  # 12 x2 (old general) x2 (s9), nothing for m9
        (seat_of(melds="pong:s9"), "WF s9", 32),  # 2 x2 (exact) x2 x2 x2
        (seat_of("s4 s4 s4"), "m4 s7", 8),  # the rank alone is no exact match: 4 x2
        (seat_of(melds="pong:s4"), "m4 s7", 4),  # 2 x2
        # No deal has these, but only three in hand and pongs know an exact match.
        (seat_of("m4 m4 m4 m4"), "m4 s7", 24),  # 12 x2
        (seat_of(melds="exposed_kong:m4"), "m4 s7", 16),
        (seat_of(melds="added_kong:m4"), "m4 s7", 16),
        (seat_of(melds="concealed_kong:m4"), "m4 s7", 24),
        (seat_of(melds="opening_quad:m4"), "m4 s7", 32),
    ],
)
def test_exact_match(seat: Seat, indicators: str, hu: int) -> None:
    """N6.2."""
    assert base_of(seat, indicators) == hu


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("token", "indicators", "factor"),
    [
        ("m5", "m1 c2", 1),
        ("TH", "m1 c2", 2),  # old generals
        ("WF", "m1 c2", 2),
        ("RF", "m1 c2", 2),
        ("s9", "m1 c2", 2),
        ("m5", "c5 m1", 2),  # (a) the same rank in any suit
        ("m5", "m1 s5", 2),
        ("m5", "c5 s5", 4),  # each indicator
        ("m5", "c5 c5", 4),  # two identical ones count twice
        ("TH", "WF m1", 4),  # (b) old generals: x2 for itself, x2 for the indicator
        ("TH", "s9 m1", 4),
        ("s9", "RF m1", 4),
        ("RF", "WF TH", 8),
        ("s9", "TH TH", 8),
        ("m9", "s9 m1", 1),  # s9 never doubles with m9 and c9 ...
        ("c9", "s9 s9", 1),
        ("s9", "m9 c9", 2),  # ... nor they with it
        ("m9", "c9 s9", 2),
        ("m5", "TH RF", 1),  # an old general doubles no ordinary kind
        ("TH", "m1 s1", 2),  # and the three honours have no rank
        ("WF", "m2 s2", 2),
    ],
)
def test_doublings_of_each_kind_of_group(token: str, indicators: str, factor: int) -> None:
    """N6.3 holds for every sort of group alike."""
    values = {"pong": 2, "exposed_kong": 8, "added_kong": 8, "concealed_kong": 12, "opening_quad": 16}
    for sort, value in values.items():
        assert base_of(seat_of(melds=f"{sort}:{token}"), indicators) == value * factor
    assert base_of(seat_of(f"{token} {token} {token}"), indicators) == 4 * factor
    assert base_of(seat_of(f"{token} {token} {token} {token}"), indicators) == 12 * factor


def test_groups_of_all_kinds_under_all_indicators() -> None:
    """N6.1-N6.3 against the judge."""
    ends = []
    for first in range(KINDS):
        for second in range(first, KINDS):
            for kind in range(KINDS):
                hand = [3 * (other == kind) for other in range(KINDS)]
                opened = Seat([0] * KINDS, [("opening_triple", kind)], hezi=first)
                ends.append(End([Seat([0] * KINDS, [("pong", kind)]), Seat(hand), opened], [first, second]))
    found = settled(ends).base_hu
    expected = [[base_hu(seat, end.indicators) for seat in end.seats] for end in ends]
    assert np.array_equal(found, expected)


@pytest.mark.nojit
@pytest.mark.parametrize("copies", range(COPIES + 1))
def test_hu_in_hand(copies: int) -> None:
    ends = [End([Seat([0] * KINDS)] * SEATS, [first, second]) for first in range(KINDS) for second in (0, 14, 17, 28)]
    for end, state in zip(ends, states_of(ends), strict=True):
        found = [scoring.hu_in_hand(state, kind, copies) for kind in range(KINDS)]
        assert found == [held_hu(kind, copies, end.indicators) for kind in range(KINDS)]


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("hand", "card", "indicators", "claimed", "drawn"),
    [
        (SIX_RUNS + " c5 c5 c5 TH TH", "c5", PLAIN, 2, 4),  # completes a triple
        (SIX_RUNS + " c5 c5 c5 TH TH", "TH", PLAIN, 4, 4),  # another card does not touch it
        (SIX_RUNS + " c5 c5 c5 TH TH", "c5", "m5 c2", 4, 8),  # x2 (rank)
        (SIX_RUNS + " c5 c5 c5 TH TH", "c5", "c5 c2", 8, 24),  # exact: 2 x2 x2 (rank), or 12 x2
        (SIX_RUNS + " RF RF RF TH TH", "RF", "RF c2", 16, 48),  # 2 x2 x2 (old general) x2, or 12 x2 x2
        # Reading: by count, wherever the card stands. The third m5 stands in the pair or in m4 m5 m6.
        (SIX_RUNS + " c4 c5 c6 m5 m5", "m5", PLAIN, 2, 4),
        # Reading: a fourth copy scores 12 whatever its source: a triple and one in a run.
        (SIX_RUNS + " m5 m5 m5 TH TH", "m5", PLAIN, 12, 12),
        (SIX_RUNS + " c4 c5 c6 TH TH", "TH", PLAIN, 0, 0),  # a pair
    ],
)
def test_winning_card_completes_a_triple(hand: str, card: str, indicators: str, claimed: int, drawn: int) -> None:
    """N6.4, N6.1: the winning card belongs to the hand."""
    for source in ("discard", "robbed_kong"):
        assert won(seat_of(hand), card, source, indicators=indicators)[0] == claimed
    for source in ("self_draw", "kong_replacement"):
        assert won(seat_of(hand), card, source, indicators=indicators)[0] == drawn
    assert won(seat_of(hand), None, "heavenly", indicators=indicators)[0] == drawn  # N6.7


def test_claimed_card_leaves_the_triples_of_the_others() -> None:
    """N6.4: a loser's three of the same kind are in hand."""
    end = end_of_win(seat_of(TAZI), "m1")
    end.seats[2] = seat_of("m1 m1 m1")
    (state,) = settled([end])
    assert state.base_hu.tolist() == [4, 0, 4]


# ---- the winner's bonuses (N6.5)


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("seat", "card", "score", "shape"),
    [
        # base, bonus, multiplier, total
        (seat_of(SEVEN_RUNS), "m1", (0, 100, 1, 100), Shape.QING),
        (seat_of(TAZI), "m1", (4, 20, 1, 30), Shape.TAZI),  # 24
        (seat_of(SIX_RUNS + " TH TH", "pong:c5"), "m1", (2, 20, 1, 30), Shape.TAZI),  # six runs are not seven
        # (6 * 4 + 2 + 50) x2 (Piao) x2 (closed) = 304
        (seat_of(FLOATING), "c8", (26, 50, 4, 310), Shape.PIAO),
        # (5 * 4 + 2 + 50 + 20 for c1 c2 c3) x2 x2 = 368
        (seat_of(SIX_TRIPLES + " c1 c2 c3 TH TH"), "s7", (22, 70, 4, 370), Shape.PIAO),
        (seat_of(SIX_TRIPLES + " m1 m2 m3 TH TH"), "s7", (22, 20, 1, 50), Shape.TAZI),  # 42
        (seat_of(SIX_TRIPLES + " c2 c3 c4 TH TH"), "s7", (22, 20, 1, 50), Shape.TAZI),
        (seat_of(SIX_TRIPLES + " TH TH", "pong:m9"), "s7", (24, 50, 2, 150), Shape.PIAO),  # (5 * 4 + 2 + 2 + 50) x2
        # Seven melds: (7 * 2 + 50 + 10 for the pair) x2 = 148
        (
            seat_of("TH TH", "pong:m4 pong:m5 pong:m6 pong:m7 pong:s4 pong:s5 pong:s6"),
            "TH",
            (14, 60, 2, 150),
            Shape.PIAO,
        ),
        # Melds beside runs c1 c2 c3 alone: (3 * 2 + 2 + 50 + 100) x2 = 316; three c2 under c2: 12 x2 x2, not 4.
        (
            seat_of("c1 c1 c1 c2 c2 c2 c3 c3 c3 TH TH", "pong:m4 pong:m5 pong:m6 pong:m7"),
            "c1",
            (4 * 2 + 2 + 48 + 4, 150, 2, 430),  # (62 + 150) x2 = 424
            Shape.PIAO,
        ),
    ],
)
def test_shapes(seat: Seat, card: str, score: tuple[int, int, int, int], shape: Shape) -> None:
    """N6.5: Qing Hu, Piao Hu, Tazi Hu."""
    assert won(seat, card) == score
    (state,) = settled([end_of_win(seat, card)])
    assert state.hand_shape == shape


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("hand", "wenqian", "score"),
    [
        # Qing Hu 100 and 20, 50, 100, 200; three or four of a kind by count score besides.
        (SIX_RUNS + " c1 c2 c3 TH TH", 1, (0, 120, 1, 120)),
        ("m1 m2 m3 m4 m5 m6 m7 m8 m9 s1 s2 s3 s4 s5 s6 c1 c2 c3 c1 c2 c3 TH TH", 2, (0, 150, 1, 150)),
        ("m1 m2 m3 m4 m5 m6 m7 m8 m9 s4 s5 s6 c1 c1 c1 c2 c2 c2 c3 c3 c3 TH TH", 3, (12, 200, 1, 220)),
        ("m1 m2 m3 m4 m5 m6 m7 m8 m9 c1 c1 c1 c1 c2 c2 c2 c2 c3 c3 c3 c3 TH TH", 4, (36, 300, 1, 340)),
        # Other suits and other ranks bring nothing; Tazi Hu brings 20.
        ("m1 m2 m3 m1 m2 m3 s1 s2 s3 s1 s2 s3 c2 c3 c4 c4 c5 c6 c7 c8 c9 TH TH", 0, (0, 100, 1, 100)),
        ("m1 m2 m3 m4 m5 m6 m7 m8 m9 s1 s2 s3 s5 s5 s5 c1 c2 c3 c7 c8 c9 TH TH", 1, (4, 40, 1, 50)),
    ],
)
def test_wenqian(hand: str, wenqian: int, score: tuple[int, int, int, int]) -> None:
    """N6.5: the runs c1 c2 c3."""
    assert won(seat_of(hand), "m1", indicators="WF RF") == score
    (state,) = settled([end_of_win(seat_of(hand), "m1", indicators="WF RF")])
    assert state.wenqian == wenqian


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("source", "bonus"), [("discard", 0), ("robbed_kong", 0), ("self_draw", 10), ("kong_replacement", 20)]
)
def test_drawn_cards(source: str, bonus: int) -> None:
    """N6.5: self-draw, and more on a kong replacement; neither multiplies."""
    assert won(seat_of(SEVEN_RUNS), "m1", source) == (0, 100 + bonus, 1, 100 + bonus)


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("hand", "shape", "finals", "others"),
    [
        # The pair; middle cards; the 3 of 1-2-3; the 7 of 7-8-9.
        (SEVEN_RUNS, 100, "TH m2 s2 m5 s5 c5 m8 s8 m3 s3 m7 s7", "m1 s1 m4 s4 c4 m6 s6 c6 m9 s9"),
        # A 3 that begins a run, a 7 that ends one; a 3 and a 7 in the middle.
        (
            "m3 m4 m5 s5 s6 s7 c2 c3 c4 m6 m7 m8 s1 s2 s3 c7 c8 c9 c7 c8 c9 RF RF",
            100,
            "m4 s6 c3 m7 s3 c7 RF",
            "m3 s7 m5 c2 m8",
        ),
        # Never in a triple, be it the 3 or the 7.
        ("m3 m3 m3 m7 m7 m7 s5 s5 s5 s7 s8 s9 c4 c5 c6 c4 c5 c6 c7 c8 c9 TH TH", 20, "TH s7 c5 c7", "m3 m7 s5 c4"),
    ],
)
def test_final_wait(hand: str, shape: int, finals: str, others: str) -> None:
    """N6.5: 10 hu for a final wait."""
    for wanted, tokens in ((1, finals), (0, others)):
        ends = [end_of_win(seat_of(hand), token) for token in tokens.split()]
        states = settled(ends)
        assert states.final_wait.tolist() == [wanted] * len(ends)
        assert states.bonus.tolist() == [shape + 10 * wanted] * len(ends)
        assert_scored_as_judged(ends, states)


@pytest.mark.nojit
def test_final_wait_counts_once() -> None:
    """N6.5: the winning m5 completes the pair, or is the middle of m4 m5 m6."""
    # Three m5 from a discard: 2. Qing Hu 100, final wait 10: 112.
    assert won(seat_of(SIX_RUNS + " c4 c5 c6 m5 m5"), "m5") == (2, 110, 1, 120)


# ---- the winner's multipliers (N6.6 - N6.8)

ELDERS = "m1 m2 m3 m4 m5 m6 m7 m8 m9 c4 c5 c6 TH TH TH WF WF WF RF RF RF s1 s1"


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("source", "flags", "ready", "score"),
    [
        ("discard", "", False, (4, 20, 1, 30)),  # 24
        ("discard", "first", False, (4, 20, 2, 50)),  # 48
        ("discard", "", True, (4, 20, 2, 50)),
        ("discard", "first", True, (4, 20, 4, 100)),  # 96
        ("discard", "last", False, (4, 20, 1, 30)),  # the discard of the last card is not self-drawn
        ("robbed_kong", "first", False, (4, 20, 1, 30)),  # a kong after the first discard is no discard
        ("robbed_kong", "last", True, (4, 20, 2, 50)),
        ("self_draw", "", False, (4, 30, 1, 40)),  # 34
        ("self_draw", "first", False, (4, 30, 1, 40)),  # drawn after the first discard
        ("self_draw", "last", False, (4, 30, 2, 70)),  # 68
        ("self_draw", "last", True, (4, 30, 4, 140)),  # 136
        ("kong_replacement", "", False, (4, 40, 1, 50)),  # 44
        ("kong_replacement", "last", False, (4, 40, 2, 90)),  # 88: N6.8, a replacement too
    ],
)
def test_circumstances(source: str, flags: str, ready: bool, score: tuple[int, int, int, int]) -> None:
    """N6.6: first discard, ready, last stock card."""
    assert won(seat_of(TAZI, ready=ready), "m1", source, flags) == score


@pytest.mark.nojit
def test_heavenly_win() -> None:
    """N6.6, N6.7 (Reading): x2, self-drawn, triples as in hand, no final wait."""
    assert won(seat_of(TAZI), None, "heavenly") == (4, 30, 2, 70)  # 68
    assert won(seat_of(SEVEN_RUNS), None, "heavenly") == (0, 110, 2, 220)
    # (7 * 4 + 60) x2 (Piao) x2 (closed) x2 = 704
    assert won(seat_of(FLOATING), None, "heavenly") == (28, 60, 8, 710)
    (state,) = settled([end_of_win(seat_of(SEVEN_RUNS), None, "heavenly")])
    assert state.final_wait == 0


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("meld", "base", "multiplier", "total"),
    [
        # With five triples in hand, one from the discard: 22, and Piao Hu 50.
        ("pong:m9", 24, 2, 150),  # 74 x2 = 148
        ("added_kong:m9", 30, 2, 160),  # Reading: it was a pong
        ("exposed_kong:m9", 30, 4, 320),  # Reading: claimed from a discard, it breaks nothing
        ("concealed_kong:m9", 34, 4, 340),  # 84 x4 = 336
        ("opening_quad:m9", 38, 4, 360),  # 88 x4 = 352
        ("opening_triple:m9", 38, 4, 360),
    ],
)
def test_closed_floating(meld: str, base: int, multiplier: int, total: int) -> None:
    """N6.6, N6.8 (Reading): pongs and added kongs break it, the triple of the winning discard does not."""
    assert won(seat_of(SIX_TRIPLES + " TH TH", meld), "s7") == (base, 50, multiplier, total)


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("seat", "card", "score"),
    [
        (seat_of(ELDERS), "m1", (24, 20, 2, 90)),  # 3 * 4 x2 (old generals) and 20, x2
        (seat_of(ELDERS), "RF", (20, 20, 2, 80)),  # the winning card included; it makes a pong, 2 x2
        (
            seat_of("m1 m2 m3 m4 m5 m6 m7 m8 m9 c4 c5 c6 RF RF RF s1 s1", "pong:TH exposed_kong:WF"),
            "m1",
            (4 + 16 + 8, 20, 2, 100),  # 48 x2
        ),
        (
            seat_of("m1 m2 m3 m4 m5 m6 m7 m8 m9 s1 s2 s3 c5 c5", "concealed_kong:TH added_kong:WF opening_quad:RF"),
            "m1",
            (24 + 16 + 32, 20, 2, 190),  # 92 x2
        ),
        # Two RF are not three, and s9 is no elder.
        (
            seat_of("m1 m2 m3 m4 m5 m6 m7 m8 m9 s9 s9 s9 TH TH TH WF WF WF RF RF c4 c5 c6"),
            "m1",
            (24, 20, 1, 50),
        ),
        # Cards laid aside do not count (and no deal has four RF and two RF indicators).
        (
            seat_of("m1 m2 m3 m4 m5 m6 m7 m8 m9 s1 s2 s3 TH TH TH WF WF WF RF RF c4 c5 c6", hezi="RF"),
            "m1",
            (8 + 8 + 32, 20, 1, 70),
        ),
    ],
)
def test_three_elders(seat: Seat, card: str, score: tuple[int, int, int, int]) -> None:
    """N6.6."""
    assert won(seat, card) == score


@pytest.mark.nojit
def test_all_multipliers_stack() -> None:
    """N6.6."""
    # Opening quads 2 * 16 x2, RF 4 x2, four triples of 4: 88. Piao Hu 50, self-draw 10: 148.
    seat = seat_of("RF RF RF s1 s1 s1 s4 s4 s4 s7 s7 s7 c5 c5 c5 m4 m4", "opening_quad:TH opening_quad:WF", ready=True)
    # x2 each: Piao Hu, closed, Three Elders, ready, last card. 148 * 32 = 4736.
    assert won(seat, "RF", "self_draw", "last") == (88, 60, 32, 4740)
    # From the first discard RF is a pong (2 x2): 84 and 50, and first discard in place of last card: 134 * 32 = 4288.
    assert won(seat, "RF", "discard", "first") == (84, 50, 32, 4290)


# ---- the best partition (N6.9)

TWO_WAYS = "m4 m4 m5 m5 m6 m6 m7 m7 s1 s2 s3 s4 s5 s6 s7 s8 s9 c4 c5 c6 c7 c8 c9"


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("hand", "card", "score"),
    [
        # Three runs m1 m2 m3 make Qing Hu, three triples Tazi Hu. By count 3 * 4; from a discard m1 is 2.
        ("m1 m1 m1 m2 m2 m2 m3 m3 m3 s1 s2 s3 s4 s5 s6 s7 s8 s9 c4 c5 c6 TH TH", "s1", (12, 100, 1, 120)),
        ("m1 m1 m1 m2 m2 m2 m3 m3 m3 s1 s2 s3 s4 s5 s6 s7 s8 s9 c4 c5 c6 TH TH", "m1", (10, 100, 1, 110)),
        # Qing Hu with four c1 c2 c3 is (48 + 300), Piao Hu with them (48 + 250) x4 = 1192. 48 = 3 * 12 + 3 * 4.
        ("m4 m4 m4 m5 m5 m5 m6 m6 m6 c1 c1 c1 c1 c2 c2 c2 c2 c3 c3 c3 c3 TH TH", "c1", (48, 250, 4, 1200)),
        # m4 m4 and twice m5 m6 m7, or m7 m7 and twice m4 m5 m6: each card can be a final wait, of 10.
        (TWO_WAYS, "m4", (0, 110, 1, 110)),
        (TWO_WAYS, "m5", (0, 110, 1, 110)),
        (TWO_WAYS, "m6", (0, 110, 1, 110)),
        (TWO_WAYS, "m7", (0, 110, 1, 110)),
    ],
)
def test_best_partition(hand: str, card: str, score: tuple[int, int, int, int]) -> None:
    """N6.9: the highest (base + bonuses) x multipliers of all partitions and places."""
    assert won(seat_of(hand), card, indicators="WF RF") == score


# Twice c1 c2 c3, c2 c3 c4 and c4 c4: 20 + 50 + 10 for the middle c2. Triples and c1 c1: 50, x2.
TAZI_OR_PIAO = seat_of("c1 c1 c2 c2 c2 c3 c3 c3 c4 c4 c4", "pong:m4 pong:m5 pong:m6 pong:m7")
# Runs: 100 + 20 + 10 for the middle m5. Triples and c1 c2 c3: 50 + 20, x4.
QING_OR_PIAO = seat_of("m4 m4 m4 m5 m5 m5 m6 m6 m6 s4 s4 s4 s5 s5 s5 s6 s6 s6 c1 c2 c3 TH TH")


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("seat", "card", "base", "bonus", "multiplier"),
    [
        (TAZI_OR_PIAO, "c2", -21, 80, 1),  # 59 against 58
        (TAZI_OR_PIAO, "c2", -20, 50, 2),  # 60 against 60
        (TAZI_OR_PIAO, "c2", -19, 50, 2),  # 61 against 62
        (QING_OR_PIAO, "m5", -51, 130, 1),  # 79 against 76
        (QING_OR_PIAO, "m5", -50, 70, 4),  # 80 against 80
        (QING_OR_PIAO, "m5", -49, 70, 4),  # 81 against 84
    ],
)
def test_higher_multiplier_of_equals(seat: Seat, card: str, base: int, bonus: int, multiplier: int) -> None:
    """N6.9: no true base hu makes different shapes equal, so this one is made up."""
    states = states_of([end_of_win(seat, card)])
    states.base_hu[0, 0] = base
    scoring.score_win(states[0])
    assert (states.bonus[0], states.multiplier[0]) == (bonus, multiplier)


# ---- totals and points (N6.10, N6.11)


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("melds", "base", "total"),
    [
        ("", 0, 0),
        ("pong:m4", 2, 10),
        ("concealed_kong:m4 exposed_kong:m5", 20, 20),
        ("concealed_kong:m4 exposed_kong:m5 pong:m6", 22, 30),
    ],
)
def test_totals_round_up_to_tens(melds: str, base: int, total: int) -> None:
    """N6.10, and section 7: 22 rounds up to 30; 20 stays 20."""
    (state,) = settled([End([seat_of(melds=melds), seat_of(), seat_of()], kinds(PLAIN))])
    assert (state.base_hu[0], state.totals[0]) == (base, total)


@pytest.mark.nojit
def test_winner_is_rounded_after_its_multipliers() -> None:
    """N6.10: 22 x2 is 44, so 50, not 60."""
    assert won(seat_of(SIX_RUNS + " TH TH", "pong:c5", ready=True), "m1") == (2, 20, 2, 50)


@pytest.mark.nojit
def test_worked_settlement() -> None:
    """Section 7, N6.11: totals 100, 40, 20."""
    quads = "opening_quad:m4 opening_quad:m5 opening_quad:m6 opening_quad:m7 opening_quad:m8"
    seats = [
        seat_of(melds=quads + " concealed_kong:s4 exposed_kong:s5"),  # 5 * 16 + 12 + 8
        seat_of(melds="opening_quad:s6 opening_quad:s7 exposed_kong:s8"),  # 2 * 16 + 8
        seat_of(melds="concealed_kong:c4 exposed_kong:c5"),  # 12 + 8
    ]
    (state,) = settled([End(seats, kinds("TH TH"))])
    assert state.totals.tolist() == [100, 40, 20]
    assert state.points.tolist() == [140, -40, -100]


@pytest.mark.nojit
def test_winner_may_have_less_than_a_loser() -> None:
    """N6.10, N6.11: losers have base hu only, but that may be more; equal totals settle nothing."""
    end = end_of_win(seat_of(TAZI))  # 24: 30
    # 16 + 16 + 8: 40, without a double for ready. 12 + 12 + 4: 30.
    end.seats[1] = seat_of(melds="opening_quad:s6 opening_quad:s7 exposed_kong:s8", ready=True)
    end.seats[2] = seat_of("c8 c8 c8", "concealed_kong:c6 concealed_kong:c7")
    (state,) = settled([end])
    assert state.totals.tolist() == [30, 40, 30]
    assert state.points.tolist() == [-10, 20, -10]
    assert_scored_as_judged([end], [state])


# ---- played deals


def deck_of(*hands: str, indicators: str = PLAIN, front: str = "", back: str = "") -> np.ndarray:
    """A deck (N1.4) with these cards in the hands from the dealer on; front and back of the stock as drawn.

    What is not named is filled up from the other cards.
    """
    parts = [kinds(text) for text in (*hands, *[""] * (SEATS - len(hands)), indicators, front)]
    last = kinds(back)[::-1]
    named = [*last, *(kind for part in parts for kind in part)]
    left = [kind for copies in range(COPIES) for kind in range(KINDS) if named.count(kind) <= copies]
    sizes = [23, 22, 22, 2, 51 - len(last)]
    deck: list[int] = []
    for part, size in zip(parts, sizes, strict=True):
        deck += part + [left.pop() for _ in range(size - len(part))]
    deck += last
    assert sorted(deck) == sorted(list(range(KINDS)) * COPIES)
    return np.array(deck, np.int8)


WORDS = {"win": st.WIN, "pass": st.PASS, "pong": st.PONG, "kong": st.CLAIM_KONG}
WORDS |= {"hezi": st.HEZI, "ready": st.READY, "end": st.END}
FIRST_OF = {"discard": st.DISCARD, "kong": st.KONG, "open": st.OPEN}


def action_of(word: str) -> int:
    verb, _, token = word.partition(" ")
    return FIRST_OF[verb] + KIND[token] if token else WORDS[verb]


def quiet_action(state: Any, legal: set[int]) -> int:
    """Declare and claim nothing, discard what was drawn, or else the highest kind."""
    for action in (st.END, st.PASS, st.DISCARD + int(state.card)):
        if action in legal and action >= 0:
            return action
    return max(action for action in legal if action < st.KONG)


def play(deck: np.ndarray, *plan: str) -> Any:
    """The end of a deal of dealer 0 in which each step `seat action` is played as soon as it is legal."""
    state = new_states(1)[0]
    engine.reset(state, 0, deck)
    steps = [(int(step[0]), action_of(step[2:])) for step in plan]
    mask = np.zeros(st.NUM_ACTIONS, np.int8)
    while engine.legal(state, mask):
        legal = set(np.flatnonzero(mask).tolist())
        if steps and steps[0][0] == state.seat and steps[0][1] in legal:
            engine.apply(state, steps.pop(0)[1])
        else:
            engine.apply(state, quiet_action(state, legal))
    assert steps == []
    assert state.phase == Phase.OVER
    assert state.points.sum() == 0
    return state


def winner_of(state: Any) -> tuple[int, Source, int, int, int, int]:
    """Seat, source, base, bonus, multiplier and total of the winner."""
    seat = int(state.winner)
    score = int(state.base_hu[seat]), int(state.bonus), int(state.multiplier), int(state.totals[seat])
    return seat, Source(state.source), *score


DEALT_QUAD = SIX_RUNS + " TH c8 c8 c8 c8"
WAITING_FOR_PAIR = SIX_RUNS + " TH c5 c5 c5"
WAITING_FOR_M1 = TAZI[3:]


@pytest.mark.nojit
def test_played_heavenly_wins() -> None:
    """N6.7 (Reading), N6.8: replacements drawn in preparation do not spoil it; a kong does."""
    state = play(deck_of(TAZI), "0 win")
    assert winner_of(state) == (0, Source.HEAVENLY, 4, 30, 2, 70)
    assert (state.winning_card, state.from_seat) == (NONE, NONE)
    # The opening quad 16, Tazi Hu 20, self-draw 10: 46 x2.
    state = play(deck_of(DEALT_QUAD, back="TH"), "0 open c8", "0 win")
    assert winner_of(state) == (0, Source.HEAVENLY, 16, 30, 2, 100)
    # The concealed kong 12, Tazi Hu 20, replacement 20, pair 10: 62.
    state = play(deck_of(DEALT_QUAD, back="TH"), "0 kong c8", "0 win")
    assert winner_of(state) == (0, Source.KONG_REPLACEMENT, 12, 50, 1, 70)
    assert (state.winning_card, state.final_wait) == (KIND["TH"], 1)


@pytest.mark.nojit
def test_played_hezi() -> None:
    """N6.1, N6.8: hezi 16 x2 x2 and three c5 4; a heavenly win with both replacements."""
    state = play(deck_of(SIX_RUNS + " c5 c5 c5 c4 c4", indicators="c4 c4", back="TH TH"), "0 hezi", "0 win")
    assert winner_of(state) == (0, Source.HEAVENLY, 68, 30, 2, 200)  # 98 x2


@pytest.mark.nojit
def test_played_opening_triple() -> None:
    """N6.1, N6.2: 16 x2 (rank); won on the first discard, in the pair: (32 + 20 + 10) x2 = 124."""
    deck = deck_of("TH", SIX_RUNS + " TH c4 c4 c4", indicators="c4 m2")
    state = play(deck, "1 open c4", "0 discard TH", "1 win")
    assert winner_of(state) == (1, Source.DISCARD, 32, 30, 2, 130)


@pytest.mark.nojit
def test_played_first_discard() -> None:
    """N6.6, N6.8 (Reading): x2 for either seat, also after a kong of the dealer's; not on a later discard."""
    assert winner_of(play(deck_of("m1", WAITING_FOR_M1), "0 discard m1", "1 win")) == (1, Source.DISCARD, 4, 20, 2, 50)
    deck = deck_of("m1 c8 c8 c8 c8", "", WAITING_FOR_M1)
    assert winner_of(play(deck, "0 discard m1", "2 win")) == (2, Source.DISCARD, 4, 20, 2, 50)
    state = play(deck, "0 kong c8", "0 discard m1", "2 win")
    assert winner_of(state) == (2, Source.DISCARD, 4, 20, 2, 50)
    state = play(deck_of("RF", "", WAITING_FOR_M1, front="m1"), "0 discard RF", "2 win")
    assert (winner_of(state), state.from_seat) == ((2, Source.DISCARD, 4, 20, 1, 30), 1)


@pytest.mark.nojit
def test_played_ready() -> None:
    """N6.6: ready and the first discard, 24 x4."""
    state = play(deck_of("m1", WAITING_FOR_M1), "1 ready", "0 discard m1", "1 win")
    assert winner_of(state) == (1, Source.DISCARD, 4, 20, 4, 100)


@pytest.mark.nojit
def test_played_last_card() -> None:
    """N6.6: self-drawn, the last stock card doubles: (4 + 20 + 10 + 10) x2 = 88."""
    deck = deck_of(WAITING_FOR_PAIR + " RF", "TH", "TH", back="TH")
    state = play(deck, "0 discard RF", "0 win")
    assert winner_of(state) == (0, Source.SELF_DRAW, 4, 40, 2, 90)
    assert state.front == state.back


@pytest.mark.nojit
def test_played_discard_of_the_last_card() -> None:
    """N6.6: it is not self-drawn: 4 + 20 + 10."""
    state = play(deck_of("TH", WAITING_FOR_PAIR, "TH", back="TH"), "1 win")
    assert winner_of(state) == (1, Source.DISCARD, 4, 30, 1, 40)
    assert (state.front == state.back, state.from_seat) == (True, 0)


@pytest.mark.nojit
def test_played_last_card_as_replacement() -> None:
    """N6.6, N6.8 (Reading): a replacement too: (12 + 20 + 20 + 10) x2 = 124."""
    state = play(deck_of("TH", "TH", SIX_RUNS + " TH c8 c8 c8", back="TH c8"), "2 kong c8", "2 win")
    assert winner_of(state) == (2, Source.KONG_REPLACEMENT, 12, 50, 2, 130)


@pytest.mark.nojit
def test_played_robbed_kong() -> None:
    """N6.1, N6.5: the konger keeps its pong, 2; the winner has a middle card and no draw: 100 + 10."""
    deck = deck_of("c7", "c7 c7 RF", SIX_RUNS + " c6 c8 TH TH", front="m1 s1 c7")
    state = play(deck, "0 discard c7", "1 pong", "1 discard RF", "1 kong c7", "2 win")
    assert winner_of(state) == (2, Source.ROBBED_KONG, 0, 110, 1, 110)
    assert (state.from_seat, state.winning_card) == (1, KIND["c7"])
    assert state.melds[1].tolist() == meld_sets(seat_of(melds="pong:c7"))
    assert state.base_hu[1] == 2


@pytest.mark.nojit
def test_played_added_kong() -> None:
    """N6.6, N6.8 (Reading): Piao Hu, not closed: (8 + 24 + 50 + 20 + 10) x2 = 224."""
    deck = deck_of("c7", SIX_TRIPLES + " c7 c7 TH RF", "TH", front="m1 s1 c7", back="TH")
    state = play(deck, "0 discard c7", "1 pong", "1 discard RF", "1 kong c7", "1 win")
    assert winner_of(state) == (1, Source.KONG_REPLACEMENT, 32, 80, 2, 230)


@pytest.mark.nojit
def test_played_claimed_kong() -> None:
    """N6.6, N6.8 (Reading): closed floating, and no first discard: (8 + 24 + 50 + 20 + 10) x4 = 448."""
    state = play(deck_of("c7", SIX_TRIPLES + " c7 c7 c7 TH", back="TH"), "0 discard c7", "1 kong", "1 win")
    assert winner_of(state) == (1, Source.KONG_REPLACEMENT, 32, 80, 4, 450)


@pytest.mark.nojit
def test_played_exhausted_deal() -> None:
    """N6.10, N6.11: base hu 4, 4 (ready or not) and 12."""
    hands = SIX_RUNS + " c4 c4 c4 TH RF", SIX_RUNS + " c5 c5 c5 WF", SIX_RUNS + " c6 c6 c6 c6"
    state = play(deck_of(*hands), "1 ready", "0 discard RF")
    assert (state.outcome, state.winner, state.winning_card) == (Outcome.EXHAUSTED, NONE, NONE)
    assert (state.bonus, state.multiplier, state.base_hu.tolist()) == (0, 1, [4, 4, 12])
    assert (state.totals.tolist(), state.points.tolist()) == ([10, 10, 20], [-10, -10, 20])


# ---- random ends against the judge

ELDER_KINDS = kinds("TH WF RF")
# Kinds for the groups of a hand: any, one suit, coins, and few kinds with many partitions.
POOLS = [
    list(range(KINDS)),
    list(range(9)),
    list(range(18, 27)),
    list(range(18, 24)),
    [*range(9, 18), *ELDER_KINDS],
    [*range(18, 22), *range(3, 7), *ELDER_KINDS],
]
ALL_GROUPS = [group for kind in range(KINDS) for group in groups_from(kind)]
TRIPLES = [group for group in ALL_GROUPS if len(set(group)) == 1 and len(group) == 3]
RUNS = [group for group in ALL_GROUPS if len(set(group)) == 3]
STYLES = [TRIPLES + RUNS, TRIPLES + RUNS, RUNS, [*TRIPLES, *[WENQIAN_RUN] * 15]]


def choices() -> list[list[tuple[int, ...]]]:
    """The lists of groups from which hands are made: each style, of the kinds of each pool."""
    lists = [[group for group in style if set(group) <= set(pool)] for style in STYLES for pool in POOLS]
    return [groups for groups in lists if len(groups) >= 4]


CHOICES = choices()


def take(left: list[int], cards: Iterable[int]) -> bool:
    """Take the cards out of those left if they are all there."""
    cards = list(cards)
    if any(left[kind] < cards.count(kind) for kind in cards):
        return False
    for kind in cards:
        left[kind] -= 1
    return True


def winning_cards(rng: random.Random, left: list[int], melds: int) -> list[int]:
    """The counts of a winning hand beside this many melds, taken out of the cards left."""
    while True:
        rest, groups = list(left), rng.choice(CHOICES)
        drawn = [rng.choice(groups) for _ in range(GROUPS - melds + 3)]
        kept = [group for group in drawn if take(rest, group)][: GROUPS - melds]
        pair = (rng.choice([kind for kind in range(KINDS) if rest[kind] >= 2]),) * 2
        cards = [card for group in (*kept, pair) for card in group]
        if len(kept) == GROUPS - melds and take(left, cards):
            return [cards.count(kind) for kind in range(KINDS)]


def any_cards(rng: random.Random, left: list[int], size: int) -> list[int]:
    """The counts of a hand with many triples and quads, taken out of the cards left."""
    hand = [0] * KINDS
    while size:
        kind = rng.choice([kind for kind in range(KINDS) if left[kind]])
        copies = min(rng.choice([1, 1, 2, 3, 3, 4]), left[kind], size)
        hand[kind] += copies
        left[kind] -= copies
        size -= copies
    return hand


def random_melds(rng: random.Random, left: list[int], number: int, liked: list[int]) -> list[tuple[str, int]]:
    """Melds of any sorts taken out of the cards left, half of them of the kinds that are liked."""
    melds: list[tuple[str, int]] = []
    while len(melds) < number:
        sort = rng.choice(list(MELD_CARDS))
        kind = rng.choice(liked) if rng.random() < 0.5 else rng.randrange(KINDS)
        if take(left, [kind] * MELD_CARDS[sort]):
            melds.append((sort, kind))
    return melds


def random_win(rng: random.Random, hand: list[int]) -> Win:
    source = rng.choice(["discard", "discard", "self_draw", "kong_replacement", "robbed_kong", "heavenly"])
    card = None if source == "heavenly" else rng.choice([kind for kind in range(KINDS) if hand[kind]])
    return Win(source, card, rng.random() < 0.3, rng.random() < 0.3)


def random_end(rng: random.Random) -> End:
    """An end of cards that one deck has, though not every one of them can come about."""
    left = [COPIES] * KINDS
    first = rng.choice([rng.randrange(KINDS), KIND["s9"], *ELDER_KINDS, KIND["c1"]])
    indicators = [first, rng.choice([first, rng.randrange(KINDS), rng.randrange(KINDS)])]
    take(left, indicators)
    liked = [*OLD_GENERALS, *indicators, *(k for k in range(27) if first < 27 and rank(k) == rank(first))]
    hezi_seat = rng.randrange(SEATS) if first == indicators[1] and rng.random() < 0.5 else None
    if hezi_seat is not None:
        take(left, indicators)
    winner = None if rng.random() < 0.05 else rng.randrange(SEATS)
    seats: list[Seat] = []
    for seat in sorted(range(SEATS), key=lambda seat: seat != winner):  # the winner has the first choice of cards
        melds = random_melds(rng, left, rng.choice([0, 0, 0, 1, 1, 2, 3, 4, 7] if seat == winner else [0, 1, 2]), liked)
        size = 22 - 3 * len(melds)
        hand = winning_cards(rng, left, len(melds)) if seat == winner else any_cards(rng, left, size)
        seats.append(Seat(hand, melds, first if seat == hezi_seat else None, rng.random() < 0.2))
    if winner is None:
        return End(seats, indicators)
    seats.insert(winner, seats.pop(0))
    return End(seats, indicators, winner, random_win(rng, seats[winner].hand))


@pytest.mark.nojit
def test_some_random_ends() -> None:
    rng = random.Random(0)
    ends = [random_end(rng) for _ in range(25)]
    assert_scored_as_judged(ends, settled(ends))


def test_random_ends() -> None:
    """N6.1-N6.11 against the judge, over all that the score depends on."""
    rng = random.Random(1)
    ends = [random_end(rng) for _ in range(20_000)]
    states = settled(ends)
    assert_scored_as_judged(ends, states)
    for name, values in (("hand_shape", Shape), ("source", Source), ("wenqian", range(5)), ("final_wait", range(2))):
        numbers = np.unique_counts(states[name])
        assert numbers.values.tolist() == sorted(int(value) for value in values), name
        assert numbers.counts.min() > 20, name
    assert set(states.multiplier.tolist()) == {1, 2, 4, 8, 16, 32}


# ---- the order of cards in a hand


@jit
def busy_action(state: np.record, low: int, high: int, stream: np.ndarray) -> int:
    """Win if possible; else mostly discard what was drawn, or do anything legal."""
    if low >> st.WIN & 1:
        return st.WIN
    if state.phase == Phase.TURN and state.card >= 0 and low >> state.card & 1 and below(stream, 4) > 0:
        return state.card
    n = below(stream, count(low) + count(high))
    return member(low, n) if n < count(low) else st.OPEN + member(high, n - count(low))


@jit
def play_all(states: np.ndarray, decks: np.ndarray) -> None:
    """Play the deals of int8[N, 120] decks, each the same way whenever it looks the same."""
    stream = np.empty(4, np.uint64)
    for i in range(len(states)):
        seed_stream(stream, np.uint64(i))
        engine.reset(states[i], i % SEATS, decks[i])
        low, high = engine.legal_words(states[i])
        while low != 0 or high != 0:
            engine.apply(states[i], busy_action(states[i], low, high, stream))
            low, high = engine.legal_words(states[i])


def nearly_won_deck(rng: random.Random) -> list[int]:
    """A deck that deals each seat a winning hand but for one card."""
    left = [COPIES] * KINDS
    cards: list[int] = []
    for _ in range(SEATS):
        hand = winning_cards(rng, left, 0)
        missing = rng.choice([kind for kind in range(KINDS) if hand[kind]])
        hand[missing] -= 1
        left[missing] += 1
        cards += [kind for kind in range(KINDS) for _ in range(hand[kind])]
    rest = [kind for kind in range(KINDS) for _ in range(left[kind])]
    rng.shuffle(rest)
    return [*cards[:22], rest.pop(), *cards[22:], *rest]


def with_hands_shuffled(rng: random.Random, deck: list[int]) -> list[int]:
    hands = [deck[0:23], deck[23:45], deck[45:67]]
    return [card for hand in hands for card in rng.sample(hand, len(hand))] + deck[67:]


def test_order_of_cards_in_a_hand_changes_nothing() -> None:
    """N1.4: the order within a hand decides nothing, the score (N6) included."""
    rng = random.Random(2)
    decks = [nearly_won_deck(rng) for _ in range(400)]
    states: Any = new_states(len(decks))
    shuffled: Any = new_states(len(decks))
    play_all(states, np.array(decks, np.int8))
    play_all(shuffled, np.array([with_hands_shuffled(rng, deck) for deck in decks], np.int8))
    for name in st.STATE.names or ():
        assert name == "deck" or np.array_equal(states[name], shuffled[name]), name
    assert np.count_nonzero(states.outcome == Outcome.WIN) > 200
    assert np.count_nonzero(states.melds) > 100


def test_order_of_the_indicators_changes_no_score() -> None:
    """N6.2, N6.3."""
    rng = random.Random(3)
    ends = [random_end(rng) for _ in range(500)]
    states = settled(ends)
    for end in ends:
        end.indicators.reverse()
    swapped = settled(ends)
    for name in ("base_hu", "bonus", "multiplier", "totals", "points", "hand_shape", "wenqian", "final_wait"):
        assert np.array_equal(states[name], swapped[name]), name
