"""RLlib, new API stack: PPO by self-play, one network for all seats.

pip install -c constraints/rllib.txt -e ".[rllib]"
"""

from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec

from razz_env.envs.rllib import MaskedModule, RazzMultiAgentEnv

config = (
    PPOConfig()
    .environment(RazzMultiAgentEnv, env_config={"num_players": 6}, disable_env_checking=True)
    .env_runners(num_env_runners=0, num_envs_per_env_runner=16)  # 0: they play in this process
    .multi_agent(policies={"everyone"}, policy_mapping_fn=lambda *_, **__: "everyone")
    .rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedModule))
    .training(gamma=1.0, lr=3e-4, train_batch_size_per_learner=6000, minibatch_size=1024)
    .training(num_epochs=2, vf_clip_param=1000.0)  # results of hands are up to 50 big bets
    .debugging(seed=1)
)
algorithm = config.build_algo()
results = [algorithm.train() for _ in range(2)]  # of 6,000 decisions each
algorithm.stop()

losses = [result["learners"]["everyone"]["total_loss"] for result in results]
print(losses)
