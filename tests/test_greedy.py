"""The greedy policy of Nantong Long Cards: against a slow one of the same description, and for what it sees."""

from collections.abc import Sequence
from functools import cache
from operator import add

import numpy as np
import pytest

from agents import registry
from agents.nantong.greedy import choose_greedy
from hidden import scrambled
from longcards_env import nantong, play
from longcards_env.nantong.distance import distance_tables
from naive import COPIES, GROUPS, KINDS, MELD_CARDS, TOKENS, held_hu, joined, strip_shortages
from naive import distance as naive_distance
from naive_engine import Deal

SEATS = 3
FAR = 99
CLAIMED = ("pong", "exposed_kong", "added_kong")  # melds that took a card from the river
Hand = Sequence[int]


# ---- the policy, written out in Python


@cache
def first_half(myriads: tuple[int, ...], strings: tuple[int, ...]) -> tuple[int, ...]:
    """Cards missing from these two suits, by pairs and groups."""
    table = joined(strip_shortages(myriads, 0, 0), strip_shortages(strings, 0, 0))
    return tuple(table.get((groups, pairs), FAR) for pairs in (0, 1) for groups in range(GROUPS + 1))


@cache
def second_half(coins: tuple[int, ...], honours: tuple[int, ...], due: int) -> tuple[int, ...]:
    """Cards missing from the rest for what the first half leaves undone, in the order of `first_half`."""
    table = strip_shortages(coins, 0, 0)
    for count in honours:
        table = joined(table, strip_shortages((count,), 0, 0))
    return tuple(table.get((due - groups, 1 - pairs), FAR) for pairs in (0, 1) for groups in range(GROUPS + 1))


def distance(hand: Hand, melds: int) -> int:
    """The judge's distance, with the tables of halves of hands remembered."""
    first = first_half(tuple(hand[0:9]), tuple(hand[9:18]))
    return min(map(add, first, second_half(tuple(hand[18:27]), tuple(hand[27:30]), GROUPS - melds)))


def changed(hand: Hand, kind: int, by: int) -> list[int]:
    other = list(hand)
    other[kind] += by
    return other


def face_up(deal: Deal, kind: int) -> int:
    """Copies that everybody sees: indicators, melds, hezi, discards that nobody claimed."""
    melds = [(sort, own) for seat in deal.seats for sort, own in seat.melds if own == kind]
    shown = deal.indicators.count(kind) + sum(MELD_CARDS[sort] for sort, _ in melds)
    shown += 2 * sum(seat.hezi == kind for seat in deal.seats)
    return shown + sum(own == kind for _, own in deal.discards) - sum(sort in CLAIMED for sort, _ in melds)


def reference(deal: Deal) -> str:
    """The action of the greedy policy, from what the acting seat may know."""
    legal = deal.legal()
    if "win" in legal:
        return "win"
    if "end" in legal:
        opens = [f"open {token}" for token in TOKENS]
        return next(word for word in [*opens, "hezi", "ready", "end"] if word in legal)
    assert deal.seat is not None
    hand, melds = deal.hands[deal.seat], len(deal.seats[deal.seat].melds)
    if "pass" in legal:
        return reference_claim(legal, hand, melds, deal.discards[-1][1])
    return reference_kong(legal, hand, melds) or reference_discard(deal, hand, melds)


def reference_claim(legal: list[str], hand: Hand, melds: int, kind: int) -> str:
    now = distance(hand, melds)
    if "kong" in legal and distance(changed(hand, kind, -3), melds + 1) <= now:
        return "kong"
    return "pong" if distance(changed(hand, kind, -2), melds + 1) < now else "pass"


def reference_kong(legal: list[str], hand: Hand, melds: int) -> str | None:
    """The kong of least distance, if that is not above the present one; among equals the lowest kind."""
    after = {}
    for kind, token in enumerate(TOKENS):
        if f"kong {token}" in legal:
            concealed = hand[kind] == COPIES
            after[token] = distance(changed(hand, kind, -hand[kind]), melds + concealed)
    best = min(after, key=after.__getitem__, default=None)
    return f"kong {best}" if best and after[best] <= distance(hand, melds) else None


