"""A value network that sees all cards, beside a policy that sees its own only.

The value network judges decisions while a network is trained and plays no part afterwards, so it
may know what the player does not: its estimates are then less at the mercy of cards that nobody at
the table can see. Source: Pinto et al., "Asymmetric actor critic for image-based robot learning",
2018.
"""

from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import Tensor, nn

from razz_env._jit import kernel
from razz_env.envs.tables import Floats
from razz_env.rules.cards import NUM_RANKS
from razz_env.rules.record import DOWN_CARDS

Parameters: TypeAlias = tuple[list[Tensor], list[Tensor]]


def hidden_size(seats: int) -> int:
    """How many numbers tell the down cards of the others at a table with room for `seats`."""
    return NUM_RANKS * (seats - 1)


@kernel
def write_hidden(hands: NDArray[Any], seats: NDArray[np.int8], start: int, out: Floats) -> None:
    """Write the live down cards that the seats to act do not see.

    Args:
        hands: HAND[N], in play.
        seats: int8[N], the seats to act.
        start: where they begin in a row of `out`.
        out: float32[N, start + 13 (room - 1)]: by relative seat from 1 on and rank, the number of
            down cards / 3; zeros for seats that have folded or are not there.
    """
    for table in range(len(hands)):
        public, row = hands[table].public, out[table]
        row[start:] = 0
        for away in range(1, public.num_seats):
            seat = (seats[table] + away) % public.num_seats
            if public.live[seat]:
                first = start + NUM_RANKS * (away - 1)
                for place in range(DOWN_CARDS):
                    card = hands[table].down[seat, place]
                    if card >= 0:
                        row[first + (card >> 2)] += np.float32(1 / DOWN_CARDS)


class TwoViews(nn.Module):
    """Hidden layers of a policy that reads a part of the input, and of a value network.

    The policy reads the first numbers of an input, the value network all of them. The names are
    those of Stable-Baselines3.
    """

    def __init__(
        self, seen: int, size: int, layers: list[int], activation: type[nn.Module]
    ) -> None:
        """Networks for the first `seen` of `size` numbers, and for all of them."""
        super().__init__()
        self.seen = seen
        self.policy_net = _hidden_layers(seen, layers, activation)
        self.value_net = _hidden_layers(size, layers, activation)
        self.latent_dim_pi = layers[-1] if layers else seen
        self.latent_dim_vf = layers[-1] if layers else size

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """What the two last layers get."""
        return self.forward_actor(features), self.forward_critic(features)

    def forward_actor(self, features: Tensor) -> Tensor:
        """What the policy's last layer gets."""
        latent: Tensor = self.policy_net(features[:, : self.seen])
        return latent

    def forward_critic(self, features: Tensor) -> Tensor:
        """What the value network's last layer gets."""
        latent: Tensor = self.value_net(features)
        return latent


class TwoViewsPolicy(MaskableActorCriticPolicy):
    """Stable-Baselines3's policy with `TwoViews`."""

    def __init__(self, *args: Any, seen: int, **kwargs: Any) -> None:
        """As `MaskableActorCriticPolicy`; the policy reads the first `seen` numbers."""
        self._seen = seen
        super().__init__(*args, **kwargs)

    def _build_mlp_extractor(self) -> None:
        layers = self.net_arch
        assert isinstance(layers, list)
        self.mlp_extractor = TwoViews(  # type: ignore[assignment]
            self._seen, self.features_dim, layers, self.activation_fn
        )


def _hidden_layers(size: int, layers: list[int], activation: type[nn.Module]) -> nn.Sequential:
    parts: list[nn.Module] = []
    for width in layers:
        parts += [nn.Linear(size, width), activation()]
        size = width
    return nn.Sequential(*parts)


def parameters_of(policy: MaskableActorCriticPolicy) -> Parameters:
    """The parameters of the policy, and those of the value network."""
    networks = policy.mlp_extractor
    actor: list[Tensor] = [*networks.policy_net.parameters(), *policy.action_net.parameters()]
    critic: list[Tensor] = [*networks.value_net.parameters(), *policy.value_net.parameters()]
    assert sum(part.numel() for part in (*actor, *critic)) == sum(
        part.numel() for part in policy.parameters()
    )
    return actor, critic


def clip_gradients(groups: Parameters, longest: float) -> None:
    """Shorten the gradients of the policy, and of the value network, to `longest` each."""
    for group in groups:
        torch.nn.utils.clip_grad_norm_(group, longest)
