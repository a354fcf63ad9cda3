"""The columns of the tables: name, type, meaning. Writers, readers, documentation and tests read these lists."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

import numpy as np
import pyarrow as pa

SCHEMA_VERSION = "1"  # in the metadata of every file; it changes when a column changes its name, type or meaning
NULL = -1  # stands for null in the arrays of a column that may hold nulls

WORD = pa.dictionary(pa.int8(), pa.string())
ACTION_WORD = pa.dictionary(pa.int16(), pa.string())


@dataclass(frozen=True)
class Column:
    """One column; a dictionary type holds words, which the arrays give by number."""

    name: str
    type: pa.DataType
    meaning: str  # with unit and range
    null: str = ""  # what null means; empty: never null


@dataclass(frozen=True)
class GameColumns:
    """What differs by game in the table of deals."""

    columns: list[Column]  # between `agent_2` and `points_0`
    values: Callable[[np.ndarray], dict[str, np.ndarray]]  # of STATE[n], the ends of n deals, by column
    words: dict[str, list[str]]  # of its dictionary columns


def per_seat(name: str, kind: pa.DataType, meaning: str) -> list[Column]:
    """Return the columns `name_0`, `name_1`, `name_2`."""
    return [Column(f"{name}_{seat}", kind, f"seat {seat}: {meaning}") for seat in range(3)]


_EVALUATION = "not part of an evaluation by duplicate deals"
BEFORE = [
    Column("run_id", WORD, "hash of the run's configuration, 16 hexadecimal digits"),
    Column("deal_index", pa.int64(), "number of the deal in its run, from 0"),
    Column("seed", pa.uint64(), "seed of the deal: deck and agents' random choices follow from it"),
    Column("set_id", pa.int64(), "number of the deal-set, from 0", _EVALUATION),
    Column("rotation", pa.int8(), "seat arrangement within the deal-set, from 0", _EVALUATION),
    Column("game", WORD, "name of the game"),
    Column("dealer", pa.int8(), "seat of the dealer, 0..2"),
    *per_seat("agent", WORD, "spec string of the agent"),
]
ENDING = [
    Column("outcome", WORD, "how the deal ended, in the words of the deal record"),
    Column("winner", pa.int8(), "seat of the winner, 0..2", "nobody won"),
    Column("from_seat", pa.int8(), "seat with whose card another won, 0..2", "nobody won, or by an own card"),
    Column("source", WORD, "where the winning card came from, in the words of the deal record", "nobody won"),
    Column("winning_card", WORD, "token of the winning card", "nobody won, or there is no single winning card"),
    Column("n_decisions", pa.int16(), "decisions of all seats; forced actions do not count"),
    Column("n_draws", pa.int8(), "cards drawn or revealed in play from the front of the stock"),
    Column("stock_left", pa.int8(), "cards left in the stock at the end"),
]
AFTER = per_seat("points", pa.int32(), "points won or lost; the three add up to 0")

_COMPILED = "the agent plays in compiled code and tells nothing but its action"
DECISIONS = [
    Column("deal_index", pa.int64(), "number of the deal in its run, from 0"),
    Column("seq", pa.int16(), "number of the decision in its deal, from 0"),
    Column("seat", pa.int8(), "seat that decides, 0..2"),
    Column("phase", WORD, "what the seat is asked, in the game's words"),
    Column("action", ACTION_WORD, "what it does, in the words of the deal record"),
    Column("n_legal", pa.int16(), "legal actions, at least 2"),
    Column("value", pa.float32(), "points that the agent expects for its seat", _COMPILED),
    Column("probability", pa.float32(), "probability with which the agent takes this action, 0..1", _COMPILED),
    Column("time_ns", pa.int64(), "time that the agent took, in nanoseconds", _COMPILED),
]


def of_game(game: str) -> GameColumns:
    """Return what differs by game; each has a module of its own."""
    return import_module(f"experiments.columns_{game}").COLUMNS


def deals(game: str) -> list[Column]:
    """Return all columns of the table of deals, in order."""
    return [*BEFORE, *ENDING, *of_game(game).columns, *AFTER]


def schema(columns: list[Column], table: str) -> pa.Schema:
    """Return the Arrow schema of a table; its metadata holds the schema version."""
    fields = [
        pa.field(each.name, each.type, nullable=bool(each.null), metadata={"meaning": _describe(each)})
        for each in columns
    ]
    return pa.schema(fields, metadata={"longcards.table": table, "longcards.schema_version": SCHEMA_VERSION})


def _describe(column: Column) -> str:
    return f"{column.meaning}; null: {column.null}" if column.null else column.meaning


def markdown(columns: list[Column]) -> str:
    """Return the columns as a Markdown table, for the documentation."""
    rows = [f"| `{each.name}` | {type_name(each.type)} | {each.meaning} | {each.null} |" for each in columns]
    return "\n".join(["| column | type | meaning | null means |", "| --- | --- | --- | --- |", *rows])


def type_name(kind: pa.DataType) -> str:
    """Return a short name: `int8`, ..., and `words` for dictionary-encoded strings."""
    return "words" if pa.types.is_dictionary(kind) else str(kind)
