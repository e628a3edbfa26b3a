"""Razz for RLlib's new API stack: a table as a `MultiAgentEnv`, and a network that keeps to masks.

RLlib's own wrapper of PettingZoo hands masks on but nothing there looks at them, so both halves are
here. The only module of this package that imports ray; it comes with the extra `rllib`.
"""

from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from gymnasium.spaces import Box, Dict
from numpy.typing import NDArray

try:
    import torch
    from ray.rllib.core.columns import Columns
    from ray.rllib.core.rl_module.apis import ValueFunctionAPI
    from ray.rllib.core.rl_module.torch import TorchRLModule
    from ray.rllib.env.multi_agent_env import MultiAgentEnv
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"razz_env.envs.rllib needs {missing.name}, which is not installed: "
        'pip install "razz-env[rllib]"',
        name=missing.name,
    ) from missing

from razz_env.envs.aec import raw_env
from razz_env.rules.terms import NUM_ACTIONS

Seen: TypeAlias = dict[str, NDArray[np.float32]]

_NEVER = -1e9
"""A logit whose probability is exactly 0; minus infinity would make NaN of an entropy."""


class RazzMultiAgentEnv(MultiAgentEnv):
    """One table for RLlib: the agents are its seats, one hand is an episode.

    Its config takes the arguments of `razz_env.razz_v0.raw_env`: num_players, rules, stacks,
    reward_unit, observation. RLlib's check of environments plays random actions without a look at
    masks: switch it off with `environment(..., disable_env_checking=True)`.

    Agents: `player_0` .. `player_{n-1}`. Only the seat to act is observed, so only it acts.

    Observation: `{"observations": float32[D], "action_mask": float32[7]}`, the keys and the type
    that RLlib's masking modules read. At the end of a hand all seats are observed once more, with
    masks of zeros.

    Action: `Discrete(7)`, the numbers of `razz_env.Action`; an illegal one raises `IllegalAction`.

    Reward: at the end of the hand each seat's net result, which RLlib books to that seat's own last
    decision, whoever acted last. Seats that had no decision are no episodes of RLlib's and their
    results go nowhere. Hands without any decision are passed over.

    Seeds: RLlib gives environment i of worker w the seed s + w + i, so that workers would share
    nearly all their hands. A worker's number is therefore mixed into the seed, unless it is 0:
    there, and outside of RLlib, `reset(seed=s)` deals `Hand.deal(seed=s)`.
    """

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(self, config: dict[str, Any] | None = None) -> None:
        super().__init__()
        self._worker = getattr(config, "worker_index", 0)
        self._table = raw_env(**(config or {}))
        self.possible_agents = self._table.possible_agents[:]
        self.agents = self.possible_agents[:]
        self.action_spaces = dict(self._table.action_spaces)
        self.observation_spaces = {
            agent: _seen_space(self._table.observation_space(agent)) for agent in self.agents
        }

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Seen], dict[str, Any]]:
        """Deal the next hand in which somebody has a decision.

        Args:
            seed: start stream `seed`; None goes on to the next hand of the stream.
            options: as those of `raw_env.reset`, for the first hand that is dealt now.

        Returns:
            the observation of the seat to act, and an empty info, by agent.
        """
        self._table.reset(self._own_seed(seed), options)
        while self._table.hand.is_over:
            self._table.reset()
        return self._seen_by([self._table.agent_selection])

    def step(
        self, action_dict: dict[str, int]
    ) -> tuple[dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Play the action of the seat to act.

        Raises:
            razz_env.IllegalAction: naming seat, street, action and the legal ones.
            ValueError: actions of other seats than the one to act, or none.
        """
        table = self._table
        actor = table.agent_selection
        if list(action_dict) != [actor]:
            raise ValueError(f"{actor} is to act, and nobody else; not {list(action_dict)}.")
        table.step(int(action_dict[actor]))
        over = table.hand.is_over
        observations, infos = self._seen_by(self.agents if over else [table.agent_selection])
        rewards = {agent: float(table.rewards[agent]) for agent in observations}
        ends = {"__all__": over, **dict.fromkeys(observations, over)}
        return observations, {actor: 0.0} | rewards, ends, {"__all__": False}, infos

    def _own_seed(self, seed: int | None) -> int | None:
        if seed is None or not self._worker:
            return seed
        return int(np.random.SeedSequence([seed, self._worker]).generate_state(1)[0])

    def _seen_by(self, agents: list[str]) -> tuple[dict[str, Seen], dict[str, Any]]:
        looks = {agent: self._table.observe(agent) for agent in agents}
        seen = {
            agent: {
                "observations": look["observation"],
                "action_mask": look["action_mask"].astype(np.float32),
            }
            for agent, look in looks.items()
        }
        return seen, {agent: {} for agent in agents}


def _seen_space(space: Any) -> Dict:
    mask = Box(0.0, 1.0, (NUM_ACTIONS,), np.float32)
    return Dict({"observations": space["observation"], "action_mask": mask})


class MaskedModule(TorchRLModule, ValueFunctionAPI):
    """A policy and a value network apart, of tanh layers; illegal actions have probability 0.

    For PPO and the like under RLlib's new API stack. `model_config={"layers": [64, 64]}` chooses
    the widths of the hidden layers of both.
    """

    def setup(self) -> None:
        """Make the networks for the observation and action space that RLlib has given."""
        inputs = self.observation_space["observations"].shape[0]
        layers = self.model_config.get("layers", [64, 64])
        self.policy = _perceptron([inputs, *layers, self.action_space.n])
        self.value = _perceptron([inputs, *layers, 1])

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        """Logits of the actions [B, 7], for acting and learning alike."""
        seen = batch[Columns.OBS]
        logits = self.policy(seen["observations"])
        return {Columns.ACTION_DIST_INPUTS: logits.masked_fill(seen["action_mask"] == 0, _NEVER)}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Any:
        """The seats' expected results [B], in reward units."""
        return self.value(batch[Columns.OBS]["observations"]).squeeze(-1)


def _perceptron(widths: list[int]) -> torch.nn.Sequential:
    layers: list[torch.nn.Module] = []
    for inputs, outputs in pairwise(widths):
        layers += [torch.nn.Linear(inputs, outputs), torch.nn.Tanh()]
    return torch.nn.Sequential(*layers[:-1])
