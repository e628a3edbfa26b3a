"""Results in JSON files, as `razz evaluate` and `razz exploit` write them, for a model card.

A card tells only what was measured of this very network, in the game that it was trained on; both
are checked by what the files say.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from agents.players.network import NetworkPlayer, sizes_text
from agents.players.sampling import GREEDY
from razz_env.rules.checks import is_whole

Check: TypeAlias = Callable[[Any], bool]
"""Whether a value can be that of a key."""


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value.strip() != ""


def _is_count(value: Any) -> bool:
    return is_whole(value) and value >= 0


def _is_number(value: Any) -> bool:
    return (isinstance(value, float) or is_whole(value)) and abs(value) < MOST


def _is_interval(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_number, value))


def _is_list_of(can_be: Check, value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(can_be, value))


def _is_mapping(value: Any) -> bool:
    return isinstance(value, dict)


MOST = 1e15
"""Greater numbers, and those that are none, are no result."""
MATCH_KEYS: dict[str, Check] = {
    "agent": _is_text,
    "opponent": _is_text,
    "num_players": _is_count,
    "hands": _is_count,
    "bb_per_100": _is_number,
    "low": _is_number,
    "high": _is_number,
    "seed": _is_count,
    "rules": _is_mapping,
    "stacks": partial(_is_list_of, _is_count),
    "identities": partial(_is_list_of, _is_text),
    "sequential": lambda value: isinstance(value, bool),
}
OPTIONAL: dict[str, Check] = {"estimates": lambda value: isinstance(value, list)}
ESTIMATE_KEYS: dict[str, Check] = {
    "name": _is_text,
    "bb_per_100": _is_number,
    "normal": _is_interval,
}
EXPLOIT_KEYS: dict[str, Check] = {
    "agent": _is_text,
    "identity": _is_text,
    "gain_bb_per_100": _is_number,
    "low": _is_number,
    "high": _is_number,
    "bound": _is_text,
    "steps": _is_count,
    "seconds": _is_number,
    "command": lambda value: value is None or _is_text(value),
    "match": _is_mapping,
}


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
    matches: list[dict[str, Any]] = _read(path, "matches", "evaluate")
    if not isinstance(matches, list):
        raise ValueError(f"The matches of {path} are no list.")
    if not matches:
        raise ValueError(f"{path} tells of no matches: it was stopped before there was a result.")
    for number, match in enumerate(matches):
        _check_match(player, path, match, f"matches[{number}]")
        _check_player(player, path, match["agent"], match["identities"][0])
    return matches


def _exploit_in(player: NetworkPlayer, path: Path) -> dict[str, Any]:
    exploit: dict[str, Any] = _read(path, "exploit", "exploit")
    _check_values(path, exploit, EXPLOIT_KEYS, "exploit")
    _check_match(player, path, exploit["match"], "exploit.match")
    _check_player(player, path, exploit["agent"], exploit["identity"])
    return exploit


def _read(path: Path, key: str, command: str) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))[key]
    except OSError as error:
        raise ValueError(f"{str(path)!r} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"{path} is no file that `razz {command} --json` has written.") from error


def _check_match(player: NetworkPlayer, path: Path, match: Any, place: str) -> None:
    _check_values(path, match, MATCH_KEYS, place)
    for number, estimate in enumerate(match.get("estimates", ())):
        _check_values(path, estimate, ESTIMATE_KEYS, f"{place}.estimates[{number}]")
    if match["num_players"] not in player.table_sizes:
        raise ValueError(
            f"{path} cannot be used: {place}.num_players is {match['num_players']}, and the "
            f"network plays at tables of {sizes_text(player.table_sizes)}."
        )
    _check_game(player, path, match)


def _check_values(path: Path, values: Any, keys: Mapping[str, Check], place: str) -> None:
    """Whether all keys are there, and these and optional ones have values that can be theirs."""
    missing = keys.keys() - values.keys() if isinstance(values, dict) else keys.keys()
    if missing:
        told = ", ".join(sorted(missing))
        raise ValueError(f"{path} is damaged: {place} does not tell {told}.")
    for key, can_be in {**keys, **OPTIONAL}.items():
        if key in values and not can_be(values[key]):
            raise ValueError(f"{path} is damaged: {place}.{key} cannot be {values[key]!r:.60}.")


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
