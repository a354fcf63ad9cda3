"""The greedy policy: the least distance to a win, and nothing that is not on the table.

It wins when it can, opens, lays hezi aside and declares ready when it can; pongs if its distance falls, kongs if
it does not rise; discards for the least distance, ties by the number of useful cards that it has not seen, then
by the hu it keeps, then by the lowest kind.
"""

import numpy as np

from longcards_env._jit import inline, jit, record_dtype
from longcards_env.bits import lowest
from longcards_env.minplus import equal_entries, every, reversed_from
from longcards_env.nantong import state as st
from longcards_env.nantong.cards import ALL_KINDS, COPIES, END_KIND, FIRST_KIND, NUM_KINDS, NUM_SUITS, SUIT
from longcards_env.nantong.distance import distance, least_together, row_number
from longcards_env.nantong.groups import STEP, keys_of_held
from longcards_env.nantong.rules import GROUPS
from longcards_env.nantong.scoring import hu_in_hand
from longcards_env.nantong.state import Phase
from longcards_env.seats import NONE

_OTHERS = np.array([[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]])  # the suits other than each
_PLAIN, _PAIR = 0, 1  # columns of a row of costs: without and with the pair
_ONE = np.uint64(1)
_FAR = 99  # a distance no hand has


# A hand of 3n + 2 cards from which one is to be discarded, and what all its discards have in common.
_HAND = record_dtype(
    [
        ("keys", "i8", NUM_SUITS),
        ("due", "i8"),  # groups still to be made
        ("numbers", "i8", NUM_SUITS),  # the row of each suit
        ("rests", "u8", (NUM_SUITS, 2)),  # costs of the other suits of each, reversed from the groups due
        ("unseen", "i8", NUM_KINDS),  # copies of each kind that the seat has not seen
        ("lowered", "u8", NUM_KINDS),  # the entries of its suit's row that one more of an unseen kind lowers
    ]
)


@jit
def choose_greedy(state: np.record, low: int, high: int, tables: np.record) -> int:
    """Return the greedy action among the legal ones."""
    phase = state.phase
    if phase == Phase.PREPARE:
        return _prepare(high)
    if low >> st.WIN & 1:
        return st.WIN
    if phase == Phase.CLAIM_MELD:
        return _claim(state, high != 0, tables)
    if phase == Phase.TURN and low >> st.KONG:
        kong = _best_kong(state, low >> st.KONG & ALL_KINDS, tables)
        if kong != NONE:
            return st.KONG + kong
    return st.DISCARD + best_discard(state, tables)


@inline
def _prepare(high: int) -> int:
    """Declare whatever scores (N3.1): open, hezi, ready; else end."""
    declarations = high & ~(1 << st.END - st.OPEN)
    return st.OPEN + lowest(declarations if declarations else high)


@inline
def _claim(state: np.record, may_kong: bool, tables: np.record) -> int:
    """Kong if the distance does not rise, else pong if it falls, else pass."""
    seat, melds = state.seat, state.num_melds[state.seat]
    now = distance(tables, keys_of_held(state.held[seat]), melds)
    if may_kong and _distance_without(state, seat, state.card, 3, melds + 1, tables) <= now:
        return st.CLAIM_KONG
    return st.PONG if _distance_without(state, seat, state.card, 2, melds + 1, tables) < now else st.PASS


@inline
def _best_kong(state: np.record, kinds: int, tables: np.record) -> int:
    """Return the kong that leaves the least distance, if that is not above the present one; else NONE."""
    seat, melds = state.seat, state.num_melds[state.seat]
    least, best = distance(tables, keys_of_held(state.held[seat]), melds) + 1, NONE
    while kinds:
        kind = lowest(kinds)
        kinds &= kinds - 1
        concealed = state.held[seat, 3] >> kind & 1
        after = _distance_without(state, seat, kind, 1 + 3 * concealed, melds + concealed, tables)
        if after < least:
            least, best = after, kind
    return best


