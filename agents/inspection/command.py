"""The function behind `razz inspect`. It prints, and returns an exit status."""

import json as json_format
from pathlib import Path
from typing import Annotated

from tyro.conf import arg

from agents.inspection.action_chances import SAMPLES
from agents.inspection.insight import Insight, look_at
from agents.inspection.spot import SpotError, read_spot
from agents.inspection.starting_hands import Facing, Scene, StartingHands, starting_hands
from agents.inspection.starting_hands_report import check_picture, summary, write_picture_and_csv
from agents.inspection.text import insight_text
from razz_env.envs.agent import Agent
from razz_env.envs.opponents import resolve_agent
from razz_env.render.ansi import seat_text
from razz_env.rules.house_rules import HouseRules, as_house_rules
from razz_env.rules.record import SeatView
from razz_env.rules.setup import StacksLike


def inspect_command(
    agent: Annotated[str, arg(metavar="AGENT")],
    /,
    *,
    hand: Annotated[str | None, arg(metavar="SPOT")] = None,
    actions: str | None = None,
    starting_hands: Annotated[Path | None, arg(metavar="FILE")] = None,
    facing: Facing = "nothing",
    players: int = 6,
    boards: int = 40,
    rules: str = "full_tilt",
    stakes: Annotated[str | None, arg(metavar="ANTE/BRING-IN/SMALL/BIG")] = None,
    stacks: tuple[int, ...] = (500,),
    seat: int = 0,
    community: str = "",
    samples: int = SAMPLES,
    seed: int = 0,
    json: bool = False,
) -> int:
    """Show what a player does in a spot, or with every starting hand.

    A spot is "(A2)3 | K | 7f": own down cards in brackets, own up cards, and behind each bar the up
    cards of another seat, clockwise, with f if it has folded; on seventh street the own last card
    in brackets: "(A2)3456(7) | KQJT". Suits may be left out where they decide nothing.

    Args:
        agent: The player, such as "scripted:tight" or "ppo:runs/quick/model.zip".
        hand: The spot.
        actions: What was done before it, street by street with / between them, the last one being
            the street in play: "bring-in complete call / bet" or in short "ioc/b" (f fold, x check,
            c call, i bring in, o complete, b bet, r raise). By default one bet on every earlier
            street, and on this one calls and checks up to the own turn.
        starting_hands: Draw a picture of what the player does with every starting hand, own down
            cards by door card, into this PNG, and the figures into a CSV beside it (.csv: only
            those). With --hand "(xx)x | K | 7f" in that spot, else first in or facing a completion
            at a table with boards drawn at random.
        facing: At random boards: nothing but the bring-in, all others in front having folded; or a
            completion, by the seat behind the bring-in (heads-up by the bring-in itself).
        players: At random boards: seats of the table, 2 to 8.
        boards: How many random boards for each of the 1,183 starting hands.
        rules: Name of the house rules.
        stakes: Other stakes than those of the rules, such as 4/5/20/40.
        stacks: Chips at the start of the hand, one number for all or one for each seat in the order
            of the spot.
        seat: Number of the own seat, 0 being left of the button.
        community: A community card that is everyone's seventh card.
        samples: How often to ask a player that does not tell its probabilities.
        seed: Of samples, random boards, and equities that cannot be counted.
        json: Print JSON instead of text.

    Returns:
        0.

    Raises:
        ValueError: a spot that cannot be, an unknown player, or options that contradict each other.
    """
    house = with_stakes(as_house_rules(rules), stakes)
    chips: StacksLike = stacks[0] if len(stacks) == 1 else list(stacks)
    if starting_hands is None:
        if hand is None:
            raise SpotError('Tell a spot, --hand "(A2)3 | K | 7f", or --starting-hands FILE.')
        read = read_spot(
            hand, actions=actions, rules=house, stacks=chips, seat=seat, community=community
        )
        view = read.view(seat)
        _print_insight(look_at(view, resolve_agent(agent), samples=samples, seed=seed), view, json)
        return 0
    check_picture(starting_hands)
    scene = Scene(hand, actions, facing, players, boards, house, chips, seat)
    _print_starting_hands(resolve_agent(agent), scene, samples, seed, starting_hands, json)
    return 0


def with_stakes(rules: HouseRules, stakes: str | None) -> HouseRules:
    """The rules with stakes such as "4/5/20/40": ante, bring-in, small bet, big bet.

    Raises:
        ValueError: a text that is not four whole numbers, or stakes that cannot be.
    """
    if stakes is None:
        return rules
    words = stakes.split("/")
    if len(words) != 4 or not all(word.strip().isdigit() for word in words):
        raise ValueError(
            f"The stakes {stakes!r} must be four numbers of chips, ante/bring-in/small bet/big "
            "bet, such as 4/5/20/40."
        )
    names = ("ante", "bring_in", "small_bet", "big_bet")
    return as_house_rules(vars(rules) | dict(zip(names, map(int, words))))


def _print_insight(insight: Insight, view: SeatView, json: bool) -> None:
    if json:
        print(json_format.dumps(insight.to_dict(), indent=2))
    else:
        print(f"{seat_text(view)}\n\n{insight_text(insight)}")


def _print_starting_hands(
    player: Agent, scene: Scene, samples: int, seed: int, file: Path, json: bool
) -> None:
    found: StartingHands = starting_hands(player, scene, samples=samples, seed=seed)
    written = write_picture_and_csv(found, file)
    if json:
        print(json_format.dumps(found.to_dict(), indent=2))
    else:
        print(summary(found))
        print(f"\nWritten: {', '.join(map(str, written))}")
