"""Observations of Paohuzi: the table of parts, their values, and that nothing hidden shows."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

from agents import registry
from decks_paohuzi import DECKS
from hidden_paohuzi import scrambled
from longcards_env import paohuzi
from longcards_env.layout import offsets
from longcards_env.paohuzi import LAYOUT, OBS_SIZE
from longcards_env.paohuzi.groups import GROUPS_OF_THREE
from longcards_env.paohuzi.rules import Meld
from longcards_env.paohuzi.state import Phase, hand_counts
from naive_paohuzi import KIND, sort_huxi

SEATS, KINDS = 3, paohuzi.NUM_KINDS
NUM_GROUPS = len(GROUPS_OF_THREE)
Parts = dict[str, np.ndarray]
AT = offsets(LAYOUT)
MAKE_DECK = list(DECKS.values())


def positions(deals: int, seed: int) -> Iterator[np.record]:
    """Every decision of some deals in which cards are mostly claimed where they may be, and wins let pass."""
    rng = random.Random(seed)
    advance = registry.compiled("paohuzi").advance
    state, mask = paohuzi.new_states(1)[0], np.empty(paohuzi.NUM_ACTIONS, np.int8)
    for deal in range(deals):
        deck = MAKE_DECK[deal % len(MAKE_DECK)](rng)
        paohuzi.reset(state, deal % SEATS, np.array([KIND[token] for token in deck], np.int8))
        while any(advance(state)):
            yield state
            paohuzi.legal(state, mask)
            actions = np.flatnonzero(mask).tolist()
            names = {action: paohuzi.action_name(action, state.card) for action in actions}
            claims = [action for action in actions if names[action].startswith(("pao", "peng", "chi"))]
            others = [action for action in actions if names[action] != "win"]
            paohuzi.apply(state, rng.choice(claims if claims and rng.random() < 0.7 else others))


def observed(state: np.record, seat: int) -> Parts:
    out = np.full(OBS_SIZE, -1, np.int8)
    paohuzi.observe(state, seat, out)
    parts = {}
    for part in LAYOUT:
        start = getattr(AT, part.name)
        parts[part.name] = out[start : start + part.size].reshape(part.shape)
    return parts


def of_kinds(kinds: int) -> list[int]:
    return [int(kinds) >> kind & 1 for kind in range(KINDS)]


def kan_huxi(kan: int) -> int:
    return sum(sort_huxi("kan", kind) for kind in range(KINDS) if int(kan) >> kind & 1)


@pytest.mark.nojit
def test_values_are_in_range() -> None:
    greatest = dict.fromkeys((part.name for part in LAYOUT), 0)
    for state in positions(len(MAKE_DECK), seed=1):
        for seat in range(SEATS):
            parts = observed(state, seat)
            for part in LAYOUT:
                assert parts[part.name].min() >= 0
                assert parts[part.name].max() <= part.high
                greatest[part.name] = max(greatest[part.name], int(parts[part.name].max()))
    assert all(greatest.values())
    assert greatest["hand"] == 3


def test_cards_in_sight_are_those_of_the_state() -> None:
    for state in positions(60, seed=2):
        seat = int(state.seat)
        parts = observed(state, seat)
        hand = hand_counts(state, seat)
        assert (parts["hand"] == hand).all()
        assert (parts["kan"] == (hand == 3)).all()
        assert (parts["unseen"] == paohuzi.COPIES - state.shown - hand).all()
        assert parts["locked"].tolist() == of_kinds(state.locked[seat])
        assert parts["public"].tolist() == of_kinds(1 << int(state.deck[20]))
        assert parts["stock"].tolist() == [80 - state.front]
        assert parts["phase"].tolist() == [phase == state.phase for phase in Phase]


def test_unseen_cards_are_those_of_other_hands_and_the_stock() -> None:
    for state in positions(30, seed=8):
        for seat in range(SEATS):
            others = sum(hand_counts(state, (seat + away) % SEATS) for away in (1, 2))
            stock = np.bincount(state.deck[state.front :], minlength=KINDS)
            assert (observed(state, seat)["unseen"] == others + stock).all()


def test_tables_are_those_of_the_state() -> None:
    """What lies before each seat, counted from the observing one."""
    for state in positions(60, seed=3):
        for seat in range(SEATS):
            parts = observed(state, seat)
            for away in range(SEATS):
                other = (seat + away) % SEATS
                assert parts["melds"][away].tolist() == [of_kinds(state.melds[other, sort]) for sort in Meld]
                numbers = [number - 1 for number in state.chis[other].tolist() if number]
                assert parts["chis"][away].tolist() == [numbers.count(number) for number in range(NUM_GROUPS)]
                hidden = 0 if away == 0 else kan_huxi(state.kan[other])
                assert parts["huxi"][away] == state.huxi[other] - hidden
                assert parts["owed"][away] == state.owed[other]
                assert parts["dead"][away] == state.dead[other]
                assert parts["dealer"][away] == (state.dealer == other)


def test_dead_cards_are_those_of_the_state() -> None:
    """By seat and kind: how many it discarded and revealed, and how long ago the last of them was."""
    for state in positions(60, seed=5):
        seat = int(state.seat)
        parts = observed(state, seat)
        discarded, revealed, recent = (np.zeros((SEATS, KINDS), np.int64) for _ in range(3))
        entries = [int(entry) for entry in state.river[: state.river_size]]
        for ago, entry in zip(range(len(entries), 0, -1), entries, strict=True):
            place = ((entry >> 5 & 3) - seat) % SEATS, entry & 31
            (revealed if entry >> 7 else discarded)[place] += 1
            recent[place] = ago
        assert (parts["discarded"] == discarded).all()
        assert (parts["revealed"] == revealed).all()
        assert (parts["recent"] == recent).all()


def test_the_card_in_question_is_shown_to_the_seat_that_is_asked() -> None:
    """P4.2: what lies on the table, whose it was, and whether it was revealed."""
    seen = set()
    for state in positions(100, seed=3):
        parts = observed(state, int(state.seat))
        seen.add((Phase(state.phase), bool(state.revealed)))
        assert parts["card"].tolist() == of_kinds(1 << int(state.card) if state.card >= 0 else 0)
        assert parts["is_revealed"].tolist() == [state.revealed if state.card >= 0 else 0]
        away = (state.actor - state.seat) % SEATS
        assert parts["card_from"].tolist() == [state.card >= 0 and other == away for other in range(SEATS)]
        on_table = state.phase in (Phase.CLAIM_WIN, Phase.CLAIM_MELD, Phase.CLAIM_CHI)
        assert (state.card >= 0) == (on_table or state.phase == Phase.OWN_WIN)
    claims = {(phase, revealed) for phase in (Phase.CLAIM_MELD, Phase.CLAIM_CHI) for revealed in (False, True)}
    assert seen >= claims | {(Phase.CLAIM_WIN, True), (Phase.HEAVENLY, False)}
    assert {phase for phase, _ in seen} == set(Phase) - {Phase.OVER}


def test_hidden_cards_do_not_show() -> None:
    rng = np.random.default_rng(5)
    for state in positions(60, seed=4):
        seat = int(state.seat)
        now = observed(state, seat)
        for _ in range(2):
            for name, values in observed(scrambled(state, rng), seat).items():
                assert (values == now[name]).all(), name


def test_scrambled_states_differ_and_hold_the_same_cards() -> None:
    """The test above is worth something: other hands, kan, locks and the stock do change."""
    rng = np.random.default_rng(6)
    differs: set[str] = set()
    for state in positions(20, seed=9):
        other = scrambled(state, rng)
        hands = [sum(hand_counts(each, seat) for seat in range(SEATS)) for each in (state, other)]
        stocks = [np.bincount(each.deck[each.front :], minlength=KINDS) for each in (state, other)]
        assert (hands[0] + stocks[0] == hands[1] + stocks[1]).all()
        for seat in range(SEATS):
            assert hand_counts(state, seat).sum() == hand_counts(other, seat).sum()
        differs |= {name for name in paohuzi.STATE.names or () if (state[name] != other[name]).any()}
    assert differs == {"deck", "once", "twice", "kan", "num_groups", "huxi", "locked", "refused"}


def test_a_seat_that_is_not_asked_does_not_see_the_question() -> None:
    """Who may claim a card tells of its hand (P4.2)."""
    for state in positions(20, seed=6):
        for away in (1, 2):
            parts = observed(state, (int(state.seat) + away) % SEATS)
            assert not any(parts[name].any() for name in ("phase", "card", "card_from", "is_revealed"))
