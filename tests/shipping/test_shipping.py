"""From a run to a shipped player: the exported file, its recipe, its card."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from agents.cli import main
from agents.players.errors import ModelError
from agents.players.forward import Forward
from agents.players.network import WEIGHTS, NetworkPlayer, name_of, trained
from agents.players.network_file import read_network, resumed_note, write_network
from agents.players.trained import PolicyPlayer, ppo
from agents.shipping.export_command import check_alike, export_command
from agents.shipping.results import read_exploits, read_ratings
from agents.training.arguments import override, read_arguments
from agents.training.config import TrainingConfig, as_written, load_config
from agents.training.recipe import recipe_of, staged_commands, training_command
from razz_env import make_batch

from ..agents.networks import card_of, layers_for, tiny_network
from ..support.errors import refused
from ..training.runs import session


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that has learned a little."""
    made = session(tmp_path_factory.mktemp("runs"), frames=2048, checkpoint_every=4)
    made.learn()
    return Path(made.folder.path)


@pytest.fixture(scope="module")
def file(run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its exported player."""
    path = tmp_path_factory.mktemp("shipped") / "pupil.safetensors"
    assert main(["export", str(run), "--out", str(path)]) == 0
    return path


# ---- export


def test_an_exported_player_has_the_chances_of_the_model(run: Path, file: Path) -> None:
    player, told = trained(str(file)), ppo(str(run))
    batch = make_batch(500, 2, seed=1)
    batch.rollout("random", steps=5)
    scores = np.where(batch.action_masks, told.scores(batch.observations), -np.inf)
    chances = torch.softmax(torch.from_numpy(scores), 1).numpy()
    ours = player.action_probabilities(batch.views, batch.observations, batch.action_masks)
    np.testing.assert_allclose(ours, chances, atol=1e-5)


def test_the_file_tells_what_was_trained_and_how(run: Path, file: Path) -> None:
    card, _ = read_network(file)
    model = json.loads((run / "model.json").read_text())
    assert (card.name, card.seats, card.table_sizes) == ("pupil", 2, (2,))
    assert (card.observation, card.frames, card.seed) == (model["observation"], 2048, 1)
    assert card.rules == model["rules"]
    assert card.packages == model["packages"]
    (noted,) = json.loads((run / "run.json").read_text())["sessions"]
    assert [session["seeds"] for session in card.sessions] == [noted["seeds"]]
    assert card.config["ppo"]["layers"] == [16]
    assert "runs" not in card.config
    assert file.stat().st_size < 40_000


def test_what_export_prints_is_measured(run: Path, tmp_path: Path, capsys: Any) -> None:
    out = tmp_path / "x.safetensors"
    assert main(["export", str(run / "model.zip"), "--out", str(out), "--name", "other"]) == 0
    printed = capsys.readouterr().out
    assert f"{out.stat().st_size:,} bytes" in printed
    assert "4,000 observations" in printed
    assert f"trained:{out}" in printed
    assert read_network(out)[0].name == "other"


def test_a_checkpoint_is_exported_with_its_frames(run: Path, tmp_path: Path) -> None:
    checkpoint = min((run / "checkpoints").glob("*.zip"))
    out = tmp_path / "x.safetensors"
    assert main(["export", str(checkpoint), "--out", str(out)]) == 0
    assert read_network(out)[0].frames == int(checkpoint.stem) < 2048


def test_a_network_for_several_table_sizes_plays_at_all_of_them(tmp_path: Path) -> None:
    made = session(tmp_path, frames=512, table={"num_players": (2, 3), "seats": 8})
    made.learn()
    out = tmp_path / "table.safetensors"
    assert main(["export", str(made.folder.path), "--out", str(out)]) == 0
    player, told = trained(str(out)), ppo(str(made.folder.path))
    assert player.table_sizes == (2, 3)
    assert player.card.seats == 8
    for size in player.table_sizes:
        batch = make_batch(50, size, seed=1)
        seen = (batch.views, batch.observations, batch.action_masks)
        chances = told.action_probabilities(*seen)
        np.testing.assert_allclose(player.action_probabilities(*seen), chances, atol=1e-5)


def test_a_network_that_plays_otherwise_is_not_passed() -> None:
    player = tiny_network()
    layers = [(torch.from_numpy(w), torch.from_numpy(b)) for w, b in layers_for(player.card)]
    twin = PolicyPlayer("twin", layers, "relu", player.card.inputs(), 2)
    apart, count = check_alike(player, twin)
    assert 0 < apart < 1e-5
    assert count == 4000
    other = tiny_network()
    bias = [(w, b + np.float32(1e-3)) for w, b in layers_for(player.card)]
    other._forward = Forward(bias, "relu")
    with refused("otherwise than in PyTorch", kind=ModelError):
        check_alike(other, twin)


def test_an_export_that_is_refused_leaves_the_player_that_was_there(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agents.shipping.export_command.TOLERANCE", -1.0)
    out = tmp_path / "best.safetensors"
    out.write_bytes(b"kept")
    with refused("otherwise than in PyTorch", kind=ModelError):
        export_command(run, out=out)
    assert out.read_bytes() == b"kept"
    assert [path.name for path in tmp_path.iterdir()] == ["best.safetensors"]


def test_a_network_is_compared_at_the_stacks_that_it_was_trained_with(tmp_path: Path) -> None:
    """With 500 chips nobody could act under these stakes."""
    stakes = {"ante": 600, "bring_in": 700, "small_bet": 800, "big_bet": 1600}
    dear = session(tmp_path, frames=256, table={"house_rules": stakes, "stacks": 100_000})
    dear.learn()
    export_command(dear.folder.path, out=tmp_path / "dear.safetensors")
    assert trained(str(tmp_path / "dear.safetensors")).table_sizes == (2,)


def test_what_cannot_be_exported_is_refused(run: Path, tmp_path: Path, capsys: Any) -> None:
    alone = shutil.copy(run / "model.zip", tmp_path / "model.zip")
    for words, part in (
        (f"{run} --out {tmp_path}/x.zip", ".safetensors"),
        (f"{tmp_path}/none.zip --out {tmp_path}/x.safetensors", "no model file"),
        (f"{alone} --out {tmp_path}/x.safetensors", "config.yaml is missing"),
        (f"{run} --out {tmp_path}/no/x.safetensors", "cannot be written"),
    ):
        assert main(["export", *words.split()]) == 2
        told = capsys.readouterr().err
        assert part in told
        assert told.count("\n") == 1


@pytest.mark.parametrize("name", ["", " ", "two\nlines", "a|b", "x" * 5000])
def test_a_name_that_would_break_the_card_is_refused(name: str, run: Path, tmp_path: Path) -> None:
    with refused("cannot be called", "--name", kind=ValueError):
        export_command(run, out=tmp_path / "x.safetensors", name=name)


def test_an_address_is_no_place_for_a_player(run: Path) -> None:
    with refused("--out='s3:/x'", "is an address", kind=ValueError):
        export_command(run, out=Path("s3://x"))


@pytest.mark.parametrize("player", [trained, ppo])
@pytest.mark.parametrize("ending", ["", ".safetensors", "?greedy", "?greed"])
def test_a_path_that_is_too_long_is_told(player: Any, ending: str) -> None:
    with refused("xxx", kind=ModelError):
        player("x" * 5000 + ending)


@pytest.mark.parametrize("text", ["{", "[" * 100_000, '{"sessions": [1, 2]}'])
def test_a_damaged_run_is_refused(text: str, run: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(run, tmp_path / "copy")
    (copy / "run.json").write_text(text)
    with refused("damaged", kind=ModelError):
        recipe_of(copy / "model.zip")


# ---- the recipe


@pytest.mark.parametrize(
    "words",
    [
        "--config configs/six_max.yaml --seed 3",
        "--config configs/quick.yaml --frames 300000 --ppo.layers 64 32 --ppo.learning-rate 3e-4",
        "--config configs/heads_up.yaml --rating.opponents book equity --table.stacks 300",
        "--config configs/table.yaml --seed 9 --frames 1000000",
    ],
)
def test_the_command_makes_the_same_configuration(words: str) -> None:
    config = read_arguments(words.split()).config
    command = training_command(config).split()
    assert command[:2] == ["razz", "train"]
    assert len(command) <= 2 + len(words.split())
    again = read_arguments(command[2:]).config
    assert again.model_dump(exclude={"name"}) == config.model_dump(exclude={"name"})


def test_a_run_that_was_taken_further_after_its_end_is_repeated_by_a_command_each() -> None:
    words = "--frames 50000000 --pool.baselines.random 8.0 --pool.baselines.scripted:tight 3.0"
    first = read_arguments(["--config", "configs/heads_up.yaml", "--frames", "45000000"]).config
    second = override(first, words.split(), "razz train")
    sessions = [_noted(0, first), _noted(45_023_232, second)]
    assert staged_commands(sessions) == [
        "razz train --config configs/heads_up.yaml --frames 45000000",
        f"razz train --resume runs/heads_up {words}",
    ]
    sessions[0]["config"]["name"] = "mine"
    begin, further = staged_commands(sessions) or ()
    assert begin.endswith("--name mine")
    assert "--resume runs/mine " in further


def test_what_commands_do_not_repeat_is_told_as_one_run_with_a_sentence(run: Path) -> None:
    config = read_arguments(["--config", "configs/heads_up.yaml"]).config
    early = [_noted(0, config), _noted(40_000_000, config)]
    assert staged_commands(early) is None
    assert "after 40,000,000 decisions" in resumed_note("razz train", early)
    pool = config.pool.model_copy(update={"baselines": {**config.pool.baselines, "ppo:x": 1.0}})
    other = config.model_copy(update={"pool": pool})
    assert staged_commands([_noted(0, config), _noted(99_000_000, other)]) is None
    unknown = load_config(run / "config.yaml")
    assert staged_commands([_noted(0, unknown), _noted(9000, unknown)]) is None
    assert staged_commands([_noted(0, config)]) is None


SMALL = """
    --config configs/quick.yaml --ppo.num-tables 16 --ppo.steps 16 --ppo.minibatch 64
    --ppo.layers 16 --rating.every 0 --rating.final-decks 2 --rating.opponents caller
"""


def test_the_commands_of_a_run_that_was_taken_further_make_the_same_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights = []
    lines = [f"train {SMALL} --frames 512", "train --resume runs/quick --frames 1024 --threads 1"]
    for place in ("first", "again"):
        (tmp_path / place).mkdir()
        monkeypatch.chdir(tmp_path / place)
        for line in lines:
            assert main(line.split()) == 0
        weights.append(Path("runs/quick/weights.npz").read_bytes())
        lines = recipe_of(Path("runs/quick/model.zip")).command.replace("razz ", "").splitlines()
        assert len(lines) == 2
    assert weights[0] == weights[1]


def _noted(frames: int, config: TrainingConfig) -> dict[str, Any]:
    return {"from_frames": frames, "config": config.model_dump(mode="json")}


def test_a_run_notes_down_the_configuration_of_its_session(run: Path) -> None:
    (noted,) = recipe_of(run / "model.zip").sessions
    told = TrainingConfig(**as_written(noted["config"]))
    places = {"runs", "name"}
    assert not places & noted["config"].keys()
    config = load_config(run / "config.yaml")
    assert told.model_dump(exclude=places) == config.model_dump(exclude=places)


def test_what_options_cannot_say_is_in_a_file(run: Path) -> None:
    config = load_config(run / "config.yaml")
    assert config.pool.baselines == {"random": 1.0, "caller": 1.0}
    assert training_command(config) == "razz train --config config.yaml"
    told = recipe_of(run / "model.zip").config
    assert TrainingConfig(**as_written(told)).ppo == config.ppo


# ---- the card


@pytest.fixture(scope="module")
def card(file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The card with the results of commands, run for it."""
    folder = tmp_path_factory.mktemp("results")
    player = trained(str(file))
    two, best = folder / "two.json", folder / "best.json"
    _measure(player, two, best)
    out = folder / "pupil.md"
    words = ["--ratings", str(two), "--exploits", str(best), "--out", str(out)]
    assert main(["card", str(file), *words]) == 0
    return out


def _measure(player: NetworkPlayer, ratings: Path, exploit: Path) -> None:
    """What `razz evaluate` and `razz exploit` write of a player."""
    from agents.evaluation import rate
    from agents.exploiting.report import to_dict
    from agents.exploiting.search import Budget, Target, find_exploit
    from agents.exploiting.settings import Settings

    matches = [result.to_dict() for result in rate(player, ["random", "caller"], 100, seed=4)]
    aivat = {"name": "duplicate + aivat:abc", "bb_per_100": -12.345, "normal": [-20.25, -4.5]}
    matches[0]["estimates"].append(aivat)
    ratings.write_text(json.dumps({"matches": matches}))
    tiny = Settings(num_tables=32, steps=8, minibatch=64, layers=(8,))
    found = find_exploit(Target(player), Budget(256), settings=tiny, hands=200)
    exploit.write_text(json.dumps({"exploit": to_dict(found, player.name)}))


def test_the_numbers_of_a_card_are_those_of_the_files(card: Path, file: Path) -> None:
    text, folder = card.read_text(), card.parent
    for match in json.loads((folder / "two.json").read_text())["matches"]:
        row = next(line for line in text.splitlines() if f" {match['opponent']} |" in line)
        assert f"{match['bb_per_100']:+.2f}" in row
        assert f"{match['low']:+.2f} to {match['high']:+.2f}" in row
        assert row.replace(" ", "").endswith("|||") == (match["opponent"] == "caller")
    assert "-12.35 | -20.25 to -4.50 |" in text or "-12.34 | -20.25 to -4.50 |" in text
    found = json.loads((folder / "best.json").read_text())["exploit"]
    assert f"{found['gain_bb_per_100']:+.2f} BB/100" in text
    assert "lower bound found by 256 steps" in text
    assert "exploitability" not in text


def test_a_card_tells_rules_stakes_observation_and_how_to_train_it(card: Path, file: Path) -> None:
    text, told = card.read_text(), read_network(file)[0]
    for part in ("full_tilt", "bets 20/40", "ante 4", told.observation, told.command, "2,048"):
        assert part in text
    assert str(file.parent) not in text
    assert f"its name is `trained:PATH/TO/{file.name}`" in text


def test_a_shipped_player_is_called_by_its_short_name() -> None:
    assert name_of(WEIGHTS / "table.safetensors") == "trained:table"


def test_a_card_without_results_says_so(file: Path) -> None:
    assert main(["card", str(file)]) == 0
    text = file.with_suffix(".md").read_text()
    assert "None were measured." in text
    assert "None were trained." in text


def test_a_card_takes_the_place_of_no_player_and_of_no_result(
    card: Path, file: Path, capsys: Any
) -> None:
    results = card.parent / "two.json"
    before = file.read_bytes(), results.read_bytes()
    for out, part in ((file, "ending of players"), (results, "made from")):
        words = ["card", str(file), "--ratings", str(results), "--out", str(out)]
        assert main(words) == 2
        told = capsys.readouterr().err
        assert part in told
        assert told.count("\n") == 1
    assert (file.read_bytes(), results.read_bytes()) == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_card_that_cannot_be_written_is_printed(file: Path, capsys: Any) -> None:
    assert main(["card", str(file), "--out", "/dev/full"]) == 2
    printed = capsys.readouterr()
    assert "None were measured." in printed.out
    assert printed.err == "'/dev/full' cannot be written: No space left on device.\n"


def test_results_of_others_do_not_come_into_a_card(
    card: Path, file: Path, tmp_path: Path, capsys: Any
) -> None:
    other = tmp_path / "other.safetensors"
    write_network(other, card_of(), layers_for(card_of()))
    folder = card.parent
    for words, part in (
        (["--ratings", f"{folder}/two.json"], "not this network"),
        (["--exploits", f"{folder}/best.json"], "not this network"),
        (["--ratings", f"{folder}/best.json"], "razz evaluate --json"),
        (["--exploits", f"{folder}/two.json"], "razz exploit --json"),
        (["--ratings", f"{folder}/none.json"], "cannot be read"),
    ):
        assert main(["card", str(other), *words]) == 2
        assert part in capsys.readouterr().err


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *[("identities", value) for value in ([], 5, [5], None)],
        *[("stacks", value) for value in (5, [], ["500"], None)],
        *[("bb_per_100", value) for value in (None, float("nan"), "1", True, 10**400)],
        *[("num_players", value) for value in ("2", 0, 6, 2.0, True)],
        *[("hands", value) for value in (-5, "many")],
        *[("opponent", value) for value in (5, "")],
        *[("estimates", value) for value in (5, None, [{}], [{"name": 1}])],
        ("rules", []),
        ("low", float("-inf")),
        ("sequential", "no"),
    ],
)
def test_a_value_that_no_match_can_have_is_told(card: Path, tmp_path: Path, key, value) -> None:
    told = json.loads((card.parent / "two.json").read_text())
    player = tiny_network()
    for match in told["matches"]:
        match["identities"][0] = player.identity
    told["matches"][1][key] = value
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(told))
    with refused(str(path), f"matches[1].{key}", kind=ValueError):
        read_ratings(player, [path])


