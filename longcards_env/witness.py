"""Templates that play a deal move by move and tell each seat what it sees of it, and that play such an account again.

An event is three numbers: who, what, card. What a seat is told is all that its observations over time tell, and no
more: another seat's pass (nobody sees that it was asked) and its drawn cards are left out. `play.bind` compiles the
templates for one game.
"""

from functools import lru_cache
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np

from ._jit import record_dtype, widen
from .bits import count, lowest
from .layout import offsets
from .names import names_of
from .play import bind
from .protocol import HIGH, NUM_ACTIONS, NUM_CARDS, OBS_SIZE, Game, apply, legal_words, observe, reset
from .seats import NONE, NUM_SEATS

HAND_SIZE = 0  # stands in for the game's, as the names of protocol.py do

# What happened, beside the actions of a seat. The melds of each sort have a number of their own, MELDED + sort.
SHOWN = 0  # a card of the stock was turned up; + NUM_ACTIONS
TAKEN = 1  # the seat got a card into its hand; + NUM_ACTIONS
MELDED = 2  # such a meld came to lie before a seat; + NUM_ACTIONS


def sight_dtype(game: Game) -> np.dtype[np.record]:
    """Return the dtype of what the seats have seen of one deal, and of what it takes to go on with it."""
    most = most_events(game)
    return record_dtype(
        [
            ("events", "i2", (NUM_SEATS, most, 3)),  # what each seat was told: who, what, card; 0 from `told` on
            ("told", "i8", NUM_SEATS),  # how many events that is
            ("hands", "i1", (NUM_SEATS, game.NUM_KINDS)),  # copies of each kind in hand
            ("owners", "i1", game.NUM_CARDS),  # the seat into whose hand each card of the deck came, or -1
            ("back", "i8"),  # of the stock, where cards are taken from its end
            ("hidden", "i8"),  # the action that only its own seat sees
            ("draws", "i8"),  # 1 = cards of the stock are drawn into hands, 0 = they are turned up
            ("all_moves", "i8"),  # 1 = forced actions are asked for too
        ]
    )


def most_events(game: Game) -> int:
    """Return how many events no deal exceeds: actions, cards, and melds, of which a seat lays eight at most, twice."""
    return game.MAX_DECISIONS + game.NUM_CARDS + 2 * 8 * NUM_SEATS


def new_sights(game: Game, draws: bool, all_moves: bool) -> np.ndarray:
    """Return the sight of a deal that has not begun, one record of `sight_dtype`."""
    sights = np.zeros(1, sight_dtype(game))
    sights["hidden"] = [game.action_name(action) for action in range(game.NUM_ACTIONS)].index("pass")
    sights["draws"], sights["all_moves"] = draws, all_moves
    return sights


def tell(sight: np.record, seat: int, who: int, what: int, card: int) -> None:
    """Add an event to what a seat has seen."""
    row = sight.events[seat, sight.told[seat]]
    row[0], row[1], row[2] = who, what, card
    sight.told[seat] += 1


def tell_all(sight: np.record, who: int, what: int, card: int) -> None:
    """Add an event to what all seats have seen."""
    for seat in range(NUM_SEATS):
        tell(sight, seat, who, what, card)


def open_card(state: np.record, sight: np.record) -> int:
    """Return the kind that the question is about if all see it, else -1: then it was drawn into a hand."""
    return NONE if sight.draws and state.actor == state.seat else state.card


def look_at_hands(state: np.record, sight: np.record, front: int) -> None:
    """Tell each seat the cards that have come into its hand; front: where the stock began before."""
    seen = np.empty(OBS_SIZE, np.int8)
    for seat in range(NUM_SEATS):
        observe(state, seat, seen)
        for kind in range(sight.hands.shape[1]):
            for _ in range(seen[kind] - sight.hands[seat, kind]):
                tell(sight, seat, seat, NUM_ACTIONS + TAKEN, kind)
                if state.front > front and seat == state.seat:
                    sight.owners[front] = seat
                else:
                    sight.back -= 1
                    sight.owners[sight.back] = seat
            sight.hands[seat, kind] = seen[kind]


