"""Nantong Long Cards (Du Ji Hu, two indicators): the contract's names (protocol.py), and nothing else."""

from .cards import COPIES, NUM_CARDS, NUM_KINDS, TOKENS
from .engine import apply, legal, legal_words, reset
from .state import MAX_DECISIONS, NUM_ACTIONS, OPEN as HIGH, STATE, new_states

NAME = "nantong"
TITLE = "Nantong Long Cards (Du Ji Hu, two indicators)"
