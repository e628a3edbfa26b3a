"""The functions behind `razz web` and `razz replay FILE --web`."""

import socket
from collections.abc import Sequence
from pathlib import Path

import uvicorn

from agents.web.app import make_app
from agents.web.guard import LOOPBACK
from agents.web.messages import MAX_MESSAGE_BYTES
from agents.web.server import Server, offered_players
from razz_env.envs.opponents import resolve_agent
from razz_env.history import HandRecord

PORT, HIGHEST_PORT = 8000, 65535


def web_command(
    *,
    host: str = "127.0.0.1",
    port: int = PORT,
    opponents: tuple[str, ...] = (),
    save: Path | None = None,
) -> int:
    """Play and watch Razz in a browser.

    Args:
        host: Address to listen at. The default is this machine only; 0.0.0.0 lets others in, who
            need no password.
        port: Port to listen at; 0 takes a free one.
        opponents: Players to offer beside those of the package, such as ppo:runs/quick/model.zip.
        save: Folder in which every table writes its finished hands, all cards open, as JSON lines.

    Returns:
        0.

    Raises:
        ValueError: a player that does not exist.
        OSError: the port is taken.
    """
    for name in opponents:
        resolve_agent(name)
    serve(Server(offered_players(opponents), folder=save), host, port)
    return 0


def show_records(records: Sequence[HandRecord], players: Sequence[str], port: int) -> None:
    """Serve this machine the page with hands to step through, until it is stopped.

    Raises:
        ValueError: a player that does not exist.
        OSError: the port is taken.
    """
    for name in players:
        resolve_agent(name)
    serve(Server(offered_players(players), records), "127.0.0.1", port)


def serve(server: Server, host: str, port: int) -> None:
    """Serve pages until Ctrl-C.

    Raises:
        OSError: the port is taken, or the address is none of this machine.
    """
    listener = _listen(host, port)
    here = host in LOOPBACK
    name = f"[{host}]" if ":" in host else host
    print(
        f"Open http://{name}:{listener.getsockname()[1]}/ in a browser; Ctrl-C stops.", flush=True
    )
    if not here:
        print("Everyone who can reach this address can play; there is no password.", flush=True)
    config = uvicorn.Config(
        make_app(server, LOOPBACK if here else None),
        log_level="warning",
        ws_max_size=2 * MAX_MESSAGE_BYTES,
        timeout_graceful_shutdown=2,
    )
    uvicorn.Server(config).run(sockets=[listener])


def _listen(host: str, port: int) -> socket.socket:
    if not 0 <= port <= HIGHEST_PORT:
        raise ValueError(f"--port {port} must be 0 to {HIGHEST_PORT}; 0 takes one that is free.")
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        way_out = "--host" if isinstance(error, socket.gaierror) else "--port, or --port 0"
        raise OSError(
            f"Nothing can listen at {host} port {port} ({error.strerror}); choose another with "
            f"{way_out}."
        ) from error
    return listener
