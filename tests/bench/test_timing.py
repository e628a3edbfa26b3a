import itertools

import pytest

from agents.bench import timing
from agents.bench.timing import Contestant, Missing, Timed, needed, race, rate, ratio


@pytest.fixture
def clock() -> list[float]:
    """The time on a clock that plays move forward by hand."""
    return [0.0]


def test_a_rate_is_the_units_of_whole_plays_over_the_time_they_took(clock: list[float]) -> None:
    def play() -> int:
        clock[0] += 0.4
        return 10

    assert rate(play, 1.0, lambda: clock[0]) == pytest.approx(30 / 1.2)


def test_contestants_play_in_turn_after_one_warm_up_each(clock: list[float]) -> None:
    order: list[str] = []

    def contestant(name: str) -> Contestant:
        def play() -> int:
            order.append(name)
            clock[0] += 1.0
            return 1

        return Contestant(name, "units", lambda: play, lambda: clock[0])

    table = race([contestant("a"), contestant("b")], rounds=3, seconds=0.5)
    assert order == ["a", "b"] * 4
    assert [len(timed.rates) for timed in table.values()] == [3, 3]


def test_a_contestant_that_cannot_be_made_is_told_and_the_others_play() -> None:
    def make() -> timing.Play:
        with needed("a package", "a-package"):
            import a_package_that_nobody_has  # noqa: F401
        return lambda: 1

    there = Contestant("there", "units", lambda: lambda: 1)
    table = race([Contestant("gone", "units", make), there], rounds=1, seconds=0)
    assert table["gone"].missing == "a package is not installed: pip install a-package"
    assert not table["gone"].rates
    assert table["there"].rates


def test_an_error_of_a_package_that_is_there_is_no_missing_package() -> None:
    with pytest.raises(ZeroDivisionError), needed("a package", "a-package"):
        print(1 / 0)
    assert not issubclass(ZeroDivisionError, Missing)


def test_the_ratio_is_taken_round_by_round() -> None:
    contestant = Contestant("x", "units", lambda: lambda: 1)
    noisy = itertools.accumulate([1.0, 9.0, 90.0])
    ours, theirs = Timed(contestant), Timed(contestant)
    for slow in noisy:
        ours.rates.append(600.0 / slow)
        theirs.rates.append(200.0 / slow)
    assert ratio(ours, theirs) == pytest.approx(3.0)
    assert ours.median == pytest.approx(60.0)


def test_the_spread_is_half_the_distance_of_the_quartiles_over_the_median() -> None:
    timed = Timed(Contestant("x", "units", lambda: lambda: 1), [80.0, 90.0, 100.0, 110.0, 120.0])
    assert timed.spread == pytest.approx(0.10)
