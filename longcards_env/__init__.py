"""Rules, engine and environments of two Chinese three-player card games."""

from . import nantong, paohuzi
from .protocol import Game

__version__ = "0.1.0"

GAMES: dict[str, Game] = {
    each.NAME: each for each in (nantong, paohuzi)
}  # modules that keep the contract of protocol.py
