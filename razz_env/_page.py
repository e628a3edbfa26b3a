"""Pages of docs/ that are generated from the code: written, or compared with `--check`."""

import argparse
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"


def write_or_check(page: Path, text: str, module: str) -> int:
    """Write the page, or with --check tell whether it is current; the exit status says so.

    `module` is the command that a reader is told to run, as in `python -m module`.
    """
    parser = argparse.ArgumentParser(
        prog=f"python -m {module}", description=f"Write docs/{page.name}."
    )
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    if parser.parse_args().check:
        if page.exists() and page.read_text(encoding="utf-8") == text:
            return 0
        print(f"docs/{page.name} is not current: run python -m {module}")
        return 1
    if not page.parent.is_dir():
        print(f"There is no folder {page.parent}: run it in a checkout of the project.")
        return 1
    page.write_text(text, encoding="utf-8")
    return 0
