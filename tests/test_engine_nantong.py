"""The compiled engine of Nantong Long Cards: against the slow engine, and clause by clause (N1, N3-N5)."""

import gzip
import itertools
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents import registry
from agents.nantong.greedy import choose_greedy
from longcards_env import nantong
from longcards_env.nantong.distance import distance_tables
from longcards_env.nantong.rules import Meld, Source
from longcards_env.nantong.state import Phase, hand_counts
from naive import KIND, KINDS, TOKENS
from naive_engine import Deal

GOLDEN = Path(__file__).parent / "golden" / "nantong.jsonl.gz"

ACTIONS = {nantong.action_name(action): action for action in range(nantong.NUM_ACTIONS)}

# Kinds of which one each make a hand that nearly always is far from a win, and that claims nothing.
DULL = [f"{suit}{rank}" for rank in (1, 4, 7, 2, 5, 8) for suit in "msc"] + ["TH", "WF", "RF"]
DULL += [f"{suit}{rank}" for rank in (9, 6, 3) for suit in "msc"]

FIVE_RUNS = "s1 s2 s3 s4 s5 s6 s7 s8 s9 c1 c2 c3 c4 c5 c6 "
SIX_RUNS = FIVE_RUNS + "c7 c8 c9 "

Advance = Callable[[np.record], tuple[int, int]]


@cache
def advance() -> Advance:
    """The compiled engine's way to the next decision (N5.1)."""
    function: Advance = registry.compiled("nantong").advance
    return function


def words_of(low: int, high: int) -> list[str]:
    """A legal set as sorted words."""
    both = int(low) | int(high) << nantong.HIGH
    return sorted(word for word, action in ACTIONS.items() if both >> action & 1)


class Table:
    """A deal of the compiled engine, driven by words, side by side with the slow engine; both must agree.

    Seats are counted from the dealer: 0 deals, 1 is the next.
    """

    def __init__(self, deck: list[str], dealer: int = 0) -> None:
        self.state = nantong.new_states(1)[0]
        nantong.reset(self.state, dealer, np.array([KIND[token] for token in deck], np.int8))
        self.judge = Deal(dealer, deck)
        self._advance()

    def _advance(self) -> None:
        self.legal = words_of(*advance()(self.state))
        assert self.legal == self.judge.legal(), self.judge.decisions
        if self.legal:
            assert self.state.seat == self.judge.seat, self.judge.decisions
        else:
            assert nantong.result(self.state) == self.judge.result(), self.judge.decisions

    @property
    def seat(self) -> int | None:
        """Who decides, None when the deal is over."""
        return (int(self.state.seat) - int(self.state.dealer)) % 3 if self.legal else None

    @property
    def asked(self) -> tuple[int | None, list[str]]:
        """Who decides, and what it may do, but for discards."""
        return self.seat, [word for word in self.legal if not word.startswith("discard")]

    @property
    def stock(self) -> list[str]:
        return [TOKENS[kind] for kind in self.state.deck[self.state.front : self.state.back]]

    def play(self, *words: str) -> None:
        for word in words:
            assert word in self.legal
            nantong.apply(self.state, ACTIONS[word])
            self.judge.apply(word)
            self._advance()

    def discard_drawn(self) -> None:
        """Go through one turn by discarding what was drawn."""
        assert self.state.phase == Phase.TURN
        self.play(f"discard {TOKENS[self.state.card]}")

    def pass_by(self) -> None:
        """Play a decision that changes nothing: discard what was drawn, or a card held once; pass; end."""
        dull = [word for word in self.legal if word in ("pass", "end")]
        if self.state.phase == Phase.TURN and self.state.card >= 0:
            dull = [f"discard {TOKENS[self.state.card]}"]
        elif not dull:
            held = Counter(self.hand((int(self.state.seat) - int(self.state.dealer)) % 3))
            dull = [word for word in self.legal if held[word.removeprefix("discard ")] == 1]
        self.play(dull[0])

    def drain(self, cards: int) -> None:
        """Pass by until so few cards are in the stock."""
        while len(self.stock) > cards:
            self.pass_by()

    def hand(self, seat: int) -> list[str]:
        """The cards of a seat counted from the dealer."""
        counts = hand_counts(self.state, (seat + int(self.state.dealer)) % 3)
        return [TOKENS[kind] for kind in range(KINDS) for _ in range(counts[kind])]

    def waits(self, seat: int) -> list[str]:
        kinds = self.state.waits[(seat + int(self.state.dealer)) % 3]
        return [token for kind, token in enumerate(TOKENS) if kinds >> kind & 1]

    def has_meld(self, seat: int, sort: Meld, token: str) -> bool:
        own = self.state.melds[(seat + int(self.state.dealer)) % 3]
        return bool(own[sort] >> KIND[token] & 1)

    def river(self) -> list[str]:
        return [TOKENS[code & 31] for code in self.state.river[: self.state.river_size]]

    def ended(self) -> tuple[object, object, object]:
        """Who won (counted from the dealer), how, and with which card."""
        assert not self.legal
        result = nantong.result(self.state)
        winner = None if self.state.winner < 0 else (int(self.state.winner) - int(self.state.dealer)) % 3
        return winner, result["source"], result["winning_card"]


# ---- decks


def deck_of(*hands: str, indicators: str = "m6 c6", front: str = "", back: str = "") -> list[str]:
    """Build a deck: the hands from the dealer's on, indicators, first and last cards of the stock.

    Hands are filled up with one card each of dull kinds, the stock with what is left. `back` is in the order of
    the deck: its last card is drawn first.
    """
    rest = Counter(TOKENS * 4)
    parts = [hand.split() for hand in (*hands, "", "", "")][:3]
    parts += [indicators.split(), front.split(), back.split()]
    for part in parts:
        rest.subtract(part)
    assert min(rest.values()) >= 0
    for part, cards in zip(parts, (23, 22, 22), strict=False):
        dull = [token for token in DULL if rest[token] and token not in part]
        dull = dull[: cards - len(part)]
        rest.subtract(dull)
        part += dull
        assert len(part) == cards
    left = list(rest.elements())
    deck = [*parts[0], *parts[1], *parts[2], *parts[3], *parts[4], *left, *parts[5]]
    assert len(deck) == 120
    return deck


