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

BOARD_WIDTH, BOARD_HEIGHT = 1280, 930
FONT = "'DejaVu Sans', Verdana, Arial, Helvetica, sans-serif"

_RATIO = HEIGHT / WIDTH
_MARGIN, _GAP = 14, 10
_BAR_HEIGHT = 110
_ROW_WIDTH = BOARD_WIDTH - 2 * _MARGIN
_ROW_HEIGHT = (BOARD_HEIGHT - 2 * _MARGIN - _BAR_HEIGHT - NUM_SEATS * _GAP) // NUM_SEATS
_LEFT, _TABLE_WIDTH = 152, 118  # of a row: the seat's name and marks, and at the right end its card on the table
_CARDS_WIDTH = _ROW_WIDTH - _LEFT - _TABLE_WIDTH - 8
_HAND_HEIGHT, _LABEL, _NOTE = 108, 15, 17
_DEAD_LINE = 14  # above and below dead cards
_HAND_CARD = 39.0  # largest width of a card in hand
_CARD_STEP, _GROUP_GAP, _DEAD_GAP = 1.06, 0.4, 0.1  # from card to card, and between groups, in widths of a card
_DOT = "dot"  # the name of a group that has a dot in place of a name
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
    """Return line and left edge of groups of so many cards each that follow one another."""
    places, line, x = [], 0, 0.0
    for size in sizes:
        extent = size * card * _CARD_STEP
        if x > 0 and x + extent > width:
            line, x = line + 1, 0.0
        places.append((line, x))
        x += extent + gap * card
    return places


def _fits(sizes: Sequence[int], box: _Box, card: float, gap: float, below: float) -> bool:
    places = _spread(sizes, box.width, card, gap)
    wide = any(x + size * card * _CARD_STEP > box.width for (_, x), size in zip(places, sizes, strict=True))
    lines = places[-1][0] + 1 if places else 0
    return not wide and lines * (card * _RATIO + below + 3) <= box.height


def _lay(scene: Scene, groups: Sequence[Group], box: _Box, gap: float, below: float, largest: float) -> str:
    """Lay groups of cards into a box, as large as they fit, with their names in `below` units under them."""
    sizes = [len(group.kinds) for group in groups]
    card = largest
    while card > 5 and not _fits(sizes, box, card, gap, below):
        card -= 1
    places = _spread(sizes, box.width, card, gap)
    drawn = []
    for place, (group, (line, left)) in enumerate(zip(groups, places, strict=True)):
        x, y, step = box.x + left, box.y + line * (card * _RATIO + below + 3), card * _CARD_STEP
        drawn += [_card(scene, kind, box.name, x + i * step, y, card) for i, kind in enumerate(group.kinds)]
        room = next((end for at, end in places[place + 1 :] if at == line), box.width) - left - 4
        drawn.append(_name(group.name, x, y + card * _RATIO, below, room, card))
    return "".join(drawn)


def _name(name: str, x: float, y: float, below: float, room: float, card: float) -> str:
    """Write the name of a group under it, or draw a dot for _DOT."""
    if name == _DOT:
        return _dot(x + card / 2, y + below / 2)
    return text(x, y + below - 3, name, 13, room) if name else ""


def _dot(x: float, y: float) -> str:
    return f'<circle cx="{x:.5g}" cy="{y:.5g}" r="3.5"/>'


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
    number = text(x + 44, y + 50, str(scene.stock), 30, style='font-weight="bold"')
    return back + number + text(x + 44, y + 72, "stock", 14)


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
    here, left = scene.seats[seat], _MARGIN + _LEFT
    hand = _Box(f"hand-{seat}", left, top + 9, _CARDS_WIDTH, _HAND_HEIGHT + _LABEL)
    low_y, low_end = hand.y + hand.height + 2, top + _ROW_HEIGHT - _NOTE - 5
    low = _Box(f"low-{seat}", left, low_y, _CARDS_WIDTH, low_end - low_y)
    note = text(left, low_end + _NOTE - 3, here.note, 13, _CARDS_WIDTH, f'fill="{_FAINT}"') if here.note else ""
    parts = [
        rect(_MARGIN, top, _ROW_WIDTH, _ROW_HEIGHT, frame),
        _head(scene, seat, top, turn),
        _lay(scene, here.hand, hand, _GROUP_GAP, _LABEL, _HAND_CARD),
        _low_cards(scene, seat, hand, low),
        note,
        _table(scene, top) if seat == scene.table_from else "",
    ]
    return "".join(parts)


