"""The words of a deal: actions (P9.2), phases, the result of a deal record, and a position as text."""

from typing import Any

import numpy as np

from ..bits import members
from ..names import names_of
from ..river import river_kind, river_seat
from ..seats import NONE, NUM_SEATS
from . import state as st
from .cards import PACK, SIZE, TOKENS
from .chi import LAYOUTS
from .groups import GROUPS_OF_THREE
from .rules import PUBLIC_CARD, Meld, Source
from .state import Outcome, Phase, hand_counts, river_revealed

_ALONE = {st.WIN: "win", st.PASS: "pass", st.PAO: "pao", st.PENG: "peng"}

PHASES = names_of(Phase)
_MELDS, _OUTCOMES, _SOURCES = names_of(Meld), names_of(Outcome), names_of(Source)


def _group(kinds: tuple[int, ...]) -> str:
    """Return a group as its three tokens in kind order (P5.3)."""
    return "".join(TOKENS[kind] for kind in kinds)


def action_name(action: int, card: int = NONE) -> str:
    """Return the words of an action about this table card (P9.2, P5.3); "" if there is no such chi of it."""
    if action < st.WIN:
        return f"discard {TOKENS[action]}"
    if action < st.CHI:
        return _ALONE[action]
    groups = None if card == NONE else LAYOUTS[card][action - st.CHI]
    return "" if groups is None else f"chi {'+'.join(map(_group, groups))}"


def result(state: np.record) -> dict[str, Any]:
    """Return the `result` of a deal record from the end of a deal (P8.1)."""
    won = state["outcome"] == Outcome.WIN
    return {
        "outcome": _OUTCOMES[state["outcome"]],
        "winner": int(state["winner"]) if won else None,
        "source": _SOURCES[state["source"]] if won else None,
        "winning_card": PACK.token(state["winning_card"]),
        "huxi": int(state["won_huxi"]),
        "tun": int(state["tun"]),
        "points": state["points"].tolist(),
    }


def question(state: np.record) -> str:
    """Return what the acting seat is asked, in a few words, such as "claim s4 revealed by seat 1"."""
    card = f"{PACK.token(state.card)} {'revealed' if state.revealed else 'discarded'} by seat {state.actor}"
    match Phase(state.phase):
        case Phase.HEAVENLY:
            return "win with the dealt hand"
        case Phase.DISCARD:
            return "discard"
        case Phase.OWN_WIN:
            return f"win after the own {PACK.token(state.card)}"
        case Phase.CLAIM_WIN:
            return f"win with {card}"
        case Phase.CLAIM_MELD:
            return f"claim {card}"
        case Phase.CLAIM_CHI:
            return f"chi {card}"
    return "the deal is over"


def show(state: np.record) -> str:
    """Return a position as text of several lines, all hands open."""
    head = f"dealer: seat {state.dealer}   public card: {_public_card(state)}   stock: {len(state.deck) - state.front}"
    lines = [head, *(line for seat in range(NUM_SEATS) for line in _seat_lines(state, seat))]
    if state.phase == Phase.OVER:
        return "\n".join(lines + _end_lines(state))
    return "\n".join([*lines, f"seat {state.seat} is asked: {question(state)}"])


def _public_card(state: np.record) -> str:
    return TOKENS[state.deck[PUBLIC_CARD]]


def _seat_lines(state: np.record, seat: int) -> list[str]:
    """Return the lines of one seat: hand; melds, chis and what bars it, if any; dead cards, if any."""
    lines = [f"seat {seat}  hand   {PACK.in_parts(hand_counts(state, seat), SIZE)}"]
    shown = [f"{_MELDS[sort]} {TOKENS[kind]}" for sort in Meld for kind in members(state.melds[seat, sort])]
    shown += [f"chi {_group(GROUPS_OF_THREE[n - 1])}" for n in state.chis[seat, : state.num_chis[seat]]]
    shown += [f"waived discards left: {state.owed[seat]}"] if state.owed[seat] else []
    shown += ["dead"] if state.dead[seat] else []
    if shown:
        lines.append(f"        table  {', '.join(shown)}  ({state.huxi[seat]} huxi with the kan)")
    river = [card for card in state.river[: state.river_size] if river_seat(card) == seat]
    cards = [TOKENS[river_kind(card)] + ("*" if river_revealed(card) else "") for card in river]
    return lines + ([f"        dead   {' '.join(cards)}   (* revealed)"] if cards else [])


def _end_lines(state: np.record) -> list[str]:
    """Return how the deal ended and what each seat scored (P8.1)."""
    return ending(state) + [f"seat {seat}  points {state.points[seat]:+}" for seat in range(NUM_SEATS)]


def ending(state: np.record) -> list[str]:
    """Return in lines how a deal ended: who won, with what and how much (P8.1)."""
    if state.winner == NONE:
        return [_OUTCOMES[state.outcome]]
    card = "" if state.winning_card == NONE else f" with {TOKENS[state.winning_card]}"
    source = _SOURCES[state.source].replace("_", " ")
    return [f"win of seat {state.winner}{card}: {source}, {state.won_huxi} huxi, {state.tun} tun"]
