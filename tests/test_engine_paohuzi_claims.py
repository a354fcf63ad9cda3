"""The compiled engine of Paohuzi clause by clause: the stock, claims, chi and bi, locks (P4-P6)."""

from collections.abc import Callable

import pytest

from longcards_env import paohuzi
from longcards_env.paohuzi.state import CHI as FIRST_CHI
from longcards_env.paohuzi.state import Phase
from longcards_env.words import parse_action
from naive_paohuzi import KIND
from table_paohuzi import Table, deck_of

NewTable = Callable[..., Table]

# Twelve huxi of kan and 3 of s1 s2 s3; with b1 b2 the hand of six groups waits for b3.
FIVE_GROUPS = "b5 b5 b5 b9 b9 b9 s1 s2 s3 s4 s5 s6 b6 b7 b8 "
WAITS_FOR_B3 = FIVE_GROUPS + "s7 s8 s9 b1 b2"
SIX_KAN = "s1 s1 s1 s4 s4 s4 s8 s8 s8 b2 b2 b2 b4 b4 b4 b6 b6 b6 "
THREE_TI = "s1 s1 s1 s1 b2 b2 b2 b2 s8 s8 s8 s8 "


@pytest.fixture(params=[0, 1, 2])
def table(request: pytest.FixtureRequest) -> NewTable:
    """A table of a deck_of(...), for each dealer (P1.2)."""

    def new(*hands: str, **cards: str) -> Table:
        return Table(deck_of(*hands, **cards), request.param)

    return new


# ---- P4.1: the stock


def test_draw_when_the_stock_is_empty(table: NewTable) -> None:
    """P4.1, P8.1: nobody wins, and nobody pays."""
    game = table()
    game.drain()
    assert game.ended() == (None, None, None, 0)
    assert game.stock == []
    assert paohuzi.result(game.state)["outcome"] == "draw"
    assert paohuzi.result(game.state)["tun"] == 0
    assert game.points() == [0, 0, 0]


def test_last_card_is_settled_before_the_draw(table: NewTable) -> None:
    """P4.1: the nineteenth card, seat 1's, is offered; the draw comes when seat 2 should reveal."""
    deck = list(deck_of("", "s6 s7", "s5 s5 s5", shown="s5@1"))
    last = next(place for place, token in enumerate(deck) if token == "s5" and not 41 <= place < 61)
    deck[last], deck[79] = deck[79], deck[last]
    game = Table(deck)
    while game.stock:
        game.play("pass" if "pass" in game.legal else game.legal[0])
    assert (game.turn, game.asked) == (1, (2, ["pao", "pass"]))
    game.play("pass")
    assert game.asked == (1, ["chi s5s6s7", "pass"])
    game.play("pass")
    assert game.ended() == (None, None, None, 0)
    assert game.river[-1] == "1 s5*"


def test_revealed_card_does_not_enter_the_hand(table: NewTable) -> None:
    """P4.1: it lies on the table while it is offered, and then it is dead."""
    game = table("s9", "s6 s7", stock="s5@1", shown="s9@1")
    game.play("discard s9")
    before = game.hand(1)
    assert (game.turn, game.asked) == (1, (1, ["chi s5s6s7", "pass"]))
    assert game.hand(1) == before
    assert len(before) == 20
    game.play("pass")
    assert game.hand(1) == before
    assert game.river[:2] == ["0 s9", "1 s5*"]


# ---- P4.2: step 1 goes first


@pytest.mark.parametrize(("held", "sort"), [("b3 b3 b3", "ti"), ("b3 b3", "wei")])
def test_ti_or_wei_goes_before_the_win_of_another(table: NewTable, held: str, sort: str) -> None:
    """P4.2, steps 1 and 2: the card is taken; no other seat may use it."""
    game = table("s10", held, WAITS_FOR_B3, stock="b3", shown="s10@1")
    game.play("discard s10")
    assert game.melds(1) == [f"{sort} b3"]
    assert (game.asked, game.state.phase) == ((1, []), Phase.DISCARD)
    game = table("s10", "", WAITS_FOR_B3, stock="b3@1", shown="s10@1")
    game.play("discard s10")
    assert game.asked == (2, ["pass", "win"])


@pytest.mark.parametrize("held", ["s5 s5 s5", "s5 s5"])
@pytest.mark.nojit
def test_ti_and_wei_are_mandatory(table: NewTable, held: str) -> None:
    """P4.2, steps 1, 3 and 4: neither pao nor peng nor chi is offered, and there is no pass.

    (Another seat can never pao or peng a card of which the revealer makes a ti or wei: there are four copies.)
    """
    game = table("s9", f"{held} s6 s7 b5 b5", stock="s5@1", shown="s9@1")
    game.play("discard s9")
    assert (game.asked, game.state.phase) == ((1, []), Phase.DISCARD)
    assert game.melds(1) == ["ti s5" if held == "s5 s5 s5" else "wei s5"]
    assert "s5" not in game.hand(1)
    assert game.hand(1).count("b5") == 2


def test_only_the_revealing_seat_makes_ti_or_wei(table: NewTable) -> None:
    """P4.2, step 1: what others hold is offered to them as pao and peng."""
    for held, word in (("s5 s5 s5", "pao"), ("s5 s5", "peng")):
        game = table("s9", "", held, stock="s5@1", shown="s9@1")
        game.play("discard s9")
        assert game.asked == (2, sorted([word, "pass"]))


def test_one_copy_makes_no_wei(table: NewTable) -> None:
    """P4.2, step 1: exactly two in hand."""
    game = table("s9", "s5", stock="s5@1", shown="s9@1")
    game.play("discard s9")
    assert game.river[:2] == ["0 s9", "1 s5*"]
    assert game.melds(1) == []


