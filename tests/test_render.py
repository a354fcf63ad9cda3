"""Pictures: every open card stands where it should, nothing hidden shows, and nothing covers anything else."""

import builtins
import json
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import hidden
import hidden_paohuzi
from agents import registry
from experiments import cli
from longcards_env import GAMES, play, record, record_file, render
from longcards_env.board import BOARD_HEIGHT, BOARD_WIDTH
from longcards_env.card_faces import BACK
from longcards_env.deck import deal_seeds
from longcards_env.gym_env import LongCardsEnv
from longcards_env.nantong.rules import Meld
from longcards_env.picture import Picture
from longcards_env.protocol import Game
from longcards_env.record import Replayed, moves

SEATS = 3
SVG = "{http://www.w3.org/2000/svg}"
GOLDEN = Path(__file__).parent / "golden"
SCRAMBLED = {"nantong": hidden.scrambled, "paohuzi": hidden_paohuzi.scrambled}


class Card(NamedTuple):
    token: str
    place: str
    x: float
    y: float
    width: float
    height: float


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Any:
    return GAMES[request.param]


@cache
def played(name: str) -> list[Replayed]:
    """A few deals of greedy and random seats, and some golden ones, which hold what is rare."""
    game, players = GAMES[name], [registry.agent(name, spec) for spec in ("greedy", "random", "greedy")]
    states, decisions, seeds = game.new_states(4), np.zeros(4, np.int64), np.empty(4, np.uint64)
    deal_seeds(np.uint64(7), 0, seeds)
    log = np.zeros(4 * game.MAX_DECISIONS, play.DECISION).view(np.recarray)
    policies = np.array([player.policy for player in players])
    loops, tables = registry.compiled(name), registry.tables(name, players)
    loops.play_deals(states, seeds, np.arange(4) % SEATS, policies, tables, log, decisions)
    ends = np.cumsum(decisions).tolist()
    deals = [Replayed(game, states[i], log[end - decisions[i] : end]) for i, end in enumerate(ends)]
    golden = [read for _, read in record_file.read(GOLDEN / f"{name}.jsonl.gz")]
    return deals + [record.replay(read, GAMES) for read in golden[::60]]


@cache
def positions(name: str) -> list[np.record]:
    """Some hundred positions of these deals, forced ones too, and their ends."""
    found = [state.copy() for deal in played(name) for _, state, _ in moves(deal)]
    return found[::3] + [deal.end for deal in played(name)] + extremes(name)


def extremes(name: str) -> list[np.record]:
    """Positions of one seat with all melds that there can be, and all dead cards, and of the longest hands."""
    return list((crowded_nantong if name == "nantong" else crowded_paohuzi)(played(name)[0]))


def crowded_nantong(deal: Replayed) -> Iterator[np.record]:
    for seat in range(SEATS):
        state = next(state for index, state, _ in moves(deal)).copy()
        state.melds[seat, Meld.CONCEALED_KONG], state.melds[seat, Meld.OPENING_TRIPLE] = 0b11111, 0b1100000
        state.hezi[seat] = 1 << 29
        state.river_size = 58
        state.river[:] = [seat << 5 | place % 30 for place in range(58)]
        yield state
        few = state.copy()
        few.held[seat] = 1, 1, 0, 0
        yield few


def crowded_paohuzi(deal: Replayed) -> Iterator[np.record]:
    for seat in range(SEATS):
        state = next(state for index, state, _ in moves(deal)).copy()
        state.melds[seat, 0], state.melds[seat, 1] = 0b11111 << 10, 0b11
        state.owed[seat], state.dead[seat], state.locked[seat] = 4, 1, (1 << 20) - 1
        state.river_size = 20
        state.river[:] = [place % 2 << 7 | seat << 5 | place for place in range(20)]
        yield state


def cards_of(svg: str) -> list[Card]:
    root = ET.fromstring(svg)
    found = (element.attrib for element in root.iter(f"{SVG}use"))
    box = ("x", "y", "width", "height")
    return [Card(each["data-card"], each["data-place"], *(float(each[side]) for side in box)) for each in found]


def tokens_of(game: Game, counts: np.ndarray) -> Counter[str]:
    return Counter({game.TOKENS[kind]: int(n) for kind, n in enumerate(counts) if n})


# ---- positions