@pytest.fixture(params=[0, 1, 2])
def table(request: pytest.FixtureRequest) -> Callable[..., Table]:
    """A table of a deck_of(...), for each dealer (N1.3)."""

    def new(*hands: str, **stock: str) -> Table:
        return Table(deck_of(*hands, **stock), request.param)

    return new


NewTable = Callable[..., Table]

# ---- N1, N3.1: cards and openings


@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_deck_is_dealt_in_order(dealer: int) -> None:
    """N1.3, N1.4."""
    deck = random.Random(dealer).sample(TOKENS * 4, 120)
    game = Table(deck, dealer)
    for seat, part in enumerate((deck[0:23], deck[23:45], deck[45:67])):
        assert game.hand(seat) == sorted(part, key=lambda token: KIND[token])
    assert [TOKENS[kind] for kind in game.state.indicators] == deck[67:69]
    assert game.stock == deck[69:120]


def test_seats_prepare_in_order(table: NewTable) -> None:
    """N3.1: each seat ends its preparation before the next begins; N5.1: `end` alone is never asked."""
    game = table("m1 m1 m1 m1", "s1 s1 s1 s1", "c1 c1 c1 c1")
    assert game.asked == (0, ["end", "open m1"])
    game.play("open m1")
    assert game.asked == (1, ["end", "open s1"])
    game.play("end")
    assert game.asked == (2, ["end", "open c1"])
    game.play("open c1")
    assert game.asked == (0, [])
    assert game.state.phase == Phase.TURN


def test_several_openings_and_an_end(table: NewTable) -> None:
    """N3.1: any number of declarations, then `end`; an unopened quad may be a kong later."""
    game = table("m1 m1 m1 m1 m2 m2 m2 m2 m3 m3 m3 m3")
    assert game.legal == ["end", "open m1", "open m2", "open m3"]
    game.play("open m2")
    assert game.legal == ["end", "open m1", "open m3"]
    game.play("open m1", "end")
    assert game.asked == (0, ["kong m3"])
    assert game.has_meld(0, Meld.OPENING_QUAD, "m1")
    assert game.has_meld(0, Meld.OPENING_QUAD, "m2")


def test_quad_is_replaced_from_the_back(table: NewTable) -> None:
    """N3.1."""
    game = table("m1 m1 m1 m1", back="RF WF")
    before = game.hand(0)
    assert "WF" in before
    game.play("open m1")
    assert sorted(game.hand(0)) == sorted([token for token in before if token != "m1"] + ["WF"])
    assert len(game.stock) == 50
    assert game.stock[-1] == "RF"


def test_replacement_opens_nothing(table: NewTable) -> None:
    """N3.1: a quad is opened only if it was dealt; a fourth copy drawn makes a kong in the first turn."""
    game = table("m1 m1 m1 s1 s1 s1 s1", back="m1")
    game.play("open s1")
    assert game.asked == (0, ["kong m1"])


def test_triple_of_an_indicator_is_opened_without_replacement(table: NewTable) -> None:
    """N3.1."""
    game = table("m1 m1 m1 m2 m2 m2", indicators="m1 c6")
    assert game.legal == ["end", "open m1"]
    game.play("open m1")
    assert len(game.stock) == 51
    assert len(game.hand(0)) == 20
    assert game.has_meld(0, Meld.OPENING_TRIPLE, "m1")


def test_replacement_makes_no_opening_triple(table: NewTable) -> None:
    """N3.1: exactly three of the indicator were dealt, or none is opened."""
    game = table("m1 m1 s1 s1 s1 s1", indicators="m1 c6", back="m1")
    game.play("open s1")
    assert game.hand(0).count("m1") == 3
    assert game.asked == (0, [])


def test_hezi_takes_two_replacements_from_the_back(table: NewTable) -> None:
    """N3.1: both indicators of one kind, and the other two were dealt."""
    game = table("", "m1 m1", indicators="m1 m1", back="m3 m2 s3")
    assert game.asked == (1, ["end", "hezi"])
    before = game.hand(1)
    game.play("hezi")
    assert sorted(game.hand(1)) == sorted([token for token in before if token != "m1"] + ["m2", "s3"])
    assert (len(game.stock), game.stock[-1]) == (49, "m3")
    assert game.asked == (0, [])
    assert game.state.phase == Phase.TURN


@pytest.mark.parametrize(
    ("hands", "indicators"), [(("m1 m1",), "m1 s1"), (("m1", "m1"), "m1 m1"), (("m1 m1", "m1"), "m1 s3")]
)
def test_no_hezi(table: NewTable, hands: tuple[str, ...], indicators: str) -> None:
    """N3.1: one indicator is not enough, nor is one copy."""
    game = table(*hands, indicators=indicators)
    assert game.asked == (0, [])
    assert game.state.phase == Phase.TURN


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_replacement_makes_no_hezi(table: NewTable, seat: int) -> None:
    """N3.1: the other two copies must have been dealt."""
    hands = ["", "", ""]
    hands[seat] = "m1 s1 s1 s1 s1"
    game = table(*hands, indicators="m1 m1", back="m1")
    assert game.asked == (seat, ["end", "open s1"])
    game.play("open s1")
    assert game.hand(seat).count("m1") == 2
    assert game.asked == (0, [])
    assert game.state.phase == Phase.TURN


