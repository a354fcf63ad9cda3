"""A slow, literal judge of Paohuzi groups, chi, wins and distances (P1, P2, P5, P7, P8), for checking fast engines."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import NamedTuple

Group = tuple[int, ...]
Partition = tuple[Group, ...]
# A meld: its sort and its kind, or "chi" and the cards of its group.
Meld = tuple[str, int | Group]

# P1.1: 20 kinds in index order, small and then big.
RANKS = 10
TOKENS: list[str] = [f"{size}{rank}" for size in "sb" for rank in range(1, RANKS + 1)]
KIND: dict[str, int] = {token: kind for kind, token in enumerate(TOKENS)}
KINDS = len(TOKENS)
COPIES = 4

# P7.1: groups in a whole winning hand, its pair included, and the huxi that it needs.
GROUPS = 7
LEAST_HUXI = 15

# P2: huxi of a group by its sort, small and big. A scoring run is 1-2-3 or 2-7-10.
HUXI = {
    "ti": (9, 12),
    "pao": (6, 9),
    "wei": (3, 6),
    "kan": (3, 6),
    "peng": (1, 3),
    "scoring": (3, 6),
    "run": (0, 0),
    "mix": (0, 0),
    "pair": (0, 0),
}
SCORING_RANKS = ([1, 2, 3], [2, 7, 10])

# P2.3: the sorts that are four-groups.
FOUR_GROUPS = ("ti", "pao")

# P3.1: so many dealt ti, or so many kan, may win at once.
HEAVENLY_TI = 3
HEAVENLY_KAN = 5

# The distance of a hand that has no arrangement at all.
FAR = 8


def is_big(kind: int) -> bool:
    """Tell whether the kind is a big card (P1.1)."""
    return kind >= RANKS


def rank(kind: int) -> int:
    """Give the rank number 1..10 (P1.1)."""
    return kind % RANKS + 1


def kind_of(size: int, number: int) -> int:
    """Give the kind of a size, 0 small and 1 big, and a rank number (P1.1)."""
    return size * RANKS + number - 1


# ---------------------------------------------------------------------------------------------------------
# Groups and huxi (P2)


def runs() -> list[Group]:
    """List the runs of three consecutive ranks of one size (P2)."""
    return [tuple(kind_of(size, low + step) for step in range(3)) for size in range(2) for low in range(1, 9)]


def two_seven_tens() -> list[Group]:
    """List the two groups 2-7-10 (P2)."""
    return [tuple(kind_of(size, number) for number in (2, 7, 10)) for size in range(2)]


def mixes() -> list[Group]:
    """List the mixes: of one rank, two of one size and one of the other (P2)."""
    found: list[Group] = []
    for number in range(1, RANKS + 1):
        small, big = kind_of(0, number), kind_of(1, number)
        found += [(small, small, big), (small, big, big)]
    return found


# The groups that a chi makes (P5.1): cards in kind order.
CHI_GROUPS: list[Group] = sorted(runs() + two_seven_tens() + mixes())


def sort_of(group: Group) -> str:
    """Name the sort of a group of loose cards; three identical ones score as a peng (P2, P7.1)."""
    if len(group) == 2:
        return "pair"
    if len(set(group)) == 1:
        return "peng"
    if is_big(group[0]) != is_big(group[-1]):
        return "mix"
    return "scoring" if [rank(kind) for kind in group] in SCORING_RANKS else "run"


def sort_huxi(sort: str, kind: int) -> int:
    """Give the huxi of a group of the sort, made of cards of the kind's size (P2)."""
    small, big = HUXI[sort]
    return big if is_big(kind) else small


def group_huxi(group: Group) -> int:
    """Give the huxi of a group of loose cards or of a chi (P2)."""
    return sort_huxi(sort_of(group), group[0])


def meld_huxi(meld: Meld) -> int:
    """Give the huxi of an exposed meld (P2)."""
    sort, what = meld
    return group_huxi(what) if isinstance(what, tuple) else sort_huxi(sort, what)


