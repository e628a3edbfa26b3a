"""TorchRL: PPO by self-play on its wrapper of PettingZoo, one network for all seats.

pip install -c constraints/torchrl.txt -e ".[torchrl]"
"""

import torch
from tensordict.nn import TensorDictModule
from torchrl.collectors import Collector
from torchrl.envs.libs.pettingzoo import PettingZooWrapper
from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from razz_env import razz_v0

torch.manual_seed(1)
torch.set_num_threads(1)  # small networks: more threads are slower
table = razz_v0.raw_env(num_players=2)
env = PettingZooWrapper(table, use_mask=True, group_map={"seats": table.possible_agents}, seed=1)
look = ("observation", "observation")  # float32[2, D]: TorchRL observes all seats at every step
inputs = env.observation_spec["seats", *look].shape[-1]
net = TensorDictModule(MLP(inputs, 7, num_cells=[64, 64]), [look], ["logits"])
keys = {"logits": "logits", "mask": "action_mask"}
actor = ProbabilisticActor(net, keys, distribution_class=MaskedCategorical, return_log_prob=True)
critic = ValueOperator(MLP(inputs, 1, num_cells=[64, 64]), [look])
advantages = GAE(gamma=1.0, lmbda=1.0, value_network=critic)
loss = ClipPPOLoss(actor, critic, critic_coeff=0.01)  # results are big bets, up to 50 of them
optimizer = torch.optim.Adam(loss.parameters(), lr=3e-4)
losses = []
play = TensorDictModule(actor, ["seats"], ["seats"])  # only what the seat to act chose is played
for data in Collector(env, play, frames_per_batch=2000, total_frames=10_000):
    seats = data["seats"].set("next", data["next", "seats"]).transpose(0, 1).contiguous()
    decisions = advantages(seats)[seats["mask"]]  # of the seats to act: [2, 2000] -> [2000]
    for _ in range(4):
        total = sum(value for name, value in loss(decisions).items() if name.startswith("loss_"))
        optimizer.zero_grad()
        total.backward()
        optimizer.step()
        losses.append(total.item())
print(losses)
