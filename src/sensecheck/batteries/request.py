"""What is asked of a battery: which of its tests, who answers, how it is judged, which reports are made."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from sensecheck.batteries.battery import Battery
from sensecheck.batteries.plan import FailedTests, TestFilter, answered_by, recorded_sources
from sensecheck.batteries.reader import read_battery
from sensecheck.config import Settings, card_library, variables
from sensecheck.core.errors import SpecError
from sensecheck.runs.export import suffix_of
from sensecheck.runs.jsonl import RunFile, RunFolder

BATTERY_NAMES = ("*.battery.yaml", "*.battery.yml", "promptfooconfig.yaml", "promptfooconfig.yml")
"""What files of batteries are usually called."""
BATTERY_PLACEHOLDER = "{battery}"
"""Stands for the name of the battery in the name of a report."""


@dataclass(frozen=True, kw_only=True, slots=True)
class BatteryRequest:
    """A battery to run, and how."""

    battery: Path | str
    """Its file."""
    tests: TestFilter = field(default_factory=TestFilter)
    """Which of its tests are run, and how often."""
    only_failed: Path | str | None = None
    """Only tests that did not pass in an earlier run: its number, `latest`, or its file."""
    answers: Path | str | None = None
    """A file of answers to judge, in place of the battery's own sources."""
    concurrency: int | None = None
    """Questions asked at the same time; None for what the battery says, else 4."""
    cached: bool = True
    """Whether answers are stored, to be found again when the run is resumed."""
    second_opinion: bool = False
    """Whether the judge of the settings is asked about what stays unsure."""
    require_calibrated: bool = False
    """Whether a threshold that was not fitted is an error."""
    pass_rate: float | None = None
    """The share of tests that must pass; None for all."""
    resume: str | None = None
    """A run that was interrupted and is continued: its number, or `latest`."""
    reports: Sequence[Path | str] = ()
    """Files to write; their endings say in which form. `{battery}` in a name stands for the battery's."""
    settings: Settings = field(default_factory=Settings.from_environment)

    def validate(self) -> None:
        """Raise unless it can be done; reports in particular, before anything is paid for."""
        if self.pass_rate is not None and not 0 <= self.pass_rate <= 1:
            raise SpecError(f"`pass_rate` must be a share from 0 to 1; got {self.pass_rate}")
        if self.concurrency is not None and self.concurrency < 1:
            raise SpecError(f"`concurrency` must be 1 or more; got {self.concurrency}")
        if self.second_opinion and not self.settings.judge:
            raise SpecError("`second_opinion` needs a judge; name one in the settings")
        for path in self.report_files():
            suffix_of(path)
            _require_writable(path)

    def report_files(self) -> list[Path]:
        """Where its reports are written to."""
        name = Path(self.battery).stem
        paths = map(Path, self.reports)
        return [path.with_name(path.name.replace(BATTERY_PLACEHOLDER, name)) for path in paths]

    def read_battery(self) -> Battery:
        """The battery with its sources of answers; no model is loaded, and nothing is asked."""
        path, cards = Path(self.battery), card_library(self.settings)
        battery = read_battery(path, environment=variables(), library=cards)
        return battery if self.answers is None else answered_by(battery, recorded_sources(Path(self.answers)))

    def test_filter(self) -> TestFilter:
        """Which tests are run, with those that failed in the earlier run."""
        if self.only_failed is None:
            return self.tests
        path = RunFolder(self.settings.runs_folder()).find(str(self.only_failed))
        return replace(self.tests, failed=FailedTests.of(RunFile.open(path)))


def batteries_in(folder: Path) -> list[Path]:
    """The batteries of a folder, by their usual names; none is an error."""
    paths = [path for name in BATTERY_NAMES for path in sorted(folder.glob(name))]
    if not paths:
        names = ", ".join(f"`{name}`" for name in BATTERY_NAMES)
        raise SpecError(f"no battery was named, and this folder has none; looked for {names}")
    return paths


def validate_requests(requests: Sequence[BatteryRequest]) -> None:
    """Raise unless each can be done, and no two of them write to the same file."""
    request_by_path: dict[str, BatteryRequest] = {}
    for request in requests:
        request.validate()
        if len(requests) > 1 and request.resume is not None:
            raise SpecError("`resume` continues one run; name one battery")
        for report, path in zip(request.reports, request.report_files(), strict=True):
            if len(requests) > 1 and BATTERY_PLACEHOLDER not in Path(report).name:
                raise SpecError(
                    f"`{report}` would be written once for each battery; put `{BATTERY_PLACEHOLDER}` into "
                    "its name"
                )
            other = request_by_path.setdefault(str(path).casefold(), request)
            if other is not request:
                raise SpecError(
                    f"`{other.battery}` and `{request.battery}` would both be written to `{path}`; rename "
                    "one of them, or run one at a time"
                )


def _require_writable(path: Path) -> None:
    """A report is written to a temporary file of the same folder, so it is the folder that must allow it."""
    try:
        if path.is_dir():
            raise SpecError(f"`{path}` is a folder; a report must be a file")
        folder = next(parent for parent in path.absolute().parents if parent.exists())
    except OSError as error:
        raise SpecError(f"`{path}` cannot be written: {error.strerror or error}") from error
    if not folder.is_dir():
        raise SpecError(f"`{path}` cannot be written: `{folder}` is no folder")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise SpecError(f"`{path}` cannot be written: the folder `{folder}` does not allow it")
