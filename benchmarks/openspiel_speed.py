"""Hands per second through OpenSpiel's own interface: the game `razz` beside PokerKit's razz in it.

    python -m benchmarks.openspiel_speed [--rounds 7] [--seconds 0.5]

Both are games written in Python and are played by the same loop: uniformly random legal actions and
chance outcomes, no tensors. They are timed in turn, round by round, in processor time.
"""

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from agents.bench.timing import Contestant, Play, needed, race, ratio
from benchmarks.peer_plays import openspiel_play, openspiel_razz

LEAST = 30.0
SEATS = (2, 6)


def ours(seats: int, rules: str = "pokerkit") -> Play:
    """The game `razz`, at PokerKit's stakes unless told otherwise; counted in decisions."""
    with needed("open-spiel", '"razz-env[openspiel]"'):
        import pyspiel

        import razz_env.openspiel  # noqa: F401
    return openspiel_play(pyspiel.load_game("razz", {"num_players": seats, "rules": rules}))


def in_hands(play: Play) -> Play:
    """The same play, of one hand, counted as one."""

    def hand() -> int:
        play()
        return 1

    return hand


def main(words: Sequence[str] | None = None) -> int:
    """Time all and print the rates and their ratios; 1 if a ratio is under the bar."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.openspiel_speed")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.5, help="of one contestant's round")
    options = parser.parse_args(words)
    table = race(_contestants(), options.rounds, options.seconds)
    is_met = True
    for seats in SEATS:
        mine, peer = table[f"razz, {seats} seats"], table[f"PokerKit's, {seats} seats"]
        found = ratio(mine, peer)
        is_met &= found >= LEAST
        print(
            f"{seats} seats: {mine.median:,.0f} hands/s (± {mine.spread:.0%}) beside "
            f"{peer.median:,.0f} (± {peer.spread:.0%}): {found:.1f} x"
        )
    return 0 if is_met else 1


def _contestants() -> list[Contestant]:
    def one(name: str, make: Any, seats: int) -> Contestant:
        return Contestant(f"{name}, {seats} seats", "hands", lambda: in_hands(make(seats)))

    return [one(*pair, seats) for seats in SEATS for pair in (("razz", ours), _PEER)]


_PEER = ("PokerKit's", openspiel_razz)

if __name__ == "__main__":
    sys.exit(main())
