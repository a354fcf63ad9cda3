"""A scene as the inside of an SVG of fixed size: a bar with the question, and a row for each seat.

Cards are as large as their place allows, so that however many there are, none covers another. A card is a `use` element
with its place and size, `data-card` (its token, "back" if it is face down) and `data-place`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from .card_faces import BACK, HEIGHT, WIDTH, href
from .scene import Group, Scene, SeatScene
from .seats import NONE, NUM_SEATS

BOARD_WIDTH, BOARD_HEIGHT = 1280, 880
FONT = "'DejaVu Sans', Verdana, Arial, Helvetica, sans-serif"

_RATIO = HEIGHT / WIDTH
_MARGIN, _GAP = 14, 10
_BAR_HEIGHT = 110
_ROW_WIDTH = BOARD_WIDTH - 2 * _MARGIN
_ROW_HEIGHT = (BOARD_HEIGHT - 2 * _MARGIN - _BAR_HEIGHT - NUM_SEATS * _GAP) // NUM_SEATS
_LEFT, _TABLE_WIDTH = 152, 118  # of a row: the seat's name and marks, and at the right end its card on the table
_CARDS_WIDTH = _ROW_WIDTH - _LEFT - _TABLE_WIDTH - 8
_HAND_HEIGHT, _LABEL = 112, 15
_LARGEST = 39.0  # width of a card
_LETTER = 0.62  # of the font's size: a letter's width, or somewhat more

_FELT, _ROW, _LINE, _INK, _FAINT = "#d5dfd3", "#f4f7f1", "#a9b7a6", "#1c1c1c", "#5a665a"
_TURN_ROW, _TURN_LINE = "#fff6dc", "#c9620a"


def text(x: float, y: float, words: str, size: float, width: float = 1e9, style: str = "") -> str:
    """Return a line of text that begins at x on the base line y; it is smaller where it would be wider than `width`."""
    fitting = min(size, width / (_LETTER * max(len(words), 1)))
    return f'<text x="{x:.5g}" y="{y:.5g}" font-size="{fitting:.3g}" {style}>{escape(words)}</text>'


def rect(x: float, y: float, width: float, height: float, style: str) -> str:
    """Return a rectangle with rounded corners."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="8" {style}/>'


def board(scene: Scene) -> str:
    """Return a position in a box of BOARD_WIDTH by BOARD_HEIGHT, without the symbols of its cards."""
    tops = [_MARGIN + _BAR_HEIGHT + _GAP + seat * (_ROW_HEIGHT + _GAP) for seat in range(NUM_SEATS)]
    rows = "".join(_row(scene, seat, top) for seat, top in enumerate(tops))
    ground = f'<rect width="{BOARD_WIDTH}" height="{BOARD_HEIGHT}" fill="{_FELT}"/>'
    return f'<g font-family="{FONT}" fill="{_INK}">{ground}{_bar(scene)}{rows}</g>'


def kinds_of(scene: Scene) -> set[int]:
    """Return the kinds whose symbols a board needs."""
    groups = [scene.face_up, *(group for seat in scene.seats for group in (*seat.hand, *seat.melds))]
    dead = {kind for seat in scene.seats for kind in seat.dead}
    table = {scene.table} - {NONE}
    return {kind for group in groups for kind in group.kinds} | dead | table | {NONE}


# ---- cards


@dataclass(frozen=True)
class _Box:
    """A place for cards, and its name."""

    name: str
    x: float
    y: float
    width: float
    height: float


def _card(scene: Scene, kind: int, place: str, x: float, y: float, width: float) -> str:
    token = BACK if kind == NONE else scene.tokens[kind]
    box = f'x="{x:.5g}" y="{y:.5g}" width="{width:.4g}" height="{width * _RATIO:.4g}"'
    return f'<use href="#{href(scene.game, scene.tokens, kind)}" {box} data-card="{token}" data-place="{place}"/>'


