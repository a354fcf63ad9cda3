"""What a run's deals say of its agents, read from the table of deals one shard at a time."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from scipy.special import stdtrit

from experiments.columns import NULL
from longcards_env.seats import NUM_SEATS

_COLUMNS = ["winner", "from_seat", *(f"points_{seat}" for seat in range(NUM_SEATS))]
_CONFIDENCE = 0.95


@dataclass(frozen=True)
class SeatSummary:
    """One seat over all deals; rates are shares of all deals."""

    points_per_deal: float
    ci95: tuple[float, float] | None  # of the points per deal; None for a single deal
    win_rate: float
    self_draw_rate: float  # wins by a card that came from no other seat
    deal_in_rate: float  # another seat won by this seat's card


@dataclass(frozen=True)
class Summary:
    """A run's deals."""

    deals: int
    seats: list[SeatSummary]
    draw_rate: float  # deals that nobody won


def summarize(files: Iterable[Path]) -> Summary:
    """Return the summary of the deals in these Parquet files; memory does not grow with their number."""
    deals = draws = 0
    counts = np.zeros((NUM_SEATS, 3), np.int64)  # wins, self-draws, deal-ins
    sums = np.zeros((NUM_SEATS, 2), np.int64)  # of points and of their squares
    for file in files:
        with open(file, "rb") as opened:  # pyarrow refuses names that are not UTF-8
            table = pq.read_table(opened, columns=_COLUMNS)
        winner, source = (table[name].fill_null(NULL).to_numpy() for name in ("winner", "from_seat"))
        deals += len(table)
        draws += int((winner == NULL).sum())
        for seat in range(NUM_SEATS):
            points = table[f"points_{seat}"].to_numpy().astype(np.int64)
            won = winner == seat
            counts[seat] += won.sum(), (won & (source == NULL)).sum(), (source == seat).sum()
            sums[seat] += points.sum(), points @ points
    seats = [_seat(deals, *map(int, (*counts[seat], *sums[seat]))) for seat in range(NUM_SEATS)]
    return Summary(deals, seats, draws / deals)


def _seat(deals: int, wins: int, drawn: int, deal_ins: int, total: int, squares: int) -> SeatSummary:
    mean = total / deals
    interval = None
    if deals > 1:
        variance = (squares - total * mean) / (deals - 1)
        half = float(stdtrit(deals - 1, (1 + _CONFIDENCE) / 2)) * math.sqrt(max(variance, 0.0) / deals)
        interval = (mean - half, mean + half)
    return SeatSummary(mean, interval, wins / deals, drawn / deals, deal_ins / deals)