def four_groups(melds: Sequence[Meld]) -> int:
    """Count a seat's ti and pao (P2.3)."""
    return sum(sort in FOUR_GROUPS for sort, _ in melds)


def without(counts: Sequence[int], group: Group) -> list[int] | None:
    """Take a group's cards out of the counts, or give None when they are not all there."""
    rest = list(counts)
    for kind in group:
        if rest[kind] == 0:
            return None
        rest[kind] -= 1
    return rest


def with_card(counts: Sequence[int], kind: int) -> list[int]:
    """Give the counts with one more card of a kind."""
    more = list(counts)
    more[kind] += 1
    return more


@dataclass
class Seat:
    """One seat's cards: loose hand counts (kan cards apart), kinds of its kan, melds; and what binds it.

    locked: kinds that it may not chi or peng (P6.1); dead (P4.7); owed: waived discards left (P3.3).
    """

    hand: list[int]
    kan: set[int] = field(default_factory=set)
    melds: list[Meld] = field(default_factory=list)
    locked: set[int] = field(default_factory=set)
    dead: bool = False
    owed: int = 0


# ---------------------------------------------------------------------------------------------------------
# Chi and bi (P5)


def chi_choices(hand: Sequence[int], kan: Collection[int], kind: int) -> list[Partition]:
    """List all the groups that one chi of the kind may lay out: every copy in hand must be used (P5.1-P5.3).

    hand counts the loose cards. Every group contains the kind, the table card is in one of them, and all the
    other cards are loose cards. A kind of which a kan is held cannot be chi'd, as its copies are locked (P5.2).
    """
    if kind in kan:
        return []
    table = with_card(hand, kind)
    containing = [group for group in CHI_GROUPS if kind in group]
    found: list[Partition] = []
    for number in range(1, table[kind] + 1):
        for groups in combinations_with_replacement(containing, number):
            cards = [card for group in groups for card in group]
            if cards.count(kind) == table[kind] and all(cards.count(card) <= table[card] for card in cards):
                found.append(groups)
    return sorted(found)


def chi_word(groups: Partition) -> str:
    """Write a chi as an action word, its groups sorted by their kind indices (P5.3)."""
    return "chi " + "+".join("".join(TOKENS[kind] for kind in group) for group in sorted(groups))


def chi_words(hand: Sequence[int], kan: Collection[int], kind: int) -> list[str]:
    """List the action words of all chi of the kind, sorted as strings (P5.3)."""
    return sorted(chi_word(groups) for groups in chi_choices(hand, kan, kind))


# ---------------------------------------------------------------------------------------------------------
# Partitions and wins (P3.1, P7)


def groups_from(kind: int, third: int | None = None) -> list[Group]:
    """List the groups whose lowest card is the given kind; third is the kind that may stand three times (P7.1)."""
    groups: list[Group] = [(kind, kind)]
    groups += [group for group in CHI_GROUPS if group[0] == kind]
    if kind == third:
        groups.append((kind, kind, kind))
    return groups


def split(counts: Sequence[int], groups: int, pairs: int, third: int | None) -> set[Partition]:
    """Split all the cards into so many groups of three and so many pairs, in every way (P7.1).

    The lowest card left must be the lowest card of some group, so only those groups are tried.
    """
    lowest = next((kind for kind in range(KINDS) if counts[kind]), None)
    if lowest is None:
        return {()} if groups == 0 and pairs == 0 else set()
    found: set[Partition] = set()
    for group in groups_from(lowest, third):
        left = (groups, pairs - 1) if len(group) == 2 else (groups - 1, pairs)
        rest = without(counts, group)
        if rest is None or min(left) < 0:
            continue
        for others in split(rest, *left, third):
            found.add(tuple(sorted((group, *others))))
    return found


def partitions(counts: Sequence[int], groups: int, pair: bool, third: int | None = None) -> list[Partition]:
    """List the partitions of all the cards into so many groups, of which exactly one or none is a pair (P7.1, P7.2)."""
    pairs = 1 if pair else 0
    if groups < pairs or sum(counts) != 3 * groups - pairs:
        return []
    return sorted(split(counts, groups - pairs, pairs, third))


