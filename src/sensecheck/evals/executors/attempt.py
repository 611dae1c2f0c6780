"""One try of a task: whatever it raises is told to whoever drives the crew, and the worker goes on."""

from concurrent.futures import Future
from pathlib import Path
from traceback import extract_tb
from typing import Any

from sensecheck.core.errors import SensecheckError
from sensecheck.evals.executors.executor import Done, Failed, Task, Work


def attempt(work: Work, task: Task) -> Done | Failed:
    """How the task ended."""
    ended: Future[Any] = Future()
    try:
        ended.set_result(work(task.body))
    except Exception as wrong:  # noqa: BLE001 - the driver tries again, and finds the row that is to blame
        ended.set_exception(wrong)
    raised = ended.exception()
    if raised is None:
        return Done(task.key, ended.result())
    if isinstance(raised, SensecheckError):
        return Failed(task.key, str(raised), "raised", raised)
    return Failed(task.key, in_words(raised), "raised")


def in_words(wrong: BaseException) -> str:
    """What was raised and where: `ValueError in similarity.py:31`; its message could hold a user's text."""
    frames = extract_tb(wrong.__traceback__)
    where = f" in {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return type(wrong).__name__ + where
