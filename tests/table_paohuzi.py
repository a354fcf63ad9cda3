"""A deal of the compiled engine of Paohuzi, driven by words, and decks made for it."""

import random
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import chain

import numpy as np

from agents import registry
from longcards_env import paohuzi
from longcards_env.bits import members
from longcards_env.paohuzi.groups import GROUPS_OF_THREE
from longcards_env.paohuzi.rules import Meld
from longcards_env.paohuzi.state import hand_counts
from longcards_env.words import parse_action
from naive_engine_paohuzi import Deal
from naive_paohuzi import CHI_GROUPS, KIND, TOKENS, chi_choices, chi_word

Advance = Callable[[np.record], tuple[int, int]]
GROUPS = [tuple(TOKENS[kind] for kind in group) for group in CHI_GROUPS]
SIZES = [21, 20, 20, 19]  # hands, and the stock


@cache
def advance() -> Advance:
    """The compiled engine's way to the next decision (P9.1)."""
    function: Advance = registry.compiled("paohuzi").advance
    return function


def words_of(low: int, high: int, card: int) -> list[str]:
    """A legal set about a card as sorted words."""
    both = int(low) | int(high) << paohuzi.HIGH
    return sorted(paohuzi.action_name(action, card) for action in range(paohuzi.NUM_ACTIONS) if both >> action & 1)


def tokens(kinds: int) -> list[str]:
    """A set of kinds as tokens."""
    return [TOKENS[kind] for kind in members(int(kinds))]


class Table:
    """A deal of the compiled engine, driven by words, side by side with the slow engine; both must agree.

    Seats are counted from the dealer: 0 deals, 1 is the next.
    """

    def __init__(self, deck: list[str], dealer: int = 0) -> None:
        self.state = paohuzi.new_states(1)[0]
        paohuzi.reset(self.state, dealer, np.array([KIND[token] for token in deck], np.int8))
        self.judge = Deal(dealer, deck)
        self._advance()

    def _advance(self) -> None:
        self.legal = words_of(*advance()(self.state), int(self.state.card))
        assert len(self.legal) != 1
        assert self.legal == self.judge.legal(), self.judge.decisions
        if self.legal:
            assert self.state.seat == self.judge.seat, self.judge.decisions
        else:
            assert paohuzi.result(self.state) == self.judge.result(), self.judge.decisions
        for seat in range(3):
            judged = self.judge.seats[self._absolute(seat)]
            assert self.loose(seat) == [token for token, n in zip(TOKENS, judged.hand, strict=True) for _ in range(n)]
            assert self.kan(seat) == [TOKENS[kind] for kind in sorted(judged.kan)]
            assert self.locked(seat) == [TOKENS[kind] for kind in sorted(judged.locked)], self.judge.decisions
            assert (self.dead(seat), self.owed(seat)) == (judged.dead, judged.owed)

    def _absolute(self, seat: int) -> int:
        return (seat + int(self.state.dealer)) % 3

    def _from_dealer(self, seat: int) -> int:
        return (int(seat) - int(self.state.dealer)) % 3

    # ---- what is asked

    @property
    def seat(self) -> int | None:
        """Who decides, None when the deal is over."""
        return self._from_dealer(self.state.seat) if self.legal else None

    @property
    def asked(self) -> tuple[int | None, list[str]]:
        """Who decides, and what it may do, but for discards."""
        return self.seat, [word for word in self.legal if not word.startswith("discard")]

    @property
    def discards(self) -> list[str]:
        """What may be discarded, as tokens in kind order."""
        found = [word.removeprefix("discard ") for word in self.legal if word.startswith("discard ")]
        return sorted(found, key=lambda token: KIND[token])

    @property
    def turn(self) -> int:
        """Who revealed or discarded the card on the table, or is to discard."""
        return self._from_dealer(self.state.actor)

    def play(self, *words: str) -> None:
        for word in words:
            assert word in self.legal, (self.asked, self.discards)
            paohuzi.apply(self.state, parse_action(paohuzi, word, int(self.state.card)))
            self.judge.apply(word)
            self._advance()

    def drain(self) -> None:
        """Pass, or discard the first card that may be, to the end of the deal."""
        while self.legal:
            self.play("pass" if "pass" in self.legal else self.legal[0])

    # ---- what the seats have, and what lies on the table

    @property
    def stock(self) -> list[str]:
        return [TOKENS[kind] for kind in self.state.deck[self.state.front :]]

    @property
    def river(self) -> list[str]:
        """Dead cards with their seats, "0 s5"; revealed ones with a star, "1 s6*"."""
        cards = [int(card) for card in self.state.river[: self.state.river_size]]
        return [f"{self._from_dealer(card >> 5 & 3)} {TOKENS[card & 31]}{'*' * (card >> 7)}" for card in cards]

    def hand(self, seat: int) -> list[str]:
        counts = hand_counts(self.state, self._absolute(seat))
        return [TOKENS[kind] for kind in range(len(TOKENS)) for _ in range(counts[kind])]

    def loose(self, seat: int) -> list[str]:
        kan = self.kan(seat)
        return [token for token in self.hand(seat) if token not in kan]

    def kan(self, seat: int) -> list[str]:
        return tokens(self.state.kan[self._absolute(seat)])

    def melds(self, seat: int) -> list[str]:
        """What lies before a seat: "ti s1", "chi s1s2s3"."""
        seat = self._absolute(seat)
        found = [f"{sort.name.lower()} {token}" for sort in Meld for token in tokens(self.state.melds[seat, sort])]
        numbers = [int(number) - 1 for number in self.state.chis[seat, : self.state.num_chis[seat]]]
        return found + ["chi " + "".join(TOKENS[kind] for kind in GROUPS_OF_THREE[number]) for number in numbers]

    def huxi(self, seat: int) -> int:
        """The huxi of melds, chi and kan."""
        return int(self.state.huxi[self._absolute(seat)])

    def fours(self, seat: int) -> int:
        return int(self.state.fours[self._absolute(seat)])

    def owed(self, seat: int) -> int:
        return int(self.state.owed[self._absolute(seat)])

    def dead(self, seat: int) -> bool:
        return bool(self.state.dead[self._absolute(seat)])

    def locked(self, seat: int) -> list[str]:
        return tokens(self.state.locked[self._absolute(seat)])

    # ---- the end

    def ended(self) -> tuple[object, object, object, object]:
        """Who won, how, with which card, and the huxi."""
        assert not self.legal
        result = paohuzi.result(self.state)
        winner = None if result["winner"] is None else self._from_dealer(result["winner"])
        return winner, result["source"], result["winning_card"], result["huxi"]

    def points(self) -> list[int]:
        """Points from the dealer on."""
        result = paohuzi.result(self.state)
        return [result["points"][self._absolute(seat)] for seat in range(3)]


