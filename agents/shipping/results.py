"""Results in JSON files, as `razz evaluate` and `razz exploit` write them, for a model card.

A card tells only what was measured of this very network, in the game that it was trained on; both
are checked by what the files say.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from agents.players.network import NetworkPlayer
from agents.players.sampling import GREEDY

MATCH_KEYS = {
    "agent", "opponent", "num_players", "hands", "bb_per_100", "low", "high", "seed", "rules",
    "stacks", "identities", "sequential",
}  # fmt: skip
EXPLOIT_KEYS = {
    "agent", "identity", "gain_bb_per_100", "low", "high", "bound", "steps", "seconds", "command",
    "match",
}  # fmt: skip


def read_ratings(player: NetworkPlayer, paths: Iterable[Path]) -> list[dict[str, Any]]:
    """The matches in files of `razz evaluate --json`, by table and opponent.

    Raises:
        ValueError: a file that cannot be read or holds something else, or a match of another
            player or game.
    """
    matches = [match for path in paths for match in _matches_in(player, path)]
    return sorted(matches, key=lambda match: (match["num_players"], match["opponent"]))


def read_exploits(player: NetworkPlayer, paths: Iterable[Path]) -> list[dict[str, Any]]:
    """What exploiters gained, in files of `razz exploit --json`.

    Raises:
        ValueError: as `read_ratings`.
    """
    return [_exploit_in(player, path) for path in paths]


def is_greedy(identity: str) -> bool:
    """Whether an identity is that of a player that takes the likeliest action."""
    return identity.endswith(GREEDY)


def _matches_in(player: NetworkPlayer, path: Path) -> list[dict[str, Any]]:
    matches = _read(path, "matches", "evaluate")
    if not isinstance(matches, list):
        raise ValueError(f"The matches of {path} are no list.")
    for match in matches:
        _check_keys(path, match, MATCH_KEYS)
        _check_game(player, path, match)
        _check_player(player, path, match["agent"], match["identities"][0])
    return matches


def _exploit_in(player: NetworkPlayer, path: Path) -> dict[str, Any]:
    exploit: dict[str, Any] = _read(path, "exploit", "exploit")
    _check_keys(path, exploit, EXPLOIT_KEYS)
    _check_keys(path, exploit["match"], MATCH_KEYS)
    _check_game(player, path, exploit["match"])
    _check_player(player, path, exploit["agent"], exploit["identity"])
    return exploit


def _read(path: Path, key: str, command: str) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))[key]
    except OSError as error:
        raise ValueError(f"{str(path)!r} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"{path} is no file that `razz {command} --json` has written.") from error


def _check_keys(path: Path, values: Any, keys: set[str]) -> None:
    missing = keys - values.keys() if isinstance(values, dict) else keys
    if missing:
        raise ValueError(f"{path} is damaged: it does not tell {', '.join(sorted(missing))}.")


def _check_player(player: NetworkPlayer, path: Path, name: str, identity: str) -> None:
    if identity not in (player.identity, player.identity + GREEDY):
        raise ValueError(
            f"{path} tells of {name!r}, which is not this network: its weights are others."
        )


def _check_game(player: NetworkPlayer, path: Path, match: dict[str, Any]) -> None:
    card = player.card
    rules = json.loads(json.dumps(asdict(card.house_rules())))
    stacks = set(match["stacks"])
    if match["rules"] != rules or stacks != set(card.stacks):
        raise ValueError(
            f"{path} was measured under other rules or stacks than the network was trained on."
        )
