"""The faces of the cards of both packs as SVG symbols, drawn without any font.

A card is tall and narrow, as the real ones are, and bears its token. In Nantong Long Cards it shows coins with square
holes, strings of coins, or the rank and the character for myriad; in Paohuzi the rank, once more upside down, in
small or big numerals, on plain or framed cards. Marks that differ in more than colour tell suits and red cards apart in
greyscale too: old generals bear a seal (N1.2), the red ranks 2, 7 and 10 have their token in white on red.
"""

from collections.abc import Iterable

from .glyphs import chinese, latin
from .nantong.cards import KINDS, OLD_GENERALS
from .seats import NONE

WIDTH, HEIGHT = 60, 160  # of a card, in the units of its symbol
BACK = "back"

_INK, _RED, _BLUE, _GREEN, _IVORY = "#1c1c1c", "#b5121b", "#1d4f82", "#2f6b46", "#fffdf5"
_SMALL, _BIG = "一二三四五六七八九十", "壹贰叁肆伍陆柒捌玖拾"

# Where the marks of each rank stand in the area below the token, (column, row) from 0 to 1.
_L, _M, _R = 0.27, 0.5, 0.73
_SPOTS = (
    ((_M, 0.5),),
    ((_M, 0.25), (_M, 0.75)),
    ((_L, 0.17), (_M, 0.5), (_R, 0.83)),
    ((_L, 0.22), (_R, 0.22), (_L, 0.78), (_R, 0.78)),
    ((_L, 0.17), (_R, 0.17), (_M, 0.5), (_L, 0.83), (_R, 0.83)),
    ((_L, 0.17), (_R, 0.17), (_L, 0.5), (_R, 0.5), (_L, 0.83), (_R, 0.83)),
    ((_L, 0.12), (_M, 0.26), (_R, 0.4), (_L, 0.64), (_R, 0.64), (_L, 0.88), (_R, 0.88)),
    ((_L, 0.12), (_R, 0.12), (_L, 0.37), (_R, 0.37), (_L, 0.63), (_R, 0.63), (_L, 0.88), (_R, 0.88)),
    tuple((column, row) for row in (0.15, 0.5, 0.85) for column in (0.19, 0.5, 0.81)),
)
_TOP, _AREA = 36, 118  # the area of the marks
_COIN_SIZES = (24, 20, 14, 13, 12.5, 12.5, 10.5, 10.5, 8.5)  # radius by rank
_STRING_LENGTHS = (96, 52, 34, 50, 34, 34, 24, 25, 34)


def symbols(game: str, tokens: list[str], kinds: Iterable[int]) -> str:
    """Return the definitions of these cards, NONE for the back, to be placed by `href`."""
    faces = "".join(_symbol(href(game, tokens, kind), _face(game, tokens, kind)) for kind in sorted(set(kinds)))
    return f"<defs>{faces}</defs>"


def href(game: str, tokens: list[str], kind: int) -> str:
    """Return the id of a card's symbol; games have their own, since a page may show both."""
    return f"longcards-{game}-{BACK if kind == NONE else tokens[kind]}"


def _symbol(name: str, inside: str) -> str:
    return f'<symbol id="{name}" viewBox="0 0 {WIDTH} {HEIGHT}" overflow="visible">{inside}</symbol>'


def _face(game: str, tokens: list[str], kind: int) -> str:
    if kind == NONE:
        return _back()
    return _PACKS[game](tokens[kind])


def _paper(fill: str) -> str:
    return f'<rect x="1.5" y="1.5" width="57" height="157" rx="8" fill="{fill}" stroke="#3c3c3c" stroke-width="2.4"/>'


def _back() -> str:
    lines = "".join(f"M{x} 10L{x + 20} 30M{x + 20} 10L{x} 30" for x in (10, 30))
    rows = "".join(f'<path d="{lines}" transform="translate(0 {y})"/>' for y in range(0, 140, 20))
    return f'{_paper("#8296a8")}<g fill="none" stroke="#dde6ee" stroke-width="2.5">{rows}</g>'


# ---- Nantong Long Cards


def _long_card(token: str) -> str:
    suit, old_general = token[0], OLD_GENERALS >> KINDS[token] & 1
    marks = {"m": _myriads, "s": _strings, "c": _coins}.get(suit, _honour)(token)
    seal = f'<path d="M50 12l6 7l-6 7l-6 -7z" fill="{_RED}"/>' if old_general else ""
    return f"{_paper(_IVORY)}{latin(token, 24 if old_general else 30, 8, 22, _INK, 2.2)}{seal}{marks}"


