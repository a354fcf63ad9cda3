"""The greedy policy of Paohuzi: against a slow one of the same description, and for what it sees."""

from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np
import pytest

from agents import registry
from agents.paohuzi.greedy import choose_greedy
from hidden_paohuzi import scrambled
from longcards_env import paohuzi, play
from longcards_env.paohuzi.distance import distance_tables
from longcards_env.words import parse_action
from naive_engine_paohuzi import Deal
from naive_paohuzi import (
    CHI_GROUPS,
    FAR,
    GROUPS,
    KINDS,
    LEAST_HUXI,
    TOKENS,
    Group,
    Meld,
    Seat,
    chi_choices,
    chi_word,
    distance,
    four_groups,
    meld_huxi,
    sort_huxi,
)

SEATS = 3
Hand = Sequence[int]


# ---- the policy, written out in Python


def changed(hand: Hand, kinds: Sequence[int]) -> list[int]:
    """The hand less these cards."""
    return [n - kinds.count(kind) for kind, n in enumerate(hand)]


def cost(hand: Hand, melds: Sequence[Meld], kan: Collection[int]) -> int:
    """The distance with 15 huxi, or, where claims cannot reach them, a greater number by the distance without."""
    huxi = sum(map(meld_huxi, melds)) + sum(sort_huxi("kan", kind) for kind in kan)
    due, pair = GROUPS - len(melds) - len(kan), four_groups(melds) > 0
    far = distance(hand, due, pair, LEAST_HUXI - huxi)
    return far if far < FAR else FAR + distance(hand, due, pair, 0)


def cost_after_claim(hand: Hand, melds: Sequence[Meld], kan: Collection[int]) -> int:
    """The cost before the discard that follows: nothing is complete yet."""
    return max(1, cost(hand, melds, kan))


def reference(deal: Deal) -> str:
    """The action of the greedy policy, from what the acting seat may know."""
    legal = deal.legal()
    assert deal.seat is not None
    own = deal.seats[deal.seat]
    if "win" in legal:
        return "win"
    if "pass" not in legal:
        return reference_discard(own)
    assert deal.table is not None
    if "pao" in legal:
        return "pao" if cost_of_pao(own, deal.table) <= cost(own.hand, own.melds, own.kan) else "pass"
    if "peng" in legal:
        melds: list[Meld] = [*own.melds, ("peng", deal.table)]
        after = cost_after_claim(changed(own.hand, [deal.table] * 2), melds, own.kan)
        return "peng" if after <= cost(own.hand, own.melds, own.kan) else "pass"
    return reference_chi(legal, own, deal.table)


def cost_of_pao(own: Seat, kind: int) -> int:
    others = [meld for meld in own.melds if meld not in (("wei", kind), ("peng", kind))]
    return cost_after_claim(own.hand, [*others, ("pao", kind)], own.kan - {kind})


def reference_chi(legal: list[str], own: Seat, kind: int) -> str:
    """The chi of least cost, if that is below the present one; among equals the first in the order of actions."""
    choices = {chi_word(groups): groups for groups in chi_choices(own.hand, own.kan, kind)}
    words = sorted(set(legal) - {"pass"}, key=lambda word: parse_action(paohuzi, word, kind))
    after: dict[str, int] = {}
    for word in words:
        cards = [card for group in choices[word] for card in group]
        cards.remove(kind)
        laid: list[Meld] = [("chi", group) for group in choices[word]]
        after[word] = cost_after_claim(changed(own.hand, cards), [*own.melds, *laid], own.kan)
    best = min(words, key=after.__getitem__)
    return best if after[best] < cost(own.hand, own.melds, own.kan) else "pass"


def reference_discard(own: Seat) -> str:
    """Least cost, then fewest links, then the lowest kind."""

    def rank(kind: int) -> tuple[int, int, int]:
        rest = changed(own.hand, [kind])
        return cost(rest, own.melds, own.kan), links(rest, kind), kind

    return f"discard {TOKENS[min((kind for kind in range(KINDS) if own.hand[kind]), key=rank)]}"


