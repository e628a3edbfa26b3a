"""Configurations: YAML, the command line, and what is refused."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from pydantic import ValidationError

from agents.training.arguments import PLACES, read_arguments
from agents.training.config import ConfigError, TrainingConfig, dump_config, load_config

from ..support.errors import refused

CONFIGS = sorted((Path(__file__).parents[2] / "configs").glob("*.yaml"))


def written(folder: Path, text: str) -> Path:
    path = folder / "config.yaml"
    path.write_text(text)
    return path


def test_the_package_brings_its_configurations_along_wherever_it_is_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert read_arguments([]).config.name == "quick"
    assert read_arguments(["--config", "configs/six_max.yaml"]).config.name == "six_max"
    own = tmp_path / "configs" / "six_max.yaml"
    own.parent.mkdir()
    own.write_text("{name: mine}")
    assert read_arguments(["--config", "configs/six_max.yaml"]).config.name == "mine"


def test_a_wheel_holds_the_configurations_where_they_are_looked_for():
    root = Path(__file__).parents[2]
    project = tomllib.loads((root / "pyproject.toml").read_text())
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert [root / place for place in included.values()] == [PLACES[0]]
    assert [root / place for place in included] == [PLACES[1]]


def test_streets_may_be_given_as_a_list(tmp_path):
    text = "{table: {house_rules: {streets: [3, 4], deck_ranks: 5, burn_cards: true}}}"
    table = load_config(written(tmp_path, text)).table
    rules = table.make_rules()
    assert (rules.streets, rules.deck_ranks, rules.burn_cards) == ((3, 4), 5, True)


def test_there_are_the_promised_configurations():
    assert {path.stem for path in CONFIGS} == {
        "quick",
        "heads_up",
        "table",
        "six_max",
        "full_ring",
    }


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_every_configuration_is_read_and_written_back_alike(path, tmp_path):
    config = load_config(path)
    assert config.name == path.stem
    assert load_config(written(tmp_path, dump_config(config))) == config


def test_the_seats_of_the_configurations():
    seats = {path.stem: load_config(path).table.sizes for path in CONFIGS}
    assert seats == {
        "quick": (2,),
        "heads_up": (2,),
        "table": (2, 3, 4, 5, 6, 7, 8),
        "six_max": (6,),
        "full_ring": (8,),
    }


def test_the_command_line_wins_over_the_file(tmp_path):
    path = written(
        tmp_path, "{seed: 1, ppo: {learning_rate: 1e-3, epochs: 2}, table: {stacks: 80}}"
    )
    words = ["--config", str(path), "--seed", "3", "--ppo.learning-rate", "3e-4"]
    config = read_arguments(words).config
    assert (config.seed, config.ppo.learning_rate, config.ppo.epochs) == (3, 3e-4, 2)
    assert config.table.stacks == 80


def test_without_arguments_it_is_the_quick_one():
    request = read_arguments([])
    assert request.config.name == "quick"
    assert request.resume is None


def test_resume_reads_the_configuration_of_the_run(tmp_path):
    written(tmp_path, "{name: earlier, seed: 9}")
    request = read_arguments([f"--resume={tmp_path}", "--frames", "77"])
    assert request.resume == tmp_path
    assert (request.config.name, request.config.seed, request.config.frames) == ("earlier", 9, 77)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{sed: 3}", ["no key 'sed'", "'seed'"]),
        ("{ppo: {learning_rat: 1.0}}", ["'ppo.learning_rat'", "'learning_rate'"]),
        ("{pool: {baseline: {}}}", ["'pool.baseline'", "'baselines'"]),
        ("{ppo: {num_tables: 100000000}}", ["ppo", "num_tables=100000000", "GB"]),
        ("{ppo: {learning_rate: -1}}", ["ppo.learning_rate=-1", "greater than 0"]),
        ("{ppo: {learning_rate: fast}}", ["ppo.learning_rate='fast'", "number"]),
        ("{ppo: {epochs: 2.5}}", ["ppo.epochs=2.5", "integer"]),
        ("{ppo: {layers: [16, x]}}", ["ppo.layers='x'", "integer"]),
        ("{ppo: {minibatch: 100000}}", ["minibatch=100000", "rollout"]),
        ("{seed: true}", ["seed=True", "integer"]),
        ("{seed: -1}", ["seed=-1", "0"]),
        ("{table: {num_players: 9}}", ["table.num_players=9", "8"]),
        ("{table: {rules: fulltilt}}", ["fulltilt", "'full_tilt'"]),
        ("{table: {house_rules: {antes: 3}}}", ["antes", "'ante'"]),
        ("{table: {house_rules: {streets: [4, 5]}}}", ["streets"]),
        ("{table: {house_rules: {streets: [3, four]}}}", ["house_rules"]),
        ("{table: {stacks: [500, 500, 500]}}", ["stack"]),
        ("{table: {observation: cards}}", ["table.observation='cards'", "features"]),
        ("{pool: {baselines: {caller: 0}}}", ["baselines", "above 0"]),
        ("{pool: {baselines: {caller: much}}}", ["pool.baselines='much'", "number"]),
        ("{name: ../x}", ["name='../x'"]),
        ("{name: .}", ["name='.'"]),
        ("{name: ..}", ["name='..'"]),
        ("{ppo: 3}", ["ppo=3"]),
        ("[1, 2]", ["mapping"]),
        ("{a: b: c}", ["no YAML"]),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_in_one_sentence(text, words, tmp_path):
    path = written(tmp_path, text)
    with refused(path, *words, kind=ConfigError) as _:
        load_config(path)
    with pytest.raises(ConfigError) as error:
        load_config(path)
    assert "\n" not in str(error.value)


def test_a_missing_file_is_refused(tmp_path):
    with refused("nothing.yaml", kind=ConfigError):
        read_arguments(["--config", str(tmp_path / "nothing.yaml")])
    with refused("--config", "path", kind=ConfigError):
        read_arguments(["--config"])
    with refused("not both", kind=ConfigError):
        read_arguments(["--config", "a", "--resume", "b"])


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--wandb=false"], "--wandb takes no value such as 'false'"),
        (["--seeds", "1", "--seeds", "2"], "--seeds is given twice"),
        (["--resume", "a", "--resume", "b"], "--resume is given twice"),
        (["--config", "a.yaml", "--config=b.yaml"], "--config is given twice"),
        (["--ppo.num-tables", "1", "--ppo.num_tables=2"], "--ppo.num_tables is given twice"),
        (["--resume", "s3://x/run"], "--resume='s3://x/run' is an address"),
        (["--sweep", "s3://x"], "--sweep='s3://x' is an address"),
        (["--sweep", ".."], "'..'"),
    ],
)
def test_options_that_cannot_be_meant_are_refused(words, told):
    with refused(told, kind=ConfigError):
        read_arguments(words)


@pytest.mark.parametrize("words", [["--name", "other"], ["--runs", "elsewhere"]])
def test_a_run_that_is_resumed_stays_in_its_folder(words, tmp_path):
    written(tmp_path, "{name: earlier}")
    with refused(words[0], f"--resume {tmp_path}", kind=ConfigError):
        read_arguments(["--resume", str(tmp_path), *words])


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--ppo.learnin-rate", "1"], ["--ppo.learnin-rate", "--ppo.learning-rate"]),
        (["--ppo.learning-rate", "-1"], ["learning_rate=-1", "greater than 0"]),
        (["--seed", "x"], ["--seed", "'x'"]),
    ],
)
def test_a_wrong_command_line_ends_the_program_with_a_sentence(words, expected, capsys):
    with pytest.raises(SystemExit) as end:
        read_arguments(words)
    assert end.value.code == 2
    printed = " ".join(capsys.readouterr())
    assert all(word in printed for word in expected)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["--confg", "x"], "--config"),
        (["--resmue=runs/x"], "--resume"),
        (["--wandbb"], "--wandb"),
        (["--config", "six_max"], "configs/six_max.yaml"),
        (["--config", "somewhere/quick.yml"], "configs/quick.yaml"),
    ],
)
def test_options_and_files_of_a_run_are_told_by_their_nearest_name(words, meant):
    with refused(f"did you mean '{meant}'", kind=ConfigError):
        read_arguments(words)


def test_a_complaint_about_several_keys_of_a_section_names_the_section_once(capsys):
    with pytest.raises(SystemExit):
        read_arguments(["--ppo.minibatch", "1000000"])
    printed = " ".join(" ".join(capsys.readouterr()).split())
    assert "ppo: minibatch=1000000 is more than" in printed
    assert ": :" not in printed


def test_several_table_sizes_are_read_and_checked(tmp_path):
    table = load_config(written(tmp_path, "{table: {num_players: [6, 2], seats: 8}}")).table
    assert table.sizes == (2, 6)
    assert table.layout().seats == 8
    with refused("seats=4", kind=ConfigError):
        load_config(written(tmp_path, "{table: {num_players: [6, 2], seats: 4}}"))
    with refused("stack", kind=ConfigError):
        load_config(written(tmp_path, "{table: {num_players: [3, 2], stacks: [500, 500]}}"))


def test_help_names_the_keys(capsys):
    with pytest.raises(SystemExit) as end:
        read_arguments(["--help"])
    assert end.value.code == 0
    printed = capsys.readouterr().out
    assert "--config" in printed
    assert "--resume" in printed
    assert "--ppo.learning-rate" in printed


def test_a_configuration_cannot_be_changed():
    with pytest.raises(ValidationError, match="frozen"):
        TrainingConfig().seed = 4  # type: ignore[misc]
