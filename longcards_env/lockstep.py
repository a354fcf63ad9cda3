"""Templates that play deals with learners outside: one call applies an action to each deal and goes on from there.

`play.bind` compiles them for one game, with the templates of play.py before them. Each deal has a slot beside its
state: what decides its course, and what came of the last step.
"""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from ._jit import inline, record_dtype, widen
from .bits import count, fill_mask, lowest
from .deck import deal_seed, pick
from .opponents import Agent, CompiledAgent, resolve
from .play import TEMPLATES, begin, bind
from .protocol import HIGH, NUM_CARDS, OBS_SIZE, Game, apply, choose, legal_words, observe
from .seats import NUM_SEATS

OUTSIDE = -1  # the policy of a seat whose actions come from outside
SELF_PLAY = -1  # the learner's seat where all three are learners'
ANY_SEAT = 3  # the learner's seat is drawn anew for each deal
NEXT_STEP, SAME_STEP, DISABLED = 0, 1, 2  # when a finished deal gives way to a new one
LEARNER, AGENT, FINISHED, ILLEGAL = 0, 1, 2, 3  # what came of a step in a single deal: who is asked, or nobody

SLOT = record_dtype(
    [
        ("streams", "u8", (NUM_SEATS, 4)),  # random streams of the seats
        ("master", "u8"),  # seed of the run; deal n of it has the seed deal_seed(master, n)
        ("next_deal", "i8"),  # number of the next deal of this slot, ...
        ("stride", "i8"),  # ... and of those after it
        ("opponents", "i8", NUM_SEATS - 1),  # policies of the seat after the learner's and of the one after that
        ("seating", "i8"),  # the learner's seat, ANY_SEAT or SELF_PLAY
        ("dealer", "i8"),  # the dealer, or -1: drawn anew for each deal
        ("all_moves", "i8"),  # 1 = learners are asked where a single action is legal too
        ("learner", "i8"),  # the learner's seat in this deal, or SELF_PLAY
        ("policies", "i8", NUM_SEATS),  # of the seats in this deal
        ("low", "i8"),  # the legal actions of the seat that is asked, as `legal_words` returns them; empty: over
        ("high", "i8"),
        ("asked", "i8"),  # that seat; when the deal is over, the seat that acted last, or the learner's
        ("reward", "i8"),  # of the last step, in points, for the learner or for the seat that acted
        ("finished", "i8"),  # 1 = the last step ended the deal
        ("points", "i8", NUM_SEATS),  # of the deal that the last step ended
    ]
)


def play_until(state: np.record, slot: np.record, tables: Any) -> None:
    """Play compiled seats and forced actions until a learner is asked or the deal is over; sets low, high and asked."""
    while True:
        low, high = legal_words(state)
        n_legal = count(low) + count(high)
        seat = state.seat
        if n_legal == 0:
            break
        if slot.policies[seat] == OUTSIDE and (n_legal > 1 or slot.all_moves):
            slot.asked = seat
            break
        if n_legal == 1:
            apply(state, lowest(low) if low else HIGH + lowest(high))
        else:
            apply(state, choose(slot.policies[seat], state, low, high, slot.streams[seat], tables))
    slot.low, slot.high = low, high


def enter(state: np.record, slot: np.record, drawn: int, tables: Any) -> None:
    """Seat the learner and the opponents in a deal that was just begun, and go on to the first question.

    drawn: the learner's seat where that is to be drawn.
    """
    slot.learner = drawn if slot.seating == ANY_SEAT else slot.seating
    slot.policies[:] = OUTSIDE
    if slot.learner != SELF_PLAY:
        for place in range(NUM_SEATS - 1):
            slot.policies[(slot.learner + place + 1) % NUM_SEATS] = slot.opponents[place]
    slot.asked = max(slot.learner, 0)
    slot.reward = slot.finished = 0
    play_until(state, slot, tables)


