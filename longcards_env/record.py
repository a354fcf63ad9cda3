"""Deal records: checked by replaying them, and made from logged decisions.

A record fixes a deal and every decision made in it: `game`, `dealer`, `deck` (tokens), `decisions` (seat and
words; forced moves are not listed, N5.1, P9.1) and, if wanted, `legal` (for each decision the legal actions,
sorted) and `result`. Decisions are counted from 0. `games` holds the known games by name.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from . import play
from .play import DECISION
from .protocol import Game
from .record_file import TYPE_NAMES, Record, RecordError, shown
from .seats import NUM_SEATS
from .words import Words, of_game

Games = Mapping[str, Game]

_TYPES = {"game": str, "dealer": int, "deck": list, "decisions": list, "legal": list, "result": dict}
_REQUIRED = ("game", "dealer", "deck", "decisions")


@dataclass(frozen=True)
class _Bound:
    """What the records of one game need: tables between numbers and words, and the compiled replay."""

    kinds: dict[str, int]
    words: Words
    names: np.ndarray  # those of the words, object
    actions: np.ndarray  # the action of each bit of the two legal words, int64[128]
    replay: Callable[[np.record, int, np.ndarray, np.ndarray, np.ndarray, np.ndarray], int]


_BOUND: dict[str, _Bound] = {}


def _bound(game: Game) -> _Bound:
    if game.NAME not in _BOUND:
        words, bits = of_game(game), np.arange(64)
        _BOUND[game.NAME] = _Bound(
            kinds={token: kind for kind, token in enumerate(game.TOKENS)},
            words=words,
            names=np.array(words.names, object),
            actions=np.concatenate([bits, game.HIGH + bits]),
            replay=play.bind(game)["replay"],
        )
    return _BOUND[game.NAME]


def legal_lists(game: Game, rows: np.ndarray) -> list[list[str]]:
    """Return the sorted legal actions of each logged decision, DECISION[n]."""
    bound = _bound(game)
    sets = np.stack([rows["low"], rows["high"]], axis=1).astype("<i8")
    decisions, bits = np.nonzero(np.unpackbits(sets.view(np.uint8), axis=1, bitorder="little").view(np.bool_))
    numbers = bound.words.of_action[rows["card"][decisions], bound.actions[bits]]
    in_order = np.sort(decisions * len(bound.names) + numbers) % len(bound.names)
    names = bound.names[in_order].tolist()
    ends = np.cumsum(rows["n_legal"], dtype=np.int64).tolist()
    return [names[start:end] for start, end in pairwise([0, *ends])]


def record_of(game: Game, end: np.record, rows: np.ndarray, legal: bool = False) -> Record:
    """Return the record of a deal that was played; nothing is checked.

    end: the state at the end of the deal, which holds its dealer and deck. rows: DECISION[n], as `play` logs
    them. legal: whether the record has the legal actions of each decision.
    """
    bound = _bound(game)
    names = bound.names[bound.words.of_action[rows["card"], rows["action"]]]
    record = {
        "game": game.NAME,
        "dealer": int(end["dealer"]),
        "deck": [game.TOKENS[kind] for kind in end["deck"].tolist()],
        "decisions": [[seat, name] for seat, name in zip(rows["seat"].tolist(), names.tolist(), strict=True)],
    }
    if legal:
        record["legal"] = legal_lists(game, rows)
    record["result"] = game.result(end)
    return record


@dataclass(frozen=True)
class Replayed:
    """A record that was found to be right: its game, the state at the end, and its decisions, DECISION[n]."""

    game: Game
    end: np.record
    rows: np.ndarray

    def record(self, legal: bool = False) -> Record:
        """Return the completed record, with the legal actions of each decision if asked."""
        return record_of(self.game, self.end, self.rows, legal)


def replay(record: Record, games: Games) -> Replayed:
    """Play a record, as it stands in JSON, from its deck and decisions; a RecordError says what is wrong."""
    game, dealer, deck = _start(record, games)
    decisions = record["decisions"]
    rows, end, played = _play(game, dealer, deck, decisions)
    if rows[played]["n_legal"] or played < len(decisions):
        raise _decision_error(game, decisions, rows, end, played)
    rows = rows[:-1]
    if "legal" in record:
        _check_legal(record["legal"], legal_lists(game, rows))
    if "result" in record:
        _check_result(record["result"], game.result(end))
    return Replayed(game, end, rows)


def moves(replayed: Replayed) -> Iterator[tuple[int | None, np.record, int]]:
    """Yield index (None: it was forced, N5.1), state before and action for all actions of a deal.

    The state is overwritten by the next step.
    """
    game = replayed.game
    state = game.new_states(1)[0]
    mask = np.empty(game.NUM_ACTIONS, np.int8)
    game.reset(state, replayed.end.dealer, replayed.end.deck)
    decisions = enumerate(replayed.rows["action"].tolist())
    while n_legal := game.legal(state, mask):
        index, action = (None, int(mask.argmax())) if n_legal == 1 else next(decisions)
        yield index, state, action
        game.apply(state, action)


def position(record: Record, games: Games, step: int) -> tuple[Game, np.record]:
    """Return the game of a record and the state after `step` decisions and the forced moves that follow.

    Only what leads there is checked.
    """
    game, dealer, deck = _start(record, games)
    decisions = record["decisions"]
    if not 0 <= step <= len(decisions):
        raise RecordError(f"no step {step}: expected 0 to {len(decisions)}, the number of decisions")
    rows, state, played = _play(game, dealer, deck, decisions[:step])
    if played < step:
        raise _decision_error(game, decisions, rows, state, played)
    return game, state


def _start(record: Record, games: Games) -> tuple[Game, int, np.ndarray]:
    """Check the fields of a record, but not what is in its later ones; return its game, dealer and deck."""
    for field in record:
        if field not in _TYPES:
            raise RecordError(f"unknown field {shown(field)}, expected {', '.join(_TYPES)}")
    for field, expected in _TYPES.items():
        if field in record and type(record[field]) is not expected:
            raise RecordError(f"{field}: got {shown(record[field])}, expected {TYPE_NAMES[expected]}")
        if field not in record and field in _REQUIRED:
            raise RecordError(f"{field} is missing, expected {TYPE_NAMES[expected]}")
    if record["game"] not in games:
        raise RecordError(f"game: got {shown(record['game'])}, expected {' or '.join(games)}")
    if not 0 <= record["dealer"] < NUM_SEATS:
        raise RecordError(f"dealer: got {shown(record['dealer'])}, expected 0 to {NUM_SEATS - 1}")
    game = games[record["game"]]
    return game, record["dealer"], _parse_deck(game, record["deck"])


def _parse_deck(game: Game, tokens: list[Any]) -> np.ndarray:
    """Return a deck of tokens as int8[NUM_CARDS] (N1.4, P1.3)."""
    kinds = _bound(game).kinds
    for place, token in enumerate(tokens):
        if type(token) is not str or token not in kinds:
            known = " ".join(game.TOKENS)
            raise RecordError(f"deck: got {shown(token)} as card {place}, expected one of {known}")
    if len(tokens) != game.NUM_CARDS:
        raise RecordError(f"deck: got {len(tokens)} cards, expected {game.NUM_CARDS}")
    deck = np.array([kinds[token] for token in tokens], np.int8)
    copies = np.bincount(deck, minlength=game.NUM_KINDS)
    wrong = [f"{copies[k]} copies of {game.TOKENS[k]}" for k in np.nonzero(copies != game.COPIES)[0]]
    if wrong:
        raise RecordError(f"deck: got {', '.join(wrong)}, expected {game.COPIES} of each card")
    return deck


def _play(game: Game, dealer: int, deck: np.ndarray, decisions: list[Any]) -> tuple[np.ndarray, np.record, int]:
    """Play a record's decisions; return their log, DECISION[n + 1], the state and how many were played."""
    bound = _bound(game)
    rows, words = np.zeros(len(decisions) + 1, DECISION), np.empty(len(decisions), np.int16)
    for index, decision in enumerate(decisions):
        rows["seat"][index], words[index] = _parse_decision(bound.words, decision, index)
    state = game.new_states(1)[0]
    return rows, state, bound.replay(state, dealer, deck, words, bound.words.actions, rows)


