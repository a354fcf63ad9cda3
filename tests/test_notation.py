"""Words are those of N5.3, and a position's text shows every card."""

import re
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from longcards_env import GAMES, nantong, record, record_file
from longcards_env.nantong.state import Phase
from longcards_env.record import moves

GOLDEN = Path(__file__).parent / "golden"
REPLAYED = [record.replay(read, GAMES) for _, read in record_file.read(GOLDEN / "nantong.jsonl.gz")]

OF_KIND = [f"{word} {token}" for word in ("discard", "kong", "open") for token in nantong.TOKENS]
ALONE = ["win", "pass", "pong", "kong", "hezi", "ready", "end"]


def test_words_are_those_of_the_rules_page() -> None:
    assert {nantong.action_name(action) for action in range(nantong.NUM_ACTIONS)} == {*OF_KIND, *ALONE}


def test_each_phase_has_its_own_name() -> None:
    names = nantong.PHASES
    assert len(set(names)) == len(Phase)
    assert all(re.fullmatch("[a-z_]+", name) for name in names)


def test_every_result_is_as_recorded() -> None:
    for (_, read), replayed in zip(record_file.read(GOLDEN / "nantong.jsonl.gz"), REPLAYED, strict=True):
        assert nantong.result(replayed.end) == read["result"]
        assert list(nantong.result(replayed.end)) == list(read["result"])


# ---- positions as text

MELD_SIZES = {"pong": 3, "opening triple": 3, "hezi": 2}  # all others: 4


def shown_cards(text: str) -> int:
    """How many cards a position's text shows, the stock included."""
    cards = int(re.search(r"stock: (\d+)", text)[1]) + 2  # type: ignore[index]
    for line in text.splitlines():
        if found := re.search(r" (hand|river)  +(.*)", line):
            cards += len(found[2].split())
        elif found := re.search(r" table  (.*)", line):
            words = [word.rsplit(" ", 1)[0] for word in found[1].split(", ") if word != "ready"]
            cards += sum(MELD_SIZES.get(word, 4) for word in words)
    return cards


def positions(replayed: record.Replayed) -> list[np.record]:
    return [*(state.copy() for _, state, _ in moves(replayed)), replayed.end]


@pytest.mark.parametrize("replayed", REPLAYED[::5])
def test_text_shows_every_card(replayed: record.Replayed) -> None:
    for state in positions(replayed):
        hidden = 1 if state.phase == Phase.ROB else 0  # the card of the kong is on its way
        assert shown_cards(nantong.show(state)) + hidden == nantong.NUM_CARDS


def test_text_of_the_start_shows_the_deck_as_dealt() -> None:
    replayed = REPLAYED[0]
    _, state, _ = next(moves(replayed))
    lines = nantong.show(state).splitlines()
    deck = [nantong.TOKENS[kind] for kind in replayed.end.deck]
    (dealt,) = [line for line in lines if line.startswith(f"seat {state.dealer}  hand")]
    assert sorted(dealt.split()[3:]) == sorted(deck[:23])
    assert lines[0] == f"dealer: seat {state.dealer}   indicators: {' '.join(deck[67:69])}   stock: 51"
    assert lines[-1] == f"seat {state.dealer} is asked: prepare"


def test_text_of_a_win_gives_its_score() -> None:
    end = next(replayed.end for replayed in REPLAYED if replayed.end.ready.any() and replayed.end.winner >= 0)
    lines = nantong.show(end).splitlines()[-5:]
    assert lines[0].startswith(f"win of seat {end.winner} with {nantong.TOKENS[end.winning_card]}: ")
    assert f"bonus {end.bonus}, x{end.multiplier}" in lines[1]
    for seat in range(3):
        assert lines[2 + seat].startswith(f"seat {seat}  base {end.base_hu[seat]}, total {end.totals[seat]}, ")
        assert lines[2 + seat].endswith(f"points {end.points[seat]:+}")


def test_text_of_an_exhausted_deal_says_so() -> None:
    end = next(replayed.end for replayed in REPLAYED if replayed.end.winner < 0)
    assert nantong.show(end).splitlines()[-4] == "exhausted"


CARD = "(m|s|c)[1-9]|TH|WF|RF"
QUESTIONS = {
    Phase.PREPARE: "prepare",
    Phase.TURN: f"first turn|drew ({CARD})( as a replacement)?",
    Phase.DISCARD: "discard after the pong",
    Phase.ROB: f"rob the kong of ({CARD}) of seat [012]",
    Phase.CLAIM_WIN: f"win with ({CARD}) of seat [012]",
    Phase.CLAIM_MELD: f"claim ({CARD}) of seat [012]",
    Phase.OVER: "the deal is over",
}


def test_every_phase_asks_its_question() -> None:
    asked = {(int(state.phase), nantong.question(state)) for state in chain(*map(positions, REPLAYED))}
    assert {phase for phase, _ in asked} == set(Phase)
    for phase, text in asked:
        assert re.fullmatch(QUESTIONS[Phase(phase)], text)
