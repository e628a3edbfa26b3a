"""Reading a drawing back: what is on it, by the ids of its elements."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

SPACE = "{http://www.w3.org/2000/svg}"
HREF = re.compile(r"#razz-([rs])(\d+)")


class Drawn:
    """The elements of an SVG document by their ids."""

    def __init__(self, svg: str) -> None:
        self.root = ET.fromstring(svg)
        elements = [one for one in self.root.iter() if "id" in one.attrib]
        self.by_id = {one.attrib["id"]: one for one in elements}
        assert len(self.by_id) == len(elements), "an id stands twice"

    def text(self, name: str) -> str:
        return self.by_id[name].text or ""

    def said(self) -> str:
        lines = sorted(name for name in self.by_id if name.startswith("said-"))
        return " ".join(self.text(name) for name in lines)

    def cards(self) -> dict[str, int | None]:
        """Name of every card on the table -> its number, None if it lies face down."""
        names = [name for name in self.by_id if name.startswith("card-")]
        return {name: _number(self.by_id[name]) for name in names}

    def place(self, name: str) -> tuple[float, float]:
        numbers = re.findall(r"-?[\d.]+", self.by_id[name].attrib["transform"])
        return float(numbers[0]), float(numbers[1])

    def kinds(self, name: str) -> set[str]:
        return set(self.by_id[name].attrib["class"].split())


def _number(card: ET.Element) -> int | None:
    uses = [one.attrib["href"] for one in card.iter(f"{SPACE}use")]
    found = dict(match.groups() for use in uses if (match := HREF.fullmatch(use)))
    if not found:
        assert uses == ["#razz-back"]
        return None
    return int(found["r"]) * 4 + int(found["s"])
