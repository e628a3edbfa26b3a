"""The one place where functions are compiled: a numba decorator whose disk cache cannot go stale.

Numba looks only at the file a function stands in when it decides whether a cached binary is
current, so a change to a callee in another file would go unseen. Here every kernel is cached in a
folder named by a hash of all sources that kernels are made of, those of this package and of the
package that the kernel is in, so any change makes a new cache. It lies in `NUMBA_CACHE_DIR`, else
in the user's cache folder, so an install may be read-only.
"""

import hashlib
import os
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba import types
from numba.core import config
from numba.extending import intrinsic

F = TypeVar("F", bound=Callable[..., object])

# Numba's stubs know neither the setting nor the option `_nrt`, which saves the counting of
# references to arrays: a third of the time of functions as small as these.
_config: Any = config
_njit: Any = numba.njit
_typeof: Any = numba.typeof


def _kernel_sources(package: Path) -> list[Path]:
    """Files of a package (or the one file) that hold kernels or constants compiled into them."""
    if not package.is_dir():
        return [package] if package.is_file() else []
    return [
        path
        for path in sorted(package.rglob("*.py"))
        if path.parent.name in ("rules", "observation") or b"kernel" in path.read_bytes()
    ]


@cache
def _sources_hash(package: Path) -> str:
    digest = hashlib.sha256(numba.__version__.encode())
    theirs = [] if package == _HOME else _kernel_sources(package)
    for path in _kernel_sources(_HOME) + theirs:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _package_of(function: Callable[..., object]) -> Path:
    """Folder of the top-level package that a function is in; its file, if it is in none."""
    file = Path(function.__code__.co_filename).resolve()
    folder = file.parent
    if not (folder / "__init__.py").exists():
        return file
    while (folder.parent / "__init__.py").exists():
        folder = folder.parent
    return folder


def _cache_root() -> Path:
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))


@cache
def _cache_folder(package: Path) -> str:
    folder = _cache_root() / "razz_env" / _sources_hash(package)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        folder = Path(tempfile.gettempdir()) / f"razz_env-{os.getuid()}" / folder.name
        folder.mkdir(parents=True, exist_ok=True)
    return str(folder)


_HOME = Path(__file__).resolve().parent


def kernel(function: F) -> F:
    """Compile `function` with numba on its first call, without the GIL and cached on disk.

    Integers wrap as int64; kernels keep no state of their own and raise no exceptions: a kernel
    that can fail returns a status code that its Python caller turns into a sentence. They make no
    arrays (numba's reference counting is off) and do not call themselves (numba cannot cache that).
    """
    return _compiled(function)


def atomic(function: F) -> F:
    """A kernel that keeps the GIL, so that no other thread comes between while it runs.

    For calls of a microsecond that work in memory which is shared with other calls.
    """
    return _compiled(function, nogil=False)


def ready(function: F, *arguments: Any) -> F:
    """A kernel as it is compiled for the types of these arguments, for calls with no others.

    It does without the choice among the kernel's versions, which takes longer than a small kernel
    itself: 0.06 us for every argument. Nothing checks the types of later arguments, so it is for
    callers that make all of them themselves. The arguments given here are only looked at.
    """
    dispatcher: Any = function
    compiled: F = dispatcher.compile(tuple(_typeof(argument) for argument in arguments))
    return compiled


def inlined(function: F) -> F:
    """A kernel whose body is copied to where it is called.

    For the smallest pieces of the hot path: a call hands on seven numbers for every array.
    """
    return _compiled(function, inline="always")


def _compiled(function: F, **options: Any) -> F:
    settings = {"nogil": True, "cache": True, "error_model": "numpy", "_nrt": False, **options}
    before = _config.CACHE_DIR
    _config.CACHE_DIR = _cache_folder(_package_of(function))
    try:
        compiled: F = _njit(**settings)(function)
    finally:
        _config.CACHE_DIR = before
    return compiled


def _trailing_zeros(_context: Any, _bits: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], args[0].type.__class__(1)(0))

    return types.int64(types.int64), generate


trailing_zeros: Callable[[int], int] = cast(Any, intrinsic(_trailing_zeros))
"""Inside kernels: number of zero bits below the lowest set bit of an int64; 64 for zero."""
