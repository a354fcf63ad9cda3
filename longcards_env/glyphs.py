"""Characters as strokes, so that cards look the same on machines with no Chinese font, or with no font at all.

A character is the data of an SVG path to be stroked, not filled: the Chinese ones in a square of 24, those of the
tokens (`m5`, `b10`) in a box 10 wide and 14 high.
"""

CHINESE_SIZE = 24.0
LATIN_WIDTH, LATIN_HEIGHT, LATIN_STEP = 10.0, 14.0, 12.6  # a letter, and from one letter to the next

CHINESE = {
    "一": "M3 12H21",
    "二": "M5 6.5H19M3 18H21",
    "三": "M4 5H20M6 12H18M3 19.5H21",
    "四": "M4 20.5V5H20V20.5M4 19H20M9.6 5Q9.6 11 6.6 14.5M14.4 5V11.5Q14.4 13.6 17.6 13.6",
    "五": "M4 4H20M11.3 4L8.3 20M5.5 11.3H17L16.2 20M2.5 20H21.5",
    "六": "M11.3 2L12.8 5.5M2.5 9H21.5M9 12.5Q8 17 3 21.5M15 12.5Q17 16 20.8 21.5",
    "七": "M2.5 12.6L21.5 8.8M11 3V17.5Q11 20.3 13.6 20.3H18.6Q20.8 20.3 20.8 16.5",
    "八": "M9.8 5.5Q9 14.5 3 20.5M13.5 4Q15 14.5 21.3 20.5",
    "九": "M3.5 8.8H16.5V17.8Q16.5 20.6 18.7 20.6Q21.2 20.6 21.2 16.5M10.3 2.5V8Q10.3 16 2.8 21.3",
    "十": "M2.5 11H21.5M12 2.5V21.5",
    "壹": "M4 4H20M12 1.5V7.3M6 7.3H18M3 12.8V10.3H21V12.8M7 13H17M8 15.3H16V18.4H8ZM9.3 19.6L10.2 21.2"
    "M14.7 19.6L13.8 21.2M3 22.4H21",
    "贰": "M3 5.4H21M5 8.6H12M4 11.5H13M4.8 20V14H12V18.6M8.5 15.6Q8.5 19.8 3.8 22.5M9.9 19.2L12.8 22.3"
    "M14.3 2Q15 15 19 20.6Q21.2 23 21.7 17.6M17.4 2L19.8 4",
    "叁": "M11.5 1.3L8 5.2H16.6M14.6 3.2L17.6 6.4M2.5 8.6H21.5M12 6.3Q10.3 12 2.8 14.6M12.2 8.8Q15 12.8 21.2 14.3"
    "M8.3 15H15.7M7 18.4H17M3.5 22H20.5",
    "肆": "M4.6 12.6V2.5H10.3M4.6 5.9H9.4M4.6 9.2H9.4M1.8 12.7H11M6 13L3 20.6L9.4 19.2M7.9 16.6L10.4 21.8"
    "M12.8 5H20.6V12H12.8M11.6 8.5H22.6M12.8 15.4H21M11.6 18.8H22.6M16.8 1.8V22.8",
    "伍": "M7.3 2Q5.5 8 1.8 12M5.2 8.5V22.5M10 4.3H21.5M15 4.3L13 20.5M10.2 11.6H19.7L18.9 20.5M8.3 20.7H22.6",
    "陆": "M3.4 22.5V2.8H9L6.2 9.3Q10.3 12.3 8 15.8Q7 17 5.5 16.3M12.4 6.5H21.4M11 12H22.6M16.9 2V20.9"
    "M12 15.4V20.9H21.8V15.4",
    "柒": "M4 2.2L6.4 4.2M2.8 6.3L5.3 8.1M3.5 12.6L7 9.3M8.6 7L21 4.8"
    "M14 1.8V9.4Q14 11.3 16 11.3H19.4Q21.2 11.3 21.2 8.6M2.8 15H21.2M12 12.6V23"
    "M11.5 15.2Q9 19.3 3.2 21.7M12.5 15.2Q15 19.3 20.8 21.7",
    "捌": "M1.8 7H8.2M5.2 2V19.8Q5.2 22 2.8 21M1.8 14.6L8.2 12.2M10 3H15.8V8H10ZM9.4 11.6H16Q16 19 14.6 21.4"
    "L12.8 20.5M12.4 9Q12.4 17 8.8 22M18.4 5V15.6M21.8 2.3V20.3Q21.8 22.4 19.3 21.6",
    "玖": "M1.8 4.6H9.2M2.3 11.5H8.7M1.5 19.6L9.6 18M5.5 4.6V18.8M14.2 2.3Q12.9 8 9.8 11.6M13.1 6.5H19.2"
    "Q17.5 16 9.3 22.2M15.5 12Q18 18.6 22.6 21.7",
    "拾": "M1.8 7H8.2M5.2 2V19.8Q5.2 22 2.8 21M1.8 14.6L8.2 12.2M15.8 2Q13.5 7.5 9 10.6M15.8 2Q18 7 22.7 10.2"
    "M12.9 11.6H18.9M11.4 14.8H20.5V21.7H11.4Z",
    "萬": "M2.5 4.3H21.5M8.3 1.8V7M15.7 1.8V7M6 8.3H18V14.5H6ZM6 11.4H18M12 8.3V19.5M4 22.5V16.8H20V20.6"
    "Q20 22.4 17.8 22M7.6 20.2L15.6 19M14.4 17.8L16.6 20.8",
    "千": "M18.5 2.5Q13 5 5.5 6M2.5 11.8H21.5M12 5V22.5",
}

