"""Docstrings as help in a terminal: wrapped where its width asks for it, not as the source is."""

import inspect
import re

_SECTION = re.compile(r"\w+:")
_NAME = re.compile(r" {4}[\w, ]+: ")


def flowing(text: str | None) -> str:
    """A docstring with every description of an argument or attribute in one line.

    What builds the help keeps the line breaks of descriptions and wraps the pieces.
    """
    lines: list[str] = []
    in_section = False
    for line in inspect.cleandoc(text or "").splitlines():
        in_section = in_section or _SECTION.fullmatch(line) is not None
        begins = not line.startswith("    ") or _NAME.match(line) or not lines[-1].strip()
        if in_section and not begins and not _SECTION.fullmatch(lines[-1]):
            lines[-1] += f" {line.strip()}"
        else:
            lines.append(line)
    return "\n".join(lines)
