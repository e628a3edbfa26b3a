"""The generated page of examples: `python -m tests.examples.page [--check]`."""

import sys

from razz_env._page import DOCS, write_or_check
from tests.examples.running import EXAMPLES

PAGE = DOCS / "examples.md"

_HEAD = """# Examples

This page is generated from the files in `examples/`: `python -m tests.examples.page` writes it and
`--check` compares it. Every one of them is run by a test. [Which door is mine](doors.md) compares
the libraries.
"""


def page() -> str:
    """The whole page as Markdown: every example as it stands in its file."""
    parts = [_HEAD]
    for file in sorted(EXAMPLES.glob("*.py")):
        parts.append(f"## `examples/{file.name}`\n\n```python\n{file.read_text()}```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    sys.exit(write_or_check(PAGE, page(), "tests.examples.page"))