def test_declarations_in_any_order_end_alike(table: NewTable) -> None:
    """N3.1."""
    ends = set()
    for order in itertools.permutations(["open m2", "open m3", "hezi"]):
        game = table("m1 m1 m2 m2 m2 m2 m3 m3 m3 m3", indicators="m1 m1")
        game.play(*order)
        ends.add(game.state.tobytes())
    assert len(ends) == 1


# ---- N3.1 - N3.3: ready


def test_ready_ends_preparation(table: NewTable) -> None:
    """N3.1, N3.2: with the quad still unopened; ready is declared once."""
    game = table("", "m1 m1 m1 m1 m2 m3 RF " + FIVE_RUNS)
    assert game.asked == (1, ["end", "open m1", "ready"])
    game.play("ready")
    assert game.asked == (0, [])
    assert game.state.phase == Phase.TURN


def test_dealer_is_never_ready(table: NewTable) -> None:
    """N3.1: `ready` is for the others, even if the dealer's hand needs one card."""
    game = table(SIX_RUNS + "m1 m2 RF RF WF", back="m3")
    assert game.asked == (0, [])
    game = table("m1 m1 m1 m1 m2 m3 RF WF " + FIVE_RUNS)
    assert game.legal == ["end", "open m1"]


def test_ready_after_an_opening(table: NewTable) -> None:
    """N3.2: the test is made anew after every declaration; here the replacement brings it about."""
    game = table("", FIVE_RUNS + "TH TH TH TH m1 m2 WF", back="WF")
    assert game.asked == (1, ["end", "open TH"])
    game.play("open TH")
    assert game.asked == (1, ["end", "ready"])


def test_ready_after_hezi(table: NewTable) -> None:
    """N3.2: the replacements of the hezi complete the wait."""
    game = table("", SIX_RUNS + "m1 m1 RF WF", indicators="m1 m1", back="RF WF")
    assert game.asked == (1, ["end", "hezi"])
    game.play("hezi")
    assert game.asked == (1, ["end", "ready"])


def test_opening_spoils_ready(table: NewTable) -> None:
    """N3.2: a hand that needed one card and no longer does once its quad lies open."""
    game = table("", "m1 m1 m1 m1 m2 m3 RF " + FIVE_RUNS, back="TH")
    assert game.asked == (1, ["end", "open m1", "ready"])
    game.play("open m1")
    assert game.asked == (0, [])


@pytest.mark.parametrize(
    ("hand", "indicators", "word"),
    [
        (SIX_RUNS + "m1 m2 m2 m3", "m2 m2", "hezi"),  # two in hand, two indicators
        (FIVE_RUNS + "m1 m2 m2 m3 m3 m3 m4", "m3 c6", "open m3"),  # three in hand, one indicator
    ],
)
def test_ready_needs_a_card_it_does_not_see(table: NewTable, hand: str, indicators: str, word: str) -> None:
    """N3.2, Reading: a wait on a kind of which all four copies are visible to the seat is not ready."""
    game = table("", hand, indicators=indicators)
    assert game.asked == (1, ["end", word])


@pytest.mark.parametrize(
    ("hand", "indicators", "back", "word"),
    [
        (FIVE_RUNS + "m2 m2 m2 m2 m1 m3 RF", "m6 c6", "RF", "open m2"),  # the own opening quad
        (FIVE_RUNS + "m2 m2 m2 m1 m3 RF RF", "m2 c6", "", "open m2"),  # the own opening triple and an indicator
        (SIX_RUNS + "m2 m2 m1 m3", "m2 m2", "RF RF", "hezi"),  # the own hezi and both indicators
    ],
)
def test_ready_does_not_wait_for_declared_cards(
    table: NewTable, hand: str, indicators: str, back: str, word: str
) -> None:
    """N3.2, Reading: the seat's own melds and hezi are visible to it."""
    game = table("", hand, indicators=indicators, back=back)
    game.play(word)
    assert game.waits(1) == ["m2"]
    assert game.asked == (0, [])
    assert game.state.phase == Phase.TURN


def test_ready_does_not_count_what_others_show(table: NewTable) -> None:
    """N3.2, Reading: the dealer shows all four, the waiting seat may still be ready."""
    game = table("m2 m2 m2 m2", SIX_RUNS + "m1 m3 RF RF")
    game.play("open m2")
    assert game.asked == (1, ["end", "ready"])


def test_one_unseen_wait_is_enough(table: NewTable) -> None:
    """N3.2: of the waits m1 and RF the seat sees all four m1, but not all RF."""
    game = table("", SIX_RUNS + "m1 m1 RF RF", indicators="m1 m1")
    assert game.asked == (1, ["end", "hezi", "ready"])


def ready_table(table: NewTable, hand: str, front: str, ready: bool, dealer: str = "") -> Table:
    """The seat after the dealer prepared; the dealer is in its first turn."""
    game = table(dealer, hand, front=front)
    game.play("ready" if ready else "end")
    assert game.asked == (0, [])
    return game


def test_ready_seat_never_pongs(table: NewTable) -> None:
    """N3.3: the pair RF RF is ponged only by a seat that is not ready."""
    hand = SIX_RUNS + "m1 m2 RF RF"
    game = ready_table(table, hand, "TH", ready=False)
    game.play("discard RF")
    assert game.asked == (1, ["pass", "pong"])
    game = ready_table(table, hand, "TH", ready=True)
    game.play("discard RF")
    assert game.river() == ["RF", "TH"]  # nobody was asked: seat 1 drew and discarded TH (N5.1)
    assert game.asked == (2, [])


def test_ready_seat_never_kongs(table: NewTable) -> None:
    """N3.3: neither a discard with three copies in hand, nor a drawn fourth copy."""
    hand = FIVE_RUNS + "TH TH TH m1 m2 RF RF"
    game = ready_table(table, hand, "m9", ready=False)
    game.play("discard TH")
    assert game.asked == (1, ["kong", "pass", "pong"])
    game = ready_table(table, hand, "m9", ready=True)
    game.play("discard TH")
    assert game.river() == ["TH", "m9"]


