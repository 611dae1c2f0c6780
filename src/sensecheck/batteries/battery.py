"""Tests with what is asked of their answers, and where those answers come from."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sensecheck.checks.weighted import Scored
from sensecheck.core.errors import SpecError
from sensecheck.documents.node import Place
from sensecheck.sources.source import SourceSpec


@dataclass(frozen=True, slots=True)
class PromptTemplate:
    """A prompt with places for a test's variables."""

    raw: str
    label: str


@dataclass(frozen=True, slots=True)
class Repeat:
    """How often a test is run, and how many of these runs must pass."""

    runs: int = 1
    passes: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.passes <= self.runs:
            raise SpecError(f"`repeat` must have from 1 to {self.runs} passes; got {self.passes}")


ONCE = Repeat()
OWN_PROMPT = PromptTemplate("", "")
"""For a battery without prompts: what is asked stands in the test."""


@dataclass(frozen=True, slots=True)
class BatteryTest:
    """One thing to ask of the system under test, and what is asked of its answer."""

    number: int
    """Its place in the battery, from one."""
    key: str
    """The same from run to run, as long as its description and variables are."""
    description: str
    vars: Mapping[str, Any]
    check: Scored
    """Complete: its texts have the variables put in."""
    types: tuple[str, ...]
    """What each part of the check is called in the file: `contains`, `not-similar`, …"""
    place: Place
    repeat: Repeat | None = None
    recorded: str | None = None
    """The answer that stands in the file itself; no source is asked."""
    sources: tuple[str, ...] | None = None
    """The labels of the sources that are asked; None for all."""
    prompts: tuple[str, ...] | None = None
    """The labels of the prompts that are used; None for all."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    prefix: str = ""
    """Stands before the prompt, whichever it is."""
    suffix: str = ""


@dataclass(frozen=True, slots=True)
class Battery:
    """What a battery file says; its tests are read anew, one by one, whenever they are gone through."""

    path: Path
    description: str
    prompts: tuple[PromptTemplate, ...]
    sources: tuple[SourceSpec, ...]
    read_tests: Callable[[], Iterator[BatteryTest]] = field(repr=False)
    digest: str
    """Of the file and of every file that it names: a run is resumed only with the same."""
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    """What `env` stands for in its templates: the given environment, and over it the file's own `env`."""
    concurrency: int | None = None
    """How many questions are asked at the same time, if the file says so."""
    reports: tuple[Path, ...] = ()
    """Files that its results are written to, as `outputPath` names them."""

    @property
    def folder(self) -> Path:
        """Where the file's own paths begin."""
        return self.path.parent
