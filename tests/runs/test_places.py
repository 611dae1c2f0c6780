"""One contract for all places of runs: a database, a folder of JSON lines, and Parquet files."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sensecheck.core.errors import SampleError, SpecError, StorageError
from sensecheck.core.run import Item, MetricScore, PlacedItem, Run, ScoredAnswer
from sensecheck.runs.agreement import agreement, is_binary
from sensecheck.runs.comparison import compare
from sensecheck.runs.encoders import compare_encoders
from sensecheck.runs.evaluation_page import write_page
from sensecheck.runs.find import open_place
from sensecheck.runs.place import RunPlace
from sensecheck.runs.record import Label, Numbers, RunTable
from sensecheck.runs.rows import VIEW, AnswerRows, position_in, reading_rows
from sensecheck.runs.summary import totals_of
from sensecheck.runs.trend import trend
from sensecheck.store.tables import evals
from tests.databases import postgresql_database
from tests.ready_tables import make_tables
from tests.runs.page_read import blobs

KINDS = ("sqlite", "folder", "parquet")
PARIS = Item("What is the capital of France?", "Paris.", ("France is in Europe.",), {"topic": "places"})
TEN = Item("How many fingers?", "Ten.", id="fingers")
RED = Item("Which colour?", "Red.", id="colour", slices={"topic": "colours"})
COUNT = 40
AT_ONCE = 4


def address_of(kind: str, folder: Path) -> str:
    """The address of an empty place of a kind."""
    if kind == "sqlite":
        address = f"sqlite:///{folder / 'evals.sqlite3'}"
        make_tables(address)
        return address
    return f"{kind}:{folder / kind}"


@pytest.fixture(params=[*KINDS, pytest.param("postgresql", marks=pytest.mark.database)])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty place."""
    if request.param != "postgresql":
        yield address_of(request.param, tmp_path)
        return
    with postgresql_database() as made:
        make_tables(made)
        yield made


@pytest.fixture
def place(address: str) -> Iterator[RunPlace]:
    """An empty place."""
    opened = open_place(address)
    yield opened
    opened.close()


def begun(place: RunPlace, *items: Item, name: str = "", **conditions: Any) -> Run:
    """A new run of these questions."""
    chosen = place.keep_set("atlas", items or (PARIS, TEN, RED))
    test = place.test("atlas", "nightly", embedding={"encoder": "minilm"}, generation={"model": "m"})
    return place.begin(test, chosen, name=name, encoder="mark-1", conditions=conditions)


def scored(answer: str | None = "Paris", value: float | None = 0.5, **parts: Any) -> ScoredAnswer:
    """An answer, read by one metric without an encoder, and by one with two."""
    readings = (
        MetricScore("bleu", value, error=None if value is not None else "it broke"),
        MetricScore("semantic_similarity", 0.9, encoder="minilm", fingerprint="mark-1"),
        MetricScore("semantic_similarity", 0.7, "since it is near", encoder="other", fingerprint="mark-2"),
    )
    return ScoredAnswer(answer, readings, **parts)


def placed(place: RunPlace, run: Run) -> list[PlacedItem]:
    return list(place.questions(run.set))


def column(table: RunTable, metric: str, fingerprint: str | None = None) -> Numbers:
    """The numbers of a metric, which there must be."""
    found = table.column(metric, fingerprint)
    assert found is not None
    return found


def written(place: RunPlace, told: Sequence[ScoredAnswer], *items: Item, name: str = "") -> Run:
    """A complete run of these answers."""
    run = begun(place, *items, name=name)
    place.writer(run).add(list(zip(placed(place, run), told, strict=False)))
    place.finish(run)
    return place.run_by_key(run.key)


def test_what_is_stored_comes_back_as_it_was(place: RunPlace) -> None:
    told = (
        scored(labels={"correct": 1.0}, passages=(), latency_ms=12.5, cost=0.25, id="own"),
        scored(None, None, error="nobody is there"),
        scored("", passages=("one", "two")),
    )
    run = written(place, told)

    found = list(place.answers(run))

    assert [one.item for one in found] == [PARIS, TEN, RED]
    assert [one.scored for one in found] == list(told)
    assert [one.position for one in found] == [0, 1, 2]
    assert [one.position for one in place.answers(run, [2, 0])] == [0, 2]
    assert run.whole
    assert run.finished_at is not None
    assert run.finished_at >= run.started_at


