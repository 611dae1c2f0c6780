"""Engine processes: started, listened to, restarted when they fail, and stopped together."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from enum import Enum

from sensecheck.io.retry import RetryPolicy
from sensecheck.server.engine.handle import EngineProcess
from sensecheck.server.engine.jobs import EngineAway
from sensecheck.server.engine.queue import EngineQueue, Pace
from sensecheck.server.engine.wire import BatchDone, BatchFailed, BrokenFrame, EngineReady
from sensecheck.server.logging import log

RESTARTS = RetryPolicy(first_pause=0.25, max_pause=10.0)
REVIVAL_SECONDS = 1.5
"""How long an engine takes to be back after it ended, about."""
_UNKNOWN_PACE = 1000.0
"""Tokens a second, until the first engine has said how fast it is."""


class EngineState(Enum):
    """What an engine is doing."""

    STARTING = "starting"
    READY = "ready"
    REVIVING = "reviving"
    """It ended, and will be back in a moment: what waits for it can wait on."""
    AWAY = "away"


class EngineSupervisor:
    """Keeps one engine running: starts it, listens to it, and starts it again when it ends."""

    def __init__(
        self,
        queue: EngineQueue,
        command: Sequence[str],
        environment: Mapping[str, str] | None,
        *,
        welcome: Callable[[EngineReady], None],
        moved: Callable[[EngineQueue], None],
    ) -> None:
        self.queue = queue
        self.state = EngineState.STARTING
        self.trouble = ""
        """Why it could not be started."""
        self.tried = asyncio.Event()
        """Set as soon as the first start has come to an end, good or bad."""
        self._command = command
        self._environment = environment
        self._welcome = welcome
        self._moved = moved
        self._fruitless = 0
        """Runs in a row that settled no batch."""

    async def run(self) -> None:
        """Go on until cancelled."""
        while True:
            try:
                await self._run_once()
            except EngineAway as reason:
                self._cannot_start(reason)
            await asyncio.sleep(RESTARTS.pause(self._fruitless) if self._fruitless else 0.0)

    async def _run_once(self) -> None:
        process = await EngineProcess.start(self._command, self._environment)
        before = self.queue.settled
        try:
            self._welcome(process.ready)
            self._is_ready(process)
            await self._listen(process)
        except BaseException:  # whatever ended the listening: nobody would end the engine later
            self.queue.process = None
            await process.ended()
            raise
        self._has_ended(process, await process.ended(), useful=self.queue.settled > before)

    async def _listen(self, process: EngineProcess) -> None:
        try:
            while (frame := await process.receive()) is not None:
                if isinstance(frame, BatchDone | BatchFailed):
                    self.queue.settle(frame)
        except BrokenFrame as reason:
            log().error("an engine was not understood", says=str(reason), part=self.queue.number)

    def _is_ready(self, process: EngineProcess) -> None:
        self.state = EngineState.READY
        self.queue.process = process
        self.tried.set()
        self.queue.give()
        log().info("an engine is ready", part=self.queue.number, pid=process.process.pid)

    def _has_ended(self, process: EngineProcess, code: int, *, useful: bool) -> None:
        self._fruitless = 0 if useful else self._fruitless + 1
        self.state = EngineState.REVIVING if self._fruitless < 3 else EngineState.AWAY
        log().warning("an engine ended", part=self.queue.number, pid=process.process.pid, code=code)
        self.queue.fell()
        self._moved(self.queue)

    def _cannot_start(self, reason: EngineAway) -> None:
        self._fruitless += 1
        self.state = EngineState.AWAY
        self.trouble = str(reason)
        self.tried.set()
        log().error("an engine cannot be started", part=self.queue.number, says=self.trouble)
        self.queue.give_up("no engine can be started")


class EnginePool:
    """Engines that hold the same model, each with its supervisor."""

    def __init__(
        self, engines: int, command: Sequence[str], environment: Mapping[str, str] | None, patience: float
    ) -> None:
        self.pace = Pace(_UNKNOWN_PACE)
        """Of any of them."""
        self.supervisors = [
            EngineSupervisor(
                EngineQueue(number, self.pace, patience=patience),
                command,
                environment,
                welcome=self._welcome,
                moved=self._move,
            )
            for number in range(engines)
        ]
        self._ready: EngineReady | None = None
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def fingerprint(self) -> str | None:
        """That of the encoder; None before the first engine is ready."""
        return None if self._ready is None else self._ready.fingerprint

    @property
    def alive(self) -> int:
        """How many are ready."""
        return sum(supervisor.state is EngineState.READY for supervisor in self.supervisors)

    @property
    def idle(self) -> bool:
        """Whether nobody has anything to do."""
        return all(supervisor.queue.idle for supervisor in self.supervisors)

    def open(self) -> list[EngineSupervisor]:
        """Those that can be given work: they are ready, or will be in a moment."""
        return [
            supervisor
            for supervisor in self.supervisors
            if supervisor.state in (EngineState.READY, EngineState.REVIVING)
        ]

    async def start(self) -> None:
        """Return when the first engine is ready, or as soon as it is clear that none can be."""
        for supervisor in self.supervisors:
            task = asyncio.create_task(supervisor.run(), name=f"engine {supervisor.queue.number}")
            task.add_done_callback(self._supervisor_ended)
            self._tasks.append(task)
        pending = {asyncio.ensure_future(supervisor.tried.wait()) for supervisor in self.supervisors}
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
        for supervisor in self.supervisors:
            supervisor.queue.give_up(because)

    def _welcome(self, ready: EngineReady) -> None:
        """Verdicts must not depend on who gave them: all engines hold the same model."""
        if self._ready is None:
            self._ready = ready
            self.pace.restart(ready.tokens_per_second)
        elif ready.fingerprint != self._ready.fingerprint:
            raise EngineAway(
                f"the encoder was `{self._ready.fingerprint}` when the service began, and is now "
                f"`{ready.fingerprint}`; start the service again"
            )

    def _move(self, ended: EngineQueue) -> None:
        """What was waiting for an engine that ended goes to those that are ready."""
        ready = [supervisor for supervisor in self.supervisors if supervisor.state is EngineState.READY]
        for ticket in ended.handed_over() if ready else ():
            min(ready, key=ahead_of).queue.take(ticket)

    def _supervisor_ended(self, task: "asyncio.Task[None]") -> None:
        """Nobody supervises an engine any more: that is a mistake of ours, and must be seen."""
        error = None if task.cancelled() else task.exception()
        if error is not None:
            log().critical("an engine is no longer minded", exc_info=error)
            supervisor = self.supervisors[self._tasks.index(task)]
            supervisor.state = EngineState.AWAY
            supervisor.queue.give_up("no engine is running")


def ahead_of(supervisor: EngineSupervisor) -> float:
    """Seconds until an engine has done all that it was given, about."""
    revival = 0.0 if supervisor.state is EngineState.READY else REVIVAL_SECONDS
    return revival + supervisor.queue.seconds_ahead()
