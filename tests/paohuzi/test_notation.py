"""Words of Paohuzi are those of P9.2 and P5.3, and a position's text shows every card."""

import re
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from longcards_env import GAMES, paohuzi, record, record_file
from longcards_env.paohuzi.rules import Source
from longcards_env.paohuzi.state import CHI, Phase, hand_counts
from longcards_env.record import moves
from longcards_env.seats import NONE
from longcards_env.words import of_game, parse_action
from naive_paohuzi import KIND, KINDS, LEAST_HUXI, TOKENS, chi_words, tun

GOLDEN = Path(__file__).parents[1] / "golden" / "paohuzi.jsonl.gz"
READ = [read for _, read in record_file.read(GOLDEN)]
REPLAYED = [record.replay(read, GAMES) for read in READ]

DISCARDS = [f"discard {token}" for token in TOKENS]
ALONE = ["win", "pass", "pao", "peng"]
CARD = "[sb](?:[1-9]|10)"


# ---- words


def chi_of(kind: int) -> set[str]:
    """All chi of a kind, whatever the hand."""
    hands = [[copies if card == kind else 2 for card in range(KINDS)] for copies in range(3)]
    return {word for hand in hands for word in chi_words(hand, (), kind)}


def test_words_are_those_of_the_rules_page() -> None:
    words = {
        card: [paohuzi.action_name(action, card) for action in range(paohuzi.NUM_ACTIONS)] for card in range(KINDS)
    }
    for card in range(KINDS):
        assert words[card][:CHI] == [*DISCARDS, "win", "pass", "pao", "peng"]
        assert set(words[card][CHI:]) - {""} == chi_of(card)
    every = {word for card in range(KINDS) for word in words[card] if word}
    assert every == {*DISCARDS, *ALONE}.union(*map(chi_of, range(KINDS)))
    assert len(every) == 20 + 4 + 376
    assert of_game(paohuzi).names == sorted(every)
    assert all(
        re.fullmatch(rf"chi (?:{CARD}){{3}}(?:\+(?:{CARD}){{3}}){{0,2}}", word) for word in every if "chi" in word
    )


@pytest.mark.nojit
def test_no_chi_without_a_card() -> None:
    assert [paohuzi.action_name(action) for action in range(paohuzi.NUM_ACTIONS) if paohuzi.action_name(action)] == [
        *DISCARDS,
        "win",
        "pass",
        "pao",
        "peng",
    ]


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("card", "word", "other", "same"),
    [
        ("s2", "chi s2s7s10", "b10", "chi b2b7b10"),
        ("s4", "chi s4s4b4", "b6", "chi s6b6b6"),
        ("s4", "chi s4s5s6+s4b4b4", "b1", "chi s1s1b1+b1b2b3"),
        ("b9", "chi b7b8b9", "b2", ""),  # no run of which it is the highest
    ],
)
def test_an_action_is_the_same_chi_of_each_card(card: str, word: str, other: str, same: str) -> None:
    action = parse_action(paohuzi, word, KIND[card])
    assert paohuzi.action_name(action, KIND[card]) == word
    assert paohuzi.action_name(action, KIND[other]) == same
    for wrong in (NONE, KIND["s9"]):
        with pytest.raises(ValueError, match=r"is no action about (no card|s9)"):
            parse_action(paohuzi, word, wrong)


def test_each_phase_has_its_own_name() -> None:
    names = paohuzi.PHASES
    assert len(set(names)) == len(Phase)
    assert all(re.fullmatch("[a-z_]+", name) for name in names)


# ---- results


def test_every_result_is_as_recorded() -> None:
    for read, replayed in zip(READ, REPLAYED, strict=True):
        found = paohuzi.result(replayed.end)
        assert found == read["result"]
        assert list(found) == list(read["result"])
        assert [type(points) for points in found["points"]] == [int] * 3
    sources = {paohuzi.result(replayed.end)["source"] for replayed in REPLAYED}
    assert sources == {source.name.lower() for source in Source if source} | {None}


# ---- positions as text

MELD_SIZES = {"ti": 4, "pao": 4, "wei": 3, "peng": 3, "chi": 3}
NO_MELDS = r"waived discards left: [12345]|dead"


def shown_cards(text: str) -> int:
    """How many cards a position's text shows, the stock included."""
    cards = int(re.search(r"stock: (\d+)", text)[1])  # type: ignore[index]
    for line in text.splitlines():
        if found := re.search(r" hand  +(.*)| dead   (.*)   \(\* revealed\)", line):
            cards += len((found[1] or found[2] or "").split())
        elif found := re.search(r" table  (.*)  \(\d+ huxi with the kan\)", line):
            words = [word.split()[0] for word in found[1].split(", ") if not re.fullmatch(NO_MELDS, word)]
            cards += sum(MELD_SIZES[word] for word in words)
    return cards


def on_table(state: np.record) -> bool:
    """Whether a card lies on the table that nobody took; a win may leave it there."""
    if state.phase == Phase.OVER:
        return bool(state.source != Source.NONE and state.revealed)
    return state.phase in (Phase.CLAIM_WIN, Phase.CLAIM_MELD, Phase.CLAIM_CHI)


def positions(replayed: record.Replayed) -> list[np.record]:
    return [*(state.copy() for _, state, _ in moves(replayed)), replayed.end]


