"""The model card of a shipped player: what it is, how strong, and how it was made."""

import json
from collections.abc import Sequence
from typing import Any

from agents.evaluation.report import (
    copies_text,
    interval_text,
    markdown_table,
    packages_text,
    preset_name,
    stakes_text,
)
from agents.evaluation.statistics import Interval
from agents.players.network import NetworkPlayer, sizes_text
from agents.players.network_file import NetworkCard, resumed_note
from agents.players.sampling import GREEDY
from agents.shipping.results import is_greedy

TEXT = """\
# {name}

A policy network that plays Razz at tables of {sizes}. It needs no PyTorch: wherever a player is
wanted its name is `{player}`.

{facts}

Trained again by

```sh
{command}
```
{resumed}
## Ratings

Duplicate matches, one seat against the others; big bets won per 100 hands (BB/100). AIVAT takes the
luck of cards and actions out of the same hands, so its intervals are the narrower ones.

{ratings}

## Exploiters

A fresh best response was trained against the player, which stood still, and rated on decks that
chose nothing. What it gains is a lower bound: another search may gain more.

{exploits}

## Configuration

Every key of the training, as it was resolved:

```json
{config}
```

This page was written by `razz card` from the network's file and from the JSON of the commands that
measured it.
"""


def card_text(
    player: NetworkPlayer,
    called: str,
    ratings: Sequence[dict[str, Any]],
    exploits: Sequence[dict[str, Any]],
) -> str:
    """The card in Markdown.

    Args:
        player: the network.
        called: the name by which it is asked for.
        ratings: matches, from `read_ratings`.
        exploits: searches, from `read_exploits`.
    """
    card = player.card
    return TEXT.format(
        name=card.name,
        sizes=f"{sizes_text(card.table_sizes)} players",
        player=called,
        facts=_facts(player),
        command=card.command,
        resumed=resumed_note(card.command, card.sessions),
        ratings=_ratings(ratings, card),
        exploits=_exploits(exploits, card.name),
        config=json.dumps(card.config, indent=2),
    )


def _facts(player: NetworkPlayer) -> str:
    card, rules = player.card, player.card.house_rules()
    widths = [card.inputs().size, *card.layers, card.shapes[-1][0]]
    parameters = sum(after * before + after for after, before in card.shapes)
    rows = [
        ("rules", preset_name(rules)),
        ("stakes", stakes_text(rules)),
        ("stacks", "/".join(str(chips) for chips in dict.fromkeys(card.stacks))),
        ("tables", f"{sizes_text(card.table_sizes)} players"),
        ("observation", f"{card.observation}, room for {card.seats} seats"),
        ("network", f"{' - '.join(map(str, widths))}, {card.activation}, {parameters:,} numbers"),
        ("identity", player.identity),
        ("learned from", f"{card.frames:,} decisions"),
        ("seed", str(card.seed)),
        ("packages", packages_text(card.packages)),
    ]
    lines = ["| what | |", "|:--|:--|", *(f"| {name} | {value} |" for name, value in rows)]
    return "\n".join(lines)


def _ratings(ratings: Sequence[dict[str, Any]], card: NetworkCard) -> str:
    if not ratings:
        return "None were measured."
    header = ("player", "opponents", "hands", "seed", "BB/100", "95 % interval", "AIVAT", "95 %")
    return markdown_table(header, [_rating(match, card) for match in ratings])


def _rating(match: dict[str, Any], card: NetworkCard) -> tuple[str, ...]:
    greedy = is_greedy(match["identities"][0])
    return (
        f"{card.name}, greedy" if greedy else card.name,
        copies_text(match["opponent"], match["num_players"] - 1),
        f"{match['hands']:,}",
        str(match["seed"]),
        f"{match['bb_per_100']:+.2f}",
        interval_text(Interval(match["low"], match["high"])),
        *_aivat(match),
    )


def _aivat(match: dict[str, Any]) -> tuple[str, str]:
    """The estimate that takes the luck out of the same hands, if it was made, and its interval."""
    for estimate in match.get("estimates", ()):
        if "aivat" in estimate["name"]:
            return f"{estimate['bb_per_100']:+.2f}", interval_text(Interval(*estimate["normal"]))
    return "", ""


def _exploits(exploits: Sequence[dict[str, Any]], name: str) -> str:
    if not exploits:
        return "None were trained."
    return "\n".join(_exploit(one, name) for one in exploits)


def _exploit(exploit: dict[str, Any], name: str) -> str:
    players, greedy = exploit["match"]["num_players"], is_greedy(exploit["identity"])
    table = "heads-up" if players == 2 else f"{players} players"
    shipped = f"trained:{name}{GREEDY if greedy else ''}"
    told = (
        f"- {table}{', greedy' if greedy else ''}: {exploit['gain_bb_per_100']:+.2f} BB/100, 95 % "
        f"interval {interval_text(Interval(exploit['low'], exploit['high']))}, {exploit['bound']} "
        f"in {exploit['seconds']:.0f} s"
    )
    command = exploit["command"]  # None for a game that no command can name
    return f"{told}: `{command.replace(exploit['agent'], shipped)}`" if command else told
