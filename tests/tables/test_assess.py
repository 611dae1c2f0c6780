"""A table is assessed as single answers are, row by row, and nothing in it is ever NaN."""

import io
import math
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pytest

from sensecheck.checks.assess import assess
from sensecheck.checks.spec import check_from_data, check_to_data
from sensecheck.core.backends import Backends, Embedding, Encoder, GivenUp
from sensecheck.core.errors import EncoderError, SpecError, Unreachable
from sensecheck.core.needs import Prompt
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.encoders.wrappers import EncoderWrapper
from sensecheck.evaluation.scorer import NamedEncoder, Panel
from sensecheck.measures.metrics import CONTEXT, JUDGED, STANDARD, metrics_named
from sensecheck.tables.assess import assess_table
from sensecheck.tables.order import TableOrder, result_fields
from tests.conftest import Counting
from tests.scorers import CountingScorer
from tests.tables.pairs import COLUMNS, ODD, ROWS, order_of, samples_of, table_of

METRICS = (*STANDARD, *CONTEXT)
CHECKS = tuple(
    check_to_data(check_from_data(one))
    for one in ({"kind": "means", "policy": "similarity"}, {"kind": "keeps_facts"})
)
ONE = {"answer": "In 1932.", "expected": "It opened in 1932."}
HASHING = Backends(HashingEncoder())


@pytest.fixture(scope="module")
def assessed(minilm: Encoder) -> list[dict[str, Any]]:
    """All rows by all metrics that nobody must be asked for, and by two checks."""
    order = order_of(*METRICS, checks=CHECKS)
    found: list[dict[str, Any]] = assess_table(table_of(), order, Backends(minilm)).to_pylist()
    return found


def test_every_row_reads_as_the_panel_reads_it(minilm: Encoder, assessed: list[dict[str, Any]]) -> None:
    panel = Panel(metrics_named(METRICS), (NamedEncoder("minilm", minilm),))
    readings = panel.read_each(samples_of())

    for row, read in zip(assessed, readings, strict=True):
        told = {one.metric: one.value for one in read}
        assert {name: row[name] for name in METRICS} == pytest.approx(dict.fromkeys(METRICS) | told, abs=1e-5)
        for one in read:
            assert one.error is None or f"{one.metric}: " in row["reason"]


def test_every_row_is_decided_as_assess_decides_it(minilm: Encoder, assessed: list[dict[str, Any]]) -> None:
    checks = [check_from_data(one) for one in CHECKS]
    cases = [(sample, check) for sample in samples_of() for check in checks]
    verdicts = iter(assess(cases, Backends(minilm)))

    for row in assessed:
        for check in checks:
            verdict = next(verdicts)
            assert row[check.name] == verdict.outcome
            value = None if verdict.reading is None else verdict.reading.value
            assert row[f"{check.name}_value"] == pytest.approx(value, abs=1e-5)
            assert verdict.outcome != "error" or row["status"] == "error"


def test_a_number_is_finite_or_absent_and_an_error_has_its_reason(assessed: list[dict[str, Any]]) -> None:
    values = [row[name] for row in assessed for name in METRICS]

    assert all(value is None or math.isfinite(value) for value in values)
    assert {row["status"] for row in assessed} == {"ok", "error"}
    assert all((row["status"] == "error") == (row["reason"] is not None) for row in assessed)
    assert sum(row["status"] == "error" for row in assessed) < len(ODD) + 1
    assert all(len(row["reason"] or "") <= 500 for row in assessed)


def test_the_rows_and_columns_of_the_input_stay_as_they_are() -> None:
    table = table_of().append_column("shade", pa.array(range(len(ROWS)), pa.int16()))
    order = order_of("bleu", "semantic_similarity")
    found = assess_table(table, order, HASHING)

    assert found.select(table.column_names).equals(table)
    assert found.schema.names == [*table.column_names, *(field.name for field in result_fields(order))]


