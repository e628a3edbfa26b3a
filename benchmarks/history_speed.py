"""Hands per second of our PHH importer with replay beside PokerKit's, on the same file in one run.

    python -m benchmarks.history_speed [--hands 100000] [--seats 6] [--peer-hands 500] [--rounds 5]

The hands are dealt and played at random by the engine under the preset `pokerkit` and written as
one `.phhs` file. Both sides read the text from memory, parse it, replay every action and end with
the finishing stacks, which are compared. Ours takes the whole file, PokerKit its first hands, in
turn, round by round, so that a noisy machine hits both alike. Text and JSON importers are timed
beside them. PokerKit comes with the extra `bench`.
"""

import argparse
import gc
import io
import warnings
from collections.abc import Callable
from typing import Any, TypeAlias

import numba
import numpy as np
from numpy.typing import NDArray

from agents.bench.timing import Contestant, race, ratio
from razz_env import make_batch
from razz_env.history import Found, HandRecord, hand_text, replay_many
from razz_env.history.making import records_of
from razz_env.history.reading import scan_stream
from razz_env.history.writing import Format

Stacks: TypeAlias = NDArray[np.int64]
TABLES = 2048
OTHERS: dict[Format, str] = {
    "json": "full_tilt",
    "pokerstars": "pokerstars",
    "fulltilt": "full_tilt",
}
"""Our other formats -> the preset that their hands are read under."""


@numba.njit
def choose(masks: NDArray[np.int8], actions: NDArray[np.int64]) -> None:
    """A random legal action for every row of masks, a fold three times less often."""
    for row in range(len(masks)):
        weights = 0.0
        for action in range(7):
            if masks[row, action]:
                weights += 0.3 if action == 0 else 1.0
        left = np.random.random() * weights  # noqa: NPY002  # numba's own generator
        for action in range(7):
            if masks[row, action]:
                actions[row] = action
                left -= 0.3 if action == 0 else 1.0
                if left < 0:
                    break


def dealt_records(seats: int, preset: str, seed: int) -> list[HandRecord]:
    """Records of TABLES random hands."""
    actions = np.zeros(TABLES, np.int64)
    batch = make_batch(
        TABLES, seats, preset, stacks=300, seed=seed, auto_deal=False, observation=None
    )
    while len(running := np.flatnonzero(batch.actors >= 0)):
        choose(batch.action_masks, actions)
        batch.step(actions[running], running)
    return records_of(batch.hands)


def dealt_texts(count: int, seats: int, preset: str, to: Format) -> list[str]:
    """So many random hands as text."""
    texts: list[str] = []
    while len(texts) < count:
        texts += [hand_text(record, to) for record in dealt_records(seats, preset, len(texts))]
    return texts[:count]


def joined(texts: list[str], to: Format) -> str:
    """One file of many hands."""
    if to == "phh":
        return "\n".join(f"[{number}]\n{text}" for number, text in enumerate(texts, 1))
    return ("" if to == "json" else "\n\n").join(texts)


def import_and_replay(text: str) -> Stacks:
    """Ours: the finishing stacks of every hand of a file, int64[N, 8]."""
    found = (r.record for r in scan_stream(io.StringIO(text), "text") if isinstance(r, Found))
    stacks: list[Stacks] = []
    for played in replay_many(found):
        if not all(played.fits):
            raise SystemExit("A generated hand did not replay.")
        stacks.append(played.finishing_stacks)
    return np.concatenate(stacks)


def pokerkit_import_and_replay(text: str) -> Stacks:
    """PokerKit's: the same, int64[N, seats]."""
    from pokerkit import HandHistory

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.array([_final(hand) for hand in HandHistory.loads_all(text)])


def _final(hand: Any) -> list[int]:
    *_, state = hand
    return [int(stack) for stack in state.stacks]


def contestant(name: str, work: Callable[[str], Stacks], text: str) -> Contestant:
    """Import and replay of one text, counted in hands."""
    return Contestant(name, "hands", lambda: lambda: len(work(text)))


def check_alike(text: str, seats: int) -> None:
    """Refuse to time two importers that do not end with the same stacks."""
    ours, theirs = import_and_replay(text), pokerkit_import_and_replay(text)
    if not (ours[:, :seats] == theirs).all():
        raise SystemExit("Ours and PokerKit's finishing stacks differ.")


def main() -> None:
    """Time both in turn and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--seats", type=int, default=6)
    parser.add_argument("--peer-hands", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    texts = dealt_texts(args.hands, args.seats, "pokerkit", "phh")
    ours_text, peer_text = joined(texts, "phh"), joined(texts[: args.peer_hands], "phh")
    del texts
    check_alike(peer_text, args.seats)
    others = [
        contestant(f"ours, from {to}", import_and_replay, joined(hands, to))
        for to, preset in OTHERS.items()
        if (hands := dealt_texts(5000, args.seats, preset, to))
    ]
    gc.collect()
    print(f"{args.hands:,} hands at {args.seats} seats, {len(ours_text) / 1e6:.0f} MB of PHH")
    phh = contestant("ours, from phh", import_and_replay, ours_text)
    peer = contestant("PokerKit, from phh", pokerkit_import_and_replay, peer_text)
    table = race([phh, peer, *others], args.rounds, seconds=0)
    for name, timed in table.items():
        print(f"{name + ':':24}{timed.median:10,.0f} hands/s")
    print(f"{'ours / PokerKit:':24}{ratio(table[phh.name], table[peer.name]):10,.1f}")


if __name__ == "__main__":
    main()
