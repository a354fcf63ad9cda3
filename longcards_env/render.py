"""Pictures of positions and deals: SVG for eyes, pixels for videos (picture.py), text for terminals (terminal.py).

All take a `viewer`, the seat whose view it is: it sees no other hand, nor what others were asked. None opens all cards.
"""

from collections.abc import Iterator
from itertools import chain

import numpy as np

from .board import BOARD_HEIGHT, BOARD_WIDTH, FONT, board, kinds_of, text
from .card_faces import symbols
from .picture import Picture
from .protocol import Game
from .record import Replayed, moves
from .scene import Scene
from .terminal import ansi

__all__ = ["Picture", "ansi", "deal_svg", "position_svg"]

_COLUMNS = 4  # of a deal's positions
_FRAME_WIDTH, _GAP, _HEAD, _CAPTION = 620, 16, 60, 34
_FRAME_HEIGHT = _FRAME_WIDTH * BOARD_HEIGHT // BOARD_WIDTH

Frame = tuple[str, Scene]  # a position and what was done in it


def position_svg(game: Game, state: np.record, viewer: int | None = None) -> str:
    """Return a position as an SVG that needs nothing outside it, neither fonts nor images."""
    scene = game.scene(state, viewer)
    cards = symbols(scene.game, scene.tokens, kinds_of(scene))
    return _svg(BOARD_WIDTH, BOARD_HEIGHT, cards + board(scene))


def deal_svg(replayed: Replayed, viewer: int | None = None) -> str:
    """Return a whole deal: its positions, what was done in each below it, and the end.

    With a viewer these are its own decisions and the end, without their numbers: what the others were asked, and how
    often, is not for it to know.
    """
    frames = list(_frames(replayed, viewer))
    kinds = set(chain.from_iterable(kinds_of(scene) for _, scene in frames))
    rows = -(-len(frames) // _COLUMNS)
    width = _COLUMNS * (_FRAME_WIDTH + _GAP) + _GAP
    height = _HEAD + rows * (_FRAME_HEIGHT + _CAPTION + _GAP)
    title = text(
        _GAP,
        40,
        f"{replayed.game.TITLE}: {', '.join(frames[-1][1].text).removeprefix('the deal is over: ')}",
        26,
        width,
        'font-weight="bold"',
    )
    drawn = "".join(_frame(place, *frame) for place, frame in enumerate(frames))
    ground = f'<rect width="{width}" height="{height}" fill="#fff"/><g font-family="{FONT}">{title}{drawn}</g>'
    return _svg(width, height, symbols(replayed.game.NAME, replayed.game.TOKENS, kinds) + ground)


def _frames(replayed: Replayed, viewer: int | None) -> Iterator[Frame]:
    game = replayed.game
    for index, state, action in moves(replayed):
        if index is not None and viewer in (None, int(state.seat)):
            number = f"{index}: " if viewer is None else ""
            yield f"{number}seat {state.seat}: {game.action_name(action, state.card)}", game.scene(state, viewer)
    yield "the end", game.scene(replayed.end, viewer)


def _frame(place: int, words: str, scene: Scene) -> str:
    row, column = divmod(place, _COLUMNS)
    x, y = _GAP + column * (_FRAME_WIDTH + _GAP), _HEAD + row * (_FRAME_HEIGHT + _CAPTION + _GAP)
    size = f'width="{_FRAME_WIDTH}" height="{_FRAME_HEIGHT}" viewBox="0 0 {BOARD_WIDTH} {BOARD_HEIGHT}"'
    caption = text(x + 4, y + _FRAME_HEIGHT + 24, words, 21, _FRAME_WIDTH - 8, 'font-weight="bold"')
    return f'<svg x="{x}" y="{y}" {size} overflow="visible">{board(scene)}</svg>{caption}'


def _svg(width: float, height: float, inside: str) -> str:
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{inside}</svg>'
