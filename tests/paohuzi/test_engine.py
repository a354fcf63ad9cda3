"""Whole random deals: the compiled engine and the slow one agree in every decision and in the end (P1-P9)."""

import random
from collections import Counter

import pytest

from decks_paohuzi import DECKS, MakeDeck
from longcards_env.paohuzi.rules import Source
from longcards_env.paohuzi.state import Phase
from naive_paohuzi import TOKENS, Meld, four_groups, meld_huxi, sort_huxi
from table_paohuzi import Table

SEATS = 3
DEALS = 120  # of each sort of deck
FIRST_OF_STOCK = 61

# How likely a seat passes where it may. The eager let half of the wins pass, so that their deals go on.
PASSING = {"any": None, "shy": 0.85, "eager": 0.08}
STYLES = list(PASSING)


# ---- play


def chosen(rng: random.Random, legal: list[str], style: str) -> str:
    """A legal word: passing as often as the style does, else any of the others."""
    passing = PASSING[style]
    if passing is None or "pass" not in legal:
        return rng.choice(legal)
    others = [word for word in legal if word != "pass"]
    if style == "eager" and others == ["win"]:
        passing = 0.5
    return "pass" if rng.random() < passing else rng.choice(others)


def events(table: Table) -> set[str]:
    """What there is to see at a decision, or at the end of a deal."""
    state, legal = table.state, table.legal
    own, dead, owed = state.seat == state.actor, state.dead.any(), state.owed.any()
    seen = {
        Phase(state.phase).name: True,
        "dead": dead,
        "dead dealer": state.dead[state.dealer] and state.front <= FIRST_OF_STOCK + 1,
        "owed": owed,
        "waived": owed and not table.judge.discards and state.front > FIRST_OF_STOCK,
        "pao of an own reveal": "pao" in legal and state.revealed and own,
        "pao of another's reveal": "pao" in legal and state.revealed and not own,
        "pao of a discard": "pao" in legal and not state.revealed,
        "pao of a dead seat": "pao" in legal and state.dead[state.seat],
        "peng of a reveal": "peng" in legal and state.revealed,
        "peng of a discard": "peng" in legal and not state.revealed,
        "chi of a reveal": state.phase == Phase.CLAIM_CHI and state.revealed,
        "chi of a discard": state.phase == Phase.CLAIM_CHI and not state.revealed,
        "bi": any("+" in word for word in legal),
        "bi of three": any(word.count("+") == 2 for word in legal),
        "refused": state.refused != 0,
        "two four-groups": (state.fours >= 2).any(),
        Source(state.source).name: not legal and state.winner >= 0,
        "draw": not legal and state.winner < 0,
    }
    return {name for name, there in seen.items() if there}


def assert_tables_agree(table: Table) -> None:
    """What lies on the table, which the decisions alone do not show at once."""
    state, judge = table.state, table.judge
    for seat in range(SEATS):
        judged = judge.seats[(seat + judge.dealer) % SEATS]
        assert sorted(table.melds(seat)) == sorted(map(meld_word, judged.melds)), judge.decisions
        assert table.fours(seat) == four_groups(judged.melds)
        kan_huxi = sum(sort_huxi("kan", kind) for kind in judged.kan)
        assert table.huxi(seat) == kan_huxi + sum(map(meld_huxi, judged.melds))
    dead_cards = [f"{(giver - judge.dealer) % SEATS} {TOKENS[kind]}" for giver, kind in judge.untaken]
    assert [card.rstrip("*") for card in table.river] == dead_cards
    assert table.stock == [TOKENS[kind] for kind in judge.stock]
    if judge.table is not None:
        assert (state.card, state.actor, bool(state.revealed)) == (judge.table, judge.giver, judge.revealed)


def meld_word(meld: Meld) -> str:
    sort, what = meld
    return f"{sort} {''.join(TOKENS[kind] for kind in (what if isinstance(what, tuple) else (what,)))}"


def play(deals: int, make: MakeDeck, seed: int) -> Counter[str]:
    """Play deals, seats of one style or of any; every step is compared. Return what was seen how often."""
    rng, seen = random.Random(seed), Counter[str]()
    for deal in range(deals):
        styles = rng.choices(STYLES, k=SEATS) if deal % 4 == 3 else [STYLES[deal % 4]] * SEATS
        table = Table(make(rng), dealer=deal % SEATS)
        assert_tables_agree(table)
        seen.update(events(table))
        while (seat := table.seat) is not None:
            word = chosen(rng, table.legal, styles[seat])
            table.play(word)
            assert_tables_agree(table)
            seen.update({*events(table), word.split()[0]})
    return seen


# What each sort of deck must show; together all that a deal can.
EVERY_DECK = ["DISCARD", "CLAIM_WIN", "CLAIM_MELD", "CLAIM_CHI", "OVER", "draw", "refused", "two four-groups"]
EVERY_DECK += ["discard", "win", "pass", "pao", "peng", "chi", "bi", "OTHER_REVEAL", "pao of a discard"]
EVERY_DECK += ["pao of an own reveal", "pao of another's reveal", "peng of a reveal", "peng of a discard"]
EVERY_DECK += ["chi of a reveal", "chi of a discard"]
SHOWN = {
    "shuffled": ["bi of three", "OWN_REVEAL"],
    "pairs": ["bi of three", "OWN_REVEAL", "OWN_WIN", "owed", "waived"],
    "some triples": ["HEAVENLY", "OWN_REVEAL", "owed", "waived"],
    "triples": ["HEAVENLY", "OWN_REVEAL", "owed", "waived"],
    "some quads": ["HEAVENLY", "OWN_REVEAL", "owed", "waived"],
    "quads": ["HEAVENLY", "owed", "waived"],
    "groups": ["bi of three", "OWN_REVEAL", "OWN_WIN", "owed"],
    "groups and triples": ["HEAVENLY", "OWN_REVEAL", "OWN_WIN", "owed", "waived"],
    "six kan": ["HEAVENLY", "OWN_REVEAL", "OWN_WIN", "dead", "pao of a dead seat"],
    "seven kan": ["HEAVENLY", "dead", "dead dealer", "pao of a dead seat"],
}


@pytest.mark.parametrize("deck", DECKS)
def test_random_deals(deck: str) -> None:
    seen = play(DEALS, DECKS[deck], seed=DEALS)
    assert {name for name in EVERY_DECK + SHOWN[deck] if not seen[name]} == set()


@pytest.mark.nojit
@pytest.mark.parametrize("deck", DECKS)
def test_some_deals(deck: str) -> None:
    assert play(4, DECKS[deck], seed=1)["OVER"] == 4


def test_all_phases_and_sources_are_shown() -> None:
    names = {name for deck in DECKS for name in EVERY_DECK + SHOWN[deck]}
    assert names >= {phase.name for phase in Phase} | {source.name for source in Source if source}
