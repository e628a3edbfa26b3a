"""The pictures of the documentation, made from the real thing: `python -m docs.make_pictures`.

Every picture is an entry of `PICTURES`: the name of its file in docs/images and the function that
makes its content, text or bytes. `--check` tells which text pictures are not current. A picture
that cannot be made here, such as that of the web page without a browser, is left as it is.
"""

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np

from docs import made_by_running
from docs.made_by_running import CannotBeMade
from razz_env import Action, Hand, Street
from razz_env.render import gif_bytes, hand_scene, hand_scenes, seat_scene, table_svg

IMAGES = Path(__file__).parent / "images"
NAMES = ["Ann", "Ben", "Chloe", "Dmitri", "Esme", "Farid", "Gwen", "Hiro"]


def played(
    num_players: int, seed: int, *, until: Street | None = None, stacks: int | list[int] = 500
) -> Hand:
    """A hand played at random, seldom folded, up to a call that is due on a street, or the end."""
    rng, hand = np.random.default_rng(seed), Hand.deal(num_players, "full_tilt", stacks, seed)
    while not hand.is_over and not (hand.street == until and hand.to_call):
        legal = hand.legal_actions()
        bold = [action for action in legal if action != Action.FOLD]
        folds = Action.FOLD in legal and len(hand.live_seats) > 3 and rng.random() < 0.2
        hand.apply(Action.FOLD if folds else bold[int(rng.integers(len(bold)))])
    return hand


def middle(theme: str) -> str:
    """Six seats on sixth street, as one of them sees them."""
    hand = played(6, 11, until=Street.SIXTH)
    return table_svg(seat_scene(hand.view(hand.actor or 0), NAMES[:6]), theme=theme)


def showdown(theme: str) -> str:
    """Side pots at the end, for spectators."""
    hand = played(5, 29, stacks=[500, 60, 140, 500, 500])
    return table_svg(hand_scene(hand, NAMES[:5]), theme=theme)


def film() -> bytes:
    """A whole hand, all cards open."""
    return gif_bytes(hand_scenes(played(4, 5), NAMES[:4], open_cards=True), width=400)


PICTURES: dict[str, Callable[[], str | bytes]] = {
    "table-light.svg": lambda: middle("light"),
    "table-dark.svg": lambda: middle("dark"),
    "showdown-light.svg": lambda: showdown("light"),
    "showdown-dark.svg": lambda: showdown("dark"),
    "hand.gif": film,
    "crosstable.png": made_by_running.crosstable,
    "training.png": made_by_running.training,
    "web.png": made_by_running.web,
}


def main() -> int:
    """Write all pictures or those named, or with --check compare those that are text."""
    parser = argparse.ArgumentParser(prog="python -m docs.make_pictures", description=main.__doc__)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(PICTURES)}")
    given = parser.parse_args()
    if unknown := [name for name in given.names if name not in PICTURES]:
        parser.error(f"there is no picture {unknown[0]!r}; there are {', '.join(PICTURES)}")
    names = given.names or list(PICTURES)
    if given.check:
        return _check([name for name in names if name.endswith(".svg")])
    for name in names:
        _make(name)
    return 0


def _check(names: list[str]) -> int:
    """Tell which text pictures are not current; 1 if any is not."""
    old = [name for name in names if not _is_current(name, PICTURES[name]())]
    for name in old:
        print(f"docs/images/{name} is not current: run python -m docs.make_pictures")
    return 1 if old else 0


def _make(name: str) -> None:
    try:
        _write(IMAGES / name, PICTURES[name]())
    except CannotBeMade as missing:
        print(f"docs/images/{name} is left as it is: {missing}.")


def _is_current(name: str, content: str | bytes) -> bool:
    """Whether the file of a text picture has this content."""
    file = IMAGES / name
    return file.exists() and file.read_text(encoding="utf-8") == content


def _write(file: Path, content: str | bytes) -> None:
    file.parent.mkdir(exist_ok=True)
    if isinstance(content, bytes):
        file.write_bytes(content)
    else:
        file.write_text(content, encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