# ---- decks


Shown = dict[str, set[int]]  # cards that will lie on the table, and the seats that may not chi them unexpectedly


def shown_of(text: str) -> Shown:
    """Read "s5 b7@1": cards that nobody, or seat 1 alone, may be able to chi."""
    found: Shown = {}
    for word in text.split():
        token, _, seats = word.partition("@")
        found.setdefault(token, set()).update(map(int, seats or "012"))
    return found


def claims(hand: list[str], shown: Shown, seat: int) -> set[tuple[str, ...]]:
    """What a hand could claim of these cards, and its kan: the cards of each peng, kan, ti, group and chi."""
    held = Counter(hand)
    found = {(token,) * n for token in held for n in range(2 if token in shown else 3, held[token] + 1)}
    loose = [n if n < 3 else 0 for n in (held[token] for token in TOKENS)]
    kan = {KIND[token] for token, n in held.items() if n >= 3}
    for card in [card for card, seats in shown.items() if seat in seats]:
        found.update((card, chi_word(groups)) for groups in chi_choices(loose, kan, KIND[card]))
        for group in (group for group in GROUPS if card in group):
            if all(held[token] + (token == card) >= group.count(token) for token in group):
                found.add((card, *group))
    return found


def _disturbance(parts: list[list[str]], wanted: list[list[str]], shown: Shown, seat: int) -> int:
    """How much the cards that fill up a hand change what it can claim; the stock is never disturbed."""
    return len(claims(parts[seat], shown, seat) ^ claims(wanted[seat], shown, seat)) if seat < 3 else 0


def _fill(parts: list[list[str]], wanted: list[list[str]], shown: Shown, rng: random.Random) -> bool:
    """Swap cards that fill up hands and stock until nothing disturbs, in place; False if that does not work out."""
    costs = [_disturbance(parts, wanted, shown, seat) for seat in range(4)]
    places = [(i, j) for i, part in enumerate(parts) for j in range(len(wanted[i]), len(part))]
    for _ in range(6000):
        if sum(costs) == 0:
            return True
        (a, i), (b, j) = rng.sample(places, 2)
        if a == b or parts[a][i] == parts[b][j] or costs[a] + costs[b] == 0:
            continue
        parts[a][i], parts[b][j] = parts[b][j], parts[a][i]
        new = {seat: _disturbance(parts, wanted, shown, seat) for seat in (a, b)}
        if sum(new.values()) <= costs[a] + costs[b]:
            costs[a], costs[b] = new[a], new[b]
        else:
            parts[a][i], parts[b][j] = parts[b][j], parts[a][i]
    return False


@cache
def deck_of(*hands: str, stock: str = "", shown: str = "", public: str = "") -> list[str]:
    """Build a deck (P1.3): hands from the dealer's on and the first cards of the stock, filled up.

    The cards that fill the hands up are quiet: they make no kan, and nobody can claim with them one of these first
    cards or of the cards `shown`, which are those to be discarded; where one stands as "s5@1", only seat 1 cannot chi
    it. public: the dealer's last card, if it matters which.
    """
    wanted = [part.split() for part in (*[*hands, "", "", ""][:3], re.sub("@.", "", stock))]
    wanted[0] += public.split()
    rest = Counter(TOKENS * 4)
    rest.subtract(chain(*wanted))
    assert min(rest.values()) >= 0, rest
    rng = random.Random(0)
    for _ in range(5):
        left = rng.sample(last := sorted(rest.elements()), len(last))
        parts = [
            [*cards, *(left.pop() for _ in range(size - len(cards)))] for cards, size in zip(wanted, SIZES, strict=True)
        ]
        assert [len(part) for part in parts] == SIZES
        if _fill(parts, wanted, shown_of(f"{stock} {shown}"), rng):
            if public:
                parts[0].remove(public)
                parts[0].append(public)
            deck = [*chain(*parts)]
            assert sorted(deck) == sorted(TOKENS * 4)
            return deck
    raise AssertionError("no deck is as quiet as that")