def test_an_empty_table_has_the_same_types_as_a_full_one() -> None:
    order = order_of("bleu", "semantic_similarity", checks=CHECKS)
    empty, full = (assess_table(one, order, HASHING) for one in (table_of([]), table_of(ROWS[:3])))

    assert empty.num_rows == 0
    assert empty.schema == full.schema
    assert [field.type for field in result_fields(order)] == full.schema.types[len(COLUMNS) :]


def test_the_same_table_gives_the_same_bytes_however_it_is_cut_into_chunks(minilm: Encoder) -> None:
    table, order = table_of(ROWS[:40]), order_of("semantic_similarity", "gold_recall", at_once=16)
    chunked = pa.concat_tables([table.slice(0, 7), table.slice(7, 20), table.slice(27)])
    one, other, third = (assess_table(each, order, Backends(minilm)) for each in (table, table, chunked))

    assert written(one) == written(other)
    assert one.equals(third)


def written(table: pa.Table) -> bytes:
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return sink.getvalue()


def test_every_text_is_placed_once_though_metrics_and_checks_ask_for_it() -> None:
    encoder = Counting()
    rows = [{"answer": f"It opens at {i}.", "expected": "It opens at nine."} for i in range(10)]
    order = order_of("semantic_similarity", "recall_and_cosine", checks=CHECKS, at_once=3)
    assess_table(table_of(rows), order, Backends(encoder))

    assert len(encoder.asked) == len(set(encoder.asked)) == 11


def test_every_pair_is_scored_once_over_all_rows_and_those_of_a_batch_together() -> None:
    scorer = CountingScorer()
    rows = [
        {"answer": f"Doors open at {i % 4}.", "expected": f"The museum opens at {i % 4}."} for i in range(12)
    ]
    order = order_of("entailment", at_once=3)
    found = assess_table(table_of(rows), order, Backends(pairs=scorer)).to_pylist()

    assert [len(call) for call in scorer.calls] == [6, 2]
    assert len(set(scorer.asked)) == 8
    assert [row["status"] for row in found] == ["ok"] * 12
    assert [row["entailment"] for row in found[:4]] == [row["entailment"] for row in found[8:]]


def test_nothing_is_remembered_from_one_table_to_the_next() -> None:
    encoder = Counting()
    for _ in range(2):
        assess_table(table_of([ONE]), order_of("semantic_similarity"), Backends(encoder))

    assert len(encoder.asked) == 4


def test_nobody_reads_a_row_that_could_not_be_read_from_its_file() -> None:
    encoder = Counting()
    table = table_of([ONE, ONE]).append_column("_fault", pa.array(["the line is no JSON object"] * 2))
    order = order_of("semantic_similarity", checks=CHECKS[:1])
    first, second = assess_table(table, order, Backends(encoder)).to_pylist()

    assert not encoder.asked
    assert first == second
    assert (first["status"], first["reason"]) == ("error", "the line is no JSON object")
    assert (first["semantic_similarity"], first["means"], first["means_value"]) == (None, "error", None)


def test_a_row_without_an_answer_is_an_error_and_the_others_are_read() -> None:
    table = table_of([ONE, {"expected": "Yes."}, ONE])
    found = assess_table(table, order_of("bleu"), Backends()).to_pylist()

    assert [row["status"] for row in found] == ["ok", "error", "ok"]
    assert found[1]["reason"] == "the row has no `answer`"
    assert found[0]["bleu"] == found[2]["bleu"] is not None


def test_a_row_to_which_no_metric_applies_is_an_error_that_says_what_it_has() -> None:
    rows = [{"answer": "Yes.", "question": "Is it?"}, ONE]
    first, second = assess_table(table_of(rows), order_of("bleu", "rouge_l"), Backends()).to_pylist()

    assert first["reason"] == "no metric applies: the row has only `answer`, `question`"
    assert (first["bleu"], first["status"], second["status"]) == (None, "error", "ok")


