"""`sensecheck eval` as a newcomer types it."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sensecheck.runs.sql import EvalStore
from tests.servers import serving
from tests.walks.cli import started, typed

ROWS = [
    {
        "id": "paris",
        "question": "Capital of France?",
        "expected": "Paris.",
        "answer": "It is Paris.",
        "ok": 1,
    },
    {"id": "ten", "question": "How many fingers?", "expected": "Ten.", "answer": "Nine.", "ok": 0},
    {"id": "sky", "question": "Colour of the sky?", "expected": "Blue.", "answer": "Blue.", "ok": 1},
]
FEW = ("--metric", "bleu", "--metric", "semantic_similarity")
STORE = ".sensecheck/evals.sqlite3"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with serving("answers.py") as address:
        yield address


def written(rows: list[dict[str, Any]] = ROWS, name: str = "questions.jsonl") -> str:
    Path(name).write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return name


def without(*columns: str) -> list[dict[str, Any]]:
    return [{name: value for name, value in row.items() if name not in columns} for row in ROWS]


def evaluated(*arguments: str, **environment: str) -> Any:
    return typed("eval", *arguments, *(() if "--metric" in arguments else FEW), **environment)


def kept() -> EvalStore:
    return EvalStore.open(STORE)


@pytest.mark.core
def test_recorded_answers_are_read_kept_and_summed_up() -> None:
    found = evaluated(written(), "--label", "ok", "--name", "first try")

    lines = found.stdout.splitlines()
    assert found.exit_code == 0, found.stderr
    assert lines[0].split() == ["metric", "n", "mean", "95", "%", "n/a"]
    assert lines[1].split()[:2] == ["bleu", "3"]
    assert lines[3] == "3 questions, 3 answered"
    assert "run 1 (first try) of the project questions is stored in sqlite:///" in found.stdout
    assert "look at it: sensecheck runs show 1" in found.stdout
    assert "runs compare" not in found.stdout
    assert found.stderr == ""
    table = kept().table(kept().run("latest"))
    assert table.names == ("paris", "ten", "sky")
    assert list(table.labels["ok"]) == [1, 0, 1]


def test_hints_name_the_store_that_was_named() -> None:
    evaluated(written(), "--ignore", "ok", "--store", "our evals.sqlite3")
    found = evaluated(written(), "--ignore", "ok", "--store", "our evals.sqlite3")

    named = "--store 'sqlite:///our evals.sqlite3'"
    assert f"look at it: sensecheck runs show 2 {named}\n" in found.stdout
    assert f"sensecheck runs compare 1 2 {named}\n" in found.stdout


@pytest.mark.core
def test_a_second_run_says_how_to_compare() -> None:
    evaluated(written(), "--ignore", "ok")
    found = evaluated(written(), "--ignore", "ok")

    assert "compare it with the run before: sensecheck runs compare 1 2" in found.stdout


def test_the_run_to_compare_with_is_a_whole_one_of_the_same_test() -> None:
    path = written(without("ok"))
    evaluated(path)
    evaluated(path, "--test", "other")
    evaluated(path, "--project", "elsewhere")
    store = kept()
    whole = store.run("1")
    store.begin(whole.test, whole.set, encoder=whole.encoder, conditions=whole.conditions)
    store.close()

    assert "runs compare" not in evaluated(path, "--test", "new").stdout
    assert "sensecheck runs compare 1 6" in evaluated(path).stdout


def test_what_nobody_explained_is_told_once_and_not_taken() -> None:
    found = evaluated(written())

    assert found.exit_code == 0
    assert found.stderr.count("note: columns that are not read: `ok`; `--slice`") == 1


def test_programs_get_one_object() -> None:
    found = evaluated(written(), "--label", "ok", "--json")

    told = json.loads(found.stdout)
    assert (told["run"], told["questions"], told["unanswered"], told["exit_code"]) == (1, 3, 0, 0)
    assert [one["metric"] for one in told["metrics"]] == ["bleu", "semantic_similarity"]
    assert set(told["metrics"][0]) == {
        *("metric", "encoder", "n", "mean", "low", "high", "mean_blank_as_0"),
        *("na", "unread", "missing", "because"),
    }


def test_slices_ids_and_names_are_kept() -> None:
    rows = [row | {"topic": "places" if row["id"] == "paris" else "bodies"} for row in ROWS]
    found = evaluated(
        *(written(rows), "--slice", "topic", "--ignore", "ok"),
        *("--project", "atlas", "--test", "nightly", "--name", "n1"),
    )

    run = kept().run("latest", project="atlas")
    assert found.exit_code == 0, found.stderr
    assert (run.test.name, run.name) == ("nightly", "n1")
    assert [one["topic"] for one in kept().table(run).slices] == ["places", "bodies", "bodies"]


def test_answers_may_lie_in_a_file_of_their_own() -> None:
    answers = [{"id": "ten", "answer": "Ten."}, {"question": "Capital of France?", "answer": "Paris."}]
    found = evaluated(
        written(without("answer", "ok")),
        "--answers",
        written([*answers, {"id": "who", "answer": "Me."}], "answers.jsonl"),
    )

    assert found.exit_code == 3
    assert "3 questions, 2 answered" in found.stdout
    assert "1 not answered: no recorded answer" in found.stdout
    assert "note: 1 recorded answer was for no question" in found.stderr
    told = [one.scored for one in kept().answers(kept().run("latest"))]
    assert [one.answer for one in told] == ["Paris.", "Ten.", None]
    assert told[2].error == "no recorded answer"
    assert told[2].readings == ()


def test_the_latest_questions_of_a_project_can_be_answered_again() -> None:
    evaluated(written(), "--ignore", "ok", "--project", "atlas")
    answers = written([{"id": row["id"], "answer": row["expected"]} for row in ROWS], "answers.jsonl")

    found = evaluated("--project", "atlas", "--answers", answers)

    first, second = kept().runs(project="atlas")
    assert found.exit_code == 0, found.stderr
    assert second.set == first.set
    column = kept().table(second).column("semantic_similarity")
    assert column is not None
    assert list(column) == pytest.approx([1, 1, 1])


def test_several_encoders_read_in_one_run() -> None:
    found = evaluated(written(), "--ignore", "ok", "--encoder", "hashing", "--encoder", "minilm")

    assert found.exit_code == 0, found.stderr
    assert "semantic_similarity (hashing)" in found.stdout
    assert "semantic_similarity (minilm)" in found.stdout
    metrics = kept().table(kept().run("latest")).metrics
    assert [one.encoder for one in metrics if one.name == "semantic_similarity"] == ["hashing", "minilm"]


def test_metrics_that_compare_no_meaning_load_no_encoder() -> None:
    found = evaluated(written(), "--ignore", "ok", "--metric", "bleu", SENSECHECK_ENCODER="onnx:nowhere")

    assert found.exit_code == 0, found.stderr
    assert kept().run("latest").encoder == ""


def test_guards_take_passages_away_before_the_metrics_see_them() -> None:
    rows = [row | {"passages": [row["expected"], "Something else entirely."]} for row in without("ok")]
    found = evaluated(written(rows), "--top-k", "1", "--metric", "retrieval_closeness")

    (one, *_) = kept().answers(kept().run("latest"))
    assert found.exit_code == 0, found.stderr
    assert len(one.scored.passages or ()) == 1
    assert kept().run("latest").conditions["guards"] == [{"top": 1}]


def test_references_that_cannot_be_judged_are_an_error_row_and_no_empty_prompt(server: str) -> None:
    rows = without("answer", "ok")
    rows[1]["passages"] = ["Ten it is.", ""]
    found = evaluated(written(rows), "--top", "1", "--ask", f"openai:{server}/v1#tiny", "--no-cache")

    told = [one.scored for one in kept().answers(kept().run("latest"))]
    assert found.exit_code == 3
    assert told[1].answer is None
    assert told[1].error is not None
    assert told[1].error.startswith("its references could not be judged: passage 2 cannot be read")
    assert told[0].answer is not None


def test_a_model_is_asked_with_question_and_references(server: str) -> None:
    rows = without("answer", "ok")
    rows[0]["passages"] = ["France has a <capital>."]
    Path("prompt.txt").write_text("Q: {question} R: {references}")
    where = f"openai:{server}/v1#tiny?temperature=0.5"
    found = evaluated(written(rows), "--ask", where, "--prompt", "prompt.txt", "--no-cache")

    run = kept().run("latest")
    first, second, _ = (one.scored for one in kept().answers(run))
    assert found.exit_code == 0, found.stderr
    assert first.answer is not None
    assert first.answer.startswith("tiny heard Q: Capital of France? R: <references>")
    assert "France has a &lt;capital>." in first.answer
    assert second.answer == "tiny heard Q: How many fingers? R: "
    assert first.latency_ms is not None
    assert run.test.generation["model"] == "tiny"
    assert run.test.generation["parameters"] == {"temperature": 0.5}


@pytest.mark.core
def test_a_failed_question_is_told_and_has_no_readings(server: str) -> None:
    rows = without("answer", "ok")
    rows[2]["question"] = "!wrong"
    Path("prompt.txt").write_text("{question}")
    found = evaluated(
        *(written(rows), "--ask", f"openai:{server}/v1#tiny", "--prompt", "prompt.txt", "--no-cache")
    )

    assert found.exit_code == 3
    assert "1 not answered: `http://" in found.stdout
    assert "400 Bad Request" in found.stdout
    told = [one.scored for one in kept().answers(kept().run("latest"))]
    assert (told[2].answer, told[2].readings) == (None, ())


def test_a_model_that_nobody_reaches_is_told_and_all_its_questions_are_asked_again_later(server: str) -> None:
    path = written(without("answer", "ok"))
    quick = {"SENSECHECK_RETRIES": "0"}
    away = evaluated(path, "--ask", "openai:http://127.0.0.1:9/v1#tiny", "--no-cache", **quick)

    assert away.exit_code == 3
    assert "no answer from `http://127.0.0.1:9/v1" in away.stderr
    assert "nothing was evaluated; try again with `--resume 1` and the same options" in " ".join(
        away.stderr.split()
    )
    assert away.stdout == ""
    run = kept().run("1")
    assert (run.done, run.finished_at) == (0, None)


def test_a_run_is_called_by_whose_answers_it_is_about_unless_it_has_a_name(server: str) -> None:
    questions = written(without("answer", "ok"))
    evaluated(questions, "--answers", written(without("question", "expected", "ok"), "first.jsonl"))
    evaluated(questions, "--ask", f"openai:{server}/v1#tiny", "--no-cache")
    evaluated(questions, "--ask", f"openai:{server}/v1#tiny", "--no-cache", "--name", "cold")

    assert [run.name for run in kept().runs()] == ["first", "tiny", "cold"]


def test_metrics_that_lack_the_same_are_told_in_one_line() -> None:
    rows = [*without("ok"), {"question": "Well?", "answer": "Yes."}]
    names = ("bleu", "rouge_l", "squad_em", "content_f1", "fact_agreement")
    found = evaluated(written(rows), *(word for name in names for word in ("--metric", name)))

    assert "1 question has no expected answer: 5 metrics do not apply to it" in found.stdout
    assert found.stdout.count("not apply") == 1


def test_guards_of_questions_without_passages_are_told_to_have_nothing_to_do() -> None:
    found = evaluated(written(without("ok")), "--top", "2")

    assert "no question has passages: the guards have nothing to do" in found.stderr


def test_a_project_that_is_mistyped_is_told_before_anything_is_read() -> None:
    evaluated(written(), "--label", "ok", "--project", "atlas")

    found = evaluated("--project", "atlsa", "--answers", written())
    shown = typed("history", "show", "--project", "atlsa")

    assert (found.exit_code, shown.exit_code) == (2, 2)
    for told in (found, shown):
        assert "`atlsa` is not a known project; did you mean `atlas`? known: `atlas`" in told.stderr


def test_keys_are_sent_by_name_only_and_kept_nowhere(server: str) -> None:
    rows = [{"question": "!quotes-key please", "expected": "x"}]
    Path("prompt.txt").write_text("{question}")
    address = server.replace("http://", "http://someone:sesame123@")
    found = evaluated(
        *(written(rows), "--model", f"openai:{address}/v1#tiny", "--prompt", "prompt.txt"),
        *("--api-key-env", "MY_KEY", "--no-cache", "--concurrency", "1"),
        MY_KEY="very-secret-key-1",
    )

    assert found.exit_code == 3
    content = b"".join(path.read_bytes() for path in Path(".sensecheck").iterdir())
    for secret in ("very-secret-key-1", "sesame123"):
        assert secret not in found.stdout + found.stderr
        assert secret.encode() not in content


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "name a file of questions, or with `--project` a project"),
        (("--project", "atlas"), "a project has questions, and no answers; name `--answers` or `--model`"),
        (("--project", "atlas", "--ask", "openai:x#y"), "`--model` must be `openai:http://localhost"),
        (("q.jsonl", "--ask", "openai:http://h/v1#m", "--answers", "q.jsonl"), "name one of them"),
        (("q.jsonl", "--ask", "openai:http://h/v1#m"), "line 1 of `q.jsonl` has an answer, and `--model`"),
        (("q.jsonl", "--answers", "q.jsonl"), "`--ignore-column answer` leaves that of the file unread"),
        (("q.jsonl", "--prompt", "p.txt"), "`--prompt` is for `--model`, which was not given"),
        (("q.jsonl", "--ask", "openai:http://h/v1#m", "--label", "ok"), "`--label` is about recorded"),
        (("q.jsonl", "--metric", "blue"), "`blue` is not a known metric; did you mean `bleu`?"),
        (("q.jsonl", "--metric", "faithfulness"), "`squad_token_f1`, or any registered measure"),
        (
            ("q.jsonl", "--slice", "okay"),
            "`--slice okay`: no row has it: `okay` is not a known column of `q.jsonl`; did you mean `ok`?",
        ),
        (
            ("q.jsonl", "--column", "id=key"),
            "`--column id=key`: no row has it: `key` is not a known column of",
        ),
        (
            ("--project", "x", "--answers", "q.jsonl"),
            "there is no project `x`: no evaluation is stored yet; make",
        ),
        (("q.jsonl", "--encoder", "hashing", "--encoder", "hashing"), "was given twice"),
        (("q.jsonl", "--encoder", "hashing", "--metric", "bleu"), "`--encoder` is for metrics that compare"),
        (("q.jsonl", "--metric", "answer_relevance"), "there is no judge for `answer_relevance`"),
        (("q.jsonl", "--guard", "c.yaml", "--top", "2"), "`--guard` has all guards; got `--top"),
        (("q.jsonl", "--resume", "7"), "there is no run `7` in the project `q`"),
        (("q.txt",), "must have a name that ends with one of `.jsonl`"),
        (("q.jsonl", "--store", "mysql://x/y"), "is no store; wanted `postgresql://"),
    ],
)
def test_what_makes_no_sense_is_a_two_and_says_what_to_do(arguments: tuple[str, ...], message: str) -> None:
    written(name="q.jsonl")

    found = typed("eval", *arguments)

    assert found.exit_code == 2, found.stdout
    assert message in found.stderr


def test_a_file_without_answers_says_where_they_could_come_from() -> None:
    found = evaluated(written(without("answer", "ok")))

    assert found.exit_code == 2
    assert "no row of `questions.jsonl` has an `answer`" in found.stderr
    assert "`--model openai:URL#MODEL`" in found.stderr


def test_a_wrong_row_is_told_with_its_line_and_nothing_is_run() -> None:
    found = evaluated(written([*ROWS, {"question": "Why?", "expected": 7}]))

    assert found.exit_code == 2
    assert "line 4 of `questions.jsonl`: `expected` must be a string; got `7`" in found.stderr
    assert kept().runs() == []


def test_an_empty_answer_is_no_failure_and_its_zero_has_its_reason() -> None:
    rows = [*without("ok"), {"question": "Well?", "expected": "Yes.", "answer": ""}]
    found = evaluated(written(rows), "--metric", "fact_agreement", "--metric", "bleu")

    assert found.exit_code == 0, found.stderr
    assert "4 questions, 4 answered\n" in found.stdout
    *_, last = kept().answers(kept().run("latest"))
    (facts,) = (one for one in last.scored.readings if one.metric == "fact_agreement")
    assert (facts.value, facts.because) == (0.0, "the answer is empty, which counts as 0")
    assert "question 4" not in found.stderr


def test_a_blank_answer_that_is_missing_in_a_mean_is_a_three_and_said_beside_it() -> None:
    rows = [row | {"passages": [f"The answer: {row['answer']}"]} for row in without("ok")]
    blank = {"question": "Well?", "expected": "Yes.", "passages": ["Yes."], "answer": " \n"}
    chosen = (written([*rows, blank]), "--metric", "grounded", "--metric", "bleu")
    found = evaluated(*chosen, SENSECHECK_ENCODER="minilm")
    told = json.loads(evaluated(*chosen, "--json", SENSECHECK_ENCODER="minilm").stdout)

    (mean,) = (one["mean_blank_as_0"] for one in told["metrics"] if one["metric"] == "grounded")
    assert found.exit_code == told["exit_code"] == 3
    assert f"grounded: n/a for 1: 1 nothing to read (mean {mean:.3f} with 0 for them)" in found.stdout


def test_texts_without_words_for_a_metric_are_told() -> None:
    rows = [{"question": "Capital?", "expected": "\u6771\u4eac", "answer": "\u5927\u962a"}]
    found = evaluated(written(rows), "--metric", "rouge_l", "--json")

    assert json.loads(found.stdout)["notes"] == [
        "`rouge_l` had no words to compare in 1 answer, and reads 0 there"
    ]


def test_a_metric_that_was_named_and_read_nothing_is_listed_and_a_three() -> None:
    found = evaluated(written(without("ok")), "--metric", "bleu", "--metric", "retrieval_closeness", "--json")

    told = json.loads(found.stdout)
    assert found.exit_code == told["exit_code"] == 3
    assert [(one["metric"], one["n"], one["na"]) for one in told["metrics"]] == [
        ("bleu", 3, 0),
        ("retrieval_closeness", 0, 3),
    ]
    assert "`retrieval_closeness` read none of 3 answers: does not apply" in found.stderr


def test_guards_that_leave_nothing_are_a_three_and_so_is_a_prompt_that_held_nothing_read() -> None:
    rows = [row | {"passages": ["Something else entirely."]} for row in without("ok")]
    found = typed("eval", written(rows), "--above", "0.99", "--json", SENSECHECK_VERIFIER="off")

    assert found.exit_code == 3
    assert "`retrieval_closeness` read none of 3 answers" in found.stderr
    assert [one.scored.passages for one in kept().answers(kept().run("latest"))] == [()] * 3


def test_an_answer_whose_prompt_held_nothing_is_not_read_beside_the_passages_of_its_question() -> None:
    rows = [row | {"passages": ["Something else."]} for row in without("ok", "answer")]
    told = [{"id": row["id"], "answer": "Yes.", "passages": []} for row in ROWS[:2]]
    answers = written([*told, {"id": "sky", "answer": "Blue."}], "answers.jsonl")
    found = evaluated(written(rows), "--answers", answers, "--metric", "retrieval_closeness", "--json")

    assert json.loads(found.stdout)["metrics"][0]["n"] == 1
    assert [one.scored.passages for one in kept().answers(kept().run("1"))] == [(), (), None]


def test_a_run_that_goes_on_reads_the_same_columns_and_keeps_its_names() -> None:
    path = written([row | {"response": "No.", "sure": 1} for row in ROWS])
    what = (path, "--ignore", "response", "--label", "ok", "--name", "n1")
    evaluated(*what)
    store = kept()
    whole = store.run("1")
    store.begin(whole.test, whole.set, name="n1", encoder=whole.encoder, conditions=whole.conditions)
    store.close()

    changed = "the columns of answers or labels changed since it began"
    others = (path, "--ignore", "answer", "--label", "ok"), (path, "--ignore", "response", "--label", "sure")
    for other in others:
        assert changed in evaluated(*other, "--resume", "2").stderr
    assert "`--name n2` is not that of the run 2" in evaluated(*what[:-1], "n2", "--resume", "2").stderr
    assert "`--test t` is not that of the run 2" in evaluated(*what, "--test", "t", "--resume", "2").stderr
    assert evaluated(*what, "--resume", "2").exit_code == 0


def test_parameters_that_could_be_a_key_are_refused_and_not_repeated() -> None:
    path = written(without("answer", "ok"))
    for parameter in ("apiKey=sk-secret-1", "sk-secret-1"):
        found = evaluated(path, "--ask", f"openai:http://127.0.0.1:9/v1#m?{parameter}")

        assert found.exit_code == 2
        assert "`--api-key-env VARIABLE`" in found.stderr
        assert "sk-secret-1" not in found.stderr


def test_the_address_of_an_encoder_is_kept_without_password_and_query() -> None:
    with serving("embeddings.py") as endpoint:
        address = endpoint.replace("http://", "http://someone:sesame123@")
        named = f"openai:{address}/one/v1?key=very-secret-2#good"
        path = written(without("ok"))
        given = evaluated(path, "--encoder", named, "--html", "page.html")
        read = evaluated(path, "--html", "other.html", SENSECHECK_ENCODER=named)
        twice = evaluated(path, "--encoder", named, "--encoder", named)

    assert given.exit_code == read.exit_code == 0, given.stderr + read.stderr
    shown = f"openai:{endpoint}/one/v1#good"
    assert kept().run("1").test.embedding == kept().run("2").test.embedding == {"encoders": [shown]}
    files = (*Path(".sensecheck").iterdir(), Path("page.html"), Path("other.html"))
    content = b"".join(path.read_bytes() for path in files)
    said = "".join(one.stdout + one.stderr for one in (given, read, twice))
    for secret in ("sesame123", "very-secret-2"):
        assert secret not in said
        assert secret.encode() not in content


def test_a_prompt_that_no_database_keeps_is_refused() -> None:
    Path("prompt.txt").write_text("{question}\0")
    path = written(without("answer", "ok"))
    found = evaluated(path, "--ask", "openai:http://127.0.0.1:9/v1#m", "--prompt", "prompt.txt")

    assert found.exit_code == 2
    assert "NUL" in found.stderr


WITHOUT = """
import sys
package = sys.argv[1]
class Gone:
    def find_spec(self, name, *_):
        if name.partition(".")[0] == package:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Gone())
