"""A position of Paohuzi as its viewer sees it, for pictures and terminals."""

import numpy as np

from ..bits import members
from ..river import river_kind, river_seat
from ..scene import Group, Scene, SeatScene, face_down, in_parts, is_open
from ..seats import NONE, NUM_SEATS
from .cards import IN_HAND, NUM_CARDS, SIZE, TOKENS
from .groups import GROUPS_OF_THREE
from .notation import ending, question
from .rules import PUBLIC_CARD, Meld, Source
from .state import Phase, hand_counts, kan_huxi, river_revealed

_MELD_CARDS = (4, 4, 3, 3)  # by Meld
_CLAIMS = (Phase.CLAIM_WIN, Phase.CLAIM_MELD, Phase.CLAIM_CHI)
_TURNS = (Phase.DISCARD, Phase.OWN_WIN)  # a seat goes on; whether it may win is its secret


def scene(state: np.record, viewer: int | None = None) -> Scene:
    """Return what the viewer, a seat or None for all cards open, sees of a position; at the end all hands are open."""
    phase, over = Phase(state.phase), state.phase == Phase.OVER
    won = over and state.revealed == 1 and state.source != Source.NONE
    on_table = phase in _CLAIMS or won
    asked = viewer is None or viewer == state.seat
    return Scene(
        game="paohuzi",
        title="Paohuzi",
        tokens=TOKENS,
        viewer=viewer,
        seats=tuple(_seat(state, seat, viewer) for seat in range(NUM_SEATS)),
        dealer=int(state.dealer),
        stock=NUM_CARDS - int(state.front),
        face_up=Group((int(state.deck[PUBLIC_CARD]),), "public card"),
        table=int(state.card) if on_table else NONE,
        table_from=int(state.actor) if on_table else NONE,
        table_name="revealed" if state.revealed else "discarded",
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
    """Return what the seats that are not asked know of the question: not who may claim, nor who may win."""
    if phase in _CLAIMS:
        how = "revealed" if state.revealed else "discarded"
        return f"others may claim {TOKENS[state.card]} {how} by seat {state.actor}"
    return "before the first discard" if phase == Phase.HEAVENLY else f"seat {state.seat} is to move"


def _seat(state: np.record, seat: int, viewer: int | None) -> SeatScene:
    river = [card for card in state.river[: state.river_size].tolist() if river_seat(card) == seat]
    shown = is_open(viewer, seat, state.phase == Phase.OVER)
    return SeatScene(
        hand=_hand(state, seat) if shown else face_down(int(hand_counts(state, seat).sum())),
        melds=_melds(state, seat),
        dead=tuple(river_kind(card) for card in river),
        revealed=tuple(river_revealed(card) == 1 for card in river),
        marks=_marks(state, seat, shown),
        note=_locks(state, seat) if shown else "",
    )


def _hand(state: np.record, seat: int) -> tuple[Group, ...]:
    """Return the loose cards by size, then the kan."""
    counts = hand_counts(state, seat).tolist()
    kan = members(state.kan[seat])
    loose = [0 if kind in kan else n for kind, n in enumerate(counts)]
    return (*in_parts(loose, SIZE.tolist()), *(Group((kind,) * IN_HAND, "kan") for kind in kan))


def _melds(state: np.record, seat: int) -> tuple[Group, ...]:
    of_sorts = [(sort, kind) for sort in Meld for kind in members(state.melds[seat, sort])]
    chis = state.chis[seat, : state.num_chis[seat]].tolist()
    melds = [Group((kind,) * _MELD_CARDS[sort], sort.name.lower()) for sort, kind in of_sorts]
    return (*melds, *(Group(GROUPS_OF_THREE[number - 1], "chi") for number in chis))


def _marks(state: np.record, seat: int, shown: bool) -> tuple[str, ...]:
    """Return a seat's huxi, those of its kan only where they show, and what bars it."""
    huxi = state.huxi[seat] - (0 if shown else kan_huxi(state.kan[seat]))
    marks = [f"{huxi} huxi"]
    marks += [f"{state.owed[seat]} waived"] if state.owed[seat] else []
    marks += ["dead"] if state.dead[seat] else []
    return (*marks, f"{state.points[seat]:+} points") if state.phase == Phase.OVER else tuple(marks)


def _locks(state: np.record, seat: int) -> str:
    locked = members(state.locked[seat])
    return f"no chi or peng of {' '.join(TOKENS[kind] for kind in locked)}" if locked else ""
