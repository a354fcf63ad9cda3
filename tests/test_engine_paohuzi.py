"""The compiled engine of Paohuzi clause by clause: the deal, huxi, openings, wins and scores (P1-P3, P7-P9).

Claims, chi and locks (P4-P6) are in test_engine_paohuzi_claims.py.
"""

import random
from collections.abc import Callable

import pytest

from longcards_env import paohuzi
from longcards_env.paohuzi import rules
from longcards_env.paohuzi.state import Phase
from naive_paohuzi import KIND, TOKENS
from table_paohuzi import Table, deck_of

NewTable = Callable[..., Table]

# Cards that a win is made of: 12 + 3 huxi in five groups, and no card of b1 b2 b3 b4 b10 s7 s8 s9 s10.
FIVE_GROUPS = "b5 b5 b5 b9 b9 b9 s1 s2 s3 s4 s5 s6 b6 b7 b8 "
# The same with a ti of b9, 18 + 3 huxi.
TI_AND_FOUR_GROUPS = "b9 " + FIVE_GROUPS
SEVEN_KAN = " ".join(f"{token} {token} {token}" for token in ("s1", "s2", "s3", "b1", "b2", "b3", "b4"))


@pytest.fixture(params=[0, 1, 2])
def table(request: pytest.FixtureRequest) -> NewTable:
    """A table of a deck_of(...), for each dealer (P1.2)."""

    def new(*hands: str, **cards: str) -> Table:
        return Table(deck_of(*hands, **cards), request.param)

    return new


def revealed_to(table: NewTable, hand: str, card: str, own: bool) -> Table:
    """A deal at the first card revealed, seat 1's: the hand is its own, or seat 2's.

    The dealer discards a card that the hand does not hold, and nobody takes it.
    """
    first = next(token for token in ("s9", "b10", "s10", "s8", "b4", "b1", "s7") if token not in [*hand.split(), card])
    hands = (first, hand) if own else (first, "", hand)
    game = table(*hands, stock=card, shown=first)
    game.play(f"discard {first}")
    while game.turn == 0:
        game.play("pass")
    return game


# ---- P1: cards, seats, deck


@pytest.mark.nojit
def test_kinds() -> None:
    """P1.1: small and then big, four copies each."""
    assert paohuzi.TOKENS == [f"{size}{rank}" for size in "sb" for rank in range(1, 11)] == TOKENS
    assert (paohuzi.NUM_KINDS, paohuzi.COPIES, paohuzi.NUM_CARDS) == (20, 4, 80)


@pytest.mark.parametrize("dealer", [0, 1, 2])
@pytest.mark.nojit
def test_deck_is_dealt_in_order(dealer: int) -> None:
    """P1.2, P1.3."""
    deck = random.Random(dealer).sample(TOKENS * 4, 80)
    game = Table(deck, dealer)
    for seat, part in enumerate((deck[0:21], deck[21:41], deck[41:61])):
        assert game.hand(seat) == sorted(part, key=lambda token: KIND[token])
    assert game.stock == deck[61:80]
    assert f"public card: {deck[20]} " in paohuzi.show(game.state)
    assert game.seat == 0


def test_play_passes_from_seat_to_seat(table: NewTable) -> None:
    """P1.2, P4.1: the stock is revealed in the order of the deck."""
    game = table("s9", "", "", stock="s1@1 b6@2 s1@0 b6@1", shown="s9@1")
    game.play("discard s9")
    assert game.river[:5] == ["0 s9", "1 s1*", "2 b6*", "0 s1*", "1 b6*"]


# ---- P2: groups and huxi


@pytest.mark.parametrize(("token", "huxi"), [("s5", 3), ("b5", 6)])
@pytest.mark.nojit
def test_huxi_of_a_kan(table: NewTable, token: str, huxi: int) -> None:
    """P2, P2.1."""
    game = table("", f"{token} {token} {token}")
    assert (game.kan(1), game.huxi(1), game.melds(1)) == ([token], huxi, [])
    assert (game.huxi(0), game.huxi(2)) == (0, 0)


@pytest.mark.parametrize(("token", "huxi"), [("s5", 9), ("b5", 12)])
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_huxi_of_a_dealt_ti(table: NewTable, seat: int, token: str, huxi: int) -> None:
    """P2, P2.2, P2.3: exposed at once, and a four-group."""
    hands = ["", "", ""]
    hands[seat] = f"{token} {token} {token} {token}"
    game = table(*hands)
    assert (game.melds(seat), game.huxi(seat), game.fours(seat)) == ([f"ti {token}"], huxi, 1)
    assert token not in game.hand(seat)
    assert game.kan(seat) == []
    assert game.owed(seat) == 0


@pytest.mark.parametrize(("token", "huxi"), [("s5", 9), ("b5", 12)])
def test_huxi_of_a_ti_of_a_kan(table: NewTable, token: str, huxi: int) -> None:
    """P2, P2.1, P2.3: the whole kan becomes the ti, and its huxi are the ti's."""
    game = table("s9", f"{token} {token} {token}", stock=token, shown="s9")
    game.play("discard s9")
    assert (game.melds(1), game.kan(1), game.huxi(1), game.fours(1)) == ([f"ti {token}"], [], huxi, 1)


