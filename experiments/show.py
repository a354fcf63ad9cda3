"""A deal record as text or picture: the whole deal step by step, or one position of it."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from longcards_env import GAMES, record, record_file, render
from longcards_env.protocol import Game
from longcards_env.record import Replayed, moves
from longcards_env.record_file import Record, RecordError

_QUESTION = 26  # characters for what a seat is asked; a longer text only moves the rest of its line


def show_record(path: str, deal: int, step: int | None = None) -> str:
    """Return the text of one deal of a file of records, or of its position after so many decisions.

    deal counts from 1; step from 0, the position of the first decision. A RecordError says what is wrong.
    """
    if step is None:
        return "\n".join(deal_lines(_replayed(path, deal)))
    game, state = position_at(path, deal, step)
    return f"{game.TITLE}, deal {deal}, step {step}\n{game.show(state)}"


def picture(path: str, deal: int, step: int | None = None) -> render.Picture:
    """Return the picture of a deal, or of its position after so many decisions, as in `show_record`."""
    if step is None:
        return render.Picture(render.deal_svg(_replayed(path, deal)))
    return render.Picture(render.position_svg(*position_at(path, deal, step)))


def _replayed(path: str, deal: int) -> Replayed:
    line, read = find(path, deal)
    try:
        return record.replay(read, GAMES)
    except RecordError as error:
        raise error.at(path, line) from None


def position_at(path: str, deal: int, step: int) -> tuple[Game, np.record]:
    """Return the game and the state after so many decisions of a deal, as in `show_record`.

    Only what leads to this position must be right, so that a wrong record can be looked at up to its error.
    """
    line, read = find(path, deal)
    try:
        return record.position(read, GAMES, step)
    except RecordError as error:
        raise error.at(path, line) from None


def find(path: str, deal: int) -> tuple[int, Record]:
    """Return line number and record of a file's deal, counted from 1; lines that are no records count."""
    if deal < 1:
        raise RecordError(f"no deal {deal}: deals are counted from 1").at(path)
    seen = 0

    def count_bad(error: RecordError) -> None:
        nonlocal seen
        seen += 1
        if error.line is None or seen == deal:
            raise error

    for line, read in record_file.read(path, count_bad):
        seen += 1
        if seen == deal:
            return line, read
    raise RecordError(f"no deal {deal}: expected 1 to {seen}, the number of deals").at(path)


def deal_lines(replayed: Replayed) -> Iterator[str]:
    """Yield the start of a deal, a line for each action, in brackets if it was forced (N5.1), and the end."""
    game: Any = replayed.game
    yield game.TITLE
    for number, (index, state, action) in enumerate(moves(replayed)):
        if number == 0:
            yield from (game.show(state), "")
        words = game.action_name(action, state.card)
        step, words = ("", f"({words})") if index is None else (index, words)
        yield f"{step:>4}  seat {state.seat}  {game.question(state):<{_QUESTION}}  {words}"
    yield from ("", game.show(replayed.end))