def _parse_decision(words: Words, decision: Any, index: int) -> tuple[int, int]:
    """Return the seat of a decision and the number of its words."""
    if type(decision) is not list or len(decision) != 2:
        raise RecordError(f"got {shown(decision)}, expected [seat, action]", index)
    seat, text = decision
    if type(seat) is not int or not 0 <= seat < NUM_SEATS:
        raise RecordError(f"seat: got {shown(seat)}, expected 0 to {NUM_SEATS - 1}", index)
    if type(text) is not str:
        raise RecordError(f"action: got {shown(text)}, expected a string", index)
    try:
        return seat, words.number(text)
    except ValueError as error:
        raise RecordError(f"unknown action: {error}", index) from None


def _decision_error(game: Game, decisions: list[Any], rows: np.ndarray, state: np.record, played: int) -> RecordError:
    """Say why the decision after those played could not be made."""
    row = rows[played]
    if row["n_legal"] == 0:
        return RecordError(f"left over: the deal ends after {played} decisions", played)
    asked = f"seat {state['seat']}, {game.PHASES[row['phase']]}"
    legal = ", ".join(legal_lists(game, rows[played : played + 1])[0])
    if played == len(decisions):
        return RecordError(f"missing: the deal is not over, expected a decision of {asked}: {legal}", played)
    if row["seat"] != state["seat"]:
        return RecordError(f"wrong seat: got seat {row['seat']}, expected {asked}", played)
    return RecordError(f'illegal action: got "{decisions[played][1]}", expected of {asked}: {legal}', played)


def _check_legal(got: list[Any], expected: list[list[str]]) -> None:
    if len(got) != len(expected):
        raise RecordError(f"legal: got {len(got)} lists for {len(expected)} decisions")
    for index, (listed, legal) in enumerate(zip(got, expected, strict=True)):
        if type(listed) is not list:
            raise RecordError(f"legal: got {shown(listed)}, expected a list", index)
        if listed != legal:
            wrong = [name for name in legal if name not in listed]
            wrong += [name for name in listed if name not in legal]
            what = shown(wrong[0]) if wrong else "a repetition or the order"
            raise RecordError(f"legal: wrong by {what}, expected {', '.join(legal)}", index)


def _check_result(got: Record, expected: Record) -> None:
    for key, value in expected.items():
        if key not in got:
            raise RecordError(f"result: {key} is missing, expected {shown(value)}")
        if got[key] != value or repr(got[key]) != repr(value):  # 1, 1.0 and true are equal, but not the same
            raise RecordError(f"result: {key}: got {shown(got[key])}, expected {shown(value)}")
    for key in got:
        if key not in expected:
            raise RecordError(f"result: unknown key {shown(key)}, expected {', '.join(expected)}")
