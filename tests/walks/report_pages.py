"""Reports to look at: of results that are written by hand, or of many that are made up."""

from pathlib import Path

from sensecheck.core.cutoff import at_least
from sensecheck.core.reading import Evidence, Reading
from sensecheck.core.verdict import Verdict, decide
from sensecheck.runs.battery_page import write_html
from sensecheck.runs.result import AssertionScore, Result
from tests.runs.page_runs import made_run, write_run


def lone(answer: str, *evidence: Evidence) -> Result:
    part = decide("contains", Reading(0.4, "it is not there", evidence), at_least(0.5), None)
    whole = Verdict("test", "fail", "it is not there", Reading(0.4, "the score is 0.400"), parts=(part,))
    return Result(
        1,
        "t1",
        answer,
        {"said": answer},
        answer,
        "",
        "one",
        whole,
        (AssertionScore("contains", 0.4),),
        answer,
    )


def page_of(folder: Path, *results: Result) -> Path:
    run = write_run(folder / "run.jsonl", results, sources=("one",), tests=len(results))
    write_html(run, folder / "report.html")
    return folder / "report.html"


def report_of(folder: Path, tests: int) -> Path:
    """The report of so many tests that are made up, each asked of two sources."""
    write_html(made_run(folder / "run.jsonl", tests), folder / "report.html")
    return folder / "report.html"
