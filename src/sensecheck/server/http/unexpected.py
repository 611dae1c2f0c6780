"""What nobody foresaw: told by an id, logged by its place, and its words kept to itself."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sensecheck.core.errors import SensecheckError
from sensecheck.server.http.problem_replies import reply_of
from sensecheck.server.logs import log
from sensecheck.server.problems import BROKEN, Problem
from sensecheck.server.watching.visit import VISIT


class BrokenOff(SensecheckError):
    """A request could not be answered, or not to the end; its connection is ended, so that it looks so."""


class Unexpected:
    """Answers with a problem where a route raised what it should not."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        begun = False

        async def noticing(message: Message) -> None:
            nonlocal begun
            begun = begun or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, noticing)
        except Exception as trouble:  # the last place that can keep its words from client and log
            if scope["type"] != "http":
                raise
            known_as = _told(trouble)
            if not begun:
                said = f"tell whoever runs the service this id: {known_as}"
                reply = reply_of(Problem(BROKEN, said, more={"id": known_as}), {"Connection": "close"})
                await reply(scope, receive, send)
            # Handed on without its words: the server ends the connection, also of an answer that had begun.
            raise BrokenOff(f"the request {known_as} could not be answered") from None


def _told(trouble: Exception) -> str:
    visit = VISIT.get()
    known_as = visit.id if visit is not None else "none"
    log().error("broken", request=known_as, exc_info=trouble)
    return known_as
