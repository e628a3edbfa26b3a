"""Gymnasium: one learning seat; the opponents play inside `step`, the mask is in the info."""

import gymnasium

import razz_env  # noqa: F401 - registers the environment

env = gymnasium.make("razz_env/Razz-v0", opponents=["caller", "scripted:tight"])
env.action_space.seed(1)
total = 0.0  # big bets

for hand in range(100):
    observation, info = env.reset(seed=1 if hand == 0 else None)
    total += info["skipped_return"]  # of hands that ended before the learner had a decision
    over = False
    while not over:
        action = env.action_space.sample(info["action_mask"])
        observation, reward, over, _, info = env.step(action)
        total += reward

print(total)
