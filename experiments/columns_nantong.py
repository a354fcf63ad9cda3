"""The columns that only deals of Nantong Long Cards have, and where they stand in the state."""

import numpy as np
import pyarrow as pa

from experiments.columns import NULL, WORD, Column, GameColumns, per_seat
from longcards_env.names import names_of
from longcards_env.nantong import TOKENS
from longcards_env.nantong.rules import STOCK, Meld, Shape, Source
from longcards_env.nantong.state import Outcome

_NOBODY_WON = "nobody won"


def _values(states: np.ndarray) -> dict[str, np.ndarray]:
    """Return the columns of the ends of n deals, STATE[n]; NULL stands for null."""
    won = states["winner"] >= 0

    def of_winner(field: str) -> np.ndarray:
        return np.where(won, states[field], NULL)

    opened = states["melds"][:, :, Meld.OPENING_TRIPLE] | states["melds"][:, :, Meld.OPENING_QUAD]
    columns = {
        "outcome": states["outcome"],
        "from_seat": states["from_seat"],
        "source": of_winner("source"),
        "winning_card": states["winning_card"],
        "n_draws": states["front"] - STOCK,
        "stock_left": states["back"] - states["front"],
        **{name: of_winner(name) for name in ("bonus", "multiplier", "wenqian", "final_wait")},
        "shape": of_winner("hand_shape"),
        "heavenly": states["source"] == Source.HEAVENLY,
    }
    fields = {"base": "base_hu", "ready": "ready", "hezi": "hezi", "total": "totals"}
    for seat in range(3):
        columns |= {f"{name}_{seat}": states[field][:, seat] for name, field in fields.items()}
        columns[f"hezi_{seat}"] = columns[f"hezi_{seat}"] != 0
        columns[f"opened_{seat}"] = opened[:, seat] != 0
    return columns


COLUMNS = GameColumns(
    columns=[
        *per_seat("base", pa.int16(), "base hu (N6.1-N6.4)"),
        Column("bonus", pa.int16(), "the winner's added hu (N6.5)", _NOBODY_WON),
        Column("multiplier", pa.int16(), "the winner's multiplier, a power of 2 (N6.6)", _NOBODY_WON),
        Column("shape", WORD, "shape of the winning hand (N6.5)", _NOBODY_WON),
        Column("wenqian", pa.int8(), "runs c1 c2 c3 in the winner's partition, 0..4 (N6.5)", _NOBODY_WON),
        Column("final_wait", pa.int8(), "1 = the winner had a final wait (N6.5), 0 = not", _NOBODY_WON),
        *per_seat("ready", pa.bool_(), "declared ready (N3.3)"),
        *per_seat("hezi", pa.bool_(), "laid aside Tiandi Hezi (N3.1)"),
        *per_seat("opened", pa.bool_(), "opened a triple or a quad (N3.1)"),
        Column("heavenly", pa.bool_(), "the dealer won with the dealt hand (N4.1)"),
        *per_seat("total", pa.int32(), "total hu, rounded up to tens (N6.10)"),
    ],
    values=_values,
    words={
        "outcome": names_of(Outcome),
        "source": names_of(Source),
        "shape": names_of(Shape),
        "winning_card": TOKENS,
    },
)