@pytest.mark.parametrize("ready", [False, True])
def test_ready_seat_discards_a_drawn_fourth_copy(table: NewTable, ready: bool) -> None:
    """N3.3: a seat that is not ready may kong it."""
    game = ready_table(table, FIVE_RUNS + "TH TH TH m1 m2 RF RF", "TH", ready)
    game.play("discard m1")
    assert game.river() == (["m1", "TH"] if ready else ["m1"])
    assert game.asked == ((2, []) if ready else (1, ["kong TH"]))


def test_ready_seat_wins_or_discards_what_it_drew(table: NewTable) -> None:
    """N3.3, N5.2: two options with a winning draw, and the discard is that very card."""
    game = ready_table(table, SIX_RUNS + "m1 m2 RF RF", "m3", ready=True)
    game.play("discard TH")
    assert (game.seat, game.legal) == (1, ["discard m3", "win"])
    game.play("discard m3")
    assert game.river() == ["TH", "m3"]
    game = ready_table(table, SIX_RUNS + "m1 m2 RF RF", "m3", ready=True)
    game.play("discard TH", "win")
    assert game.ended() == (1, "self_draw", "m3")


def test_ready_seat_wins_on_a_discard(table: NewTable) -> None:
    """N3.3: also after it passed one."""
    hand = SIX_RUNS + "m1 m2 RF RF"
    game = ready_table(table, hand, "TH m3", ready=True, dealer="m3")
    game.play("discard m3")
    assert game.asked == (1, ["pass", "win"])
    game.play("pass")
    assert game.asked == (2, [])
    game.play("discard m3")
    assert game.asked == (1, ["pass", "win"])
    game.play("win")
    assert game.ended() == (1, "discard", "m3")


# ---- N4.1, N4.2: turns


def test_dealer_begins_without_drawing(table: NewTable) -> None:
    """N4.1; N5.2: one discard for each kind in hand, and nothing else."""
    game = table("RF RF WF WF WF")
    assert len(game.stock) == 51
    assert len(game.hand(0)) == 23
    assert game.legal == sorted({f"discard {token}" for token in game.hand(0)})


def test_heavenly_win(table: NewTable) -> None:
    """N4.1: the dealer may win with the dealt hand, or go on."""
    game = table(SIX_RUNS + "m1 m2 m3 RF RF")
    assert game.asked == (0, ["win"])
    game.play("win")
    assert game.ended() == (0, "heavenly", None)


def test_heavenly_win_with_replacements(table: NewTable) -> None:
    """N4.1: replacements drawn in preparation do not spoil it."""
    game = table(FIVE_RUNS + "TH TH TH TH m1 m2 m3 RF", back="RF")
    game.play("open TH")
    assert game.asked == (0, ["win"])
    game.play("win")
    assert game.ended() == (0, "heavenly", None)


def test_dealer_may_kong_first(table: NewTable) -> None:
    """N4.1, Reading; N6.7: a win is then one on a kong replacement."""
    game = table(FIVE_RUNS + "TH TH TH TH m1 m2 m3 RF", back="RF")
    game.play("end")
    assert game.asked == (0, ["kong TH"])
    game.play("kong TH")
    assert game.asked == (0, ["win"])
    game.play("win")
    assert game.ended() == (0, "kong_replacement", "RF")


def test_turn_draws_the_front_card(table: NewTable) -> None:
    """N4.2, N4.5: the seat after the discarder draws."""
    game = table(front="m3 s3 c3")
    game.play("discard TH")
    for seat, token in ((1, "m3"), (2, "s3"), (0, "c3")):
        assert game.asked == (seat, [])
        assert token in game.hand(seat)
        assert len(game.hand(seat)) == 23
        assert f"discard {token}" in game.legal
        game.discard_drawn()
    assert game.river() == ["TH", "m3", "s3", "c3"]


def test_self_draw(table: NewTable) -> None:
    """N4.2."""
    game = table("", SIX_RUNS + "m1 m2 RF RF", front="m3")
    game.play("end", "discard TH")
    assert game.asked == (1, ["win"])
    game.play("win")
    assert game.ended() == (1, "self_draw", "m3")


# ---- N4.3: kongs


def test_concealed_kong_draws_from_the_back(table: NewTable) -> None:
    """N4.3: and again, if the replacement makes another."""
    game = table("m1 m1 m1 m1 s1 s1 s1", back="c9 s1")
    game.play("end", "kong m1")
    assert game.stock[-1] == "c9"
    assert game.asked == (0, ["kong s1"])
    game.play("kong s1")
    assert len(game.stock) == 49
    assert game.asked == (0, [])
    assert game.hand(0).count("c9") == 1
    assert game.has_meld(0, Meld.CONCEALED_KONG, "s1")


def test_concealed_kong_is_not_robbed(table: NewTable) -> None:
    """N4.3: only an added kong is."""
    game = table("m1 m1 m1 m1", SIX_RUNS + "m2 m3 RF RF")
    game.play("end", "end", "kong m1")
    assert game.asked == (0, [])


WAITS_FOR_M1 = SIX_RUNS + "m2 m3 RF RF"


def added_kong(table: NewTable, second: str, third: str, dealer: str = "m1 m1") -> Table:
    """The dealer has ponged m1 of the next seat and drawn the fourth copy in its next turn."""
    game = table(dealer, second, third, front="m1 c8 c7 m1", back="s2 c2")
    while game.state.phase == Phase.PREPARE:
        game.play("end")
    game.play("discard m8")
    game.discard_drawn()
    while game.legal != ["pass", "pong"]:
        game.play("pass")
    assert game.seat == 0
    game.play("pong", "discard m7")
    game.discard_drawn()
    game.discard_drawn()
    assert game.asked == (0, ["kong m1"])
    return game


