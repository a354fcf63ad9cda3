"""One shard of a run: play its deals in compiled code and write its files."""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from agents import registry
from experiments import interrupts, tables
from experiments.runs import Config, publish
from longcards_env import GAMES, deck, record, record_file
from longcards_env.play import DECISION

BATCH = 1024  # deals in one call of the compiled loop: their states fit the processor's cache

_LOG_ROWS = 128  # for each deal of a batch; a log that fills up ends its batch early
_SESSION = np.uint64(2**64 - 1)  # a deal number that no run reaches: its seed picks the first dealer


@dataclass(frozen=True)
class Played:
    """A row of deals that were played to their ends."""

    first: int  # number of the first deal
    states: np.ndarray  # STATE[n]; overwritten by the next batch, as are the rest
    seeds: np.ndarray  # uint64[n]
    decisions: np.ndarray  # int64[n]
    log: np.ndarray  # DECISION[sum of decisions], or empty if nothing was logged


def dealers(config: Config, deals: range) -> np.ndarray:
    """Return the dealer of each deal, int64[n]: one seat, or as the game's sessions go."""
    if config.dealer != "rotate":
        return np.full(len(deals), int(config.dealer))
    session = int(deck.deal_seed(np.uint64(config.seed), _SESSION))
    return GAMES[config.game].session_dealers(session, deals)


def play(config: Config, deals: range, batch: int = BATCH) -> Iterator[Played]:
    """Play these deals of a run, about `batch` at a time; what each deal brings does not depend on that."""
    game = GAMES[config.game]
    loop = registry.compiled(config.game).play_deals
    agents = [registry.agent(config.game, spec) for spec in config.agents]
    policies = np.array([each.policy for each in agents])
    lookup = registry.tables(config.game, agents)
    logging = config.records or config.decisions
    log = np.empty(game.MAX_DECISIONS + batch * _LOG_ROWS if logging else 0, DECISION)
    states = game.new_states(min(batch, len(deals)))
    decisions = np.empty(len(states), np.int64)
    seeds = np.empty(len(deals), np.uint64)
    deck.deal_seeds(np.uint64(config.seed), deals.start, seeds)
    seats = dealers(config, deals)
    done = 0
    while done < len(deals):
        interrupts.raise_if_any()
        rest = slice(done, done + len(states))
        size = len(seeds[rest])
        n = loop(states[:size], seeds[rest], seats[rest], policies, lookup, log, decisions[:size])
        logged = int(decisions[:n].sum()) if logging else 0
        yield Played(deals.start + done, states[:n], seeds[done : done + n], decisions[:n], log[:logged])
        done += n


def write_shard(config: Config, folder: Path, batch: int, shard: int) -> list[dict[str, Any]]:
    """Play a shard and write its files; return name, bytes and sha256 of each."""
    deals: list[tables.Values] = []
    decisions: list[tables.Values] = []
    lines = io.BytesIO()
    with record_file.gzip_writer(lines) as records:
        for part in play(config, config.shard_deals(shard), batch):
            deals.append(tables.deal_values(config.game, part.states, part.seeds, part.decisions, part.first))
            if config.decisions:
                decisions.append(tables.decision_values(config.game, part.log, part.decisions, part.first))
            if config.records:
                records.writelines(_lines(config, part))
    files = [_deals_file(config, deals)]
    if config.decisions:
        files.append(_decisions_file(config, decisions))
    if config.records:
        files.append(lines.getbuffer())
    return [publish(folder, name, data) for name, data in zip(config.shard_files(shard), files, strict=True)]


def _deals_file(config: Config, parts: list[tables.Values]) -> Any:
    return tables.parquet(tables.deals_table(config, tables.joined(parts)))


def _decisions_file(config: Config, parts: list[tables.Values]) -> Any:
    return tables.parquet(tables.decisions_table(config.game, tables.joined(parts)))


def _lines(config: Config, part: Played) -> Iterator[bytes]:
    """Yield the record of each deal as a line."""
    game = GAMES[config.game]
    ends = np.cumsum(part.decisions)
    for state, n, end in zip(part.states, part.decisions, ends, strict=True):
        yield record_file.encode(record.record_of(game, state, part.log[end - n : end], config.legal))
