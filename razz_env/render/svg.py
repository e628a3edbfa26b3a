"""The one drawing of a table: SVG text from a scene. It needs no package and no font.

Every movable thing is a group with an id that stays the same from frame to frame (`seat-4`,
`seat-4-stack`, `card-s3-up2`, `card-s3-down0`, `bet-2`, `pot-0`, `button`, `card-community`),
placed by its `transform`, so that a page can exchange frames and let things move. Nothing is
written of a card that lies face down but that it is there.
"""

import math
import re
from html import escape
from typing import NamedTuple

from razz_env.render.glyphs import CARD_HEIGHT, CARD_RADIUS, CARD_WIDTH, DEFINITIONS, POINTER, STAR
from razz_env.render.layout import (
    CARD_PITCH,
    DOWN_Y,
    HEIGHT,
    LAYOUTS,
    PLATE_HEIGHT,
    PLATE_WIDTH,
    UP_Y,
    WIDTH,
    Layout,
    Place,
)
from razz_env.render.scene import Scene, SceneSeat
from razz_env.render.themes import check_theme, style_sheet
from razz_env.rules.cards import SUITS

_FACE = f'<rect class="face" width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="{CARD_RADIUS}"/>'
_BACK = (
    f'<rect class="back" x="1" y="1" width="{CARD_WIDTH - 2}" height="{CARD_HEIGHT - 2}" '
    f'rx="{CARD_RADIUS}"/><use class="weave" href="#razz-back"/>'
)
_TABLE = (
    f'<rect class="room" width="{WIDTH}" height="{HEIGHT}"/>'
    '<rect class="rail" x="30" y="58" width="740" height="524" rx="236"/>'
    '<rect class="felt" x="44" y="72" width="712" height="496" rx="222"/>'
    '<rect class="line" x="66" y="94" width="668" height="452" rx="200"/>'
)
_POT_PITCH, _POT_HEIGHT, _POTS_WIDTH = 42, 36, 270
_LINE_LENGTH, _SMALL_LINE_LENGTH = 47, 64
_AMOUNT_LENGTH = 9
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML document may hold: most control signs, halves of characters, U+FFFE and U+FFFF."""


def escaped(words: str) -> str:
    """Any text as it may stand in XML and HTML, between tags or quotes; U+FFFD for what may not."""
    return escape(_NOT_XML.sub("\ufffd", words))


def table_svg(
    scene: Scene, *, theme: str = "auto", four_colours: bool = False, width: int | None = None
) -> str:
    """The table as an SVG document.

    Args:
        scene: what is shown, from `seat_scene` or `hand_scene`.
        theme: "light", "dark", or "auto", which follows the reader's system.
        four_colours: a deck of four colours: diamonds blue, clubs green.
        width: width in pixels; by default the picture fills what it is put into.

    Raises:
        ValueError: an unknown theme.
    """
    size = "" if width is None else f' width="{width}" height="{round(width * HEIGHT / WIDTH)}"'
    parts = table_parts(
        scene, theme, four_colours, f'{size} role="img" aria-label="{escaped(_spoken(scene))}"'
    )
    return f"{parts.start}{parts.still}{parts.moving}</svg>"


class Parts(NamedTuple):
    """A drawing in parts: the opening tag, what is the same in every frame, and all the rest."""

    start: str
    still: str
    moving: str


def table_parts(
    scene: Scene, theme: str = "auto", four_colours: bool = False, attributes: str = ""
) -> Parts:
    """The drawing of `table_svg` in parts, for pages that exchange only what changes.

    Raises:
        ValueError: an unknown theme.
    """
    layout = LAYOUTS[len(scene.seats)]
    placed = [(seat, layout.places[_turn(scene, seat)]) for seat in scene.seats]
    moving = [
        _heading(scene),
        *(_cards(seat, place, layout.scale) for seat, place in placed),
        *(_seat(scene, seat, place, layout.scale) for seat, place in placed),
        *(_bet(scene, seat, place) for seat, place in placed if seat.bet_chips),
        _button(placed[-1][1]),
        _pots(scene, layout),
        _community(scene, layout),
        _caption(scene),
    ]
    start = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"{attributes} '
        f'class="razz {check_theme(theme)}{" four" if four_colours else ""}">'
    )
    still = f"<style>{style_sheet(theme)}</style>{DEFINITIONS}{_TABLE}"
    return Parts(start, still, "".join(moving))


def _turn(scene: Scene, seat: SceneSeat) -> int:
    """Places clockwise from the bottom, where the onlooker sits, or else seat 0."""
    return (seat.seat - (scene.me or 0)) % len(scene.seats)


def _spoken(scene: Scene) -> str:
    """The picture in a sentence, for those who hear it."""
    said = "; ".join(scene.announcements) or scene.last_action
    words = f"Razz, {scene.heading}, pot {scene.amount(scene.pot_chips)}"
    return f"{words}: {said}" if said else words


def _heading(scene: Scene) -> str:
    bets = "" if scene.is_over else f"bets {scene.bets} of {scene.max_bets}"
    return (
        _text("street", "head", 22, 40, scene.heading)
        + _text("bets", "stakes", WIDTH - 22, 40, bets, "end")
        + _text("stakes", "stakes", WIDTH / 2, HEIGHT - 14, scene.stakes, "middle")
    )


def _cards(seat: SceneSeat, place: Place, scale: float) -> str:
    """All cards of a seat in dealing order, those of the up cards a little higher."""
    first = seat.first_down
    row = [(f"down{at}", card, DOWN_Y) for at, card in enumerate(seat.down[:first])]
    row += [(f"up{at}", card, UP_Y) for at, card in enumerate(seat.up)]
    row += [(f"down{at + 2}", card, DOWN_Y) for at, card in enumerate(seat.down[first:])]
    left = -(CARD_PITCH * (len(row) - 1) + CARD_WIDTH) / 2
    dead = "" if seat.is_live else " dead"
    return "".join(
        _card(
            f"s{seat.seat}-{name}",
            card,
            " down" + dead if name[0] == "d" else dead,
            place.x + (left + at * CARD_PITCH) * scale,
            place.y + y * scale,
            scale,
        )
        for at, (name, card, y) in enumerate(row)
    )


def _card(name: str, card: int | None, kind: str, x: float, y: float, scale: float) -> str:
    if card is None:
        drawn, suit = _BACK, "hidden"
    else:
        rank, suit = card // 4, SUITS[card % 4]
        drawn = (
            f'{_FACE}<g class="{suit}"><use href="#razz-r{rank}" x="7.75" y="5.5"/>'
            f'<use href="#razz-s{card % 4}" x="7.75" y="38.5"/></g>'
        )
    return (
        f'<g id="card-{name}" class="card{kind}" '
        f'transform="translate({x:.1f} {y:.1f}) scale({scale:g})">{drawn}</g>'
    )


def _seat(scene: Scene, seat: SceneSeat, place: Place, scale: float) -> str:
    kind = "seat" if seat.is_live else "seat out"
    kind += " actor" if seat.is_actor else " winner" if seat.won_chips else ""
    half, number = PLATE_WIDTH / 2, seat.seat
    return (
        f'<g id="seat-{number}" class="{kind}" '
        f'transform="translate({place.x:g} {place.y:g}) scale({scale:g})"><rect class="plate" '
        f'x="{-half:g}" width="{PLATE_WIDTH}" height="{PLATE_HEIGHT}" rx="11"/>'
        f"{_first_line(scene, seat, f'seat-{number}', half)}"
        f"{_second_line(scene, seat, f'seat-{number}', half)}</g>"
    )


def _first_line(scene: Scene, seat: SceneSeat, name: str, half: float) -> str:
    """Mark, name, bring-in badge, stack."""
    mark = POINTER if seat.is_actor else STAR if seat.won_chips else ""
    left, stack = 12 - half + (24 if mark else 0), _plate_amount(scene, seat.stack_chips)
    right = half - 24 - 16.4 * len(stack)
    room = right - left - (30 if seat.is_bring_in else 0)
    drawn = _text(f"{name}-name", "name", left, 26, _fitted(seat.name, room / 13.4))
    drawn += _text(f"{name}-stack", "stack", half - 12, 26, stack, "end")
    if mark:
        drawn += f'<path class="mark" d="{mark}" transform="translate({20 - half:g} 18)"/>'
    if seat.is_bring_in:
        drawn += _badge(f"{name}-bring-in", right - 8, 18)
    return drawn


def _plate_amount(scene: Scene, chips: int) -> str:
    """An amount that a plate has room for: a long one in thousands (K) and so on, rounded to 0."""
    words, units = scene.amount(chips), iter("KMBT")
    while len(words) > _AMOUNT_LENGTH and (unit := next(units, "")):
        chips = int(math.copysign(abs(chips) // 1000, chips))
        words = scene.amount(chips) + unit
    return words


def _badge(name: str, x: float, y: float) -> str:
    """The mark of the seat that brings in."""
    return (
        f'<g id="{name}" transform="translate({x:g} {y:g})"><circle class="badge" r="11.5"/>'
        '<text class="onbadge" y="6.5" text-anchor="middle">B</text></g>'
    )


def _second_line(scene: Scene, seat: SceneSeat, name: str, half: float) -> str:
    """What the seat does or shows, and its result."""
    said = seat.low_ranks or seat.standing or ("to act" if seat.is_actor else "")
    drawn = _text(f"{name}-standing", "standing", 12 - half, 50, said)
    if seat.net_chips is None:
        return drawn
    net = ("+" if seat.net_chips > 0 else "") + _plate_amount(scene, seat.net_chips)
    return drawn + _text(f"{name}-net", "net", half - 12, 50, net, "end")


def _text(name: str, kind: str, x: float, y: float, words: str, anchor: str = "") -> str:
    aligned = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text id="{name}" class="{kind}" x="{x:g}" y="{y:g}"{aligned}>{escaped(words)}</text>'


def _fitted(words: str, most: float) -> str:
    """Words cut to so many letters."""
    return words if len(words) <= most else words[: max(int(most) - 1, 1)] + "\u2026"


def _bet(scene: Scene, seat: SceneSeat, place: Place) -> str:
    amount = scene.amount(seat.bet_chips)
    left = -(34 + 14 * len(amount)) / 2
    x, y = place.bet
    return (
        f'<g id="bet-{seat.seat}" class="bet" transform="translate({x:g} {y:g})">'
        f'<use class="chip" href="#razz-chip" x="{left + 13:g}"/>'
        f"{_text(f'bet-{seat.seat}-chips', 'amount', left + 33, 9, amount)}</g>"
    )


def _button(place: Place) -> str:
    x, y = place.button
    return (
        f'<g id="button" transform="translate({x:g} {y:g})"><circle class="button" r="15"/>'
        '<text class="onbutton" y="7" text-anchor="middle">D</text></g>'
    )


def _pots(scene: Scene, layout: Layout) -> str:
    """Pots in rows, as many side by side as there is room for."""
    pots = [pot for pot in scene.pots if pot.chips]
    words = [f"{pot.name.split()[0].capitalize()} {scene.amount(pot.chips)}" for pot in pots]
    width = 36 + 11.6 * max(map(len, words), default=0)
    per_row = min(layout.pots_per_row, int(_POTS_WIDTH // width) or 1)
    drawn = []
    for number, said in enumerate(words):
        row, column = divmod(number, per_row)
        in_row = min(per_row, len(words) - row * per_row)
        x = layout.pots[0] + (column - (in_row - 1) / 2) * (width + 6)
        drawn.append(_pot(number, said, width, x, layout.pots[1] + row * _POT_PITCH))
    return "".join(drawn)


def _pot(number: int, words: str, width: float, x: float, y: float) -> str:
    return (
        f'<g id="pot-{number}" class="pot" transform="translate({x:.1f} {y:g})">'
        f'<rect class="pill" x="{-width / 2:.1f}" y="{-_POT_HEIGHT / 2:g}" width="{width:.1f}" '
        f'height="{_POT_HEIGHT}" rx="{_POT_HEIGHT / 2:g}"/>'
        f"{_text(f'pot-{number}-chips', 'label', 0, 8, words, 'middle')}</g>"
    )


def _community(scene: Scene, layout: Layout) -> str:
    if scene.community is None:
        return ""
    x, y = layout.community
    card = _card("community", scene.community, "", x - CARD_WIDTH / 2, y, 1.0)
    return card + _text("shared", "label", x, y + CARD_HEIGHT + 22, "shared river", "middle")


def _caption(scene: Scene) -> str:
    """What was said last: in one or two lines, or small in up to three."""
    sentences = scene.announcements or (scene.last_action,)
    lines, kind, pitch = _lines(sentences, _LINE_LENGTH), "said", 28
    if len(lines) > 2 or max(map(len, lines)) > _LINE_LENGTH:
        lines, kind, pitch = _lines(sentences, _SMALL_LINE_LENGTH)[:3], "said small", 23
    top = 638 - pitch * (len(lines) - 1) / 2
    return "".join(
        _text(f"said-{number}", kind, WIDTH / 2, top + pitch * number, line, "middle")
        for number, line in enumerate(lines)
    )


def _lines(sentences: tuple[str, ...], longest: int) -> list[str]:
    """Sentences side by side as far as a line takes them."""
    lines: list[str] = []
    for sentence in sentences:
        if lines and len(lines[-1]) + len(sentence) < longest:
            lines[-1] += f" \u00b7 {sentence}"
        else:
            lines.append(sentence)
    return lines