@inline
def _distance_without(state: np.record, seat: int, kind: int, copies: int, melds: int, tables: np.record) -> int:
    """Return the distance with these cards taken out of the hand."""
    keys = keys_of_held(state.held[seat])
    keys[SUIT[kind]] -= copies * STEP[kind]
    return distance(tables, keys, melds)


@jit
def best_discard(state: np.record, tables: np.record) -> int:
    """Return the kind to discard from the acting seat's hand of 3n + 2 cards."""
    hand = np.empty(1, _HAND)[0]
    hand.keys[:] = keys_of_held(state.held[state.seat])
    hand.due = GROUPS - state.num_melds[state.seat]
    _fill_rests(hand, tables)
    least, tied = _least_discards(hand, state.held[state.seat, 0], tables)
    if tied & tied - 1 == 0:
        return lowest(tied)
    _fill_unseen(state, hand)
    _fill_lowered(hand, tables)
    return _break_tie(state, hand, tied, least, tables)


@inline
def _rest_row(hand: np.record, a: int, b: int, c: int, tables: np.record) -> tuple[np.uint64, np.uint64]:
    """Return the costs of three suits, by row number, reversed from the groups due: without and with the pair."""
    row = tables.three[tables.two[a, b], c]
    plain, pair = tables.three_rows[row, _PLAIN], tables.three_rows[row, _PAIR]
    return reversed_from(plain, hand.due), reversed_from(pair, hand.due)


@jit
def _fill_rests(hand: np.record, tables: np.record) -> None:
    """Overwrite the numbers and rests of a hand."""
    numbers = hand.numbers
    for suit in range(NUM_SUITS):
        numbers[suit] = row_number(tables, suit, hand.keys[suit])
    for suit in range(NUM_SUITS):
        a, b, c = numbers[_OTHERS[suit, 0]], numbers[_OTHERS[suit, 1]], numbers[_OTHERS[suit, 2]]
        plain, pair = _rest_row(hand, a, b, c, tables)
        hand.rests[suit, _PLAIN], hand.rests[suit, _PAIR] = plain, pair


@jit
def _least_discards(hand: np.record, kinds: int, tables: np.record) -> tuple[int, int]:
    """Return the least distance after a discard of one of these kinds, and the kinds that leave it."""
    least, tied = _FAR, 0
    while kinds:
        kind = lowest(kinds)
        kinds &= kinds - 1
        after = _distance_with(hand, SUIT[kind], hand.keys[SUIT[kind]] - STEP[kind], tables)
        if after < least:
            least, tied = after, 0
        if after == least:
            tied |= 1 << kind
    return least, tied


@inline
def _distance_with(hand: np.record, suit: int, key: int, tables: np.record) -> int:
    """Return the distance of the hand with the cards of one suit changed."""
    row = row_number(tables, suit, key)
    rest_plain, rest_pair = hand.rests[suit, _PLAIN], hand.rests[suit, _PAIR]
    return least_together(rest_plain, rest_pair, tables.rows[row, _PLAIN], tables.rows[row, _PAIR])


@inline
def _fill_unseen(state: np.record, hand: np.record) -> None:
    """Overwrite the unseen copies: those neither face up nor in the seat's hand."""
    held = state.held[state.seat]
    for kind in range(NUM_KINDS):
        in_hand = (held[0] >> kind & 1) + (held[1] >> kind & 1) + (held[2] >> kind & 1) + (held[3] >> kind & 1)
        hand.unseen[kind] = COPIES - state.shown[kind] - in_hand


