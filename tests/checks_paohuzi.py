"""States of Paohuzi: where each card is, and what the derived fields derive from."""

import numpy as np

from checks import Checks, copies_of
from longcards_env import paohuzi
from longcards_env.paohuzi.groups import GROUPS_OF_THREE, huxi_of
from longcards_env.paohuzi.rules import GROUPS, LEAST_HUXI, Meld, Source
from longcards_env.paohuzi.state import Phase
from longcards_env.seats import NUM_SEATS as SEATS

KINDS = paohuzi.NUM_KINDS
MELD_SIZE = np.array([4, 4, 3, 3])  # in the order of Meld
MELD_HUXI = {Meld.TI: (9, 12), Meld.PAO: (6, 9), Meld.WEI: (3, 6), Meld.PENG: (1, 3)}  # small, big
KAN_HUXI = (3, 6)
ON_TABLE = (Phase.CLAIM_WIN, Phase.CLAIM_MELD, Phase.CLAIM_CHI)
GROUP_CARDS = np.array([np.bincount(group, minlength=KINDS) for group in GROUPS_OF_THREE])
GROUP_HUXI = np.array([huxi_of(group) for group in GROUPS_OF_THREE])


def bits(sets: np.ndarray) -> np.ndarray:
    """Sets of kinds [...] as 0 and 1 [..., 20]."""
    return sets[..., None] >> np.arange(KINDS) & 1


def by_size(values: tuple[int, int]) -> np.ndarray:
    """A number for each kind from those of small and big."""
    return np.repeat(values, KINDS // 2)


def in_hands(states: np.ndarray) -> np.ndarray:
    """Copies [n, 3, 20] in hand."""
    return bits(states["once"]) + bits(states["twice"]) + 3 * bits(states["kan"])


def chis(states: np.ndarray) -> np.ndarray:
    """How many of each group of three each seat has chi'd, [n, 3, 38]."""
    numbers = np.arange(1, len(GROUPS_OF_THREE) + 1)
    counts: np.ndarray = (states["chis"][..., None] == numbers).sum(axis=2)
    return counts


def table_card(states: np.ndarray) -> np.ndarray:
    """bool[n]: whether the card lies on the table, taken by nobody yet."""
    won = (states["phase"] == Phase.OVER) & (states["revealed"] == 1) & (states["source"] != Source.NONE)
    return (states["card"] >= 0) & (np.isin(states["phase"], ON_TABLE) | won)


def shown(states: np.ndarray) -> np.ndarray:
    """Copies [n, 20] face up: melds, chis, dead cards, the card on the table."""
    copies = (bits(states["melds"]) * MELD_SIZE[:, None]).sum(axis=(1, 2))
    copies = copies + (chis(states) @ GROUP_CARDS).sum(axis=1)
    places = np.arange(states["river"].shape[1])
    copies += copies_of(states["river"] & 31, places < states["river_size"][:, None], KINDS)
    return copies + copies_of(states["card"][:, None], table_card(states)[:, None], KINDS)


def cards(states: np.ndarray) -> np.ndarray:
    in_stock = np.arange(paohuzi.NUM_CARDS) >= states["front"][:, None]
    return in_hands(states).sum(axis=1) + shown(states) + copies_of(states["deck"], in_stock, KINDS)


def is_over(states: np.ndarray) -> np.ndarray:
    return states["phase"] == Phase.OVER


def derived(states: np.ndarray) -> None:
    melds, kan = bits(states["melds"]), bits(states["kan"])
    assert (states["twice"] & ~states["once"] == 0).all()
    assert (states["once"] & states["kan"] == 0).all()
    assert (states["shown"] == shown(states)).all()
    assert (states["num_chis"] == (states["chis"] > 0).sum(axis=2)).all()
    assert (states["num_groups"] == melds.sum(axis=(2, 3)) + kan.sum(axis=2) + states["num_chis"]).all()
    assert (states["num_groups"] <= GROUPS).all()
    assert (states["fours"] == melds[:, :, [Meld.TI, Meld.PAO]].sum(axis=(2, 3))).all()
    huxi = kan @ by_size(KAN_HUXI) + chis(states) @ GROUP_HUXI
    for sort, values in MELD_HUXI.items():
        huxi += melds[:, :, sort] @ by_size(values)
    assert (states["huxi"] == huxi).all()
    assert (states["river"][np.arange(states["river"].shape[1]) >= states["river_size"][:, None]] == 0).all()
    discards_are_locked(states)
    results(states[is_over(states)])


def discards_are_locked(states: np.ndarray) -> None:
    """P6.1: a dead discard is locked for who discarded it."""
    for place in range(states["river"].shape[1]):
        card = states["river"][:, place].astype(np.int64)
        discarded = (place < states["river_size"]) & (card >> 7 == 0)
        locked = states["locked"][np.arange(len(states)), card >> 5 & 3] >> (card & 31) & 1
        assert (locked[discarded] == 1).all()


def results(ends: np.ndarray) -> None:
    """P8.1, and who revealed the winning card."""
    won = ends["winner"] >= 0
    assert ((ends["won_huxi"] >= LEAST_HUXI) == won).all()
    tun = np.where(won, 1 + (ends["won_huxi"] - LEAST_HUXI) // 3, 0)
    assert (ends["tun"] == tun).all()
    for seat in range(SEATS):
        assert (ends["points"][:, seat] == np.where(ends["winner"] == seat, 2 * tun, -tun)).all()
    assert ((ends["from_seat"] >= 0) == (ends["source"] == Source.OTHER_REVEAL)).all()


CHECKS = Checks(cards, is_over, derived)
