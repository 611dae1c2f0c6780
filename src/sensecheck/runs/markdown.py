"""A run as Markdown: the summary of a CI job, bounded, in which no text can become markup."""

from collections.abc import Iterator

from sensecheck.runs.jsonl import RunFile
from sensecheck.runs.tally import OUTCOMES, Mean, Summary, Summed, TestOutcome, outcomes_by_test, title
from sensecheck.text.escaping import plain

MOST_TESTS = 200
MOST_ROWS = 50
LONGEST_REASON = 300
LONGEST_ANSWER = 200
LONGEST_NAME = 60


def markdown_pieces(run: RunFile) -> Iterator[str]:
    """Totals, sources, metrics, and the tests that did not pass with their reasons."""
    summed = Summed.of(run)
    tally = summed.whole.tally
    yield f"## {_verdict(summed)} {plain(run.header.battery, LONGEST_NAME)}\n\n"
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
    yield f"Judged by sensecheck {plain(header.sensecheck, LONGEST_NAME)} with the encoder "
    yield f"{plain(header.encoder, LONGEST_NAME)}.\n"


def _verdict(summed: Summed) -> str:
    outcomes = summed.whole.tally.outcomes
    if outcomes["error"] or summed.interrupted:
        return "⚠️ not judged in full:"
    return "✅ passed:" if outcomes["pass"] == summed.whole.tally.total else "❌ failed:"


def _counts(summary: Summary) -> str:
    tally = summary.tally
    counts = ", ".join(f"{tally.outcomes[word]} {word}" for word in OUTCOMES if tally.outcomes[word])
    noun = "test" if tally.total == 1 else "tests"
    return f"{tally.total} {noun}: {counts or 'nothing was run'} ({tally.pass_rate:.1%} passed)"


def _sources(summed: Summed) -> Iterator[str]:
    if len(summed.sources) < 2:
        return
    yield "| source | tests | pass | fail | unsure | error | passed | mean score |\n"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|\n"
    for source, summary in list(summed.sources.items())[:MOST_ROWS]:
        tally = summary.tally
        counts = " | ".join(str(tally.outcomes[word]) for word in ("pass", "fail", "unsure", "error"))
        named = plain(source, LONGEST_NAME)
        yield f"| {named} | {tally.total} | {counts} | {tally.pass_rate:.1%} | {_mean(summary.score)} |\n"
    yield f"{_more(len(summed.sources) - MOST_ROWS, 'sources')}\n"


def _metrics(summed: Summed) -> Iterator[str]:
    metrics = summed.whole.metrics
    if not metrics:
        return
    yield "| metric | mean score | scores |\n|---|--:|--:|\n"
    for name, mean in list(metrics.items())[:MOST_ROWS]:
        yield f"| {plain(name, LONGEST_NAME)} | {_mean(mean)} | {mean.n} |\n"
    yield f"{_more(len(metrics) - MOST_ROWS, 'metrics')}\n"


def _not_passed(run: RunFile, summed: Summed) -> Iterator[str]:
    """The first so many tests that did not pass; how many more there are is said."""
    count = summed.whole.tally.total - summed.whole.tally.outcomes["pass"]
    if not count:
        return
    yield "| | test | source | why | answer |\n|---|---|---|---|---|\n"
    failing = (one for one in outcomes_by_test(run.results()) if one.outcome != "pass")
    many = len(summed.wordings) > 1
    for one, _ in zip(failing, range(MOST_TESTS), strict=False):
        yield _test_row(one, many=many)
    yield f"{_more(count - MOST_TESTS, 'tests that did not pass')}\n"


def _test_row(one: TestOutcome, *, many: bool) -> str:
    deciding = one.deciding
    wording = f" · {plain(deciding.wording, LONGEST_NAME)}" if many else ""
    outcome = f"**{one.outcome}**" + (f" ({one.consistency})" if one.consistency else "")
    why = plain(deciding.verdict.because, LONGEST_REASON)
    answer = "" if deciding.answer is None else plain(deciding.answer, LONGEST_ANSWER)
    named = f"{deciding.test}. {plain(title(deciding), LONGEST_ANSWER)}{wording}"
    return f"| {outcome} | {named} | {plain(deciding.source, LONGEST_NAME)} | {why} | {answer} |\n"


def _more(count: int, what: str) -> str:
    return f"\nand {count} more {what}.\n" if count > 0 else ""


def _mean(mean: Mean) -> str:
    return "" if mean.value is None else f"{mean.value:.3f}"
