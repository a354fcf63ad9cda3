"""A slow, literal engine of whole Nantong Long Cards deals (N1, N3, N4, N5), on top of the judge."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import suppress
from typing import NoReturn, TypeVar

from naive import (
    COPIES,
    KIND,
    KINDS,
    MELD_CARDS,
    TOKENS,
    Seat,
    Win,
    base_hu,
    best_score,
    round_up,
    settle,
    wins,
)

Answer = TypeVar("Answer")
# A part of the deal: it stops at every decision, is sent the chosen action, and ends with an answer.
Part = Generator[None, str, Answer]


class DealOverError(Exception):
    """Raised inside the deal's own script when the deal is won or exhausted (N4)."""


class Deal:
    """One deal from a dealer and a deck of 120 tokens (N1.4), played by action words (N5.3).

    Plain attributes: dealer, dealt (counts of the cards of N1.4), seats (with hand, melds, hezi and ready),
    hands (the seats' own lists of counts), indicators (kinds), stock (kinds, front first), discards (seat and
    kind, in order), decisions (seat and action, in order), seat (who acts, None when the deal is over).
    """

    def __init__(self, dealer: int, deck: Sequence[str]) -> None:
        """Deal the cards and play on to the first decision (N1.4, N5.1)."""
        if dealer not in (0, 1, 2):
            raise ValueError(f"no such dealer: {dealer!r}")
        if sorted(deck) != sorted(TOKENS * COPIES):
            raise ValueError("the deck is not the 120 cards")
        cards = [KIND[token] for token in deck]
        self.dealer = dealer
        self.hands: list[list[int]] = [[], [], []]
        parts = (cards[0:23], cards[23:45], cards[45:67])
        for seat, part in zip(self.round_from(dealer), parts, strict=True):
            self.hands[seat] = [part.count(kind) for kind in range(KINDS)]
        self.dealt = [list(hand) for hand in self.hands]
        self.seats = [Seat(hand) for hand in self.hands]
        self.indicators = cards[67:69]
        self.stock = cards[69:120]
        self.discards: list[tuple[int, int]] = []
        self.decisions: list[tuple[int, str]] = []
        self.seat: int | None = None
        self._options: list[str] = []
        self._result: dict[str, object] = {}
        self._script = self._whole_deal()
        next(self._script, None)

    # -----------------------------------------------------------------------------------------------------
    # What a player of the deal uses

    def legal(self) -> list[str]:
        """List the acting seat's action words, sorted; none when the deal is over (N5.2, N5.3)."""
        return list(self._options)

    def apply(self, action: str) -> None:
        """Play the acting seat's decision and everything forced that follows it (N5.1)."""
        if self.seat is None or action not in self._options:
            raise ValueError(f"seat {self.seat} cannot {action!r}: legal are {self._options}")
        self.decisions.append((self.seat, action))
        self.seat, self._options = None, []
        with suppress(StopIteration):
            self._script.send(action)

    def result(self) -> dict[str, object]:
        """Give the result of a finished deal in the form of a record (N6)."""
        if not self._result:
            raise ValueError("the deal is not over")
        return dict(self._result)

    # -----------------------------------------------------------------------------------------------------
    # Order of play and decisions

    @staticmethod
    def round_from(seat: int) -> list[int]:
        """List the three seats in order of play from one of them (N1.3)."""
        return [seat, (seat + 1) % 3, (seat + 2) % 3]

    def others_after(self, seat: int) -> list[int]:
        """List the other two seats in order from the seat's next (N1.3)."""
        return self.round_from(seat)[1:]

    def _whole_deal(self) -> Part[None]:
        """Run the preparation of the three seats from the dealer, then the play (N3.1, N4.1)."""
        try:
            for seat in self.round_from(self.dealer):
                yield from self._prepare(seat)
            yield from self._play()
        except DealOverError:
            return

    def _ask(self, seat: int, options: list[str]) -> Part[str]:
        """Let the seat choose, or take its only option for it (N5.1)."""
        if len(options) == 1:
            return options[0]
        self.seat, self._options = seat, sorted(options)
        action = yield
        return action

    # -----------------------------------------------------------------------------------------------------
    # Preparation (N3)

    def _prepare(self, seat: int) -> Part[None]:
        """Let one seat declare until it ends its preparation (N3.1)."""
        while True:
            action = yield from self._ask(seat, self._preparation_options(seat))
            if action == "end":
                return
            if action == "ready":
                self.seats[seat].ready = True
                return
            if action == "hezi":
                self._declare_hezi(seat)
            else:
                self._open(seat, KIND[action.split()[1]])

    def _preparation_options(self, seat: int) -> list[str]:
        """List what the seat may declare now (N3.1)."""
        opened = [kind for _, kind in self.seats[seat].melds]
        options = ["end"]
        for kind in range(KINDS):
            quad = self.dealt[seat][kind] == 4
            triple = self.dealt[seat][kind] == 3 and kind in self.indicators
            if (quad or triple) and kind not in opened:
                options.append(f"open {TOKENS[kind]}")
        if self._may_declare_hezi(seat):
            options.append("hezi")
        if seat != self.dealer and self._needs_one_card(seat):
            options.append("ready")
        return options

    def _may_declare_hezi(self, seat: int) -> bool:
        """Tell whether both indicators are one kind of which the seat was dealt the other two (N3.1)."""
        first, second = self.indicators
        return first == second and self.dealt[seat][first] == 2 and self.seats[seat].hezi is None

    def _needs_one_card(self, seat: int) -> bool:
        """Tell whether some kind, not all visible to the seat, would make its hand win (N3.2)."""
        for kind in range(KINDS):
            if self._visible_to(seat, kind) < COPIES and self._wins_with(seat, kind):
                return True
        return False

    def _visible_to(self, seat: int, kind: int) -> int:
        """Count a kind over the seat's hand, melds and hezi, and the indicators (N3.2)."""
        own = self.seats[seat]
        seen = own.hand[kind] + self.indicators.count(kind)
        seen += sum(MELD_CARDS[sort] for sort, meld_kind in own.melds if meld_kind == kind)
        return seen + (2 if own.hezi == kind else 0)

    def _open(self, seat: int, kind: int) -> None:
        """Lay down an opening quad and draw its replacement, or an opening triple (N3.1)."""
        if self.dealt[seat][kind] == 4:
            self._lay_down(seat, kind, 4, "opening_quad")
            self._draw_back(seat)
        else:
            self._lay_down(seat, kind, 3, "opening_triple")

    def _declare_hezi(self, seat: int) -> None:
        """Lay the two cards aside and draw two replacements (N3.1)."""
        kind = self.indicators[0]
        self.hands[seat][kind] -= 2
        self.seats[seat].hezi = kind
        self._draw_back(seat)
        self._draw_back(seat)

    # -----------------------------------------------------------------------------------------------------
    # Cards

    def _lay_down(self, seat: int, kind: int, from_hand: int, sort: str) -> None:
        """Make a meld with so many cards out of the hand (N2.3)."""
        self.hands[seat][kind] -= from_hand
        self.seats[seat].melds.append((sort, kind))

    def _draw_front(self, seat: int) -> int:
        """Draw the front card of the stock (N4.2)."""
        kind = self.stock.pop(0)
        self.hands[seat][kind] += 1
        return kind

    def _draw_back(self, seat: int) -> int:
        """Draw a replacement from the back of the stock (N3.1, N4.3)."""
        kind = self.stock.pop()
        self.hands[seat][kind] += 1
        return kind

    def _wins_now(self, seat: int) -> bool:
        """Tell whether the seat's hand wins as it is (N2.4)."""
        return wins(self.hands[seat], len(self.seats[seat].melds))

    def _wins_with(self, seat: int, kind: int) -> bool:
        """Tell whether the seat's hand wins with one more card (N2.4)."""
        hand = list(self.hands[seat])
        hand[kind] += 1
        return wins(hand, len(self.seats[seat].melds))

    # -----------------------------------------------------------------------------------------------------
    # Play (N4)

    def _play(self) -> Part[NoReturn]:
        """Go from discard to discard, from the dealer's first turn, until the deal is over (N4.1, N4.5)."""
        seat = self.dealer
        kind = yield from self._turn(seat, None, "heavenly")
        while True:
            seat, kind = yield from self._after_discard(seat, kind)

    def _turn(self, seat: int, drawn: int | None, source: str) -> Part[int]:
        """Let the seat win, kong and draw again, or discard; give the discard (N4.1, N4.2, N4.3)."""
        while True:
            action = yield from self._ask(seat, self._turn_options(seat, drawn))
            if action == "win":
                self._win(seat, source, drawn)
            word, token = action.split()
            if word == "discard":
                return KIND[token]
            yield from self._kong_in_turn(seat, KIND[token])
            drawn, source = self._draw_back(seat), "kong_replacement"

    def _turn_options(self, seat: int, drawn: int | None) -> list[str]:
        """List what the seat may do in its turn (N3.3, N4.1, N4.2, N4.3, N5.2)."""
        options = ["win"] if self._wins_now(seat) else []
        if self.seats[seat].ready and drawn is not None:
            return [*options, f"discard {TOKENS[drawn]}"]
        for kind in range(KINDS):
            if self.hands[seat][kind] > 0:
                options.append(f"discard {TOKENS[kind]}")
            if self._may_kong(seat, kind):
                options.append(f"kong {TOKENS[kind]}")
        return options

    def _may_kong(self, seat: int, kind: int) -> bool:
        """Tell whether the seat may make a concealed or an added kong of the kind (N4.3)."""
        held = self.hands[seat][kind]
        added = held == 1 and ("pong", kind) in self.seats[seat].melds
        return bool(self.stock) and (held == 4 or added)

    def _kong_in_turn(self, seat: int, kind: int) -> Part[None]:
        """Make a concealed kong, or an added kong if nobody robs it (N4.3)."""
        if self.hands[seat][kind] == 4:
            self._lay_down(seat, kind, 4, "concealed_kong")
            return
        self.hands[seat][kind] -= 1
        yield from self._offer_win(seat, kind, "robbed_kong")
        melds = self.seats[seat].melds
        melds[melds.index(("pong", kind))] = ("added_kong", kind)

    def _offer_win(self, giver: int, kind: int, source: str) -> Part[None]:
        """Let each other seat that wins with the giver's card win or pass (N4.3, N4.4)."""
        for seat in self.others_after(giver):
            if not self._wins_with(seat, kind):
                continue
            action = yield from self._ask(seat, ["win", "pass"])
            if action == "win":
                self.hands[seat][kind] += 1
                self._win(seat, source, kind)

    def _after_discard(self, discarder: int, kind: int) -> Part[tuple[int, int]]:
        """Offer the discard, play the turn that follows, and give that turn's discard (N4.4-N4.6)."""
        self.hands[discarder][kind] -= 1
        self.discards.append((discarder, kind))
        yield from self._offer_win(discarder, kind, "discard")
        for seat in self.others_after(discarder):
            claim = yield from self._ask(seat, self._claim_options(seat, kind))
            if claim == "pong":
                self._lay_down(seat, kind, 2, "pong")
                options = [f"discard {TOKENS[own]}" for own in range(KINDS) if self.hands[seat][own] > 0]
                action = yield from self._ask(seat, options)
                return seat, KIND[action.split()[1]]
            if claim == "kong":
                self._lay_down(seat, kind, 3, "exposed_kong")
                return seat, (yield from self._turn(seat, self._draw_back(seat), "kong_replacement"))
        following = self.others_after(discarder)[0]
        if not self.stock:
            self._exhaust()
        return following, (yield from self._turn(following, self._draw_front(following), "self_draw"))

    def _claim_options(self, seat: int, kind: int) -> list[str]:
        """List what the seat may do with another's discard in the second round of claims (N3.3, N4.4)."""
        held = self.hands[seat][kind]
        options = ["pass"]
        if held >= 2 and not self.seats[seat].ready:
            options.append("pong")
            if held == 3 and self.stock:
                options.append("kong")
        return options

    # -----------------------------------------------------------------------------------------------------
    # The end of the deal (N6)

    def _exhaust(self) -> NoReturn:
        """End the deal without a winner (N4.2, N6.10)."""
        base = [base_hu(seat, self.indicators) for seat in self.seats]
        self._finish({"outcome": "exhausted"}, base, [round_up(hu) for hu in base])

    def _win(self, seat: int, source: str, kind: int | None) -> NoReturn:
        """End the deal with a winner, whose hand holds the winning card already (N6)."""
        win = Win(source, kind, first_discard=len(self.discards) == 1, last_card=not self.stock)
        score = best_score(self.seats[seat], self.indicators, win)
        base = [base_hu(other, self.indicators) for other in self.seats]
        totals = [round_up(hu) for hu in base]
        base[seat], totals[seat] = score["base"], score["total"]
        found = {
            "outcome": "win",
            "winner": seat,
            "source": source,
            "winning_card": None if kind is None else TOKENS[kind],
            "bonus": score["bonus"],
            "multiplier": score["multiplier"],
        }
        self._finish(found, base, totals)

    def _finish(self, found: dict[str, object], base: list[int], totals: list[int]) -> NoReturn:
        """Write the result and leave the script of the deal (N6.10, N6.11)."""
        nobody = {"winner": None, "source": None, "winning_card": None, "bonus": 0, "multiplier": 1}
        self._result = {**nobody, **found, "base": base, "totals": totals, "points": settle(totals)}
        raise DealOverError