def best_partition(counts: Sequence[int], groups: int, pair: bool, third: int | None = None) -> int | None:
    """Give the most huxi of a partition of all the cards into so many groups, or None without any (P7.1, P7.3)."""
    found = partitions(counts, groups, pair, third)
    return max((sum(group_huxi(group) for group in partition) for partition in found), default=None)


def whole_huxi(
    melds: Sequence[Meld], kan: Collection[int], loose: Sequence[int], third: int | None = None
) -> int | None:
    """Give the most huxi of melds, kan and a partition of the loose cards as seven groups, or None (P7.1, P7.2)."""
    pair = four_groups(melds) > 0
    in_hand = best_partition(loose, GROUPS - len(melds) - len(kan), pair, third)
    if in_hand is None:
        return None
    return in_hand + sum(meld_huxi(meld) for meld in melds) + sum(sort_huxi("kan", kind) for kind in kan)


def winning_ways(seat: Seat, kind: int, own_reveal: bool) -> list[tuple[str, int]]:
    """List the ways in which the seat wins with a revealed card, each with its most huxi (P7.1-P7.3).

    The ways are "partition", "kan" (a kan becomes a pao), "wei" and "peng" (the meld becomes a pao). The card
    was not taken by a ti or wei; own_reveal tells whether the seat itself revealed it.
    """
    if seat.dead:  # P4.7
        return []
    third = kind if seat.hand[kind] == 2 and not own_reveal else None
    tried = [("partition", whole_huxi(seat.melds, seat.kan, with_card(seat.hand, kind), third))]
    pao: Meld = ("pao", kind)
    if kind in seat.kan and not own_reveal:
        tried.append(("kan", whole_huxi([*seat.melds, pao], seat.kan - {kind}, seat.hand)))
    for sort in ("wei", "peng"):
        if (sort, kind) in seat.melds:
            melds = [pao if meld == (sort, kind) else meld for meld in seat.melds]
            tried.append((sort, whole_huxi(melds, seat.kan, seat.hand)))
    return [(way, huxi) for way, huxi in tried if huxi is not None and huxi >= LEAST_HUXI]


def win_huxi(seat: Seat, kind: int, own_reveal: bool) -> int | None:
    """Give the most huxi with which the seat wins with a revealed card, or None (P7.1, P7.3)."""
    return max((huxi for _, huxi in winning_ways(seat, kind, own_reveal)), default=None)


def settled_huxi(seat: Seat) -> int | None:
    """Give the most huxi with which the seat wins as it is, after its own mandatory ti or wei, or None (P7.4)."""
    huxi = None if seat.dead else whole_huxi(seat.melds, seat.kan, seat.hand)
    return huxi if huxi is not None and huxi >= LEAST_HUXI else None


def heavenly_huxi(seat: Seat) -> int | None:
    """Give the huxi of a heavenly win, those of all dealt ti and kan, or None without one (P3.1)."""
    if len(seat.melds) < HEAVENLY_TI and len(seat.kan) < HEAVENLY_KAN:
        return None
    return sum(meld_huxi(meld) for meld in seat.melds) + sum(sort_huxi("kan", kind) for kind in seat.kan)


def tun(huxi: int) -> int:
    """Give the tun of a winner's huxi (P8.1)."""
    return 1 + (huxi - LEAST_HUXI) // 3


def points(winner: int, huxi: int) -> list[int]:
    """Give each seat's points: every opponent pays the winner the tun (P8.1)."""
    return [2 * tun(huxi) if seat == winner else -tun(huxi) for seat in range(3)]


# ---------------------------------------------------------------------------------------------------------
# Distance from a win


class Piece(NamedTuple):
    """Cards that stand for a group of an arrangement: the whole group, or all of it but the missing card.

    huxi are those of the group when complete; three identical cards are a peng (P2).
    """

    cards: Group
    missing: int | None
    huxi: int
    pair: bool


