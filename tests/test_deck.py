"""Streams, decks and seeds: against published generators and by statistics, all from fixed seeds."""

from collections.abc import Iterable, Iterator

import numpy as np
import pytest
from scipy.stats import chi2, chisquare

from longcards_env.deck import below, deal_seed, deal_seeds, fill_deck, next_word, seed_stream, shuffle

WORD = 2**64
GOLDEN_RATIO = 0x9E3779B97F4A7C15
KINDS, COPIES, CARDS = 30, 4, 120
LEAST_P = 1e-4  # seeds are fixed, so these tests pass or fail for good
DECKS = 100_000

# The outputs of splitmix64.c (Vigna, 2015) from these states.
SPLITMIX = {
    0: [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC],
    1234567: [0x599ED017FB08FC85, 0x2C73F08458540FA5, 0x883EBCE5A3F27C77, 0x3FBEF740E9177B3F],
}
# The outputs of xoshiro256plusplus.c (Blackman and Vigna, 2019) from the state 1, 2, 3, 4.
XOSHIRO = [41943041, 58720359, 3588806011781223, 3591011842654386, 9228616714210784205, 9973669472204895162]


# ---- the two generators, written out in Python


def splitmix(seed: int) -> Iterator[int]:
    while True:
        seed = (seed + GOLDEN_RATIO) % WORD
        z = seed
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % WORD
        z = (z ^ z >> 27) * 0x94D049BB133111EB % WORD
        yield z ^ z >> 31


def rotated(word: int, by: int) -> int:
    return (word << by | word >> 64 - by) % WORD


def xoshiro(state: list[int]) -> Iterator[int]:
    a, b, c, d = state
    while True:
        yield (rotated((a + d) % WORD, 23) + a) % WORD
        t = b << 17 & WORD - 1
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= t
        d = rotated(d, 45)


