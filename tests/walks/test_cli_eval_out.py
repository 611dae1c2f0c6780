"""Large evaluations by the command line: many files in, a folder of results out."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sensecheck.config import Settings, shard_worker
from sensecheck.core.errors import SpecError
from tests.process_table import PATIENCE, is_gone, until, workers_of
from tests.servers import serving
from tests.walks.cli import started, typed

QUICK = ("--metric", "semantic_similarity", "--metric", "squad_token_f1")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def rows(count: int) -> list[dict[str, Any]]:
    return [
        {
            "id": f"q{number}",
            "expected": f"The museum {number % 40} opens at {number % 13}.",
            "answer": f"Museum {number % 40} opens at {number % 11}.",
            "topic": f"t{number % 3}",
        }
        for number in range(count)
    ]


def written(name: str, held: list[dict[str, Any]]) -> str:
    Path(name).parent.mkdir(exist_ok=True)
    if name.endswith(".parquet"):
        pq.write_table(pa.Table.from_pylist(held), name)
    else:
        Path(name).write_text("".join(f"{json.dumps(row)}\n" for row in held))
    return name


def results(folder: str) -> list[dict[str, Any]]:
    manifest = json.loads(Path(folder, "manifest.json").read_text())
    held = [pq.read_table(Path(folder, entry["name"])).to_pylist() for entry in manifest["entries"]]
    return sorted((row for table in held for row in table), key=lambda row: (row["_input"], row["_row"]))


def test_a_run_with_the_real_model_and_the_same_command_again() -> None:
    command = ("eval", written("in/a.parquet", rows(60)), written("in/b.parquet", rows(40)), "--out", "out")
    first = started(*command, *QUICK, "--check", "means", "--workers", "1")
    assert first.returncode == 0, first.stderr
    told = first.stdout.decode()
    assert "semantic_similarity  100" in told
    assert "means" in told
    assert "look at it: sensecheck runs show 1 --store parquet:out" in told

    script = "\n".join(
        (
            "import sys",
            "from sensecheck.cli.main import main",
            "try:",
            "    main()",
            "except SystemExit as end:",
            "    print(end.code, 'onnxruntime' in sys.modules)",
        )
    )
    again = subprocess.run(
        [sys.executable, "-c", script, *command, *QUICK, "--check", "means"],
        env={**os.environ, "SENSECHECK_CACHE": "off"},
        capture_output=True,
        timeout=PATIENCE,
        check=True,
    )
    assert "this run is finished; nothing was done again" in again.stderr.decode()
    assert again.stdout.decode() == f"{told}0 False\n"
    assert not Path("out/routed").exists()


@pytest.mark.core
def test_patterns_and_folders_of_both_formats_and_what_stands_in_the_results() -> None:
    written("in/a.parquet", rows(30))
    written("more/b.jsonl", rows(20))
    told = typed("eval", "in/*.parquet", "more", "--out", "out", "--on", "inline", "--slice", "topic", *QUICK)

    assert told.exit_code == 0, told.stderr
    found = results("out")
    assert [row["id"] for row in found] == [row["id"] for row in (*rows(30), *rows(20))]
    assert list(found[0]) == [
        *("_input", "_row", "id", "expected", "answer", "topic"),
        *("semantic_similarity", "squad_token_f1", "status", "reason"),
    ]


def test_texts_can_be_left_out_of_the_results() -> None:
    told = typed(
        "eval", written("q.jsonl", rows(10)), "--store", "parquet:out", "--on", "inline", "--no-texts", *QUICK
    )

    assert told.exit_code == 0, told.stderr
    assert not {"expected", "answer", "topic"} & set(results("out")[0])
    assert "columns that are not read: `topic`" in told.stderr


@pytest.mark.core
def test_rows_that_are_errors_and_files_that_cannot_be_read_are_told_with_a_three() -> None:
    written("in/a.jsonl", rows(10))
    with Path("in/a.jsonl").open("a") as file:
        file.write("no JSON\n")
    Path("in/b.parquet").write_bytes(b"PAR1 no Parquet")
    told = typed("eval", "in", "--out", "out", "--on", "inline", "--json", *QUICK)

    assert told.exit_code == 3
    data = json.loads(told.stdout)
    assert (data["questions"], data["unanswered"], data["exit_code"]) == (11, 1, 3)
    assert {one["metric"]: one["n"] for one in data["metrics"]}["semantic_similarity"] == 10
    (note,) = data["notes"]
    assert "b.parquet` from 0 to" in note
    assert "could not be read" in note
    again = typed("eval", "in", "--out", "out", "--on", "inline", *QUICK)
    assert again.exit_code == 3
    assert "11 questions, 10 answered" in again.stdout
    assert "b.parquet` from 0 to" in again.stdout


def test_a_metric_that_was_named_and_read_nothing_is_told_with_a_three() -> None:
    held = [{**row, "question": "When?", "passages": []} for row in rows(3)]
    named = ("--metric", "squad_token_f1", "--metric", "retrieval_closeness", "--on", "inline")
    command = ("eval", written("in.jsonl", held), "--out", "out", *named)

    for _ in range(2):  # also when it is asked for again
        told = typed(*command)
        assert told.exit_code == 3
        assert "note: `retrieval_closeness` read none of 3 rows: does not apply" in told.stderr
        assert "squad_token_f1" not in told.stderr


def test_checks_come_from_a_file_and_by_their_names() -> None:
    Path("checks.yaml").write_text("- kind: drift_threshold\n  threshold: 0.4\n- kind: keeps_facts\n")
    asked = ("--check", "checks.yaml", "--check", "means", "--metric", "bleu")
    told = typed("eval", written("q.jsonl", rows(20)), "--out", "out", "--on", "inline", "--json", *asked)

    assert told.exit_code == 0, told.stderr
    counted = {one["metric"]: one["n"] + one["na"] for one in json.loads(told.stdout)["metrics"]}
    assert all(counted[name] == 20 for name in ("drift_threshold", "keeps_facts", "means"))


@pytest.mark.parametrize(
    ("options", "because"),
    [
        (
            ("--out", "out", "--ask", "openai:http://localhost/v1#m"),
            "`--model` does not go with a large run",
        ),
        (("--out", "out", "--html", "page.html"), "`--html` does not go with a large run"),
        (("--out", "out", "--at-once", "4"), "`--concurrency` does not go with a large run"),
        (("--out", "out", "--encoder", "hashing", "--encoder", "minilm"), "one encoder reads"),
        (
            ("--out", "out", "--encoder", "hashing", "--metric", "bleu"),
            "`--encoder` is for metrics",
        ),
        (("--out", ""), "must name a folder, or a prefix in a store"),
        (("--out", "out", "--workers", "0"), "`--workers` must be at least 1"),
        (("--out", "out", "--on", "inline", "--workers", "2"), "`--on inline` is this process alone"),
        (("--out", "out", "--ray-address", "auto"), "`--ray-address` is for `--on ray`"),
        (("--out", "out", "--shard-rows", "0"), "`--shard-rows` must be at least 1"),
        (("--out", "out", "--check", "mean"), "did you mean `means`"),
        (("--out", "out", "--metric", "bleau"), "bleau"),
        (("--out", "out", "--slice", "topics"), "topics"),
        (("--out", "out", "--label", "status"), "status"),
        (("--on", "processes"), "`--on` is for `--store parquet:ADDRESS`"),
        (("--without-texts",), "`--no-texts` is for `--store parquet:ADDRESS`"),
        (("q.jsonl",), "several are for `--store parquet:ADDRESS`"),
        (("--out", "out", "--store", "evals.sqlite3"), "give one of them"),
    ],
)
def test_what_does_not_go_together_is_refused_before_anything_is_done(
    options: tuple[str, ...], because: str
) -> None:
    held = [row | {"status": "new"} for row in rows(3)]
    told = typed("eval", written("q.jsonl", held), *options)

    assert told.exit_code == 2, told.output
    assert because in told.stderr
    assert not Path("out").exists()
    assert not Path(".sensecheck").exists()


def test_another_command_for_the_same_folder_says_what_is_different() -> None:
    given = written("q.jsonl", rows(10))
    assert typed("eval", given, "--out", "out", "--on", "inline", *QUICK).exit_code == 0
    told = typed("eval", given, "--out", "out", "--on", "inline", "--metric", "bleu")

    assert told.exit_code == 2
    assert "`out` holds another run" in told.stderr


def test_a_terminal_shows_a_bar_and_a_program_none() -> None:
    given = written("q.jsonl", rows(40))
    told = typed("eval", given, "--out", "a", "--on", "inline", *QUICK, FORCE_COLOR="1", COLUMNS="200")
    quiet = typed("eval", given, "--out", "b", "--on", "inline", *QUICK)

    assert "assessing rows" in told.stderr
    assert "assessing rows" not in quiet.stderr


def test_a_worker_with_another_encoder_than_the_run_was_begun_with_refuses_to_work() -> None:
    typed("eval", written("q.jsonl", rows(10)), "--out", "out", "--on", "inline", *QUICK)

    with pytest.raises(SpecError, match="and the run needs `hashing:"):
        shard_worker(Settings(encoder="minilm", cache="off"), "out")


@pytest.mark.parametrize("on", ["inline", "processes"])
def test_who_interrupts_a_run_goes_on_with_the_same_command(on: str) -> None:
    held = [*rows(60), {"id": "held", "expected": "hold", "answer": "never mind", "topic": "t0"}]
    arguments = ("eval", written("q.jsonl", held), "--out", "out", "--shard-rows", "10", *QUICK)
    command = [str(Path(sys.executable).with_name("sensecheck")), *arguments, "--on", on, "--workers", "1"]
    with serving("embeddings.py") as server:
        settings = {"SENSECHECK_CACHE": "off", "SENSECHECK_ENCODER": f"openai:{server}/one/v1#holds"}
        named = {**os.environ, **settings}
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=named) as process:
            until(lambda: process.poll() is not None or any(Path("out/results").glob("*.parquet")))
            workers = workers_of(process.pid)
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=PATIENCE)

        assert process.returncode == 130, said
        assert b"run the same command again to resume" in said
        assert b"Traceback" not in said
        until(lambda: all(is_gone(worker) for worker in workers))
        kept = set(Path("out/results").iterdir())
        again = typed(*arguments, "--on", "inline", **settings)
    assert again.exit_code == 0, again.stderr
    assert kept < set(Path("out/results").iterdir())
    assert [row["id"] for row in results("out")] == [row["id"] for row in held]