@pytest.mark.parametrize(
    ("key", "value"), [("gain_bb_per_100", None), ("seconds", "1"), ("match", 5), ("command", 5)]
)
def test_a_value_that_no_exploiter_can_have_is_told(card: Path, tmp_path: Path, key, value) -> None:
    told = json.loads((card.parent / "best.json").read_text())
    told["exploit"][key] = value
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(told))
    with refused(str(path), f"exploit.{key}", kind=ValueError):
        read_exploits(tiny_network(), [path])


def test_an_exploiter_without_a_command_is_told_without_one(
    card: Path, file: Path, tmp_path: Path
) -> None:
    told = json.loads((card.parent / "best.json").read_text())
    told["exploit"]["command"] = None
    path, out = tmp_path / "changed.json", tmp_path / "card.md"
    path.write_text(json.dumps(told))
    assert main(["card", str(file), "--exploits", str(path), "--out", str(out)]) == 0
    line = next(line for line in out.read_text().splitlines() if "lower bound found" in line)
    assert "razz exploit" in card.read_text()
    assert re.search(r"in \d+ s$", line)


def test_a_match_without_a_result_is_told(tmp_path: Path) -> None:
    path = tmp_path / "stopped.json"
    path.write_text('{"matches": []}')
    with refused(str(path), "no matches", kind=ValueError):
        read_ratings(tiny_network(), [path])


def test_results_under_other_rules_do_not_come_into_a_card(card: Path, tmp_path: Path) -> None:
    told = json.loads((card.parent / "two.json").read_text())
    player = tiny_network()
    for match in told["matches"]:
        match["identities"][0] = player.identity
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(told))
    assert [match["opponent"] for match in read_ratings(player, [path])] == ["caller", "random"]
    told["matches"][1]["rules"]["ante"] = 5
    path.write_text(json.dumps(told))
    with refused("other rules or stacks"):
        read_ratings(player, [path])
