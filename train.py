"""Train a Razz bot: `python train.py [--config configs/six_max.yaml] [--seed 3] [--help]`."""

import sys

from agents.training.runner import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