def test_every_open_card_is_shown_as_often_as_it_is_there(game: Game) -> None:
    checks = import_module(f"checks_{game.NAME}")
    for state in positions(game.NAME):
        states = np.array([state]).view(np.recarray)
        cards = cards_of(render.position_svg(game, state))
        twice = ("stock",) if game.NAME == "nantong" else ("stock", "face-up")  # the public card is another card's copy
        shown = Counter(card.token for card in cards if card.place not in twice)
        in_hands = checks.in_hands(states)[0]
        assert shown == tokens_of(game, in_hands.sum(axis=0) + checks.shown(states)[0])
        for seat in range(SEATS):
            in_hand = Counter(card.token for card in cards if card.place == f"hand-{seat}")
            assert in_hand == tokens_of(game, in_hands[seat])


def test_melds_and_dead_cards_lie_before_their_seat(game: Game) -> None:
    for state in positions(game.NAME):
        cards = cards_of(render.position_svg(game, state))
        scene = game.scene(state)
        for seat, here in enumerate(scene.seats):
            dead = [card.token for card in cards if card.place == f"dead-{seat}"]
            assert dead == [game.TOKENS[kind] for kind in here.dead]
            melded = [card.token for card in cards if card.place == f"melds-{seat}"]
            assert melded == [game.TOKENS[kind] for group in here.melds for kind in group.kinds]
            assert bool(here.melds) == bool(state.melds[seat].any() or (state[extra(game)][seat]).any())
        dead_in_river = sum(len(here.dead) for here in scene.seats)
        claimed = game.NAME == "nantong" and scene.table_name == "discarded" and scene.table >= 0
        assert dead_in_river + claimed == state.river_size


def extra(game: Game) -> str:
    return "hezi" if game.NAME == "nantong" else "chis"


def test_no_card_covers_another_or_leaves_the_picture(game: Game) -> None:
    for state in positions(game.NAME):
        for viewer in (None, 1):
            cards = cards_of(render.position_svg(game, state, viewer))
            left, top, width, height = np.array([card[2:] for card in cards]).T
            right, bottom = left + width, top + height
            assert left.min() >= 0
            assert top.min() >= 0
            assert right.max() <= BOARD_WIDTH
            assert bottom.max() <= BOARD_HEIGHT
            beside = (right[:, None] <= left) | (left[:, None] >= right)
            apart = beside | (bottom[:, None] <= top) | (top[:, None] >= bottom)
            assert (apart | np.eye(len(cards), dtype=bool)).all()
            assert width.min() > 8


def test_every_symbol_is_defined_once(game: Game) -> None:
    for svg in (render.position_svg(game, positions(game.NAME)[9], 0), render.deal_svg(played(game.NAME)[0])):
        root = ET.fromstring(svg)
        defined = Counter(element.attrib["id"] for element in root.iter(f"{SVG}symbol"))
        assert set(defined.values()) == {1}
        assert {element.attrib["href"].removeprefix("#") for element in root.iter(f"{SVG}use")} <= set(defined)


def plain(text: str) -> str:
    return re.sub(r"\x1b\[\d+m", "", text)


def test_the_seat_that_is_asked_stands_out(game: Game) -> None:
    for state in positions(game.NAME):
        scene, words = game.scene(state), plain(render.ansi(game, state))
        pointed = re.findall(r"^> seat (\d)", words, re.MULTILINE)
        assert pointed == ([str(scene.turn)] if scene.turn >= 0 else [])
        assert scene.turn == (state.winner if scene.over else state.seat)
        assert render.position_svg(game, state).count("to move" if not scene.over else ">won<") == len(pointed)


def test_text_shows_hands_and_melds(game: Game) -> None:
    for state in positions(game.NAME):
        shown = Counter(re.findall(r"\b([a-z]\d+|TH|WF|RF)\b", "\n".join(hand_lines(plain(render.ansi(game, state))))))
        counts = import_module(f"checks_{game.NAME}").in_hands(np.array([state]).view(np.recarray))[0].sum(axis=0)
        assert shown == tokens_of(game, counts)


def hand_lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("    hand")]


# ---- what a viewer may know


def of_viewer(game: Game, state: np.record, viewer: int) -> tuple[str, str]:
    return render.position_svg(game, state, viewer), render.ansi(game, state, viewer)


def test_hidden_cards_do_not_show(game: Game) -> None:
    rng = np.random.default_rng(3)
    for state in positions(game.NAME):
        if not game.scene(state).over and state.river_size < 20:  # the extremes hold no pack of cards
            other = SCRAMBLED[game.NAME](state, rng)
            assert of_viewer(game, state, int(state.seat)) == of_viewer(game, other, int(state.seat))