def test_a_metric_that_does_not_apply_is_null_and_no_error() -> None:
    (row,) = assess_table(table_of([ONE]), order_of("bleu", "retrieval_closeness"), HASHING).to_pylist()

    assert (row["retrieval_closeness"], row["status"], row["reason"]) == (None, "ok", None)


def test_a_blank_answer_in_which_a_metric_finds_nothing_is_an_error_that_says_so(minilm: Encoder) -> None:
    blank = {"answer": " ", "expected": "Yes.", "passages": ["Yes, it is."]}
    order = order_of("bleu", "grounded")
    (row,) = assess_table(table_of([blank]), order, Backends(minilm)).to_pylist()

    assert (row["bleu"], row["grounded"]) == (0.0, None)
    assert (row["status"], row["reason"]) == ("error", "grounded: the text is empty")


class Picky(EncoderWrapper):
    """Refuses whatever holds a certain word, and quotes the text that it refuses."""

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Sequence[Embedding]:
        for text in texts:
            if "forbidden" in text:
                raise EncoderError(f"cannot read `{text}`")
        return self._inner.encode(texts, tokens=tokens)


def test_one_text_that_is_refused_is_one_error_and_its_reason_does_not_quote_it() -> None:
    rows = [ONE, {"answer": "A forbidden word stands here.", "expected": "No."}, ONE]
    order = order_of("semantic_similarity", "bleu")
    found = assess_table(table_of(rows), order, Backends(Picky(HashingEncoder()))).to_pylist()

    assert [row["status"] for row in found] == ["ok", "error", "ok"]
    assert found[1]["reason"] == "semantic_similarity: the reason quotes the row, and is not told"
    assert found[1]["bleu"] is not None


class Away(EncoderWrapper):
    """An encoder whose endpoint does not answer."""

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Sequence[Embedding]:
        raise Unreachable("nobody is there")


def test_an_encoder_that_is_away_stops_everything() -> None:
    with pytest.raises(Unreachable, match="nobody is there"):
        assess_table(table_of([ONE]), order_of("semantic_similarity"), Backends(Away(HashingEncoder())))


class Absent:
    """A judge that nobody reaches."""

    fingerprint = "absent"

    def ask(self, prompts: Sequence[Prompt]) -> list[GivenUp]:
        return [GivenUp("nobody is there; not asked")] * len(prompts)


def test_a_judge_that_was_given_up_stops_everything() -> None:
    rows = [{"answer": "Yes.", "question": "Is it?", "passages": ["It is."]}]

    with pytest.raises(Unreachable, match="nobody is there"):
        assess_table(table_of(rows), order_of(JUDGED[0]), Backends(judge=Absent()))


@pytest.mark.parametrize("name", ["bleu", "status", "means_value"])
def test_a_column_of_the_input_that_results_would_have_too_is_told(name: str) -> None:
    table = table_of([ONE]).append_column(name, pa.array([1.0]))

    with pytest.raises(SpecError, match=f"the input has a column `{name}` already"):
        assess_table(table, order_of("bleu", checks=CHECKS), HASHING)


def test_two_checks_of_one_name_are_told() -> None:
    with pytest.raises(SpecError, match="two columns of the results would be called `means`; give the check"):
        result_fields(order_of(checks=(CHECKS[0], CHECKS[0])))


def test_a_table_without_the_columns_that_were_named_is_told() -> None:
    with pytest.raises(SpecError, match="there is no column `gold` for `expected`; the table has `answer`"):
        assess_table(
            table_of([ONE]), TableOrder(("bleu",), (), {"answer": "answer", "expected": "gold"}), HASHING
        )
    with pytest.raises(SpecError, match="there is no column for `answer`"):
        assess_table(table_of([ONE]), TableOrder(("bleu",), (), {"expected": "expected"}), HASHING)