def test_first_seat_robs_the_kong(table: NewTable) -> None:
    """N4.3: the others may win in order from the konger's next; it keeps its pong and has lost the card."""
    game = added_kong(table, WAITS_FOR_M1, WAITS_FOR_M1)
    game.play("kong m1")
    assert game.asked == (1, ["pass", "win"])
    game.play("win")
    assert game.ended() == (1, "robbed_kong", "m1")
    assert "m1" not in game.hand(0)
    assert game.has_meld(0, Meld.PONG, "m1")
    assert not game.has_meld(0, Meld.ADDED_KONG, "m1")
    assert nantong.result(game.state)["base"][game.judge.dealer] == 2


def test_second_seat_robs_the_kong(table: NewTable) -> None:
    """N4.3: after the first passed, or if the first cannot."""
    game = added_kong(table, WAITS_FOR_M1, WAITS_FOR_M1)
    game.play("kong m1", "pass")
    assert game.asked == (2, ["pass", "win"])
    game.play("win")
    assert game.ended() == (2, "robbed_kong", "m1")
    game = added_kong(table, "", WAITS_FOR_M1)
    game.play("kong m1")
    assert game.asked == (2, ["pass", "win"])


def test_added_kong_that_nobody_robs(table: NewTable) -> None:
    """N4.3: an exposed kong that remembers its pong, and a replacement from the back."""
    game = added_kong(table, WAITS_FOR_M1, WAITS_FOR_M1)
    game.play("kong m1", "pass", "pass")
    assert game.asked == (0, [])
    assert game.has_meld(0, Meld.ADDED_KONG, "m1")
    assert not game.has_meld(0, Meld.PONG, "m1")
    assert game.stock[-1] == "s2"
    assert game.hand(0).count("c2") == 2
    game = added_kong(table, "", "")
    game.play("kong m1")
    assert game.asked == (0, [])
    assert game.has_meld(0, Meld.ADDED_KONG, "m1")


def test_ready_seat_robs(table: NewTable) -> None:
    """N3.3: it may win on any card as usual."""
    game = table("m1 m1", "", WAITS_FOR_M1, front="m1 c8 c7 m1")
    game.play("ready", "discard m8", "discard m1", "pass", "pong", "discard m7", "discard c8", "kong m1")
    assert (game.seat, game.legal) == (2, ["pass", "win"])
    game.play("win")
    assert game.ended() == (2, "robbed_kong", "m1")


def test_added_kong_with_a_card_kept_in_hand(table: NewTable) -> None:
    """N4.3: one copy in hand, whenever it came."""
    game = table("m1 m1 m1", front="m1 c8 c7 s7")
    game.play("discard m8", "discard m1")
    assert game.asked == (0, ["kong", "pass", "pong"])
    game.play("pong", "discard m7")
    game.discard_drawn()
    game.discard_drawn()
    assert "s7" in game.hand(0)
    assert game.asked == (0, ["kong m1"])
    game.play("discard s7")
    game.discard_drawn()
    game.discard_drawn()
    assert game.asked == (0, ["kong m1"])


def test_win_on_a_replacement_for_an_added_kong(table: NewTable) -> None:
    """N4.3."""
    game = table(FIVE_RUNS + "m1 m1 m7 m8 RF RF WF WF", front="m1 s3 c3 m1", back="m9")
    game.play("discard WF", "discard m1", "pong", "discard WF", "discard s3", "discard c3", "kong m1")
    assert game.asked == (0, ["win"])
    game.play("win")
    assert game.ended() == (0, "kong_replacement", "m9")


# ---- N4.4, N4.5: claims


def test_wins_are_asked_in_order(table: NewTable) -> None:
    """N4.4: the first win ends the deal."""
    game = table("m1", WAITS_FOR_M1, WAITS_FOR_M1)
    game.play("end", "end", "discard m1")
    assert game.asked == (1, ["pass", "win"])
    game.play("pass")
    assert game.asked == (2, ["pass", "win"])
    game.play("win")
    assert game.ended() == (2, "discard", "m1")
    game = table("m1", WAITS_FOR_M1, WAITS_FOR_M1)
    game.play("end", "end", "discard m1", "win")
    assert game.ended() == (1, "discard", "m1")


def test_order_of_claims_begins_after_the_discarder(table: NewTable) -> None:
    """N4.4: after seat 1's discard, seat 2 comes before the dealer."""
    game = table(WAITS_FOR_M1 + " WF", "", WAITS_FOR_M1, front="m1")
    game.play("end", "discard WF", "discard m1")
    assert game.asked == (2, ["pass", "win"])
    game.play("pass")
    assert game.asked == (0, ["pass", "win"])


def test_every_kind_of_group_may_be_won(table: NewTable) -> None:
    """N4.4, Reading: runs, triples and the pair."""
    for tail, token in (("m2 m3 RF RF", "m4"), ("m1 m1 RF RF", "RF"), ("m1 m2 m3 WF", "WF")):
        game = table(token, SIX_RUNS + tail)
        game.play("end", f"discard {token}")
        assert game.asked == (1, ["pass", "win"])


def test_a_win_goes_before_a_pong(table: NewTable) -> None:
    """N4.4: two rounds; the farther seat wins before the nearer one may pong."""
    game = table("m1", "m1 m1", WAITS_FOR_M1)
    game.play("end", "discard m1")
    assert game.asked == (2, ["pass", "win"])
    game.play("pass")
    assert game.asked == (1, ["pass", "pong"])
    game.play("pass")
    assert game.asked == (1, [])
    assert game.state.phase == Phase.TURN


