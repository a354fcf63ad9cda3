"""Paohuzi (15 huxi): the contract's names (protocol.py), and nothing else."""

from .cards import COPIES, LOOSE, NUM_CARDS, NUM_KINDS, TOKENS
from .engine import apply, legal, legal_words, reset
from .notation import PHASES, action_name, question, result, show
from .observe import LAYOUT, OBS_SIZE, OBS_VERSION, observe
from .rules import HAND_SIZE, session_dealers
from .scene import scene
from .state import CHI as HIGH
from .state import MAX_DECISIONS, NUM_ACTIONS, STATE, new_states

NAME = "paohuzi"
TITLE = "Paohuzi (15 huxi)"

__all__ = [
    "COPIES",
    "HAND_SIZE",
    "HIGH",
    "LAYOUT",
    "LOOSE",
    "MAX_DECISIONS",
    "NAME",
    "NUM_ACTIONS",
    "NUM_CARDS",
    "NUM_KINDS",
    "OBS_SIZE",
    "OBS_VERSION",
    "PHASES",
    "STATE",
    "TITLE",
    "TOKENS",
    "action_name",
    "apply",
    "legal",
    "legal_words",
    "new_states",
    "observe",
    "question",
    "reset",
    "result",
    "scene",
    "session_dealers",
    "show",
]
