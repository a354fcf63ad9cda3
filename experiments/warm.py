"""Compile what the command line and the tests need, once: `python -m experiments.warm`."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import numba
import numpy as np

from agents import registry
from experiments import shards
from experiments.runs import Config
from longcards_env import GAMES, record
from longcards_env.gym_env import LongCardsEnv
from longcards_env.vector_env import LongCardsVectorEnv


def is_compiled(game: str) -> bool:
    """Whether the compile cache holds the loop that plays this game's deals, compiled in this folder of the sources."""
    folder = Path(registry.compiled(game).play_deals.stats.cache_path)
    return any(folder.glob(f"play.play_deals_{game}_*.nbi"))


def ensure_compiled(game: str, note: Callable[[str], None]) -> None:
    """Compile what `simulate` needs unless the cache holds it; `note` tells the user."""
    if not numba.config.DISABLE_JIT and not is_compiled(game):
        note(f"compiling {game}, once: this takes up to a minute")
        compile_game(game)


def compile_game(game: str) -> None:
    """Compile all that `simulate` needs of a game, or load it from the cache."""
    config = Config(game, ("random", "random", "random"), deals=1, seed=0)
    for _ in shards.play(config, range(1)):
        pass


def _compile_rest(game: str) -> None:
    """Compile what is called from Python one deal or one hand at a time."""
    module = GAMES[game]
    state = module.new_states(1)[0]
    deck = np.repeat(np.arange(module.NUM_KINDS, dtype=np.int8), module.COPIES)
    mask = np.empty(module.NUM_ACTIONS, np.int8)
    module.reset(state, 0, deck)
    module.legal(state, mask)
    module.apply(state, int(mask.argmax()))
    registry.compiled(game).advance(state)
    for part in shards.play(Config(game, ("random", "random", "random"), deals=1, seed=0, records=True), range(1)):
        record.replay(record.record_of(module, part.states[0], part.log), GAMES)
    hands = import_module(f"longcards_env.{game}.hands")
    counts = np.zeros((1, module.NUM_KINDS), np.int8)
    for function in (hands.wins, hands.distance, hands.useful):
        function(counts)


def _compile_environments(game: str) -> None:
    """Compile what the environments call, with compiled opponents and without."""
    for opponents in (("random", "greedy"), (_Nobody(), _Nobody())):
        env = LongCardsEnv(game, opponents=opponents)
        env.reset(seed=0)
        env.step(int(env.action_masks().argmax()))
    for self_play in (True, False):
        envs = LongCardsVectorEnv(game, self_play=self_play)
        envs.reset(seed=0)
        envs.step(envs.sample_legal())


class _Nobody:
    """An agent in Python."""

    def act(self, observations: np.ndarray, masks: np.ndarray, streams: np.ndarray) -> np.ndarray:
        """Return the first legal actions."""
        return masks.argmax(axis=1)


def main() -> None:
    """Compile everything, quietly."""
    for game in GAMES:
        compile_game(game)
        _compile_rest(game)
        _compile_environments(game)


if __name__ == "__main__":
    main()
