"""The server by its websocket: seats, links, reloads, refusals, failures, pace, downloads."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from pathlib import Path
from typing import Any

import pytest

from razz_env.envs.opponents import resolve_agent
from razz_env.history import audit, read

from ..support.tables import ladder_hand, play
from ..table.players import Failing
from .clients import HOST, ORDER, all_at_once, page, play_until, served

from starlette.websockets import WebSocketDisconnect  # isort: skip
from agents.table.session import Bot, Person, Table  # isort: skip
from agents.web.room import Room  # isort: skip
from agents.web.server import Server, new_file, offered_players, short_name  # isort: skip
from agents.web.telling import state  # isort: skip

CAPPED = "S4 BRING_IN 5, S1 COMPLETE to 20, S2 RAISE to 40, S3 RAISE to 60, S4 RAISE to 80"


def offered_at(script: str, seat: int) -> list[tuple[str, str]]:
    """What a page of the seat offers when four people have played so far."""

    async def look() -> list[tuple[str, str]]:
        people = [Person(name) for name in ("Ann", "Bob", "Cid", "Dan")]
        room = Room(list(people), lambda _seats: Table(people))
        guest = room.invite(seat)
        room.table = Table(people)
        room.table.hand = play(ladder_hand(4), script)
        room._turn = asyncio.get_running_loop().create_future()
        told = state(room, guest, 0)
        return [(choice["label"], choice["key"]) for choice in told["choices"]]

    return asyncio.run(look())


def test_u03_the_buttons_are_the_mask_with_amounts() -> None:
    assert offered_at(CAPPED, 0) == [("Fold", "f"), ("Call 60", "c")]
    assert offered_at(CAPPED, 1) == []
    assert offered_at("", 3) == [("Bring in 5", "b"), ("Complete to 20", "r")]
    raised = "S4 BRING_IN, S1 COMPLETE, S2 RAISE"
    assert offered_at(raised, 2) == [("Fold", "f"), ("Call 40", "c"), ("Raise to 60", "r")]


def test_a_person_plays_against_bots_and_everything_is_told() -> None:
    with served() as (client, server), page(client) as ann:
        key = ann.open(["me", "caller", "caller"])["table"]
        ann.say(do="speed", speed="full")
        play_until(ann, 5, 1)
        table = server.room(key).table
        assert table is not None
        last = json.loads(ann.heard[-1])
        assert [entry["name"] for entry in last["score"]] == ["Ann", "caller", "caller 2"]
        chat = [line for text in ann.heard for _, line in json.loads(text).get("chat", ())]
        assert chat.count("Hand 1.") == 1
        assert any(re.search("low (wins|splits) the pot", line) for line in chat)
        assert all(audit(hand.record).agrees for hand in table.history)


def test_a_link_brings_people_to_open_seats_and_others_watch() -> None:
    with served() as (client, _), page(client) as ann, page(client) as bob, page(client) as eve:
        key = ann.open(["me", "open", "caller"])["table"]
        waiting = ann.until("state", lambda m: m["open"] == 1)
        assert waiting["names"] == ["Ann", "open seat", "caller"]
        assert "svg" not in waiting
        bob.join(key)
        eve.join(key)
        bob.say(do="sit", name="  Bob   B ")
        assert bob.until("state", lambda m: m["seat"] is not None)["seat"] == 1
        eve.say(do="sit", name="Eve")
        assert "No seat is open" in eve.until("refused")["sentence"]
        told = eve.until("state", lambda m: m.get("hand") == 1)
        assert told["names"] == ["Ann", "Bob B", "caller"]
        assert (told["seat"], told["choices"]) == (None, [])


def test_the_host_may_start_without_guests() -> None:
    with served() as (client, _), page(client) as ann, page(client) as bob:
        key = ann.open(["open", "me", "open", "caller"])["table"]
        bob.join(key)
        bob.say(do="start")
        assert "Only who opened the table" in bob.until("refused")["sentence"]
        ann.say(do="start")
        told = ann.until("state", lambda m: m.get("hand") == 1)
        assert (told["seat"], told["names"]) == (0, ["Ann", "caller"])


def test_the_host_cannot_start_without_guests_whom_a_player_needs() -> None:
    class ForThree(Failing):
        name, num_players = "three", 3

    with served() as (client, server), page(client) as ann:
        server.player = lambda name: ForThree()  # type: ignore[method-assign]
        ann.open(["open", "me", "caller"])
        ann.say(do="start")
        said = ann.until("refused")["sentence"]
        assert "'three' plays at tables of 3 seats, not of 2. Wait for your guests." in said
        ann.say(do="auto_muck", on=True)  # the table waits as before
        assert "Only who sits at the table" in ann.until("refused")["sentence"]


def test_a_reload_keeps_the_seat_and_a_wrong_token_only_watches() -> None:
    with served() as (client, _):
        with page(client) as ann:
            seated = ann.open(["me", "caller"])
            before = ann.my_turn()
        with page(client) as again:
            again.join(seated["table"], seated["token"])
            after = again.my_turn()
            for name in ("seat", "hand", "decision", "choices", "svg", "host"):
                assert after[name] == before[name]
            assert next(line for _, line in after["chat"]) == "Hand 1."
            with page(client) as other:
                stranger = other.join(seated["table"], "x" * 24)
                assert stranger["token"] != seated["token"]
                told = other.until("state")
                assert (told["seat"], told["host"], told["choices"]) == (None, False, [])


NO_KIND = 'malformed: it must be an object whose "do" is one of "create", .*, "download"[.]$'
MALFORMED = [
    ("", "JSON"),
    ("[1, 2", "JSON"),
    ("1" * 5000, "JSON"),
    ('{"do": "step", "hand": ' + "9" * 5000 + ', "step": 0}', "JSON"),
    ('{"do": "join", "table": "\\ud800"}', "malformed at join.table"),
    ("[" * 5000, "malformed|JSON"),
    ("null", NO_KIND),
    ('{"do": "fly"}', NO_KIND),
    ('{"do": ["act"]}', NO_KIND),
    ('{"action": "call"}', NO_KIND),
    ('{"do": "act", "action": "call"}', "malformed at act.hand"),
    ('{"do": "act", "action": "call", "hand": 1, "decision": 0, "seat": 2}', "act.seat: Extra"),
    ('{"do": "act", "action": "call", "hand": "1", "decision": 0}', "act.hand"),
    ('{"do": "create", "seats": ["me"], "name": "A", "rules": "full_tilt"}', "create.seats"),
    ('{"do": "download", "format": "../../etc/passwd"}', "download.format"),
    ('{"do": "step", "hand": 1, "step": -1}', "step.step"),
    ('{"do": "hint", "x": "' + "y" * 9000 + '"}', "at most 8192 bytes"),
    ('{"do": "hint"}', "Open a table or join one first"),
    ('{"do": "titles"}', "no hands to look up"),
    ('{"do": "join", "table": "../secret"}', "no such table"),
]


@pytest.mark.parametrize(("text", "words"), MALFORMED)
def test_malformed_messages_get_a_clear_refusal_and_the_page_stays(text: str, words: str) -> None:
    with served() as (client, _), page(client) as ann:
        ann.socket.send_text(text)
        assert re.search(words, ann.until("refused")["sentence"])
        ann.open(["me", "caller"])


def test_bytes_are_refused() -> None:
    with served() as (client, _), page(client) as ann:
        ann.socket.send_bytes(b"\x00\xff")
        assert "JSON text" in ann.until("refused")["sentence"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seats": ["me", "ppo:/etc/passwd"]}, "no player 'ppo:/etc/passwd' here"),
        ({"seats": ["me", "os:system"]}, "no player 'os:system' here"),
        ({"seats": ["me", "me"]}, "one seat only"),
        ({"seats": ["me", "trained:heads_up", "caller"]}, "'trained:heads_up' plays at tables"),
        ({"rules": "kuhn"}, "no rules 'kuhn' here"),
        ({"stacks": 4}, "no hand has a decision"),
        ({"name": "   "}, "letters that can be printed"),
        ({"name": "a\u202eb"}, "letters that can be printed"),
    ],
)
def test_impossible_tables_are_refused(change: dict[str, Any], words: str) -> None:
    with served() as (client, _), page(client) as ann:
        ann.say(
            **{
                "do": "create",
                "name": "A",
                "rules": "full_tilt",
                "seats": ["me", "caller"],
                **change,
            }
        )
        assert words in ann.until("refused")["sentence"]


def test_only_the_own_seat_acts_and_only_as_offered() -> None:
    with (
        served() as (client, server),
        page(client) as ann,
        page(client) as bob,
        page(client) as eve,
    ):
        key = ann.open(["me", "open"], seed=3)["table"]
        bob.join(key)
        eve.join(key)
        bob.say(do="sit", name="Bob")
        both = {0: ann, 1: bob}
        told = eve.until("state", lambda m: m.get("hand") == 1)
        table = server.room(key).table
        assert table is not None
        actor = table.actor
        assert actor is not None
        waiting, acting = both[1 - actor], both[actor]
        state_of_turn = acting.my_turn()
        before = table.hand.to_bytes() if table.hand else b""
        for other in (waiting, eve):
            other.act(told, state_of_turn["choices"][0]["action"])
            assert "not your turn" in other.until("refused")["sentence"]
        acting.act(state_of_turn, "raise")
        assert (
            "not among your choices: Bring in 5, Complete to 20"
            in acting.until("refused")["sentence"]
        )
        acting.say(do="act", action="bring_in", hand=1, decision=7)
        assert "earlier decision" in acting.until("refused")["sentence"]
        assert table.hand is not None
        assert table.hand.to_bytes() == before
        acting.act(state_of_turn, "bring_in")
        acting.act(state_of_turn, "bring_in")  # pressed twice
        assert re.search("not your turn|earlier", acting.until("refused")["sentence"])


def test_a_failing_player_calls_the_hand_off_and_the_finished_ones_stay(tmp_path: Path) -> None:
    class Frail(Failing):
        name = "frail"

    with served(folder=tmp_path) as (client, server), page(client) as ann:
        server.player = lambda name: Frail(after=25)  # type: ignore[method-assign]
        key = ann.open(["caller", "random"])["table"]
        ann.say(do="speed", speed="full")
        failed = ann.until("state", lambda m: m["note"] != "")
        assert "'frail' in seat" in failed["note"]
        assert "OSError: the process is gone" in failed["note"]
        table = server.room(key).table
        assert table is not None
        count = len(table.history)
        assert count == failed["hands"] > 0
        (file,) = tmp_path.iterdir()
        assert len(list(read(file))) == count
        ann.say(do="titles")
        assert ann.until("titles")["total"] == count
        for bot in table.bots:
            bot.agent.left = 10**6  # type: ignore[attr-defined]
        ann.say(do="next")
        assert ann.until("state", lambda m: m["hands"] > count)["note"] == ""


class Hanging(Failing):
    """Does not come back from its n-th decision until it is let go."""

    name = "hanging"

    def __init__(self, after: int) -> None:
        super().__init__(after)
        self.gone = threading.Event()

    def act(self, views, observations, masks, rng):
        self.left -= 1
        if self.left < 0:
            self.gone.wait(60)
        return masks.argmax(axis=1)


def test_a_player_that_hangs_costs_no_finished_hand_and_no_other_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agents.web.room.PATIENCE_SECONDS", 0.5)
    hanging = Hanging(after=25)
    with served(folder=tmp_path) as (client, server), page(client) as ann, page(client) as bob:
        made = server.player
        server.player = lambda name: hanging  # type: ignore[method-assign]
        ann.open(["caller", "random"])
        ann.say(do="speed", speed="full")
        slow = ann.until("state", lambda m: "has been thinking" in m["note"] and hanging.left < 0)
        count = slow["hands"]
        (file,) = tmp_path.iterdir()
        assert len(list(read(file))) == count > 0
        ann.say(do="speed", speed="fast")  # is no wish to give up
        ann.say(do="next")
        stopped = ann.until("state", lambda m: m["note"].endswith("gave no answer."))
        assert (stopped["hands"], stopped["over"]) == (count, True)
        server.player = made  # type: ignore[method-assign]
        bob.open(["caller", "random"])
        bob.say(do="speed", speed="full")
        bob.until("state", lambda m: m.get("hands", 0) >= 2)
        hanging.gone.set()
        ann.say(do="next")
        assert ann.until("state", lambda m: m["hands"] > count)["hands"] == count + 1


def test_a_slow_player_goes_on_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.web.room.PATIENCE_SECONDS", 0.2)
    hanging = Hanging(after=3)
    with served() as (client, server), page(client) as ann:
        server.player = lambda name: hanging  # type: ignore[method-assign]
        ann.open(["caller", "random"])
        ann.say(do="speed", speed="full")
        ann.until("state", lambda m: "has been thinking" in m["note"] and hanging.left < 0)
        hanging.gone.set()
        assert ann.until("state", lambda m: m["hands"] >= 2)["note"] == ""


def test_a_new_table_writes_behind_all_files_that_are_there(tmp_path: Path) -> None:
    folder = tmp_path / "hands"
    assert new_file(folder).name == "table-0001.jsonl"
    names = ("table-0003.jsonl", "table-notes.jsonl", "table-0009.json")
    for name in names:
        (folder / name).write_text("mine\n")
    (folder / "table-0001.jsonl").unlink()
    with served(folder=folder) as (client, _), page(client) as ann:
        ann.open(["caller", "random"])
        ann.say(do="speed", speed="full")
        ann.until("state", lambda m: m.get("hands", 0) >= 1)
    assert {path.name for path in folder.iterdir()} == {*names, "table-0004.jsonl"}
    assert all((folder / name).read_text() == "mine\n" for name in names)
    assert list(read(folder / "table-0004.jsonl"))
    (folder / "table-12345.jsonl").touch()
    assert new_file(folder).name == "table-12346.jsonl"


def test_a_killed_page_loses_no_finished_hand(tmp_path: Path) -> None:
    with served(folder=tmp_path) as (client, _):
        with page(client) as ann:
            seated = ann.open(["me", "caller"])
            ann.say(do="speed", speed="full")
            play_until(ann, 4, 1)
        (file,) = tmp_path.iterdir()
        assert len(list(read(file))) >= 4
        with page(client) as again:
            again.join(seated["table"], seated["token"])
            again.say(do="titles")
            assert again.until("titles")["total"] >= 4


def test_the_dealer_acts_for_somebody_who_stays_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.web.room.AWAY_SECONDS", 0.05)
    with served() as (client, _), page(client) as ann:
        key = ann.open(["me", "open"], seed=3)["table"]
        ann.say(do="speed", speed="full")
        with page(client) as bob:
            bob.join(key)
            bob.say(do="sit", name="Bob")
            bob.until("state", lambda m: m.get("hand") == 1)
        play_until(ann, 3, 1)


def test_spectators_see_all_cards_only_where_bots_play() -> None:
    with served() as (client, server), page(client) as ann:
        key = ann.open(["caller", "caller"])["table"]
        ann.say(do="speed", speed="full")
        told = ann.until("state", lambda m: m.get("hands", 0) >= 2 and m["svg"])
        assert 'href="#razz-back"/></g>' not in told["svg"]
        assert server.room(key).table.is_open


def test_hints_come_at_the_own_turn_only() -> None:
    with served() as (client, _), page(client) as ann, page(client) as eve:
        key = ann.open(["me", "caller"])["table"]
        ann.my_turn()
        ann.say(do="hint")
        lines = ann.until("hint")["lines"]
        assert lines[0].startswith("Equity ")
        assert lines[-1].startswith("caller would choose: ")
        eve.join(key)
        eve.say(do="hint")
        assert "whose turn it is" in eve.until("refused")["sentence"]


def test_files_can_be_read_back() -> None:
    with served() as (client, server), page(client) as ann:
        key = ann.open(["me", "caller", "random"])["table"]
        ann.say(do="speed", speed="full")
        play_until(ann, 6, 1)
        table = server.room(key).table
        assert table is not None
        for kind in ("phh", "pokerstars"):
            ann.say(do="download", format=kind)
            file = ann.until("file")
            records = list(read(file["text"]))
            assert len(records) + len(file["refused"]) == len(table.history)
            assert {r.hero for r in records} == {0}
            nets = {str(h.number): h.net_chips for h in table.history}
            assert all(r.completed().payoffs == nets[r.hand_id] for r in records)
        ann.say(do="graph")
        assert "<polyline" in ann.until("graph")["svg"]


def test_auto_muck_off_is_kept_and_told() -> None:
    with served() as (client, _), page(client) as ann:
        ann.open(["me", "caller"])
        ann.my_turn()
        ann.say(do="auto_muck", on=False)
        assert ann.until("state", lambda m: not m["auto_muck"])["seat"] == 0


def test_pages_are_served_with_a_policy_and_only_to_this_host() -> None:
    with served() as (client, _):
        for path, words in (("/", "<title>Razz"), ("/page.js", "morph"), ("/page.css", ".card")):
            answer = client.get(path)
            assert words in answer.text
            assert "script-src 'self'" in answer.headers["content-security-policy"]
        assert client.get("/../pyproject.toml").status_code == 404
        assert client.get("/static/page.js").status_code == 404
        assert client.get("/", headers={"host": "evil.example"}).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {**HOST, "origin": "http://evil.example"},
        {**HOST, "origin": "http://127.0.0.1:9999"},
        {**HOST, "origin": "null"},
    ],
)
def test_other_sites_cannot_open_a_socket(headers: dict[str, str]) -> None:
    with (
        served() as (client, _),
        pytest.raises(WebSocketDisconnect) as closed,
        client.websocket_connect("/socket", headers=headers),
    ):
        pass
    assert closed.value.code == 1008


def test_the_own_page_can() -> None:
    with served() as (client, _):
        headers = {**HOST, "origin": "http://127.0.0.1:8000"}
        with client.websocket_connect("/socket", headers=headers) as socket:
            assert socket.receive_json()["type"] == "lobby"


def test_tables_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.web.server.MAX_TABLES", 2)
    with served() as (client, _), page(client) as ann, page(client) as bob, page(client) as eve:
        first = ann.open(["me", "caller"])["table"]
        bob.open(["me", "caller"])
        eve.say(do="create", name="E", rules="full_tilt", seats=["me", "caller"])
        assert "All 2 tables" in eve.until("refused")["sentence"]
        ann.say(do="leave")
        ann.open(["me", "caller"])
        eve.say(do="join", table=first)
        assert "no such table" in eve.until("refused")["sentence"]


def test_a_table_that_is_refused_closes_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.web.server.MAX_TABLES", 1)
    with served() as (client, server), page(client) as ann, page(client) as bob:
        seated = ann.open(["me", "caller"])
        ann.say(do="leave")
        for change in (
            {"rules": "kuhn"},
            {"stacks": 4},
            {"seats": ["me", "me"]},
            {"seats": ["me", "nobody"]},
            {"name": " "},
        ):
            bob.say(**{**ORDER, "seats": ["me", "caller"], **change})
            bob.until("refused")
            assert server.room(seated["table"])
        ann.join(seated["table"], seated["token"])
        assert ann.my_turn()["seat"] == 0
        ann.say(do="leave")
        bob.open(["me", "caller"])
        ann.say(do="join", table=seated["table"])
        assert "no such table" in ann.until("refused")["sentence"]


def test_a_page_that_is_refused_stays_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.web.room.MAX_PAGES", 1)
    with served() as (client, _), page(client) as ann, page(client) as bob:
        own, other = ann.open(["me", "caller"]), bob.open(["me", "caller"])
        ann.my_turn()
        for table in (other["table"], "no such key"):
            ann.say(do="join", table=table)
            ann.until("refused")
        ann.say(do="hint")
        assert ann.until("hint")["hand"] == 1
        again = ann.join(own["table"], own["token"])  # the table is full of this page alone
        assert again == own
        assert ann.my_turn()["seat"] == 0


def test_offered_players_need_no_file_and_have_short_names() -> None:
    names = offered_players(["ppo:runs/quick/model.zip"])
    assert names[:2] == ("ppo:runs/quick/model.zip", "book")
    assert {"trained:table", "trained:heads_up"} <= set(names)
    assert all(resolve_agent(name) for name in names[1:])
    assert len(set(names)) == len(names)
    assert short_name("ppo:runs/quick/model.zip?greedy") == "quick"
    assert short_name("scripted:tight") == "tight"
    assert short_name("trained:table") == "trained"
    assert short_name("trained:heads_up?greedy") == "heads_up"
    short = [short_name(name) for name in names[1:] if name != "equity:uniform"]
    assert len(set(short)) == len(short)
    assert max(map(len, short)) <= 8  # what a plate beside "500" shows whole
    assert short_name("book") == "book"
    assert Bot(short_name("x:"), Failing()).name == "x"


def test_two_people_and_bots_play_on_together() -> None:
    with served() as (client, server), page(client) as ann, page(client) as bob:
        key = ann.open(["me", "caller", "open"], seed=5)["table"]
        ann.say(do="speed", speed="full")
        bob.join(key)
        bob.say(do="sit", name="Bob")
        all_at_once(lambda: play_until(ann, 6, 1), lambda: play_until(bob, 6, 2))
        table = server.room(key).table
        assert table is not None
        assert table.score.hands >= 6
        assert isinstance(server, Server)