def _spread(sizes: Sequence[int], width: float, card: float, gap: float) -> list[tuple[int, float]]:
    """Return line and left edge of groups of so many cards each, as they follow one another, a new line where needed."""
    places, line, x = [], 0, 0.0
    for size in sizes:
        extent = size * card * 1.06
        if x > 0 and x + extent > width:
            line, x = line + 1, 0.0
        places.append((line, x))
        x += extent + gap * card
    return places


def _fits(sizes: Sequence[int], box: _Box, card: float, gap: float, below: float) -> bool:
    places = _spread(sizes, box.width, card, gap)
    wide = any(x + size * card * 1.06 > box.width for (_, x), size in zip(places, sizes, strict=True))
    lines = places[-1][0] + 1 if places else 0
    return not wide and lines * (card * _RATIO + below + 3) <= box.height


def _lay(scene: Scene, groups: Sequence[Group], box: _Box, gap: float, below: float, largest: float = _LARGEST) -> str:
    """Lay groups of cards into a box, as large as they fit, with their names in `below` units under them."""
    sizes = [len(group.kinds) for group in groups]
    card = largest
    while card > 5 and not _fits(sizes, box, card, gap, below):
        card -= 1
    drawn = []
    for (line, left), group in zip(_spread(sizes, box.width, card, gap), groups, strict=True):
        x, y = box.x + left, box.y + line * (card * _RATIO + below + 3)
        drawn += [_card(scene, kind, box.name, x + i * card * 1.06, y, card) for i, kind in enumerate(group.kinds)]
        room = len(group.kinds) * card * 1.06 + 0.3 * gap * card
        drawn.append(text(x, y + card * _RATIO + below - 3, group.name, 13, room) if group.name else "")
    return "".join(drawn)


# ---- the bar above


def _bar(scene: Scene) -> str:
    box = rect(_MARGIN, _MARGIN, _ROW_WIDTH, _BAR_HEIGHT, f'fill="{_ROW}" stroke="{_LINE}" stroke-width="2"')
    whose = "all cards open" if scene.viewer is None else f"as seat {scene.viewer} sees it"
    head = text(_MARGIN + 18, _MARGIN + 27, f"{scene.title} - {whose}", 17, 780, f'fill="{_FAINT}"')
    lines = "".join(_bar_line(words, place, len(scene.text)) for place, words in enumerate(scene.text))
    return box + head + lines + _stock(scene) + _face_up(scene)


def _bar_line(words: str, place: int, lines: int) -> str:
    size, y = (30, 78) if lines == 1 else (24, 62 + 32 * place)
    return text(_MARGIN + 18, _MARGIN + y, words, size, 850, 'font-weight="bold"')


def _stock(scene: Scene) -> str:
    x, y = BOARD_WIDTH - _MARGIN - 116, _MARGIN + 10
    back = _card(scene, NONE, "stock", x, y, 34)
    return back + text(x + 44, y + 50, str(scene.stock), 30, style='font-weight="bold"') + text(x + 44, y + 72, "stock", 14)


def _face_up(scene: Scene) -> str:
    x, y = BOARD_WIDTH - _MARGIN - 350, _MARGIN + 10
    kinds = scene.face_up.kinds
    right = x + 90 + (2 - len(kinds)) * 37
    cards = "".join(_card(scene, kind, "face-up", right + 12 + i * 37, y, 34) for i, kind in enumerate(kinds))
    return cards + text(right, y + 50, scene.face_up.name, 15, style='text-anchor="end"')


# ---- the row of a seat


def _row(scene: Scene, seat: int, top: float) -> str:
    turn = seat == scene.turn
    style = (_TURN_ROW, _TURN_LINE, 6) if turn else (_ROW, _LINE, 2)
    frame = 'fill="{}" stroke="{}" stroke-width="{}"'.format(*style)
    here = scene.seats[seat]
    left, hand_y = _MARGIN + _LEFT, top + 9
    hand = _Box(f"hand-{seat}", left, hand_y, _CARDS_WIDTH, _HAND_HEIGHT + _LABEL)
    low_y = hand_y + hand.height + 4
    below = _below(scene, seat, low_y, top + _ROW_HEIGHT - low_y - 4)
    parts = [
        rect(_MARGIN, top, _ROW_WIDTH, _ROW_HEIGHT, frame),
        _head(scene, seat, top, turn),
        _lay(scene, here.hand, hand, 0.35, _LABEL),
        below,
        _table(scene, top) if seat == scene.table_from else "",
    ]
    return "".join(parts)


