"""An engine process: it holds one model, and does the batches that come through its standard input."""

import os
import signal
from collections.abc import Callable
from dataclasses import replace
from queue import Queue
from threading import Thread
from time import perf_counter

from sensecheck.core.errors import SensecheckError
from sensecheck.sense import Sense
from sensecheck.server.engine.asking import EngineAway
from sensecheck.server.engine.belt import Belt
from sensecheck.server.engine.frames import Batch, Ready, Unready
from sensecheck.server.engine.jobs import Checked, CheckJob, Extracted
from sensecheck.server.engine.judging import Judging
from sensecheck.server.engine.pipes import Pipes
from sensecheck.server.engine.policies import Policies
from sensecheck.wiring import Settings, shelf

_WARM = "The first text makes room for all others, and it tells how fast this machine reads. " * 6
_WARM_TOKENS = len(_WARM) / 4


def load_sense(settings: Settings) -> Sense:
    """The model that the settings name."""
    return Sense.load(settings=settings)


def main(load: Callable[[Settings], Sense] = load_sense) -> None:
    """Say `Ready`, then do batches until the service is gone."""
    for asked in (signal.SIGINT, signal.SIGTERM):
        # The service gets the same signal, and needs its engines to finish what it has begun.
        signal.signal(asked, signal.SIG_IGN)
    pipes = Pipes.taken()
    inbox: Queue[Batch] = Queue()
    Thread(target=_read, args=(pipes, inbox), daemon=True).start()
    try:
        # One thread, as there are several engines; and what is remembered, is in memory alone.
        settings = replace(Settings.from_environment(), threads=1, cache="off")
        judging = Judging(load(settings), Policies(shelf(settings)))
        ready = _warmed(judging)
    except SensecheckError as reason:
        pipes.write(Unready(str(reason)))
        return
    pipes.write(ready)
    Belt(judging, pipes).work(inbox)


def _read(pipes: Pipes, inbox: "Queue[Batch]") -> None:
    while (frame := pipes.read()) is not None:
        if isinstance(frame, Batch):
            inbox.put(frame)
    # Nobody is left who would want what is under way; and the other threads may be deep in a model.
    os._exit(0)


def _warmed(judging: Judging) -> Ready:
    """Ready; the first jobs let everything settle that is loaded when it is needed, the last one is timed."""
    judging.finish(judging.begin([CheckJob(_WARM[:80], (_WARM,))]))
    _plain_job(judging, f"One. {_WARM}")
    started = perf_counter()
    result = _plain_job(judging, f"Two. {_WARM}")
    return Ready(result.fingerprint, _WARM_TOKENS / max(perf_counter() - started, 1e-6))


def _plain_job(judging: Judging, passage: str) -> Checked:
    # By the one policy that any encoder can be used with; another one would say in its verdicts why not.
    job = CheckJob(_WARM[:80], (passage,), policy="similarity-or-keywords")
    result = judging.finish(judging.begin([job]))[0]
    if isinstance(result, Checked) and result.similarity is not None:
        return result
    told = "" if isinstance(result, Extracted) else result.because
    raise EngineAway(f"a plain text could not be judged: {told}")


if __name__ == "__main__":
    main()