def play_move(state: np.record, sight: np.record, action: int) -> None:
    """Apply a legal action, and tell each seat what it sees of it and of what follows by itself."""
    actor, card, front, melds = state.seat, open_card(state, sight), state.front, state.melds.copy()
    apply(state, action)
    for seat in range(NUM_SEATS):
        if action != sight.hidden or seat == actor:
            tell(sight, seat, actor, action, card)
    if not sight.draws:
        for place in range(front, state.front):
            tell_all(sight, NONE, NUM_ACTIONS + SHOWN, state.deck[place])
    look_at_hands(state, sight, front)
    for seat in range(NUM_SEATS):
        for sort in range(melds.shape[1]):
            new = state.melds[seat, sort] & ~melds[seat, sort]
            while new:
                tell_all(sight, seat, NUM_ACTIONS + MELDED + sort, lowest(new))
                new &= new - 1


def ask(state: np.record, sight: np.record) -> tuple[int, int, int]:
    """Play forced actions, if they are not asked for; return the seat that is asked and its legal words.

    The seat is -1, and the words are empty, when the deal is over.
    """
    low, high = legal_words(state)
    while not sight.all_moves and count(low) + count(high) == 1:
        play_move(state, sight, lowest(low) if low else HIGH + lowest(high))
        low, high = legal_words(state)
    return state.seat if low or high else NONE, low, high


