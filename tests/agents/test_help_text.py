"""Descriptions of options are one line each, so that only the terminal's width breaks them."""

from agents.help_text import flowing


def of_two_lines(first: int, second: int) -> int:
    """Do it.

    Slowly, and in two
    lines.

    Args:
        first: the first, of
            which the description has three
            lines.
        second: short.

    Returns:
        a number, which is
        told.
    """
    return first + second


def test_descriptions_are_joined() -> None:
    lines = flowing(of_two_lines.__doc__).splitlines()
    assert "    first: the first, of which the description has three lines." in lines
    assert "    second: short." in lines
    assert "    a number, which is told." in lines
    assert lines[0] == "Do it."
    assert flowing(None) == ""
