"""The words of a deal: actions (N5.3), phases, the result of a deal record, and a position as text."""

from typing import Any

import numpy as np

from ..bits import members
from ..names import names_of
from ..river import river_kind, river_seat
from ..seats import NONE, NUM_SEATS
from . import state as st
from .cards import NUM_KINDS, PACK, SUIT, TOKENS
from .rules import Meld, Shape, Source
from .state import Outcome, Phase, hand_counts

# One action for each kind (N5.2, N5.3), and those that stand alone.
_OF_KIND = {st.DISCARD: "discard", st.KONG: "kong", st.OPEN: "open"}
_ALONE = {
    st.WIN: "win",
    st.PASS: "pass",
    st.PONG: "pong",
    st.HEZI: "hezi",
    st.READY: "ready",
    st.END: "end",
    st.CLAIM_KONG: "kong",
}
_ACTIONS = {first + k: f"{word} {TOKENS[k]}" for first, word in _OF_KIND.items() for k in range(NUM_KINDS)} | _ALONE


PHASES = names_of(Phase)
_MELDS, _OUTCOMES, _SOURCES, _SHAPES = map(names_of, (Meld, Outcome, Source, Shape))


def action_name(action: int, card: int = NONE) -> str:
    """Return the words of an action (N5.3), which are the same about any card."""
    return _ACTIONS[action]


def result(state: np.record) -> dict[str, Any]:
    """Return the `result` of a deal record from the end of a deal (N6.10, N6.11)."""
    won = state["outcome"] == Outcome.WIN
    return {
        "outcome": _OUTCOMES[state["outcome"]],
        "winner": int(state["winner"]) if won else None,
        "source": _SOURCES[state["source"]] if won else None,
        "winning_card": PACK.token(state["winning_card"]),
        "base": state["base_hu"].tolist(),
        "bonus": int(state["bonus"]),
        "multiplier": int(state["multiplier"]),
        "totals": state["totals"].tolist(),
        "points": state["points"].tolist(),
    }


def question(state: np.record) -> str:
    """Return what the acting seat is asked, in a few words, such as "drew m5" or "claim s4 of seat 1"."""
    card, actor = PACK.token(state.card), state.actor
    match Phase(state.phase):
        case Phase.PREPARE:
            return "prepare"
        case Phase.TURN if card is None:
            return "first turn"
        case Phase.TURN:
            return f"drew {card}" + (" as a replacement" if state.replaced else "")
        case Phase.DISCARD:
            return "discard after the pong"
        case Phase.ROB:
            return f"rob the kong of {card} of seat {actor}"
        case Phase.CLAIM_WIN:
            return f"win with {card} of seat {actor}"
        case Phase.CLAIM_MELD:
            return f"claim {card} of seat {actor}"
    return "the deal is over"


def show(state: np.record) -> str:
    """Return a position as text of several lines, all hands open."""
    indicators = " ".join(TOKENS[kind] for kind in state.indicators)
    head = f"dealer: seat {state.dealer}   indicators: {indicators}   stock: {state.back - state.front}"
    lines = [head, *(line for seat in range(NUM_SEATS) for line in _seat_lines(state, seat))]
    if state.phase == Phase.OVER:
        return "\n".join(lines + _end_lines(state))
    return "\n".join([*lines, f"seat {state.seat} is asked: {question(state)}"])


def _seat_lines(state: np.record, seat: int) -> list[str]:
    """Return the lines of one seat: hand; melds, hezi and ready if any; river if any."""
    lines = [f"seat {seat}  hand   {PACK.in_parts(hand_counts(state, seat), SUIT)}"]
    shown = [
        f"{_MELDS[sort].replace('_', ' ')} {TOKENS[kind]}" for sort in Meld for kind in members(state.melds[seat, sort])
    ]
    shown += [f"hezi {TOKENS[kind]}" for kind in members(state.hezi[seat])]
    shown += ["ready"] if state.ready[seat] else []
    if shown:
        lines.append(f"        table  {', '.join(shown)}")
    river = [TOKENS[river_kind(card)] for card in state.river[: state.river_size] if river_seat(card) == seat]
    return lines + ([f"        river  {' '.join(river)}"] if river else [])


def _end_lines(state: np.record) -> list[str]:
    """Return how the deal ended and what each seat scored (N6)."""
    settled = [
        f"seat {seat}  base {state.base_hu[seat]}, total {state.totals[seat]}, points {state.points[seat]:+}"
        for seat in range(NUM_SEATS)
    ]
    return ending(state) + settled


def ending(state: np.record) -> list[str]:
    """Return in lines how a deal ended: who won with what, and the parts of its score (N6.5, N6.6)."""
    if state.winner == NONE:
        return [_OUTCOMES[state.outcome]]
    card = "" if state.winning_card == NONE else f" with {TOKENS[state.winning_card]}"
    giver = "" if state.from_seat == NONE else f" of seat {state.from_seat}"
    source = _SOURCES[state.source].replace("_", " ")
    final = ", final wait" if state.final_wait else ""
    return [
        f"{_OUTCOMES[state.outcome]} of seat {state.winner}{card}: {source}{giver}",
        f"{_SHAPES[state.hand_shape]} hu, wenqian {state.wenqian}{final}: bonus {state.bonus}, x{state.multiplier}",
    ]