@pytest.mark.parametrize("first", range(5))
def test_text_shows_every_card(first: int) -> None:
    for replayed in REPLAYED[first::25]:
        for state in positions(replayed):
            assert shown_cards(paohuzi.show(state)) + on_table(state) == paohuzi.NUM_CARDS


def test_text_shows_all_hands() -> None:
    for replayed in REPLAYED[3::25]:
        for state in positions(replayed):
            lines = [line for line in paohuzi.show(state).splitlines() if re.match(r"seat [012]  hand", line)]
            for seat, line in enumerate(lines):
                cards = np.repeat(TOKENS, hand_counts(state, seat)).tolist()
                assert line.startswith(f"seat {seat}  hand   ")
                assert line.split()[3:] == cards
                small, big = ([token for token in cards if token[0] == size] for size in "sb")
                assert (
                    line.removeprefix(f"seat {seat}  hand   ").split("   ")
                    == [" ".join(part) for part in (small, big) if part]
                    or not cards
                )


def test_text_of_the_start_shows_the_deck_as_dealt() -> None:
    quiet = (replayed for replayed in REPLAYED if not next(moves(replayed))[1].melds.any())
    replayed = next(each for each in quiet if next(moves(each))[1].phase == Phase.DISCARD)
    _, state, _ = next(moves(replayed))
    lines = paohuzi.show(state).splitlines()
    deck = [TOKENS[kind] for kind in replayed.end.deck]
    assert lines[0] == f"dealer: seat {state.dealer}   public card: {deck[20]}   stock: 19"
    for seat, cards in zip(range(3), (deck[:21], deck[21:41], deck[41:61]), strict=True):
        line = lines[1 + (state.dealer + seat) % 3]
        assert sorted(line.split()[3:]) == sorted(cards)
    assert lines[4:] == [f"seat {state.dealer} is asked: discard"]


def test_text_of_the_tables() -> None:
    """Melds, chi, waived discards and death stand with the seat, and its huxi."""
    seen = set()
    for state in chain(*map(positions, REPLAYED[::5])):
        text = paohuzi.show(state)
        seen |= set(re.findall(r"(ti|pao|wei|peng) [sb]\d+[,  ]|(?:waived (discards) left: \d)|, (dead)", text))
        for seat in range(3):
            huxi = re.search(rf"seat {seat}  hand.*\n        table .*  \((\d+) huxi with the kan\)", text)
            assert huxi is None or int(huxi[1]) == state.huxi[seat]
            assert (huxi is not None) == bool(
                state.melds[seat].any() or state.num_chis[seat] or state.owed[seat] or state.dead[seat]
            )
    found = {word for words in seen for word in words if word}
    assert found >= {"ti", "pao", "wei", "peng", "discards"}


def test_text_of_dead_cards() -> None:
    """By seat, in order; a revealed one has a star."""
    for replayed in REPLAYED[::5]:
        entries = replayed.end.river[: replayed.end.river_size].astype(int).tolist()
        for seat in range(3):
            cards = [TOKENS[card & 31] + "*" * (card >> 7) for card in entries if card >> 5 & 3 == seat]
            found = re.search(
                rf"seat {seat}  hand.*(?:\n        table.*)?\n        dead   (.*)   ", paohuzi.show(replayed.end)
            )
            assert (found[1].split() if found else []) == cards


def test_text_of_a_win_gives_its_score() -> None:
    ends = [replayed.end for replayed in REPLAYED if replayed.end.winner >= 0]
    for end in ends:
        lines = paohuzi.show(end).splitlines()[-4:]
        card = "" if end.winning_card < 0 else f" with {TOKENS[end.winning_card]}"
        source = {Source.HEAVENLY: "heavenly", Source.OWN_REVEAL: "own reveal", Source.OTHER_REVEAL: "other reveal"}
        huxi = int(end.won_huxi)
        assert huxi >= LEAST_HUXI
        how = f"{source[Source(end.source)]}, {huxi} huxi, {tun(huxi)} tun"
        assert lines[0] == f"win of seat {end.winner}{card}: {how}"
        for seat in range(3):
            assert lines[1 + seat] == f"seat {seat}  points {end.points[seat]:+}"
    assert {int(end.source) for end in ends} == {source for source in Source if source}


def test_text_of_a_draw_says_so() -> None:
    end = next(replayed.end for replayed in REPLAYED if replayed.end.winner < 0)
    assert paohuzi.show(end).splitlines()[-4:] == ["draw", *(f"seat {seat}  points +0" for seat in range(3))]


ON_TABLE = rf"({CARD}) (revealed|discarded) by seat [012]"
QUESTIONS = {
    Phase.HEAVENLY: "win with the dealt hand",
    Phase.DISCARD: "discard",
    Phase.OWN_WIN: f"win after the own ({CARD})",
    Phase.CLAIM_WIN: f"win with ({CARD}) revealed by seat [012]",
    Phase.CLAIM_MELD: f"claim {ON_TABLE}",
    Phase.CLAIM_CHI: f"chi {ON_TABLE}",
    Phase.OVER: "the deal is over",
}


def test_every_phase_asks_its_question() -> None:
    asked = {(int(state.phase), paohuzi.question(state)) for state in chain(*map(positions, REPLAYED))}
    assert {phase for phase, _ in asked} == set(Phase)
    for phase, text in asked:
        assert re.fullmatch(QUESTIONS[Phase(phase)], text)
