"""The columns that only deals of Paohuzi have, and where they stand in the state."""

import numpy as np
import pyarrow as pa

from experiments.columns import NULL, Column, GameColumns, per_seat
from longcards_env.names import names_of
from longcards_env.paohuzi import TOKENS
from longcards_env.paohuzi.cards import NUM_CARDS
from longcards_env.paohuzi.rules import STOCK, Source
from longcards_env.paohuzi.state import Outcome

_NOBODY_WON = "nobody won"


def _values(states: np.ndarray) -> dict[str, np.ndarray]:
    """Return the columns of the ends of n deals, STATE[n]; NULL stands for null."""
    won = states["winner"] >= 0

    def of_winner(field: str) -> np.ndarray:
        return np.where(won, states[field], NULL)

    columns = {
        "outcome": states["outcome"],
        "from_seat": states["from_seat"],
        "source": of_winner("source"),
        "winning_card": states["winning_card"],
        "n_draws": states["front"] - STOCK,
        "stock_left": NUM_CARDS - states["front"],
        "huxi": of_winner("won_huxi"),
        "tun": of_winner("tun"),
        "heavenly": states["source"] == Source.HEAVENLY,
    }
    for seat in range(3):
        columns |= {f"{name}_{seat}": states[field][:, seat] for name, field in _PER_SEAT.items()}
        columns[f"dead_{seat}"] = states["dead"][:, seat] != 0
    return columns


_PER_SEAT = {"laid_huxi": "huxi", "fours": "fours", "chis": "num_chis"}

COLUMNS = GameColumns(
    columns=[
        Column("huxi", pa.int16(), "the winner's huxi, at least 15 (P7.1)", _NOBODY_WON),
        Column("tun", pa.int8(), "what each opponent pays (P8.1)", _NOBODY_WON),
        Column("heavenly", pa.bool_(), "won with the dealt ti and kan (P3.1)"),
        *per_seat("laid_huxi", pa.int16(), "huxi of its melds, chis and kan at the end (P2), a winning card apart"),
        *per_seat("fours", pa.int8(), "four-groups (P2.3)"),
        *per_seat("chis", pa.int8(), "groups laid out by chi, bi included (P5)"),
        *per_seat("dead", pa.bool_(), "was dead at the end (P4.7)"),
    ],
    values=_values,
    words={"outcome": names_of(Outcome), "source": names_of(Source), "winning_card": TOKENS},
)