def links(rest: Hand, kind: int) -> int:
    """The kinds in hand that make two of a group with a card; its own counts more than all others."""

    def rest_of(group: Group) -> list[int]:
        cards = list(group)
        cards.remove(kind)
        return cards

    linked = {other for group in CHI_GROUPS if kind in group for other in rest_of(group)}
    return sum(rest[other] > 0 for other in linked) + 8 * (rest[kind] > 0)


# ---- the compiled policy


def play_compiled(agents: list[str], first: int, deals: int, log_rows: int = 0) -> tuple[np.ndarray, ...]:
    """Play deals of one run; return their ends, the log, and the number of decisions of each."""
    states, decisions = paohuzi.new_states(deals), np.empty(deals, np.int64)
    log = np.zeros(log_rows, play.DECISION).view(np.recarray)
    seeds = np.arange(first, first + deals).astype(np.uint64)
    policies = np.array([registry.agent("paohuzi", spec).policy for spec in agents])
    dealers = np.arange(deals) % SEATS
    loops = registry.compiled("paohuzi")
    assert loops.play_deals(states, seeds, dealers, policies, distance_tables(), log, decisions) == deals
    return states, log, decisions


def words_as_described(agents: list[str], first: int, deals: int) -> Counter[str]:
    """Compare each decision of the greedy seats of these deals; return what they did."""
    rows = max(deals, 4) * paohuzi.MAX_DECISIONS
    states, log, decisions = play_compiled(agents, first, deals, rows)
    seen: Counter[str] = Counter()
    at = 0
    for state, count in zip(states, decisions, strict=True):
        deal = Deal(int(state.dealer), [TOKENS[kind] for kind in state.deck])
        for row in log[at : at + count]:
            word = paohuzi.action_name(row.action, row.card)
            assert row.seat == deal.seat
            if agents[row.seat] == "greedy":
                assert word == reference(deal), deal.decisions
                seen[word.split()[0]] += 1
            deal.apply(word)
        assert deal.seat is None
        at += count
    return seen


@pytest.mark.nojit
def test_plays_one_deal_as_described() -> None:
    assert set(words_as_described(["greedy"] * SEATS, 3, 1)) >= {"discard", "pass"}


@pytest.mark.parametrize(
    ("agents", "first"),
    [
        (["greedy"] * SEATS, 100),
        (["greedy", "greedy", "random"], 200),
        (["random", "greedy", "random"], 300),
        (["greedy", "random", "random"], 400),
    ],
)
def test_plays_as_described(agents: list[str], first: int) -> None:
    """Identical decisions, tie-breaks included, over whole deals."""
    seen = words_as_described(agents, first, 24)
    assert set(seen) == {"discard", "peng", "pao", "chi", "pass", "win"}


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
    assert (states["winner"] == seat).mean() > 0.3
    return mine


# ---- hidden cards


def test_does_not_look_at_hidden_cards() -> None:
    """Other hands, the stock and what others refused may be any: the choice stays."""
    rng = np.random.default_rng(4)
    state, deck = paohuzi.new_states(1)[0], np.arange(KINDS * paohuzi.COPIES) // paohuzi.COPIES
    advance, tables = registry.compiled("paohuzi").advance, distance_tables()
    chosen = Counter[str]()
    for deal in range(150):
        paohuzi.reset(state, deal % SEATS, rng.permutation(deck).astype(np.int8))
        while any(words := advance(state)):
            low, high = words
            action = choose_greedy(state, low, high, tables)
            for _ in range(4):
                assert choose_greedy(scrambled(state, rng), low, high, tables) == action
            chosen[paohuzi.action_name(action, state.card).split()[0]] += 1
            paohuzi.apply(state, action)
    assert set(chosen) == {"discard", "peng", "pao", "chi", "pass", "win"}
