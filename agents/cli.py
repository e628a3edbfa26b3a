"""The command `razz`: a word, such as train, evaluate, play or replay, and its options."""

import difflib
import importlib
import os
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from itertools import pairwise
from typing import Any, NamedTuple

from agents.help_text import flowing
from agents.interrupts import listening


class Command(NamedTuple):
    """A command, told in names, so that to run one imports nothing that only another needs.

    Attributes:
        summary: its line in the usage.
        function: "module:name"; its parameters are the command's options, and what it returns is
            the exit code, None for 0.
        errors: exceptions, or "module:name" of them, that a person can mend: their sentence is
            printed, and the exit code is 2.
        extra: the smallest extra that it needs.
        takes_empty: an empty word means something to it.
        reads_options: the function takes the words of the command line and the program's name, and
            reads them itself.
    """

    summary: str
    function: str
    errors: tuple[type[Exception] | str, ...] = (ValueError,)
    extra: str = "train"
    takes_empty: bool = False
    reads_options: bool = False


PLAYER_FAILED = "razz_env.envs.agent:PlayerError"
WORKER_LOST = "agents.evaluation.plan:WorkerLost"

COMMANDS = {
    "train": Command(
        "train a bot by self-play and rate it",
        "agents.training.command:main",
        errors=(),
        reads_options=True,
    ),
    "evaluate": Command(
        "rate a player against another by duplicate matches",
        "agents.evaluation.command:evaluate",
        errors=(ValueError, TypeError, ConnectionError, PLAYER_FAILED, WORKER_LOST),
        extra="report",
    ),
    "tournament": Command(
        "rate several players against each other",
        "agents.evaluation.tournament_command:tournament",
        errors=(ValueError, TypeError, ConnectionError, PLAYER_FAILED, WORKER_LOST),
        extra="report",
    ),
    "exploit": Command(
        "train a best response to a player, and tell what it gains",
        "agents.exploiting.command:exploit_command",
        errors=(ValueError, TypeError, PLAYER_FAILED, "agents.exploiting.learner:Diverged"),
    ),
    "export": Command(
        "write a trained model as a small file that plays without PyTorch",
        "agents.shipping.export_command:export_command",
    ),
    "card": Command(
        "write the model card of an exported player, with its ratings",
        "agents.shipping.card_command:card_command",
        extra="history",
    ),
    "swings": Command(
        "list and save the decks on which two players differ most",
        "agents.evaluation.swings_command:swings",
        errors=(ValueError, TypeError, OSError, PLAYER_FAILED, WORKER_LOST),
        extra="report",
    ),
    "inspect": Command(
        "show what a player does in a spot, or with every starting hand",
        "agents.inspection.command:inspect_command",
        errors=(ValueError, TypeError, PLAYER_FAILED),
        extra="report",
    ),
    "play": Command(
        "play against bots in the terminal",
        "agents.play.command:play_command",
        errors=(ValueError, TypeError, OSError, PLAYER_FAILED),
        extra="history",
    ),
    "web": Command(
        "play, watch and look at hands in a browser",
        "agents.web.command:web_command",
        errors=(ValueError, TypeError, OSError, PLAYER_FAILED),
        extra="web",
    ),
    "equity": Command(
        "the share of the pot that hands take when they are dealt out",
        "agents.equity_command:equity_command",
        extra="history",
        takes_empty=True,
    ),
    "convert": Command(
        "convert hand histories: PHH, PokerStars and Full Tilt text, JSON",
        "agents.history_commands:convert_command",
        errors=(),
        extra="history",
    ),
    "replay": Command(
        "replay hand histories and report where file and rules disagree",
        "agents.history_commands:replay_command",
        errors=(),
        extra="history",
    ),
    "draw": Command(
        "draw a hand of a history: a picture, a GIF, or a page to step through",
        "agents.draw_command:draw_command",
        errors=(ValueError, OSError),
        extra="render",
    ),
    "soak": Command(
        "play random hands and check every invariant of the rules",
        "agents.soak:soak_command",
        extra="history",
    ),
    "bench": Command(
        "time the layers of this package on this machine",
        "agents.bench.command:bench_command",
        extra="history",
    ),
}