def test_a_run_begins_continues_and_is_finished_once(place: RunPlace) -> None:
    run = begun(place, name="first", metrics=["bleu"], sensecheck="1.0")

    assert (run.done, run.whole, run.finished_at) == (0, False, None)
    assert (run.name, run.encoder, run.conditions) == (
        "first",
        "mark-1",
        {"metrics": ["bleu"], "sensecheck": "1.0"},
    )
    assert (run.test.project, run.test.name, run.test.embedding) == (
        "atlas",
        "nightly",
        {"encoder": "minilm"},
    )
    place.writer(run).add([(placed(place, run)[0], scored())])
    place.close()
    run = place.run_by_key(run.key)
    assert run.done == 1
    place.resumed(run)
    place.writer(run).add([(one, scored()) for one in place.questions(run.set, after=run.done)])
    place.finish(run)
    ended = place.run_by_key(run.key).finished_at
    place.finish(run)

    assert place.run_by_key(run.key).finished_at == ended
    assert place.run_by_key(run.key).whole
    assert [one.position for one in place.answers(run)] == [0, 1, 2]


def test_questions_come_in_their_order_and_the_same_are_the_same_set(place: RunPlace) -> None:
    questions = [Item(f"What is {n}?", str(n)) for n in range(1200)]
    chosen = place.keep_set("numbers", questions)

    assert [one.item for one in place.questions(chosen)] == questions
    assert [one.position for one in place.questions(chosen, after=1199)] == [1199]
    assert next(place.wordings(chosen)) == (questions[0].name, "What is 0?", "0")
    assert place.keep_set("numbers", (one.item for one in place.questions(chosen))) == chosen
    other = place.keep_set("numbers", questions[::-1])
    assert other != chosen
    assert place.latest_set("numbers") == other
    with pytest.raises(SpecError, match="the project `letters` has no questions yet"):
        place.latest_set("letters")


def test_sets_of_nothing_or_of_the_same_twice_are_refused(place: RunPlace) -> None:
    with pytest.raises(SampleError, match="the question 3 is the same as the question 1"):
        place.keep_set("atlas", [PARIS, TEN, PARIS])
    with pytest.raises(SampleError, match="the questions 1 and 2 have the same id `fingers`"):
        place.keep_set("atlas", [TEN, replace(TEN, expected="10")])
    with pytest.raises(SampleError, match="there are no questions"):
        place.keep_set("atlas", [])
    with pytest.raises(SpecError, match="a project must have a name"):
        place.keep_set(" ", [PARIS])


def test_the_same_configuration_is_the_same_test(place: RunPlace) -> None:
    def test(model: str) -> str:
        return place.test("atlas", "nightly", embedding={}, generation={"model": model}).id

    assert test("a") == test("a")
    assert test("a") != test("b")


def test_runs_are_found_by_number_word_name_and_id(place: RunPlace) -> None:
    first, second, third = (begun(place, name=name) for name in ("alpha", "beta", "beta"))

    assert place.run(str(first.key)) == place.run("alpha") == place.run(first.id) == first
    assert place.run(first.id[:12]).key == place.run("number:1").key == first.key
    assert place.run("latest").key == third.key
    assert place.run("previous").key == second.key
    assert [run.key for run in place.runs(project="atlas", test="nightly")] == [1, 2, 3]
    assert place.runs(project="elsewhere") == place.runs(test="weekly") == []
    for named, why in {
        "77": "there is no run `77`; name it by its number",
        "alpa": r"there is no run `alpa`; did you mean `alpha`\?",
        "beta": "`beta` is the name of several runs: 2, 3; name one by its number",
    }.items():
        with pytest.raises(SpecError, match=why):
            place.run(named)
    with pytest.raises(SpecError, match="there is no run 77"):
        place.run_by_key(77)
    with pytest.raises(SpecError, match=r"`atlass` is not a known project; did you mean `atlas`\?"):
        place.run("latest", project="atlass")


