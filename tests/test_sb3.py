"""MaskablePPO of sb3-contrib learns from the Gymnasium environments as they are, without any adapter."""

from collections.abc import Callable

import gymnasium
import numpy as np
import pytest
import torch

sb3_contrib = pytest.importorskip("sb3_contrib")

STEPS = 20_000
DEALS = 500
SCALES = {"longcards_env:longcards/Nantong-v0": 0.01, "longcards_env:longcards/Paohuzi-v0": 0.2}  # rewards of about 1

Observation = dict[str, np.ndarray]


def mean_points(env_id: str, choose: Callable[[Observation], int]) -> float:
    """Against two random seats; another random one gets 0."""
    env = gymnasium.make(env_id, opponents=("random", "random"))
    total = 0.0
    observation, _ = env.reset(seed=10)
    for _ in range(DEALS):
        done = False
        while not done:
            observation, reward, done, _, _ = env.step(choose(observation))
        total += float(reward)
        observation, _ = env.reset()
    return total / DEALS


@pytest.mark.slow
@pytest.mark.parametrize("env_id", SCALES)
def test_maskable_ppo_learns_to_beat_random(env_id: str) -> None:
    torch.set_num_threads(1)
    env = gymnasium.make(env_id, opponents=("random", "random"), reward_scale=SCALES[env_id])
    options = {"learning_rate": 1e-3, "batch_size": 256, "n_epochs": 4, "gamma": 1.0}
    model = sb3_contrib.MaskablePPO("MultiInputPolicy", env, seed=1, device="cpu", **options)
    model.learn(STEPS)

    def choose(observation: Observation) -> int:
        mask = observation["action_mask"].astype(np.bool_)
        return int(model.predict(observation, action_masks=mask, deterministic=True)[0])

    assert mean_points(env_id, choose) > 0
