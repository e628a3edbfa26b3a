"""The function behind `razz card`: the model card of an exported player."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from tyro.conf import arg

from agents.paths import check_file
from agents.players.network import NetworkPlayer, name_of
from agents.players.network_file import read_network
from agents.shipping.model_card import card_text
from agents.shipping.results import read_exploits, read_ratings
from agents.whole_files import write_result


def card_command(
    network: Annotated[Path, arg(metavar="FILE")],
    /,
    *,
    ratings: tuple[Path, ...] = (),
    exploits: tuple[Path, ...] = (),
    out: Annotated[Path | None, arg(metavar="FILE")] = None,
) -> None:
    """Write the model card of a player that `razz export` has written, in Markdown.

    Its numbers are those of the JSON files given; they must tell of this very network, in the game
    that it was trained on.

    Args:
        network: The player's safetensors file.
        ratings: Files of `razz evaluate trained:FILE OPPONENT --json`.
        exploits: Files of `razz exploit trained:FILE --json`.
        out: The card; by default the player's file with the ending .md.

    Raises:
        ModelError, ValueError: a file that cannot be used.
    """
    path = network.with_suffix(".md") if out is None else out
    check_file(path, "--out")
    _refuse_source(path, (network, *ratings, *exploits))
    card, layers = read_network(network)
    player = NetworkPlayer(card.name, card, layers)
    told = read_ratings(player, ratings), read_exploits(player, exploits)
    text = card_text(player, name_of(network), *told)
    try:
        write_result(path, text)
    except ValueError:
        print(text)
        raise
    print(f"Wrote {path}")


def _refuse_source(path: Path, sources: Iterable[Path]) -> None:
    """Refuse to write the card over what it is made from."""
    for source in sources:
        if path.resolve() == source.resolve():
            raise ValueError(f"--out {str(path)!r} is a file that the card is made from.")
