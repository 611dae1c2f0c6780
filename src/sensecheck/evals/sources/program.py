"""A source that is a command: the prompt is its argument, what it prints is the answer."""

import json
import os
import shlex
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sensecheck.evals.battery import SourceSpec
from sensecheck.evals.sources.digests import digest
from sensecheck.evals.sources.options import AT_ONCE, SourceOptions
from sensecheck.evals.sources.running_program import LARGEST, Ended, TooMuch, run_to_end
from sensecheck.evals.sources.secrets import keys_in, may_be_told
from sensecheck.evals.sources.source import Answer, NoAnswer, Question

_SAID = 200
"""As many characters of what the command complained about are told."""


@dataclass(frozen=True, slots=True)
class Program:
    """Runs a command for each question, without a shell: nothing in a prompt is ever looked into."""

    label: str
    command: tuple[str, ...]
    folder: Path
    config: Mapping[str, Any]
    timeout: float
    at_once: int = AT_ONCE
    keys: frozenset[str] = field(default=frozenset(), repr=False)
    """What no message may tell."""
    kept: bool = True

    @property
    def fingerprint(self) -> str:
        """Changes with the command, its label and its settings; whether its files changed is not seen."""
        return f"exec:{digest(self.command, self.label, dict(self.config))}"

    def answer(self, question: Question) -> Answer | NoAnswer:
        """What the command prints when it is given the prompt, its settings and the variables, as JSON."""
        given = {"vars": dict(question.vars), "prompt": {"raw": question.prompt}, "repeat": question.repeat}
        settings = {"config": dict(self.config), "label": self.label}
        arguments = [*self.command, question.prompt, _json(settings), _json(given)]
        before = time.perf_counter()
        try:
            ended = run_to_end(arguments, self.folder, self.timeout)
        except subprocess.TimeoutExpired:
            return self._nothing(f"did not end within {self.timeout:g} s")
        except TooMuch:
            return self._nothing(f"printed more than {LARGEST:,} bytes")
        except (OSError, ValueError) as wrong:
            return self._nothing(f"cannot be run: {getattr(wrong, 'strerror', None) or wrong}")
        return self._read(ended, (time.perf_counter() - before) * 1000, question.prompt)

    def _read(self, ended: Ended, latency_ms: float, prompt: str) -> Answer | NoAnswer:
        complaint = self._complaint(ended.complained.decode(errors="replace"), prompt)
        if ended.code != 0:
            return self._nothing(f"ended with {ended.code}{': ' if complaint else ''}{complaint}")
        printed = ended.printed.decode(errors="replace").strip()
        if not printed and complaint:
            return self._nothing(f"printed no answer, but complained: {complaint}")
        return Answer(printed, latency_ms=latency_ms)

    def _complaint(self, said: str, prompt: str) -> str:
        """The end of what the command complained about, unless that repeats what nobody should read."""
        words = " ".join(said.split())
        harmless = may_be_told(words[-2 * _SAID :], prompt, self.keys)  # twice: a key may lie on the cut
        return words[-_SAID:] if harmless else "something that repeats the prompt, or a key"

    def _nothing(self, how: str) -> NoAnswer:
        return NoAnswer(f"the command `{self.command[0]}` {how}")


def fits(source_id: str) -> bool:
    """Whether an id is a command."""
    return source_id.startswith("exec:")


def check(spec: SourceSpec) -> tuple[str, ...]:
    """The words of the command."""
    spec.config.mapping(f"`config` of `{spec.id}`")
    try:
        words = tuple(shlex.split(spec.id.removeprefix("exec:"), posix=os.name != "nt"))
    except ValueError as wrong:
        raise spec.config.wrong(f"`{spec.id}` is not a well-formed command: {wrong}") from wrong
    if not words:
        raise spec.config.wrong("`exec:` wants a command: `exec: python answer.py`")
    return words


def load(spec: SourceSpec, options: SourceOptions) -> Program:
    """The command, run in the battery's folder; its config is its own, and is handed to it as it is."""
    config = spec.config.plain()
    keys = keys_in([options.environment, config])
    return Program(spec.label, check(spec), options.folder, config, options.timeout, options.at_once, keys)


def _json(data: Mapping[str, Any]) -> str:
    return json.dumps(data, default=str)
