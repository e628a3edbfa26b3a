"""Asking a player for the decisions of many tables, and naming it if it fails."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from razz_env.envs.agent import RAISED, Agent, PlayerError, told_error
from razz_env.envs.answers import BadAnswer, check_answer
from razz_env.envs.batch import TableBatch
from razz_env.observation import ObservationSpec, encode_batch

Ints = NDArray[np.int64]


class AgentFault(PlayerError):
    """A player has raised an exception in a match, or chosen no legal action.

    Attributes:
        agent: its name.
        seat: where it sat.
        deck: the deck's number; None if no single deck makes it raise.
        sentence: what it did.
    """

    def __init__(self, agent: str, seat: int, deck: int | None, sentence: str) -> None:
        super().__init__(agent, seat, deck, sentence)
        self.agent, self.seat, self.deck, self.sentence = agent, seat, deck, sentence

    def __str__(self) -> str:
        return self.sentence


def fault_dict(fault: AgentFault | None) -> dict[str, Any] | None:
    """What a fault tells, ready for JSON."""
    if fault is None:
        return None
    return {
        "agent": fault.agent,
        "seat": fault.seat,
        "deck": fault.deck,
        "sentence": fault.sentence,
    }


@dataclass(frozen=True)
class SeatedAgent:
    """A player in its seat, with its own randomness.

    Attributes:
        agent: the player.
        seat: 0 to 7.
        rng: the generator for all its decisions in this seat.
        layout: of the observations it wants; None if it needs none.
    """

    agent: Agent
    seat: int
    rng: np.random.Generator
    layout: ObservationSpec | None

    @property
    def who(self) -> str:
        """The player within a sentence."""
        return f"the player {self.agent.name!r} in seat {self.seat}"


def ask(player: SeatedAgent, batch: TableBatch, rows: Ints) -> Ints:
    """Legal actions int64[K] that a player chooses on the tables `rows` int64[K], where it acts.

    Raises:
        AgentFault: it raised an exception, or answered with something else.
    """
    try:
        answer = np.asarray(_act(player, batch, rows))
    except RAISED as error:
        raise _raised(player, batch, rows, error) from error
    try:
        return check_answer(
            answer, batch.action_masks[rows], lambda k: batch.hands["public"][rows[k]]
        )
    except BadAnswer as bad:
        deck = _decks(batch, rows)[bad.place]
        sentence = f"On deck {deck} {player.who} {bad}."
        raise AgentFault(player.agent.name, player.seat, deck, sentence) from None


def _act(player: SeatedAgent, batch: TableBatch, rows: Ints) -> Any:
    """The player's answer; it is shown copies, so nothing it does to them reaches the tables."""
    views = batch.views_of(rows)
    if player.layout is None:
        observations = np.zeros((len(rows), 0), np.float32)
    else:
        observations = encode_batch(views, player.layout)
    return player.agent.act(views, observations, batch.action_masks[rows], player.rng)


def _raised(player: SeatedAgent, batch: TableBatch, rows: Ints, error: BaseException) -> AgentFault:
    guilty = _guilty_row(player, batch, rows)
    decks = _decks(batch, rows)
    deck = None if guilty is None else int(batch.hands["index"][guilty])
    where = f"deck {deck}" if deck is not None else f"decks {decks[0]} to {decks[-1]}"
    sentence = f"On {where} {player.who} raised {told_error(error)}."
    return AgentFault(player.agent.name, player.seat, deck, sentence)


def _guilty_row(player: SeatedAgent, batch: TableBatch, rows: Ints) -> int | None:
    """The table at which a player raises, found by asking again about half the tables each time."""
    while len(rows) > 1:
        half = len(rows) // 2
        rows = rows[:half] if _raises(player, batch, rows[:half]) else rows[half:]
    return int(rows[0]) if _raises(player, batch, rows) else None


def _raises(player: SeatedAgent, batch: TableBatch, rows: Ints) -> bool:
    try:
        np.asarray(_act(player, batch, rows))
    except RAISED:
        return True
    return False


def _decks(batch: TableBatch, rows: Ints) -> list[int]:
    decks: list[int] = batch.hands["index"][rows].tolist()
    return decks
