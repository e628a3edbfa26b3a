"""The web application: four fixed files and one websocket."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files

from fastapi import FastAPI, Response, WebSocket

from agents.web.connection import Connection
from agents.web.guard import LOOPBACK, Guard
from agents.web.server import Server

_POLICY = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}


def make_app(server: Server, hosts: frozenset[str] | None = LOOPBACK) -> Guard:
    """The application of a server.

    Args:
        server: its tables.
        hosts: names by which it may be called; None allows all.
    """

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        yield
        await server.close()

    app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    _serve_file(app, "/", "index.html", "text/html")
    _serve_file(app, "/page.js", "page.js", "text/javascript")
    _serve_file(app, "/page.css", "page.css", "text/css")

    @app.websocket("/socket")
    async def socket(websocket: WebSocket) -> None:
        await websocket.accept()
        await Connection(websocket, server).run()

    return Guard(app, hosts)


def _serve_file(app: FastAPI, path: str, name: str, kind: str) -> None:
    text = (files("agents.web") / "static" / name).read_text(encoding="utf-8")

    @app.get(path)
    def serve() -> Response:
        return Response(text, media_type=kind, headers=_POLICY)
