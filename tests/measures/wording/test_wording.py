"""Measures of words: what they read, where they point, and what they refuse."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensecheck.checks.gate import Gate
from sensecheck.checks.spec import check_from_data, check_to_data
from sensecheck.core.errors import MissingInput, SpecError
from sensecheck.core.protocols import Measure
from sensecheck.core.reading import Span
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.lexical.bleu import Bleu, SentenceBleu
from sensecheck.measures.lexical.content import ContentF1, Levenshtein, LexicalAggregate
from sensecheck.measures.lexical.rouge import RougeL, RougeN
from sensecheck.measures.lexical.squad import GoldRecall, SquadExactMatch, SquadF1
from sensecheck.measures.usage import Cost, Latency
from sensecheck.measures.wording.json import ContainsJson, IsJson
from sensecheck.measures.wording.text import Contains, Equals, Pattern, StartsWith

ALL: list[Measure] = [
    Contains(("a",), "any", ignore_case=True),
    Equals({"a": [1, None, True]}),
    Equals("a"),
    StartsWith("a"),
    Pattern("(?<x>a)"),
    IsJson({"type": "object"}),
    ContainsJson(),
    Levenshtein("a"),
    RougeN("a", n=2),
    Bleu(("a", "b")),
    SentenceBleu("a"),
    RougeL("a", "recall"),
    SquadExactMatch("a"),
    SquadF1("a"),
    GoldRecall("a"),
    ContentF1("a"),
    LexicalAggregate("a"),
    Latency(),
    Cost(),
]


@pytest.mark.parametrize("measure", ALL, ids=lambda measure: measure.name)
def test_a_measure_is_data_and_back(measure: Measure) -> None:
    assert check_from_data(check_to_data(Gate(measure))) == Gate(measure)


@pytest.mark.parametrize("measure", ALL, ids=lambda measure: measure.name)
@given(answer=st.text(max_size=60))
def test_any_answer_can_be_read_and_what_is_shown_stands_there(measure: Measure, answer: str) -> None:
    sample = Sample(answer, latency_ms=1.0, cost=1.0)
    reading = measure.read(sample, Space())

    assert not measure.needs(sample)
    for span in (item.answer for item in reading.evidence if item.answer is not None):
        assert answer[span.start : span.end] == span.text


def test_contains_reads_the_share_that_is_there() -> None:
    reading = Contains(("one", "two", "ten")).read(Sample("one and two"), Space())

    assert reading.value == pytest.approx(2 / 3)
    assert reading.because == "the answer contains “one”, “two”; the answer does not contain “ten”"


@pytest.mark.parametrize(
    ("answer", "wanted", "start", "end"),
    [
        ("İİİ stop", "STOP", 4, 8),
        ("İ stop İ", "stop i", 2, 8),
        ("a İ b", "İ", 2, 3),
        ("a i\u0307 b", "İ", 2, 4),
        ("ΟΔΟΣ Α", "οδος", 0, 4),
    ],
)
def test_the_span_is_right_where_lower_case_is_longer(answer: str, wanted: str, start: int, end: int) -> None:
    reading = Contains((wanted,), ignore_case=True).read(Sample(answer), Space())

    assert reading.value == 1
    assert reading.evidence[0].answer == Span.of("answer", answer, start, end)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("opening", ["{", '{"', '{"a":', '{"a" '])
def test_many_braces_that_begin_nothing_are_soon_passed_over(opening: str) -> None:
    assert ContainsJson().read(Sample(opening * 3_000 + '{"b": 1}'), Space()).value == 1


@pytest.mark.parametrize("answer", ["NaN", "Infinity", "-Infinity", "[NaN]"])
def test_a_number_that_is_not_finite_is_json_for_nobody(answer: str) -> None:
    wanted = float("inf") if answer == "Infinity" else [1]

    assert Equals(wanted).read(Sample(answer), Space()).because == "the answer is not JSON"
    assert IsJson().read(Sample(answer), Space()).value == 0


def test_a_number_is_the_same_however_it_is_written_and_true_is_no_number() -> None:
    assert Equals([1]).read(Sample("[1.0]"), Space()).value == 1
    assert Equals([1]).read(Sample("[true]"), Space()).value == 0
    assert Equals({"a": 1, "b": 2}).read(Sample('{"b": 2, "a": 1}'), Space()).value == 1


@pytest.mark.parametrize("make", [lambda: Contains(()), lambda: Contains(("a", "")), lambda: StartsWith("")])
def test_a_rule_that_could_never_fail_is_refused(make: object) -> None:
    with pytest.raises(SpecError):
        make()  # type: ignore[operator]


def test_without_an_expected_answer_there_is_nothing_to_compare() -> None:
    for measure in (Levenshtein(), RougeN(), Bleu()):
        with pytest.raises(MissingInput):
            measure.read(Sample("a"), Space())
