"""A position of Nantong Long Cards as its viewer sees it, for pictures and terminals (N3.4)."""

import numpy as np

from ..bits import members
from ..river import river_kind, river_seat
from ..scene import Group, Scene, SeatScene, face_down, in_parts, is_open
from ..seats import NONE, NUM_SEATS
from .cards import SUIT, TOKENS
from .notation import ending, question
from .rules import Meld
from .state import Phase, hand_counts

_MELD_CARDS = (3, 4, 4, 4, 3, 4)  # by Meld
_CLAIMS = (Phase.CLAIM_WIN, Phase.CLAIM_MELD)
_TURNS = (Phase.TURN, Phase.DISCARD)  # a seat's turn is no secret; what it drew is


def scene(state: np.record, viewer: int | None = None) -> Scene:
    """Return what the viewer, a seat or None for all cards open, sees of a position; at the end all hands are open."""
    phase, over = Phase(state.phase), state.phase == Phase.OVER
    on_table = phase in (*_CLAIMS, Phase.ROB)
    asked = viewer is None or viewer == state.seat
    return Scene(
        game="nantong",
        title="Nantong Long Cards",
        tokens=TOKENS,
        viewer=viewer,
        seats=tuple(_seat(state, seat, viewer) for seat in range(NUM_SEATS)),
        dealer=int(state.dealer),
        stock=int(state.back - state.front),
        face_up=Group(tuple(state.indicators.tolist()), "indicators"),
        table=int(state.card) if on_table else NONE,
        table_from=int(state.actor) if on_table else NONE,
        table_name="kong" if phase == Phase.ROB else "discarded",
        turn=int(state.winner if over else state.seat if asked or phase in _TURNS else NONE),
        text=_over(state) if over else (_asked(state) if asked else _not_asked(state, phase),),
        over=over,
    )


def _over(state: np.record) -> tuple[str, ...]:
    first, *more = ending(state)
    return (f"the deal is over: {first}", *more)


def _asked(state: np.record) -> str:
    return f"seat {state.seat} is asked: {question(state)}"


def _not_asked(state: np.record, phase: Phase) -> str:
    """Return what the seats that are not asked know of the question: neither who may claim nor what was drawn."""
    match phase:
        case Phase.PREPARE:
            return "preparation"
        case Phase.ROB:
            return f"others may rob the kong of {TOKENS[state.card]} of seat {state.actor}"
        case Phase.CLAIM_WIN | Phase.CLAIM_MELD:
            return f"others may claim {TOKENS[state.card]} of seat {state.actor}"
    return f"seat {state.seat} is to move"


def _seat(state: np.record, seat: int, viewer: int | None) -> SeatScene:
    river = [card for card in state.river[: state.river_size].tolist() if river_seat(card) == seat]
    if state.phase in _CLAIMS and seat == state.actor:
        river = river[:-1]  # its last discard lies on the table
    shown = is_open(viewer, seat, state.phase == Phase.OVER)
    return SeatScene(
        hand=_hand(state, seat) if shown else face_down(int(hand_counts(state, seat).sum())),
        melds=_melds(state, seat),
        dead=tuple(river_kind(card) for card in river),
        revealed=(False,) * len(river),
        marks=_marks(state, seat),
        note=_waits(state, seat) if shown else "",
    )


def _hand(state: np.record, seat: int) -> tuple[Group, ...]:
    """Return a hand by suits, the drawn or the winning card apart."""
    counts = hand_counts(state, seat).tolist()
    drawn = state.card if state.phase == Phase.TURN and seat == state.seat else NONE
    apart, name = (state.winning_card, "won with") if seat == state.winner else (drawn, "drawn")
    if apart == NONE:
        return in_parts(counts, SUIT.tolist())
    counts[apart] -= 1
    return (*in_parts(counts, SUIT.tolist()), Group((int(apart),), name))


def _melds(state: np.record, seat: int) -> tuple[Group, ...]:
    of_sorts = [(sort, kind) for sort in Meld for kind in members(state.melds[seat, sort])]
    melds = [Group((kind,) * _MELD_CARDS[sort], sort.name.lower().replace("_", " ")) for sort, kind in of_sorts]
    return (*melds, *(Group((kind, kind), "hezi") for kind in members(state.hezi[seat])))


def _marks(state: np.record, seat: int) -> tuple[str, ...]:
    ready = ("ready",) if state.ready[seat] else ()
    if state.phase != Phase.OVER:
        return ready
    return (*ready, f"{state.base_hu[seat]} hu, total {state.totals[seat]}", f"{state.points[seat]:+} points")


def _waits(state: np.record, seat: int) -> str:
    """Return the winning kinds of a hand at rest; between its draw and its discard no hand is."""
    at_rest = state.phase in (*_CLAIMS, Phase.TURN) and not (state.phase == Phase.TURN and seat == state.seat)
    waits = members(state.waits[seat]) if at_rest else ()
    return f"waits for {' '.join(TOKENS[kind] for kind in waits)}" if waits else ""
