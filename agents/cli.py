"""The command `razz`: a word, such as train, evaluate, play or replay, and its options."""

import difflib
import os
import sys
from collections.abc import Callable, Sequence

USAGE = """usage: razz COMMAND [OPTIONS]

commands:
  train       train a bot by self-play and rate it
  evaluate    rate a player against another by duplicate matches
  tournament  rate several players against each other
  exploit     train a best response to a player, and tell what it gains
  export      write a trained model as a small file that plays without PyTorch
  card        write the model card of an exported player, with its ratings
  swings      list and save the decks on which two players differ most
  inspect     show what a player does in a spot, or with every starting hand
  play        play against bots in the terminal
  web         play, watch and look at hands in a browser
  equity      the share of the pot that hands take when they are dealt out
  convert     convert hand histories: PHH, PokerStars and Full Tilt text, JSON
  replay      replay hand histories and report where file and rules disagree
  draw        draw a hand of a history: a picture, a GIF, or a page to step through
  soak        play random hands and check every invariant of the rules
  bench       time the layers of this package on this machine

`razz COMMAND --help` tells the options of a command."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    command, options = (words[0], words[1:]) if words else ("", [])
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
        return _while_read(lambda: COMMANDS[command](options, program))
    except ModuleNotFoundError as missing:
        print(_advice(command, program, missing), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"\n`{program}` was stopped.", file=sys.stderr)
        return 130


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


def train(options: Sequence[str], program: str) -> int:
    """Train a bot; see `agents.training.runner`."""
    from agents.training.runner import main as command

    return command(options, program)


def evaluate(options: Sequence[str], program: str) -> int:
    """Rate a player; see `agents.evaluation.command`."""
    import tyro

    from agents.evaluation.asking import AgentFault
    from agents.evaluation.command import evaluate as command
    from agents.evaluation.plan import WorkerLost

    try:
        return tyro.cli(command, prog=program, args=list(options))
    except (ValueError, ConnectionError, AgentFault, WorkerLost) as error:
        print(error, file=sys.stderr)
        return 1


def tournament(options: Sequence[str], program: str) -> int:
    """Rate several players; see `agents.evaluation.tournament_command`."""
    import tyro

    from agents.evaluation.asking import AgentFault
    from agents.evaluation.plan import WorkerLost
    from agents.evaluation.tournament_command import tournament as command

    try:
        tyro.cli(command, prog=program, args=list(options))
    except (ValueError, ConnectionError, AgentFault, WorkerLost) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def exploit(options: Sequence[str], program: str) -> int:
    """Train a best response to a player; see `agents.exploiting.command`."""
    import tyro

    from agents.evaluation.asking import AgentFault
    from agents.exploiting.command import exploit_command
    from agents.exploiting.learner import Diverged
    from razz_env.envs.opponents import OpponentError

    try:
        tyro.cli(exploit_command, prog=program, args=list(options))
    except (ValueError, AgentFault, OpponentError, Diverged) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def export(options: Sequence[str], program: str) -> int:
    """Export a trained model; see `agents.shipping.export_command`."""
    import tyro

    from agents.shipping.export_command import export_command

    try:
        tyro.cli(export_command, prog=program, args=list(options))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def card(options: Sequence[str], program: str) -> int:
    """Write a model card; see `agents.shipping.card_command`."""
    import tyro

    from agents.shipping.card_command import card_command

    try:
        tyro.cli(card_command, prog=program, args=list(options))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def swings(options: Sequence[str], program: str) -> int:
    """Decks with the biggest swings; see `agents.evaluation.swings_command`."""
    import tyro

    from agents.evaluation.asking import AgentFault
    from agents.evaluation.plan import WorkerLost
    from agents.evaluation.swings_command import swings as command

    try:
        return tyro.cli(command, prog=program, args=list(options))
    except (ValueError, OSError, AgentFault, WorkerLost) as error:
        print(error, file=sys.stderr)
        return 2


def play(options: Sequence[str], program: str) -> int:
    """Play in the terminal; see `agents.play.command`."""
    import tyro

    from agents.play.command import play_command

    try:
        return tyro.cli(play_command, prog=program, args=list(options))
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 2


def inspect(options: Sequence[str], program: str) -> int:
    """What a player does in a spot; see `agents.inspection.command`."""
    import tyro

    from agents.inspection.command import inspect_command

    try:
        return tyro.cli(inspect_command, prog=program, args=list(options))
    except (ValueError, TypeError) as error:
        print(error, file=sys.stderr)
        return 2


def web(options: Sequence[str], program: str) -> int:
    """Play in a browser; see `agents.web.command`."""
    import tyro

    from agents.web.command import web_command

    try:
        return tyro.cli(web_command, prog=program, args=list(options))
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 2


def equity(options: Sequence[str], program: str) -> int:
    """Equities of hands; see `agents.equity_command`."""
    import tyro

    from agents.equity_command import equity_command

    try:
        return tyro.cli(equity_command, prog=program, args=list(options))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2


def convert(options: Sequence[str], program: str) -> int:
    """Convert hand histories; see `agents.history_commands`."""
    import tyro

    from agents.history_commands import convert_command

    return tyro.cli(convert_command, prog=program, args=list(options))


def replay(options: Sequence[str], program: str) -> int:
    """Replay hand histories; see `agents.history_commands`."""
    import tyro

    from agents.history_commands import replay_command

    return tyro.cli(replay_command, prog=program, args=list(options))


def draw(options: Sequence[str], program: str) -> int:
    """Draw a hand of a history; see `agents.draw_command`."""
    import tyro

    from agents.draw_command import draw_command

    try:
        return tyro.cli(draw_command, prog=program, args=list(options))
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2


def soak(options: Sequence[str], program: str) -> int:
    """Play random hands and check them; see `agents.soak`."""
    import tyro

    from agents.soak import soak_command

    try:
        return tyro.cli(soak_command, prog=program, args=list(options))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2


def bench(options: Sequence[str], program: str) -> int:
    """Time the layers of the package; see `agents.bench`."""
    import tyro

    from agents.bench.command import bench_command

    try:
        return tyro.cli(bench_command, prog=program, args=list(options))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2


COMMANDS: dict[str, Callable[[Sequence[str], str], int]] = {
    "train": train,
    "evaluate": evaluate,
    "tournament": tournament,
    "exploit": exploit,
    "export": export,
    "card": card,
    "swings": swings,
    "inspect": inspect,
    "play": play,
    "web": web,
    "equity": equity,
    "convert": convert,
    "replay": replay,
    "draw": draw,
    "soak": soak,
    "bench": bench,
}


_EXTRAS = dict.fromkeys(("bench", "convert", "equity", "play", "replay", "soak"), "history") | {
    "draw": "render",
    "card": "history",
    "tournament": "report",
    "inspect": "report",
    "swings": "report",
    "web": "web",
}
"""Command -> the smallest extra that it needs, where that is not `train`."""


def _advice(command: str, program: str, missing: ModuleNotFoundError) -> str:
    """What to install, unless the error says so itself."""
    if missing.msg and "pip install" in missing.msg:
        return missing.msg
    needs = f"`{program}` needs {missing.name!r}, which is not installed"
    extra = _EXTRAS.get(command, "train")
    return f'{needs}: pip install "razz-env[{extra}]"'
