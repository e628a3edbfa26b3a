"""The end of a hand: returned chips, pots, who wins what, and who shows (RULES 5 and 7)."""

from razz_env._jit import inlined, kernel
from razz_env.rules.betting import count_live, next_seat
from razz_env.rules.lowball import WORST_LOW, count_rank, low_key
from razz_env.rules.record import DOWN_CARDS, MUCKED, SHOWN, UP_CARDS, Record

# Numbers of options: indices of house_rules.CHOICES.
ODD_TO_HIGH_SUIT, ODD_TO_FIRST_SEAT = 0, 2
ORDER_BY_AGGRESSOR, ORDER_BY_SEAT = 0, 1


@kernel
def matched_level(public: Record) -> int:
    """The most that two seats have put in: what a live seat has above it, nobody matched."""
    most, second = 0, 0
    for seat in range(public.num_seats):
        chips = public.total_chips[seat]
        second = max(second, min(most, chips))
        most = max(most, chips)
    return second


@kernel
def returned_chips(public: Record, seat: int) -> int:
    """Chips that no opponent matched and a live seat gets back before the pots are made."""
    return public.total_chips[seat] - in_pots(public, seat, matched_level(public))


@inlined
def in_pots(public: Record, seat: int, matched: int) -> int:
    """Chips of a seat that stay in the pots; `matched` is the `matched_level`."""
    chips = public.total_chips[seat]
    return min(chips, matched) if public.live[seat] else chips


@kernel
def next_pot_level(public: Record, level: int) -> int:
    """Smallest contribution of a live seat above `level`: the top of the next pot; 0 if none."""
    top, matched = 0, matched_level(public)
    for seat in range(public.num_seats):
        chips = in_pots(public, seat, matched)
        if public.live[seat] and chips > level and (top == 0 or chips < top):
            top = chips
    return top


@kernel
def pot_chips(public: Record, bottom: int, top: int) -> int:
    """Chips of the pot between two contribution levels.

    What folded seats put in above the highest live contribution joins the last pot.
    """
    last, matched = next_pot_level(public, top) == 0, matched_level(public)
    chips = 0
    for seat in range(public.num_seats):
        paid = in_pots(public, seat, matched)
        chips += max(paid - bottom, 0) if last else min(max(paid, bottom), top) - bottom
    return chips


@kernel
def rake(public: Record) -> int:
    """Chips that the house takes from all pots together, rounded down, at most the cap."""
    if public.rules.rake_basis_points == 0:
        return 0
    chips, matched = 0, matched_level(public)
    for seat in range(public.num_seats):
        chips += in_pots(public, seat, matched)
    share = public.rules.rake_basis_points
    chips = chips // 10_000 * share + chips % 10_000 * share // 10_000  # without overflow
    return min(chips, public.rules.rake_cap) if public.rules.rake_cap > 0 else chips


@kernel
def pot_rake(public: Record, bottom: int, top: int) -> int:
    """The part of the rake that comes from one pot: the main pot pays first."""
    if public.rules.rake_basis_points == 0:
        return 0
    lower, matched = 0, matched_level(public)
    for seat in range(public.num_seats):
        lower += min(in_pots(public, seat, matched), bottom)
    return min(max(rake(public) - lower, 0), pot_chips(public, bottom, top))


@kernel
def is_eligible(public: Record, seat: int, top: int) -> bool:
    """Whether a seat can win the pot whose top contribution level is `top`."""
    return public.live[seat] == 1 and public.total_chips[seat] >= top


@kernel
def _count_cards(hand: Record, seat: int) -> int:
    counts = 0
    for place in range(UP_CARDS):
        if hand.public.up[seat, place] >= 0:
            counts = count_rank(counts, hand.public.up[seat, place])
    for place in range(DOWN_CARDS):
        if hand.down[seat, place] >= 0:
            counts = count_rank(counts, hand.down[seat, place])
    if hand.public.community >= 0:
        counts = count_rank(counts, hand.public.community)
    return counts


@kernel
def evaluate_seats(hand: Record) -> None:
    """Write the low of every live seat into `hand.low`, the worst key for the others."""
    for seat in range(hand.public.num_seats):
        hand.low[seat] = WORST_LOW
        if hand.public.live[seat]:
            hand.low[seat] = low_key(_count_cards(hand, seat))


@kernel
def best_low(hand: Record, top: int) -> int:
    """Key of the best low among the seats eligible for a pot."""
    best = WORST_LOW
    for seat in range(hand.public.num_seats):
        if is_eligible(hand.public, seat, top):
            best = min(best, hand.low[seat])
    return best


@kernel
def wins_pot(hand: Record, seat: int, top: int, best: int) -> bool:
    """Whether a seat is among the winners of a pot whose best low is `best`."""
    return is_eligible(hand.public, seat, top) and hand.low[seat] == best


@kernel
def _highest_played_rank(key: int) -> int:
    high = 0
    for place in range(5):
        high = max(high, (key >> (4 * place)) & 15)
    return high


