"""The page in a real Chromium: whole hands by clicking, two browsers, a reload, screenshots.

`pytest -m browser` runs them where Chromium and the package `playwright` are; the screenshots go to
the folder that RAZZ_SCREENSHOTS names, if it is set.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")
playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium"),
]

from agents.table.choices import choices  # noqa: E402
from agents.web.server import Server, offered_players  # noqa: E402
from docs.made_by_running import site as site_of  # noqa: E402
from razz_env import Hand  # noqa: E402
from razz_env.history import audit  # noqa: E402

BUTTONS = "#choices button[data-action]:not([disabled])"
WAIT = 120_000


@pytest.fixture
def site() -> Iterator[tuple[str, Server]]:
    """The address of a running server, and the server."""
    server = Server(offered_players())
    with site_of(server) as address:
        yield address, server


@pytest.fixture
def new_page() -> Iterator[Callable[..., Any]]:
    """Opens pages of a Chromium; the test has failed if the script of one did."""
    errors: list[str] = []
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])

        def opened(**options: Any) -> Any:
            page = browser.new_context(**options).new_page()
            page.set_default_timeout(WAIT)
            page.on("pageerror", lambda error: errors.append(error.stack or str(error)))
            return page

        yield opened
        browser.close()
    assert not errors, f"a page's script failed: {errors}"


def open_table(page: Any, address: str, seats: int, seed: int, stacks: int = 500) -> None:
    page.goto(address)
    page.wait_for_selector("#order", state="visible")
    page.select_option("#seats", str(seats))
    page.click("#order summary")
    page.fill("#seed", str(seed))
    page.fill("#stacks", str(stacks))


def shoot(page: Any, name: str) -> None:
    if folder := os.environ.get("RAZZ_SCREENSHOTS"):
        time.sleep(1)  # until everything has moved
        page.screenshot(path=str(Path(folder) / f"{name}.png"))


def the_table(server: Server) -> Any:
    (room,) = server._rooms.values()
    return room.table


def decide(page: Any, table: Any, seat: int, step: int) -> bool:
    """Check the buttons against the mask and press one; False if the seat is not asked."""
    buttons = page.query_selector_all(BUTTONS)
    if not buttons:
        return False
    hand = table.hand
    assert hand.actor == seat
    legal = hand.legal_actions()
    assert [b.get_attribute("data-action").upper() for b in buttons] == [a.name for a in legal]
    for button, choice in zip(buttons, choices(hand.view(seat)), strict=True):
        label = f"{choice.label}, all-in" if choice.all_in else choice.label
        assert button.text_content() == label + choice.key.upper()
        assert hand.amount(choice.action) == choice.chips
    buttons[step % len(buttons)].click()
    return True


def play_hands(pages: dict[int, Any], table: Any, hands: int) -> int:
    """Click through so many hands; the number of decisions."""
    step, since = 0, time.monotonic()
    while table.score.hands < hands:
        for seat, page in pages.items():
            if decide(page, table, seat, step):
                step, since = step + 1, time.monotonic()
        press_next(pages[min(pages)])
        assert time.monotonic() - since < 120, "nothing happens any more"
        time.sleep(0.02)
    return step


def press_next(page: Any) -> None:
    """Deal the next hand, if the page offers it; it may be dealt by itself meanwhile."""
    page.evaluate("document.querySelector('#next')?.click()")


def check_result(table: Any, seed: int, stacks: int = 500) -> None:
    """Every hand is the engine's hand of the seed with the same actions and the same result."""
    for finished in table.history:
        hand = Hand.deal(len(table.seats), "full_tilt", stacks, seed, index=finished.number - 1)
        for move in finished.record.moves:
            assert hand.actor == move.seat
            assert hand.amount(move.action) == move.chips
            hand.apply(move.action)
        assert hand.is_over
        assert tuple(hand.payoffs.tolist()) == finished.net_chips
        assert audit(finished.record).agrees