def _myriads(token: str) -> str:
    rank = _SMALL[int(token[1]) - 1]
    return chinese(rank, 8, 42, 44, _INK, 2.7) + chinese("萬", 7, 100, 46, _RED, 2.2)


def _spots(rank: int) -> list[tuple[float, float]]:
    return [(WIDTH * column, _TOP + _AREA * row) for column, row in _SPOTS[rank - 1]]


def _coins(token: str) -> str:
    rank = int(token[1])
    r = _COIN_SIZES[rank - 1]
    rims = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r - r / 6:.1f}"/>' for x, y in _spots(rank))
    half = r * 0.31
    square = f"h{2 * half:.1f}v{2 * half:.1f}h-{2 * half:.1f}z"
    holes = "".join(f"M{x - half:.1f} {y - half:.1f}{square}" for x, y in _spots(rank))
    return f'<g fill="#cfe0f0" stroke="{_BLUE}" stroke-width="{r / 3:.1f}">{rims}</g><path d="{holes}" fill="{_BLUE}"/>'


def _strings(token: str) -> str:
    """Draw strings of coins: on each cord, coins seen from the side."""
    rank = int(token[1])
    length = _STRING_LENGTHS[rank - 1]
    cords = "".join(f"M{x:.1f} {y - length / 2:.1f}v{length}" for x, y in _spots(rank))
    return (
        f'<g fill="none" stroke="{_GREEN}"><path d="{cords}" stroke-width="2.4"/>'
        f'<path d="{cords}" stroke-width="{_cord_width(rank)}" stroke-dasharray="5 3.2" stroke-dashoffset="-1.5"/></g>'
    )


def _cord_width(rank: int) -> int:
    return 22 if rank == 1 else 11


def _honour(token: str) -> str:
    if token == "TH":
        frame = f'<rect x="9" y="40" width="42" height="110" rx="4" fill="none" stroke="{_RED}" stroke-width="2.5"/>'
        return frame + chinese("千", 13, 74, 34, _RED, 3.2)
    petal, heart = (_IVORY, "#e8b923") if token == "WF" else (_RED, _IVORY)
    return _flower(petal, heart)


def _flower(petal: str, heart: str) -> str:
    """Draw a flower with its stem and two leaves."""
    petals = "".join(
        f'<ellipse cx="30" cy="57" rx="9" ry="13" transform="rotate({turn} 30 72)"/>' for turn in range(0, 360, 60)
    )
    stem = '<path d="M30 84V150M30 128Q14 124 10 108Q26 108 30 124M30 140Q46 136 50 120Q34 120 30 136"'
    middle = f'<circle cx="30" cy="72" r="7" fill="{heart}"/>'
    return (
        f'{stem} fill="{_GREEN}" fill-opacity=".35" stroke="{_GREEN}" stroke-width="2.4"/>'
        f'<g fill="{petal}" stroke="{_INK}" stroke-width="1.8">{petals}{middle}</g>'
    )


# ---- Paohuzi


def _number_card(token: str) -> str:
    big, rank = token[0] == "b", int(token[1:])
    red = rank in (2, 7, 10)
    colour = _RED if red else _INK
    size, weight = (44, 2.1) if big else (34, 3.0)
    character = (_BIG if big else _SMALL)[rank - 1]
    upright = chinese(character, (WIDTH - size) / 2, 34 - size / 2, size, colour, weight)
    turned = f'<g transform="rotate(180 30 80)">{upright}</g>'
    frame = f'<rect x="5" y="5" width="50" height="150" rx="5" fill="none" stroke="{colour}" stroke-width="3"/>'
    return f"{_paper('#f3e6c4' if big else _IVORY)}{frame if big else ''}{upright}{turned}{_token(token, red)}"


def _token(token: str, red: bool) -> str:
    height = 22 if len(token) < 3 else 17  # of the letters
    letters = latin(token, 30, 80 - height / 2, height, "#fff" if red else _INK, 2.2)
    return (f'<rect x="6" y="63" width="48" height="34" rx="6" fill="{_RED}"/>' if red else "") + letters


_PACKS = {"nantong": _long_card, "paohuzi": _number_card}
