"""Train a Razz bot: `python train.py [--config configs/six_max.yaml] [--seed 3] [--help]`."""

import sys

from agents.cli import run

if __name__ == "__main__":
    sys.exit(run("train", sys.argv[1:], "train.py"))
