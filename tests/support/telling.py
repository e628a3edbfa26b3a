"""A hand in words, from its events: what the playthrough goldens hold."""

from collections.abc import Iterator

from razz_env import Hand, Street
from razz_env.rules.cards import format_card, format_cards
from razz_env.rules.events import (
    ActionTaken,
    AntePosted,
    CardDealt,
    CommunityDealt,
    Event,
    HandMucked,
    HandShown,
    PotAwarded,
    UncalledReturned,
)


def tell(hand: Hand) -> str:
    """The whole hand, a line for each thing that happened, under a heading for each street."""
    rules = hand.rules
    stakes = f"{rules.ante}/{rules.bring_in}/{rules.small_bet}/{rules.big_bet}"
    lines = [f"stakes {stakes}, stacks {' '.join(map(str, hand.starting_stacks.tolist()))}"]
    lines += _body(hand.events)
    lines.append(f"payoffs {' '.join(f'{chips:+d}' for chips in hand.payoffs.tolist())}")
    return "\n".join(lines) + "\n"


def _body(events: tuple[Event, ...]) -> Iterator[str]:
    street: Street | None = None
    for event in events:
        if isinstance(event, CardDealt) and event.street != street:
            street = event.street
            yield f"-- {street.name.lower()} street --"
        yield _line(event)


def _line(event: Event) -> str:
    match event:
        case AntePosted(seat, chips, all_in):
            return f"seat {seat} antes {chips}{_all_in(all_in)}"
        case CardDealt(seat, _, card, face_up):
            return f"seat {seat} gets {format_card(card)} {'up' if face_up else 'down'}"
        case CommunityDealt(card):
            return f"community card {format_card(card)}"
        case ActionTaken(seat, _, action, chips, to_chips, all_in):
            amount = f" {chips} (to {to_chips})" if chips else ""
            return f"seat {seat} {action.name.lower()}{amount}{_all_in(all_in)}"
        case UncalledReturned(seat, chips):
            return f"{chips} uncalled go back to seat {seat}"
        case HandShown(seat, cards, low):
            return f"seat {seat} shows {format_cards(cards)}: {low.name}"
        case HandMucked(seat):
            return f"seat {seat} mucks"
        case PotAwarded(pot, seat, chips):
            return (
                f"seat {seat} wins {chips} from {'the main pot' if pot == 0 else f'side pot {pot}'}"
            )


def _all_in(all_in: bool) -> str:
    return ", all-in" if all_in else ""
