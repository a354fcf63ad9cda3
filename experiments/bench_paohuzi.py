"""Speed of the winning test of Paohuzi, on the questions that self-play puts to it."""

import time
from functools import partial
from statistics import median

import numpy as np

from longcards_env import paohuzi
from longcards_env._jit import jit
from longcards_env.paohuzi.scoring import huxi_with_card
from longcards_env.paohuzi.state import Phase
from longcards_env.seats import NUM_SEATS, next_seat

_STATES = 1000
_REPEATS = 100
_ROUNDS = 5


def analysis() -> dict[str, float]:
    """Return winning tests per second: of each seat that a reveal asks, with the next card of the stock."""
    states = _before_reveals()
    asked = _count_asked(states)
    rates = []
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        _count_wins(states, _REPEATS)
        rates.append(asked * _REPEATS / (time.perf_counter() - start))
    return {"win_tests_per_second": median(rates)}


def _before_reveals() -> np.ndarray:
    """Return states of random deals at discards, changed as if the next seat had just revealed the next card."""
    rng = np.random.default_rng(0)
    states, state = paohuzi.new_states(_STATES), paohuzi.new_states(1)[0]
    mask = np.empty(paohuzi.NUM_ACTIONS, np.int8)
    kept = deal = 0
    while kept < _STATES:
        paohuzi.reset(state, deal % NUM_SEATS, rng.permutation(paohuzi.NUM_CARDS).astype(np.int8) // paohuzi.COPIES)
        deal += 1
        while (n := paohuzi.legal(state, mask)) and kept < _STATES:
            if state.phase == Phase.DISCARD and state.front < paohuzi.NUM_CARDS:
                states[kept] = state
                states[kept].card, states[kept].revealed = state.deck[state.front], 1
                states[kept].actor = next_seat(state.seat)
                kept += 1
            paohuzi.apply(state, int(np.flatnonzero(mask)[rng.integers(n)]))
    return states


_jit = partial(jit, cache=False)  # the compile cache knows nothing of edits here


@_jit
def _is_asked(state: np.record, seat: int) -> bool:
    """Whether a reveal asks this seat; the revealing seat that holds two or a kan makes a wei or a ti instead."""
    own = seat == state.actor and (state.twice[seat] | state.kan[seat]) >> state.card & 1
    return state.dead[seat] == 0 and not own


@_jit
def _count_asked(states: np.ndarray) -> int:
    asked = 0
    for state in states:
        for seat in range(NUM_SEATS):
            asked += _is_asked(state, seat)
    return asked


@_jit
def _count_wins(states: np.ndarray, repeats: int) -> int:
    wins = 0
    for _ in range(repeats):
        for state in states:
            for seat in range(NUM_SEATS):
                wins += _is_asked(state, seat) and huxi_with_card(state, seat) > 0
    return wins
