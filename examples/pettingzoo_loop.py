"""PettingZoo: every seat is an agent, a hand is an episode, actions drawn from the legal ones."""

import pettingzoo

import razz_env  # noqa: F401 - registers the environment

env = pettingzoo.make("aec", "razz_env/razz-v0", num_players=6)
for agent in env.possible_agents:
    env.action_space(agent).seed(1)
totals = dict.fromkeys(env.possible_agents, 0.0)  # big bets

for hand in range(100):
    env.reset(seed=1 if hand == 0 else None)  # without a seed: the next hand of the same stream
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        totals[agent] += reward  # 0 until the hand ends, then the seat's net result
        done = termination or truncation
        mask = observation["action_mask"]  # int8[7]
        env.step(None if done else env.action_space(agent).sample(mask))

print(totals)
