"""Templates that play whole deals, and `bind`, which compiles them for one game."""

from types import FunctionType
from typing import Any

import numpy as np

from ._jit import PACKAGES, jit, record_dtype, widen
from .bits import count, lowest
from .deck import fill_deck, seed_stream, shuffle
from .protocol import COPIES, HIGH, MAX_DECISIONS, NUM_CARDS, apply, choose, legal_words, reset
from .seats import NONE, NUM_SEATS

# One logged decision.
DECISION = record_dtype(
    [
        ("low", "i8"),  # the legal actions, as `legal_words` returns them
        ("high", "i8"),
        ("seat", "i1"),
        ("phase", "i1"),
        ("card", "i2"),  # the kind that the question is about, -1 = none
        ("action", "i2"),
        ("n_legal", "i2"),  # no byte of padding: equal rows have equal bytes
    ]
)
_SEAT_SALT = np.uint64(0xD1B54A32D192ED03)  # sets the seats' streams apart from each other and from the deck's


def advance(state: np.record) -> tuple[int, int]:
    """Play forced actions (N5.1, P9.1) until a seat has a choice; return its legal words, empty when it is over."""
    low, high = legal_words(state)
    while count(low) + count(high) == 1:
        apply(state, lowest(low) if low else HIGH + lowest(high))
        low, high = legal_words(state)
    return low, high


def play_deal(state: np.record, policies: np.ndarray, streams: np.ndarray, tables: Any, log: np.ndarray) -> int:
    """Play a deal that was reset to its end; return the number of decisions.

    policies: int64[3], the policy of each seat. streams: uint64[3, 4], advanced. log: DECISION[0] to log nothing,
    or DECISION[MAX_DECISIONS] or more, whose first rows are overwritten.
    """
    decisions = 0
    while True:
        low, high = legal_words(state)
        n_legal = count(low) + count(high)
        if n_legal == 0:
            return decisions
        if n_legal == 1:
            apply(state, lowest(low) if low else HIGH + lowest(high))
            continue
        seat = state.seat
        action = choose(policies[seat], state, low, high, streams[seat], tables)
        if len(log):
            row = log[decisions]
            row.low, row.high, row.seat, row.phase = low, high, seat, state.phase
            row.card, row.action, row.n_legal = state.card, action, n_legal
        decisions += 1
        apply(state, action)


def replay(
    state: np.record, dealer: int, deck: np.ndarray, words: np.ndarray, actions: np.ndarray, log: np.ndarray
) -> int:
    """Play given decisions from the start of a deal until one cannot be made; return how many were played.

    deck: int8[NUM_CARDS]. words: int16[n], the words of the decisions by number. actions: int16[NUM_KINDS + 1, w],
    the action of each word by card, -1 = none. log: DECISION[n + 1]: the seats of the decisions are given; the rest
    is filled in, up to the row after the last decision played (n_legal = 0: the deal is over). The state is left
    where that row was asked.
    """
    reset(state, dealer, deck)
    decisions = 0
    while True:
        low, high = advance(state)
        row = log[decisions]
        row.low, row.high, row.n_legal = low, high, count(low) + count(high)
        row.phase, row.card = state.phase, state.card
        if decisions == len(words) or row.seat != state.seat:
            return decisions
        action = widen(actions[state.card, words[decisions]])
        if action == NONE or (low >> action if action < HIGH else high >> action - HIGH) & 1 == 0:
            return decisions
        row.action = action
        apply(state, action)
        decisions += 1


def deal(state: np.record, dealer: int, seed: np.uint64, deck: np.ndarray, stream: np.ndarray) -> None:
    """Start the deal of this seed; overwrites state, deck int8[NUM_CARDS] and stream uint64[4]."""
    seed_stream(stream, seed)
    fill_deck(deck, COPIES)
    shuffle(stream, deck)
    reset(state, dealer, deck)


def begin(state: np.record, dealer: int, seed: np.uint64, deck: np.ndarray, streams: np.ndarray) -> None:
    """Start the deal of this seed and the seats' random streams.

    Overwrites state, deck int8[NUM_CARDS] and streams uint64[3, 4].
    """
    deal(state, dealer, seed, deck, streams[0])
    for seat in range(NUM_SEATS):
        seed_stream(streams[seat], seed ^ _SEAT_SALT * np.uint64(seat + 1))


def play_deals(
    states: np.ndarray,
    seeds: np.ndarray,
    dealers: np.ndarray,
    policies: np.ndarray,
    tables: Any,
    log: np.ndarray,
    decisions: np.ndarray,
) -> int:
    """Play one deal in each state, until all are played or the log is nearly full; return how many were played.

    states: STATE[n], overwritten: the ends of the deals. seeds: uint64[n]. dealers: int64[n]. log: DECISION[m],
    overwritten from its first row on with the decisions of all deals in turn; m = 0 logs nothing.
    decisions: int64[n], overwritten: how many each deal had.
    """
    deck = np.empty(NUM_CARDS, np.int8)
    streams = np.empty((NUM_SEATS, 4), np.uint64)
    logged = 0
    for i in range(len(states)):
        if 0 < len(log) < logged + MAX_DECISIONS:
            return i
        begin(states[i], dealers[i], seeds[i], deck, streams)
        decisions[i] = play_deal(states[i], policies, streams, tables, log[logged:])
        logged += decisions[i]
    return len(states)


TEMPLATES = (advance, play_deal, replay, deal, begin, play_deals)  # later ones may call earlier ones


def bind(game: Any, templates: tuple[Any, ...] = TEMPLATES, **supplied: Any) -> dict[str, Any]:
    """Compile templates with the contract's names replaced by a game's; return them by name.

    templates: functions of this module or another; later ones may call earlier ones. supplied: functions, `choose`
    above all, that a game module does not define. Each copy has a name of its own for the game and for what is
    supplied, which keeps their disk caches apart; with functions from elsewhere than PACKAGES nothing is kept on disk.
    """
    bound: dict[str, Any] = {}
    suffix = "_".join([game.NAME, *(f"{each.__module__}.{each.__qualname__}" for each in supplied.values())])
    cache = all(each.__module__.partition(".")[0] in PACKAGES for each in supplied.values())
    for template in templates:
        scope = {**template.__globals__, **vars(game), **supplied, **bound}
        copy = FunctionType(template.__code__, scope, template.__name__)
        copy.__qualname__ = f"{template.__name__}_{suffix}"
        copy.__doc__ = template.__doc__
        bound[template.__name__] = jit(copy, cache)
    return bound
