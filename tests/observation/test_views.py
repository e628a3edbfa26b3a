"""What `encode` and `encode_batch` take: views in the right shape and nothing else."""

from typing import Any

import numpy as np
import pytest

from razz_env import Hand, make_batch
from razz_env.observation import encode, encode_batch, spec


def wrong_views() -> list[Any]:
    hand, batch = Hand.deal(2, seed=1), make_batch(3, 2, seed=1)
    return [batch.views, batch.views[:1], hand, hand.record, hand.record.public, None]


@pytest.mark.parametrize("number", range(6))
def test_encode_takes_one_view(number: int) -> None:
    with pytest.raises(TypeError, match="encode takes one seat's view"):
        encode(wrong_views()[number])


@pytest.mark.parametrize("wrong", ["view", "list", "hand", "square"])
def test_encode_batch_takes_an_array_of_views(wrong: str) -> None:
    hand, batch = Hand.deal(2, seed=1), make_batch(4, 2, seed=1)
    views: dict[str, Any] = {
        "view": hand.view(0),
        "list": [hand.view(0)],
        "hand": hand,
        "square": batch.views.reshape(2, 2),
    }
    with pytest.raises(TypeError, match="takes an array"):
        encode_batch(views[wrong], spec(2))
    assert encode_batch(batch.views, spec(2)).dtype == np.float32
