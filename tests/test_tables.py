"""The tables: every column documented, typed as documented, and equal to what the states say."""

import io
import re
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from experiments import columns, shards, tables
from experiments.runs import Config
from experiments.simulate import simulate
from longcards_env import GAMES, record

DEALS = 300


def config_of(game: str, **changes: object) -> Config:
    return Config(game, ("random", "greedy", "greedy"), DEALS, seed=5, **changes)  # type: ignore[arg-type]


def played(config: Config) -> tuple[tables.Values, np.ndarray]:
    """The values of all deals, and their states."""
    (part,) = shards.play(config, range(DEALS), batch=DEALS)
    return tables.deal_values(config.game, part.states, part.seeds, part.decisions, part.first), part.states


@pytest.fixture(scope="module", params=GAMES)
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Config, Path]:
    config = config_of(request.param, decisions=True)
    folder = tmp_path_factory.mktemp("run")
    simulate(config, folder, workers=1)
    return config, folder


def test_each_column_is_documented_and_of_its_type(run: tuple[Config, Path]) -> None:
    config, folder = run
    documented = {"deals": columns.deals(config.game), "decisions": columns.DECISIONS}
    for name, wanted in documented.items():
        (file,) = folder.glob(f"{name}-*.parquet")
        schema = pq.read_schema(file)
        assert [(field.name, field.type) for field in schema] == [(each.name, each.type) for each in wanted]
        told = [field.metadata[b"meaning"].decode() for field in schema]
        assert all(text.startswith(each.meaning) for text, each in zip(told, wanted, strict=True))
        assert all(told)
        assert schema.metadata[b"longcards.table"].decode() == name
        assert schema.metadata[b"longcards.schema_version"].decode() == columns.SCHEMA_VERSION


def test_only_columns_that_say_so_hold_nulls(run: tuple[Config, Path]) -> None:
    config, folder = run
    for name, wanted in {"deals": columns.deals(config.game), "decisions": columns.DECISIONS}.items():
        (file,) = folder.glob(f"{name}-*.parquet")
        table = pq.read_table(file)
        assert {each for each in table.column_names if table[each].null_count} <= {
            each.name for each in wanted if each.null
        }


def test_files_are_zstd_with_one_row_group(run: tuple[Config, Path]) -> None:
    (file,) = run[1].glob("deals-*.parquet")
    described = pq.ParquetFile(file).metadata
    assert described.num_row_groups == 1
    assert described.row_group(0).column(0).compression == "ZSTD"


@pytest.mark.parametrize("game", GAMES)
def test_columns_tell_what_the_record_tells(game: str) -> None:
    config = config_of(game)
    values, states = played(config)
    rows = tables.deals_table(config, values).to_pylist()
    for row, state in zip(rows, states, strict=True):
        result = GAMES[game].result(state)
        points = [row[f"points_{seat}"] for seat in range(3)]
        assert points == result["points"]
        assert sum(points) == 0
        for name in ("outcome", "winner", "source", "winning_card"):
            assert row[name] == result[name], name


def test_columns_of_nantong_tell_what_the_state_tells() -> None:
    config = config_of("nantong")
    values, states = played(config)
    for row, state in zip(tables.deals_table(config, values).to_pylist(), states, strict=True):
        result = GAMES["nantong"].result(state)
        won = result["winner"] is not None
        assert [row[f"base_{seat}"] for seat in range(3)] == result["base"]
        assert [row[f"total_{seat}"] for seat in range(3)] == result["totals"]
        assert (row["bonus"], row["multiplier"]) == ((result["bonus"], result["multiplier"]) if won else (None, None))
        assert (row["shape"] is not None) == (row["wenqian"] is not None) == (row["final_wait"] is not None) == won
        assert (row["n_draws"], row["stock_left"]) == (state.front - 69, state.back - state.front)
        assert [row[f"ready_{seat}"] for seat in range(3)] == [bool(ready) for ready in state.ready]
        assert row["heavenly"] == (result["source"] == "heavenly")


def test_read_deals_gives_all_rows_with_constants(run: tuple[Config, Path]) -> None:
    config, folder = run
    frame = tables.read_deals(folder)
    assert len(frame) == DEALS
    assert frame["deal_index"].tolist() == list(range(DEALS))
    assert set(frame["run_id"]) == {config.run_id}
    assert [set(frame[f"agent_{seat}"]) for seat in range(3)] == [{agent} for agent in config.agents]
    assert frame["set_id"].isna().all()
    assert (frame["winner"].isna() == frame["source"].isna()).all()


def test_decisions_agree_with_the_deals(run: tuple[Config, Path]) -> None:
    deals, decisions = tables.read_deals(run[1]), tables.read_decisions(run[1])
    counts = decisions.groupby("deal_index").size()
    assert counts.reindex(deals["deal_index"], fill_value=0).tolist() == deals["n_decisions"].tolist()
    assert (decisions["seq"] == decisions.groupby("deal_index").cumcount()).all()
    assert decisions["n_legal"].min() >= 2
    assert set(decisions["seat"]) == {0, 1, 2}
    assert decisions[["value", "probability", "time_ns"]].isna().all(axis=None)


def test_decisions_are_those_of_the_records(run: tuple[Config, Path]) -> None:
    config, folder = run
    (part,) = shards.play(config, range(DEALS), batch=DEALS)
    ends = np.cumsum(part.decisions)
    rows = [part.log[end - n : end] for n, end in zip(part.decisions, ends, strict=True)]
    records = [record.record_of(GAMES[config.game], *each) for each in zip(part.states, rows, strict=True)]
    frame = tables.read_decisions(folder)
    assert frame[["seat", "action"]].to_numpy().tolist() == [each for deal in records for each in deal["decisions"]]


def test_reading_a_folder_without_the_table_says_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=re.escape(f"{tmp_path}: no decisions-")):
        tables.read_decisions(tmp_path)


@pytest.mark.parametrize("game", GAMES)
def test_the_same_table_gives_the_same_bytes(game: str) -> None:
    config = config_of(game)
    first, second = (tables.parquet(tables.deals_table(config, played(config)[0])) for _ in range(2))
    assert first == second
    assert pq.read_table(io.BytesIO(first)).num_rows == DEALS


def test_markdown_has_a_line_for_each_column() -> None:
    wanted = columns.deals("nantong")
    lines = columns.markdown(wanted).splitlines()
    assert len(lines) == len(wanted) + 2
    assert "| `seed` | uint64 |" in lines[4]


@pytest.mark.parametrize("game", GAMES)
def test_the_documentation_lists_the_columns(game: str) -> None:
    page = (Path(__file__).parents[1] / "experiments" / "README.md").read_text(encoding="utf-8")
    assert columns.markdown(columns.deals(game)) in page
    assert columns.markdown(columns.DECISIONS) in page
