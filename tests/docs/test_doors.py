"""The pages on doors: every example is there, and links lead somewhere."""

import re
from pathlib import Path

import pytest

from tests.examples import page
from tests.examples.running import EXAMPLES

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_of_examples_is_current() -> None:
    assert page.PAGE.read_text() == page.page()


@pytest.mark.parametrize("name", ["doors", "examples", "scaling"])
def test_links_lead_to_files(name: str) -> None:
    text = (DOCS / f"{name}.md").read_text()
    links = re.findall(r"\]\((?!http)([^)#]+)", text)
    assert [link for link in links if not (DOCS / link).exists()] == []


def test_every_extra_of_a_library_has_its_exact_versions() -> None:
    for name in ("rllib", "torchrl", "tianshou"):
        pins = (DOCS.parent / "constraints" / f"{name}.txt").read_text().splitlines()
        assert all("==" in pin for pin in pins if not pin.startswith("#"))
        assert "torch==2.13.0" in pins
        assert (EXAMPLES.parent / "tests" / "examples" / f"test_{name}.py").exists()
