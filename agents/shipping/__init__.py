"""From a training run to a player that is shipped: `razz export`, `razz card`."""
