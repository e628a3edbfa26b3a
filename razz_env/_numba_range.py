"""Which versions of numba compile the engine.

`_jit` and `_jit_cache` build on numba's dispatcher, its code libraries and the class of its own
cache. These are not part of what numba promises to keep, so a version counts only once the tests
have run on it: `pytest tests/kernels tests/rules tests/observation tests/envs`. The range here and
the one in pyproject.toml are widened together.
"""

FIRST = (0, 61)
LAST = (0, 68)
REQUIREMENT = f"numba>={FIRST[0]}.{FIRST[1]},<{LAST[0]}.{LAST[1] + 1}"


def check_numba(version: str) -> None:
    """Refuse a numba that the engine has not been tested with.

    Raises:
        ImportError: naming the version, the range and the pip command.
    """
    major, minor = version.split(".")[:2]
    if not FIRST <= (int(major), int(minor)) <= LAST:
        raise ImportError(
            f"razz_env has not been tested with numba {version}, and what it uses inside numba may "
            f'be other there: pip install "{REQUIREMENT}"'
        )
