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


def main() -> None:
    """Compile everything, quietly."""
    for game in GAMES:
        compile_game(game)
        _compile_rest(game)


if __name__ == "__main__":
    main()
