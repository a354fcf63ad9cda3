"""Rules, engine and environments of two Chinese three-player card games; importing it registers the environments."""

import gymnasium

from .games import GAMES

__version__ = "0.1.0"
__all__ = ["GAMES"]

for _id, _game in (("longcards/Nantong-v0", "nantong"), ("longcards/Paohuzi-v0", "paohuzi")):
    gymnasium.register(
        _id,
        entry_point="longcards_env.gym_env:LongCardsEnv",
        vector_entry_point="longcards_env.vector_env:LongCardsVectorEnv",
        disable_env_checker=True,  # it takes longer than a step; `check_env` passes
        kwargs={"game": _game},
    )