def test_one_seat_in_both_rounds(table: NewTable) -> None:
    """N4.4: it passes the win, then pongs; then it discards without drawing, and may neither win nor kong."""
    game = table("m1", FIVE_RUNS + "m1 m1 TH TH TH RF RF", front="TH")
    game.play("end", "discard m1")
    assert game.asked == (1, ["pass", "win"])
    game.play("pass")
    assert game.asked == (1, ["pass", "pong"])
    game.play("pong")
    assert game.asked == (1, [])
    assert game.state.phase == Phase.DISCARD
    assert len(game.hand(1)) == 20
    assert len(game.stock) == 51
    game.play("discard RF")
    assert game.asked == (2, [])


def test_no_kong_after_a_pong(table: NewTable) -> None:
    """N4.4: four in hand stay there; and the third copy of the ponged kind may be the discard."""
    game = table("m1", "m1 m1 m1 TH TH TH TH")
    game.play("end", "discard m1")
    assert game.asked == (1, ["kong", "pass", "pong"])
    game.play("pong")
    assert game.asked == (1, [])
    game.play("discard m1")
    assert game.asked == (2, [])
    assert game.river() == ["m1"]


def test_pong_of_a_discard_after_a_pong(table: NewTable) -> None:
    """N4.4: play goes on from the seat that claimed last."""
    game = table("m1 WF WF", "m1 m1 RF", "RF RF WF")
    game.play("discard m1", "pong", "discard RF")
    assert game.asked == (2, ["pass", "pong"])
    game.play("pong", "discard WF")
    assert game.asked == (0, ["pass", "pong"])
    game.play("pass")
    assert game.asked == (0, [])
    assert game.state.phase == Phase.TURN


def test_claimed_kong(table: NewTable) -> None:
    """N4.4: a replacement from the back, then win, kong or discard."""
    game = table("m1", "m1 m1 m1 TH TH TH", back="s2 TH")
    game.play("discard m1", "kong")
    assert game.asked == (1, ["kong TH"])
    assert game.stock[-1] == "s2"
    assert game.has_meld(1, Meld.EXPOSED_KONG, "m1")
    assert game.river() == []
    game.play("discard TH")
    assert game.asked == (2, [])


def test_win_on_a_claimed_kong(table: NewTable) -> None:
    """N4.4."""
    game = table("TH", FIVE_RUNS + "TH TH TH m1 m2 RF RF", back="m3")
    game.play("end", "discard TH", "kong")
    assert game.asked == (1, ["win"])
    game.play("win")
    assert game.ended() == (1, "kong_replacement", "m3")


def test_passing_restricts_nothing(table: NewTable) -> None:
    """N4.5: neither a later win nor a later pong."""
    game = table("m1", SIX_RUNS + "m1 m1 RF RF", front="c8 m1")
    game.play("end", "discard m1", "pass", "pass", "discard c8", "discard m1")
    assert game.asked == (1, ["pass", "win"])
    game.play("pass")
    assert game.asked == (1, ["pass", "pong"])
    game.play("pong")
    assert game.has_meld(1, Meld.PONG, "m1")


# ---- N4.3 - N4.6: the end of the stock


def test_exhausted_only_at_the_draw(table: NewTable) -> None:
    """N4.6: the last card is drawn by the dealer, the 51st; the deal ends where the next seat would draw."""
    game = table()
    game.drain(0)
    assert game.asked == (0, [])
    game.discard_drawn()
    assert game.ended() == (None, None, None)
    assert nantong.result(game.state)["outcome"] == "exhausted"


def test_last_discard_is_won(table: NewTable) -> None:
    """N4.6."""
    game = table("", WAITS_FOR_M1, back="m1")
    game.play("end")
    game.drain(0)
    game.discard_drawn()
    assert game.asked == (1, ["pass", "win"])
    game.play("win")
    assert game.ended() == (1, "discard", "m1")


def test_last_discards_are_ponged(table: NewTable) -> None:
    """N4.6: and the discard after that pong too, and so on; then the deal is exhausted."""
    game = table("", "m1 m1 RF", "RF RF", back="m1")
    game.drain(0)
    game.discard_drawn()
    assert game.asked == (1, ["pass", "pong"])
    game.play("pong")
    assert game.asked == (1, [])
    game.play("discard RF")
    assert game.asked == (2, ["pass", "pong"])
    game.play("pong", "discard WF")
    assert game.ended() == (None, None, None)


def test_discard_after_the_last_pong_is_won(table: NewTable) -> None:
    """N4.6."""
    game = table("", "m1 m1 c3", SIX_RUNS.replace("c9", "c9 c1") + "c2 RF RF", back="m1")
    game.drain(0)
    game.discard_drawn()
    game.play("pong", "discard c3", "win")
    assert game.ended() == (2, "discard", "c3")


def test_no_kong_from_an_empty_stock(table: NewTable) -> None:
    """N4.3, N4.4: neither concealed nor added nor claimed."""
    game = table("m2 m2 m2 m2", "m1 m1 m1", back="m1")
    game.drain(0)
    assert game.asked == (0, [])  # four m2
    game.discard_drawn()
    assert game.asked == (1, ["pass", "pong"])  # three m1


def test_no_added_kong_from_an_empty_stock(table: NewTable) -> None:
    """N4.3: the seat that ponged keeps the fourth copy; it draws every third card, the last one too."""
    game = table("m1", "", "m1 m1 m1")
    game.play("discard m1", "pong", "discard WF")
    game.drain(3)
    assert game.asked == (2, ["kong m1"])
    game.drain(0)
    assert game.asked == (2, [])
    assert "m1" in game.hand(2)


@pytest.mark.parametrize(("left", "seat"), [(2, 1), (1, 2), (0, 0)])
def test_concealed_kong_at_the_end_of_the_stock(table: NewTable, left: int, seat: int) -> None:
    """N4.3: while the stock is not empty; the replacement is then among the last cards."""
    hands = ["", "", ""]
    hands[seat] = "m2 m2 m2 m2"
    game = table(*hands)
    game.drain(left)
    assert game.asked == (seat, ["kong m2"] if left else [])
    if left:
        game.play("kong m2")
        assert len(game.stock) == left - 1
        assert game.asked == (seat, [])


