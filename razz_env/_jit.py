"""The one place where functions are compiled.

A kernel that Python calls becomes machine code of its own, kept on disk by `_jit_cache`. A kernel
that another kernel calls is only translated: it becomes machine code as a part of the kernel that
Python called. Numba itself makes machine code of every function on the way and of all that it
calls in turn, which for a hundred small functions takes three times as long. For that this file
reaches into numba's own classes: see `_numba_range` for the versions it knows.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

from llvmlite import ir
from numba import typeof, types
from numba.core import cgutils, codegen, compiler, config, registry, sigutils, typing
from numba.extending import intrinsic

from razz_env._jit_cache import KernelCache

F = TypeVar("F", bound=Callable[..., object])

# Numba's own annotations are too few to check this file against.
_config: Any = config
_Library: Any = codegen.JITCodeLibrary
_Dispatcher: Any = registry.CPUDispatcher
_typing: Any = typing
_typeof: Any = typeof
_POINTER = ir.IntType(8).as_pointer()
_CACHE_LINE = 64  # bytes

if _config.DISABLE_JIT:
    raise RuntimeError(
        "razz_env cannot run as plain Python, where integers do not wrap: unset NUMBA_DISABLE_JIT "
        "(or `disable_jit` in .numba_config.yaml)."
    )

_LONG_SECONDS = 2.0
_log = logging.getLogger("razz_env")


def kernel(function: F) -> F:
    """Compile `function` with numba on its first call, without the GIL and cached on disk.

    Integers wrap as int64; kernels keep no state of their own and raise no exceptions: a kernel
    that can fail returns a status code that its Python caller turns into a sentence. They make no
    arrays (numba's reference counting is off) and do not call themselves.
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
    """A kernel whose machine code is copied to where it is called.

    For the pieces of the hot path: a call hands on seven numbers for every array, and its result
    goes through memory.
    """
    return _compiled(function, forceinline=True)


def apart(function: F) -> F:
    """`inlined`, for a kernel that writes to nothing that another of its arguments lies in.

    So a number that it writes changes nothing that it reads afterwards, which the compiler must
    otherwise assume: it may read once, write several numbers at a time, and in any order.
    """
    return _compiled(function, forceinline=True, apart=True)


def _compiled(function: F, **options: Any) -> F:
    # `_nrt` saves the counting of references to arrays: a third of the time of so small functions.
    settings = {"nogil": True, "error_model": "numpy", "_nrt": False, **options}
    settings |= {"nopython": True, "boundscheck": None}
    return cast(F, _Kernel(function, targetoptions=settings))


class _Translated(_Library):  # type: ignore[misc]
    """Code of a kernel and of those it calls, not yet optimised: that is done where it is used."""

    def finalize(self) -> None:
        for library in dict.fromkeys(self._linking_libraries):
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True


class _Kernel(_Dispatcher):  # type: ignore[misc]
    """Numba's dispatcher, but for kernels that call it, whom it hands a translation."""

    def __init__(self, function: Callable[..., object], targetoptions: dict[str, Any]) -> None:
        self._is_apart = targetoptions.pop("apart", False)
        super().__init__(function, targetoptions=targetoptions)
        self._cache = KernelCache(function)
        self._translations: dict[tuple[Any, ...], Any] = {}

    def compile(self, sig: Any) -> Any:
        with _wait:
            return super().compile(sig)

    def get_call_template(self, args: Any, kws: Any) -> tuple[Any, Any, Any, dict[str, Any]]:
        """The signatures that a calling kernel may choose from, the one for `args` among them."""
        signature, args = self._compiler.fold_argument_types(args, kws)
        args = tuple(_widened(arg) for arg in args)
        if args not in self._translations:
            _wait.tell(self._cache.place)
            self._translations[args] = self._translate(args)
        known = [result.signature for result, _ in self._translations.values()]
        name = self.py_func.__name__
        template = _typing.make_concrete_template(f"Call({name})", key=name, signatures=known)
        return template, signature, args, {}

    def get_overload(self, sig: Any) -> object:
        """The key under which numba finds the translation for a signature."""
        args, _ = sigutils.normalize_signature(sig)
        return self._translations[tuple(args)][1]

    def _translate(self, args: tuple[Any, ...]) -> tuple[Any, object]:
        flags: Any = compiler.Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        flags.noalias = self._is_apart
        context, function, key = self.targetctx, self.py_func, object()
        library = _Translated(context.codegen(), function.__qualname__)
        result = compiler.compile_extra(
            self.typingctx, context, function, args, None, flags, {}, library=library
        )
        context.insert_user_function(key, result.fndesc, [library])
        return result, key


def _widened(argument: Any) -> Any:
    """Signed integers as int64, so that a kernel is translated once for all widths of fields."""
    is_integer = isinstance(argument, types.Integer)
    return types.int64 if is_integer and argument.signed else argument


class _Wait:
    """How long this process has compiled; once it is long, one line in the log `razz_env`.

    Where a program has not set up logging, Python writes it to stderr.
    """

    def __init__(self) -> None:
        self._depth, self._since, self._seconds = 0, 0.0, 0.0
        self._is_told = False
        self._unkept = ""

    def __enter__(self) -> None:
        if not self._depth:
            self._since = time.monotonic()
        self._depth += 1

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        if not self._depth:
            self._seconds += time.monotonic() - self._since

    @contextmanager
    def unkept(self, why: str) -> Iterator[None]:
        """Say in the block why what is compiled is not kept, instead of where it is."""
        before, self._unkept = self._unkept, why
        try:
            yield
        finally:
            self._unkept = before

    def tell(self, place: str) -> None:
        if self._is_told or self._seconds + time.monotonic() - self._since < _LONG_SECONDS:
            return
        self._is_told = True
        told = self._unkept or place
        _log.warning("razz_env compiles this part of its engine, up to 10 s; %s.", told)


_wait = _Wait()
unkept = _wait.unkept


def _trailing_zeros(_context: Any, _bits: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], args[0].type.__class__(1)(0))

    return types.int64(types.int64), generate


trailing_zeros: Callable[[int], int] = cast(Any, intrinsic(_trailing_zeros))
"""Inside kernels: number of zero bits below the lowest set bit of an int64; 64 for zero."""


def _scratch(_context: Any, dtype: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, _args: Any) -> Any:
        place = cgutils.alloca_once(builder, context.get_data_type(signature.return_type))
        place.align = _CACHE_LINE
        return place

    return dtype.dtype(dtype), generate


scratch: Callable[[Any], Any] = cast(Any, intrinsic(_scratch))
"""Inside kernels: a record of this structured dtype, a global, that is gone when the kernel ends.

Its content is arbitrary at first. The compiler need not write what nobody reads of it.
"""


def _prefetch(_context: Any, record: Any) -> Any:
    def generate(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        number = ir.IntType(32)
        signature = ir.FunctionType(ir.VoidType(), [_POINTER, number, number, number])
        hint = builder.module.declare_intrinsic("llvm.prefetch", [_POINTER], signature)
        start = builder.bitcast(args[0], _POINTER)
        for offset in range(0, record.size, _CACHE_LINE):
            line = builder.gep(start, [ir.IntType(64)(offset)])
            builder.call(hint, [line, *(number(word) for word in (1, 3, 1))])  # data, to be written
        return context.get_dummy_value()

    return types.none(record), generate


prefetch: Callable[[Any], None] = cast(Any, intrinsic(_prefetch))
"""Inside kernels: bring a record into the processor's nearest cache, to be used a little later."""
