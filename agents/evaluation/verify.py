"""Making a report again and comparing: `razz evaluate --verify report.json`."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, get_type_hints

from agents.evaluation.cluster import Cluster
from agents.evaluation.duplicate import Estimator
from agents.evaluation.estimators import named_estimators
from agents.evaluation.field import Field, make_field
from agents.evaluation.match_report import MatchReport
from agents.evaluation.progress import Progress
from agents.evaluation.provenance import packages_of, source_hash, versions
from agents.evaluation.request import MatchRequest
from agents.evaluation.standings import Standings
from agents.evaluation.tournament import Tournament
from agents.evaluation.tournament_report import report_dict
from razz_env.envs.agent import Agent, identity_of

NOT_RESULTS = ("command", "versions", "machine", "source", "finished", "fault")
"""What two reports of the same results may differ in."""

_SHAPES: dict[str, type] = {
    **dict.fromkeys(("request", "definition", "identities", "versions", "source"), dict),
    "matches": list,
}
"""Parts of a report -> what JSON they are, where they are there."""


Announce: TypeAlias = Callable[[int], None]


@dataclass(frozen=True)
class Verdict:
    """Whether a report has come out the same again.

    Attributes:
        difference: the first one, as a sentence; None if all results are equal.
        notes: what else is different here: versions, source.
        decks: that were played again, of all matches together.
    """

    difference: str | None
    notes: tuple[str, ...]
    decks: int


def verify(
    path: Path,
    workers: int = 1,
    progress: Progress | None = None,
    cluster: Cluster | None = None,
    announce: Announce = lambda _hands: None,
) -> Verdict:
    """Play a report of `razz evaluate` or `razz tournament` again and compare every result.

    A report of something that was stopped is played again as far as it goes.

    Args:
        path: of the JSON report.
        workers: processes that play.
        progress: called after every block of decks.
        cluster: a Ray cluster that plays instead.
        announce: is given the number of hands before they are played.

    Raises:
        ValueError: no such file, no such report, or one that holds no decks.
        AgentFault: a player raised an exception or chose no legal action.
        WorkerLost: a process died, or too many workers of the cluster.
    """
    told = _read(path)
    if "request" in told:
        return _verify_match(path, told, workers, progress, cluster, announce)
    if "definition" in told:
        return _verify_tournament(path, told, workers, progress, cluster, announce)
    raise ValueError(
        f"{str(path)!r} cannot be made again: it is no report of `razz evaluate --json` or "
        "`razz tournament` that says what was asked for."
    )


def _read(path: Path) -> dict[str, Any]:
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"{str(path)!r} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{str(path)!r} is no JSON: {error}.") from error
    if not isinstance(told, dict):
        raise ValueError(f"{str(path)!r} is no report, but a {type(told).__name__}.")
    for name, kind in _SHAPES.items():
        _check_kind(path, name, told.get(name, kind()), kind)
    for number, one in enumerate(told.get("matches", [])):
        _check_kind(path, f"matches[{number}]", one, dict)
    return told


def _check_kind(path: Path, name: str, value: Any, kind: Any) -> None:
    if not isinstance(value, kind):
        raise ValueError(f"{str(path)!r} is damaged: {name} cannot be {value!r:.60}.")


def _request_of(path: Path, told: dict[str, Any]) -> MatchRequest:
    """What was asked for, its fields being of the kinds that the command line gives."""
    kinds = get_type_hints(MatchRequest)
    for name, value in told["request"].items():
        kind = kinds.get(name, object)
        is_whole = isinstance(value, int) and isinstance(0.0, kind)  # JSON may tell 2.0 as 2
        _check_kind(path, f"request.{name}", value, object if is_whole else kind)
    return MatchRequest(**told["request"])


def _verify_match(
    path: Path,
    told: dict[str, Any],
    workers: int,
    progress: Progress | None,
    cluster: Cluster | None,
    announce: Announce,
) -> Verdict:
    try:
        request, matches = _request_of(path, told), told["matches"]
        for number, one in enumerate(matches):
            _check_kind(path, f"matches[{number}].decks", one["decks"], int)
        played = sum(one["decks"] for one in matches)
        decks = None if told["finished"] else played
    except (KeyError, TypeError) as error:
        raise ValueError(f"{str(path)!r} is damaged: {error}.") from error
    if played < 2:
        raise ValueError(
            f"{str(path)!r} was stopped before any result, or lost it: there is none to compare."
        )
    match = request.match(decks)
    players = match.lineup[:2]
    notes = _notes(told, players)
    if (changed := _changed(told, players)) is not None:
        return Verdict(changed, notes, 0)
    announce(min(played, match.decks) * match.hands_per_deck)  # it may have ended early
    match.play(workers, progress, cluster)
    quickly = all(one.get("bootstrap") is None for one in matches)
    again = MatchReport(request, match, None).told(finished=decks is None, quickly=quickly)
    return Verdict(difference(told, again), notes, match.decks_done)


def _verify_tournament(
    path: Path,
    told: dict[str, Any],
    workers: int,
    progress: Progress | None,
    cluster: Cluster | None,
    announce: Announce,
) -> Verdict:
    try:
        field = _field_of(told)
    except (KeyError, TypeError) as error:
        raise ValueError(f"{str(path)!r} is damaged: {error}.") from error
    notes = _notes(told, field.players)
    if (changed := _changed(told, field.players)) is not None:
        return Verdict(changed, notes, 0)
    played = Tournament(field)
    announce(played.decks_in_all * field.hands_per_deck)
    played.play(workers, progress, cluster)
    again = report_dict(Standings(played), told.get("command", ""))
    return Verdict(difference(told, again), notes, played.decks_done)


def _field_of(told: dict[str, Any]) -> Field:
    asked = told["definition"]
    return make_field(
        told["names"],
        told["decks"],
        asked["seed"],
        asked["rules"],
        asked["stacks"],
        asked["num_players"],
        "copies" if asked["tables"] == "heads-up" else asked["tables"],
        asked["seatings"],
        _estimators_of(asked.get("estimators", [])),
    )


def _estimators_of(names: list[str]) -> tuple[Estimator, ...]:
    """The estimators of a tournament, whose report tells the hash of their numbers."""
    made = named_estimators("aivat" if names else None)
    if [one.name for one in made] != names:
        raise ValueError(
            f"The report has the estimates {', '.join(map(repr, names))}, and here is only "
            f"{made[0].name!r}: use the version that made it, or no numbers of your own."
        )
    return made


def _changed(told: dict[str, Any], players: tuple[Agent, ...]) -> str | None:
    """A player that is not what it was, which is told before anything is played."""
    for player in players:
        before = told.get("identities", {}).get(player.name, identity_of(player))
        if before != identity_of(player):
            return (
                f"the player {player.name!r} is another one: its identity was {before}, now it is "
                f"{identity_of(player)}"
            )
    return None


def _notes(told: dict[str, Any], players: tuple[Agent, ...]) -> tuple[str, ...]:
    """Versions and source that are not those of the report."""
    notes = [
        f"{name} was {before}, here it is {versions().get(name, 'not installed')}"
        for name, before in told.get("versions", {}).items()
        if before != versions().get(name)
    ]
    notes += [
        f"the source of {name!r} is not what it was"
        for name in packages_of(players)
        if told.get("source", {}).get(name, source_hash(name)) != source_hash(name)
    ]
    return tuple(notes)


def difference(told: Mapping[str, Any], again: Mapping[str, Any]) -> str | None:
    """The first difference in the results of two reports, as a sentence; None if there is none."""
    before = {name: value for name, value in told.items() if name not in NOT_RESULTS}
    now = {name: again[name] for name in again if name not in NOT_RESULTS}
    return next(_differences("", before, json.loads(json.dumps(now))), None)


def _differences(place: str, before: Any, now: Any) -> Iterator[str]:
    """All differences of two JSON values, in the order of the report."""
    if isinstance(before, dict) and isinstance(now, dict):
        for name in [*before, *(name for name in now if name not in before)]:
            inner = f"{place}.{name}" if place else name
            if name not in before or name not in now:
                where = "again" if name in now else "in the report"
                yield f"{inner} is only there {where}"
            else:
                yield from _differences(inner, before[name], now[name])
    elif isinstance(before, list) and isinstance(now, list):
        if len(before) != len(now):
            yield f"{place} has {len(before)} entries in the report and {len(now)} again"
        for number, (one, other) in enumerate(zip(before, now)):
            yield from _differences(f"{place}[{number}]", one, other)
    elif before != now:
        yield f"{place} is {before!r} in the report and {now!r} again"
