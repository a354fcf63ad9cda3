"""Randomness: 64-bit streams, shuffled decks and the seed of each deal.

A stream is a uint64[4] array, the state of xoshiro256++ (Blackman and Vigna, 2019), filled from a seed by
splitmix64. Every constant is wrapped, since numba turns `uint64 op int64` into int64.
"""

import numpy as np

from ._jit import inline, jit, widen
from .bits import count, member

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_LOW = np.uint64(0xFFFFFFFF)
_U17, _U19, _U23, _U27, _U30, _U31, _U32, _U41, _U45 = (np.uint64(n) for n in (17, 19, 23, 27, 30, 31, 32, 41, 45))


@inline
def mix(word: np.uint64) -> np.uint64:
    """Return the splitmix64 output for the state `word`."""
    z = word + _GOLDEN
    z = (z ^ (z >> _U30)) * _MIX_1
    z = (z ^ (z >> _U27)) * _MIX_2
    return z ^ (z >> _U31)


@jit
def deal_seed(master: np.uint64, index: np.uint64) -> np.uint64:
    """Return the seed of deal `index` of a run, so that any part of a run can be remade; no two of a run are equal."""
    return mix(mix(master) + index * _GOLDEN)


@jit
def deal_seeds(master: np.uint64, first: int, out: np.ndarray) -> None:
    """Write the seeds of the deals first, first + 1, ... of a run: overwrites uint64[n]."""
    for i in range(len(out)):
        out[i] = deal_seed(master, np.uint64(first + i))


@jit
def seed_stream(stream: np.ndarray, seed: np.uint64) -> None:
    """Start a stream: overwrites uint64[4]."""
    for i in range(4):
        stream[i] = mix(seed)
        seed += _GOLDEN


@inline
def _step(a: np.uint64, b: np.uint64, c: np.uint64, d: np.uint64) -> tuple[np.uint64, ...]:
    """One step of xoshiro256++: the random word and the next four words of state."""
    total = a + d
    word = ((total << _U23) | (total >> _U41)) + a
    t = b << _U17
    c ^= a
    d ^= b
    return word, a ^ d, b ^ c, c ^ t, (d << _U45) | (d >> _U19)


@inline
def next_word(stream: np.ndarray) -> np.uint64:
    """Return 64 random bits and advance the stream."""
    word, stream[0], stream[1], stream[2], stream[3] = _step(stream[0], stream[1], stream[2], stream[3])
    return word


@inline
def _scale(word: np.uint64, n: int) -> int:
    """Map 32 random bits to 0..n-1; each result is likelier than another by at most n / 2**32."""
    return widen((word * np.uint64(n)) >> _U32)


@inline
def below(stream: np.ndarray, n: int) -> int:
    """Return a random integer in 0..n-1 (n < 2**31) and advance the stream."""
    return _scale(next_word(stream) >> _U32, n)


@inline
def pick(low: int, high: int, first_high: int, stream: np.ndarray) -> int:
    """Return a random one of the actions in two sets (protocol.py), each equally likely, and advance the stream."""
    n_low = count(low)
    n = below(stream, n_low + count(high))
    return member(low, n) if n < n_low else first_high + member(high, n - n_low)


@jit
def shuffle(stream: np.ndarray, deck: np.ndarray) -> None:
    """Fisher-Yates shuffle of an int8 array of even length, in place; two cards from each random word."""
    a, b, c, d = stream[0], stream[1], stream[2], stream[3]
    for i in range(len(deck) - 1, 0, -2):
        word, a, b, c, d = _step(a, b, c, d)
        j = _scale(word >> _U32, i + 1)
        deck[i], deck[j] = deck[j], deck[i]
        j = _scale(word & _LOW, i)
        deck[i - 1], deck[j] = deck[j], deck[i - 1]
    stream[0], stream[1], stream[2], stream[3] = a, b, c, d


@jit
def fill_deck(deck: np.ndarray, copies: int) -> None:
    """Lay out the cards in kind order, `copies` of each; overwrites int8[kinds * copies]."""
    for i in range(len(deck)):
        deck[i] = i // copies
