"""The function behind `razz equity A23 678`. It prints, and returns an exit status."""

import json as json_format
from typing import Literal

from razz_env.equity import SAMPLES, equity


def equity_command(
    hands: list[str],
    /,
    *,
    dead: tuple[str, ...] = (),
    community: str = "",
    street: int | None = None,
    samples: int | None = None,
    seed: int = 0,
    exact: bool = False,
    json: bool = False,
    rules: str = "full_tilt",
) -> int:
    """Print the share of the pot that each hand takes when all are dealt out and shown.

    Every deal is counted where that takes no more than about half a second; else a million are
    drawn at random, and the table tells the standard errors.

    Args:
        hands: Two to eight hands, down cards first: ranks (A23), cards with suits (As2h3c), x for
            an unknown card (xx7). '' is a hand of which nothing is known.
        dead: Cards that cannot come, such as folded door cards: K Kh. An x: unknown.
        community: A community card that is everyone's seventh card.
        street: The street that the hands are on, 3 to 7; unknown cards fill up shorter ones.
        samples: Draw so many deals at random, even where all could be counted.
        seed: Decides the random deals.
        exact: Count every deal, even if that takes minutes.
        json: Print JSON instead of a table.
        rules: Name of the house rules, for the small variants.

    Returns:
        0.

    Raises:
        ValueError: cards that cannot be read or cannot be, or options that contradict each other.
    """
    found = equity(
        hands,
        dead=" ".join(dead),
        community=community,
        street=street,
        method=_method(exact, samples),
        samples=SAMPLES if samples is None else samples,
        seed=seed,
        rules=rules,
    )
    print(json_format.dumps(found.to_dict(), indent=2) if json else found)
    return 0


def _method(exact: bool, samples: int | None) -> Literal["auto", "exact", "monte_carlo"]:
    if exact and samples is not None:
        raise ValueError("--exact counts all deals and --samples draws some: give one of them.")
    if exact:
        return "exact"
    return "auto" if samples is None else "monte_carlo"
