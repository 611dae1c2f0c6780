"""A battery from its file to its results, in this process."""

from functools import partial
from pathlib import Path

from sensecheck.batteries.plan import Plan, TestFilter
from sensecheck.batteries.reader import read_battery
from sensecheck.batteries.trials import run_trials
from sensecheck.runs.result import Result
from sensecheck.sense import Sense
from sensecheck.sources.loading import SourceOptions, connect


def results_of(path: Path, sense: Sense) -> list[Result]:
    """Everything that comes of a battery, in the order of the run."""
    battery = read_battery(path, environment={})
    options = SourceOptions(battery.folder, battery.environment, timeout=30.0, retries=0, concurrency=2)
    sources = connect(battery.sources, options, cache_file=None, run="")
    return list(run_trials(Plan.of(battery, TestFilter()), sources, partial(sense.judge_each, batch_size=64)))