@pytest.mark.parametrize(("token", "huxi"), [("s5", 6), ("b5", 9)])
def test_huxi_of_a_pao_of_a_kan(table: NewTable, token: str, huxi: int) -> None:
    """P2, P2.1, P2.3."""
    game = table(token, f"{token} {token} {token}", shown=token)
    game.play(f"discard {token}", "pao")
    assert (game.melds(1), game.kan(1), game.huxi(1), game.fours(1)) == ([f"pao {token}"], [], huxi, 1)


@pytest.mark.parametrize(("token", "huxi"), [("s5", 3), ("b5", 6)])
def test_huxi_of_a_wei(table: NewTable, token: str, huxi: int) -> None:
    """P2; P2.3: no four-group."""
    game = table("s9", f"{token} {token}", stock=token, shown="s9")
    game.play("discard s9")
    assert (game.melds(1), game.huxi(1), game.fours(1)) == ([f"wei {token}"], huxi, 0)
    assert token not in game.hand(1)


@pytest.mark.parametrize(("token", "huxi"), [("s5", 1), ("b5", 3)])
def test_huxi_of_a_peng(table: NewTable, token: str, huxi: int) -> None:
    """P2; P2.3: no four-group."""
    game = table(token, f"{token} {token}", shown=token)
    game.play(f"discard {token}", "peng")
    assert (game.melds(1), game.huxi(1), game.fours(1)) == ([f"peng {token}"], huxi, 0)
    assert token not in game.hand(1)


@pytest.mark.parametrize(("token", "huxi"), [("s5", 6), ("b5", 9)])
@pytest.mark.parametrize("before", ["peng", "wei"])
def test_huxi_of_a_pao_of_a_meld(table: NewTable, before: str, token: str, huxi: int) -> None:
    """P2, P2.3: the meld's own huxi go."""
    if before == "peng":
        game = table(token, f"{token} {token} s9", stock=f"{token}@2", shown="s9@2")
        game.play(f"discard {token}", "peng")
    else:
        game = table("b1", f"{token} {token} s9", stock=f"{token} {token}@2", shown="b1@1 s9@2")
        game.play("discard b1")
    assert game.melds(1) == [f"{before} {token}"]
    game.play("discard s9", "pao")
    assert (game.melds(1), game.huxi(1), game.fours(1)) == ([f"pao {token}"], huxi, 1)


@pytest.mark.parametrize(
    ("group", "huxi"),
    [
        ("s1 s2 s3", 3),
        ("b1 b2 b3", 6),
        ("s2 s7 s10", 3),
        ("b2 b7 b10", 6),
        ("s2 s3 s4", 0),
        ("b2 b3 b4", 0),
        ("s8 s9 s10", 0),
        ("b8 b9 b10", 0),
        ("s2 s2 b2", 0),
        ("s2 b2 b2", 0),
    ],
)
@pytest.mark.parametrize("claimed", [0, 2])
def test_huxi_of_a_chi(table: NewTable, group: str, huxi: int, claimed: int) -> None:
    """P2: runs, 2-7-10 and mixes, whichever card is claimed (the double of a mix, or its single, or one of two)."""
    cards = group.split()
    token = cards.pop(claimed)
    game = table(token, " ".join(cards), shown=token)
    word = "chi " + group.replace(" ", "")
    game.play(f"discard {token}", *["pass"] * ("peng" in game.legal), word)
    assert (game.melds(1), game.huxi(1)) == ([word], huxi)


def test_kan_is_locked(table: NewTable) -> None:
    """P2.1: its cards are not discarded, and not used in a chi or a peng; the whole kan may become a pao."""
    game = table("s5 s5 s5 b2", "s4 s4 s4 s6 s3 b1 b1 b1 b3", stock="s5@1", shown="b2@1")
    assert "s5" not in game.discards
    game.play("discard b2")
    assert game.river == ["0 b2"]  # no b1 b2 b3
    assert game.asked == (0, ["pao", "pass"])  # s5, revealed by seat 1: no peng
    game.play("pass")
    assert game.river[:2] == ["0 b2", "1 s5*"]  # neither s3 s4 s5 nor s4 s5 s6
    assert game.kan(1) == ["s4", "b1"]


@pytest.mark.parametrize(("fours", "asked"), [("s4 s4 s4", False), ("s4 s4", True)])
def test_kan_makes_no_chi_of_neighbours(table: NewTable, fours: str, asked: bool) -> None:
    """P2.1: with s6 and a pair of s4 a seat may chi s5, with s6 and a kan it may not."""
    game = table("s5", f"{fours} s6", stock="b9@1", shown="s5@1")
    game.play("discard s5")
    if asked:
        assert game.asked == (1, ["chi s4s5s6", "pass"])
    else:
        assert game.river[0] == "0 s5"


def test_three_dealt_are_a_kan_even_if_a_run_needs_them(table: NewTable) -> None:
    """P2.1: after a discard and a chi the kan is as it was."""
    game = table("s5", "s6 s7 s7 s7 s3 s4 b9", shown="s5 b9")
    game.play("discard s5")
    assert game.asked == (1, ["chi s3s4s5", "chi s4s5s6", "pass"])
    game.play("chi s3s4s5")
    assert "s7" not in game.discards
    assert game.kan(1) == ["s7"]


