"""Start, watch and restart engine processes.

Keeping an engine alive: started, listened to, and started again when it falls.

The engines of a room: started, minded, and ended together.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from enum import Enum

from sensecheck.io.retry import RetryPolicy
from sensecheck.server.engine.handle import Child
from sensecheck.server.engine.jobs import EngineAway
from sensecheck.server.engine.lane import Lane, Pace
from sensecheck.server.engine.wire import Broke, BrokenFrame, Done, Ready
from sensecheck.server.logging import log

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


REVIVAL_SECONDS = 1.5
"""How long an engine takes to be back after a fall, about."""
_UNKNOWN_PACE = 1000.0
"""Tokens a second, until the first engine has said how fast it is."""


class Crew:
    """Engines that hold the same model, each with somebody who minds it."""

    def __init__(
        self, engines: int, command: Sequence[str], environment: Mapping[str, str] | None, patience: float
    ) -> None:
        self.pace = Pace(_UNKNOWN_PACE)
        """Of any of them."""
        self.minders = [
            Minder(
                Lane(number, self.pace, patience=patience),
                command,
                environment,
                welcome=self._welcome,
                moved=self._move,
            )
            for number in range(engines)
        ]
        self._ready: Ready | None = None
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def fingerprint(self) -> str | None:
        """That of the encoder; None before the first engine is ready."""
        return None if self._ready is None else self._ready.fingerprint

    @property
    def alive(self) -> int:
        """How many are ready."""
        return sum(minder.state is State.READY for minder in self.minders)

    @property
    def idle(self) -> bool:
        """Whether nobody has anything to do."""
        return all(minder.lane.idle for minder in self.minders)

    def open(self) -> list[Minder]:
        """Those that can be given work: they are ready, or will be in a moment."""
        return [minder for minder in self.minders if minder.state in (State.READY, State.REVIVING)]

    async def start(self) -> None:
        """Return when the first engine is ready, or as soon as it is clear that none can be."""
        for minder in self.minders:
            task = asyncio.create_task(minder.mind(), name=f"engine {minder.lane.number}")
            task.add_done_callback(self._minder_ended)
            self._tasks.append(task)
        pending = {asyncio.ensure_future(minder.tried.wait()) for minder in self.minders}
        while pending and not self.alive:
            _, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
        for left in pending:
            left.cancel()

    async def end(self) -> None:
        """End all of them, whatever they do."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()

    def give_up(self, because: str) -> None:
        """Nobody will do what waits for them."""
        for minder in self.minders:
            minder.lane.give_up(because)

    def _welcome(self, ready: Ready) -> None:
        """Verdicts must not depend on who gave them: all engines hold the same model."""
        if self._ready is None:
            self._ready = ready
            self.pace.restart(ready.tokens_per_second)
        elif ready.fingerprint != self._ready.fingerprint:
            raise EngineAway(
                f"the encoder was `{self._ready.fingerprint}` when the service began, and is now "
                f"`{ready.fingerprint}`; start the service again"
            )

    def _move(self, fallen: Lane) -> None:
        """What was waiting for an engine that fell goes to those that stand."""
        standing = [minder for minder in self.minders if minder.state is State.READY]
        for ticket in fallen.handed_over() if standing else ():
            min(standing, key=ahead_of).lane.take(ticket)

    def _minder_ended(self, task: "asyncio.Task[None]") -> None:
        """Nobody minds an engine any more: that is a mistake of ours, and must not go unseen."""
        error = None if task.cancelled() else task.exception()
        if error is not None:
            log().critical("an engine is no longer minded", exc_info=error)
            minder = self.minders[self._tasks.index(task)]
            minder.state = State.AWAY
            minder.lane.give_up("no engine is running")


def ahead_of(minder: Minder) -> float:
    """Seconds until an engine has done all that it was given, about."""
    revival = 0.0 if minder.state is State.READY else REVIVAL_SECONDS
    return revival + minder.lane.seconds_ahead()