@pytest.mark.parametrize(("left", "seat", "claims"), [(1, 2, ["kong", "pass", "pong"]), (0, 0, ["pass", "pong"])])
def test_claimed_kong_at_the_end_of_the_stock(table: NewTable, left: int, seat: int, claims: list[str]) -> None:
    """N4.4: a kong needs a stock that is not empty, a pong does not."""
    hands = ["", "m1 m1 m1", ""]
    game = table(*hands, back="m1" if left == 0 else "m1 s2")
    game.drain(left)
    assert game.seat == seat
    game.discard_drawn()
    assert game.asked == (1, claims)
    if left:
        game.play("kong")
        assert not game.stock
        assert game.asked == (1, [])
        game.discard_drawn()
        assert game.ended() == (None, None, None)


def test_win_with_the_last_card(table: NewTable) -> None:
    """N4.2: drawn in turn, with its double (N6.6)."""
    game = table(WAITS_FOR_M1 + " WF", back="m1")
    game.drain(0)
    game.play("win")
    assert game.ended() == (0, "self_draw", "m1")
    assert game.state.multiplier == 2


def test_win_with_the_last_card_as_a_replacement(table: NewTable) -> None:
    """N4.3: at stock 1 a kong may be made, and the last card wins, with its double (N6.6, N6.8)."""
    game = table("", "", FIVE_RUNS + "TH TH TH TH m2 m3 RF", back="m1 RF")
    game.drain(1)
    assert game.asked == (2, ["kong TH"])
    game.play("kong TH", "win")
    assert game.ended() == (2, "kong_replacement", "RF")
    assert game.state.multiplier == 2


# ---- N5.1: forced moves


def test_seven_melds_and_a_forced_discard(table: NewTable) -> None:
    """N5.1: after a seventh group by pong two equal cards are left: one discard, and nothing to choose."""
    quads = " ".join(f"m{rank} " * 4 for rank in range(1, 6))
    game = table(quads + "RF RF WF", "RF WF", back="WF s9 s9 c9 c9")
    for rank in range(1, 6):
        game.play(f"open m{rank}")
    assert game.hand(0) == ["s9", "s9", "c9", "c9", "WF", "WF", "RF", "RF"]
    game.play("discard c9", "discard RF", "pong", "discard c9")
    game.play("discard WF", "pass", "pong")
    assert game.hand(0) == ["s9"]
    assert game.river() == ["c9", "c9", "s9"]
    assert game.asked == (1, [])


# ---- against the slow engine

EVENTS = ("win", "pass", "pong", "kong", "open", "hezi", "ready", "end", "discard")


@dataclass(frozen=True)
class Mood:
    """How a seat plays: how often by the greedy policy, how gladly it else takes each action word.

    Its favourite card it discards if alone, pongs and kongs; it passes a win with it unless it robs a kong.
    """

    sense: float = 0.0
    liking: dict[str, float] = field(default_factory=lambda: dict.fromkeys(EVENTS, 1.0))
    favourite: str = ""

    def choose(self, rng: random.Random, game: Table) -> str:
        favoured = [f"kong {self.favourite}"]
        if self.favourite and hand_counts(game.state, game.state.seat)[KIND[self.favourite]] == 1:
            favoured.append(f"discard {self.favourite}")
        if game.state.card >= 0 and TOKENS[game.state.card] == self.favourite:
            favoured += ["win"] if game.state.phase == Phase.ROB and rng.random() < 0.7 else ["pong", "pass"]
        for word in favoured:
            if word in game.legal:
                return word
        if rng.random() < self.sense:
            low, high = nantong.legal_words(game.state)
            return nantong.action_name(choose_greedy(game.state, low, high, distance_tables()))
        return rng.choices(game.legal, [self.liking[word.split()[0]] for word in game.legal])[0]


def mood(rng: random.Random, favourite: str) -> Mood:
    """One seat wins at once, another never; one plays well, another for kongs."""
    liking = {word: rng.choice([0.02, 1.0, 50.0]) for word in EVENTS}
    return Mood(rng.choice([0.0, 0.6, 0.9, 0.97]), liking, favourite)


Made = tuple[list[str], str]  # a deck, and every seat's favourite card


def shuffled(rng: random.Random) -> Made:
    return rng.sample(TOKENS * 4, 120), ""


def clumped(rng: random.Random) -> Made:
    """Equal kinds stand together but for some swaps: quads in hands, equal indicators, the others near."""
    kinds = rng.sample(TOKENS, KINDS) if rng.random() < 0.5 else TOKENS
    deck = [token for token in kinds for _ in range(4)]
    shift = rng.randrange(120)
    deck = deck[shift:] + deck[:shift]
    for _ in range(rng.randrange(60)):
        swap(deck, rng.randrange(120), rng.randrange(120))
    if rng.random() < 0.5:
        put_equal_indicators(rng, deck)
    return deck, ""


def nearly_won(rng: random.Random) -> Made:
    """Each hand is taken from complete groups as long as there are any; some swaps follow."""
    rest = Counter(TOKENS * 4)
    hands = [token for cards in (23, 22, 22) for token in group_hand(rng, rest, cards)]
    deck = hands + rng.sample(left := list(rest.elements()), len(left))
    if rng.random() < 0.5:
        put_equal_indicators(rng, deck)
    for _ in range(rng.choice([0, 0, 1, 3])):
        swap(deck, rng.randrange(120), rng.randrange(120))
    return deck, ""


