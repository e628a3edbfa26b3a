"""A folder of any size is converted in less than 200 MB, all of Python included."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from razz_env.history import hand_text

from .dealt import dealt

LIMIT_MB = 200
MEASURE = """
import sys
from pathlib import Path
from razz_env.history import convert
summary = convert([sys.argv[1]], sys.argv[2])
assert summary.failures == 0
peak = Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]
print(summary.imported, int(peak) // 1024)
"""
# Not `ru_maxrss`, which a new program inherits from the one that started it.


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads the peak from /proc")
def test_converting_a_large_folder(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    texts = [hand_text(record, "pokerstars") for record in dealt("pokerstars", 6, short=False)]
    big = "\n\n".join(texts * 200)
    for number in range(5):
        (folder / f"{number}.txt").write_text(big)
    command = [sys.executable, "-c", MEASURE, str(folder), str(tmp_path / "out.jsonl")]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    imported, megabytes = map(int, done.stdout.split())
    assert imported == len(texts) * 1000
    assert megabytes < LIMIT_MB
