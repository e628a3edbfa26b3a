"""Compiled kernels on disk: one file for each kernel and types of its arguments.

They lie in a folder named by a hash of all sources that kernels are made of, those of this package
and of the package that the kernel is in, of Python's and numba's version. So no change can meet a
stale kernel; numba's own cache looks only at the file a kernel stands in, not at those it calls.

The folder is `razz_env/<hash>` in `NUMBA_CACHE_DIR`, else in the user's cache folder
(`XDG_CACHE_HOME`, `~/.cache`), else one of the user's own in the system's folder for temporary
files; a folder that is there and may only be read serves too. Where none can be had, every process
compiles for itself and says so. Files are written under another name and renamed when they are
whole, so any number of processes may start at once. Folders that no process has used for
`KEPT_DAYS` are deleted when a new one is made.
"""

import contextlib
import hashlib
import logging
import os
import pickle
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core import caching, compiler, serialize

from razz_env._numba_range import check_numba

check_numba(numba.__version__)

KEPT_DAYS = 30
_DIGEST_BYTES = 32

_log = logging.getLogger("razz_env")
_Cache: Any = caching._Cache
_Result: Any = compiler.CompileResult
_HOME = Path(__file__).resolve().parent


class KernelCache(_Cache):  # type: ignore[misc]
    """The machine code of one kernel on disk, as numba's dispatchers ask for it."""

    def __init__(self, function: Callable[..., object]) -> None:
        package = package_of(function)
        self._folder = cache_folder(package)
        line = function.__code__.co_firstlineno
        self._name = f"{function.__module__}.{function.__qualname__}-{line}"

    @property
    def cache_path(self) -> str | None:
        """The folder, None if there is none."""
        return None if self._folder is None else str(self._folder)

    @property
    def place(self) -> str:
        """What becomes of compiled kernels, as the end of a sentence."""
        if self._folder is None:
            return "nothing is kept, as no cache folder can be made: set NUMBA_CACHE_DIR"
        if not os.access(self._folder, os.W_OK):
            return f"nothing is kept, as {self._folder} may only be read"
        return f"that is once only, it is kept in {self._folder}"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel for these types, None if it is not there or not whole."""
        path = self._path(sig, target_context.codegen())
        content = None if path is None else _read(path)
        if content is None:
            return None
        if _digest(content[_DIGEST_BYTES:]) != content[:_DIGEST_BYTES]:
            _log.warning("The compiled kernel %s is damaged and is made anew.", path)
            return None
        target_context.refresh()
        return _Result._rebuild(target_context, *pickle.loads(content[_DIGEST_BYTES:]))

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled kernel; where nothing can be written it is not kept."""
        path = self._path(sig, data.library.codegen)
        if path is None:
            return
        body = serialize.dumps(data._reduce())
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            _write_whole(path, _digest(body) + body)

    def enable(self) -> None:
        """It is always on."""

    def disable(self) -> None:
        """From now on nothing is read or kept."""
        self._folder = None

    def flush(self) -> None:
        """Forget all kept forms of this kernel."""
        for path in self._folder.glob(f"{self._name}-*.bin") if self._folder else ():
            path.unlink(missing_ok=True)

    def _path(self, sig: Any, codegen: Any) -> Path | None:
        if self._folder is None:
            return None
        key = hashlib.sha256(repr((sig, codegen.magic_tuple())).encode()).hexdigest()[:16]
        return self._folder / f"{self._name}-{key}.bin"


def _digest(body: bytes) -> bytes:
    return hashlib.sha256(body).digest()


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        _log.warning("The compiled kernel %s cannot be read (%s).", path, error.strerror)
        return None


def _write_whole(path: Path, content: bytes) -> None:
    """Write a file so that another process sees all of it or nothing."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(content)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def package_of(function: Callable[..., object]) -> Path:
    """Folder of the top-level package that a function is in; its file, if it is in none."""
    file = Path(function.__code__.co_filename).resolve()
    folder = file.parent
    if not (folder / "__init__.py").exists():
        return file
    while (folder.parent / "__init__.py").exists():
        folder = folder.parent
    return folder


def _kernel_sources(package: Path) -> list[Path]:
    """Files of a package (or the one file) that hold kernels or constants compiled into them."""
    if not package.is_dir():
        return [package] if package.is_file() else []
    return [
        path
        for path in sorted(package.rglob("*.py"))
        if path.parent.name in ("rules", "observation") or b"kernel" in path.read_bytes()
    ]


def _sources_hash(package: Path) -> str:
    digest = hashlib.sha256(f"{numba.__version__} {sys.implementation.cache_tag}".encode())
    theirs = [] if package == _HOME else _kernel_sources(package)
    for path in _kernel_sources(_HOME) + theirs:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def cache_folder(package: Path) -> Path | None:
    """The folder for the kernels of a package, made if need be; None if there can be none."""
    name = _sources_hash(package)
    users, temporary = _users_root() / name, _temporary_root() / name
    if _is_ready(users):
        return users
    return temporary if _is_ready(temporary) and _is_own(temporary.parent) else None


def _users_root() -> Path:
    chosen = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    # Unlike Path.home, expanduser does not fail where there is no home.
    folder = Path(chosen) if chosen else Path(os.path.expanduser("~")) / ".cache"  # noqa: PTH111
    return folder / "razz_env"


def _temporary_root() -> Path:
    owner = f"-{os.getuid()}" if hasattr(os, "getuid") else ""
    return Path(tempfile.gettempdir()) / f"razz_env{owner}"


def _is_ready(folder: Path) -> bool:
    """Whether a folder can be written, or holds kernels already; a new one clears out the old."""
    try:
        is_new = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        if is_new:
            _delete_unused(folder.parent)
        if os.access(folder, os.W_OK):
            os.utime(folder)
            return True
        return any(folder.iterdir())
    except OSError:
        return False


def _is_own(folder: Path) -> bool:
    """Whether nobody else has made a folder: kernels are unpickled, which runs what is in them."""
    return not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid()


def _delete_unused(root: Path) -> None:
    """Delete the folders of kernels in `root` that no process has used for KEPT_DAYS."""
    oldest = time.time() - KEPT_DAYS * 86400
    for folder in root.iterdir():
        with contextlib.suppress(OSError):
            if _is_hash(folder.name) and folder.stat().st_mtime < oldest:
                shutil.rmtree(folder, ignore_errors=True)


def _is_hash(name: str) -> bool:
    return len(name) == 16 and not set(name) - set("0123456789abcdef")
