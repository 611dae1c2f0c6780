"""Runs as they come out of real batteries, made up quickly and the same every time."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from sensecheck.checks.combine import AllOf
from sensecheck.core.cutoff import Certificate, Cutoff, Rate, at_least, at_most
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.verdict import Verdict, decide
from sensecheck.runs.jsonl import RunFile, RunHeader, result_line
from sensecheck.runs.result import AssertionScore, Result

FINGERPRINT = "minilm:onnx-fp32:9a87554087555c55"
FITTED = Cutoff(
    0.5785,
    "above",
    (0.299, 0.5785),
    Certificate(
        "begin+squad2#65cd1e252288 (grounded)",
        FINGERPRINT,
        "exact",
        "false accepts <= 15% with 95% confidence",
        Rate(0.1165, 0.0761, 0.1684, 206),
    ),
)
TOPICS = (
    ("the museum", "The museum opens at 9:00 and closes at 17:00.", "On Mondays it stays closed."),
    ("the library card", "A library card costs 12 euros a year.", "Students of the city pay nothing 📚."),
    ("refunds", "A ticket is refunded within 14 days of purchase.", "Fees for payment are not refunded."),
    ("parcels", "Parcels of up to 20 kg are sent for 6.90 euros.", "Each parcel is insured up to 500 euros."),
    ("the ferry", "The ferry takes 35 minutes to the island.", "Bicycles travel for free on weekdays 🚲."),
    ("passports", "A passport is ready after six weeks.", "An express passport costs 32 euros more."),
)


def write_run(path: Path, results: Iterable[Result], *, sources: Sequence[str], tests: int) -> RunFile:
    """A run in a file, as a run leaves it behind."""
    held = list(results)
    header = RunHeader(
        battery="city-desk.battery.yaml",
        digest="5f1c9a0b7d21e8c4",
        sensecheck="0.1.0",
        encoder="minilm",
        sources=tuple(sources),
        wordings=("short",),
        tests=tests,
        cells=len(held),
        description="City desk: what callers ask every day",
    )
    with path.open("w", encoding="utf-8") as file:
        file.write(header.to_line())
        file.writelines(map(result_line, held))
    return RunFile.open(path)


def made_run(path: Path, tests: int, *, sources: Sequence[str] = ("small-model", "large-model")) -> RunFile:
    """A run of so many tests, every seventh of which was run three times."""
    results = (
        result
        for number in range(1, tests + 1)
        for at, source in enumerate(sources)
        for result in made_results(number, source, Random(1000 * number + at))
    )
    return write_run(path, results, sources=sources, tests=tests)


def made_results(number: int, source: str, chance: Random) -> Iterator[Result]:
    """What came of one test from one source."""
    runs = 3 if number % 7 == 0 else 1
    for repeat in range(1, runs + 1):
        one = _result(number, source, chance)
        yield replace(one, repeat=repeat, runs=runs, passes=2 if runs == 3 else 1)


def _result(number: int, source: str, chance: Random) -> Result:
    name, first, second = TOPICS[number % len(TOPICS)]
    question = f"What should a caller know about {name}?"
    bare = Result(
        test=number,
        key=f"t{number:05}",
        description=f"Callers ask about {name}, {number}",
        vars={"topic": name, "expected": f"{first} {second}", "tags": ["desk", number]},
        prompt=f"You answer calls to the city desk. Be brief.\n\n{question}",
        wording="short",
        source=source,
        verdict=Verdict("test", "error", "the source gave no answer: the endpoint answered 503 four times"),
        scores=(),
        place=f"city-desk.battery.yaml:{10 * number}:5",
    )
    if chance.random() < 0.03:
        return bare
    answer, wrong = _answer(first, second, chance)
    return judged(bare, answer, f"{first} {second}", wrong, chance)


def _answer(first: str, second: str, chance: Random) -> tuple[str, tuple[int, int] | None]:
    """An answer, and where a number in it was changed."""
    opening = chance.choice(("", "Sure! 😀 ", "Thanks for asking. ", "🏳️‍🌈 Hello. "))
    told = opening + first
    digits = [at for at, char in enumerate(told) if char.isdigit()]
    if digits and chance.random() < 0.25:
        at = digits[0]
        return f"{told[:at]}8{told[at + 1 :]} {second}", (at, at + 1)
    return f"{told} {second}" if chance.random() < 0.8 else f"{told} Ask at the desk.", None


def judged(bare: Result, answer: str, expected: str, wrong: tuple[int, int] | None, chance: Random) -> Result:
    """The result with an answer and the verdicts of four assertions."""
    parts = (
        _contains(answer),
        _means(answer, expected, wrong, chance),
        _grounded(answer, expected, wrong, chance),
        _circling(answer, chance),
    )
    whole = AllOf.of("test", parts)
    worth = {"pass": 1.0, "fail": 0.0}
    types = (
        ("icontains", "", "e"),
        ("means", "accuracy", expected),
        ("grounded", "accuracy", ""),
        ("reasoning-loop", "style", ""),
    )
    scores = tuple(
        AssertionScore(kind, worth.get(part.outcome), metric=metric, wanted=wanted)
        for (kind, metric, wanted), part in zip(types, parts, strict=True)
    )
    told = [score.score for score in scores if score.score is not None]
    reading = Reading(sum(told) / len(told), "the mean of the assertions")
    return replace(
        bare,
        answer=answer,
        verdict=replace(whole, reading=reading),
        scores=scores,
        latency_ms=round(chance.uniform(180, 2400), 1),
        cost=round(chance.uniform(0.0001, 0.002), 6),
    )


def _contains(answer: str) -> Verdict:
    at = answer.find("e")
    found = (Evidence("found", Span.of("answer", answer, at, at + 1)),) if at >= 0 else ()
    return decide("icontains", Reading(float(at >= 0), "`e` is there", found), at_least(1.0), None)


def _means(answer: str, expected: str, wrong: tuple[int, int] | None, chance: Random) -> Verdict:
    near = chance.betavariate(9, 3)
    pair = Evidence("nearest", Span.of("answer", answer), Span.of("expected", expected), near)
    close = Reading(
        near, f"the answer's similarity to the expected one is {near:.3f}", (pair,), unread(answer)
    )
    facts = Reading(1.0, "no fact differs")
    if wrong is not None:
        mine = Span.of("answer", answer, *wrong)
        digit = next(at for at, char in enumerate(expected) if char.isdigit())
        theirs = Span.of("expected", expected, digit, digit + 1)
        note = f"`{mine.text}` instead of `{theirs.text}`"
        facts = Reading(0.5, f"1 of 2 facts differ: {note}", (Evidence("number", mine, theirs, note=note),))
    gates = (
        decide("similarity", close, at_least(0.6, doubt=(0.5, 0.7)), FINGERPRINT),
        decide("fact_agreement", facts, at_least(1.0), None),
    )
    return AllOf.of("means", gates)


def _grounded(answer: str, passage: str, wrong: tuple[int, int] | None, chance: Random) -> Verdict:
    middle = answer.index(". ") + 1 if ". " in answer else len(answer)
    claims = tuple(
        _claim(answer, start, end, passage, wrong, chance)
        for start, end in ((0, middle), (middle + 1, len(answer)))
        if start < end
    )
    worst = min(claims, key=lambda claim: claim.reading.value if claim.reading else 0.0)
    value = worst.reading.value if worst.reading else 0.0
    reading = Reading(value, f"the worst of its {len(claims)} claims: {worst.because}")
    return replace(decide("grounded", reading, FITTED, FINGERPRINT), parts=claims)


def _claim(
    answer: str, start: int, end: int, passage: str, wrong: tuple[int, int] | None, chance: Random
) -> Verdict:
    near = chance.betavariate(8, 3)
    middle = passage.index(". ") + 1
    mine = Span.of("answer", answer, start, end)
    evidence = [Evidence("nearest", mine, Span.of("passages[0]", passage, 0, middle), near)]
    value, because = min(1.0, near + 0.15), f"the nearest sentence lies at {near:.3f}"
    if wrong is not None and start <= wrong[0] < end:
        value, because = 0.18, "a number is not in the passages"
        evidence.append(
            Evidence("novel_term", Span.of("answer", answer, *wrong), note="is not in the passages:")
        )
    return decide("claim", Reading(value, because, tuple(evidence)), FITTED, FINGERPRINT)


def _circling(answer: str, chance: Random) -> Verdict:
    value = chance.betavariate(2, 9)
    reading = Reading(value, f"the nearest two sentences lie at {value:.3f}", (), unread(answer))
    return decide("circling", reading, at_most(0.5), FINGERPRINT)


def unread(answer: str) -> int:
    """Characters outside the basic plane, which small models do not know."""
    return sum(char > "\uffff" for char in answer)
