"""How a card hangs together with a hand: the cards that are two of a group with it."""

import numpy as np

from longcards_env._jit import inline
from longcards_env.bits import count
from longcards_env.paohuzi.cards import NUM_KINDS
from longcards_env.paohuzi.groups import groups_of


def _linked_kinds() -> np.ndarray:
    """For each kind: the kinds, its own too, of which one card makes two of a group or a pair with it."""
    return np.array([sum({1 << other for group in groups_of(kind) for other in group}) for kind in range(NUM_KINDS)])


_LINKED = _linked_kinds()


_PAIR = 8  # a second copy counts more than all other links: a pair is half a peng, and others' cards complete it


@inline
def links(once: int, kind: int) -> int:
    """Return how much a card of this kind is linked with the other loose cards: a link for each kind, most for its own.

    once: the kinds of the other cards.
    """
    return count(once & _LINKED[kind]) + _PAIR * (once >> kind & 1)
