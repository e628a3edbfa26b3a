"""An insight as text to read in a terminal."""

from agents.inspection.insight import Insight
from razz_env.rules.cards import RANKS


def insight_text(insight: Insight) -> str:
    """What the player does, equity and price, and the cards that are gone and left."""
    parts = [_choices(insight), _chances(insight), _cards(insight)]
    return "\n\n".join(parts)


def _choices(insight: Insight) -> str:
    told = insight.samples is None
    source = "as it tells itself" if told else f"asked {insight.samples:,} times"
    width = max(len(choice.text) for choice in insight.choices)
    lines = [f"{insight.player}, {source}:"]
    for choice in insight.choices:
        error = "" if told else f"  ± {100 * choice.standard_error:.1f}"
        lines.append(f"  {choice.text:<{width}}  {100 * choice.probability:5.1f} %{error}")
    if not told:
        lines.append("  (This player does not tell its probabilities; ± is a standard error.)")
    return "\n".join(lines)


def _chances(insight: Insight) -> str:
    margin = "exact" if not insight.equity_error else f"± {100 * insight.equity_error:.2f}"
    share = f"{100 * insight.equity:.1f} % of the pot ({margin})"
    lines = [
        f"equity    {share} if all is dealt out, all unseen hole cards equally likely",
        f"pot odds  {_price(insight)}",
    ]
    return "\n".join([f"own low   {insight.low}", *lines] if insight.low else lines)


def _price(insight: Insight) -> str:
    if not insight.call_chips:
        return f"nothing to call; the pot is {insight.pot_chips}"
    return (
        f"{insight.call_chips} to call for a pot of {insight.pot_chips}: worth it from "
        f"{100 * insight.pot_odds:.1f} % on"
    )


def _cards(insight: Insight) -> str:
    dead = ", ".join(f"{cards} (seat {seat})" for seat, cards in insight.dead.items())
    unseen = " ".join(f"{rank}:{count}" for rank, count in zip(RANKS, insight.left))
    low = f"{insight.live_low_cards} of them up to an eight and no pair to the own cards"
    return "\n".join(
        [
            f"dead      {dead or 'no card of a seat that folded'}",
            f"unseen    {unseen}",
            f"          {sum(insight.left)} cards, {low}",
        ]
    )
