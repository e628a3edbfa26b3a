"""Who may talk to the server: its own pages only.

A server bound to loopback can be reached by any page that the same browser has open. Requests whose
Host is not this machine (a name that was made to point here) and websockets that another site's
page opens are refused.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

Scope = MutableMapping[str, Any]
App = Callable[[Scope, Any, Any], Awaitable[None]]

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


class Guard:
    """An ASGI application in front of another one."""

    def __init__(self, app: App, hosts: frozenset[str] | None) -> None:
        """`hosts`: names by which the server may be called; None allows all."""
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Serve or refuse one request."""
        if scope["type"] == "lifespan" or self._allows(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            head = {"type": "http.response.start", "status": 403}
            await send({**head, "headers": [(b"content-type", b"text/plain")]})
            await send({"type": "http.response.body", "body": b"This server serves its own host."})

    def _allows(self, scope: Scope) -> bool:
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get(b"host", "")
        if self._hosts is not None and _name(f"//{host}") not in self._hosts:
            return False
        origin = headers.get(b"origin")
        foreign = origin is not None and urlsplit(origin).netloc.lower() != host.lower()
        return scope["type"] != "websocket" or not foreign


def _name(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""
