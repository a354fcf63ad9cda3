"""The 20 kinds of Paohuzi: tokens, sizes, ranks (P1.1)."""

import numpy as np

from ..pack import Pack

NUM_KINDS = 20  # P1.1
COPIES = 4
NUM_CARDS = NUM_KINDS * COPIES
NUM_SIZES = 2  # small and big
RANKS = 10
SIZE_RANKS = (1 << RANKS) - 1  # all ranks of a size, as a set

TOKENS = [size + str(rank) for size in "sb" for rank in range(1, RANKS + 1)]
KINDS = {token: kind for kind, token in enumerate(TOKENS)}

SIZE = np.arange(NUM_KINDS) // RANKS
RANK = np.arange(NUM_KINDS) % RANKS  # 0..9
LOOSE = 2  # loose cards of one kind, at most: three were dealt as a kan (P2.1)
IN_HAND = 3  # copies of a kind in a hand, at most: four were dealt as a ti (P2.2)
PACK = Pack(TOKENS, IN_HAND)
ALL_KINDS = (1 << NUM_KINDS) - 1
