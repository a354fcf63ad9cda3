"""Rules, engine and environments of two Chinese three-player card games."""

from typing import Any

from . import nantong

__version__ = "0.1.0"

GAMES: dict[str, Any] = {nantong.NAME: nantong}  # modules that keep the contract of protocol.py
