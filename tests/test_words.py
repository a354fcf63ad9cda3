"""Words: about every card, each word stands for one action and back; others are refused with a hint."""

import re
from typing import Any

import numpy as np
import pytest

from longcards_env import GAMES
from longcards_env.protocol import Game
from longcards_env.seats import NONE
from longcards_env.words import of_game, parse_action


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Any:
    return GAMES[request.param]


def test_every_action_about_every_card_has_words_of_its_own(game: Game) -> None:
    words = of_game(game)
    for card in (*range(game.NUM_KINDS), NONE):
        texts = {action: game.action_name(action, card) for action in range(game.NUM_ACTIONS)}
        known = {action: text for action, text in texts.items() if text}
        assert len(set(known.values())) == len(known)
        for action, text in texts.items():
            number = words.of_action[card, action]
            assert (number != NONE) == bool(text)
            if text:
                assert words.names[number] == text
                assert words.number(text) == number
                assert words.actions[card, number] == action
                assert parse_action(game, text, card) == action
        absent = np.setdiff1d(np.arange(len(words.names)), words.of_action[card])
        assert (words.actions[card, absent] == NONE).all()


def test_names_are_distinct_sorted_and_all_in_use(game: Game) -> None:
    words = of_game(game)
    assert words.names == sorted(set(words.names))
    assert set(words.of_action.flat) - {NONE} == set(range(len(words.names)))
    assert all(re.fullmatch(r"[a-z]+( [\w+]+)?", name) for name in words.names)


def test_every_action_is_one_about_some_card(game: Game) -> None:
    assert (of_game(game).of_action != NONE).any(axis=0).all()


def test_without_a_card_the_words_are_those_about_none(game: Game) -> None:
    for action in range(game.NUM_ACTIONS):
        assert game.action_name(action) == game.action_name(action, NONE)


@pytest.mark.parametrize("text", ["", "discard", "Pass", "discard  m5", "discard x5", "hu", "pass ", "passs"])
def test_unknown_words_are_refused_with_examples(game: Game, text: str) -> None:
    examples = re.escape(", ".join(of_game(game).names[:3]))
    for parse in (of_game(game).number, lambda text: parse_action(game, text, NONE)):
        with pytest.raises(ValueError, match=rf"^got {text!r}, (did you mean '.+'\? )?expected words like {examples}$"):
            parse(text)


def test_the_nearest_words_are_named(game: Game) -> None:
    with pytest.raises(ValueError, match="did you mean 'pass'"):
        of_game(game).number("passs")


def test_long_wrong_words_are_cut_off(game: Game) -> None:
    with pytest.raises(ValueError, match=r"^got 'xxx") as caught:
        of_game(game).number("x" * 10_000)
    assert len(str(caught.value)) < 300


def test_words_of_another_card_are_refused(game: Game) -> None:
    words = of_game(game)
    for card, number in np.argwhere(words.actions == NONE).tolist():
        about = {**dict(enumerate(game.TOKENS)), game.NUM_KINDS: "no card"}[card]
        text = words.names[number]
        with pytest.raises(ValueError, match=f"^{re.escape(repr(text))} is no action about {about}$"):
            parse_action(game, text, NONE if card == game.NUM_KINDS else card)
