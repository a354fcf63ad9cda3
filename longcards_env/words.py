"""The words of a game: tables between them and its actions, which depend on the card that a question is about.

Games with a long list of claims name them by the cards laid down, `"chi s4s4b4"`; which action that is depends on
the card claimed.
"""

from dataclasses import dataclass
from difflib import get_close_matches

import numpy as np

from .protocol import Game
from .seats import NONE

_SHOWN = 40  # characters of wrong words that a message repeats
_EXAMPLES = 3


@dataclass(frozen=True)
class Words:
    """All words of a game, and the tables by card and action; their last row is that of no card, -1."""

    names: list[str]  # distinct and sorted; a word's number is its place
    numbers: dict[str, int]  # of the names
    of_action: np.ndarray  # int16[NUM_KINDS + 1, NUM_ACTIONS], word by card and action; -1 = no such action
    actions: np.ndarray  # int16[NUM_KINDS + 1, len(names)], action by card and word; -1 = no such action

    def number(self, text: str) -> int:
        """Return the number of these words; raises ValueError with some that are known for others."""
        if text not in self.numbers:
            got = text[:_SHOWN]
            hint = "".join(f"did you mean {close!r}? " for close in get_close_matches(got, self.names, n=1))
            raise ValueError(f"got {got!r}, {hint}expected words like {', '.join(self.names[:_EXAMPLES])}")
        return self.numbers[text]


_WORDS: dict[str, Words] = {}


def of_game(game: Game) -> Words:
    """Return the words of a game, made at first use."""
    if game.NAME not in _WORDS:
        _WORDS[game.NAME] = _words_of(game)
    return _WORDS[game.NAME]


def _words_of(game: Game) -> Words:
    cards = [*range(game.NUM_KINDS), NONE]
    texts = np.array([[game.action_name(action, card) for action in range(game.NUM_ACTIONS)] for card in cards], object)
    names = sorted(set(texts.flat) - {""})
    numbers = {name: number for number, name in enumerate(names)}
    of_action = np.array([[numbers.get(text, NONE) for text in row] for row in texts], np.int16)
    actions = np.full((len(cards), len(names)), NONE, np.int16)
    rows, known = np.nonzero(of_action != NONE)
    actions[rows, of_action[rows, known]] = known
    return Words(names, numbers, of_action, actions)


def parse_action(game: Game, text: str, card: int) -> int:
    """Return the action of these words about a card (-1 = no card); raises ValueError if there is no such action."""
    words = of_game(game)
    action = int(words.actions[card, words.number(text)])
    if action == NONE:
        raise ValueError(f"{text!r} is no action about {'no card' if card == NONE else game.TOKENS[card]}")
    return action
