"""Rules, engine and environments of two Chinese three-player card games."""

from . import nantong
from .protocol import Game

__version__ = "0.1.0"

GAMES: dict[str, Game] = {nantong.NAME: nantong}  # modules that keep the contract of protocol.py