LATIN = {
    "0": "M5 1Q9 1 9 7Q9 13 5 13Q1 13 1 7Q1 1 5 1Z",
    "1": "M2 4L5.5 1V13",
    "2": "M1.2 4Q1.2 1 5 1Q8.8 1 8.8 4.3Q8.8 6.5 1 13H9",
    "3": "M1.3 1H8.5L4.5 6Q9 6 9 9.5Q9 13 5 13Q2 13 1 10.8",
    "4": "M7 13V1L1 9.5H9.2",
    "5": "M8.3 1H2.2L1.6 6.4Q3 5.2 5 5.2Q9 5.2 9 9Q9 13 5 13Q2 13 1 10.8",
    "6": "M7.8 1.3Q1.3 3 1.3 9Q1.3 13 5.1 13Q9 13 9 9.2Q9 5.6 5.2 5.6Q2 5.6 1.4 8.6",
    "7": "M1 1H9L4 13",
    "8": "M5 6.6Q1.6 6.2 1.6 3.8Q1.6 1 5 1Q8.4 1 8.4 3.8Q8.4 6.2 5 6.6Q1 7.2 1 9.9Q1 13 5 13Q9 13 9 9.9Q9 7.2 5 6.6Z",
    "9": "M2.2 12.7Q8.7 11 8.7 5Q8.7 1 4.9 1Q1 1 1 4.8Q1 8.4 4.8 8.4Q8 8.4 8.6 5.4",
    "m": "M1 13V5.5M1 8Q1.3 5.3 3.2 5.3Q5 5.3 5 8V13M5 8Q5.3 5.3 7.2 5.3Q9 5.3 9 8V13",
    "s": "M8.3 6.7Q7.5 5.2 5 5.2Q1.8 5.2 1.8 7.2Q1.8 8.8 5 9.1Q8.6 9.4 8.6 11Q8.6 13 5 13Q2.2 13 1.3 11.3",
    "c": "M8.5 7Q7.6 5.2 5.2 5.2Q1.3 5.2 1.3 9.1Q1.3 13 5.2 13Q7.6 13 8.5 11.2",
    "b": "M1.5 1V13M1.5 9.1Q1.5 5.2 5.2 5.2Q9 5.2 9 9.1Q9 13 5.2 13Q1.5 13 1.5 9.1",
    "T": "M.8 1H9.2M5 1V13",
    "H": "M1.3 1V13M8.7 1V13M1.3 7H8.7",
    "W": "M.3 1L2.7 13L5 4L7.3 13L9.7 1",
    "F": "M1.8 13V1H8.8M1.8 6.8H7.5",
    "R": "M1.6 13V1H5.4Q8.6 1 8.6 4.2Q8.6 7.2 5.4 7.2H1.6M5.4 7.2L9 13",
}


def chinese(character: str, x: float, y: float, size: float, colour: str, weight: float = 2.0) -> str:
    """Return a Chinese character as an SVG path; x, y: its left upper corner, weight: of its strokes, in 24ths."""
    return _stroked(CHINESE[character], x, y, size / CHINESE_SIZE, colour, weight)


def latin(word: str, x: float, y: float, height: float, colour: str, weight: float = 1.9) -> str:
    """Return a token as SVG paths; x: its middle, y: its upper edge, weight: of its strokes, in 14ths of the height."""
    scale = height / LATIN_HEIGHT
    left = x - scale * (LATIN_STEP * len(word) - (LATIN_STEP - LATIN_WIDTH)) / 2
    places = enumerate(word)
    return "".join(_stroked(LATIN[each], left + i * LATIN_STEP * scale, y, scale, colour, weight) for i, each in places)


def _stroked(path: str, x: float, y: float, scale: float, colour: str, weight: float) -> str:
    place = f"translate({x:.4g} {y:.4g})scale({scale:.3g})"
    line = f'fill="none" stroke="{colour}" stroke-width="{weight:g}" stroke-linecap="round" stroke-linejoin="round"'
    return f'<path d="{path}" transform="{place}" {line}/>'