def test_an_empty_place_says_how_to_make_a_run(place: RunPlace, address: str) -> None:
    make = f"make one with `sensecheck eval QUESTIONS --store {address}`"
    with pytest.raises(SpecError, match="no evaluation is stored yet") as refused:
        place.run("latest")
    assert make in str(refused.value)
    with pytest.raises(SpecError, match="there is no project `x`: no evaluation is stored yet"):
        place.require_project("x")


def test_numbers_come_as_a_table_by_encoder_with_nan_for_what_is_missing(place: RunPlace) -> None:
    run = written(place, (scored(labels={"correct": 1.0}), scored(None, None), scored(value=0.25)))

    table = place.table(run)

    assert [(one.name, one.fingerprint) for one in table.metrics] == [
        ("bleu", ""),
        ("semantic_similarity", "mark-1"),
        ("semantic_similarity", "mark-2"),
    ]
    np.testing.assert_array_equal(column(table, "bleu"), [0.5, np.nan, 0.25])
    np.testing.assert_array_equal(column(table, "semantic_similarity", "mark-2"), [0.7, 0.7, 0.7])
    np.testing.assert_array_equal(table.labels["correct"], [1.0, np.nan, np.nan])
    assert table.names == (PARIS.name, "fingers", "colour")
    assert table.slices == ({"topic": "places"}, {}, {"topic": "colours"})
    assert (table.unanswered, table.unread, table.nothing) == (1, (1, 0, 0), (0, 0, 0))
    assert [list(numbers) for _, numbers in place.columns(run)] == [[0.5, 0.25], [0.9] * 3, [0.7] * 3]
    outline = place.outline(run)
    assert (outline.metrics, outline.labels, outline.slices) == (table.metrics, ("correct",), ("topic",))


def test_gaps_are_not_answered_yet(place: RunPlace) -> None:
    run = begun(place)
    first, second, third = placed(place, run)
    writer = place.writer(run)
    writer.add([(third, scored())])

    assert place.reached(run) == [2]
    assert place.table(run).unanswered == 2
    assert place.reasons(run).unanswered_because is None
    assert [one.position for one in place.answers(run)] == [2]
    writer.add([(first, scored(value=1.0))])
    assert place.reached(run) == [0, 2]
    np.testing.assert_array_equal(column(place.table(run), "bleu"), [1.0, np.nan, 0.5])
    writer.add([(second, scored(None, None, error="too late"))])
    assert place.reached(run) == [0, 1, 2]
    assert [one.scored.answer for one in place.answers(run)] == ["Paris", None, "Paris"]
    assert place.run_by_key(run.key).done == 3
    assert place.answered(run) == 2


def test_reasons_are_the_most_frequent_ones(place: RunPlace) -> None:
    told = [
        ScoredAnswer(None, error="b"),
        ScoredAnswer(None, error="a"),
        ScoredAnswer("x", (MetricScore("bleu", None, error="slow"), MetricScore("f1", None, "nothing"))),
        ScoredAnswer("x", (MetricScore("bleu", None, error="slow"), MetricScore("f1", 0.0, "no words"))),
        ScoredAnswer("x", (MetricScore("bleu", None, error="early"),)),
        ScoredAnswer(None, (MetricScore("bleu", 1.0),)),
    ]
    run = written(place, told, *(Item(f"q{n}", "a") for n in range(6)))

    found = place.reasons(run)

    assert (found.questions, found.answered, found.unanswered, found.unanswered_because) == (6, 3, 3, "a")
    gaps = {metric.name: one for metric, one in found.gaps.items()}
    assert (gaps["bleu"].failed, gaps["bleu"].error, gaps["bleu"].beside) == (3, "slow", 1)
    assert (gaps["f1"].nothing, gaps["f1"].because, gaps["f1"].error) == (1, "nothing", None)


