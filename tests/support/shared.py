"""The shared reference data that lies beside the repository (never copied into it)."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared"


def shared_path(*parts: str) -> Path:
    """The file or folder ``../shared/<parts>``; the calling test is skipped when it is missing."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"shared data not found: {'/'.join(('..', 'shared', *parts))}")
    return path


def shared_files(folder: str, pattern: str) -> list[Path]:
    """Sorted files of ``../shared/<folder>``; empty when the folder is missing (to parametrize)."""
    return sorted((SHARED / folder).glob(pattern))