def start(state: np.record, slot: np.record, tables: Any) -> None:
    """Begin the slot's next deal in which a learner is asked, and go on to that question."""
    deck = np.empty(NUM_CARDS, np.int8)
    slot.low = slot.high = 0
    while slot.low == 0 and slot.high == 0:
        seed = deal_seed(slot.master, np.uint64(slot.next_deal))
        slot.next_deal += slot.stride
        drawn = widen(seed >> np.uint64(32))
        begin(state, slot.dealer if slot.dealer >= 0 else drawn % NUM_SEATS, seed, deck, slot.streams)
        enter(state, slot, drawn // NUM_SEATS % NUM_SEATS, tables)


def act(state: np.record, slot: np.record, action: int, tables: Any) -> None:
    """Apply an action from outside and go on to the next question, or to the end of the deal."""
    apply(state, action)
    play_until(state, slot, tables)
    slot.reward = slot.finished = 0
    if slot.low == 0 and slot.high == 0:
        slot.finished = 1
        slot.points[:] = state.points
        if slot.learner != SELF_PLAY:
            slot.asked = slot.learner
        slot.reward = state.points[slot.asked]


def write(state: np.record, slot: np.record, observation: np.ndarray, mask: np.ndarray) -> None:
    """Overwrite what the seat that is asked may know, int8[OBS_SIZE], and its action mask, int8[NUM_ACTIONS]."""
    observe(state, slot.asked, observation)
    fill_mask(slot.low, slot.high, HIGH, mask)


def is_legal(slot: np.record, action: int) -> bool:
    """Whether the seat that is asked may do this."""
    word, bit = (slot.low, action) if action < HIGH else (slot.high, action - HIGH)
    return 0 <= bit < 64 and word >> bit & 1 == 1


def asked_next(slot: np.record) -> int:
    """Return LEARNER, AGENT or FINISHED: who is asked, or that the deal is over."""
    if slot.low == 0 and slot.high == 0:
        return FINISHED
    return LEARNER if slot.asked == slot.learner else AGENT


def start_one(states: np.ndarray, slots: np.ndarray, tables: Any, out: np.ndarray) -> int:
    """Begin a single deal, as `start` does; return who is asked. out: as in `step_one`."""
    start(states[0], slots[0], tables)
    write(states[0], slots[0], out[:OBS_SIZE], out[OBS_SIZE:])
    return asked_next(slots[0])


def step_one(states: np.ndarray, slots: np.ndarray, action: int, tables: Any, out: np.ndarray) -> int:
    """Apply an action to a single deal, STATE[1] and SLOT[1]; return ILLEGAL, FINISHED, or who is asked next.

    out: int8[OBS_SIZE + NUM_ACTIONS], overwritten: observation and mask; as they were if the action is illegal.
    """
    state, slot = states[0], slots[0]
    if not is_legal(slot, action):
        return ILLEGAL
    act(state, slot, action, tables)
    write(state, slot, out[:OBS_SIZE], out[OBS_SIZE:])
    return asked_next(slot)


def first_illegal(slots: np.ndarray, actions: np.ndarray) -> int:
    """Return the first deal that is not over and whose action, int64[n], is not legal; -1 if there is none."""
    for i in range(len(slots)):
        if (slots[i].low or slots[i].high) and not is_legal(slots[i], actions[i]):
            return i
    return -1


def pick_all(slots: np.ndarray, out: np.ndarray) -> None:
    """Overwrite int64[n] with a random legal action for each deal, 0 where it is over; advances the seats' streams."""
    for i in range(len(slots)):
        slot = slots[i]
        over = slot.low == 0 and slot.high == 0
        out[i] = 0 if over else pick(slot.low, slot.high, HIGH, slot.streams[slot.asked])


def start_all(
    states: np.ndarray, slots: np.ndarray, which: np.ndarray, tables: Any, observations: np.ndarray, masks: np.ndarray
) -> None:
    """Begin new deals where `which`, bool[n], is set; overwrites their observations and masks."""
    for i in range(len(states)):
        if which[i]:
            start(states[i], slots[i], tables)
            write(states[i], slots[i], observations[i], masks[i])


def step_all(
    states: np.ndarray, slots: np.ndarray, actions: np.ndarray, tables: Any, observations: np.ndarray, masks: np.ndarray
) -> None:
    """Apply a legal action to each deal that is not over; one that was over begins anew, its action unused.

    actions: int64[n]. Overwrites observations int8[n, OBS_SIZE] and masks int8[n, NUM_ACTIONS].
    """
    for i in range(len(states)):
        if slots[i].low or slots[i].high:
            act(states[i], slots[i], actions[i], tables)
        else:
            start(states[i], slots[i], tables)
        write(states[i], slots[i], observations[i], masks[i])


TEMPLATES_IN_STEP = (
    *TEMPLATES,
    play_until,
    enter,
    start,
    act,
    write,
    is_legal,
    asked_next,
    start_one,
    step_one,
    first_illegal,
    pick_all,
    start_all,
    step_all,
)


@inline
def choose_nothing(policy: int, state: np.record, low: int, high: int, stream: np.ndarray, tables: Any) -> int:
    """Stand where no seat is played by a compiled policy."""
    return OUTSIDE


@dataclass(frozen=True)
class Opponents:
    """The two agents beside a learner, and the compiled loops in which the compiled ones play."""

    loops: SimpleNamespace
    tables: Any  # what the policies look up in the loops
    policies: list[int]  # of the seat after the learner's and the one after that; OUTSIDE for an agent in Python
    agents: list[Agent | None]  # None for a compiled one


_ALONE: dict[str, SimpleNamespace] = {}


def without_policies(game: Game) -> SimpleNamespace:
    """Return the templates compiled for a game whose seats are all played from outside: step_all, start_all, ..."""
    if game.NAME not in _ALONE:
        _ALONE[game.NAME] = SimpleNamespace(**bind(game, TEMPLATES_IN_STEP, choose=choose_nothing))
    return _ALONE[game.NAME]


def seat_opponents(game: Game, specs: tuple[Any, ...]) -> Opponents:
    """Return the opponents of these two specs or agents; for none of them, loops without any.

    Raises ValueError for other specs, and where two agents are compiled in different loops.
    """
    if len(specs) not in (0, NUM_SEATS - 1):
        raise ValueError(f"got {len(specs)} opponents, expected {NUM_SEATS - 1}")
    agents = [resolve(game.NAME, spec) for spec in specs]
    compiled = [agent for agent in agents if isinstance(agent, CompiledAgent)]
    in_python = [None if agent in compiled else agent for agent in agents]
    if not compiled:
        return Opponents(without_policies(game), 0, [OUTSIDE] * (NUM_SEATS - 1), in_python)
    loops = compiled[0].loops()
    if any(agent.loops() is not loops for agent in compiled):
        raise ValueError("the opponents are compiled apart from each other and cannot play in one loop")
    policies = [agent.policy if agent in compiled else OUTSIDE for agent in agents]
    return Opponents(loops, compiled[0].tables({agent.policy for agent in compiled}), policies, in_python)