def test_labels_are_stored_by_rater_and_never_changed(place: RunPlace) -> None:
    run = written(place, (scored(labels={"correct": 1.0}), scored(None, None), scored()))
    given = [Label("colour", "correct", 1.0, "ann"), Label("colour", "correct", 0.0, "bo")]

    assert place.label(run, given) == 2
    assert place.label(run, [*given, Label("colour", "kind", 3.0)]) == 1
    assert list(place.labels(run)) == [
        Label(PARIS.name, "correct", 1.0),
        *given,
        Label("colour", "kind", 3.0),
    ]
    np.testing.assert_array_equal(place.table(run).labels["correct"], [1.0, np.nan, 0.5])
    assert [one.scored.labels for one in place.answers(run)] == [
        {"correct": 1.0},
        {},
        {"correct": 0.5, "kind": 3.0},
    ]
    for wrong, why in (
        (
            Label("colour", "correct", 0.0, "ann"),
            "by `ann` of the question `colour` says 1 already, and now 0",
        ),
        (Label(PARIS.name, "correct", 0.0), "says 1 already"),
        (Label("x", "correct", 1.0), "has no question `x`"),
        (Label("fingers", "correct", 1.0), "there is no answer to the question `fingers`"),
        (Label("colour", "correct", np.nan), "must be a finite number"),
        (Label("colour", " ", 1.0), "has no name"),
    ):
        with pytest.raises(SampleError, match=why):
            place.label(run, [Label("colour", "other", 1.0), wrong])
    with pytest.raises(SampleError, match="there are no labels"):
        place.label(run, [])
    assert len(list(place.labels(run))) == 4


def test_a_rater_changes_their_mind_and_takes_a_label_back(place: RunPlace) -> None:
    run = written(place, (scored(labels={"correct": 1.0}), scored(None, None), scored()))
    place.label(run, [Label("colour", "correct", 1.0, "ann"), Label("colour", "correct", 1.0, "bo")])

    assert place.relabel(run, Label("colour", "correct", 0.0, "ann"))
    assert not place.relabel(run, Label("colour", "correct", 0.0, "ann"))
    assert [one.value for one in place.labels(run)] == [1.0, 0.0, 1.0]
    np.testing.assert_array_equal(place.table(run).labels["correct"], [1.0, np.nan, 0.5])
    for rater in ("ann", "bo"):
        assert place.relabel(run, Label("colour", "correct", 0.0, rater), withdraw=True)
        assert not place.relabel(run, Label("colour", "correct", 0.0, rater), withdraw=True)
    assert list(place.labels(run)) == [Label(PARIS.name, "correct", 1.0)]
    assert [one.scored.labels for one in place.answers(run)] == [{"correct": 1.0}, {}, {}]
    assert place.label(run, [Label("colour", "correct", 0.0, "bo")]) == 1  # said anew
    assert place.relabel(run, Label("colour", "sure", 1.0, "cy"))  # nothing was said before
    assert place.outline(run).labels == ("correct", "sure")
    for wrong, why in (
        (Label(PARIS.name, "correct", 0.0), "has no rater"),
        (Label("x", "correct", 1.0, "ann"), "has no question `x`"),
        (Label("colour", "correct", np.inf, "ann"), "must be a finite number"),
    ):
        with pytest.raises(SampleError, match=why):
            place.relabel(run, wrong)


def test_a_batch_written_again_by_the_same_writer_is_written_once(place: RunPlace) -> None:
    run = begun(place)
    writer, batch = place.writer(run), [(one, scored()) for one in placed(place, run)]
    writer.add(batch)
    writer.add(batch)
    writer.add([])

    assert place.run_by_key(run.key).done == 3
    assert len(list(place.answers(run))) == 3


def test_a_second_writer_is_refused(place: RunPlace, address: str) -> None:
    run = begun(place)
    batch = [(one, scored()) for one in placed(place, run)]
    first = place.writer(run)
    first.add(batch[:1])
    other = open_place(address)
    second = other.writer(run)

    with pytest.raises(
        StorageError, match=r"the run 1 is being written by another process, from question 1 on"
    ):
        second.add(batch)
    other.close()
    first.add(batch[1:])
    assert place.run_by_key(run.key).done == 3


