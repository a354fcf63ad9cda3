"""A slow, literal engine of whole Paohuzi deals (P1, P3 - P6, P9), on top of the judge."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import suppress
from typing import NoReturn, TypeVar

from naive_paohuzi import (
    COPIES,
    KIND,
    KINDS,
    TOKENS,
    Meld,
    Partition,
    Seat,
    chi_choices,
    chi_word,
    four_groups,
    heavenly_huxi,
    points,
    settled_huxi,
    tun,
    win_huxi,
)

Answer = TypeVar("Answer")
# A part of the deal: it stops at every decision, is sent the chosen action, and ends with an answer.
Part = Generator[None, str, Answer]


class DealOverError(Exception):
    """Raised inside the deal's own script when the deal is won or drawn (P4.1, P4.2)."""


class Deal:
    """One deal from a dealer and a deck of 80 tokens (P1.3), played by action words (P9.2).

    Plain attributes: dealer, dealt (counts of the cards of P1.3), seats (with hand, kan, melds, locked, dead
    and owed), hands (the seats' own lists of loose counts), public (the dealer's public kind), stock (kinds,
    next first), table (the kind being settled, None when there is none or a ti or wei took it), giver (the
    seat that revealed or discarded last, or None), revealed (whether it was a reveal), discards (seat and
    kind, in order), untaken (seat and kind of the reveals and discards that nobody took, in order),
    decisions (seat and action, in order), seat (who acts, None when the deal is over).
    """

    def __init__(self, dealer: int, deck: Sequence[str]) -> None:
        """Deal the cards and play on to the first decision (P1.3, P9.1)."""
        if dealer not in (0, 1, 2):
            raise ValueError(f"no such dealer: {dealer!r}")
        if sorted(deck) != sorted(TOKENS * COPIES):
            raise ValueError("the deck is not the 80 cards")
        cards = [KIND[token] for token in deck]
        self.dealer = dealer
        self.dealt: list[list[int]] = [[], [], []]
        parts = (cards[0:21], cards[21:41], cards[41:61])
        for seat, part in zip(self.round_from(dealer), parts, strict=True):
            self.dealt[seat] = [part.count(kind) for kind in range(KINDS)]
        self.seats = [self.dealt_seat(counts) for counts in self.dealt]
        self.hands = [seat.hand for seat in self.seats]
        self.public = cards[20]
        self.stock = cards[61:80]
        self.table: int | None = None
        self.giver: int | None = None
        self.revealed = False
        self.discards: list[tuple[int, int]] = []
        self.untaken: list[tuple[int, int]] = []
        self.decisions: list[tuple[int, str]] = []
        self.seat: int | None = None
        self._options: list[str] = []
        self._result: dict[str, object] = {}
        self._script = self._whole_deal()
        next(self._script, None)

    # -----------------------------------------------------------------------------------------------------
    # What a player of the deal uses

    def legal(self) -> list[str]:
        """List the acting seat's action words, sorted; none when the deal is over (P9.1, P9.2)."""
        return list(self._options)

    def apply(self, action: str) -> None:
        """Play the acting seat's decision and everything forced that follows it (P9.1)."""
        if self.seat is None or action not in self._options:
            raise ValueError(f"seat {self.seat} cannot {action!r}: legal are {self._options}")
        self.decisions.append((self.seat, action))
        self.seat, self._options = None, []
        with suppress(StopIteration):
            self._script.send(action)

    def result(self) -> dict[str, object]:
        """Give the result of a finished deal in the form of a record (P8.1)."""
        if not self._result:
            raise ValueError("the deal is not over")
        return dict(self._result)

    # -----------------------------------------------------------------------------------------------------
    # Order of play and decisions

    @staticmethod
    def round_from(seat: int) -> list[int]:
        """List the three seats in order of play from one of them (P1.2)."""
        return [seat, (seat + 1) % 3, (seat + 2) % 3]

    @staticmethod
    def next_to(seat: int) -> int:
        """Give the seat after this one (P1.2)."""
        return (seat + 1) % 3

    def _whole_deal(self) -> Part[None]:
        """Run the opening from the dealer, then reveal after reveal until the deal is over (P3, P4.1)."""
        try:
            yield from self._opening()
            revealer = yield from self._discard(self.dealer)
            while True:
                revealer = yield from self._reveal(revealer)
        except DealOverError:
            return

    def _ask(self, seat: int, options: list[str]) -> Part[str]:
        """Let the seat choose, or take its only option for it (P9.1)."""
        if len(options) == 1:
            return options[0]
        self.seat, self._options = seat, sorted(options)
        action = yield
        return action

    # -----------------------------------------------------------------------------------------------------
    # Opening (P2.1, P2.2, P3)

    @staticmethod
    def dealt_seat(counts: Sequence[int]) -> Seat:
        """Expose the dealt ti, lock the kan, and note the discards that two or more ti waive (P2.1, P2.2, P3.3)."""
        melds: list[Meld] = [("ti", kind) for kind in range(KINDS) if counts[kind] == 4]
        kan = {kind for kind in range(KINDS) if counts[kind] == 3}
        hand = [count if count <= 2 else 0 for count in counts]
        return Seat(hand, kan, melds, owed=max(0, len(melds) - 1))

    def _opening(self) -> Part[None]:
        """Let every seat with three ti or five kan win at once or pass, in order from the dealer (P3.1)."""
        for seat in self.round_from(self.dealer):
            huxi = heavenly_huxi(self.seats[seat])
            if huxi is None:
                continue
            action = yield from self._ask(seat, ["win", "pass"])
            if action == "win":
                self._win(seat, "heavenly", None, huxi)

    # -----------------------------------------------------------------------------------------------------
    # Reveals (P4.1, P4.2). Each of these parts ends with the seat that reveals next

    def _reveal(self, seat: int) -> Part[int]:
        """Reveal the next stock card and settle it in the order of P4.2 (P4.1)."""
        if not self.stock:
            self._draw()
        kind = self.stock.pop(0)
        self.table, self.giver, self.revealed = kind, seat, True
        if kind in self.seats[seat].kan:
            return (yield from self._forced(seat, "ti", kind))
        if self.hands[seat][kind] == 2 and not self.seats[seat].dead:
            return (yield from self._forced(seat, "wei", kind))
        yield from self._offer_win(seat, kind)
        return (yield from self._claims(kind, seat, self.round_from(seat), seat))

    def _forced(self, seat: int, sort: str, kind: int) -> Part[int]:
        """Make the revealer's ti or wei, and let it win if it now does (P4.2 step 1, P7.4)."""
        self.table = None
        if sort == "ti":
            self.seats[seat].kan.remove(kind)
        else:
            self.hands[seat][kind] -= 2
        self.seats[seat].melds.append((sort, kind))
        huxi = settled_huxi(self.seats[seat])
        if huxi is not None:
            action = yield from self._ask(seat, ["win", "pass"])
            if action == "win":
                self._win(seat, "own_reveal", kind, huxi)
        return (yield from self._after_meld(seat, sort))

    def _offer_win(self, revealer: int, kind: int) -> Part[None]:
        """Let each seat that wins with the revealed card win or pass (P4.2 step 2)."""
        for seat in self.round_from(revealer):
            huxi = win_huxi(self.seats[seat], kind, seat == revealer)
            if huxi is None:
                continue
            action = yield from self._ask(seat, ["win", "pass"])
            if action == "win":
                self._win(seat, "own_reveal" if seat == revealer else "other_reveal", kind, huxi)

    # -----------------------------------------------------------------------------------------------------
    # Claims and discards (P4.2 - P4.7)

    def _claims(self, kind: int, giver: int, asked: list[int], chi: int) -> Part[int]:
        """Ask seats in order for pao and peng, then one for chi; play on with the taker (P4.2 steps 3, 4, P4.4)."""
        refused: set[int] = set()
        for seat in asked:
            claim = yield from self._ask(seat, self._pao_peng_options(seat, kind))
            if claim != "pass":
                self._settled(kind, refused)
                self._make_pao(seat, kind) if claim == "pao" else self._make_peng(seat, kind)
                return (yield from self._after_meld(seat, claim))
            if self._may_peng(seat, kind):
                refused.add(seat)
        choices = {chi_word(groups): groups for groups in self._chi_choices(chi, kind)}
        claim = yield from self._ask(chi, ["pass", *choices])
        if claim != "pass":
            self._settled(kind, refused - {chi})
            self._make_chi(chi, kind, choices[claim])
            return (yield from self._after_meld(chi, "chi"))
        self._settled(kind, refused | {chi} if choices else refused)
        self.untaken.append((giver, kind))
        return self.next_to(giver)

    def _settled(self, kind: int, refused: set[int]) -> None:
        """Take the card off the table and lock it for the seats that refused to peng or chi it (P6.1)."""
        self.table = None
        for seat in refused:
            self.seats[seat].locked.add(kind)

    def _after_meld(self, seat: int, sort: str) -> Part[int]:
        """Discard after a chi, a peng, a wei and the first four-group; after a later one do not (P4.5)."""
        if sort in ("ti", "pao") and four_groups(self.seats[seat].melds) >= 2:
            return self.next_to(seat)
        return (yield from self._discard(seat))

    def _discard(self, seat: int) -> Part[int]:
        """Let a seat that has to discard do so, unless it is dead, owes one or cannot (P3.2, P3.3, P4.5, P4.7)."""
        own = self.seats[seat]
        if own.dead:
            return self.next_to(seat)
        if own.owed > 0:
            own.owed -= 1
            return self.next_to(seat)
        options = [f"discard {TOKENS[kind]}" for kind in range(KINDS) if own.hand[kind] > 0]
        if not options:
            own.dead = True
            return self.next_to(seat)
        action = yield from self._ask(seat, options)
        kind = KIND[action.split()[1]]
        own.hand[kind] -= 1
        own.locked.add(kind)  # P6.1
        self.discards.append((seat, kind))
        self.table, self.giver, self.revealed = kind, seat, False
        return (yield from self._claims(kind, seat, self.round_from(seat)[1:], self.next_to(seat)))

    def _can_discard(self, seat: int, used: int) -> bool:
        """Tell whether a discard is left, or waived, once so many loose cards are used (P4.6)."""
        return sum(self.hands[seat]) > used or self.seats[seat].owed > 0

    # -----------------------------------------------------------------------------------------------------
    # What may be claimed (P4.2, P4.6, P4.7, P5, P6)

    def _pao_peng_options(self, seat: int, kind: int) -> list[str]:
        """List what the seat may do with the table card in step 3 (P4.2)."""
        options = ["pass"]
        if self._may_pao(seat, kind):
            options.append("pao")
        if self._may_peng(seat, kind):
            options.append("peng")
        return options

    def _may_pao(self, seat: int, kind: int) -> bool:
        """Tell whether the seat may turn a kan, a wei or a peng into a pao (P4.2 step 3, P4.3, P4.6, P4.7)."""
        own = self.seats[seat]
        from_kan = kind in own.kan and seat != self.giver
        from_wei = ("wei", kind) in own.melds
        from_peng = ("peng", kind) in own.melds and self.revealed
        needs_discard = four_groups(own.melds) == 0 and not own.dead
        return (from_kan or from_wei or from_peng) and (not needs_discard or self._can_discard(seat, 0))

    def _may_peng(self, seat: int, kind: int) -> bool:
        """Tell whether the seat may peng: never its own reveal, nor a locked kind (P4.2 step 3, P4.6, P4.7, P6.1)."""
        own = self.seats[seat]
        barred = own.dead or kind in own.locked or seat == self.giver
        return not barred and own.hand[kind] == 2 and self._can_discard(seat, 2)

    def _chi_choices(self, seat: int, kind: int) -> list[Partition]:
        """List what the seat may chi with the table card in step 4 (P4.2, P4.6, P4.7, P5, P6.1)."""
        own = self.seats[seat]
        if own.dead or kind in own.locked:
            return []
        choices = chi_choices(own.hand, own.kan, kind)
        return [groups for groups in choices if self._can_discard(seat, len(self._from_hand(groups, kind)))]

    @staticmethod
    def _from_hand(groups: Partition, kind: int) -> list[int]:
        """List the cards of a chi less the table card (P5.1)."""
        cards = [card for group in groups for card in group]
        cards.remove(kind)
        return cards

    def _make_pao(self, seat: int, kind: int) -> None:
        """Lay down a kan with the table card, or add the card to the wei or peng (P4.2 step 3)."""
        own = self.seats[seat]
        if kind in own.kan:
            own.kan.remove(kind)
            own.melds.append(("pao", kind))
            return
        sort = "wei" if ("wei", kind) in own.melds else "peng"
        own.melds[own.melds.index((sort, kind))] = ("pao", kind)

    def _make_peng(self, seat: int, kind: int) -> None:
        """Lay down two hand cards with the table card (P4.2 step 3)."""
        self.hands[seat][kind] -= 2
        self.seats[seat].melds.append(("peng", kind))

    def _make_chi(self, seat: int, kind: int, groups: Partition) -> None:
        """Lay down all the groups of one chi (P5.1, P5.2)."""
        for card in self._from_hand(groups, kind):
            self.hands[seat][card] -= 1
        self.seats[seat].melds += [("chi", group) for group in groups]

    # -----------------------------------------------------------------------------------------------------
    # The end of the deal (P8)

    def _draw(self) -> NoReturn:
        """End the deal without a winner (P4.1, P8.1)."""
        self._finish({"outcome": "draw"})

    def _win(self, seat: int, source: str, kind: int | None, huxi: int) -> NoReturn:
        """End the deal with a winner (P7, P8.1)."""
        card = None if kind is None else TOKENS[kind]
        found = {"outcome": "win", "winner": seat, "source": source, "winning_card": card}
        self._finish({**found, "huxi": huxi, "tun": tun(huxi), "points": points(seat, huxi)})

    def _finish(self, found: dict[str, object]) -> NoReturn:
        """Write the result and leave the script of the deal (P8.1)."""
        nobody = {"winner": None, "source": None, "winning_card": None, "huxi": 0, "tun": 0, "points": [0, 0, 0]}
        self._result = {**nobody, **found}
        raise DealOverError
