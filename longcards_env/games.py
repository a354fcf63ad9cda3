"""The known games: modules that keep the contract of protocol.py, by name."""

from . import nantong, paohuzi
from .protocol import Game

GAMES: dict[str, Game] = {nantong.NAME: nantong, paohuzi.NAME: paohuzi}
