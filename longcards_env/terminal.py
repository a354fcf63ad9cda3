"""A scene as a few lines of text for terminals, coloured by ANSI codes."""

from collections.abc import Sequence

import numpy as np

from .protocol import Game
from .scene import Group, Scene
from .seats import NONE, NUM_SEATS

_BOLD, _DIM, _RED, _YELLOW, _GREEN, _BLUE, _REVERSED, _END = (f"\x1b[{code}m" for code in (1, 2, 31, 33, 32, 34, 7, 0))
_BACK = "##"


def ansi(game: Game, state: np.record, viewer: int | None = None) -> str:
    """Return a position as text of several lines; the seat that is asked stands out, and its line begins with `>`."""
    scene = game.scene(state, viewer)
    face_up = f"{scene.face_up.name}: {_cards(scene, scene.face_up.kinds)}"
    head = f"{_BOLD}{scene.title}{_END}   {face_up}   stock: {scene.stock}"
    lines = [head, *(line for seat in range(NUM_SEATS) for line in _seat_lines(scene, seat))]
    return "\n".join(lines + [f"{_BOLD}{words}{_END}" for words in scene.text])


def _seat_lines(scene: Scene, seat: int) -> list[str]:
    here = scene.seats[seat]
    turn = seat == scene.turn
    name = f"{'>' if turn else ' '} seat {seat}"
    marks = (*(("you",) if seat == scene.viewer else ()), *(("dealer",) if seat == scene.dealer else ()), *here.marks)
    lines = [f"{_REVERSED + _BOLD if turn else _BOLD}{name}{_END}  {', '.join(marks)}".rstrip()]
    lines += _line("hand", _groups(scene, here.hand))
    lines += _line("melds", _groups(scene, here.melds))
    lines += _line("dead", _dead(scene, seat))
    lines += _line("table", _table(scene) if seat == scene.table_from else "")
    return lines + _line("", f"{_DIM}{here.note}{_END}" if here.note else "")


def _line(name: str, words: str) -> list[str]:
    return [f"    {name:<6}{words}"] if words else []


def _groups(scene: Scene, groups: Sequence[Group]) -> str:
    return "   ".join(f"{group.name + ' ' if group.name else ''}{_cards(scene, group.kinds)}" for group in groups)


def _cards(scene: Scene, kinds: Sequence[int]) -> str:
    """Return cards as tokens; of hidden ones only the number."""
    if kinds and kinds[0] == NONE:
        return f"{_DIM}{_BACK} x {len(kinds)}{_END}"
    return " ".join(_card(scene, kind) for kind in kinds)


def _dead(scene: Scene, seat: int) -> str:
    """Return a seat's dead cards, a star after those that it revealed."""
    here = scene.seats[seat]
    return " ".join(
        _card(scene, kind) + ("*" if revealed else "") for kind, revealed in zip(here.dead, here.revealed, strict=True)
    )


def _table(scene: Scene) -> str:
    return f"{_YELLOW}[{_END}{_card(scene, scene.table)}{_YELLOW}]{_END} {scene.table_name}"


def _card(scene: Scene, kind: int) -> str:
    token = scene.tokens[kind]
    if scene.game == "paohuzi":
        colour = _RED if token[1:] in ("2", "7", "10") else ""
        return f"{_BOLD if token[0] == 'b' else ''}{colour}{token}{_END}"
    colour = {"m": _RED, "s": _GREEN, "c": _BLUE}.get(token[0], _YELLOW)
    return f"{colour}{token}{_END}"