def pieces_of(group: Group) -> Iterator[Piece]:
    """List a group, unless it is of three identical cards, and the group less each of its cards (P2)."""
    huxi, pair = group_huxi(group), len(group) == 2
    if sort_of(group) != "peng":
        yield Piece(group, None, huxi, pair)
    for missing in sorted(set(group)):
        cards = list(group)
        cards.remove(missing)
        yield Piece(tuple(cards), missing, huxi, pair)


PENGS: list[Group] = [(kind,) * 3 for kind in range(KINDS)]
PAIRS: list[Group] = [(kind,) * 2 for kind in range(KINDS)]
PIECES: list[Piece] = [piece for group in CHI_GROUPS + PENGS + PAIRS for piece in pieces_of(group)]

# Most groups stand within three ranks. The search goes from rank to rank, so that what is left repeats.
SEARCH_ORDER: list[int] = sorted(range(KINDS), key=lambda kind: (rank(kind), kind))


def strongest_pieces(kind: int) -> list[Piece]:
    """List the pieces that begin with the kind in the order of search, of equal ones only the most huxi."""
    best: dict[tuple[Group, bool, bool], Piece] = {}
    for piece in PIECES:
        if min(piece.cards, key=SEARCH_ORDER.index) != kind:
            continue
        key = (piece.cards, piece.missing is None, piece.pair)
        if key not in best or best[key].huxi < piece.huxi:
            best[key] = piece
    return list(best.values())


PIECES_FROM: list[list[Piece]] = [strongest_pieces(kind) for kind in range(KINDS)]


@lru_cache(maxsize=200_000)
def most_huxi(loose: tuple[int, ...], groups: int, pair: bool) -> tuple[int, ...]:
    """Give the most huxi of arrangements of so many groups, by their number of partials 0..groups, or -1.

    If pair, exactly one of the groups is a pair, else none is. The first loose card is either left over, or
    it is the first card of one of the pieces.
    """
    best = [-1] * (groups + 1)
    if groups == 0:
        return (-1,) if pair else (0,)
    first = next((kind for kind in SEARCH_ORDER if loose[kind]), None)
    if first is None or sum(loose) < 2 * groups - (1 if pair else 0):  # each piece takes two cards, or one of a pair
        return tuple(best)
    best = list(most_huxi((*loose[:first], loose[first] - 1, *loose[first + 1 :]), groups, pair))
    for piece in PIECES_FROM[first]:
        rest = without(loose, piece.cards)
        if rest is None or (piece.pair and not pair):
            continue
        partials = 0 if piece.missing is None else 1
        for others, huxi in enumerate(most_huxi(tuple(rest), groups - 1, pair and not piece.pair)):
            if huxi >= 0:
                best[partials + others] = max(best[partials + others], huxi + piece.huxi)
    return tuple(best)


def distance(loose: Sequence[int], groups: int, pair: bool, need: int) -> int:
    """Give the least number of partials in an arrangement of so many groups with the huxi needed, or FAR.

    loose counts the cards that are not in a kan; groups are those still to be made from them, pair tells
    whether one must be a pair (P7.2), need is what they must still bring to 15 huxi (P7.1). An arrangement
    picks that many disjoint groups, each whole or lacking one card; loose cards may be left over.
    """
    if groups < 0:
        return FAR
    for partials, huxi in enumerate(most_huxi(tuple(loose), groups, pair)):
        if huxi >= max(need, 0):
            return partials
    return FAR


def useful(loose: Sequence[int], groups: int, pair: bool, need: int) -> list[int]:
    """List the kinds that complete a partial of some arrangement of the distance, sorted; none if it is 0 or FAR.

    The huxi of the partial are those of the group that the kind makes of it.
    """
    now = distance(loose, groups, pair, need)
    found: set[int] = set()
    if now in (0, FAR):
        return []
    for piece in PIECES:
        rest = without(loose, piece.cards)
        if piece.missing is None or rest is None or (piece.pair and not pair):
            continue
        others = most_huxi(tuple(rest), groups - 1, pair and not piece.pair)
        if others[now - 1] >= 0 and others[now - 1] + piece.huxi >= need:
            found.add(piece.missing)
    return sorted(found)
