"""A run as JUnit XML, which CI servers show: a suite a source, a case a test."""

from collections import Counter
from collections.abc import Iterator

from sensecheck.runs.jsonl import RunFile
from sensecheck.runs.tally import LONGEST, Summary, Summed, TestOutcome, outcomes_by_test, title
from sensecheck.text.escaping import cut
from sensecheck.text.markup import Markup, escape, tag, together

LONGEST_OUTPUT = 20_000
LONGEST_ANSWER = 4_000
LONGEST_MESSAGE = 500


def junit_pieces(run: RunFile) -> Iterator[str]:
    """The file, piece by piece; the run is gone through once a source, since suites do not overlap."""
    summed = Summed.of(run)
    tally, missing = summed.whole.tally, summed.interrupted
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield _opening(
        "testsuites",
        name=run.header.battery,
        tests=str(tally.total + bool(missing)),
        failures=str(_failures(summed.whole)),
        errors=str(tally.outcomes["error"] + bool(missing)),
        time=_seconds(summed.whole.latency_ms.total),
    )
    for source, summary in summed.sources.items():
        yield from _suite(run, source, summary, many=len(summed.wordings) > 1)
    if missing:
        yield _interrupted(run.header.battery, missing)
    yield "</testsuites>\n"


def _suite(run: RunFile, source: str, summary: Summary, *, many: bool) -> Iterator[str]:
    """The tests that one source answered."""
    name = f"{run.header.battery} · {cut(source, LONGEST)}"
    yield _opening(
        "testsuite",
        name=name,
        tests=str(summary.tally.total),
        failures=str(_failures(summary)),
        errors=str(summary.tally.outcomes["error"]),
        skipped="0",
        time=_seconds(summary.latency_ms.total),
    )
    names: Counter[str] = Counter()
    for one in outcomes_by_test(result for result in run.results() if result.source == source):
        wording = f" [{one.first.wording}]" if many else ""
        called = title(one.first) + wording
        names[called] += 1
        again = f" #{names[called]}" if names[called] > 1 else ""
        yield _case(one, called + again, name) + "\n"
    yield "</testsuite>\n"


def _case(one: TestOutcome, name: str, suite: str) -> Markup:
    milliseconds = sum(result.latency_ms or 0.0 for result in one.results)
    inside = [problem] if (problem := _problem(one)) else []
    inside.append(tag("system-out", escape(_output(one))))
    file = cut(one.first.place.rsplit(":", 2)[0], LONGEST_MESSAGE) or None
    return tag(
        "testcase", together(inside), name=name, classname=suite, file=file, time=_seconds(milliseconds)
    )


def _problem(one: TestOutcome) -> Markup | None:
    """What kept a test from passing; an error has its own element, since it says nothing of the answer."""
    outcome, because = one.outcome, one.deciding.verdict.because
    if outcome == "pass":
        return None
    shown = f"{one.consistency}: {because}" if one.consistency else because
    text = escape(cut(shown, LONGEST_OUTPUT))
    return tag(
        "error" if outcome == "error" else "failure",
        text,
        message=cut(" ".join(shown.split()), LONGEST_MESSAGE),
        type=outcome,
    )


def _output(one: TestOutcome) -> str:
    """The verdicts in words, with the answers."""
    blocks = []
    for result in one.results:
        head = f"run {result.repeat} of {result.runs}\n" if len(one.results) > 1 else ""
        place = f"{result.place}\n" if result.place else ""
        answer = "no answer" if result.answer is None else f"answer: {cut(result.answer, LONGEST_ANSWER)}"
        blocks.append(f"{head}{place}{result.verdict.explain()}\n{answer}")
    return cut("\n\n".join(blocks), LONGEST_OUTPUT)


def _interrupted(battery: str, missing: str) -> str:
    """A suite of one error, so that half a run is never green."""
    case = tag(
        "testcase", tag("error", escape(missing), message=missing, type="error"), name=missing, time="0"
    )
    opening = _opening("testsuite", name=battery, tests="1", failures="0", errors="1", skipped="0", time="0")
    return f"{opening}{case}\n</testsuite>\n"


def _opening(name: str, /, **attributes: str) -> str:
    return tag(name, **attributes).removesuffix(f"</{name}>") + "\n"


def _failures(summary: Summary) -> int:
    outcomes = summary.tally.outcomes
    return summary.tally.total - outcomes["pass"] - outcomes["error"]


def _seconds(milliseconds: float) -> str:
    return f"{milliseconds / 1000:.3f}"
