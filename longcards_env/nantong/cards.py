"""The 30 kinds of Nantong Long Cards: tokens, suits, ranks, old generals (N1.1, N1.2)."""

import numpy as np

from ..pack import Pack

NUM_KINDS = 30  # N1.1
COPIES = 4
LOOSE = COPIES  # cards of one kind that a hand may hold without their being locked together
NUM_CARDS = NUM_KINDS * COPIES
NUM_SUITS = 4  # Myriads, Strings, Coins and, as a fourth suit without runs, the three honours
HONOURS = 3
SUIT_RANKS = (1 << 9) - 1  # all ranks of a suit, as a set

TOKENS = [suit + str(rank) for suit in "msc" for rank in range(1, 10)] + ["TH", "WF", "RF"]
KINDS = {token: kind for kind, token in enumerate(TOKENS)}
PACK = Pack(TOKENS, COPIES)

SUIT = np.arange(NUM_KINDS) // 9
RANK = np.arange(NUM_KINDS) % 9  # 0..8; of an honour 0..2
FIRST_KIND = np.array([0, 9, 18, 27])  # of each suit
END_KIND = np.array([9, 18, 27, 30])  # one past its last

OLD_GENERALS = sum(1 << KINDS[token] for token in ("TH", "WF", "RF", "s9"))  # N1.2, a set of kinds
ALL_KINDS = (1 << NUM_KINDS) - 1