def _low_cards(scene: Scene, seat: int, hand: _Box, low: _Box) -> str:
    """Draw melds and, right of them, dead cards: each in one half, unless one of them needs more.

    If they are too many for one line and the hand is short, the melds stand beside the hand.
    """
    here = scene.seats[seat]
    card, dead_card = (low.height - _LABEL - 3) // _RATIO, (low.height - 2 * _DEAD_LINE - 3) // _RATIO
    beside, meld_need = _need(here.hand, _HAND_CARD) + 30, _need(here.melds, card)
    dead_need = dead_card * (_CARD_STEP + _DEAD_GAP) * len(here.dead) + 1
    crowded = meld_need + dead_need > low.width
    if crowded and hand.width - beside > 0.7 * meld_need:
        width, melds = 0.0, _Box(f"melds-{seat}", hand.x + beside, hand.y, hand.width - beside, hand.height)
    else:
        fair = low.width * meld_need / (meld_need + dead_need)
        width = min(max(low.width / 2, min(meld_need, fair)), max(low.width - dead_need, fair))
        melds = _Box(f"melds-{seat}", low.x, low.y, width - 8, low.height)
    dead = _Box(f"dead-{seat}", low.x + width, low.y + _DEAD_LINE, low.width - width, low.height - _DEAD_LINE)
    drawn = _lay(scene, here.melds, melds, _GROUP_GAP, _LABEL, card)
    return drawn + (_dead(scene, here, dead, dead_card) if here.dead else "")


def _need(groups: Sequence[Group], card: float) -> float:
    """Return the width that groups of cards take in one line."""
    return card * (_CARD_STEP * sum(len(group.kinds) for group in groups) + _GROUP_GAP * len(groups)) + 1


def _dead(scene: Scene, here: SeatScene, box: _Box, card: float) -> str:
    """Draw a seat's dead cards in order, a dot below those that it revealed."""
    groups = [Group((kind,), _DOT if revealed else "") for kind, revealed in zip(here.dead, here.revealed, strict=True)]
    title = text(box.x, box.y - 4, "dead cards", 13, style=f'fill="{_FAINT}"')
    if any(here.revealed):
        title += _dot(box.x + 92, box.y - 8) + text(box.x + 101, box.y - 4, "revealed", 13, style=f'fill="{_FAINT}"')
    return title + _lay(scene, groups, box, _DEAD_GAP, _DEAD_LINE, card)


def _table(scene: Scene, top: float) -> str:
    """Draw the card on the table at the right end of the row of the seat whose card it is."""
    x, width, words_height = BOARD_WIDTH - _MARGIN - _TABLE_WIDTH - 2, _TABLE_WIDTH - 8, 46
    halo = rect(x, top + 10, width, _ROW_HEIGHT - 20, f'fill="#fff" stroke="{_INK}" stroke-width="3"')
    size = (_ROW_HEIGHT - 20 - 14 - words_height) / _RATIO
    card = _card(scene, scene.table, "table", x + (width - size) / 2, top + 22, size)
    words = (scene.table_name, f"{'of' if scene.table_name == 'kong' else 'by'} seat {scene.table_from}")
    return halo + card + _lines(x + 10, top + _ROW_HEIGHT - 36, words, 15, width - 14)


def _lines(x: float, y: float, words: Iterable[str], size: float, width: float) -> str:
    return "".join(text(x, y + place * (size + 4), line, size, width) for place, line in enumerate(words))


def _head(scene: Scene, seat: int, top: float, turn: bool) -> str:
    """Draw a seat's name, dark with an arrow if it is its turn, and its marks."""
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
    return ground + title + said + listed


def _mark(x: float, y: float, words: str) -> str:
    frame = rect(x, y, _LEFT - 18, 23, f'fill="#fff" stroke="{_INK}" stroke-width="1.5"')
    return frame + text(x + 9, y + 17, words, 15, _LEFT - 34)
