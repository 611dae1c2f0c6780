"""Messages that a caller may speak of, and what is kept of what they say."""

from collections.abc import Callable
from datetime import timedelta

from sqlalchemy import Connection

from sensecheck.server.caller import Caller
from sensecheck.server.problems import NOT_FOUND, STORE_AWAY, Problem
from sensecheck.server.stored.keeping import Keeping
from sensecheck.server.stored.store_desk import StoreDesk
from sensecheck.store.moments import now
from sensecheck.store.service.ids import moment_of
from sensecheck.store.service.messages import find_message
from sensecheck.store.service.records import Message
from sensecheck.store.service.service_store import ServiceStore

LATELY = timedelta(hours=1)
SOON = 2.0
Say = Callable[[Connection, Message], None]
"""Writes down what is said of a message; within the transaction in which the message was found."""


async def say_of_message(
    desk: StoreDesk, keeping: Keeping, caller: Caller, message_id: str, say: Say
) -> None:
    """Keep what the caller says of a message, or raise the problem where it is not theirs to speak of."""

    def keep(store: ServiceStore) -> None:
        with store.writing() as connection:
            say(connection, message_for(connection, caller, message_id, waiting=keeping.waiting))

    await desk.ask(keep)


def message_for(connection: Connection, caller: Caller, message_id: str, *, waiting: int) -> Message:
    """The message, if the caller may speak of it; others are as if they did not exist.

    A key in a page speaks of its own messages alone. While messages are `waiting` here for the database, one
    that was told of lately may be among them.
    """
    found = find_message(connection, caller.key.project, message_id)
    if found is None and waiting and _is_new(message_id):
        says = "messages wait here to be written to the database, and this may be one of them"
        raise Problem(STORE_AWAY, says, retry_after=SOON)
    if found is None or (caller.key.kind == "publishable" and found.api_key != caller.key.id):
        raise Problem(NOT_FOUND, "there is no such message, or it is not kept any more")
    return found


def _is_new(message_id: str) -> bool:
    at = moment_of(message_id)
    return at is not None and now() - at < LATELY
