"""A pack of cards, and whole arrays of hands from it: text <-> counts, and checks of what callers give.

The text of a hand is tokens with spaces between them, `"m1 m1 m2 TH"`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

import numpy as np
from numpy.typing import ArrayLike

from .seats import NONE


@dataclass(frozen=True)
class Pack:
    """The kinds of a game, K of them, and how many cards there are of each."""

    tokens: list[str]  # by kind
    copies: int

    def counts_of(self, hands: str | Iterable[str]) -> np.ndarray:
        """Return the counts int8[N, K] of hands as text (one text is N = 1).

        Raises ValueError for an unknown token or for more of a kind than there are.
        """
        texts = [hands] if isinstance(hands, str) else list(hands)
        kinds = {token: kind for kind, token in enumerate(self.tokens)}
        counts = np.zeros((len(texts), len(kinds)), np.int8)
        for i, text in enumerate(texts):
            for token in text.split():
                if token not in kinds:
                    raise ValueError(f"hand {i}: unknown card {token!r}; cards are {' '.join(kinds)}")
                counts[i, kinds[token]] += 1
                if counts[i, kinds[token]] > self.copies:
                    raise ValueError(f"hand {i}: more than {self.copies} of {token}")
        return counts

    def text_of(self, counts: ArrayLike) -> list[str]:
        """Return hands int[N, K] as text, cards in kind order."""
        return [" ".join(np.repeat(self.tokens, hand).tolist()) for hand in self.checked(counts)]

    def token(self, kind: int) -> str | None:
        """Return the token of a kind; None for no kind, -1."""
        return None if kind == NONE else self.tokens[kind]

    def in_parts(self, counts: np.ndarray, part: np.ndarray) -> str:
        """Return one hand int[K] as text in kind order, a wider gap between kinds of different parts, int[K]."""
        cards = [(part[kind], token) for kind, token in enumerate(self.tokens) for _ in range(counts[kind])]
        return "   ".join(" ".join(token for _, token in same) for _, same in groupby(cards, itemgetter(0)))

    def checked(self, counts: ArrayLike) -> np.ndarray:
        """Return hands as int8[N, K]; raises ValueError for another shape, other values, or no integers."""
        hands = np.asarray(counts)
        if hands.ndim != 2 or hands.shape[1] != len(self.tokens) or hands.dtype.kind not in "iu":
            raise ValueError(f"hands are integers [N, {len(self.tokens)}], not {hands.dtype} {list(hands.shape)}")
        if hands.size and (hands.min() < 0 or hands.max() > self.copies):
            raise ValueError(f"a hand holds 0..{self.copies} copies of a kind, not {hands.min()}..{hands.max()}")
        return np.ascontiguousarray(hands, np.int8)


def checked_numbers(name: str, values: ArrayLike, n: int, most: int) -> np.ndarray:
    """Return a number for each of n hands as int64[n]; raises ValueError if they are not integers 0..most, one or n.

    name: what they are, for the message.
    """
    given = np.asarray(values)
    if given.dtype.kind not in "iu" or given.shape not in ((), (n,)):
        raise ValueError(f"{name} are one integer or [{n}], not {given.dtype} {list(given.shape)}")
    if given.size and (given.min() < 0 or given.max() > most):
        raise ValueError(f"{name} are 0..{most}, not {given.min()}..{given.max()}")
    return np.broadcast_to(given, (n,)).astype(np.int64)