# ---- P4.2: wins


THREE_WAIT = [  # for b3, each in a way of its own
    "s6 s6 s6 b4 b4 b4 b7 b7 b7 b1 b2 s5 b5 b5 s2 s7 s10 s7 s8 s9",
    "s1 s1 s1 s3 s3 s3 b10 b10 b10 b1 b2 s5 b5 b5 s2 s7 s10 s4 s5 s6",
    "b6 b6 b6 b8 b8 b8 b9 b9 b9 b2 b4 b2 b7 b10 s3 s4 s5 s2 s7 s10",
]
THREE_HUXI = [24, 21, 27]


@pytest.mark.parametrize("passes", [0, 1, 2])
def test_wins_are_asked_in_turn_order(table: NewTable, passes: int) -> None:
    """P4.2, step 2, Reading: from the revealing seat; the first win ends the deal."""
    game = table(THREE_WAIT[0] + " s9", THREE_WAIT[1], THREE_WAIT[2], stock="b3")
    game.play("discard s9")
    for seat in (1, 2, 0)[:passes]:
        assert game.asked == (seat, ["pass", "win"])
        game.play("pass")
    winner = (1, 2, 0)[passes]
    assert game.asked == (winner, ["pass", "win"])
    game.play("win")
    source = "own_reveal" if winner == 1 else "other_reveal"
    assert game.ended() == (winner, source, "b3", THREE_HUXI[winner])
    assert game.points()[winner] == 2 * (1 + (THREE_HUXI[winner] - 15) // 3)


def test_when_all_pass_the_win_the_claims_follow(table: NewTable) -> None:
    """P4.2: seat 1 revealed the card, and may chi it."""
    game = table(THREE_WAIT[0] + " s9", THREE_WAIT[1], THREE_WAIT[2], stock="b3")
    game.play("discard s9", "pass", "pass", "pass")
    assert game.asked == (1, ["chi b1b2b3", "pass"])


@pytest.mark.parametrize(("held", "word"), [("b3 b3 b3", "pao"), ("b3 b3", "peng")])
def test_win_goes_before_pao_and_peng(table: NewTable, held: str, word: str) -> None:
    """P4.2, steps 2 and 3: the dealer, farther from the revealer than seat 2, is asked first."""
    game = table(WAITS_FOR_B3 + " s10", "", held, stock="b3@1", shown="s10@1")
    game.play("discard s10")
    assert game.asked == (0, ["pass", "win"])
    game.play("pass")
    assert game.asked == (2, sorted([word, "pass"]))


def test_win_goes_before_chi(table: NewTable) -> None:
    """P4.2, steps 2 and 4: seat 1 reveals b3 and could chi it, the dealer wins with it."""
    game = table(WAITS_FOR_B3 + " s10", "s3 s3", stock="b3@1", shown="s10@1")
    game.play("discard s10")
    assert game.asked == (0, ["pass", "win"])
    game.play("pass")
    assert game.asked == (1, ["chi s3s3b3", "pass"])
    game = table(WAITS_FOR_B3 + " s10", "s3 s3", stock="b3@1", shown="s10@1")
    game.play("discard s10", "win")
    assert game.ended() == (0, "other_reveal", "b3", 21)


# ---- P4.2: pao and peng


@pytest.mark.parametrize(("held", "word"), [("s5 s5 s5", "pao"), ("s5 s5", "peng")])
@pytest.mark.parametrize("take", [True, False])
def test_pao_and_peng_go_before_the_chi_of_a_reveal(table: NewTable, held: str, word: str, take: bool) -> None:
    """P4.2, steps 3 and 4: the last seat in turn order goes before the revealer."""
    game = table(f"{held} s9", "s6 s7", stock="s5@1", shown="s9@1")
    game.play("discard s9")
    assert game.asked == (0, sorted([word, "pass"]))
    game.play(word if take else "pass")
    if take:
        assert (game.asked, game.melds(0)) == ((0, []), [f"{word} s5"])
    else:
        assert game.asked == (1, ["chi s5s6s7", "pass"])


@pytest.mark.parametrize(("held", "word"), [("s5 s5 s5", "pao"), ("s5 s5", "peng")])
@pytest.mark.parametrize("take", [True, False])
def test_pao_and_peng_go_before_the_chi_of_a_discard(table: NewTable, held: str, word: str, take: bool) -> None:
    """P4.2, steps 3 and 4: seat 2 before seat 1, who is next after the discarder."""
    game = table("s5", "s6 s7", held, shown="s5@1")
    game.play("discard s5")
    assert game.asked == (2, sorted([word, "pass"]))
    game.play(word if take else "pass")
    if take:
        assert (game.asked, game.melds(2)) == ((2, []), [f"{word} s5"])
    else:
        assert game.asked == (1, ["chi s5s6s7", "pass"])


@pytest.mark.parametrize("seat", [1, 2])
def test_pao_of_a_kan_from_a_discard(table: NewTable, seat: int) -> None:
    """P4.2, step 3: the card was discarded by another seat."""
    hands = ["s5", "", ""]
    hands[seat] = "s5 s5 s5"
    game = table(*hands, shown="s5@1")
    game.play("discard s5")
    assert (game.asked, game.state.phase) == ((seat, ["pao", "pass"]), Phase.CLAIM_MELD)
    game.play("pao")
    assert (game.asked, game.state.phase) == ((seat, []), Phase.DISCARD)


@pytest.mark.parametrize("seat", [0, 2])
def test_pao_of_a_kan_from_a_reveal(table: NewTable, seat: int) -> None:
    """P4.2, step 3: the card was revealed by another seat."""
    hands = ["", "", ""]
    hands[seat] = "s5 s5 s5"
    hands[0] += " s9"
    game = table(*hands, stock="s5@1", shown="s9@1")
    game.play("discard s9")
    assert (game.turn, game.asked) == (1, (seat, ["pao", "pass"]))


def with_meld(table: NewTable, sort: str, stock: str, third: str = "") -> Table:
    """Seat 1 has a peng or wei of s5 and is to discard b1; third: what seat 2 holds."""
    if sort == "peng":
        game = table("s5", "s5 s5 b1", third, stock=stock, shown="b1@2 s5@0")
        game.play("discard s5", "peng")
    else:
        game = table("s9", "s5 s5 b1", third, stock=f"s5@1 {stock}", shown="b1@2 s9@1 s5@0")
        game.play("discard s9")
    assert (game.melds(1), game.asked) == ([f"{sort} s5"], (1, []))
    return game


@pytest.mark.parametrize("sort", ["wei", "peng"])
@pytest.mark.parametrize("stock", ["s5@2", "b9@2 s5@0", "b9@2 b9@0 s5@1"])
def test_pao_of_a_meld_from_any_reveal(table: NewTable, sort: str, stock: str) -> None:
    """P4.2, step 3; P4.3, Reading: from an own reveal, too, it is a pao, and optional."""
    game = with_meld(table, sort, stock)
    game.play("discard b1")
    assert game.turn == (2, 0, 1)[len(stock.split()) - 1]
    assert (game.asked, game.state.phase) == ((1, ["pao", "pass"]), Phase.CLAIM_MELD)
    before = len(game.stock)
    game.play("pao")
    assert (game.melds(1), game.asked, len(game.stock)) == (["pao s5"], (1, []), before)


@pytest.mark.parametrize(("sort", "pao"), [("wei", True), ("peng", False)])
def test_pao_of_a_meld_from_a_discard(table: NewTable, sort: str, pao: bool) -> None:
    """P4.2, step 3: of a wei whatever the source, of a peng revealed cards only."""
    game = with_meld(table, sort, "", third="b1 b1 s5")
    game.play("discard b1", "peng", "discard s5")
    if pao:
        assert game.asked == (1, ["pao", "pass"])
    else:
        assert "2 s5" in game.river
    assert game.melds(1) == [f"{sort} s5"]


def test_passing_an_own_pao_leads_to_the_chi(table: NewTable) -> None:
    """P4.2, P4.3, P9.2, P6.2: the fourth card may be chi'd instead; the passed pao has locked nothing."""
    game = table("s5", "s5 s5 b1 s6 s7", stock="b9@2 b9@0 s5@1", shown="b1@2 s5@1")
    game.play("discard s5", "peng", "discard b1")
    assert game.asked == (1, ["pao", "pass"])
    game.play("pass")
    assert (game.asked, game.locked(1)) == ((1, ["chi s5s6s7", "pass"]), ["b1"])
    game.play("chi s5s6s7")
    assert game.melds(1) == ["peng s5", "chi s5s6s7"]


def test_peng_needs_two_in_hand(table: NewTable) -> None:
    """P4.2, step 3: one copy is not enough."""
    game = table("s5", "s5", "s5", stock="b9@1", shown="s5@1")
    game.play("discard s5")
    assert game.river[0] == "0 s5"


@pytest.mark.parametrize("seat", [0, 2])
def test_peng_of_a_reveal(table: NewTable, seat: int) -> None:
    """P4.2, step 3: of another seat's reveal."""
    hands = ["", "", ""]
    hands[seat] = "s5 s5"
    hands[0] += " s9"
    game = table(*hands, stock="s5@1", shown="s9@1")
    game.play("discard s9")
    assert game.asked == (seat, ["pass", "peng"])
    game.play("peng")
    assert (game.asked, game.melds(seat)) == ((seat, []), ["peng s5"])


# ---- P4.2: who is asked for the chi


@pytest.mark.parametrize(("seat", "asked"), [(1, True), (2, False), (0, False)])
def test_only_the_revealer_may_chi_its_card(table: NewTable, seat: int, asked: bool) -> None:
    """P4.2, step 4, Reading: a card that the previous seat revealed may not be chi'd."""
    hands = ["", "", ""]
    hands[seat] = "s6 s7"
    hands[0] += " s9"
    game = table(*hands, stock="s5@1", shown="s9@1")
    game.play("discard s9")
    if asked:
        assert (game.asked, game.state.phase) == ((1, ["chi s5s6s7", "pass"]), Phase.CLAIM_CHI)
    else:
        assert game.river[:2] == ["0 s9", "1 s5*"]


@pytest.mark.parametrize(("seat", "asked"), [(1, True), (2, False), (0, False)])
def test_only_the_next_seat_may_chi_a_discard(table: NewTable, seat: int, asked: bool) -> None:
    """P4.2, step 4: neither the seat after the next nor the discarder."""
    hands = ["", "", ""]
    hands[seat] = "s6 s7"
    hands[0] += " s5"
    game = table(*hands, stock="b9@1", shown="s5@1")
    game.play("discard s5")
    if asked:
        assert game.asked == (1, ["chi s5s6s7", "pass"])
    else:
        assert game.river[0] == "0 s5"


# ---- P4.4, P4.5: whose turn follows


def test_turn_after_a_dead_card(table: NewTable) -> None:
    """P4.4, Reading: the seat after the revealer or the discarder reveals, whoever passed."""
    game = table("s9", "s6 s7", "b6 b7", stock="s5@1 b5@2", shown="s9@1")
    game.play("discard s9")
    assert game.turn == 1
    game.play("pass")
    assert (game.turn, game.asked) == (2, (2, ["chi b5b6b7", "pass"]))
    assert game.river == ["0 s9", "1 s5*"]


@pytest.mark.parametrize(("held", "word", "meld"), [("s5 s5", "peng", "peng s5"), ("s5 s5 s5", "pao", "pao s5")])
def test_discard_after_peng_and_first_pao(table: NewTable, held: str, word: str, meld: str) -> None:
    """P4.5: seat 2 takes the dealer's card and discards; the seat after it, the dealer, reveals: seat 1 is left out."""
    game = table("s5", "", f"{held} b1", stock="b9@0", shown="s5@1 b1@0")
    game.play("discard s5", word)
    assert (game.asked, game.state.phase, game.turn) == ((2, []), Phase.DISCARD, 2)
    assert len(game.stock) == 19
    assert "s5" not in game.discards
    game.play("discard b1")
    assert game.river[:2] == ["2 b1", "0 b9*"]
    assert game.melds(2) == [meld]


def test_discard_after_chi(table: NewTable) -> None:
    """P4.5: and the discard is offered to the others."""
    game = table("s5", "s6 s7 b1", "b1 b1", shown="s5@1 b1@2")
    game.play("discard s5", "chi s5s6s7")
    assert (game.asked, game.state.phase) == ((1, []), Phase.DISCARD)
    assert game.melds(1) == ["chi s5s6s7"]
    game.play("discard b1")
    assert game.asked == (2, ["pass", "peng"])


@pytest.mark.parametrize(("held", "meld"), [("s5 s5", "wei s5"), ("s5 s5 s5", "ti s5")])
def test_discard_after_wei_and_first_ti(table: NewTable, held: str, meld: str) -> None:
    """P4.5."""
    game = table("s9", f"{held} b1", stock="s5@1 b9@2", shown="s9@1 b1@2")
    game.play("discard s9")
    assert (game.melds(1), game.state.phase, game.asked) == ([meld], Phase.DISCARD, (1, []))
    game.play("discard b1")
    assert game.river[:3] == ["0 s9", "1 b1", "2 b9*"]


def test_discard_is_from_loose_cards(table: NewTable) -> None:
    """P4.5: a card that is not in a kan."""
    game = table("s5", "s5 s5 b1 b1 b1 s9", shown="s5@1")
    game.play("discard s5", "peng")
    assert "s9" in game.discards
    assert "b1" not in game.discards


def test_no_discard_after_a_ti_beside_a_dealt_ti(table: NewTable) -> None:
    """P4.5: it is the second four-group; the next seat reveals."""
    game = table("s9", "b1 b1 b1 b1 s5 s5 s5", stock="s5@1 b8@2", shown="s9@1")
    game.play("discard s9")
    assert game.melds(1) == ["ti s5", "ti b1"]
    assert (game.fours(1), game.river[:2]) == (2, ["0 s9", "2 b8*"])


def test_no_discard_after_a_ti_beside_a_pao(table: NewTable) -> None:
    """P4.5: after the pao, the first four-group, there is one."""
    game = table("b1", "b1 b1 b1 s5 s5 s5 b10", stock="b8@2 b8@0 s5@1 b8@2", shown="b1@1 b10@2")
    game.play("discard b1", "pao", "discard b10")
    assert game.melds(1) == ["ti s5", "pao b1"]
    assert (game.fours(1), game.river[:4]) == (2, ["1 b10", "2 b8*", "0 b8*", "2 b8*"])


def test_no_discard_after_a_second_four_group_by_pao(table: NewTable) -> None:
    """P4.5: the seat after the taker reveals, here the dealer after seat 2."""
    game = table("s5", "", "b1 b1 b1 b1 s5 s5 s5", stock="b8@0 b8@1", shown="s5@1")
    game.play("discard s5", "pao")
    assert game.fours(2) == 2
    assert game.river[:2] == ["0 b8*", "1 b8*"]


def test_discard_after_peng_beside_a_four_group(table: NewTable) -> None:
    """P4.5: only four-groups come without."""
    game = table("s5", "b1 b1 b1 b1 s5 s5", shown="s5@1")
    game.play("discard s5", "peng")
    assert (game.asked, game.state.phase) == ((1, []), Phase.DISCARD)


# ---- P4.6: a claim needs a discard


def opened(table: NewTable, *hands: str, **cards: str) -> Table:
    """A deal after the heavenly wins that its hands could make."""
    game = table(*hands, **cards)
    while game.state.phase == Phase.HEAVENLY:
        game.play("pass")
    return game


@pytest.mark.nojit
def test_peng_needs_a_discard(table: NewTable) -> None:
    """P4.6: with six kan and a pair it is not offered, which locks nothing (P6.1); waived, it is legal."""
    game = opened(table, "s10", SIX_KAN + "s10 s10", stock="b10@1", shown="s10@1")
    game.play("discard s10")
    assert game.river[0] == "0 s10"
    assert game.locked(1) == []
    assert game.loose(1) == ["s10", "s10"]
    game = opened(table, "s10", THREE_TI + "b4 b4 b4 b6 b6 b6 s10 s10", stock="b10@2", shown="s10@1")
    game.play("discard s10")
    assert game.asked == (1, ["pass", "peng"])
    game.play("peng")
    assert (game.loose(1), game.dead(1), game.owed(1)) == ([], False, 1)
    assert game.river[0] == "2 b10*"


def test_chi_needs_a_discard(table: NewTable) -> None:
    """P4.6: of a discard and of a reveal; waived, it is legal."""
    game = opened(table, "s5", SIX_KAN + "s6 s7", stock="s5@1 b10@2", shown="s5@1")
    game.play("discard s5")
    assert game.asked == (1, ["pass", "win"])  # the next s5, revealed
    game.play("pass")
    assert game.river[:2] == ["0 s5", "1 s5*"]
    assert game.locked(1) == []
    game = opened(table, "s5", THREE_TI + "b4 b4 b4 b6 b6 b6 s6 s7", stock="b10@2", shown="s5@1")
    game.play("discard s5")
    assert game.asked == (1, ["chi s5s6s7", "pass"])
    game.play("chi s5s6s7")
    assert (game.loose(1), game.dead(1), game.owed(1)) == ([], False, 1)


def test_bi_needs_a_discard(table: NewTable) -> None:
    """P4.6: of two ways to chi the one that takes all loose cards is not legal; a mix of three is."""
    kan = SIX_KAN.replace("b6 b6 b6 ", "").replace("s4 s4 s4", "b8 b8 b8")
    game = opened(table, "s5", kan + "s5 b5 b5 s6 s7", shown="s5@1")
    game.play("discard s5")
    assert game.asked == (1, ["chi s5s5b5", "pass"])
    game = opened(table, "s5", kan.replace("b8 b8 b8 ", "") + "s5 b5 b5 s6 s7 b10 s10 b9", shown="s5@1")
    game.play("discard s5")
    assert game.asked == (1, ["chi s5s5b5", "chi s5s6s7+s5b5b5", "pass"])


def test_claims_are_legal_with_one_discard_left(table: NewTable) -> None:
    """P4.6: the only one is made without asking (P9.1)."""
    kan = "b2 b2 b2 b4 b4 b4 b6 b6 b6 b8 b8 b8 "
    game = table("s5", "s1 s1 s1 s1 " + kan + "s5 s5 s10 s10", shown="s5@1 s10@2")
    game.play("discard s5")
    assert game.asked == (1, ["pass", "peng"])
    game.play("peng")
    assert game.river[0] == "1 s10"


def test_first_pao_always_leaves_a_discard(table: NewTable) -> None:
    """P4.6: by the card counts it never bars a pao; with six kan two loose cards are there."""
    game = opened(table, "s1", SIX_KAN + "s10 b10", shown="s1@1 s10@2")
    game.play("discard s1")
    assert game.asked == (1, ["pao", "pass"])
    game.play("pao")
    assert game.discards == ["s10", "b10"]


# ---- P4.7: dead seats


def test_seat_is_dead_after_a_declined_win(table: NewTable) -> None:
    """P4.7, P7.4, Reading: a wei with the last two loose cards, the win declined."""
    game = opened(table, "s6", SIX_KAN + "s10 s10", stock="s10@1 s9@2 s6@0", shown="s6@1")
    game.play("discard s6")
    assert (game.asked, game.state.phase, game.dead(1)) == ((1, ["pass", "win"]), Phase.OWN_WIN, False)
    game.play("pass")
    assert game.dead(1)
    assert game.river[:3] == ["0 s6", "2 s9*", "0 s6*"]


def test_win_after_the_last_wei(table: NewTable) -> None:
    """P7.4: three small and three big kan, and the wei."""
    game = opened(table, "s6", SIX_KAN + "s10 s10", stock="s10@1", shown="s6@1")
    game.play("discard s6", "win")
    assert game.ended() == (1, "own_reveal", "s10", 30)


POOR = "s1 s1 s1 s9 s9 s9 s10 s10 s10 s3 s4 s4 s5 s5 s6 s6 s7 b1 s8 s8"


def poor_table(table: NewTable, dealer: str, stock: str) -> Table:
    """Seat 1 chi's three runs of no huxi, discards b1, and makes a wei with its last two loose cards.

    Then it is dead, and seat 2 reveals the first of these cards of the stock.
    """
    kan = "b2 b2 b2 b6 b6 b6 b8 b8 b8", "b4 b4 b4 b5 b5 b5 b9 b9 b9"
    game = table(f"s5 {dealer} {kan[0]}", POOR, kan[1], stock=f"b3@2 b3@0 s8@1 {stock}", shown="s5@1 b1@2")
    game.play("discard s5", "pass", "chi s3s4s5+s4s5s6+s5s6s7", "discard b1")
    assert game.river[:3] == ["1 b1", "2 b3*", "0 b3*"]
    assert "wei s8" in game.melds(1)
    assert (game.dead(1), game.huxi(1), game.loose(1)) == (True, 12, [])
    return game


def test_seat_is_dead_after_a_poor_wei(table: NewTable) -> None:
    """P4.7: seven groups of 12 huxi do not win, and there is nothing to discard; it goes on revealing."""
    game = poor_table(table, "", "b10@2 b3@0 b10@1 b10@2")
    assert game.river[3:7] == ["2 b10*", "0 b3*", "1 b10*", "2 b10*"]


@pytest.mark.parametrize("take", [True, False])
def test_dead_seat_may_pao_and_must_ti(table: NewTable, take: bool) -> None:
    """P4.7: a pao of a reveal is optional and brings no discard; a ti is made, without a discard, and does not win."""
    game = poor_table(table, "", "b10@2 s9@0 s10@1 b10@2" if not take else "b10@2 s9@0 b10@2 b3@0 s10@1 b10@2")
    assert (game.turn, game.asked) == (0, (1, ["pao", "pass"]))
    game.play("pao" if take else "pass")
    if take:
        assert game.river[3:7] == ["2 b10*", "2 b10*", "0 b3*", "2 b10*"]
        assert game.melds(1)[:3] == ["ti s10", "pao s9", "wei s8"]
    else:
        assert game.river[3:6] == ["2 b10*", "0 s9*", "2 b10*"]
        assert game.melds(1)[:2] == ["ti s10", "wei s8"]
    assert game.dead(1)


@pytest.mark.parametrize("token", ["s1", "s8"])
def test_dead_seat_may_pao_a_discard(table: NewTable, token: str) -> None:
    """P4.7: of a kan or of its wei; the dealer makes a wei of b7 and discards; seat 2 reveals after the pao."""
    game = poor_table(table, f"b7 b7 {token}", "b10@2 b7@0 b10@2")
    assert (game.seat, game.state.phase) == (0, Phase.DISCARD)
    game.play(f"discard {token}")
    assert game.asked == (1, ["pao", "pass"])
    game.play("pao")
    assert game.river[3:5] == ["2 b10*", "2 b10*"]
    assert f"pao {token}" in game.melds(1)


def test_dead_seat_does_not_win(table: NewTable) -> None:
    """P4.7: with two pao and a wei of enough huxi it is asked for the pao only."""
    game = poor_table(table, "", "s9@2 s1@2 s8@2")
    for token in ("s9", "s1", "s8"):
        assert game.asked == (1, ["pao", "pass"])
        assert game.state.card == KIND[token]
        game.play("pao")
    assert game.huxi(1) == 6 * 3 + 3


# ---- P5: chi and bi


CHI = [  # the card, what else is in hand, all ways to chi it
    ("s5", "s3 s4", "s3s4s5"),
    ("s5", "s4 s6", "s4s5s6"),
    ("s5", "s6 s7", "s5s6s7"),
    ("s5", "b5 b5", "s5b5b5"),
    ("s5", "s5 b5", "s5s5b5"),
    ("b5", "b3 b4", "b3b4b5"),
    ("b5", "b4 b6", "b4b5b6"),
    ("b5", "b6 b7", "b5b6b7"),
    ("b5", "s5 s5", "s5s5b5"),
    ("b5", "s5 b5", "s5b5b5"),
    ("s1", "s2 s3", "s1s2s3"),
    ("s10", "s8 s9", "s8s9s10"),
    ("b1", "b2 b3", "b1b2b3"),
    ("b10", "b8 b9", "b8b9b10"),
    ("s2", "s7 s10", "s2s7s10"),
    ("s7", "s2 s10", "s2s7s10"),
    ("s10", "s2 s7", "s2s7s10"),
    ("b2", "b7 b10", "b2b7b10"),
    ("b7", "b2 b10", "b2b7b10"),
    ("b10", "b2 b7", "b2b7b10"),
    ("s5", "s3 s4 s6 s7", "s3s4s5 s4s5s6 s5s6s7"),
    ("s2", "s1 s3 s4 s7 s10", "s1s2s3 s2s3s4 s2s7s10"),
    ("s5", "s4 s6 b5 b5", "s4s5s6 s5b5b5"),
    # Bi: one copy more, all in sorted groups.
    ("s5", "s5 s3 s4 s6 s7", "s3s4s5+s5s6s7"),
    ("s5", "s5 s3 s4 s4 s6 s6 s7", "s3s4s5+s4s5s6 s3s4s5+s5s6s7 s4s5s6+s4s5s6 s4s5s6+s5s6s7"),
    ("s5", "s5 b5 b5 s6 s7", "s5s5b5 s5s6s7+s5b5b5"),
    ("s2", "s2 s7 s10 s3 s4", "s2s3s4+s2s7s10"),
    ("s10", "s10 s8 s9 b10 b10", "s10s10b10 s8s9s10+s10b10b10"),
    ("b10", "b10 b8 b9 s10 s10", "s10b10b10 s10s10b10+b8b9b10"),
    # Bi: two copies more (the peng is passed).
    ("s5", "s5 s5 b5 s6 s7", "s5s5b5+s5s6s7"),
    ("s5", "s5 s5 s3 s4 s4 s6 s6 s7", "s3s4s5+s4s5s6+s5s6s7"),
    ("s5", "s5 s5 b5 b5 s6 s6 s7", "s5s5b5+s5s6s7"),
    ("s5", "s5 s5 b5 b5 s4 s6 s6 s7", "s4s5s6+s5s5b5 s4s5s6+s5s6s7+s5b5b5 s5s5b5+s5s6s7"),
    # No chi.
    ("s5", "s5 s6 s7", ""),
    ("s5", "s5 b5 b5", "s5s5b5"),
    ("s5", "s5 s5 s6 s7", ""),
    ("s5", "s5 s5 b5", ""),
    ("s5", "s5 s5 b5 b5", ""),
    ("s5", "s4 s4 s4 s6", ""),  # a kan of another card of the group
    ("s5", "b5 b5 b5", ""),
    ("s10", "s1 s2", ""),
    ("s9", "s10 s1", ""),
    ("s10", "s9 b1", ""),
    ("s9", "s10 b1", ""),
    ("s5", "s6 b7", ""),
    ("s5", "b4 b6", ""),
    ("s1", "s5 s10", ""),
    ("s2", "s7 b10", ""),
]


# Each of a discard and, unless the own reveal would be a wei, of a reveal.
CHI_CASES = [(*case, False) for case in CHI]
CHI_CASES += [(card, held, ways, True) for card, held, ways in CHI if held.split().count(card) < 2]


@pytest.mark.parametrize(("card", "held", "ways", "revealed"), CHI_CASES)
def test_chi_and_bi(table: NewTable, card: str, held: str, ways: str, revealed: bool) -> None:
    """P5.1-P5.3: all ways, each a different action, named by sorted groups.

    P5.2, Reading: a mix of two of the claimed kind uses up one copy, and as a further group two.
    """
    if revealed:
        first = "s9" if card[1:] not in ("9", "10", "7", "2") else "b5"
        game = table(first, held, stock=f"{card}@1", shown=f"{first}@1")
        game.play(f"discard {first}")
        before = [f"0 {first}"]
    else:
        game = table(card, held, stock="", shown=f"{card}@1")
        game.play(f"discard {card}", *["pass"] * (held.split().count(card) == 2))
        before = []
    words = sorted(f"chi {way}" for way in ways.split())
    if not words:
        assert game.river[: len(before) + 1] == [*before, f"1 {card}*" if revealed else f"0 {card}"]
        return
    assert game.asked == (1, [*words, "pass"])
    actions = {parse_action(paohuzi, word, KIND[card]) for word in words}
    assert len(actions) == len(words)
    assert min(actions) >= FIRST_CHI
    game.play(words[-1])
    groups = words[-1].removeprefix("chi ").split("+")
    assert game.melds(1) == [f"chi {group}" for group in groups]
    assert card not in game.hand(1)
    assert len(game.hand(1)) == 20 - 3 * len(groups) + 1
    assert (game.asked, game.state.phase) == ((1, []), Phase.DISCARD)


@pytest.mark.nojit
def test_same_word_for_different_cards() -> None:
    """P5.3: the words name the groups; which action that is depends on the card claimed."""
    for word, cards in (("chi s3s4s5", "s3 s4 s5"), ("chi s2s7s10", "s2 s7 s10"), ("chi s5b5b5", "s5 b5")):
        for card in cards.split():
            action = parse_action(paohuzi, word, KIND[card])
            assert action >= FIRST_CHI
            assert paohuzi.action_name(action, KIND[card]) == word
        with pytest.raises(ValueError, match="is no action about"):
            parse_action(paohuzi, word, KIND["b9"])
    assert len({parse_action(paohuzi, "chi s3s4s5", KIND[card]) for card in ("s3", "s4", "s5")}) == 3


@pytest.mark.parametrize(("card", "held"), [("s3", "s4 s5"), ("s4", "s3 s5"), ("s5", "s3 s4")])
def test_same_word_in_play(table: NewTable, card: str, held: str) -> None:
    """P5.3: three cards, one word, one meld."""
    game = table(card, held, shown=f"{card}@1")
    game.play(f"discard {card}")
    assert game.asked == (1, ["chi s3s4s5", "pass"])
    game.play("chi s3s4s5")
    assert game.melds(1) == ["chi s3s4s5"]


def test_kan_of_the_claimed_kind_bars_the_chi(table: NewTable) -> None:
    """P5.2: the pao passed, no chi follows, though s6 s7 are loose."""
    game = table("s5", "s5 s5 s5 s6 s7", stock="b9@1", shown="s5@1")
    game.play("discard s5")
    assert game.asked == (1, ["pao", "pass"])
    game.play("pass")
    assert game.river[0] == "0 s5"
    assert game.locked(1) == []


def test_bi_concerns_the_claimed_kind_only(table: NewTable) -> None:
    """P5.2: further copies of the other cards of the group stay in hand."""
    game = table("s5", "s6 s6 s7 s7", shown="s5@1")
    game.play("discard s5")
    assert game.asked == (1, ["chi s5s6s7", "pass"])
    game.play("chi s5s6s7")
    assert [token for token in game.hand(1) if token in ("s6", "s7")] == ["s6", "s7"]


def test_chi_that_bi_bars_locks_nothing(table: NewTable) -> None:
    """P5.2, P6.1: it was not offered."""
    game = table("s5", "s5 s6 s7", stock="b9@1", shown="s5@1")
    game.play("discard s5")
    assert game.river[0] == "0 s5"
    assert game.locked(1) == []


# ---- P6: locks


def test_own_discard_is_locked(table: NewTable) -> None:
    """P6.1: the dealer may not chi the kind that it discarded; who discarded another may."""
    for first, asked in (("s5", False), ("s9", True)):
        game = table(f"{first} s6 s7", stock="b9@1 b9@2 s5@0", shown=f"{first}@1")
        game.play(f"discard {first}")
        assert game.locked(0) == [first]
        assert (game.turn == 0 and game.asked == (0, ["chi s5s6s7", "pass"])) == asked
        assert ("0 s5*" in game.river) == (not asked)


def test_refused_chi_is_locked(table: NewTable) -> None:
    """P6.1: the discard refused, seat 1 may not chi the same kind that it reveals; another card it may."""
    game = table("s5", "s6 s7", stock="s5@1 b9@2 b9@0 s8@1", shown="s5@1")
    game.play("discard s5")
    assert game.asked == (1, ["chi s5s6s7", "pass"])
    assert game.locked(1) == []
    game.play("pass")
    assert game.locked(1) == ["s5"]
    assert game.river[:4] == ["0 s5", "1 s5*", "2 b9*", "0 b9*"]
    assert game.asked == (1, ["chi s6s7s8", "pass"])  # only the claimed kind is locked


def test_refused_chi_of_a_reveal_is_locked(table: NewTable) -> None:
    """P6.1."""
    game = table("s9", "s6 s7", stock="s5@1 b9@2 b9@0 s5@1", shown="s9@1")
    game.play("discard s9")
    assert game.asked == (1, ["chi s5s6s7", "pass"])
    game.play("pass")
    assert game.locked(1) == ["s5"]
    assert game.river[:5] == ["0 s9", "1 s5*", "2 b9*", "0 b9*", "1 s5*"]


def second_s5(table: NewTable, first: str, second: str) -> Table:
    """The dealer discards this card, then seat 1, after a wei, s5; nobody takes the first."""
    game = table(first, "b9 b9 s5", second, stock="b9@1", shown=f"{first}@1 s5@1 s5@2")
    game.play(f"discard {first}")
    while game.turn == 0:
        game.play("pass")
    assert (game.asked, game.melds(1)) == ((1, []), ["wei b9"])
    game.play("discard s5")
    return game


def test_refused_peng_bars_peng_and_chi(table: NewTable) -> None:
    """P6.1; P6.3, Reading: a passed peng also bars a chi."""
    held = "s5 s5 b5 s6 s7"
    game = second_s5(table, "s10", held)
    assert game.asked == (2, ["pass", "peng"])
    game.play("pass")
    assert game.asked == (2, ["chi s5s5b5+s5s6s7", "pass"])
    game = second_s5(table, "s5", held)
    assert game.locked(2) == ["s5"]
    assert game.river[:2] == ["0 s5", "1 s5"]


def test_refused_chi_bars_the_peng(table: NewTable) -> None:
    """P6.3, Reading: seat 1 passes peng and chi of the first s5, and may not peng that of seat 2."""
    game = table("s5", "s5 s5 b5 s6 s7", "b9 b9 s5", stock="b10@1 b9", shown="s5@1 s5@0")
    game.play("discard s5", "pass", "pass")
    assert game.locked(1) == ["s5"]
    assert (game.asked, game.melds(2)) == ((2, []), ["wei b9"])
    game.play("discard s5")
    assert game.river[:3] == ["0 s5", "1 b10*", "2 s5"]


def test_passed_peng_and_taken_chi_is_no_refusal(table: NewTable) -> None:
    """P6.1; P6.3, Reading: of the same card; nothing is locked, and the kind may be chi'd later."""
    game = table("s5", "s5 s5 b5 s6 s7 s3 s4 b10", stock="b9@2 b9@0 s5", shown="s5@2 b10@2")
    game.play("discard s5", "pass")
    assert game.locked(1) == []
    game.play("chi s5s5b5+s5s6s7")
    assert game.locked(1) == []
    game.play("discard b10")
    assert game.locked(1) == ["b10"]
    assert game.asked == (1, ["chi s3s4s5", "pass"])


def test_refusal_locks_when_the_card_is_settled(table: NewTable) -> None:
    """P6.1: seat 2 passes the peng; it is locked after seat 1 has answered, before that discards."""
    game = table("s5", "s6 s7", "s5 s5", shown="s5@1")
    game.play("discard s5", "pass")
    assert (game.asked, game.locked(2)) == ((1, ["chi s5s6s7", "pass"]), [])
    game.play("chi s5s6s7")
    assert (game.asked, game.state.phase) == ((1, []), Phase.DISCARD)
    assert (game.locked(1), game.locked(2)) == ([], ["s5"])
    game = table("s5", "s6 s7", "s5 s5", stock="b9@1", shown="s5@1")
    game.play("discard s5", "pass", "pass")
    assert (game.locked(0), game.locked(1), game.locked(2)) == (["s5"], ["s5"], ["s5"])


def test_seat_that_was_not_asked_is_not_locked(table: NewTable) -> None:
    """P6.1; P6.3, Reading: seat 2 pengs first; seat 1 may chi the fourth card when it reveals it."""
    game = table("s5", "s6 s7", "s5 s5 b10", stock="b9@0 s5@1", shown="s5@1 b10@0")
    game.play("discard s5", "peng")
    assert (game.locked(1), game.locked(2)) == ([], [])
    game.play("discard b10")
    assert (game.turn, game.asked) == (1, (2, ["pao", "pass"]))
    game.play("pass")
    assert game.locked(2) == ["b10"]  # P6.2: passing a pao locks nothing
    assert game.asked == (1, ["chi s5s6s7", "pass"])


def test_seat_without_a_peng_is_not_locked(table: NewTable) -> None:
    """P6.1: who could not claim the card has refused nothing."""
    game = table("s5", "s6 s8", "s5", stock="b9@1", shown="s5@1")
    game.play("discard s5")
    assert (game.locked(1), game.locked(2)) == ([], [])


def test_locks_do_not_bar_a_wei(table: NewTable) -> None:
    """P6.2: seat 1 refused the peng of s5, and reveals the next. (By the card counts no ti or pao meets a lock.)"""
    game = table("s5", "s5 s5", stock="s5", shown="s5@1")
    game.play("discard s5", "pass")
    assert game.locked(1) == ["s5"]
    assert game.melds(1) == ["wei s5"]
    assert (game.asked, game.state.phase) == ((1, []), Phase.DISCARD)


def test_locks_do_not_bar_a_win(table: NewTable) -> None:
    """P6.2: seat 1 refused the chi of b3, and wins with the next; having passed that, it may still not chi it."""
    game = table("b3", WAITS_FOR_B3, stock="b3@1", shown="b3@1")
    game.play("discard b3")
    assert game.asked == (1, ["chi b1b2b3", "pass"])
    game.play("pass")
    assert game.locked(1) == ["b3"]
    assert game.asked == (1, ["pass", "win"])
    game.play("pass")
    assert game.river[:2] == ["0 b3", "1 b3*"]


def test_passing_a_win_locks_nothing(table: NewTable) -> None:
    """P6.2: neither the win with the next such card nor its chi."""
    game = table("s10", "", WAITS_FOR_B3, stock="b3@1 b3", shown="s10@1")
    game.play("discard s10")
    assert (game.turn, game.asked) == (1, (2, ["pass", "win"]))
    game.play("pass")
    assert game.locked(2) == []
    assert (game.turn, game.asked) == (2, (2, ["pass", "win"]))
    game.play("pass")
    assert game.asked == (2, ["chi b1b2b3", "pass"])


def test_passing_a_pao_of_a_kan_locks_nothing(table: NewTable) -> None:
    """P6.2."""
    game = table("s5", "", "s5 s5 s5", stock="b9@1", shown="s5@1")
    game.play("discard s5", "pass")
    assert game.locked(2) == []
