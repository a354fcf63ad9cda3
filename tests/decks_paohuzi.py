"""Decks of Paohuzi in which what is rare comes often."""

import random
from collections import Counter
from collections.abc import Callable

from naive_paohuzi import CHI_GROUPS, COPIES, TOKENS

Deck = list[str]  # of tokens, in the order of P1.3
MakeDeck = Callable[[random.Random], Deck]
GROUPS = [tuple(TOKENS[kind] for kind in group) for group in CHI_GROUPS]
TRIPLES = [(token,) * 3 for token in TOKENS]


def shuffled(rng: random.Random) -> Deck:
    return rng.sample(TOKENS * COPIES, len(TOKENS) * COPIES)


def clumped(four: float, three: float, two: float) -> MakeDeck:
    """Decks in which all four cards of a kind lie together as likely as that, else three, else two and two."""

    def make(rng: random.Random) -> Deck:
        blocks: list[list[str]] = []
        for token in TOKENS:
            sizes = next(
                (sizes for chance, sizes in ((four, (4,)), (three, (3, 1)), (two, (2, 2))) if rng.random() < chance),
                (1, 1, 1, 1),
            )
            blocks += [[token] * size for size in sizes]
        rng.shuffle(blocks)
        return [token for block in blocks for token in block]

    return make


def grouped(triples: float) -> MakeDeck:
    """Decks laid out in groups, so that hands are nearly made of them; so likely a group is three of a kind."""

    def make(rng: random.Random) -> Deck:
        rest, deck = Counter(TOKENS * COPIES), list[str]()
        for _ in range(400):
            group = rng.choice(TRIPLES if rng.random() < triples else GROUPS)
            if Counter(group) <= rest:
                rest.subtract(group)
                deck += group
        return deck + rng.sample(last := sorted(rest.elements()), len(last))

    return make


def six_kan(rng: random.Random) -> Deck:
    """A deck with a hand of six kan and a pair, whose other copies come early: a wei with the last loose cards."""
    kinds = rng.sample(TOKENS, 7)
    special = [*kinds[:6] * 3, kinds[6], kinds[6]]
    rest = Counter(TOKENS * COPIES)
    rest.subtract([*special, kinds[6], kinds[6]])
    others = rng.sample(last := sorted(rest.elements()), len(last))
    seat = rng.choice([1, 2])
    hands = [others[:21], others[21:41]]
    hands.insert(seat, special)
    early = rng.sample([kinds[6], kinds[6], *others[41:46]], 7)
    return [*hands[0], *hands[1], *hands[2], *early, *others[46:]]


def seven_kan(rng: random.Random) -> Deck:
    """A deck whose dealer has no card to discard (P3.2)."""
    special = rng.sample(TOKENS, 7) * 3
    rest = Counter(TOKENS * COPIES)
    rest.subtract(special)
    return [*special, *rng.sample(last := sorted(rest.elements()), len(last))]


DECKS: dict[str, MakeDeck] = {
    "shuffled": shuffled,
    "pairs": clumped(0, 0, 0.9),
    "some triples": clumped(0, 0.4, 0.5),
    "triples": clumped(0, 0.95, 0),
    "some quads": clumped(0.2, 0.3, 0.6),
    "quads": clumped(0.5, 0.4, 0),
    "groups": grouped(0),
    "groups and triples": grouped(0.4),
    "six kan": six_kan,
    "seven kan": seven_kan,
}