def reference_discard(deal: Deal, hand: Hand, melds: int) -> str:
    """Least distance, then most useful unseen cards, then least hu lost, then the lowest kind."""
    after = {kind: distance(changed(hand, kind, -1), melds) for kind in range(KINDS) if hand[kind]}
    least = min(after.values())
    tied = [kind for kind in after if after[kind] == least]
    unseen = [COPIES - hand[kind] - face_up(deal, kind) for kind in range(KINDS)] if len(tied) > 1 else []

    def rank(kind: int) -> tuple[int, int, int]:
        rest = changed(hand, kind, -1)
        useful = sum(n for other, n in enumerate(unseen) if n and distance(changed(rest, other, 1), melds) < least)
        hu = held_hu(kind, hand[kind], deal.indicators) - held_hu(kind, rest[kind], deal.indicators)
        return -useful, hu, kind

    return f"discard {TOKENS[min(tied, key=rank)]}"


# ---- the compiled policy


def play_compiled(agents: list[str], first: int, deals: int, log_rows: int = 0) -> tuple[np.ndarray, ...]:
    """Play deals of one run; return their ends, the log, and the number of decisions of each."""
    players = [registry.agent("nantong", spec) for spec in agents]
    states, decisions = nantong.new_states(deals), np.empty(deals, np.int64)
    log = np.zeros(log_rows, play.DECISION).view(np.recarray)
    seeds = np.arange(first, first + deals).astype(np.uint64)
    policies = np.array([player.policy for player in players])
    tables = registry.tables("nantong", players)
    dealers = np.arange(deals) % SEATS
    played = registry.compiled("nantong").play_deals(states, seeds, dealers, policies, tables, log, decisions)
    assert played == deals
    return states, log, decisions


def test_remembered_distance_is_the_judges() -> None:
    rng = np.random.default_rng(1)
    for _ in range(300):
        cards = rng.permutation(KINDS * COPIES)[: rng.integers(1, 24)] // COPIES
        hand = np.bincount(cards, minlength=KINDS).tolist()
        melds = int(rng.integers(0, GROUPS + 1))
        assert distance(hand, melds) == naive_distance(hand, melds)


@pytest.mark.parametrize(
    ("first", "deals"), [pytest.param(618, 1, marks=pytest.mark.nojit), (0, 12), (100, 12), (200, 12), (300, 12)]
)
def test_plays_as_described(first: int, deals: int) -> None:
    """Identical decisions, tie-breaks included, over whole deals; deal 618 has an opening, a kong and pongs."""
    rows = max(deals, 4) * nantong.MAX_DECISIONS
    states, log, decisions = play_compiled(["greedy"] * SEATS, first, deals, rows)
    at = 0
    for state, count in zip(states, decisions, strict=True):
        deal = Deal(int(state.dealer), [TOKENS[kind] for kind in state.deck])
        for row in log[at : at + count]:
            word = nantong.action_name(row.action)
            assert (row.seat, word) == (deal.seat, reference(deal)), deal.decisions
            deal.apply(word)
        assert deal.seat is None
        at += count


def test_beats_random() -> None:
    """Greedy in each seat against two random players: far more than five standard errors above them."""
    points = np.concatenate([points_of_greedy(seat, 2000) for seat in range(SEATS)])
    error = points.std() / np.sqrt(len(points))
    assert points.mean() > 20 * error


def points_of_greedy(seat: int, deals: int) -> np.ndarray:
    agents = ["random"] * SEATS
    agents[seat] = "greedy"
    states, _, _ = play_compiled(agents, 0, deals)
    mine: np.ndarray = states["points"][:, seat]
    assert mine.mean() > 0
    assert (states["winner"] == seat).mean() > 0.5
    return mine


# ---- hidden cards


def test_does_not_look_at_hidden_cards() -> None:
    """N3.4: other hands and the stock may be any: the choice stays."""
    rng = np.random.default_rng(4)
    state, deck = nantong.new_states(1)[0], np.arange(KINDS * COPIES) // COPIES
    advance, tables = registry.compiled("nantong").advance, distance_tables()
    chosen = set()
    for deal in range(60):
        nantong.reset(state, deal % SEATS, rng.permutation(deck).astype(np.int8))
        while any(words := advance(state)):
            low, high = words
            action = choose_greedy(state, low, high, tables)
            for _ in range(4):
                assert choose_greedy(scrambled(state, rng), low, high, tables) == action
            chosen.add(nantong.action_name(action).split()[0])
            nantong.apply(state, action)
    assert chosen >= {"discard", "pong", "kong", "pass", "win"}