def test_twenty_whole_hands_by_clicking(site: tuple[str, Server], new_page: Any) -> None:
    address, server = site
    page = new_page(viewport={"width": 1280, "height": 860})
    open_table(page, address, 4, 20, stacks=160)
    shoot(page, "lobby")
    page.click("#order button.main")
    page.wait_for_selector(f"{BUTTONS}, #next")
    shoot(page, "first-decision")
    page.select_option("#speed", "full")
    table = the_table(server)
    assert play_hands({0: page}, table, 20) > 20
    check_result(table, 20, stacks=160)
    page.select_option("#speed", "slow")
    scores = dict(zip(table.names, table.score.net_big_bets, strict=True))
    page.wait_for_function("() => document.querySelector('#played').textContent.includes('20')")
    words = page.text_content("#score dd.mine").replace("\u2212", "-")
    assert float(words) == pytest.approx(scores["Hero"], abs=0.06)
    page.click("#course summary")
    page.wait_for_selector("#graph polyline")
    shoot(page, "after-twenty-hands")
    page.click("#hands")
    page.wait_for_selector("#picture svg")
    page.check("#equity")
    page.select_option("#player", "book")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.querySelectorAll('#shares dt').length > 0")
    shoot(page, "looking-back")
    with page.expect_download() as file:
        page.click("#look .download[value=pokerstars]")
    assert "PokerStars" in Path(file.value.path()).read_text()


def test_two_browsers_at_one_table_and_a_reload(site: tuple[str, Server], new_page: Any) -> None:
    address, server = site
    ann = new_page(viewport={"width": 1280, "height": 860}, color_scheme="dark")
    bob = new_page(
        viewport={"width": 375, "height": 740},
        device_scale_factor=2,
        is_mobile=True,
        has_touch=True,
    )
    open_table(ann, address, 3, 7)
    ann.select_option("#plan select >> nth=2", "open")
    ann.click("#order button.main")
    ann.wait_for_selector("#invite", state="visible")
    shoot(ann, "inviting")
    bob.on("dialog", lambda dialog: dialog.accept("Bob"))
    bob.goto(ann.get_attribute("#link", "href"))
    bob.wait_for_selector("#sit", state="visible")
    bob.click("#sit")
    ann.wait_for_selector("#felt svg")
    ann.select_option("#speed", "full")
    table = the_table(server)
    pages = {0: ann, 2: bob}
    play_hands(pages, table, 3)
    reload_at_a_turn(pages, table)
    play_hands(pages, table, 6)
    assert table.names == ("Hero", table.names[1], "Bob")
    check_result(table, 7)
    seen = {seat: own_cards(page) for seat, page in pages.items()}
    assert seen[0].isdisjoint(seen[2]) or not table.in_play


def reload_at_a_turn(pages: dict[int, Any], table: Any) -> None:
    """Reload the page of whoever is asked: it is asked the same again."""
    while table.actor not in pages or not pages[table.actor].query_selector(BUTTONS):
        press_next(pages[0])
        time.sleep(0.05)
    page, before = pages[table.actor], table.hand.to_bytes()
    shoot(page, "phone" if page is pages[2] else "dark")
    words = [button.inner_text() for button in page.query_selector_all(BUTTONS)]
    page.reload()
    page.wait_for_selector(BUTTONS)
    assert [button.inner_text() for button in page.query_selector_all(BUTTONS)] == words
    assert table.hand.to_bytes() == before


def own_cards(page: Any) -> set[str]:
    """Ids of the face-up down cards in a page."""
    script = """[...document.querySelectorAll("#felt .card.down")]
        .filter((card) => !card.querySelector(".back")).map((card) => card.id)"""
    return set(page.evaluate(script))


def test_keys_play_and_movement_can_be_reduced(site: tuple[str, Server], new_page: Any) -> None:
    address, server = site
    page = new_page(reduced_motion="reduce")
    open_table(page, address, 2, 3)
    page.click("#order button.main")
    page.wait_for_selector(BUTTONS)
    table = the_table(server)
    before = table.score.hands, table.hand.record.public.log_length
    letter = page.query_selector(f"{BUTTONS} kbd").inner_text()
    page.keyboard.press(letter.lower())
    for _ in range(200):
        if (table.score.hands, table.hand.record.public.log_length) != before:
            break
        time.sleep(0.05)
    assert (table.score.hands, table.hand.record.public.log_length) != before
    style = "getComputedStyle(document.querySelector('.card')).transitionProperty"
    assert page.evaluate(style) in ("none", "all")
    assert (
        page.evaluate("getComputedStyle(document.querySelector('.card')).transitionDuration")
        == "0s"
    )


def test_nothing_is_fetched_from_elsewhere(site: tuple[str, Server], new_page: Any) -> None:
    address, _ = site
    page = new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    open_table(page, address, 6, 1)
    page.click("#watch")
    page.wait_for_selector("#felt svg")
    shoot(page, "watching")
    assert asked
    assert all(url.startswith((address, "data:", "blob:")) for url in asked)