_SUMMARIES = "\n".join(f"  {name:<12}{command.summary}" for name, command in COMMANDS.items())

USAGE = f"""usage: razz COMMAND [OPTIONS]

commands:
{_SUMMARIES}

`razz COMMAND --help` tells the options of a command, `razz --version` the version. Exit status: 0
all went well, 1 done but with failures or another result, 2 it could not be done, 130 stopped by
Ctrl-C."""


_EMPTY = (
    "`{program}` was given an empty argument, such as a variable of the shell that is not set: say "
    "what is meant; '.' is the folder you are in."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit code.

    0: all went well. 1: it was done, but with failures, such as hands that could not be read, or
    came out otherwise, such as a match that is verified. 2: it could not be done. 130: Ctrl-C.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    command, options = (words[0], words[1:]) if words else ("", [])
    if command == "--version":
        return _while_read(lambda: print(version("razz-env")))
    if command in ("", "-h", "--help"):
        return _while_read(lambda: print(USAGE)) or (0 if command else 2)
    if command not in COMMANDS:
        near = difflib.get_close_matches(command, COMMANDS, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else "."
        print(f"There is no command {command!r}{hint}\n\n{USAGE}", file=sys.stderr)
        return 2
    return run(command, options, f"razz {command}")


def run(command: str, options: Sequence[str], program: str) -> int:
    """Run one of `COMMANDS`, called by the name `program`; the exit code.

    A package that is missing is told in one sentence with the command that installs it.
    """
    try:
        with listening():
            return _while_read(lambda: _call(COMMANDS[command], options, program))
    except ModuleNotFoundError as missing:
        print(_advice(command, program, missing), file=sys.stderr)
        return 2
    except (KeyboardInterrupt, Exception) as error:
        if not _comes_of_ctrl_c(error):
            raise
        print(f"\n`{program}` was stopped.", file=sys.stderr)
        return 130


def _comes_of_ctrl_c(error: BaseException | None) -> bool:
    """Whether an error is KeyboardInterrupt or was made of one, as in an import."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _while_read(work: Callable[[], int | None]) -> int:
    """Do something that prints; 1 if the reader of a pipe, such as `head`, has seen enough."""
    try:
        try:
            return work() or 0
        finally:
            sys.stdout.flush()  # else a pipe would break where nothing catches it
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _call(command: Command, options: Sequence[str], program: str) -> int | None:
    code: int | None
    if command.reads_options:
        code = _named(command.function)(options, program)
        return code
    pairs = pairwise(["", *options])
    if not command.takes_empty and any(
        not w and not before.startswith("--") for before, w in pairs
    ):
        print(_EMPTY.format(program=program), file=sys.stderr)
        return 2
    import tyro

    function = _named(command.function)
    function.__doc__ = flowing(function.__doc__)
    try:
        code = tyro.cli(function, prog=program, args=list(options))
    except BrokenPipeError:  # an error of connections too, but of nobody's making
        raise
    except tuple(_named(error) for error in command.errors) as error:
        print(error, file=sys.stderr)
        return 2
    return code


def _named(thing: Any) -> Any:
    """What "module:name" stands for; an exception stands for itself."""
    if not isinstance(thing, str):
        return thing
    module, _, name = thing.partition(":")
    return getattr(importlib.import_module(module), name)


def _advice(command: str, program: str, missing: ModuleNotFoundError) -> str:
    """What to install, unless the error says so itself."""
    if missing.msg and "pip install" in missing.msg:
        return missing.msg
    needs = f"`{program}` needs {missing.name!r}, which is not installed"
    return f'{needs}: pip install "razz-env[{COMMANDS[command].extra}]"'


if __name__ == "__main__":
    sys.exit(main())