def test_other_hands_lie_face_down_until_the_end(game: Game) -> None:
    for state in positions(game.NAME):
        for viewer in range(SEATS):
            over = game.scene(state).over
            for seat in range(SEATS):
                hand = [c for c in cards_of(render.position_svg(game, state, viewer)) if c.place == f"hand-{seat}"]
                assert all((card.token == BACK) == (seat != viewer and not over) for card in hand)


def test_who_may_claim_does_not_show(game: Game) -> None:
    """All questions about a card on the table are alike to a seat that is not asked."""
    for state in positions(game.NAME):
        if game.PHASES[state.phase].startswith("claim"):
            viewer = (int(state.actor) + 1) % SEATS
            others = [seat for seat in range(SEATS) if seat != viewer]
            pictures = set()
            for phase in (number for number, name in enumerate(game.PHASES) if name.startswith("claim")):
                for asked in others:
                    other = state.copy()
                    other.phase, other.seat = phase, asked
                    pictures.add(of_viewer(game, other, viewer))
            assert len(pictures) == 1


# ---- deals


def test_a_deal_shows_each_decision_and_the_end(game: Game) -> None:
    deal = played(game.NAME)[1]
    frames = list(ET.fromstring(render.deal_svg(deal)).iter(f"{SVG}svg"))[1:]
    assert len(frames) == len(deal.rows) + 1
    words = render.deal_svg(deal)
    for index, row in enumerate(deal.rows):
        assert f">{index}: seat {row['seat']}: {game.action_name(row['action'], row['card'])}</text>" in words


def test_a_deal_as_one_seat_sees_it_shows_its_own_decisions(game: Game) -> None:
    deal = played(game.NAME)[1]
    svg = render.deal_svg(deal, viewer=2)
    own = (deal.rows["seat"] == 2).sum()
    assert len(list(ET.fromstring(svg).iter(f"{SVG}svg"))) == own + 2
    assert len(re.findall(">seat 2: ", svg)) == own
    assert not re.search(r">(\d+: |seat [01]: )", svg)


# ---- pixels, notebooks, files


def test_pixels(game: Game) -> None:
    picture = Picture(render.position_svg(game, positions(game.NAME)[5]))
    pixels = picture.rgb_array(640)
    assert pixels.shape == (BOARD_HEIGHT // 2, 640, 3)
    assert pixels.dtype == np.uint8
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 100


def test_a_notebook_shows_the_svg() -> None:
    assert Picture("<svg/>")._repr_svg_() == "<svg/>"


def test_a_missing_rasteriser_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    real: Callable[..., Any] = builtins.__import__

    def without(name: str, *more: Any) -> Any:
        if name == "resvg_py":
            raise ImportError(name)
        return real(name, *more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match=r"pip install longcards\[render\]"):
        Picture("<svg/>").rgb_array(10)


def test_render_modes_show_what_the_learner_sees(game: Game) -> None:
    for mode in ("ansi", "rgb_array"):
        assert mode in LongCardsEnv.metadata["render_modes"]
    env = LongCardsEnv(game.NAME, render_mode="ansi", seat=1, opponents=("random", "random"))
    env.reset(seed=1)
    shown = env.render()
    assert isinstance(shown, str)
    assert "seat 1  you" in plain(shown)
    assert shown.count("## x ") == 2
    env.render_mode = "rgb_array"
    pixels = env.render()
    assert isinstance(pixels, np.ndarray)
    assert pixels.ndim == 3


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str, str]:
    with pytest.raises(SystemExit) as caught:
        cli.main(list(arguments))
    return caught.value.code, *capsys.readouterr()


def test_command_line_writes_pictures(game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records, one, whole = str(GOLDEN / f"{game.NAME}.jsonl.gz"), tmp_path / "one.svg", tmp_path / "whole.svg"
    code, out, _ = run(capsys, "show", records, "--deal", "2", "--step", "3", "--svg", str(one), "--json")
    assert (code, json.loads(out)) == (0, {"file": records, "deal": 2, "step": 3, "svg": str(one)})
    assert run(capsys, "show", records, "--deal", "2", "--svg", str(whole)) == (0, f"{whole}\n", "")
    for file in (one, whole):
        assert ET.fromstring(file.read_text(encoding="utf-8")).tag == f"{SVG}svg"
    before = one.read_bytes()
    code, out, err = run(capsys, "show", records, "--svg", str(one))
    assert (code, out, err) == (1, "", f"longcards: {one}: File exists\n")
    assert one.read_bytes() == before