def deal_out(states: np.ndarray, sights: np.ndarray, dealer: int, deck: np.ndarray) -> tuple[int, int, int]:
    """Start a deal, STATE[1], of this int8[NUM_CARDS] deck and its sight; return what `ask` does."""
    state, sight = states[0], sights[0]
    reset(state, dealer, deck)
    sight.events[:] = 0
    sight.told[:] = 0
    sight.owners[:] = NONE
    sight.back = NUM_CARDS
    for i in range(NUM_SEATS * HAND_SIZE + 1):
        sight.owners[i] = (dealer + max(i - 1, 0) // HAND_SIZE) % NUM_SEATS
    seen = np.empty(OBS_SIZE, np.int8)
    for seat in range(NUM_SEATS):
        observe(state, seat, seen)
        for kind in range(sight.hands.shape[1]):
            sight.hands[seat, kind] = seen[kind]
    return ask(state, sight)


def move(states: np.ndarray, sights: np.ndarray, action: int) -> tuple[int, int, int]:
    """Apply a legal action to a deal; return what `ask` does."""
    play_move(states[0], sights[0], action)
    return ask(states[0], sights[0])


def next_of(state: np.record, sight: np.record, asked: int, seat: int, events: np.ndarray) -> int:
    """Return the action of the seat that is asked by which the account of `seat`, int16[n, 3], goes on; -1 if none."""
    known = sight.told[seat]
    if known < len(events):
        who, what, card = events[known]
        if who == asked and what < NUM_ACTIONS and card == open_card(state, sight):
            return widen(what)
    return NONE if asked == seat else sight.hidden


def retrace(
    states: np.ndarray, sights: np.ndarray, seat: int, events: np.ndarray, seen: np.ndarray, moves: np.ndarray
) -> int:
    """Play a deal that was dealt out so that a seat sees these events, int16[n, 3], and is asked; others pass else.

    seen: int8[OBS_SIZE], what the seat then observes. moves: int16[most_events], overwritten with the actions.
    Returns how many there are, or -1 if the deal cannot go like that.
    """
    state, sight = states[0], sights[0]
    asked, low, high = ask(state, sight)
    made = 0
    while asked != seat or sight.told[seat] < len(events):
        known = sight.told[seat]
        action = next_of(state, sight, asked, seat, events) if asked != NONE else NONE
        if action == NONE or (low >> action if action < HIGH else high >> action - HIGH) & 1 == 0:
            return NONE
        moves[made] = action
        made += 1
        play_move(state, sight, action)
        asked, low, high = ask(state, sight)
        if sight.told[seat] > len(events):
            return NONE
        for i in range(known, sight.told[seat]):
            for j in range(3):
                if sight.events[seat, i, j] != events[i, j]:
                    return NONE
    observed = np.empty(OBS_SIZE, np.int8)
    observe(state, seat, observed)
    for i in range(OBS_SIZE):
        if observed[i] != seen[i]:
            return NONE
    return made


_TEMPLATES = (tell, tell_all, open_card, look_at_hands, play_move, ask, deal_out, move, next_of, retrace)
_BOUND: dict[str, SimpleNamespace] = {}


def bound(game: Game) -> SimpleNamespace:
    """Return the templates compiled for a game: deal_out, move, retrace, ..."""
    if offsets(game.LAYOUT).hand != 0:
        raise AssertionError("the hand is the first part of an observation")
    if game.NAME not in _BOUND:
        _BOUND[game.NAME] = SimpleNamespace(**bind(game, _TEMPLATES))
    return _BOUND[game.NAME]


def hidden_places(game: Game, states: np.ndarray, sights: np.ndarray, seats: Any) -> np.ndarray:
    """Return the places in the deck, int64[n], of the cards in these seats' hands and in the stock."""
    state, sight = states[0], sights[0]
    places = list(range(int(state.front), int(sight.back)))
    for seat in seats:
        owned = np.flatnonzero(sight.owners == seat)
        kinds = state.deck[owned]
        for kind in np.flatnonzero(sight.hands[seat]).tolist():
            places += owned[kinds == kind][: sight.hands[seat, kind]].tolist()
    return np.array(places)


def _labels(game: Game) -> list[str]:
    """Return the words of each entry of an observation within its part: seat, sort, card."""
    labels: list[str] = []
    for part in game.LAYOUT:
        for index in np.ndindex(part.shape):
            words = [str(i) for i in index]
            if part.shape[-1] == game.NUM_KINDS:
                words[-1] = game.TOKENS[index[-1]]
            elif part.name == "phase":
                words = [game.PHASES[index[-1]]]
            labels.append(":".join(words if part.size > 1 else []))
    return labels


class Narrator:
    """The words of one game's observations and events."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.labels = _labels(game)
        self.starts = list(offsets(game.LAYOUT))
        self.melds = names_of(import_module(f"longcards_env.{game.NAME}.rules").Meld)
        self.event = lru_cache(maxsize=None)(self._event)

    def observation(self, values: np.ndarray) -> str:
        """Return int8[OBS_SIZE] as words: what is not 0, part by part, `hand m1 m2=2; dealer 1`."""
        parts: list[list[str]] = [[] for _ in self.starts]
        places = np.flatnonzero(values)
        owners = np.searchsorted(self.starts, places, side="right") - 1
        for place, part, value in zip(places.tolist(), owners.tolist(), values[places].tolist(), strict=True):
            label = self.labels[place]
            parts[part].append(label if label and value == 1 else f"{label}={value}" if label else str(value))
        named = zip(self.game.LAYOUT, parts, strict=True)
        return "; ".join(f"{part.name} {' '.join(words)}" for part, words in named if words)

    def _event(self, who: int, what: int, card: int) -> str:
        """Return an event as words, seats by their number: `1 discard s4`, `shown s4`, `1 taken m5`, `0 wei s4`."""
        if what < self.game.NUM_ACTIONS:
            return f"{who} {self.game.action_name(what, card)}"
        number, token = what - self.game.NUM_ACTIONS, self.game.TOKENS[card]
        if number == SHOWN:
            return f"shown {token}"
        sort = "taken" if number == TAKEN else self.melds[number - MELDED]
        return f"{who} {sort} {token}"

    def events(self, rows: np.ndarray) -> str:
        """Return events, int16[n, 3], as words."""
        return ", ".join([self.event(*row) for row in rows.tolist()])
