"""A network that gets one more input, its chance to win.

Its weights start at 0, so that the network answers as before until it learns again.
"""

from pathlib import Path
from typing import Any, NamedTuple

import torch
from stable_baselines3.common.save_util import load_from_zip_file
from torch import Tensor, nn

from agents.players.inputs import Inputs


class Widening(NamedTuple):
    """From which inputs to which; the same ones for none.

    Attributes:
        before: that the stored network has.
        after: that it is to have: the same, and perhaps more behind.
    """

    before: Inputs
    after: Inputs

    def of(self, weight: Tensor, width: int) -> Tensor:
        """A weight [out, in] that is to have `width` inputs, with zeros for those that are new.

        What is behind the policy's inputs, hidden cards, stays behind. What does not fit otherwise
        is given back as it is, for whoever takes it over to refuse.
        """
        added = self.after.size - self.before.size
        if weight.dim() != 2 or added <= 0 or weight.shape[1] + added != width:
            return weight
        known, hidden = weight[:, : self.before.size], weight[:, self.before.size :]
        return torch.cat([known, weight.new_zeros(len(weight), added), hidden], dim=1)


def widened_parameters(path: Path, policy: nn.Module, widening: Widening) -> dict[str, Any]:
    """What a model.zip of Stable-Baselines3 holds, weights and optimiser, for a wider policy.

    Args:
        path: of the file.
        policy: that is to take them over.
        widening: of its inputs.
    """
    parameters = load_from_zip_file(path, device="cpu", load_data=False)[1]
    stored: dict[str, Any] = parameters  # typed there as tensors, and holds a mapping for each
    widths = {name: part.shape[-1:].numel() for name, part in policy.named_parameters()}
    by_number = dict(enumerate(widths.values()))
    optimizer = stored["policy.optimizer"]
    moments = {
        number: {name: widening.of(value, by_number[number]) for name, value in kept.items()}
        for number, kept in optimizer["state"].items()
    }
    return {
        **stored,
        "policy": {
            name: widening.of(part, widths[name]) for name, part in stored["policy"].items()
        },
        "policy.optimizer": {**optimizer, "state": moments},
    }