@kernel
def _odd_chip_card(hand: Record, seat: int) -> int:
    """The card that decides about odd chips, as a number: larger is served first (RULES 5)."""
    wanted_rank = _highest_played_rank(hand.low[seat])
    high, low = -1, 52
    for place in range(UP_CARDS + DOWN_CARDS + 1):
        card = _card_at(hand, seat, place)
        if card < 0:
            continue
        low = min(low, card)
        if card >> 2 == wanted_rank:
            high = max(high, card)
    return high if hand.public.rules.odd_chip == ODD_TO_HIGH_SUIT else 52 - low


@kernel
def _card_at(hand: Record, seat: int, place: int) -> int:
    """Up cards, then down cards, then the community card of a seat; -1 where there is none."""
    if place < UP_CARDS:
        return hand.public.up[seat, place]
    if place < UP_CARDS + DOWN_CARDS:
        return hand.down[seat, place - UP_CARDS]
    return hand.public.community


@kernel
def odd_chips(hand: Record, seat: int, top: int, best: int, odd: int) -> int:
    """How many of a pot's `odd` chips a winner gets: one each in the order of the option."""
    rank, mine = 0, _odd_chip_card(hand, seat)
    for other in range(hand.public.num_seats):
        if other == seat or not wins_pot(hand, other, top, best):
            continue
        if hand.public.rules.odd_chip == ODD_TO_FIRST_SEAT:
            rank += other < seat
        else:
            theirs = _odd_chip_card(hand, other)
            rank += theirs > mine or (theirs == mine and other < seat)
    if hand.public.rules.odd_chip == ODD_TO_FIRST_SEAT:
        return odd if rank == 0 else 0
    return 1 if rank < odd else 0


@kernel
def pot_share(hand: Record, seat: int, bottom: int, top: int) -> int:
    """Chips that a seat wins from the pot between two contribution levels, after rake."""
    best = best_low(hand, top)
    if not wins_pot(hand, seat, top, best):
        return 0
    chips = pot_chips(hand.public, bottom, top) - pot_rake(hand.public, bottom, top)
    return _share(hand, seat, top, best, chips)


@kernel
def _share(hand: Record, seat: int, top: int, best: int, chips: int) -> int:
    """What a winner of a pot of so many chips gets."""
    winners = 0
    for other in range(hand.public.num_seats):
        winners += wins_pot(hand, other, top, best)
    if winners == 1:
        return chips
    return chips // winners + odd_chips(hand, seat, top, best, chips % winners)


@kernel
def _return_unmatched(public: Record) -> None:
    """Give back what nobody matched."""
    matched = matched_level(public)
    for seat in range(public.num_seats):
        public.stack[seat] += public.total_chips[seat] - in_pots(public, seat, matched)


@kernel
def _pay_pots(hand: Record) -> None:
    """Pay pot after pot, from the main pot on."""
    public = hand.public
    bottom = 0
    top = next_pot_level(public, bottom)
    while top > 0:
        best = best_low(hand, top)
        chips = pot_chips(public, bottom, top) - pot_rake(public, bottom, top)
        for seat in range(public.num_seats):
            if wins_pot(hand, seat, top, best):
                public.stack[seat] += _share(hand, seat, top, best, chips)
        bottom = top
        top = next_pot_level(public, bottom)


@kernel
def _pay_last_seat(public: Record) -> None:
    """Everybody else has folded: one seat takes all, without pots and lows."""
    chips, matched = -rake(public), matched_level(public)
    for seat in range(public.num_seats):
        chips += in_pots(public, seat, matched)
    for seat in range(public.num_seats):
        public.stack[seat] += chips * public.live[seat]


@kernel
def first_to_show(public: Record) -> int:
    """Where the showdown begins; from there it goes clockwise over the live seats (RULES 7)."""
    last_aggressor = public.aggressor[public.street - 3]
    if last_aggressor >= 0:
        return last_aggressor
    if public.rules.showdown_order == ORDER_BY_SEAT:
        return 0
    if public.rules.showdown_order == ORDER_BY_AGGRESSOR:
        for street in range(3, -1, -1):
            if public.aggressor[street] >= 0:
                return public.aggressor[street]
    return public.first_to_act


@kernel
def _anyone_all_in(public: Record) -> bool:
    for seat in range(public.num_seats):
        if public.live[seat] and public.stack[seat] == 0:
            return True
    return False


@kernel
def _show_hands(hand: Record) -> None:
    """Losers muck unless somebody is all-in; a low that beats or ties the best so far shows."""
    public = hand.public
    show_all = _anyone_all_in(public)
    best = WORST_LOW
    seat = first_to_show(public)
    for _ in range(public.num_seats):
        if public.live[seat]:
            if show_all or hand.low[seat] <= best:
                best = min(best, hand.low[seat])
                public.shown[seat] = SHOWN
                for place in range(DOWN_CARDS):
                    public.shown_down[seat, place] = hand.down[seat, place]
            else:
                public.shown[seat] = MUCKED
        seat = next_seat(public, seat)


@kernel
def settle(hand: Record) -> None:
    """End the hand: show or muck, pay every pot, return what nobody matched."""
    _return_unmatched(hand.public)
    if count_live(hand.public) > 1:
        evaluate_seats(hand)
        _show_hands(hand)
        _pay_pots(hand)
    else:
        _pay_last_seat(hand.public)
    hand.public.actor = -1
    hand.public.must_open = 0
    hand.public.over = 1