from sensecheck.cli.main import main
sys.argv = ["sensecheck", *sys.argv[2:]]
main()
"""


@pytest.mark.parametrize("package", ["alembic", "sqlalchemy", "rapidfuzz"])
def test_without_a_package_the_extra_that_brings_it_is_named(package: str) -> None:
    command = [sys.executable, "-c", WITHOUT, package, "eval", written(without("ok")), "--metric", "bleu"]
    found = subprocess.run(command, capture_output=True, timeout=60, text=True)

    assert found.returncode != 0
    assert "pip install 'sensecheck[eval]'" in " ".join(found.stderr.split())
    assert "Traceback" not in found.stderr


@pytest.mark.parametrize(
    ("model", "why"), [("", "could not be reached, tried 1 x"), ("refuses", "answered 401 Unauthorized")]
)
def test_an_encoder_that_is_away_is_told_early_and_all_else_is_read(model: str, why: str) -> None:
    with serving("embeddings.py") as endpoint:
        named = f"openai:{endpoint}/one/v1#{model}" if model else "openai:http://127.0.0.1:9/v1#away"
        settings = {"SENSECHECK_RETRIES": "0", "SENSECHECK_API_KEY": "very-secret-key-1"}
        path = written(without("ok"))
        found = evaluated(path, "--encoder", named, "--html", "page.html", **settings)
        again = evaluated(path, "--encoder", named, "--json", **settings)

    assert found.exit_code == again.exit_code == 3
    assert found.stderr.count("note: none of the first 3 answers could be read by `semantic_similarity`") == 1
    assert why in found.stderr
    assert "the run continues" in found.stderr
    assert "n/a for 3: 3 could not be read: `http://" in found.stdout
    assert "very-secret-key-1" not in found.stdout + found.stderr + Path("page.html").read_text()
    bleu, similar = json.loads(again.stdout)["metrics"]
    assert (bleu["n"], bleu["na"], similar["n"], similar["na"]) == (3, 0, 0, 3)
    assert why in similar["because"]
    assert json.loads(again.stderr)["note"].startswith("none of the first 3 answers")
    read = [one for told in kept().answers(kept().run("1")) for one in told.scored.readings]
    assert [one.value is None for one in read] == [False, True] * 3


def test_a_run_whose_encoder_is_away_now_says_so_and_does_not_go_on() -> None:
    path = written(without("ok"))
    with serving("embeddings.py") as endpoint:
        what = (path, "--encoder", f"openai:{endpoint}/one/v1#good")
        evaluated(*what)
        store = kept()
        whole = store.run("1")
        store.begin(whole.test, whole.set, encoder=whole.encoder, conditions=whole.conditions)
        store.close()
    found = evaluated(*what, "--resume", "2", SENSECHECK_RETRIES="0")

    assert found.exit_code == 3
    assert "could not be reached" in found.stderr
    assert "changed" not in found.stderr


def test_a_run_goes_on_only_under_the_same_conditions() -> None:
    path = written()
    evaluated(path, "--label", "ok")

    assert "the run 1 is complete" in evaluated(path, "--label", "ok", "--resume", "1").stderr


def test_the_real_model_reads_what_applies_in_a_process_of_its_own() -> None:
    rows = [row | {"passages": [row["expected"]]} for row in without("ok")]
    found = started("eval", written(rows), "--json")

    told = json.loads(found.stdout)
    assert found.returncode == 0, found.stderr
    assert {one["metric"] for one in told["metrics"]} >= {
        *("bleu", "rouge_l", "squad_em", "lexical_aggregate", "semantic_similarity"),
        *("recall_and_cosine", "fact_agreement", "grounded", "retrieval_closeness"),
    }
    assert found.stderr == b""


def test_help_is_quick_and_names_the_exit_codes() -> None:
    found = typed("eval", "--help")

    assert found.exit_code == 0
    assert "130  interrupted" in found.stdout
