"""A run of a suite as CI shows it: as JUnit XML, one case per test, and as a short summary in Markdown.

No text of a test can become markup in either.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from sensecheck.core.verdict import Verdict
from sensecheck.runs.jsonl import RunFile
from sensecheck.runs.tally import (
    LONGEST,
    OUTCOMES,
    Mean,
    Summary,
    Summed,
    TestOutcome,
    outcomes_by_test,
    title,
)
from sensecheck.text.escaping import counted, cut, plain
from sensecheck.text.markup import Markup, escape, tag, together

MAX_OUTPUT_CHARS, MAX_ANSWER_CHARS, MAX_MESSAGE_CHARS = 20_000, 4_000, 500
"""Of a case of JUnit."""
MAX_TESTS, MAX_ROWS = 200, 50
"""Of a summary in Markdown."""
MAX_REASON_CHARS, MAX_QUOTE_CHARS, MAX_NAME_CHARS = 300, 200, 60


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


def markdown_pieces(run: RunFile) -> Iterator[str]:
    """Totals, sources, metrics, and the tests that did not pass with their reasons."""
    summed = Summed.of(run)
    tally = summed.whole.tally
    yield f"## {_verdict(summed)} {plain(run.header.battery, MAX_NAME_CHARS)}\n\n"
    if summed.interrupted:
        yield f"**{summed.interrupted}**\n\n"
    yield f"{_counts(summed.whole)}.\n"
    if tally.inconsistent:
        yield f"{tally.inconsistent} came out differently from repeat to repeat.\n"
    yield "\n"
    yield from _sources(summed)
    yield from _metrics(summed)
    yield from _not_passed(run, summed)
    header = run.header
    yield f"Judged by sensecheck {plain(header.sensecheck, MAX_NAME_CHARS)} with the encoder "
    yield f"{plain(header.encoder, MAX_NAME_CHARS)}.\n"


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
    for test in outcomes_by_test(result for result in run.results() if result.source == source):
        wording = f" [{test.first.wording}]" if many else ""
        case_name = title(test.first) + wording
        names[case_name] += 1
        suffix = f" #{names[case_name]}" if names[case_name] > 1 else ""
        yield _case(test, case_name + suffix, name) + "\n"
    yield "</testsuite>\n"


def _case(test: TestOutcome, name: str, suite: str) -> Markup:
    milliseconds = sum(result.latency_ms or 0.0 for result in test.results)
    children = [problem] if (problem := _problem(test)) else []
    children.append(tag("system-out", escape(_output(test))))
    file = cut(test.first.place.rsplit(":", 2)[0], MAX_MESSAGE_CHARS) or None
    return tag(
        "testcase", together(children), name=name, classname=suite, file=file, time=_seconds(milliseconds)
    )


def _problem(test: TestOutcome) -> Markup | None:
    """What kept a test from passing; an error has its own element, since it says nothing of the answer."""
    outcome, because = test.outcome, test.deciding.verdict.because
    if outcome == "pass":
        return None
    message = f"{test.consistency}: {because}" if test.consistency else because
    text = escape(cut(message, MAX_OUTPUT_CHARS))
    return tag(
        "error" if outcome == "error" else "failure",
        text,
        message=cut(" ".join(message.split()), MAX_MESSAGE_CHARS),
        type=outcome,
    )


def _output(test: TestOutcome) -> str:
    """The verdicts in words, with the answers."""
    blocks = []
    for result in test.results:
        head = f"run {result.repeat} of {result.runs}\n" if len(test.results) > 1 else ""
        place = f"{result.place}\n" if result.place else ""
        answer = "no answer" if result.answer is None else f"answer: {cut(result.answer, MAX_ANSWER_CHARS)}"
        explained = "\n".join(_explained(result.verdict))
        blocks.append(f"{head}{place}{explained}\n{answer}")
    return cut("\n\n".join(blocks), MAX_OUTPUT_CHARS)


def _explained(verdict: Verdict) -> Iterator[str]:
    """The verdict in words; what a `not-` turned round has no outcome: who looks for `FAIL` finds fails."""
    yield from replace(verdict, parts=()).explain().split("\n")
    for part in verdict.parts:
        if _is_opposite(verdict, part):
            first, *more = replace(part, parts=()).explain().split("\n")
            lines: Iterable[str] = (f"turned round: {first.partition(' ')[2]}", *more)
        else:
            lines = _explained(part)
        yield from (f"  {line}" for line in lines)


def _is_opposite(verdict: Verdict, part: Verdict) -> bool:
    """Whether a verdict is that of its only part, turned round; one that has a score is not."""
    outcomes = {verdict.outcome, part.outcome}
    return len(verdict.parts) == 1 and outcomes == {"pass", "fail"} and verdict.reading is None


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


def _verdict(summed: Summed) -> str:
    outcomes = summed.whole.tally.outcomes
    if outcomes["error"] or summed.interrupted:
        return "⚠️ not judged in full:"
    return "✅ passed:" if outcomes["pass"] == summed.whole.tally.total else "❌ failed:"


def _counts(summary: Summary) -> str:
    tally = summary.tally
    counts = ", ".join(f"{tally.outcomes[word]} {word}" for word in OUTCOMES if tally.outcomes[word])
    return f"{counted(tally.total, 'test')}: {counts or 'nothing was run'} ({tally.pass_rate:.1%} passed)"


def _sources(summed: Summed) -> Iterator[str]:
    if len(summed.sources) < 2:
        return
    yield "| source | tests | pass | fail | unsure | error | passed | mean score |\n"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|\n"
    for source, summary in list(summed.sources.items())[:MAX_ROWS]:
        tally = summary.tally
        counts = " | ".join(str(tally.outcomes[word]) for word in ("pass", "fail", "unsure", "error"))
        named = plain(source, MAX_NAME_CHARS)
        yield f"| {named} | {tally.total} | {counts} | {tally.pass_rate:.1%} | {_mean(summary.score)} |\n"
    yield f"{_more(len(summed.sources) - MAX_ROWS, 'sources')}\n"


def _metrics(summed: Summed) -> Iterator[str]:
    metrics = summed.whole.metrics
    if not metrics:
        return
    yield "| metric | mean score | scores |\n|---|--:|--:|\n"
    for name, mean in list(metrics.items())[:MAX_ROWS]:
        yield f"| {plain(name, MAX_NAME_CHARS)} | {_mean(mean)} | {mean.n} |\n"
    yield f"{_more(len(metrics) - MAX_ROWS, 'metrics')}\n"


def _not_passed(run: RunFile, summed: Summed) -> Iterator[str]:
    """The first tests that did not pass, and a count of the others."""
    count = summed.whole.tally.total - summed.whole.tally.outcomes["pass"]
    if not count:
        return
    yield "| | test | source | why | answer |\n|---|---|---|---|---|\n"
    failing = (test for test in outcomes_by_test(run.results()) if test.outcome != "pass")
    many = len(summed.wordings) > 1
    for test, _ in zip(failing, range(MAX_TESTS), strict=False):
        yield _test_row(test, many=many)
    yield f"{_more(count - MAX_TESTS, 'tests that did not pass')}\n"


def _test_row(test: TestOutcome, *, many: bool) -> str:
    deciding = test.deciding
    wording = f" · {plain(deciding.wording, MAX_NAME_CHARS)}" if many else ""
    outcome = f"**{test.outcome}**" + (f" ({test.consistency})" if test.consistency else "")
    why = plain(deciding.verdict.because, MAX_REASON_CHARS)
    answer = "" if deciding.answer is None else plain(deciding.answer, MAX_QUOTE_CHARS)
    named = f"{deciding.test}. {plain(title(deciding), MAX_QUOTE_CHARS)}{wording}"
    return f"| {outcome} | {named} | {plain(deciding.source, MAX_NAME_CHARS)} | {why} | {answer} |\n"


def _more(count: int, what: str) -> str:
    return f"\nand {count} more {what}.\n" if count > 0 else ""


def _mean(mean: Mean) -> str:
    return "" if mean.value is None else f"{mean.value:.3f}"
