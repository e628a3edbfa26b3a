"""What a page may say to the server, as checked types; anything else is refused in a sentence.

No message names a file, a seat to act for or a piece of code: seats follow from the connection,
players are chosen from the server's list.
"""

import json
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from razz_env.rules.house_rules import MAX_CHIPS

MAX_MESSAGE_BYTES = 8192


class Refused(ValueError):
    """A message that cannot be served: a sentence for the page."""


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


Name = Annotated[str, Field(min_length=1, max_length=20)]
Key = Annotated[str, Field(min_length=1, max_length=64)]
Index = Annotated[int, Field(ge=0, le=10_000_000)]


class Create(_Message):
    """Open a table. Seats are "me", "open" (for whoever has the link) or a player's name."""

    do: Literal["create"]
    seats: Annotated[list[Key], Field(min_length=2, max_length=8)]
    name: Name
    rules: Key
    stacks: Annotated[int, Field(ge=1, le=MAX_CHIPS)] = 500
    carry: bool = False
    seed: Annotated[int, Field(ge=0, lt=2**63)] | None = None


class Join(_Message):
    """Come to a table: back to the seat of a token, or to watch."""

    do: Literal["join"]
    table: Key
    token: Key | None = None


class Sit(_Message):
    """Take an open seat."""

    do: Literal["sit"]
    name: Name


class Act(_Message):
    """Play an action in the own seat; `hand` and `decision` are those it was offered at."""

    do: Literal["act"]
    action: Key
    hand: Index
    decision: Index


class Switch(_Message):
    """Turn something on or off: the table's pause, the sender's own auto-muck."""

    do: Literal["pause", "auto_muck"]
    on: bool


class Speed(_Message):
    """How fast players act and hands follow each other."""

    do: Literal["speed"]
    speed: Literal["slow", "normal", "fast", "full"]


class Plain(_Message):
    """Requests without anything to say more.

    start: begin without those for whom seats are open; next: deal the next hand now.
    """

    do: Literal["start", "next", "hint", "graph", "leave"]


class Titles(_Message):
    """The hands that can be looked up, from a place on."""

    do: Literal["titles"]
    start: Index = 0


class Step(_Message):
    """A hand that can be looked up, after so many actions, with what is asked for beside it."""

    do: Literal["step"]
    hand: Index
    step: Index
    equity: bool = False
    player: Key | None = None


class Download(_Message):
    """The hands that can be looked up as a file."""

    do: Literal["download"]
    format: Literal["phh", "pokerstars"]


_Kinds = Create | Join | Sit | Act | Switch | Speed | Plain | Titles | Step | Download
Message = Annotated[_Kinds, Field(discriminator="do")]
_MESSAGE: TypeAdapter[Any] = TypeAdapter(Message)
_DOES = [name for kind in get_args(_Kinds) for name in get_args(kind.model_fields["do"].annotation)]
"""All that a message may ask for."""


def read_message(text: str | None) -> Any:
    """One of the messages above.

    Raises:
        Refused: no JSON text, too long, or not such a message; says what is wrong.
    """
    if text is None or len(text.encode()) > MAX_MESSAGE_BYTES:
        raise Refused(f"A message is JSON text of at most {MAX_MESSAGE_BYTES} bytes.")
    try:
        return _MESSAGE.validate_python(json.loads(text))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        if not place:  # no object, or one of no kind
            known = ", ".join(map(json.dumps, _DOES))
            said = f'This message is malformed: it must be an object whose "do" is one of {known}.'
            raise Refused(said) from None
        raise Refused(f"This message is malformed at {place}: {first['msg']}.") from None
    except (ValueError, RecursionError):  # ValueError also for a number of thousands of digits
        raise Refused("A message is JSON text; this is none that can be read.") from None
