"""Observations: the table of parts, their values, and that nothing hidden shows (N3.4)."""

from collections.abc import Iterator

import numpy as np
import pytest

from agents import registry
from hidden import scrambled
from longcards_env import nantong
from longcards_env.layout import offsets
from longcards_env.nantong import LAYOUT, OBS_SIZE
from longcards_env.nantong.rules import Meld
from longcards_env.nantong.state import Phase, hand_counts

SEATS, KINDS = 3, nantong.NUM_KINDS
Parts = dict[str, np.ndarray]


def positions(deals: int, seed: int) -> Iterator[np.record]:
    """Every decision of some deals in which whatever is rare is taken where it is legal."""
    rng = np.random.default_rng(seed)
    advance = registry.compiled("nantong").advance
    state, mask = nantong.new_states(1)[0], np.empty(nantong.NUM_ACTIONS, np.int8)
    pack = np.arange(nantong.NUM_CARDS) // nantong.COPIES
    for deal in range(deals):
        nantong.reset(state, deal % SEATS, rng.permutation(pack).astype(np.int8))
        while any(advance(state)):
            yield state
            nantong.legal(state, mask)
            actions = np.flatnonzero(mask).tolist()
            rare = [a for a in actions if not nantong.action_name(a).startswith(("discard", "pass", "end", "win"))]
            nantong.apply(state, int(rng.choice(rare if rare and rng.random() < 0.7 else actions)))


def observed(state: np.record, seat: int) -> Parts:
    out = np.full(OBS_SIZE, -1, np.int8)
    nantong.observe(state, seat, out)
    return {part.name: out[getattr(offsets(LAYOUT), part.name) :][: part.size] for part in LAYOUT}


def of_kinds(kinds: int) -> list[int]:
    return [int(kinds) >> kind & 1 for kind in range(KINDS)]


@pytest.mark.nojit
def test_values_are_in_range() -> None:
    greatest = dict.fromkeys((part.name for part in LAYOUT), 0)
    for state in positions(4, seed=1):
        for seat in range(SEATS):
            for part in LAYOUT:
                values = observed(state, seat)[part.name]
                assert values.min() >= 0
                assert values.max() <= part.high
                greatest[part.name] = max(greatest[part.name], int(values.max()))
    assert all(greatest[name] for name in ("hand", "unseen", "indicators", "melds", "river", "card", "phase", "stock"))


def test_cards_in_sight_are_those_of_the_state() -> None:
    for state in positions(40, seed=2):
        seat = int(state.seat)
        parts = observed(state, seat)
        assert (parts["hand"] == hand_counts(state, seat)).all()
        assert (parts["unseen"] == nantong.COPIES - state.shown - hand_counts(state, seat)).all()
        assert parts["indicators"].sum() == 2
        assert all(parts["indicators"][kind] for kind in state.indicators)
        assert parts["stock"][0] == state.back - state.front
        assert parts["phase"].argmax() == state.phase
        assert parts["river"].sum() == state.river_size
        for away in range(SEATS):
            other = (seat + away) % SEATS
            melds = parts["melds"].reshape(SEATS, len(Meld), KINDS)[away]
            assert melds.tolist() == [of_kinds(kinds) for kinds in state.melds[other]]
            assert parts["hezi"].reshape(SEATS, KINDS)[away].tolist() == of_kinds(state.hezi[other])
            assert parts["ready"][away] == state.ready[other]
            assert parts["dealer"][away] == (state.dealer == other)


def test_the_card_in_question_is_shown_to_the_seat_that_is_asked() -> None:
    """N4.2: what was drawn; N4.3, N4.4: what lies on the table, and whose it was."""
    seen = set()
    for state in positions(60, seed=3):
        parts = observed(state, int(state.seat))
        seen.add(Phase(state.phase))
        assert parts["card"].tolist() == of_kinds(1 << int(state.card) if state.card >= 0 else 0)
        if state.card >= 0:
            assert parts["card_from"].argmax() == (state.actor - state.seat) % SEATS
    assert seen >= {Phase.PREPARE, Phase.TURN, Phase.DISCARD, Phase.CLAIM_MELD}


def test_hidden_cards_do_not_show() -> None:
    rng = np.random.default_rng(5)
    for state in positions(40, seed=4):
        seat = int(state.seat)
        other = scrambled(state, rng)
        for name, values in observed(other, seat).items():
            assert (values == observed(state, seat)[name]).all(), name


def test_a_seat_that_is_not_asked_does_not_see_the_question() -> None:
    """Who may claim a card tells of its hand (N4.4), and a drawn card is the drawer's alone (N3.4)."""
    for state in positions(20, seed=6):
        for away in (1, 2):
            parts = observed(state, (int(state.seat) + away) % SEATS)
            assert not any(parts[name].any() for name in ("phase", "card", "card_from", "replaced"))
