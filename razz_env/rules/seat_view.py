"""What one seat may know, taken out of a hand's record. The only door from hidden to seen."""

from razz_env._jit import kernel
from razz_env.rules.record import DOWN_CARDS, Record


@kernel
def seat_view(hand: Record, seat: int, view: Record) -> None:
    """Write what `seat` may know into `view`, an element of an array of dtype SEAT_VIEW."""
    view.public = hand.public
    view.seat = seat
    for place in range(DOWN_CARDS):
        view.down[place] = hand.down[seat, place]
