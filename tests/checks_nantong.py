"""States of Nantong Long Cards: where each card is, and what the derived fields derive from."""

import numpy as np

from checks import Checks, copies_of
from longcards_env import nantong
from longcards_env.nantong import hands
from longcards_env.nantong.rules import Meld, Source
from longcards_env.nantong.state import Phase
from longcards_env.seats import NUM_SEATS as SEATS

MELD_SIZE = np.array([3, 4, 4, 4, 3, 4])  # in the order of Meld


def bits(sets: np.ndarray) -> np.ndarray:
    """Sets of kinds [...] as 0 and 1 [..., 30]."""
    return sets[..., None] >> np.arange(nantong.NUM_KINDS) & 1


def tally(kinds: np.ndarray, valid: np.ndarray) -> np.ndarray:
    """Copies [n, 30] of each kind among kinds[n, m], where valid."""
    return copies_of(kinds, valid, nantong.NUM_KINDS)


def in_hands(states: np.ndarray) -> np.ndarray:
    """Copies [n, 3, 30] in hand."""
    return bits(states["held"]).sum(axis=2)


def shown(states: np.ndarray) -> np.ndarray:
    """Copies [n, 30] face up: melds, hezi, river, indicators, the card of a kong being robbed."""
    copies = (bits(states["melds"]) * MELD_SIZE[:, None]).sum(axis=(1, 2))
    copies += 2 * bits(states["hezi"]).sum(axis=1)
    places = np.arange(states["river"].shape[1])
    copies += tally(states["river"] & 31, places < states["river_size"][:, None])
    copies += tally(states["indicators"], np.ones((len(states), 2), bool))
    return copies + tally(states["card"][:, None], (states["phase"] == Phase.ROB)[:, None])


def cards(states: np.ndarray) -> np.ndarray:
    places = np.arange(nantong.NUM_CARDS)
    in_stock = (places >= states["front"][:, None]) & (places < states["back"][:, None])
    return in_hands(states).sum(axis=1) + shown(states) + tally(states["deck"], in_stock)


def is_over(states: np.ndarray) -> np.ndarray:
    return states["phase"] == Phase.OVER


def derived(states: np.ndarray) -> None:
    held, melds = states["held"], bits(states["melds"]).sum(axis=3)
    assert (held[:, :, 1:] & ~held[:, :, :-1] == 0).all()
    assert (states["shown"] == shown(states)).all()
    assert (states["num_melds"] == melds.sum(axis=2)).all()
    assert (states["exact"] == np.bitwise_or.reduce(1 << states["indicators"], axis=1)).all()
    claimed = melds[:, :, [Meld.PONG, Meld.EXPOSED_KONG, Meld.ADDED_KONG]].sum(axis=(1, 2))
    assert (states["discards"] == states["river_size"] + claimed + (states["source"] == Source.DISCARD)).all()
    assert (states["river"][np.arange(states["river"].shape[1]) >= states["river_size"][:, None]] == 0).all()
    kongs = melds[:, :, [Meld.EXPOSED_KONG, Meld.ADDED_KONG, Meld.CONCEALED_KONG, Meld.OPENING_QUAD]]
    replaced = kongs.sum(axis=(1, 2)) + 2 * bits(states["hezi"]).sum(axis=(1, 2))
    assert (nantong.NUM_CARDS - states["back"] == replaced).all()
    openable(states)
    waits(states[::5])


def openable(states: np.ndarray) -> None:
    """Dealt quads, dealt triples of an indicator and dealt pairs of a doubled one, not yet opened or laid aside."""
    seats = (np.arange(SEATS)[None] - states["dealer"][:, None]) % SEATS
    first, end = np.array([0, 23, 45])[seats], np.array([23, 45, 67])[seats]
    opened = states["melds"][:, :, Meld.OPENING_TRIPLE] | states["melds"][:, :, Meld.OPENING_QUAD] | states["hezi"]
    doubled = (states["indicators"][:, 0] == states["indicators"][:, 1])[:, None]
    for seat in range(SEATS):
        places = np.arange(nantong.NUM_CARDS)
        dealt = tally(states["deck"], (places >= first[:, [seat]]) & (places < end[:, [seat]]))
        openable = (dealt == 4) | (dealt == np.where(doubled, 2, 3)) & (bits(states["exact"]) == 1)
        assert (bits(states["openable"][:, seat] | opened[:, seat]) == openable).all()
        assert (states["openable"][:, seat] & opened[:, seat] == 0).all()


def waits(states: np.ndarray) -> None:
    """`waits` of each hand at rest, and `can_win` of each that is not."""
    counts, melds = in_hands(states), states["num_melds"]
    owed = 22 - 3 * melds
    at_rest = (counts.sum(axis=2) == owed) & settled(states)
    wins = wins_with_each(counts[at_rest], melds[at_rest])
    assert (bits(states["waits"][at_rest]) == wins).all()
    turn = states["phase"] == Phase.TURN
    seats = states["seat"][turn]
    rows = np.arange(len(seats))
    assert (counts[turn].sum(axis=2)[rows, seats] == owed[turn][rows, seats] + 1).all()
    can_win = hands.wins(counts[turn][rows, seats], melds[turn][rows, seats])
    assert (states["can_win"][turn] == can_win).all()


def settled(states: np.ndarray) -> np.ndarray:
    """bool[n, 3]: seats that have prepared or are preparing, the dealer aside, or after its first turn all.

    A konger whose card is robbed, or may be, is in the middle of its turn.
    """
    seats = np.arange(SEATS)[None]
    order = (seats - states["dealer"][:, None]) % SEATS
    preparing = (states["phase"] == Phase.PREPARE)[:, None]
    began = (order > 0) & (order <= (states["seat"] - states["dealer"])[:, None] % SEATS)
    robbed = (states["phase"] == Phase.ROB) | (states["source"] == Source.ROBBED_KONG)
    return np.where(preparing, began, ~(robbed[:, None] & (seats == states["actor"][:, None])))


def wins_with_each(counts: np.ndarray, melds: np.ndarray) -> np.ndarray:
    """int[n, 30]: whether each kind completes the hand, which holds fewer than four of it."""
    cases, back = np.unique(np.c_[counts, melds], axis=0, return_inverse=True)
    more = np.repeat(cases[:, None, :-1], nantong.NUM_KINDS, axis=1) + np.eye(nantong.NUM_KINDS, dtype=np.int64)
    possible = more.max(axis=2) <= nantong.COPIES
    wins = np.zeros(possible.shape, np.int64)
    wins[possible] = hands.wins(more[possible], np.repeat(cases[:, -1:], nantong.NUM_KINDS, axis=1)[possible])
    return wins[back.ravel()]


CHECKS = Checks(cards, is_over, derived)