# ---- P3.1: heavenly wins


THREE_TI = "s1 s1 s1 s1 b1 b1 b1 b1 s2 s2 s2 s2 "
FIVE_KAN = "s3 s3 s3 s4 s4 s4 s5 s5 s5 b3 b3 b3 b4 b4 b4 "


@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize(
    ("hand", "huxi"),
    [
        (THREE_TI, 30),  # 9 + 12 + 9
        (THREE_TI + "b2 b2 b2 s6 s6 s6", 39),
        (FIVE_KAN, 21),  # 3 * 3 + 2 * 6
        (FIVE_KAN + "s6 s6 s6 s6", 30),
        (FIVE_KAN + "b6 b6 b6 b6", 33),
        (FIVE_KAN + "b6 b6 b6", 27),
        ("s1 s1 s1 s2 s2 s2 s3 s3 s3 s4 s4 s4 s5 s5 s5", 15),
    ],
)
def test_heavenly_win(table: NewTable, hand: str, huxi: int, seat: int) -> None:
    """P3.1, Reading: the huxi of all ti and kan, whichever condition holds; the other cards need no groups."""
    hands = ["", "", ""]
    hands[seat] = hand
    game = table(*hands)
    assert (game.asked, game.state.phase) == ((seat, ["pass", "win"]), Phase.HEAVENLY)
    game.play("win")
    assert game.ended() == (seat, "heavenly", None, huxi)
    assert game.points() == [(2 if each == seat else -1) * (1 + (huxi - 15) // 3) for each in range(3)]


@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("hand", ["s1 s1 s1 s1 b1 b1 b1 b1 b3 b3 b3 b4 b4 b4 s5 s5 s5 s6 s6 s6", FIVE_KAN[:36]])
def test_no_heavenly_win(table: NewTable, hand: str, seat: int) -> None:
    """P3.1: two ti and four kan are not enough, nor are four kan."""
    hands = ["", "", ""]
    hands[seat] = hand
    game = table(*hands)
    assert (game.state.phase != Phase.HEAVENLY) or game.seat != seat
    assert game.state.winner == -1


def test_heavenly_wins_are_asked_from_the_dealer(table: NewTable) -> None:
    """P3.1; P3.2: when all have passed, the dealer discards."""
    hands = [
        " ".join(f"{token} " * 3 for token in each.split())
        for each in ("s1 s2 s3 s4 s5", "b1 b2 b3 b4 b5", "s6 s7 s8 s9 s10")
    ]
    game = table(*hands)
    for seat in range(3):
        assert game.asked == (seat, ["pass", "win"])
        game.play("pass")
    assert game.asked == (0, [])
    assert (game.state.phase, len(game.stock)) == (Phase.DISCARD, 19)
    for seat in range(3):
        game = table(*hands)
        game.play(*["pass"] * seat, "win")
        assert game.ended()[:2] == (seat, "heavenly")


def test_passing_a_heavenly_win_has_no_effect(table: NewTable) -> None:
    """P3.1: nothing is locked, and the seat wins later."""
    game = table("b10", "", FIVE_KAN + "s8 s9 s10 b8 b9", stock="b7@1", shown="b10@1")
    game.play("pass")
    assert (game.locked(2), game.dead(2), game.owed(2)) == ([], False, 0)
    game.play("discard b10")
    while game.turn == 0:
        game.play("pass")
    assert game.asked == (2, ["pass", "win"])
    game.play("win")
    assert game.ended() == (2, "other_reveal", "b7", 21)


@pytest.mark.parametrize(
    ("hand", "public", "huxi"),
    [(FIVE_KAN[3:], "s3", 21), (THREE_TI[3:], "s1", 30), (FIVE_KAN[3:] + "s1 s1 s1 ", "s3", 24)],
)
def test_public_card_counts_as_dealt(table: NewTable, hand: str, public: str, huxi: int) -> None:
    """P3.1: it may complete the third ti or the fifth kan."""
    game = table(hand, public=public)
    assert TOKENS[game.state.deck[20]] == public
    assert game.asked == (0, ["pass", "win"])
    game.play("win")
    assert game.ended() == (0, "heavenly", None, huxi)


def test_public_card_makes_a_kan_and_a_ti(table: NewTable) -> None:
    """P2.1, P2.2, P3.1: dealt like the others."""
    assert table("s5 s5", public="s5").kan(0) == ["s5"]
    assert table("s5 s5 s5", public="s5").melds(0) == ["ti s5"]


# ---- P3.2, P3.3: the first discard, waived discards


def test_dealer_discards_first(table: NewTable) -> None:
    """P3.2: any card that is not in a kan."""
    game = table("s5 s5 s5 b1 b1 b1 b1 s7 s7")
    assert game.asked == (0, [])
    assert game.discards == [token for token in TOKENS if token in game.hand(0) and token != "s5"]
    assert len(game.stock) == 19


def test_dealer_with_seven_kan_is_dead(table: NewTable) -> None:
    """P3.2, Reading: its win passed, it has no card to discard; the next seat reveals."""
    game = table(SEVEN_KAN, stock="s9 s9")
    assert game.asked == (0, ["pass", "win"])
    assert not game.dead(0)
    game.play("pass")
    assert game.dead(0)
    assert game.river[:2] == ["1 s9*", "2 s9*"]


def test_dead_dealer_goes_on_with_ti_and_pao(table: NewTable) -> None:
    """P3.2, P4.7: it reveals, makes ti (mandatory) and pao (optional), and discards nothing; it does not win."""
    game = table(SEVEN_KAN, stock="s1@1 s9@1 s2@2 s9@0 s9@1 b4@2")
    game.play("pass")
    assert game.asked == (0, ["pao", "pass"])  # s1, revealed by seat 1
    game.play("pao")  # its first four-group; seat 1 reveals s9, seat 2 s2
    assert game.asked == (0, ["pao", "pass"])
    assert game.river == ["1 s9*"]
    game.play("pass")  # the dealer reveals s9, seat 1 s9, seat 2 b4
    assert game.river == ["1 s9*", "2 s2*", "0 s9*", "1 s9*"]
    assert game.asked == (0, ["pao", "pass"])
    assert game.melds(0) == ["pao s1"]
    game = table(SEVEN_KAN, stock="s9@1 s9@2 b4 s9@1")
    game.play("pass")  # s9, s9, and the dealer's own b4
    assert game.melds(0) == ["ti b4"]
    assert game.river[:3] == ["1 s9*", "2 s9*", "1 s9*"]


def test_two_ti_waive_the_first_discard(table: NewTable) -> None:
    """P3.3, Reading: the dealer's first discard included; the next seat reveals, and later discards are due."""
    game = table("s1 s1 s1 s1 b1 b1 b1 b1 s5 s6 b9", stock="s9@1 s9@2 s4", shown="")
    assert game.owed(0) == 0
    assert game.river == ["1 s9*", "2 s9*"]
    assert game.asked == (0, ["chi s4s5s6", "pass"])
    game.play("chi s4s5s6")
    assert (game.asked, game.state.phase) == ((0, []), Phase.DISCARD)


def test_three_ti_waive_two_discards(table: NewTable) -> None:
    """P3.3, Reading: n - 1 of them; the seat after then reveals."""
    game = table(THREE_TI + "s5 s6 s8 s9 b9", stock="b6@1 b7@2 s4@0 b5@1 b6@2 s10@0")
    assert (game.asked, game.owed(0)) == ((0, ["pass", "win"]), 2)
    game.play("pass")
    assert game.owed(0) == 1
    assert game.asked == (0, ["chi s4s5s6", "pass"])
    game.play("chi s4s5s6")  # waived: seats 1 and 2 reveal
    assert game.owed(0) == 0
    assert game.river == ["1 b6*", "2 b7*", "1 b5*", "2 b6*"]
    assert game.asked == (0, ["chi s8s9s10", "pass"])
    game.play("chi s8s9s10")
    assert (game.asked, game.state.phase) == ((0, []), Phase.DISCARD)


@pytest.mark.parametrize(("ti", "owed"), [("b1 b1 b1 b1", 0), ("b1 b1 b1 b1 b2 b2 b2 b2", 1), (THREE_TI, 2)])
def test_seat_that_is_not_the_dealer_owes(table: NewTable, ti: str, owed: int) -> None:
    """P3.3, Reading: after its peng of the dealer's card, and after its chi; the seat after it then reveals."""
    game = table("s8", f"{ti} s8 s8 s5 s6", stock="b6@2 b7@0 s4@1", shown="s8@1")
    while game.state.phase == Phase.HEAVENLY:
        game.play("pass")
    game.play("discard s8")
    assert (game.asked, game.owed(1)) == ((1, ["pass", "peng"]), owed)
    game.play("peng")
    if owed:
        assert game.river == ["2 b6*", "0 b7*"]  # seat 2 reveals, then the dealer; seat 1 has s4
        assert game.asked == (1, ["chi s4s5s6", "pass"])
        game.play("chi s4s5s6")
    assert game.owed(1) == max(0, owed - 2)
    assert (game.state.phase == Phase.DISCARD and game.seat == 1) == (owed < 2)


def test_later_four_group_uses_nothing_up(table: NewTable) -> None:
    """P3.3, Reading: the count of P4.5 is separate."""
    game = table(
        "s9", "b1 b1 b1 b1 b2 b2 b2 b2 s5 s5 s5 s2 s3 b9", stock="s5@1 s8@2 s9@0 s1@1 s8@2 s10@0", shown="s9@1"
    )
    game.play("discard s9")  # seat 1 makes a ti of s5; seats 2 and 0 reveal
    assert (game.melds(1), game.owed(1), game.river) == (["ti s5", "ti b1", "ti b2"], 1, ["0 s9", "2 s8*", "0 s9*"])
    assert game.asked == (1, ["chi s1s2s3", "pass"])
    game.play("chi s1s2s3")
    assert game.owed(1) == 0
    assert game.river[:5] == ["0 s9", "2 s8*", "0 s9*", "2 s8*", "0 s10*"]


def test_waived_discard_comes_before_death(table: NewTable) -> None:
    """P3.2, P3.3, Reading: a dealer with no card to discard, but two discards waived, is not dead."""
    game = table(THREE_TI + "s8 s8 s8 b8 b8 b8 b9 b9 b9", stock="s5")
    game.play("pass")
    assert (game.dead(0), game.owed(0)) == (False, 1)
    assert game.river[0] == "1 s5*"


# ---- P7.1: ways of winning

WAYS = [  # the last cards of the hand, the winning card, huxi
    ("s7 s8 s9 b1 b2", "b3", 21),  # 1-2-3
    ("s7 s8 s9 b3 b4", "b2", 15),  # another run
    ("s7 s8 s9 b2 b4", "b3", 15),
    ("s8 s9 s10 s2 s7", "s10", 18),  # 2-7-10
    ("s7 s8 s9 b2 b10", "b7", 21),
    ("s7 s8 s9 s10 b10", "s10", 15),  # mix
    ("s7 s8 s9 s10 b10", "b10", 15),
    ("s7 s8 s9 b10 b10", "s10", 15),
]


@pytest.mark.parametrize(("last", "card", "huxi"), WAYS)
@pytest.mark.parametrize("own", [True, False])
def test_win_in_a_run_or_mix(table: NewTable, last: str, card: str, huxi: int, own: bool) -> None:
    """P7.1: seven groups and no pair, with an own reveal or another's."""
    game = revealed_to(table, FIVE_GROUPS + last, card, own)
    assert game.asked == (1 if own else 2, ["pass", "win"])
    game.play("win")
    assert game.ended() == (1 if own else 2, "own_reveal" if own else "other_reveal", card, huxi)


def test_win_with_the_pair(table: NewTable) -> None:
    """P7.1, P7.2: with a dealt ti one of the seven groups is a pair, and the card completes it."""
    for own, seat in ((True, 1), (False, 2)):
        game = revealed_to(table, TI_AND_FOUR_GROUPS + "s7 s8 s9 b1", "b1", own)
        assert game.asked == (seat, ["pass", "win"])
        game.play("win")
        assert game.ended()[2:] == ("b1", 21)


@pytest.mark.parametrize(("token", "huxi"), [("s10", 16), ("b10", 18)])
def test_win_with_the_third_of_three(table: NewTable, token: str, huxi: int) -> None:
    """P7.1: of another's reveal it makes a peng."""
    game = revealed_to(table, FIVE_GROUPS + f"s7 s8 s9 {token} {token}", token, own=False)
    assert game.asked == (2, ["pass", "win"])
    game.play("win")
    assert game.ended() == (2, "other_reveal", token, huxi)


def test_win_with_the_third_of_three_in_a_run(table: NewTable) -> None:
    """P7.1, P7.3: the two in hand make a mix, the third a run; on an own reveal it would be a wei, and no win."""
    hand = FIVE_GROUPS + "s10 s10 b10 s8 s9"
    game = revealed_to(table, hand, "s10", own=False)
    assert game.asked == (2, ["pass", "win"])
    game.play("win")
    assert game.ended() == (2, "other_reveal", "s10", 15)
    game = revealed_to(table, hand, "s10", own=True)
    assert game.asked == (1, [])
    assert game.melds(1) == ["wei s10"]


def test_win_with_the_third_of_three_as_a_pair(table: NewTable) -> None:
    """P7.1, P7.3: with one of the two in hand it makes the pair, the other stands in a run."""
    game = revealed_to(table, TI_AND_FOUR_GROUPS + "s7 s8 s9 s9", "s9", own=False)
    assert game.asked == (2, ["pass", "win"])
    game.play("win")
    assert game.ended() == (2, "other_reveal", "s9", 21)


# ---- P7.1, P7.2: a pao by the winning card


@pytest.mark.parametrize(("token", "huxi"), [("b5", 18), ("b9", 18)])
def test_win_with_a_pao_of_a_kan(table: NewTable, token: str, huxi: int) -> None:
    """P7.1, P7.2: another's reveal; the four-group that the card makes counts, so that there is a pair."""
    game = revealed_to(table, FIVE_GROUPS + "s7 s8 s9 b1 b1", token, own=False)
    assert game.asked == (2, ["pass", "win"])
    game.play("win")
    assert game.ended() == (2, "other_reveal", token, huxi)


def test_own_reveal_of_the_fourth_is_a_ti(table: NewTable) -> None:
    """P7.1, P7.4: it wins as a ti, after that is made."""
    game = revealed_to(table, FIVE_GROUPS + "s7 s8 s9 b1 b1", "b5", own=True)
    assert (game.asked, game.state.phase) == ((1, ["pass", "win"]), Phase.OWN_WIN)
    assert game.melds(1) == ["ti b5"]
    game.play("win")
    assert game.ended() == (1, "own_reveal", "b5", 21)


def fourth_copy(table: NewTable, meld: str, rest: str, stock: str = "") -> Table:
    """Seat 1 makes a peng or wei and discards s1 or b9; then come these cards of the stock, or the fourth copy.

    rest: the 17 cards that stay in its hand.
    """
    sort, token = meld.split()
    last = next(each for each in ("s1", "b9", "s10", "b4") if each not in [*rest.split(), token])
    first = token if sort == "peng" else next(each for each in ("s9", "b3", "s6") if each not in rest.split())
    front = " ".join([f"{token}@1"] * (sort == "wei")) + " " + (stock or f"{token}@2")
    game = table(first, f"{token} {token} {last} {rest}", stock=front, shown=f"{first}@0 {last}@2")
    game.play(f"discard {first}")
    while sort not in " ".join(game.melds(1)):
        game.play("peng" if "peng" in game.legal else "pass")
    assert (game.melds(1), game.asked) == ([meld], (1, []))
    game.play(f"discard {last}")
    return game


@pytest.mark.parametrize(("meld", "huxi"), [("peng s8", 21), ("peng b3", 24), ("wei s8", 21), ("wei b3", 24)])
@pytest.mark.parametrize("own", [False, True])
def test_win_with_a_pao_of_a_meld(table: NewTable, meld: str, huxi: int, own: bool) -> None:
    """P7.1, P7.2: an exposed wei or peng and the card that anybody reveals; the pair is due then."""
    token = meld.split()[1]
    game = fourth_copy(table, meld, FIVE_GROUPS + "b1 b1", f"b10@2 b10@0 {token}@1" if own else "")
    assert game.turn == (1 if own else 2)
    assert game.asked == (1, ["pass", "win"])
    game.play("win")
    assert game.ended() == (1, "own_reveal" if own else "other_reveal", token, huxi)


@pytest.mark.parametrize(
    ("meld", "rest", "huxi"),
    [
        # The pao is worth more than the card in the partition.
        ("wei b6", "b7 b7 b7 s5 s5 s5 s2 s3 s3 s7 s8 s9 b2 b2 b3 b4 b5", 18),
        ("peng s8", "b7 b7 b7 b10 b10 b10 s1 s2 s3 s4 s5 s7 s10 b1 b1 b8 b8", 21),
        # The other way round: the card in 1-2-3 or 2-7-10 is.
        ("wei b1", "s3 s3 s3 b5 b5 b5 s4 s4 s7 s8 s9 s9 b2 b3 b4 b9 b9", 21),
        ("peng b7", "s4 s4 s4 b5 b5 b5 s2 s2 s3 s3 s7 s7 s10 s10 b2 b3 b10", 24),
    ],
)
def test_way_with_the_most_huxi_counts(table: NewTable, meld: str, rest: str, huxi: int) -> None:
    """P7.3, Reading: any way will do, and a fourth copy need not make a pao."""
    game = fourth_copy(table, meld, rest)
    assert game.asked == (1, ["pass", "win"])
    game.play("win")
    assert game.ended() == (1, "other_reveal", meld.split()[1], huxi)


@pytest.mark.parametrize(
    ("hand", "card", "huxi"),
    [
        # As a pao 18, in the partition 15; the other way round 18 and 21.
        ("b10 b10 b10 s9 s9 s9 s6 s6 s6 s1 s1 s2 s3 s7 s7 b1 b1 b7 b8 b9", "b10", 18),
        ("b2 b2 b2 s3 s3 s3 b6 b6 b6 s1 s1 s5 b1 b5 b5 b7 b7 b8 b9 b10", "b2", 21),
        # Only in the partition.
        ("b5 b5 b5 b9 b9 b9 s1 s2 s3 s4 s5 s6 s7 s8 s9 b6 b7 b1 b2 b3", "b5", 21),
        # Two 1-2-3 rather than three mixes with the same cards.
        ("b5 b5 b5 s9 s9 s9 b9 b9 b9 b7 b7 b7 s1 s1 s2 s2 s3 b1 b2 b3", "s3", 33),
    ],
)
def test_partition_with_the_most_huxi_counts(table: NewTable, hand: str, card: str, huxi: int) -> None:
    """P7.3, Reading: a kan that is left as it is, with the fourth card in a run; and the best of all partitions."""
    game = revealed_to(table, hand, card, own=False)
    assert game.asked == (2, ["pass", "win"])
    game.play("win")
    assert game.ended() == (2, "other_reveal", card, huxi)


# ---- P7.1, P7.2: no win


TWO_PENGS = "s8 s8 s1 b5 b5 b5 b9 b9 b9 s4 s5 s6 b6 b7 b8 s10 s10 "


@pytest.mark.parametrize(("last", "huxi", "tun"), [("b2 b3 b4", 0, 0), ("s1 s2 s3", 17, 1), ("b1 b2 b3", 20, 2)])
def test_fourteen_huxi_are_too_few(table: NewTable, last: str, huxi: int, tun: int) -> None:
    """P7.1: 12 of two kan, 1 of each peng; more with 1-2-3. P8.1: the tun of 17 and of 20."""
    game = table("s8", TWO_PENGS + last, stock="s10@2", shown="s1@2")
    game.play("discard s8", "peng", "discard s1")
    assert game.turn == 2
    assert game.asked == (1, ["pass", "win"] if huxi else ["pass", "peng"])
    if huxi:
        game.play("win")
        assert game.ended() == (1, "other_reveal", "s10", huxi)
        assert game.points() == [-tun, 2 * tun, -tun]


@pytest.mark.parametrize(
    ("hand", "card"),
    [
        # Six groups and a pair without a four-group, and a card too many.
        (FIVE_GROUPS + "s8 s8 b8 b1 b1", "b10"),
        # A four-group: b1 b2 b3 is complete, but s9 s10 is no pair.
        ("b9 b9 b9 b9 b5 b5 b5 s1 s2 s3 s4 s5 s6 b6 b7 b8 b1 b2 s9 s10", "b3"),
        # A four-group: s7 s8 s9, but b2 b10 is no pair.
        (TI_AND_FOUR_GROUPS + "s7 s8 b2 b10", "s9"),
        # Two ti of which the waived discard is still owed: one card too few for seven groups.
        ("b9 b9 b9 b9 b5 b5 b5 b5 s1 s2 s3 s4 s5 s6 b6 b7 b8 b2 b3 b4", "b1"),
        # The kan would be a pao, but there is no pair.
        (FIVE_GROUPS + "s7 s8 s9 b1 b10", "b5"),
    ],
)
@pytest.mark.parametrize("own", [True, False])
def test_no_seven_groups(table: NewTable, hand: str, card: str, own: bool) -> None:
    """P7.1, P7.2: exactly seven groups, with exactly one pair if there is a four-group, else none."""
    game = revealed_to(table, hand, card, own)
    assert "win" not in game.legal or len(game.stock) < 18  # of a later card


def test_pair_beside_a_four_group(table: NewTable) -> None:
    """P7.2: with s9 s9 instead of s9 s10 the same hand wins; 12 + 6 + 3 + 6 huxi."""
    game = revealed_to(table, "b9 b9 b9 b9 b5 b5 b5 s1 s2 s3 s4 s5 s6 b6 b7 b8 b1 b2 s9 s9", "b3", own=False)
    assert game.asked == (2, ["pass", "win"])
    game.play("win")
    assert game.ended() == (2, "other_reveal", "b3", 27)


def test_one_pair_beside_two_four_groups(table: NewTable) -> None:
    """P7.2: a dealt ti and one of a kan; 12 + 12 + 3 huxi."""
    game = table("s10", TI_AND_FOUR_GROUPS + "s7 s8 s9 b1", stock="b5@1 b1@2", shown="s10@0")
    game.play("discard s10")
    while game.turn == 0:
        game.play("pass")
    assert (game.melds(1), game.turn) == (["ti b5", "ti b9"], 2)
    assert game.asked == (1, ["pass", "win"])
    game.play("win")
    assert game.ended() == (1, "other_reveal", "b1", 27)


# ---- P7.4: a win after the own ti or wei


OWN = [
    (FIVE_GROUPS + "s7 s8 s9 b1 b1", "b5", "ti", 21),  # the first four-group, and a pair
    (FIVE_GROUPS + "s7 s8 s9 b10 b10", "b10", "wei", 21),  # no four-group, no pair
    (FIVE_GROUPS + "s7 s8 s9 s10 s10", "s10", "wei", 18),
    (TI_AND_FOUR_GROUPS[:-9] + "s7 s8 s9 b10 b10 b1 b1", "b10", "wei", 27),  # a dealt ti, and a pair
]


@pytest.mark.parametrize(("hand", "card", "sort", "huxi"), OWN)
@pytest.mark.parametrize("take", [True, False])
def test_win_after_the_own_meld(table: NewTable, hand: str, card: str, sort: str, huxi: int, take: bool) -> None:
    """P7.4, P4.2: asked when the meld is made; declining, the seat discards (P4.5) and locks nothing."""
    game = revealed_to(table, hand, card, own=True)
    assert (game.asked, game.state.phase) == ((1, ["pass", "win"]), Phase.OWN_WIN)
    assert f"{sort} {card}" in game.melds(1)
    if take:
        game.play("win")
        assert game.ended() == (1, "own_reveal", card, huxi)
    else:
        game.play("pass")
        assert (game.asked, game.state.phase) == ((1, []), Phase.DISCARD)
        assert card not in game.locked(1)


def test_own_wei_or_ti_without_a_win(table: NewTable) -> None:
    """P7.4: a ti without a pair, a wei beside a pair and no four-group, or with too few huxi."""
    for hand, card in (
        (FIVE_GROUPS + "s7 s8 s9 b1 b2", "b5"),
        ("b5 b5 b5 s1 s2 s3 s4 s5 s6 b6 b7 b8 s7 s8 s9 b1 b1 s10 b10 b10", "b10"),
        ("s4 s5 s6 s7 s8 s9 s1 s1 b1 s3 s3 b3 b4 b5 b6 b7 b8 b9 b10 b10", "b10"),  # six groups, 6 huxi
    ):
        game = revealed_to(table, hand, card, own=True)
        assert (game.asked, game.state.phase) == ((1, []), Phase.DISCARD)


# ---- P7.5: no win on a discard


def test_nobody_wins_on_a_discard(table: NewTable) -> None:
    """P7.5, P4.2: a seat that waits for b3 may at most claim it."""
    hand = FIVE_GROUPS + "s7 s8 s9 b1 b2"
    game = table("b3", hand, shown="b3@2")
    game.play("discard b3")
    assert game.asked == (1, ["chi b1b2b3", "pass"])
    game = table("b3", "", hand, stock="b10@1", shown="b3@1")
    game.play("discard b3")
    assert game.river[0] == "0 b3"


def test_the_same_card_revealed_wins(table: NewTable) -> None:
    """P7.5: what the discard did not do, the reveal does."""
    game = table("b3", "", FIVE_GROUPS + "s7 s8 s9 b1 b2", stock="b3@1", shown="b3@1")
    game.play("discard b3")
    assert (game.asked, game.turn) == ((2, ["pass", "win"]), 1)


def test_dealt_cards_do_not_win(table: NewTable) -> None:
    """P7.5, Reading: the dealer's 21 cards make seven groups of 21 huxi, with its public card; it discards."""
    game = table(FIVE_GROUPS + "s7 s8 s9 b1 b2", "", public="b3")
    assert game.asked == (0, [])
    assert game.state.phase == Phase.DISCARD


def test_nobody_wins_on_the_public_card(table: NewTable) -> None:
    """P7.5, Reading: seat 1 waits for it, and is not asked."""
    game = table("", FIVE_GROUPS + "s7 s8 s9 b1 b2", public="b3")
    assert game.asked == (0, [])
    assert game.state.phase == Phase.DISCARD


# ---- P8: score


@pytest.mark.parametrize(("huxi", "tun"), [(15, 1), (17, 1), (18, 2), (20, 2), (21, 3), (23, 3), (24, 4), (39, 9)])
@pytest.mark.nojit
def test_tun(huxi: int, tun: int) -> None:
    """P8.1."""
    assert rules.tun(huxi) == tun


@pytest.mark.parametrize(
    ("hand", "card", "huxi", "tun"),
    [
        (FIVE_GROUPS + "s7 s8 s9 s10 b10", "s10", 15, 1),
        (FIVE_GROUPS + "s7 s8 s9 s10 s10", "s10", 16, 1),
        (FIVE_GROUPS + "s7 s8 s9 b10 b10", "b10", 18, 2),
        (FIVE_GROUPS + "s7 s8 s9 b1 b2", "b3", 21, 3),
    ],
)
def test_points_of_a_win(table: NewTable, hand: str, card: str, huxi: int, tun: int) -> None:
    """P8.1: each opponent pays, whoever revealed the card."""
    game = revealed_to(table, hand, card, own=False)
    game.play("win")
    assert game.ended()[3] == huxi
    assert paohuzi.result(game.state)["tun"] == tun
    assert game.points() == [-tun, -tun, 2 * tun]


# ---- P9: decisions


def test_single_actions_are_no_decisions(table: NewTable) -> None:
    """P9.1: after the peng only s10 is left to discard, twice; it lies there without a decision."""
    hand = "s1 s1 s1 s1 b2 b2 b2 b4 b4 b4 b6 b6 b6 b8 b8 b8 s5 s5 s10 s10"
    game = table("s5", hand, shown="s5@0 s10@2")
    game.play("discard s5", "peng")
    assert game.river[0] == "1 s10"
    assert [word for seat, word in game.judge.decisions] == ["discard s5", "peng"]
    assert game.loose(1) == ["s10"]


def test_same_seat_is_asked_for_win_peng_and_chi(table: NewTable) -> None:
    """P9.2: each step asks separately; here seat 1 is the revealer's next, seat 2 reveals."""
    game = table("b4", FIVE_GROUPS + "s7 s8 s9 b10 b10", stock="b3@1 b10@2", shown="b4@0")
    game.play("discard b4")
    while game.turn != 2:
        game.play("pass")
    assert (game.asked, game.state.phase) == ((1, ["pass", "win"]), Phase.CLAIM_WIN)
    game.play("pass")
    assert (game.asked, game.state.phase) == ((1, ["pass", "peng"]), Phase.CLAIM_MELD)
    game.play("peng")
    assert game.melds(1) == ["peng b10"]


def test_same_seat_is_asked_for_win_and_chi(table: NewTable) -> None:
    """P9.2: an own reveal, of which the chi does not win."""
    game = revealed_to(table, FIVE_GROUPS + "s7 s8 s9 b1 b2", "b3", own=True)
    game.play("pass")
    assert (game.asked, game.state.phase) == ((1, ["chi b1b2b3", "pass"]), Phase.CLAIM_CHI)
    game.play("chi b1b2b3")
    assert (game.asked, game.state.phase) == ((1, []), Phase.DISCARD)


def test_same_seat_is_asked_for_peng_and_chi(table: NewTable) -> None:
    """P9.2: the peng first, and having passed, the chi, with both copies laid out."""
    game = table("s5", "s5 s5 b5 s6 s7", shown="s5@1")
    game.play("discard s5")
    assert (game.asked, game.state.phase) == ((1, ["pass", "peng"]), Phase.CLAIM_MELD)
    game.play("pass")
    assert (game.asked, game.state.phase) == ((1, ["chi s5s5b5+s5s6s7", "pass"]), Phase.CLAIM_CHI)
