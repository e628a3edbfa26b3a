"""The picture and the page that a run leaves: what tells its curves apart, and what it says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agents.training import page
from agents.training.logs import RATING_COLUMNS, CsvLog, figure_columns
from agents.training.page import draw_page, short_labels

from .runs import tiny


@pytest.mark.parametrize(
    ("columns", "labels"),
    [
        ("train/approx_kl train/magnet_kl", "approx_kl magnet_kl"),
        ("train/learning_rate train/entropy_weight", "learning_rate entropy_weight"),
        ("style/fold_to_raise_sixth style/fold_to_raise_seventh", "sixth seventh"),
        ("pool/snapshots pool/book pool/scripted_tight", "snapshots book scripted_tight"),
        ("pool/trained_heads_up pool/trained_six_max", "heads_up six_max"),
        ("pool/book pool/book_keeper", "book book_keeper"),
    ],
)
def test_labels_lack_only_what_all_columns_begin_with(columns: str, labels: str) -> None:
    assert short_labels(columns.split()) == labels.split()


def test_every_curve_of_a_picture_has_a_label_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib")
    figures: list[Any] = []
    load = page.load_figure

    def load_and_keep(*given: Any, **named: Any) -> Any:
        figure = load(*given, **named)
        return lambda **options: figures.append(figure(**options)) or figures[-1]

    monkeypatch.setattr(page, "load_figure", load_and_keep)
    baselines = {"scripted:tight": 1.0, "trained:heads_up": 1.0}
    columns = figure_columns(tiny(tmp_path, pool={"baselines": baselines}))
    progress = CsvLog(tmp_path / "progress.csv", columns, 0)
    for frames in (10, 20):
        progress.add(dict.fromkeys(columns, frames))
    CsvLog(tmp_path / "ratings.csv", RATING_COLUMNS, 0)
    assert draw_page(tmp_path).read_bytes().startswith(b"\x89PNG")
    legends = {
        axes.get_title(): [text.get_text() for text in axes.get_legend().get_texts()]
        for axes in figures[0].axes
        if axes.get_legend()
    }
    assert legends["KL divergence"] == ["approx_kl", "magnet_kl"]
    assert legends["schedules"] == ["learning_rate", "entropy_weight"]
    assert legends["entropy"] == ["third", "fourth", "fifth", "sixth", "seventh"]
    assert legends["style: fold to raise"] == legends["entropy"]
    opponents = ["snapshots", "scripted_tight", "trained_heads_up"]
    assert legends["BB/100 at the tables, by opponent"] == opponents


def test_ratings_have_a_colour_for_each_player_and_a_line_for_each_size() -> None:
    axes = pytest.importorskip("matplotlib.figure").Figure().subplots()
    rated = {"bb_per_100": "2.0", "low": "1.0", "frames": "10"}
    players = ["book", "snapshot:5", "snapshot:9"]
    page._ratings(
        axes,
        [{**rated, "opponent": name, "players": size} for name in players for size in ("2", "6")],
    )
    told = [text.get_text() for text in axes.get_legend().get_texts()]
    assert told == ["book", "snapshot", "2 players", "6 players"]
    curves = [one.lines[0] for one in axes.containers]
    assert [(one.get_color(), one.get_linestyle()) for one in curves] == [
        ("C0", "-"),
        ("C0", "--"),
        ("C1", "-"),
        ("C1", "--"),
    ]