def test_what_no_place_can_hold_is_stored_with_a_mark(place: RunPlace) -> None:
    run = begun(place, Item("a\0b \ud800 𝒳", "c"))
    one = ScoredAnswer(
        "x\0y", (MetricScore("bleu", float("inf"), because="\udfff"),), latency_ms=float("nan")
    )
    place.writer(run).add([(placed(place, run)[0], one)])

    (back,) = place.answers(run)

    assert back.item.question == "a\ufffdb \ufffd 𝒳"
    assert back.scored.answer == "x\ufffdy"
    assert back.scored.latency_ms is None
    assert "`latency_ms` is nan" in str(back.scored.error)
    assert back.scored.readings[0].value is None
    assert back.scored.readings[0].because == "\ufffd"


def test_rows_for_export_have_the_columns_of_the_view(place: RunPlace) -> None:
    run = written(place, (scored(labels={"correct": 1.0}), scored(None, None), scored()))
    answers = AnswerRows.of(place, run)

    rows = list(answers.rows())

    added = ["semantic_similarity@other", "label_correct", "slice_topic", "question", "expected"]
    assert list(answers.columns) == [*VIEW, *added]
    assert rows[0]["bleu"] == 0.5
    assert rows[0]["semantic_similarity@other"] == 0.7
    assert rows[1]["bleu"] is None
    assert len(list(reading_rows(place, run))) == 9
    assert position_in(place, run, "colour") == 2
    with pytest.raises(SpecError, match=r"has no question `color`; did you mean `colour`\?"):
        position_in(place, run, "color")


def test_the_columns_of_exports_are_those_of_the_view_of_a_database() -> None:
    assert [*VIEW, "created_at"] == list(evals.columns.keys())


WRITER = """
import sys, time
from sensecheck.core.run import MetricScore, ScoredAnswer
from sensecheck.runs.find import open_place

place = open_place(sys.argv[1])
run = place.run("latest")
writer = place.writer(run)
batch = []
for one in place.questions(run.set, after=run.done):
    batch.append((one, ScoredAnswer(f"I think {one.position}.", (MetricScore("bleu", one.position / 100),))))
    if len(batch) == 4:
        writer.add(batch)
        print(one.position, flush=True)
        batch = []
        time.sleep(float(sys.argv[2]))
place.finish(run)
"""


@pytest.mark.slow
@pytest.mark.parametrize("batches", [1, 4])
def test_a_writer_that_is_killed_loses_nothing_and_the_next_one_repeats_nothing(
    place: RunPlace, address: str, batches: int
) -> None:
    run = begun(place, *(Item(f"q{n}", "a") for n in range(COUNT)))
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, address, "0.02"], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        acknowledged = [int(process.stdout.readline()) for _ in range(batches)][-1]
        os.kill(process.pid, signal.SIGKILL)
    done = place.run_by_key(run.key).done
    assert done > acknowledged
    assert done % AT_ONCE == 0
    assert place.reached(run) == list(range(done))

    subprocess.run([sys.executable, "-c", WRITER, address, "0"], check=True, stdout=subprocess.DEVNULL)

    assert place.run_by_key(run.key).whole
    assert place.run_by_key(run.key).finished_at is not None
    assert [one.scored.answer for one in place.answers(run)] == [f"I think {n}." for n in range(COUNT)]
    assert list(place.table(run).values[:, 0]) == [n / 100 for n in range(COUNT)]


@pytest.mark.parametrize("cut", [1, 7, 60, 200])
def test_a_folder_drops_what_was_torn_off_and_continues(tmp_path: Path, cut: int) -> None:
    place = open_place(f"folder:{tmp_path}")
    run = begun(place)
    first, second, third = placed(place, run)
    writer = place.writer(run)
    writer.add([(first, scored("one"))])
    file = tmp_path / "runs/000001/answers.jsonl"
    before = file.stat().st_size
    writer.add([(second, scored("two")), (third, scored("three"))])
    place.close()
    with file.open("r+b") as torn:
        torn.truncate(max(before, file.stat().st_size - cut))

    assert place.run_by_key(run.key).done == 1
    assert place.reached(run) == [0]
    place.writer(run).add([(second, scored("2")), (third, scored("3"))])
    assert [one.scored.answer for one in place.answers(run)] == ["one", "2", "3"]
    assert place.run_by_key(run.key).whole
    place.close()
    for line in file.read_bytes().splitlines():
        json.loads(line)


