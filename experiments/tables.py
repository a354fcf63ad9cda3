"""The tables of a run as Parquet: from arrays of deals and decisions to bytes, and back to pandas."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from experiments import columns
from experiments.columns import NULL, Column
from experiments.runs import Config
from longcards_env import GAMES, words
from longcards_env.seats import NUM_SEATS

if TYPE_CHECKING:
    import pandas as pd

Values = dict[str, np.ndarray]  # the values of a table by column; words by number

_DISTINCT = ("seed", "deal_index")  # a dictionary of their values would only add to the file


def deal_values(game: str, states: np.ndarray, seeds: np.ndarray, decisions: np.ndarray, first: int) -> Values:
    """Return the values of the ends of n deals in a row, copied and in the types of the columns.

    states: STATE[n]. seeds: uint64[n]. decisions: int64[n]. first: number of the first deal.
    """
    values = {
        "deal_index": first + np.arange(len(states)),
        "seed": seeds,
        "dealer": states["dealer"],
        "winner": states["winner"],
        "n_decisions": decisions,
        **columns.of_game(game).values(states),
        **{f"points_{seat}": states["points"][:, seat] for seat in range(NUM_SEATS)},
    }
    kinds = {each.name: _array_type(each) for each in columns.deals(game)}
    return {name: array.astype(kinds[name]) for name, array in values.items()}


def decision_values(game: str, log: np.ndarray, decisions: np.ndarray, first: int) -> Values:
    """Return the values of the logged decisions DECISION[m] of n deals in a row; decisions: int64[n]."""
    starts = np.cumsum(decisions) - decisions
    values = {
        "deal_index": np.repeat(first + np.arange(len(decisions)), decisions),
        "seq": np.arange(len(log)) - np.repeat(starts, decisions),
        **{name: log[name] for name in ("seat", "phase", "n_legal")},
        "action": words.of_game(GAMES[game]).of_action[log["card"], log["action"]],
    }
    kinds = {each.name: _array_type(each) for each in columns.DECISIONS}
    return {name: array.astype(kinds[name]) for name, array in values.items()}


def joined(parts: list[Values]) -> Values:
    """Return the values of all parts, one after the other."""
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def deals_table(config: Config, values: Values) -> pa.Table:
    """Return the table of deals; columns without values are null."""
    constants = {"run_id": config.run_id, "game": config.game}
    constants |= {f"agent_{seat}": agent for seat, agent in enumerate(config.agents)}
    named = {name: [word] for name, word in constants.items()} | columns.of_game(config.game).words
    zeros = np.zeros(len(values["deal_index"]), np.int8)
    return _table(columns.deals(config.game), "deals", values | dict.fromkeys(constants, zeros), named)


def decisions_table(game: str, values: Values) -> pa.Table:
    """Return the table of decisions; columns without values are null."""
    module = GAMES[game]
    return _table(
        columns.DECISIONS, "decisions", values, {"phase": module.PHASES, "action": words.of_game(module).names}
    )


def _array_type(column: Column) -> np.dtype[Any]:
    kind = column.type.index_type if pa.types.is_dictionary(column.type) else column.type
    return np.dtype(kind.to_pandas_dtype())


def _table(wanted: list[Column], name: str, values: Values, named: dict[str, list[str]]) -> pa.Table:
    rows = len(values["deal_index"])
    arrays = [
        _arrow(each, values[each.name], named) if each.name in values else pa.nulls(rows, each.type) for each in wanted
    ]
    return pa.Table.from_arrays(arrays, schema=columns.schema(wanted, name))


def _arrow(column: Column, values: np.ndarray, named: dict[str, list[str]]) -> pa.Array:
    array = pa.array(values, mask=values == NULL if column.null else None)
    if pa.types.is_dictionary(column.type):
        return pa.DictionaryArray.from_arrays(array, named[column.name])
    return array


def parquet(table: pa.Table) -> pa.Buffer:
    """Return a table as a Parquet file of one row group; the same table gives the same bytes."""
    sink = pa.BufferOutputStream()
    few_values = [name for name in table.column_names if name not in _DISTINCT]
    pq.write_table(table, sink, row_group_size=max(1, len(table)), compression="zstd", use_dictionary=few_values)
    return sink.getvalue()


def read_deals(folder: str | Path) -> "pd.DataFrame":
    """Return the deals of a run, as `pandas.read_parquet` does: words are categories, null numbers are NaN."""
    return _read(Path(folder), "deals")


def read_decisions(folder: str | Path) -> "pd.DataFrame":
    """Return the decisions of a run, as `read_deals` does; raises FileNotFoundError if it has none."""
    return _read(Path(folder), "decisions")


def _read(folder: Path, name: str) -> "pd.DataFrame":
    files = sorted(folder.glob(f"{name}-*.parquet"))
    if not files:
        raise FileNotFoundError(f"{folder}: no {name}-*.parquet here")
    table = pa.concat_tables(map(pq.read_table, files)).unify_dictionaries()
    return table.to_pandas()