@inline
def _fill_lowered(hand: np.record, tables: np.record) -> None:
    """Overwrite the entries that each unseen kind lowers, by one: bit 0 of a byte without, bit 1 with the pair."""
    for kind in range(NUM_KINDS):
        hand.lowered[kind] = 0
        if hand.unseen[kind] > 0:
            suit = SUIT[kind]
            row, grown = hand.numbers[suit], row_number(tables, suit, hand.keys[suit] + STEP[kind])
            plain = tables.rows[row, _PLAIN] - tables.rows[grown, _PLAIN]
            hand.lowered[kind] = plain | (tables.rows[row, _PAIR] - tables.rows[grown, _PAIR]) << _ONE


@inline
def _tight(number: int, rest: tuple[np.uint64, np.uint64], least: int, tables: np.record) -> np.uint64:
    """Return the entries of a suit's row that make up the least distance, marked as in `lowered`.

    rest: the reversed costs of the other suits. Only a card that lowers a tight entry lowers the distance.
    """
    plain = equal_entries(rest[_PAIR] + tables.rows[number, _PLAIN], every(least))
    return plain | equal_entries(rest[_PLAIN] + tables.rows[number, _PAIR], every(least)) << _ONE


@jit
def _break_tie(state: np.record, hand: np.record, tied: int, least: int, tables: np.record) -> int:
    """Return the tied discard that leaves most useful unseen cards, then most hu, then the lowest kind."""
    known = np.empty(NUM_KINDS, np.uint64)  # tight entries met so far in the suit
    known_useful = np.empty(NUM_KINDS, np.int64)  # the useful cards of other suits depend on nothing else
    num_known, known_suit = 0, NONE
    best, best_useful, best_lost = NONE, NONE, 0
    while tied:
        kind = lowest(tied)
        tied &= tied - 1
        suit = SUIT[kind]
        if suit != known_suit:
            num_known, known_suit = 0, suit
        number = row_number(tables, suit, hand.keys[suit] - STEP[kind])
        tight = _tight(number, (hand.rests[suit, _PLAIN], hand.rests[suit, _PAIR]), least, tables)
        place = 0
        while place < num_known and known[place] != tight:
            place += 1
        if place == num_known:
            known[place], known_useful[place] = tight, _useful_elsewhere(hand, suit, number, least, tables)
            num_known += 1
        useful = known_useful[place] + _useful_in_suit(hand, kind, least, tables)
        lost = _hu_lost(state, kind)
        if useful > best_useful or (useful == best_useful and lost < best_lost):
            best, best_useful, best_lost = kind, useful, lost
    return best


@jit
def _useful_elsewhere(hand: np.record, suit: int, number: int, least: int, tables: np.record) -> int:
    """Return how many unseen cards of the other suits lower the distance, with this row for the suit."""
    useful = 0
    for place in range(NUM_SUITS - 1):
        other = _OTHERS[suit, place]
        a, b = _OTHERS[suit, (place + 1) % 3], _OTHERS[suit, (place + 2) % 3]
        rest = _rest_row(hand, hand.numbers[a], hand.numbers[b], number, tables)
        tight = _tight(hand.numbers[other], rest, least, tables)
        for kind in range(FIRST_KIND[other], END_KIND[other]):
            if hand.lowered[kind] & tight:
                useful += hand.unseen[kind]
    return useful


@jit
def _useful_in_suit(hand: np.record, kind: int, least: int, tables: np.record) -> int:
    """Return how many unseen cards of the discard's own suit lower the distance after it."""
    suit = SUIT[kind]
    key = hand.keys[suit] - STEP[kind]
    useful = 0
    for other in range(FIRST_KIND[suit], END_KIND[suit]):
        if hand.unseen[other] > 0 and _distance_with(hand, suit, key + STEP[other], tables) < least:
            useful += hand.unseen[other]
    return useful


@inline
def _hu_lost(state: np.record, kind: int) -> int:
    """Return the hu that a discard takes from the hand."""
    held = state.held[state.seat]
    if not held[2] >> kind & 1:
        return 0
    copies = 3 + (held[3] >> kind & 1)
    return hu_in_hand(state, kind, copies) - hu_in_hand(state, kind, copies - 1)
