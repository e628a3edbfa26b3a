"""What the benchmarks of ratings take, refuse and head their tables with."""

from __future__ import annotations

import pytest

from benchmarks import rating_coverage, rating_variance

SMALL = ["random", "caller", "--matches", "4", "--decks", "20", "--fixed"]


@pytest.mark.parametrize("more", [["--aivat"], ["--workers", "1"]])
def test_single_hands_take_no_option_that_they_would_ignore(more: list[str], capsys) -> None:
    with pytest.raises(SystemExit):
        rating_coverage.main([*SMALL, "--raw", *more])
    assert "leave out --aivat and --workers" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "unit"), [(["--raw"], "mean hands"), (["--workers", "1"], "mean decks")]
)
def test_the_table_heads_what_a_match_counts(more: list[str], unit: str, capsys) -> None:
    assert rating_coverage.main([*SMALL, *more]) == 0
    assert f"| {unit} |" in capsys.readouterr().out


def test_rows_can_be_chosen(capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rating_variance, "row_of", lambda names, hands, seed: (names[0],) * 6)
    assert rating_variance.main(["--only", "against 5 x"]) == 0
    rows = capsys.readouterr().out.splitlines()[4:]
    assert [row.split()[1] for row in rows] == ["scripted:tight", "book", "trained:table"]
    with pytest.raises(SystemExit):
        rating_variance.main(["--only", "nobody"])
    assert "no row has 'nobody'; there are: scripted:tight against" in capsys.readouterr().err