def shuffled(seed: int) -> list[int]:
    """The deck of a seed: Fisher-Yates from the last card down, two cards a word, the high half first."""
    seeds = splitmix(seed)
    words = xoshiro([next(seeds) for _ in range(4)])
    deck = [card // COPIES for card in range(CARDS)]
    for i in range(CARDS - 1, 0, -2):
        word = next(words)
        for at, half in ((i, word >> 32), (i - 1, word % 2**32)):
            j = half * (at + 1) >> 32
            deck[at], deck[j] = deck[j], deck[at]
    return deck


def stream_of(*words: int) -> np.ndarray:
    return np.array(words, np.uint64)


def deck_of(seed: int) -> np.ndarray:
    stream, deck = np.empty(4, np.uint64), np.empty(CARDS, np.int8)
    seed_stream(stream, np.uint64(seed))
    fill_deck(deck, COPIES)
    shuffle(stream, deck)
    return deck


@pytest.fixture(scope="module")
def decks() -> np.ndarray:
    """The decks int8[DECKS, 120] of one run."""
    seeds = np.empty(DECKS, np.uint64)
    deal_seeds(np.uint64(20), 0, seeds)
    return np.array([deck_of(seed) for seed in seeds.tolist()])


# ---- streams


@pytest.mark.nojit
@pytest.mark.parametrize("seed", SPLITMIX)
def test_streams_start_from_splitmix(seed: int) -> None:
    stream = np.empty(4, np.uint64)
    seed_stream(stream, np.uint64(seed))
    assert stream.tolist() == SPLITMIX[seed]
    words = splitmix(seed)
    assert [next(words) for _ in range(4)] == SPLITMIX[seed]


@pytest.mark.nojit
def test_stream_is_xoshiro() -> None:
    stream, words = stream_of(1, 2, 3, 4), xoshiro([1, 2, 3, 4])
    assert [int(next_word(stream)) for _ in XOSHIRO] == XOSHIRO
    assert [next(words) for _ in XOSHIRO] == XOSHIRO


@pytest.mark.nojit
@pytest.mark.parametrize("seed", [0, 1, 2**63, WORD - 1, 0xD1B54A32D192ED03])
def test_words_and_decks_are_those_of_the_reference(seed: int) -> None:
    """Any machine, compiled or not, deals the same."""
    stream = np.empty(4, np.uint64)
    seed_stream(stream, np.uint64(seed))
    words = xoshiro(stream.tolist())
    assert [int(next_word(stream)) for _ in range(200)] == [next(words) for _ in range(200)]
    assert deck_of(seed).tolist() == shuffled(seed)


@pytest.mark.nojit
@pytest.mark.parametrize("n", [1, 2, 3, 97, 120, 2**31 - 1])
def test_below_stays_below(n: int) -> None:
    """With the least and the greatest word too: a first state word of 0 gives the fourth one, rotated."""
    assert below(stream_of(0, 1, 1, 0), n) == 0
    assert below(stream_of(0, 1, 1, WORD - 1), n) == n - 1
    stream = stream_of(1, 2, 3, 4)
    drawn = [below(stream, n) for _ in range(1000)]
    assert min(drawn) >= 0
    assert max(drawn) < n


@pytest.mark.parametrize("n", [2, 3, 7, 97])
def test_below_is_uniform(n: int) -> None:
    stream = stream_of(5, 6, 7, 8)
    for _ in range(20):
        next_word(stream)
    drawn = [below(stream, n) for _ in range(100_000)]
    assert LEAST_P < chisquare(np.bincount(drawn, minlength=n)).pvalue < 1 - LEAST_P


# ---- decks


def test_decks_are_distinct_and_whole(decks: np.ndarray) -> None:
    assert len(np.unique(decks, axis=0)) == DECKS
    assert (np.sort(decks, axis=1) == np.arange(CARDS) // COPIES).all()


def test_every_kind_is_as_likely_at_every_place(decks: np.ndarray) -> None:
    """Pearson's statistic over places and kinds.

    Every deck holds four of each kind, so the counts of a row and of a column are fixed: they spread by 120/119
    more than those of a table with (120 - 1) * (30 - 1) degrees of freedom.
    """
    counts = np.array([np.bincount(place, minlength=KINDS) for place in decks.T])
    expected = DECKS / KINDS
    statistic = ((counts - expected) ** 2 / expected).sum() * (CARDS - 1) / CARDS
    assert LEAST_P < chi2.sf(statistic, (CARDS - 1) * (KINDS - 1)) < 1 - LEAST_P


@pytest.mark.parametrize(("place", "other"), [(0, 1), (22, 23), (67, 68), (68, 69), (69, 119), (118, 119)])
def test_neighbours_are_independent(decks: np.ndarray, place: int, other: int) -> None:
    """Pairs of kinds at two places: an equal pair has probability 1/30 * 3/119, another 1/30 * 4/119."""
    pairs = np.bincount(decks[:, place] * np.int64(KINDS) + decks[:, other], minlength=KINDS**2)
    chance = np.full((KINDS, KINDS), 4.0) - np.eye(KINDS)
    assert LEAST_P < chisquare(pairs, DECKS * chance.ravel() / KINDS / (CARDS - 1)).pvalue < 1 - LEAST_P


@pytest.mark.parametrize("place", [0, 69, 119])
def test_successive_decks_are_independent(decks: np.ndarray, place: int) -> None:
    """The kind at a place of each deck of a run and of the next deck."""
    kinds = decks[:, place].astype(np.int64)
    pairs = np.bincount(kinds[:-1:2] * KINDS + kinds[1::2], minlength=KINDS**2)
    assert LEAST_P < chisquare(pairs).pvalue < 1 - LEAST_P


# ---- seeds of deals


def seeds_of(master: int, first: int, count: int) -> np.ndarray:
    out = np.empty(count, np.uint64)
    deal_seeds(np.uint64(master), first, out)
    return out


def test_seeds_are_distinct() -> None:
    """Of a million pairs of master and index, among them neighbours and masters of one bit."""
    masters = [*range(946), *(1 << bit for bit in range(10, 64))]
    assert len(distinct_seeds(masters)) == 1_000_000


def test_seeds_of_the_highest_masters_are_distinct() -> None:
    assert len(distinct_seeds(range(WORD - 1000, WORD))) == 1_000_000


def distinct_seeds(masters: Iterable[int]) -> np.ndarray:
    """The distinct ones among the seeds of the first thousand deals of each master."""
    return np.unique(np.concatenate([seeds_of(master, 0, 1000) for master in masters]))


def test_seeds_of_a_long_run_are_distinct() -> None:
    assert len(np.unique(seeds_of(0, 0, 1_000_000))) == 1_000_000


@pytest.mark.nojit
def test_any_part_of_a_run_can_be_made_again() -> None:
    whole = seeds_of(7, 0, 100)
    assert (seeds_of(7, 40, 30) == whole[40:70]).all()
    assert [int(deal_seed(np.uint64(7), np.uint64(i))) for i in range(100)] == whole.tolist()


@pytest.mark.nojit
def test_masters_give_different_deals() -> None:
    decks = [deck_of(seed).tolist() for master in range(10) for seed in seeds_of(master, 0, 3).tolist()]
    assert len({tuple(deck) for deck in decks}) == 30


def test_every_bit_of_a_seed_depends_on_every_bit_of_master_and_index() -> None:
    """Flipping one input bit flips each output bit about half the time."""
    rng = np.random.default_rng(3)
    pairs = rng.integers(0, WORD - 1, (400, 2), np.uint64, endpoint=True)
    for argument in range(2):
        for bit in range(64):
            flipped = pairs.copy()
            flipped[:, argument] ^= np.uint64(1) << np.uint64(bit)
            changed = [
                int(deal_seed(*pair)) ^ int(deal_seed(*other)) for pair, other in zip(pairs, flipped, strict=True)
            ]
            share = sum(map(int.bit_count, changed)) / len(changed)
            assert 31 < share < 33
