"""A source that is a command: the prompt is its argument, what it prints is the answer.

It is run to its end, however long it would go on, however much it prints, whatever it starts.
"""

import json
import os
import shlex
import signal
import subprocess
import time
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import IO, Any, TypeAlias

from sensecheck.sources.source import (
    MAX_CONCURRENCY,
    Answer,
    NoAnswer,
    Question,
    SourceOptions,
    SourceSpec,
    digest,
    keys_in,
    may_be_repeated,
)

MAX_OUTPUT_BYTES = 10_000_000
"""Bytes that a command may print."""
_MAX_COMPLAINT = 200
"""Characters of what the command complained about that a message repeats."""
_READ_SIZE = 65_536
Ended: TypeAlias = subprocess.CompletedProcess[bytes]


class TooMuch(Exception):
    """A command has printed more than is read."""


@dataclass(frozen=True, slots=True)
class Program:
    """Runs a command for each question, without a shell: nothing in a prompt is ever looked into."""

    label: str
    command: tuple[str, ...]
    folder: Path
    config: Mapping[str, Any]
    timeout: float
    concurrency: int = MAX_CONCURRENCY
    keys: frozenset[str] = field(default=frozenset(), repr=False)
    """What no message may repeat."""
    cacheable: bool = True

    @property
    def fingerprint(self) -> str:
        """Changes with the command, its label and its settings; whether its files changed is not seen."""
        return f"exec:{digest(self.command, self.label, dict(self.config))}"

    def answer(self, question: Question) -> Answer | NoAnswer:
        """What the command prints when it is given the prompt, its settings and the variables, as JSON."""
        context = {"vars": dict(question.vars), "prompt": {"raw": question.prompt}, "repeat": question.repeat}
        settings = {"config": dict(self.config), "label": self.label}
        arguments = [
            *self.command,
            question.prompt,
            json.dumps(settings, default=str),
            json.dumps(context, default=str),
        ]
        before = time.perf_counter()
        try:
            ended = run_to_end(arguments, self.folder, self.timeout)
        except subprocess.TimeoutExpired:
            return self._no_answer(f"did not end within {self.timeout:g} s")
        except TooMuch:
            return self._no_answer(f"printed more than {MAX_OUTPUT_BYTES:,} bytes")
        except (OSError, ValueError) as error:
            return self._no_answer(f"cannot be run: {getattr(error, 'strerror', None) or error}")
        return self._read(ended, (time.perf_counter() - before) * 1000, question.prompt)

    def _read(self, ended: Ended, latency_ms: float, prompt: str) -> Answer | NoAnswer:
        complaint = self._complaint(ended.stderr.decode(errors="replace"), prompt)
        if ended.returncode != 0:
            return self._no_answer(f"ended with {ended.returncode}{': ' if complaint else ''}{complaint}")
        printed = ended.stdout.decode(errors="replace").strip()
        if not printed and complaint:
            return self._no_answer(f"printed no answer, but complained: {complaint}")
        return Answer(printed, latency_ms=latency_ms)

    def _complaint(self, output: str, prompt: str) -> str:
        """The end of what the command complained about, unless that repeats what no one should read."""
        words = " ".join(output.split())
        harmless = may_be_repeated(
            words[-2 * _MAX_COMPLAINT :], prompt, self.keys
        )  # twice: a key may be on the cut
        return words[-_MAX_COMPLAINT:] if harmless else "something that repeats the prompt, or a key"

    def _no_answer(self, how: str) -> NoAnswer:
        return NoAnswer(f"the command `{self.command[0]}` {how}")


def fits(source_id: str) -> bool:
    """Whether an id is a command."""
    return source_id.startswith("exec:")


def check(spec: SourceSpec) -> tuple[str, ...]:
    """The words of the command."""
    spec.config.mapping(f"`config` of `{spec.id}`")
    try:
        words = tuple(shlex.split(spec.id.removeprefix("exec:"), posix=os.name != "nt"))
    except ValueError as error:
        raise spec.config.error(f"`{spec.id}` is not a well-formed command: {error}") from error
    if not words:
        raise spec.config.error("`exec:` needs a command: `exec: python answer.py`")
    return words


def load(spec: SourceSpec, options: SourceOptions) -> Program:
    """The command, run in the battery's folder; its config is its own, and is handed to it as it is."""
    config = spec.config.plain()
    keys = keys_in([options.environment, config])
    return Program(
        spec.label, check(spec), options.folder, config, options.timeout, options.concurrency, keys
    )


def run_to_end(arguments: Sequence[str], folder: Path, timeout: float) -> Ended:
    """What the command prints; when it is given up, or we are interrupted, all that it started ends too.

    Raises `subprocess.TimeoutExpired`, `TooMuch`, or what keeps the command from being begun.
    """
    process = subprocess.Popen(
        arguments,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    ending = weakref.finalize(process, _end, process.pid)  # an interrupted run calls it on its way out
    assert process.stdout is not None
    assert process.stderr is not None
    pipes = (_Pipe(process.stdout, process.pid), _Pipe(process.stderr, process.pid))
    try:
        _wait(process, pipes, timeout)
    except BaseException:
        ending()
        process.wait()
        raise
    finally:
        ending.detach()
        for pipe in pipes:
            pipe.close()
    if any(pipe.too_much for pipe in pipes):
        raise TooMuch
    return Ended(arguments, process.returncode, *(bytes(pipe.received) for pipe in pipes))


def _wait(process: "subprocess.Popen[bytes]", pipes: "Sequence[_Pipe]", timeout: float) -> None:
    until = time.monotonic() + timeout
    for pipe in pipes:
        pipe.thread.join(max(0.0, until - time.monotonic()))
        if pipe.thread.is_alive():
            raise subprocess.TimeoutExpired(process.args, timeout)
    process.wait(max(0.0, until - time.monotonic()))


def _end(pid: int) -> None:
    """End the command together with all that it started."""
    with suppress(ProcessLookupError, PermissionError):
        if os.name == "nt":
            os.kill(pid, signal.SIGTERM)
        else:
            os.killpg(pid, signal.SIGKILL)


class _Pipe:
    """Collects what comes out of a pipe; who prints too much is ended."""

    def __init__(self, pipe: IO[bytes], pid: int) -> None:
        self.received = bytearray()
        self.too_much = False
        self._pipe = pipe
        self._pid = pid
        self.thread = Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self) -> None:
        while chunk := os.read(self._pipe.fileno(), _READ_SIZE):
            self.received += chunk
            if len(self.received) > MAX_OUTPUT_BYTES:
                self.too_much = True
                _end(self._pid)
                return

    def close(self) -> None:
        """Let go of the pipe, unless someone who left the command's group still holds its other end."""
        self.thread.join(1.0)
        if not self.thread.is_alive():
            self._pipe.close()