def test_a_shard_that_does_not_count_is_never_read(tmp_path: Path) -> None:
    place = open_place(f"parquet:{tmp_path}")
    run = begun(place)
    batch = [(one, scored()) for one in placed(place, run)]
    place.writer(run).add(batch)
    (count,) = (tmp_path / "runs/000001/batches").iterdir()
    count.unlink()

    again = open_place(f"parquet:{tmp_path}")
    assert again.run_by_key(run.key).done == 0
    assert again.reached(run) == []
    again.writer(run).add(batch)
    assert again.run_by_key(run.key).whole
    assert len(list(again.answers(run))) == 3


def test_a_full_disk_leaves_the_run_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = open_place(f"folder:{tmp_path}")
    run = begun(place)
    first, second, third = placed(place, run)
    writer = place.writer(run)
    writer.add([(first, scored())])

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("sensecheck.runs.folder.os.fsync", full)
    with pytest.raises(StorageError, match="is full: No space left"):
        writer.add([(second, scored())])
    monkeypatch.undo()
    writer.add([(second, scored("again")), (third, scored())])

    assert [one.scored.answer for one in place.answers(run)] == ["Paris", "again", "Paris"]
    place.close()


def both_runs(place: RunPlace) -> tuple[Run, Run]:
    """The same questions answered twice; in the second run many answers are better."""
    items = [
        Item(
            f"What is {n}?", f"It is {n}.", (f"passage {n}",), {"topic": "odd" if n % 2 else "even"}, f"q{n}"
        )
        for n in range(60)
    ]

    def told(n: int, better: float) -> ScoredAnswer:
        if n % 17 == 5:
            return ScoredAnswer(None, error="the model did not answer")
        broken = n % 13 == 4
        readings = (
            MetricScore("bleu", min(1.0, (n % 10) / 10 + better)),
            MetricScore(
                "semantic_similarity",
                None if broken else 0.5 + better,
                None,
                "it broke" if broken else None,
                "minilm",
                "mark-1",
            ),
            MetricScore("semantic_similarity", 0.4 + (n % 7) / 20, None, None, "other", "mark-2"),
            MetricScore("lexical_aggregate", 0.3 + (n % 5) / 10, "no words" if n == 3 else None),
        )
        return ScoredAnswer(
            f"I think {n}.", readings, labels={"correct": float(n % 3 == 0)}, latency_ms=n / 8
        )

    runs = []
    for name, better in (("before", 0.0), ("after", 0.2)):
        run = begun(place, *items, name=name, encoders=[["minilm", "mark-1"], ["other", "mark-2"]])
        writer = place.writer(run)
        for at in range(0, 60, 16):
            writer.add([(one, told(one.position, better)) for one in placed(place, run)[at : at + 16]])
        place.finish(run)
        place.label(run, [Label("q3", "correct", 0.0, "ann"), Label("q6", "kind", 2.0, "bo")])
        runs.append(place.run_by_key(run.key))
    return runs[0], runs[1]


def without_identity(data: Any, *runs: Run) -> str:
    """The data as JSON, without what differs between two runs of the same: their ids and moments."""
    text = json.dumps(data, sort_keys=True)
    for run in runs:
        moments = (run.started_at.isoformat(timespec=by) for by in ("seconds", "minutes"))
        for own in (run.id, *moments):
            text = text.replace(own, "")
    return text


def figures(place: RunPlace, page: Path) -> dict[str, Any]:
    """All that is computed from two runs of a place."""
    before, after = both_runs(place)
    table = place.table(after)
    assert totals_of(place, after) == totals_of(place, table)
    write_page(place, after, page)
    found = {
        "table": (table.names, table.slices, table.unread, table.unanswered, table.nothing),
        "metrics": [(one.name, one.encoder, one.fingerprint) for one in table.metrics],
        "values": np.nan_to_num(table.values, nan=-1).tolist(),
        "labels": {name: np.nan_to_num(said, nan=-1).tolist() for name, said in table.labels.items()},
        "by rater": [repr(one) for one in place.labels(after)],
        "reached": place.reached(after),
        "totals": totals_of(place, after).to_data(),
        "comparison": compare((place, before), (place, after)).to_data(),
        "encoders": [one.to_data() for one in compare_encoders(table)],
        "agreement": [one.to_data() for one in agreement(table, "correct")],
        "yes or no": [is_binary(place, [after], name) for name in ("correct", "kind")],
        "trend": [one.to_data() for one in trend([place.table(before), table])],
        "answers": [repr(one) for one in place.answers(after)],
        "rows": list(AnswerRows.of(place, after).rows()),
        "readings": list(reading_rows(place, after)),
        "page": blobs(page),
    }
    return {what: without_identity(data, before, after) for what, data in found.items()}