def _below(scene: Scene, seat: int, y: float, height: float) -> str:
    """Draw melds and, right of them, dead cards; each gets the width that its number of cards calls for."""
    here = scene.seats[seat]
    melded = sum(len(group.kinds) for group in here.melds)
    share = (melded + 1.2 * len(here.melds) + 2) / (melded + 1.2 * len(here.melds) + 1.3 * len(here.dead) + 6)
    width = min(max(share, 0.2), 0.8) * _CARDS_WIDTH if here.melds else 0
    x = _MARGIN + _LEFT
    melds = _Box(f"melds-{seat}", x, y, width - 14, height)
    dead = _Box(f"dead-{seat}", x + width, y + 16, _CARDS_WIDTH - width, height - 16)
    return _lay(scene, here.melds, melds, 0.4, _LABEL, 32) + (_dead(scene, here, dead) if here.dead else "")


def _dead(scene: Scene, here: SeatScene, box: _Box) -> str:
    """Draw a seat's dead cards in order, a dot below those that it revealed."""
    groups = [Group((kind,), "●" if revealed else "") for kind, revealed in zip(here.dead, here.revealed, strict=True)]
    title = "dead cards" + (" (● revealed)" if any(here.revealed) else "")
    return text(box.x, box.y - 4, title, 13, style=f'fill="{_FAINT}"') + _lay(scene, groups, box, 0.1, 10, 30)


def _table(scene: Scene, top: float) -> str:
    """Draw the card on the table at the right end of the row of the seat whose card it is."""
    x, width = BOARD_WIDTH - _MARGIN - _TABLE_WIDTH - 2, _TABLE_WIDTH - 8
    halo = rect(x, top + 10, width, _ROW_HEIGHT - 20, f'fill="#fff" stroke="{_INK}" stroke-width="3"')
    card = _card(scene, scene.table, "table", x + 20, top + 20, width - 40)
    words = (scene.table_name, f"by seat {scene.table_from}" if scene.table_name != "kong" else f"of seat {scene.table_from}")
    base = top + _ROW_HEIGHT - 20
    return halo + card + _lines(x + 8, base - 17, words, 14, width - 12)


def _lines(x: float, y: float, words: Iterable[str], size: float, width: float) -> str:
    return "".join(text(x, y + place * (size + 4), line, size, width) for place, line in enumerate(words))


def _head(scene: Scene, seat: int, top: float, turn: bool) -> str:
    """Draw a seat's name and marks, dark with an arrow if it is its turn, and its note."""
    here = scene.seats[seat]
    name = "won" if turn and scene.over else "to move" if turn else ""
    x = _MARGIN + 8
    ground = rect(x, top + 9, _LEFT - 18, 66, f'fill="{_INK if turn else "#dfe6dc"}"')
    light = 'fill="#fff" font-weight="bold"' if turn else 'font-weight="bold"'
    arrow = f'<path d="M{x + 10} {top + 53}v16l13 -8z" fill="#fff"/>' if turn else ""
    said = arrow + text(x + 30, top + 67, name, 17, style=light) if turn else ""
    you = " (you)" if scene.viewer == seat else ""
    title = text(x + 10, top + 39, f"Seat {seat}{you}", 24, _LEFT - 34, light)
    marks = (*(("dealer",) if scene.dealer == seat else ()), *here.marks)
    listed = "".join(_mark(x, top + 84 + place * 27, words) for place, words in enumerate(marks[:5]))
    note = text(x + 4, top + _ROW_HEIGHT - 8, here.note, 12, 500, f'fill="{_FAINT}"') if here.note else ""
    return ground + title + said + listed + note


def _mark(x: float, y: float, words: str) -> str:
    frame = rect(x, y, _LEFT - 18, 23, f'fill="#fff" stroke="{_INK}" stroke-width="1.5"')
    return frame + text(x + 9, y + 17, words, 15, _LEFT - 34)
