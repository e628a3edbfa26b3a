"""Without OpenSpiel the import says in one sentence how to get it."""

from __future__ import annotations

import subprocess
import sys


def test_the_missing_extra_is_one_sentence() -> None:
    code = "import sys; sys.modules['pyspiel'] = None; import razz_env.openspiel"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    last = result.stderr.strip().splitlines()[-1]
    assert result.returncode != 0
    assert 'pip install "razz-env[openspiel]"' in last
