"""Counting sets and live cards, against counting one by one."""

from __future__ import annotations

import numpy as np
import pytest

from agents.players.reading import count_up_to, live_cards
from razz_env import HouseRules


@pytest.mark.parametrize("preset", ["full_tilt", "kuhn", "mini20", "mini32"])
def test_live_cards_are_those_of_the_other_ranks(preset: str) -> None:
    rules = HouseRules.preset(preset)
    rng = np.random.default_rng(0)
    for _ in range(500):
        gone = rng.integers(0, rules.deck_suits + 1, 13) * (np.arange(13) < rules.deck_ranks)
        seen = sum(int(count) << 4 * rank for rank, count in enumerate(gone))
        ranks, top = int(rng.integers(0, 1 << 13)), int(rng.integers(0, 13))
        counted = sum(
            rules.deck_suits - int(gone[rank])
            for rank in range(min(top + 1, rules.deck_ranks))
            if not ranks >> rank & 1
        )
        assert live_cards(rules.record(), seen, ranks, top) == counted


def test_the_members_of_a_set_up_to_one() -> None:
    rng = np.random.default_rng(1)
    for members in (0, (1 << 13) - 1, *rng.integers(0, 1 << 13, 200).tolist()):
        for last in range(13):
            assert count_up_to(members, last) == sum(members >> k & 1 for k in range(last + 1))
