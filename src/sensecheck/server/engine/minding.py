"""Keeping an engine alive: started, listened to, and started again when it falls."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from enum import Enum

from sensecheck.io.retry import RetryPolicy
from sensecheck.server.engine.asking import EngineAway
from sensecheck.server.engine.child import Child
from sensecheck.server.engine.frames import Broke, BrokenFrame, Done, Ready
from sensecheck.server.engine.lane import Lane
from sensecheck.server.logs import log

RESTARTS = RetryPolicy(first_pause=0.25, max_pause=10.0)


class State(Enum):
    """What an engine is at."""

    STARTING = "starting"
    READY = "ready"
    REVIVING = "reviving"
    """It fell, and will be back in a moment: what waits for it can wait on."""
    AWAY = "away"


class Minder:
    """One engine's life after life."""

    def __init__(
        self,
        lane: Lane,
        command: Sequence[str],
        environment: Mapping[str, str] | None,
        *,
        welcome: Callable[[Ready], None],
        moved: Callable[[Lane], None],
    ) -> None:
        self.lane = lane
        self.state = State.STARTING
        self.trouble = ""
        """Why it could not be started."""
        self.tried = asyncio.Event()
        """Set as soon as the first start has come to an end, good or bad."""
        self._command = command
        self._environment = environment
        self._welcome = welcome
        self._moved = moved
        self._in_vain = 0
        """Lives in a row that came to nothing."""

    async def mind(self) -> None:
        """Go on until cancelled."""
        while True:
            try:
                await self._live()
            except EngineAway as reason:
                self._unready(reason)
            await asyncio.sleep(RESTARTS.pause(self._in_vain) if self._in_vain else 0.0)

    async def _live(self) -> None:
        child = await Child.start(self._command, self._environment)
        before = self.lane.settled
        try:
            self._welcome(child.ready)
            self._is_ready(child)
            await self._listen(child)
        except BaseException:  # whatever ended the listening: nobody would end the engine later
            self.lane.child = None
            await child.ended()
            raise
        self._fell(child, await child.ended(), useful=self.lane.settled > before)

    async def _listen(self, child: Child) -> None:
        try:
            while (frame := await child.receive()) is not None:
                if isinstance(frame, Done | Broke):
                    self.lane.settle(frame)
        except BrokenFrame as reason:
            log().error("an engine was not understood", says=str(reason), part=self.lane.number)

    def _is_ready(self, child: Child) -> None:
        self.state = State.READY
        self.lane.child = child
        self.tried.set()
        self.lane.give()
        log().info("an engine is ready", part=self.lane.number, pid=child.process.pid)

    def _fell(self, child: Child, code: int, *, useful: bool) -> None:
        self._in_vain = 0 if useful else self._in_vain + 1
        self.state = State.REVIVING if self._in_vain < 3 else State.AWAY
        log().warning("an engine ended", part=self.lane.number, pid=child.process.pid, code=code)
        self.lane.fell()
        self._moved(self.lane)

    def _unready(self, reason: EngineAway) -> None:
        self._in_vain += 1
        self.state = State.AWAY
        self.trouble = str(reason)
        self.tried.set()
        log().error("an engine cannot be started", part=self.lane.number, says=self.trouble)
        self.lane.give_up("no engine can be started")