def robbing(rng: random.Random) -> Made:
    """One seat holds two cards of a kind, one a third card, one waits for it; the fourth comes soon."""
    kind = rng.choice([kind for kind in range(27) if kind % 9 < 7])
    token = TOKENS[kind]
    roles = [[token, token], [token], [TOKENS[kind + 1], TOKENS[kind + 2]]]
    rng.shuffle(roles)
    rest = Counter(TOKENS * 4)
    rest.subtract(sum(roles, [token]))
    waiting = next(role for role in roles if token not in role)
    waiting += group_hand(rng, rest, 20, most=3)
    left = rng.sample(left := list(rest.elements()), len(left))
    hands = [
        role + [left.pop() for _ in range(cards - len(role))] for role, cards in zip(roles, (23, 22, 22), strict=True)
    ]
    soon = 2 + roles.index([token])  # what the first seat draws in its next turn if it pongs the third card
    left.insert(2 + soon, token)
    return [*hands[0], *hands[1], *hands[2], *left], token


def swap(deck: list[str], i: int, j: int) -> None:
    deck[i], deck[j] = deck[j], deck[i]


def group_hand(rng: random.Random, rest: Counter[str], cards: int, most: int = 4) -> list[str]:
    """Take runs, triples and quads, then what fills the hand up."""
    hand: list[str] = []
    while len(hand) < cards:
        kind = rng.randrange(KINDS)
        run = [TOKENS[kind + i] for i in range(3)] if kind < 27 and kind % 9 < 7 else []
        same = [TOKENS[kind]] * rng.choice([3, 3, most] if (cards - len(hand)) % 3 != 2 else [2])
        group = (run if run and len(same) > 2 and rng.random() < 0.6 else same)[: cards - len(hand)]
        if all(rest[token] >= group.count(token) for token in group):
            rest.subtract(group)
            hand += group
    return hand


def put_equal_indicators(rng: random.Random, deck: list[str]) -> None:
    """Turn up two of a kind; the other two are in one hand, or one of them is at the back of the stock."""
    own = rng.sample(rng.choice([range(23), range(23, 45), range(45, 67)]), 2)
    if rng.random() < 0.3:
        own[1] = 119
    token = deck[own[0]]
    for place in (67, 68, own[1]):
        where = [i for i in range(120) if deck[i] == token and i not in (67, 68, *own)]
        if deck[place] != token:
            swap(deck, place, where[0])


def play_out(game: Table, rng: random.Random, moods: list[Mood]) -> None:
    while game.legal:
        game.play(moods[game.state.seat].choose(rng, game))
    compare_cards(game)


def compare_cards(game: Table) -> None:
    """Hands, melds, hezi, ready and stock of the two engines."""
    names = {Meld[sort.upper()]: sort for sort in ("pong", "exposed_kong", "added_kong", "concealed_kong")}
    names |= {Meld.OPENING_TRIPLE: "opening_triple", Meld.OPENING_QUAD: "opening_quad"}
    state = game.state
    for seat, judged in enumerate(game.judge.seats):
        melds = [(names[sort], kind) for sort in Meld for kind in range(KINDS) if state.melds[seat, sort] >> kind & 1]
        assert hand_counts(state, seat).tolist() == judged.hand
        assert melds == sorted(judged.melds, key=lambda meld: (Meld[meld[0].upper()], meld[1]))
        assert state.hezi[seat] == (0 if judged.hezi is None else 1 << judged.hezi)
        assert bool(state.ready[seat]) == judged.ready
    assert state.deck[state.front : state.back].tolist() == game.judge.stock
    assert state.discards == len(game.judge.discards)


@pytest.mark.parametrize("block", range(4))
def test_random_deals(block: int) -> None:
    """N1-N6: random deals played at random agree at every decision and at the end."""
    rng = random.Random(block)
    for deal in range(250):
        play_out(Table(shuffled(rng)[0], deal % 3), rng, [Mood()] * 3)


def play_made(make: Callable[[random.Random], Made], rng: random.Random, dealer: int) -> Table:
    deck, favourite = make(rng)
    game = Table(deck, dealer)
    play_out(game, rng, [mood(rng, favourite) for _ in range(3)])
    return game


MAKERS = (shuffled, clumped, nearly_won, robbing)


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
@pytest.mark.parametrize("block", range(2))
def test_rare_events(block: int, make: Callable[[random.Random], Made]) -> None:
    """N1-N6: decks rich in quads, hezi, near wins and robbed kongs, played by seats of every mood."""
    rng = random.Random(f"{make.__name__} {block}")
    for deal in range(350):
        play_made(make, rng, deal % 3)


def events_of(game: Table) -> Iterator[str]:
    """What happened in a deal, for counting."""
    result = nantong.result(game.state)
    yield f"by {result['source']}" if result["source"] else "exhausted"
    yield from {action.split()[0] for _, action in game.judge.decisions}
    if not game.stock and result["source"]:
        yield "late win"


def test_rare_events_are_not_rare() -> None:
    """The made-up decks and moods bring about what random play hardly ever does."""
    rng = random.Random(0)
    seen: Counter[str] = Counter()
    for deal in range(300):
        seen.update(events_of(play_made(MAKERS[deal % 4], rng, deal % 3)))
    sources = [f"by {source.name.lower()}" for source in Source if source != Source.NONE]
    assert [event for event in (*EVENTS, *sources, "exhausted", "late win") if not seen[event]] == []


# ---- golden deals


def replay(record: dict[str, Any]) -> None:
    """Replay a record on the compiled engine alone, with every legal list and the result."""
    state = nantong.new_states(1)[0]
    nantong.reset(state, record["dealer"], np.array([KIND[token] for token in record["deck"]], np.int8))
    for (seat, action), legal in zip(record["decisions"], record["legal"], strict=True):
        assert words_of(*advance()(state)) == legal
        assert state.seat == seat
        nantong.apply(state, ACTIONS[action])
    assert advance()(state) == (0, 0)
    assert nantong.result(state) == record["result"]


@pytest.mark.nojit
def test_golden_deals() -> None:
    """Every golden deal replays with equal legal actions and an equal result, compiled or not."""
    with gzip.open(GOLDEN, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    assert len(records) > 100
    for record in records:
        replay(record)