def test_the_same_questions_come_to_the_same_in_all_places(tmp_path: Path) -> None:
    found = {}
    for kind in KINDS:
        place = open_place(address_of(kind, tmp_path))
        found[kind] = figures(place, tmp_path / f"{kind}.html")
        place.close()

    for kind in KINDS[1:]:
        for what, wanted in found[KINDS[0]].items():
            assert found[kind][what] == wanted, f"{what} of {kind}"


def test_two_writers_that_began_together_never_write_one_question_twice(
    place: RunPlace, address: str
) -> None:
    run = begun(place, *(Item(f"q{n}", "a") for n in range(8)))
    questions, other = placed(place, run), open_place(address)
    first, second = place.writer(run), other.writer(run)
    first.add([(one, scored()) for one in questions[:4]])

    with pytest.raises(StorageError, match="is being written by another process"):
        second.add([(one, scored()) for one in questions[2:6]])
    other.close()
    first.add([(one, scored()) for one in questions[4:]])
    assert place.reached(run) == list(range(8))
    assert place.run_by_key(run.key).done == 8


def test_a_question_that_stands_twice_in_a_batch_is_refused_and_nothing_is_stored(place: RunPlace) -> None:
    run = begun(place)
    first, second, _ = placed(place, run)

    with pytest.raises(StorageError, match="the question 1 stands twice in a batch"):
        place.writer(run).add([(first, scored()), (second, scored()), (first, scored("other"))])
    assert place.run_by_key(run.key).done == 0
    assert list(place.answers(run)) == []


@pytest.mark.parametrize("kind", ["folder", "parquet"])
def test_a_damaged_run_hides_no_other_and_is_not_passed_over(kind: str, tmp_path: Path) -> None:
    place = open_place(address_of(kind, tmp_path))
    for name in ("one", "two", "three"):
        written(place, [scored()] * 3, name=name)
    (tmp_path / kind / "runs/000001.json").write_text("{")
    again = open_place(address_of(kind, tmp_path))

    assert [run.name for run in again.runs()] == ["two", "three"]
    assert again.run("latest").name == "three"
    with pytest.raises(StorageError, match=r"runs/000001.json.* is missing or damaged"):
        again.run("1")
    (tmp_path / kind / "runs/000003.json").write_text("{")
    with pytest.raises(StorageError, match=r"the run 3 is newer than the run 2, and .* missing or damaged"):
        open_place(address_of(kind, tmp_path)).run("latest")
    assert open_place(address_of(kind, tmp_path)).run("two").key == 2


def test_the_means_of_a_finished_run_are_known_without_its_answers(place: RunPlace) -> None:
    run = written(place, [scored(value=0.25), scored(value=0.75), scored(None, None)])
    unfinished = begun(place)
    place.writer(unfinished).add([(placed(place, unfinished)[0], scored(value=1.0))])

    assert place.means(run) == {"bleu": 0.5, "semantic_similarity": pytest.approx(0.9)}
    assert place.means(unfinished)["bleu"] == 1.0


@pytest.mark.parametrize("kind", ["folder", "parquet"])
def test_the_means_of_a_finished_run_are_read_though_its_answers_are_gone(kind: str, tmp_path: Path) -> None:
    place = open_place(address_of(kind, tmp_path))
    run = written(place, [scored()] * 3)
    place.close()
    for file in (tmp_path / kind / "runs/000001").rglob("answers*"):
        if file.is_file():
            file.unlink()

    assert open_place(address_of(kind, tmp_path)).means(run)["bleu"] == 0.5
