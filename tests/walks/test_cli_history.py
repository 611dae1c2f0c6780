"""`sensecheck history`: evaluations that were kept, listed, shown, compared and followed over time."""

import json
import os
import shutil
import timeit
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.cells import cell_len
from rich.text import Text
from sqlalchemy import Engine, event

from sensecheck.cli.console import MAX_CELL_CHARS, cut
from sensecheck.core.run import Item, MetricScore, ScoredAnswer
from sensecheck.runs.sql import EvalStore
from tests.databases import postgresql_database
from tests.runs.stores import HOSTILE, Readings, kept, questions
from tests.walks.cli import typed

COUNT = 40


def history(path: Path | str, *arguments: str, **environment: str) -> Any:
    return typed("history", *arguments, SENSECHECK_STORE=str(path), **environment)


def readings(step: float = 0.0, seed: int = 0) -> dict[str, list[float | None]]:
    drawn = np.random.default_rng(seed)
    ease = np.random.default_rng(9).uniform(0.3, 0.7, COUNT)
    noise = drawn.normal(0, 0.02, (2, COUNT))
    return {
        "lexical_aggregate": [float(value) for value in ease + noise[0]],
        "semantic_similarity@minilm": [float(value) for value in ease + step + noise[1]],
    }


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs: in the second, similarity fell, one question is n/a, and one nobody answered."""
    path = tmp_path_factory.mktemp("made") / "evals.sqlite3"
    worse: Readings = readings(-0.1, 1)
    for column in worse.values():
        assert isinstance(column, list)
        column[3] = None
    worse["lexical_aggregate"][5] = None  # type: ignore[index]
    kept(path, readings(), name="before")
    kept(path, worse, name="after")
    return path


@pytest.fixture
def store(made: Path, tmp_path: Path) -> Path:
    """The same, to be added to."""
    return Path(shutil.copy(made, tmp_path))


@pytest.mark.core
def test_runs_are_listed_with_their_names_and_sizes(store: Path) -> None:
    found = history(store, "list")

    head, first, second = found.stdout.splitlines()
    names = ["run", "kind", "project", "test", "name", "began", "items", "metric", "mean"]
    assert head.split() == names
    assert first.split()[:5] == ["1", "evaluation", "atlas", "nightly", "before"]
    assert second.split()[-1] == "complete"
    told = json.loads(history(store, "list", "--json").stdout)
    assert [one["size"] for one in told] == [COUNT, COUNT]
    assert "run 1 (before)" in history(store, "show", "before").stdout
    assert [one["name"] for one in told] == ["before", "after"]


def test_a_project_that_has_no_runs_is_said_to_have_none(store: Path) -> None:
    said = history(store, "list", "--project", "other").stdout
    assert said.startswith("no run was found: `other` is not a known project; known: `")
    assert history(store, "list", "--project", "other", "--json").stdout == "[]\n"


@pytest.mark.core
def test_a_run_is_shown_with_what_is_missing_and_why(store: Path) -> None:
    found = history(store, "show", "latest", "--worst", "2")

    assert "run 2 (after) of atlas, nightly" in found.stdout
    assert f"questions  {COUNT}, 1 not answered" in found.stdout
    assert "lexical_aggregate: n/a for 2: 1 could not be read: the encoder broke; 1 no answer" in found.stdout
    assert "1 not answered: the model did not answer" in found.stdout
    assert found.stdout.count("“What is") == 2
    assert found.exit_code == 0


def test_the_worst_questions_are_told_by_a_metric_of_ones_choice(store: Path) -> None:
    told = json.loads(history(store, "show", "1", "--metric", "lexical_aggregate", "--json").stdout)

    values = [one["value"] for one in told["worst"]]
    assert values == sorted(values)
    assert {one["metric"] for one in told["worst"]} == {"lexical_aggregate"}
    assert told["run"] == 1


def test_one_question_is_shown_in_full(store: Path) -> None:
    found = history(store, "show", "2", "--question", "q5")

    assert "expected  It is 5." in found.stdout
    assert "answer    I think 5." in found.stdout
    assert "lexical_aggregate      n/a" in found.stdout
    assert "lexical_aggregate: n/a: the encoder broke" in found.stdout
    told = json.loads(history(store, "show", "2", "--question", "q5", "--json").stdout)
    assert told["readings"][0]["value"] is None
    assert (
        "nobody answered: the model did not answer" in history(store, "show", "2", "--question", "q3").stdout
    )


def passed_over(path: Path, answered: list[int]) -> None:
    """A run of two questions, of which only these have been answered."""
    held = EvalStore.open(str(path))
    test = held.test("atlas", "nightly", embedding={}, generation={})
    run = held.begin(test, held.keep_set("atlas", questions(2)), encoder="", conditions={})
    placed = list(held.questions(run.set))
    held.writer(run).add([(placed[at], ScoredAnswer("Two.", (MetricScore("bleu", 0.5),))) for at in answered])
    held.close()


@pytest.mark.parametrize("at", [0, 1])
def test_a_question_that_was_passed_over_is_said_to_be_so(tmp_path: Path, at: int) -> None:
    path = tmp_path / "evals.sqlite3"
    passed_over(path, [1 - at])
    found = history(path, "show", "1", "--question", f"q{at}")

    assert f"the run 1 has not come to the question `q{at}` yet" in found.stderr
    assert found.exit_code == 2
    assert history(path, "show", "1").exit_code == 0


def test_one_question_is_shown_without_reading_the_numbers_of_all(store: Path) -> None:
    asked: list[str] = []

    def note(_: object, __: object, statement: str, *___: object) -> None:
        asked.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        found = history(store, "show", "2", "--question", "q5")
    finally:
        event.remove(Engine, "before_cursor_execute", note)

    assert found.exit_code == 0
    many = [one for one in asked if "readings" in one and "readings.position IN" not in one]
    assert not many


def test_a_prompt_that_held_nothing_is_shown_so(tmp_path: Path) -> None:
    path = tmp_path / "evals.sqlite3"
    held = EvalStore.open(str(path))
    test = held.test("atlas", "nightly", embedding={}, generation={})
    asked = [Item(f"What is {at}?", "It.", ("found",), id=f"q{at}") for at in range(2)]
    run = held.begin(test, held.keep_set("atlas", asked), encoder="", conditions={})
    told = [ScoredAnswer("Two.", passages=()), ScoredAnswer("Two.")]
    held.writer(run).add(list(zip(held.questions(run.set), told, strict=True)))
    held.close()
    bare, given = (history(path, "show", "1", "--question", one).stdout for one in ("q0", "q1"))

    assert "passages  the prompt held none" in bare
    assert "found" not in bare
    assert "passage   found" in given


def test_two_runs_are_compared_with_claims_and_with_what_was_lost(store: Path) -> None:
    found = history(store, "compare")

    assert "run 1 (before) → run 2 (after), 40 questions in both" in found.stdout
    assert "significantly worse: semantic_similarity" in found.stdout
    assert "lexical_aggregate: 2 n/a now but not before: q3, q5" in found.stdout
    assert "topic=even  semantic_similarity" in found.stdout
    assert "p is corrected for 4 tests: 2 headline metrics, 2 in slices" in found.stdout.splitlines()
    assert "slices by semantic_similarity, and by any other metric with a significant change" in found.stdout
    lines = found.stdout.splitlines()
    (at,) = [at for at, line in enumerate(lines) if line.startswith("moved most by semantic_similarity ")]
    moved = [line.split() for line in lines[at + 1 : lines.index("", at)]]
    assert lines[at].split()[-4:] == ["before", "now", "change", "direction"]
    assert all((change < "-") == (direction == "higher") for *_, change, direction in moved)
    sizes = [abs(float(change)) for *_, change, _ in moved]
    assert sizes == sorted(sizes, reverse=True)
    assert found.exit_code == 0


def test_programs_get_the_whole_comparison(store: Path) -> None:
    told = json.loads(history(store, "compare", "1", "2", "--json", "--metric", "lexical_aggregate").stdout)

    claims = {one["metric"]: one["claim"] for one in told["metrics"]}
    assert claims == {"lexical_aggregate": False, "semantic_similarity": True}
    assert {one["metric"] for one in told["moved"]} == {"lexical_aggregate"}
    assert {one["slice"] for one in told["slices"]} == {"topic=even", "topic=odd"}


@pytest.mark.parametrize(
    ("before", "after", "code"),
    [("1", "2", 1), ("1", "3", 1), ("3", "1", 0), ("2", "1", 0), ("3", "2", 3)],
)
def test_the_exit_code_says_whether_it_got_worse(store: Path, before: str, after: str, code: int) -> None:
    kept(store, readings(-0.1, 1))

    assert history(store, "compare", before, after, "--fail-on", "worse").exit_code == code


@pytest.mark.parametrize(("fail_on", "code"), [("significant", 1), ("worse", 1), ("regression", 2)])
def test_every_gate_works_for_evaluations(store: Path, fail_on: str, code: int) -> None:
    found = history(store, "compare", "1", "2", "--fail-on", fail_on)

    assert found.exit_code == code
    if code == 2:
        assert "needs runs of a battery, checks, or labels of 0 and 1" in found.stderr


def test_labels_decide_before_metrics_whether_a_fall_is_significant(tmp_path: Path) -> None:
    path = tmp_path / "evals.sqlite3"
    for step, said in ((0.0, 0.0), (-0.1, 1.0)):
        kept(path, readings(step), labels={"correct": [said] * COUNT})

    assert history(path, "compare", "--fail-on", "worse").exit_code == 1
    assert history(path, "compare", "--fail-on", "significant").exit_code == 0
    assert history(path, "compare", "--fail-on", "regression").exit_code == 0
    assert history(path, "compare", "2", "1", "--fail-on", "significant").exit_code == 1
    assert history(path, "compare", "2", "1", "--fail-on", "regression").exit_code == 1


def test_what_people_said_counts_before_any_metric(tmp_path: Path) -> None:
    path, said = tmp_path / "evals.sqlite3", tmp_path / "said.csv"
    for number in (1, 2):
        kept(path, readings())
        rows = [f"q{at},correct,{2 - number}" for at in range(COUNT)]
        said.write_text("\n".join(["id,label,value", *rows]))
        assert history(path, "label", str(number), str(said)).exit_code == 0
    found = history(path, "compare", "--fail-on", "worse")

    assert found.stdout.splitlines()[2].startswith("what people said")
    assert found.stdout.splitlines()[0].endswith("40 questions in both; people: correct 1.000 → 0.000")
    assert "p is corrected for 1 test: 1 label" in found.stdout.splitlines()
    assert found.stdout.splitlines()[-2:] == [
        "significantly worse: correct (label)",
        "40 questions no longer passed, 0 questions newly passed",
    ]
    assert found.exit_code == 1


def test_what_did_not_move_is_said_to_be_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "evals.sqlite3"
    for _ in range(2):
        kept(path, readings())
    lines = history(path, "compare", "--fail-on", "worse").stdout.splitlines()

    (line,) = (line.split() for line in lines if line.startswith("semantic_similarity"))
    assert line[1:] == ["40", line[2], line[2], "+0.000", "+0.00", "0%", "0%", "unchanged"]
    assert not any("p is corrected" in line for line in lines)
    assert lines[-1] == "no significant change"
    (course,) = (line for line in history(path, "trend").stdout.splitlines() if line.startswith("semantic"))
    assert course.split()[-1] == "unchanged"


@pytest.mark.parametrize(
    ("columns", "size", "said"),
    [
        (("lexical_aggregate",), COUNT, "only before: `semantic_similarity` by `minilm`"),
        (("lexical_aggregate", "semantic_similarity@minilm"), COUNT - 1, "questions only before: 1"),
    ],
)
def test_what_is_gone_cannot_be_said_not_to_be_worse(
    store: Path, columns: tuple[str, ...], size: int, said: str
) -> None:
    kept(store, {name: readings()[name][:size] for name in columns})
    found = history(store, "compare", "1", "3", "--fail-on", "worse", "--json")

    assert f"not judged: {said}" in found.stderr
    assert json.loads(found.stdout)["after"]["run"] == 3
    assert found.exit_code == 3
    assert history(store, "compare", "1", "3").exit_code == 0


def test_of_too_few_questions_it_cannot_be_said_that_they_are_not_worse(tmp_path: Path) -> None:
    path = tmp_path / "evals.sqlite3"
    for read in (readings(), readings(-0.1, 1)):
        kept(path, {metric: values[:10] for metric, values in read.items()})
    found = history(path, "compare", "--fail-on", "worse")

    assert "not judged: fewer than 20 questions have a number in both" in " ".join(found.stderr.split())
    assert found.exit_code == 3


def test_a_run_that_is_not_whole_cannot_be_said_not_to_be_worse(tmp_path: Path) -> None:
    path = tmp_path / "evals.sqlite3"
    for count in (2, 1):
        passed_over(path, list(range(count)))
    found = history(path, "compare", "1", "2", "--fail-on", "worse")

    assert "not judged: the run 2 is not complete: 1 of 2 are missing" in found.stderr
    assert found.exit_code == 3


def test_a_run_is_not_compared_with_itself(store: Path) -> None:
    found = history(store, "compare", "2", "latest")

    assert "the run 2 cannot be compared with itself; name two runs" in found.stderr
    assert found.exit_code == 2


def test_a_long_text_is_cut_in_the_time_of_a_short_one() -> None:
    def seconds(size: int) -> float:
        text = "q" * size
        return min(timeit.repeat(lambda: cut(text), number=1, repeat=5))

    assert seconds(16_000) < 16 * seconds(1000)
    assert cut("q" * 16_000) == "q" * (MAX_CELL_CHARS - 1) + "…"
    assert cut("q" * MAX_CELL_CHARS) == "q" * MAX_CELL_CHARS
    assert cell_len(cut("字" * MAX_CELL_CHARS)) <= MAX_CELL_CHARS


def test_a_question_in_other_words_is_not_compared(store: Path) -> None:
    kept(store, readings(), pairs=questions(COUNT, q7="Seven."))
    found = history(store, "compare", "1", "3")

    assert "39 questions in both" in found.stdout
    assert "1 question worded otherwise, so not compared: q7" in found.stdout


def test_questions_without_ids_are_found_again_whatever_was_retrieved(tmp_path: Path) -> None:
    path = tmp_path / "evals.sqlite3"
    for passage in ("one", "two"):
        pairs = [Item(f"What is {at}?", str(at), (passage,)) for at in range(COUNT)]
        kept(path, readings(), pairs=pairs)

    assert "40 questions in both" in history(path, "compare").stdout


def test_a_trend_is_told_in_brief_and_run_by_run(store: Path) -> None:
    brief = history(store, "trend")
    whole = history(store, "trend", "--metric", "semantic_similarity")

    assert "runs 1 to 2; changes are those since the run before" in brief.stdout
    (line,) = (line for line in brief.stdout.splitlines() if line.startswith("semantic_similarity"))
    assert line.endswith("<0.001")
    *lines, told = whole.stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["semantic_similarity", "run", "1", "2"]
    assert told == "p allows for 1 change of headline metrics"
    assert "p allows for 2 changes of headline metrics" in brief.stdout.splitlines()
    told = json.loads(history(store, "trend", "--json").stdout)
    assert {"run", "name", "at", "metric", "encoder", "n", "mean", "low", "high", "na"} <= set(told[0])


def test_a_trend_tells_questions_in_other_words_apart(store: Path) -> None:
    kept(store, readings(), pairs=questions(COUNT, q7="Seven."))
    told = json.loads(history(store, "trend", "--metric", "semantic_similarity", "--json").stdout)

    assert [one["shared"] for one in told] == [0, 39, 38]


def test_encoders_of_one_run_are_held_against_each_other(store: Path) -> None:
    columns = readings()
    own = columns["semantic_similarity@minilm"]
    kept(store, columns | {"semantic_similarity@large": [None if one is None else one / 2 for one in own]})
    found = history(store, "encoders")

    assert "semantic_similarity of 40 answers" in found.stdout
    assert "ranks agree   1.000" in found.stdout
    (told,) = json.loads(history(store, "encoders", "--json").stdout)
    assert {told["one"], told["other"]} == {"minilm", "large"}


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["show", "9"], "there is no run `9`"),
        (["show", "1", "--metric", "blue"], "`blue` is not a known metric of the run 1"),
        (["show", "1", "--question", "q400"], "the run 1 has no question `q400`; did you mean `q"),
        (["show", "1", "--question", "zz"], " -o rows.csv` writes them all"),
        (["compare", "1", "2", "--fail-on", "wors"], "did you mean `worse`?"),
        (["compare", "1", "2", "--alpha", "5"], "`alpha` must be a number between 0 and 1; got 5.0"),
        (["trend", "--metric", "lexical"], "did you mean `lexical_aggregate`?"),
        (["trend", "--project", "nowhere"], "no run was found: `nowhere` is not a known project"),
        (["encoders", "1"], "by one encoder only, `minilm`"),
        (
            ["agreement"],
            "no answer of the run 2 has a label; add some with `sensecheck runs label 2 ",
        ),
        (["list", "--store", "mysql://x/y"], "is no store; wanted"),
    ],
)
def test_what_cannot_be_shown_is_an_error(store: Path, arguments: list[str], complaint: str) -> None:
    found = history(store, *arguments)

    assert complaint in found.stderr
    assert found.exit_code == 2


def test_looking_makes_no_store_where_none_is(tmp_path: Path) -> None:
    found = history(tmp_path / "none.sqlite3", "list")

    assert "there is no store" in found.stderr
    assert found.exit_code == 2
    assert os.listdir(tmp_path) == []  # noqa: PTH208 - names alone


def test_a_trend_of_several_projects_wants_one_of_them(store: Path) -> None:
    kept(store, readings(), project="other")

    assert "say which with `--project`: atlas, other" in history(store, "trend").stderr


def test_a_terminal_gets_a_line_that_shows_how_it_went_and_a_pipe_does_not(store: Path) -> None:
    wide = history(store, "trend", FORCE_COLOR="1", COLUMNS="120").stdout

    assert "█▁" in wide
    assert "█" not in history(store, "trend").stdout


@pytest.mark.parametrize("verb", ["list", "show", "compare", "trend"])
def test_a_narrow_terminal_gets_short_lines(store: Path, verb: str) -> None:
    narrow = Text.from_ansi(history(store, verb, FORCE_COLOR="1", COLUMNS="60").stdout)

    assert max(cell_len(line) for line in narrow.plain.splitlines()) <= 60


def test_a_strangers_text_does_not_steer_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "evals.sqlite3"
    pairs = [Item(HOSTILE, HOSTILE, slices={"topic": HOSTILE}, id=f"{HOSTILE}{at}") for at in range(COUNT)]
    for step in (0.0, -0.1):
        kept(path, readings(step), pairs=pairs, name=HOSTILE)
    printed = "".join(
        history(path, *verb).stdout
        for verb in (["list"], ["show"], ["show", "--question", f"{HOSTILE}1"], ["compare"], ["trend"])
    )

    assert "\x1b" not in printed
    assert "\\x1b[31mred" in printed


@pytest.mark.database
def test_a_store_of_postgresql_is_read_the_same_way(tmp_path: Path) -> None:
    from sensecheck.store.upgrade import upgrade

    with postgresql_database() as address:
        upgrade(address)
        kept(address, readings(), labels={"correct": [float(at % 2) for at in range(COUNT)]})
        kept(address, readings(-0.1, 1), pairs=questions(COUNT, q7="Seven."))
        found = history("", "compare", "--store", address)

        assert "significantly worse: semantic_similarity" in found.stdout, found.stderr
        assert (
            "answer    I think 5." in history("", "show", "1", "--question", "q5", "--store", address).stdout
        )
        assert "AUROC" in history("", "agreement", "1", "--store", address).stdout
        for verb, name in (("export", "out.csv"), ("report", "out.html")):
            written = history("", verb, "1", "-o", str(tmp_path / name), "--store", address)
            assert written.exit_code == 0, written.stderr


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["show"], "one of them in full: sensecheck runs show 2 --question ID"),
        (["show", "9"], "or its id; `sensecheck runs list"),
        (["show", "--question", "zzzzzzzz"], "`sensecheck runs export 2"),
        (["agreement", "1"], "`sensecheck runs label 1 FILE"),
        (["trend", "--project", "nobody"], "`sensecheck runs list"),
    ],
)
def test_a_hint_names_the_run_and_the_store_that_it_speaks_of(
    made: Path, arguments: list[str], hint: str
) -> None:
    found = typed("history", *arguments, "--store", str(made))

    assert f"{hint} --store sqlite:///{made}" in found.stdout + found.stderr


def test_where_the_store_is_the_usual_one_a_hint_does_not_name_it(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".sensecheck").mkdir()
    shutil.copy(made, ".sensecheck/evals.sqlite3")

    assert "sensecheck runs show 2 --question ID\n" in typed("history", "show").stdout
