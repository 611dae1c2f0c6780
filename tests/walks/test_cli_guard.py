"""`sensecheck guard` as a newcomer types it: JSON lines in, JSON lines or prompts out."""

import contextlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from sensecheck.calibration.library import CardLibrary
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.encoders.token_counter import token_counter
from sensecheck.retrieval.chain import Chain
from sensecheck.retrieval.dataset import RetrievalRow
from sensecheck.retrieval.guard import BATCH_SIZE, guard_each
from sensecheck.retrieval.match import Match
from tests.walks.cli import started, typed

TEA = {
    "id": "tea",
    "query": "How long does green tea steep?",
    "references": [
        "The museum opens at nine.",
        "Green tea steeps for two minutes.",
        "Black tea steeps for four minutes.",
        "Green tea steeps for 2 minutes.",
    ],
}
GIVEN = {
    "query": "When does it open?",
    "references": [
        {"text": "At noon.", "closeness": 0.2},
        {"text": "At nine.", "closeness": 0.8, "source": "hours.md", "metadata": {"lang": "en"}},
        {"text": "At ten.", "closeness": 0.5, "reference_score": 2, "encoder": "mine:1"},
    ],
}
NOTHING = {"query": "", "references": ["A text."]}


def written(folder: Path, *rows: object) -> str:
    path = folder / "retrieved.jsonl"
    lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def guarded(folder: Path, rows: Sequence[object], *options: str, **environment: str) -> Any:
    return typed("guard", written(folder, *rows), *options, **environment)


def lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


def kept(line: Any) -> list[str]:
    return [match["text"] for match in line["kept"]]


def chain_file(folder: Path, text: str, name: str = "chain.yaml") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.core
def test_without_a_guard_all_is_kept_by_closeness_and_that_is_said(tmp_path: Path) -> None:
    found = guarded(tmp_path, [GIVEN])

    (line,) = lines(found.stdout)
    assert kept(line) == ["At nine.", "At ten.", "At noon."]
    assert line["kept"][0] == GIVEN["references"][1]
    assert line["kept"][1] == GIVEN["references"][2]
    assert line["dropped"] == []
    assert "id" not in line
    assert found.stderr.startswith("note: no guard is set: all is kept, by similarity\n")
    assert found.exit_code == 0


@pytest.mark.core
def test_a_chain_drops_what_it_should_and_says_why(tmp_path: Path) -> None:
    chain = chain_file(
        tmp_path, "- above: 0.3\n- tagged: {lang: en}\n- within_chars: {chars: 8, over: skip}\n"
    )

    found = guarded(tmp_path, [GIVEN], "--chain", chain)

    (line,) = lines(found.stdout)
    assert kept(line) == ["At nine."]
    assert [(gone["text"], gone["stage"]) for gone in line["dropped"]] == [
        ("At noon.", "above"),
        ("At ten.", "tagged"),
    ]
    assert (
        line["dropped"][0]["because"] == "its similarity 0.2 is below the cutoff: at least 0.3 (uncalibrated)"
    )
    assert line["spent"] == [{"stage": "within_chars", "unit": "chars", "used": 8, "budget": 8}]
    assert found.exit_code == 0


def test_a_chain_in_json_is_the_same(tmp_path: Path) -> None:
    chain = chain_file(tmp_path, '[{"above": 0.3}, {"top": 1}]', "chain.json")

    assert kept(lines(guarded(tmp_path, [GIVEN], "--chain", chain).stdout)[0]) == ["At nine."]


def test_short_flags_stand_in_their_own_order_however_they_are_typed(tmp_path: Path) -> None:
    twins = {
        "query": "tea",
        "references": [{"text": text, "closeness": 0.9} for text in ("A tea.", "A tea.", "B")],
    }

    found = guarded(tmp_path, [twins], "--chars", "7", "--top", "2", "--distinct", "0.99", "--above", "0.5")

    (line,) = lines(found.stdout)
    assert kept(line) == ["A tea.", "B"]
    assert [gone["stage"] for gone in line["dropped"]] == ["distinct"]
    assert line["dropped"][0]["twin"]["text"] == "A tea."


def test_tokens_are_counted_in_the_block_that_is_written(tmp_path: Path) -> None:
    one = guarded(tmp_path, [GIVEN], "--tokens", "40")
    none = guarded(tmp_path, [GIVEN], "--tokens", "5")

    assert kept(lines(one.stdout)[0]) == ["At nine."]
    assert 0 < lines(one.stdout)[0]["spent"][0]["used"] <= 40
    assert kept(lines(none.stdout)[0]) == []
    assert guarded(tmp_path, [GIVEN], "--tokens", "5", "--prompt", "--empty", "say").exit_code == 2


def test_closeness_that_nobody_gave_is_measured_and_the_rest_is_kept(tmp_path: Path) -> None:
    row = {
        "query": "green tea",
        "references": [
            {"text": "the museum", "source": "a.md"},
            {"text": "green tea leaves", "source": "b.md", "metadata": {"n": 1}, "reference_score": 3},
        ],
    }

    (line,) = lines(guarded(tmp_path, [row], "--top", "1").stdout)

    (match,) = line["kept"]
    assert {key: match[key] for key in ("text", "source", "metadata", "reference_score")} == row[
        "references"
    ][1]
    assert match["closeness"] == pytest.approx(0.816, abs=0.001)
    assert match["encoder"] == "hashing:256:1"


@pytest.mark.parametrize(
    ("scale", "score", "closeness"),
    [("cosine-distance", 0.25, 0.75), ("half-cosine", 0.9, 0.8), ("squared-l2", 0.5, 0.75)],
)
def test_scores_of_stores_are_turned_into_closeness(
    tmp_path: Path, scale: str, score: float, closeness: float
) -> None:
    row = {"query": "q", "references": [{"text": "t", "score": score}]}

    (line,) = lines(guarded(tmp_path, [row], "--scale", scale).stdout)

    assert line["kept"][0]["closeness"] == pytest.approx(closeness)


def test_a_query_that_cannot_be_judged_keeps_its_place(tmp_path: Path) -> None:
    found = guarded(tmp_path, [TEA, {**NOTHING, "id": 7}, GIVEN], "--top", "1")

    tea, error, given = lines(found.stdout)
    assert tea["id"] == "tea"
    assert error == {"id": 7, "query": "", "error": "the query cannot be read: the text is empty"}
    assert kept(given) == ["At nine."]
    assert found.exit_code == 3


def test_a_line_that_was_fitted_for_another_encoder_judges_nothing(tmp_path: Path) -> None:
    card = json.loads((CardLibrary.shipped().folders[0] / "grounded.json").read_text())
    card |= {"name": "relevant", "measure": {"kind": "relevance"}, "good": "above", "encoder": "mine:1"}
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards" / "relevant.json").write_text(json.dumps(card))
    mine = [one | {"encoder": "mine:1"} for one in GIVEN["references"] if isinstance(one, dict)]
    rows: list[object] = [GIVEN, {"query": "q", "references": mine}]

    found = guarded(tmp_path, rows, "--above", "relevant", SENSECHECK_CARDS=str(tmp_path / "cards"))

    stale, judged = lines(found.stdout)
    assert stale["error"] == (
        "the cutoff was fitted for the encoder `mine:1`; it is not known which encoder is in use; put "
        "`encoder` on the references, or leave `closeness` out and it is measured"
    )
    assert f"first error        {tmp_path}/retrieved.jsonl:1: the cutoff was fitted" in found.stderr
    assert "references         6 in, " in found.stderr
    assert "not judged         3, of queries with an error" in found.stderr
    assert len(judged["kept"]) + len(judged["dropped"]) == 3
    assert found.exit_code == 3


def test_a_prompt_is_the_ready_block_and_what_is_empty_is_left_out_or_said(tmp_path: Path) -> None:
    nothing = {"query": "q", "references": []}
    block = '<references>\n\n<reference n="1" source="hours.md">\nAt nine.\n</reference>\n\n</references>\n'

    assert guarded(tmp_path, [GIVEN], "--top", "1", "--prompt").stdout == f"{block}\n"
    assert guarded(tmp_path, [nothing], "--top", "1", "--prompt").stdout == ""
    said = guarded(tmp_path, [nothing], "--top", "1", "--prompt", "--empty", "say").stdout
    assert said == "<references>\nNo valid evidence found\n</references>\n\n"


def test_a_prompt_for_programs_is_a_line_for_each_query(tmp_path: Path) -> None:
    found = guarded(
        tmp_path, [TEA, NOTHING, {"query": "q", "references": []}], "--top", "1", "--prompt", "--json"
    )

    tea, error, empty = lines(found.stdout)
    assert tea["id"] == "tea"
    assert tea["prompt"].startswith("<references>\n\n<reference n=")
    assert error["error"] == "the query cannot be read: the text is empty"
    assert empty == {"query": "q", "prompt": ""}
    assert found.stderr == ""
    assert found.exit_code == 3


def test_a_prompt_that_cannot_be_had_is_told_aside_and_no_empty_file_stands_for_it(tmp_path: Path) -> None:
    out = tmp_path / "prompt.txt"

    found = guarded(tmp_path, [NOTHING], "--top", "1", "--prompt", "-o", str(out))

    assert found.stdout == ""
    assert "retrieved.jsonl:1: the query cannot be read: the text is empty" in found.stderr
    assert found.exit_code == 3
    assert not out.exists()


def test_bare_blocks_of_several_queries_are_refused_as_nobody_could_tell_them_apart(tmp_path: Path) -> None:
    rows: list[object] = [GIVEN, {"query": "q", "references": []}]
    out = tmp_path / "prompts.txt"

    for options in ((), ("-o", str(out))):
        found = guarded(tmp_path, rows, "--top", "1", "--prompt", *options)
        assert found.stdout == ""
        assert "retrieved.jsonl:2 holds another; with `--json`, there is a line for each" in found.stderr
        assert found.exit_code == 2
    assert not out.exists()
    assert guarded(tmp_path, rows, "--top", "1", "--prompt", "--json").exit_code == 0


def test_the_block_that_is_written_is_the_one_in_which_the_chain_counted(tmp_path: Path) -> None:
    chain = chain_file(
        tmp_path,
        "- within_tokens: {tokens: 90, counter: minilm, tag: first}\n"
        "- within_tokens: {tokens: 24, counter: minilm, tag: r, empty: say, said: nothing here}\n",
    )
    long = {"query": "q", "references": [{"text": "tea " * 60, "closeness": 0.9}]}
    short = {"query": "q", "references": [{"text": "tea", "closeness": 0.9}]}

    said = guarded(tmp_path, [long], "--chain", chain, "--prompt").stdout
    held = guarded(tmp_path, [short], "--chain", chain, "--prompt").stdout
    (line,) = lines(guarded(tmp_path, [long], "--chain", chain).stdout)

    assert said == "<r>\nnothing here\n</r>\n\n"
    assert held == '<r>\n\n<reference n="1">\ntea\n</reference>\n\n</r>\n\n'
    assert line["spent"][-1]["used"] == token_counter("minilm")(said)


def test_what_an_empty_block_says_is_not_told_twice(tmp_path: Path) -> None:
    counted = chain_file(tmp_path, "- within_tokens: {tokens: 5, counter: minilm}\n")
    uncounted = chain_file(tmp_path, "- top: 1\n", "top.yaml")
    nothing = {"query": "q", "references": []}

    refused = guarded(tmp_path, [nothing], "--chain", counted, "--prompt", "--empty", "say")
    taken = guarded(tmp_path, [nothing], "--chain", uncounted, "--prompt", "--empty", "say")

    assert "write `empty: say` there" in refused.stderr
    assert (refused.stdout, refused.exit_code) == ("", 2)
    assert "No valid evidence found" in taken.stdout


def test_the_summary_counts_what_every_guard_did(tmp_path: Path) -> None:
    rows: list[object] = [GIVEN, NOTHING, {"query": "q", "references": []}]

    found = guarded(tmp_path, rows, "--above", "0.3", "--top", "1", "--chars", "16")

    assert found.stderr.splitlines() == [
        "queries            3, 1 error",
        f"first error        {tmp_path}/retrieved.jsonl:2: the query cannot be read: the text is empty",
        "references         4 in, 1 kept",
        "not judged         1, of queries with an error",
        "dropped by         above 1, top 1, within_chars 0",
        "budget used        within_chars: 4.0 of 16 chars a query (25.0%)",
        "left with nothing  1 of 2",
    ]


def test_two_budgets_of_one_name_and_size_are_told_one_by_one(tmp_path: Path) -> None:
    chain = chain_file(tmp_path, "- within_chars: 40\n- within_chars: 40\n")
    row = {"query": "q", "references": [{"text": "t" * 33, "closeness": 0.9}]}

    found = guarded(tmp_path, [row, row], "--chain", chain)

    told = [line for line in found.stderr.splitlines() if line.startswith("budget used")]
    assert told == ["budget used        within_chars: 33.0 of 40 chars a query (82.5%)"] * 2


def test_references_that_cannot_be_read_are_counted(tmp_path: Path) -> None:
    found = guarded(tmp_path, [{"query": "tea", "references": ["tea", " ", "green tea"]}], "--top", "1")

    assert "references         3 in, 1 kept" in found.stderr
    assert "cannot be read     1" in found.stderr


def test_that_no_guard_is_set_is_said_to_programs_too_and_aside(tmp_path: Path) -> None:
    found = guarded(tmp_path, [GIVEN], "--chain", chain_file(tmp_path, "[]"), "--json")

    assert lines(found.stderr) == [{"note": "no guard is set: all is kept, by similarity"}]
    assert len(lines(found.stdout)) == 1


def test_a_terminal_gets_colours_and_standard_output_stays_json(tmp_path: Path) -> None:
    found = guarded(tmp_path, [GIVEN], "--top", "1", FORCE_COLOR="1")

    assert "\x1b[1mqueries" in found.stderr
    assert kept(lines(found.stdout)[0]) == ["At nine."]


def on_a_terminal(*arguments: str) -> str:
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    command = Path(sys.executable).with_name("sensecheck")
    named = {**os.environ, "SENSECHECK_CACHE": "off", "SENSECHECK_ENCODER": "hashing", "TERM": "xterm"}
    with os.fdopen(ours, "rb") as screen:
        running = subprocess.Popen(
            [command, *arguments], stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL, env=named
        )
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # how a terminal says that nobody writes to it any more
            while some := os.read(screen.fileno(), 4096):
                shown += some
        running.wait(timeout=60)
    return shown.decode().replace("\r\n", "\n")


def test_people_at_a_terminal_are_told_in_words_unless_they_want_json(tmp_path: Path) -> None:
    sly = {"id": 3, "query": "\x1b[2Jq", "references": [{"text": "\x1b[31mred", "closeness": 0.5}]}
    path = written(tmp_path, GIVEN, sly, NOTHING)

    shown = on_a_terminal("guard", path, "--above", "0.4", "--top", "1")
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)

    assert plain.startswith(
        "“When does it open?”\nkept 1 of 3\n  + 0.800  “At nine.” (hours.md)\n  - 0.200  “At noon.”: above, "
    )
    assert "\n\n3: “\\x1b[2Jq”\nkept 1 of 1\n  + 0.500  “\\x1b[31mred”\n\n" in plain
    assert plain.endswith("\n“”\n  error: the query cannot be read: the text is empty\n\n")
    assert "\x1b[1;32m+" in shown
    assert len(lines(on_a_terminal("guard", path, "--top", "1", "--json"))) == 3


def test_a_file_is_written_in_whole_or_not_at_all(tmp_path: Path) -> None:
    out = tmp_path / "new" / "guarded.jsonl"
    good = guarded(tmp_path, [GIVEN, TEA], "--top", "1", "-o", str(out))
    before = out.read_text()

    bad = guarded(tmp_path, [TEA, "{"], "--top", "1", "-o", str(out))

    assert (good.stdout, good.exit_code) == ("", 0)
    assert good.stderr.endswith(f"\nwritten to {out}\n")
    assert "written to" not in bad.stderr
    assert [line["query"] for line in lines(before)] == [GIVEN["query"], TEA["query"]]
    assert (bad.stdout, bad.exit_code) == ("", 2)
    assert out.read_text() == before
    assert [path.name for path in out.parent.iterdir()] == ["guarded.jsonl"]


def test_standard_input_is_read(tmp_path: Path) -> None:
    found = typed("guard", "-", "--top", "1", stdin=json.dumps(GIVEN) + "\n\n" + json.dumps(TEA))

    assert len(lines(found.stdout)) == 2
    assert found.exit_code == 0


def test_half_a_character_goes_through_as_it_came(tmp_path: Path) -> None:
    row = '{"query": "q", "references": [{"text": "\\ud83d tea", "closeness": 0.5}]}'
    out = tmp_path / "out.jsonl"

    shown = guarded(tmp_path, [row], "--top", "1")
    assert guarded(tmp_path, [row], "--top", "1", "-o", str(out)).exit_code == 0

    assert lines(shown.stdout)[0]["kept"][0]["text"] == "\ud83d tea"
    assert lines(out.read_text()) == lines(shown.stdout)


def test_keys_of_the_user_go_through_untouched_and_null_is_nothing(tmp_path: Path) -> None:
    row = {
        "query": "q",
        "x-run": {"n": 3},
        "id": None,
        "references": [
            {"text": "twin", "x-rank": 1, "closeness": 0.9, "source": None, "metadata": {"x-rank": "theirs"}},
            {"text": "twin", "x-rank": 2, "closeness": 0.8},
            {"text": "long text", "x-rank": 3, "closeness": 0.7},
        ],
    }
    chain = chain_file(tmp_path, "- distinct: 0.99\n- within_chars: {chars: 8, over: truncate}\n")

    (line,) = lines(guarded(tmp_path, [row], "--chain", chain).stdout)

    assert (line["x-run"], "id" in line) == ({"n": 3}, False)
    assert [match["x-rank"] for match in line["kept"]] == [1, 3]
    assert line["kept"][0]["metadata"] == {"x-rank": "theirs"}
    (gone,), (cut,) = line["dropped"], line["cut"]
    assert (gone["x-rank"], gone["twin"]["x-rank"]) == (2, 1)
    assert (cut["from"]["x-rank"], cut["to"]["x-rank"]) == (3, 3)


def test_an_id_of_a_reference_goes_along_whoever_measures(tmp_path: Path) -> None:
    given = {"query": "q", "references": [{"text": "t", "id": 7, "closeness": 0.5}]}
    bare = {"query": "tea", "references": [{"text": " ", "id": "a", "x-n": 1}, {"text": "tea", "id": "b"}]}

    first, second = lines(guarded(tmp_path, [given, bare], "--top", "1").stdout)

    assert first["kept"] == [{"id": 7, "text": "t", "closeness": 0.5}]
    assert second["kept"][0]["id"] == "b"
    assert second["unread"] == [
        {"text": " ", "because": "the text is empty", "place": 0, "id": "a", "x-n": 1}
    ]


def test_an_id_comes_back_as_it_came_wherever_a_reference_is_told(tmp_path: Path) -> None:
    row = {
        "id": 3,
        "query": "q",
        "references": [
            {"text": "twin", "id": 7, "closeness": 0.9},
            {"text": "twin", "id": "7", "closeness": 0.8},
            {"text": "long text", "id": 0, "closeness": 0.7},
        ],
    }
    bare = {"query": "tea", "references": [{"text": " ", "id": 5}, "tea"]}
    chain = chain_file(tmp_path, "- distinct: 0.99\n- within_chars: {chars: 8, over: truncate}\n")

    line, unread = lines(guarded(tmp_path, [row, bare], "--chain", chain).stdout)

    (gone,), (cut,) = line["dropped"], line["cut"]
    assert (line["id"], [match["id"] for match in line["kept"]]) == (3, [7, 0])
    assert (gone["id"], gone["twin"]["id"]) == ("7", 7)
    assert (cut["from"]["id"], cut["to"]["id"]) == (0, 0)
    assert unread["unread"][0]["id"] == 5


def test_a_file_for_effects_can_be_guarded_as_it_is(tmp_path: Path) -> None:
    labelled = [{"text": "t", "relevant": True}, {"text": "s", "relevant": None}]

    found = guarded(tmp_path, [{"item": "tea", "query": "q", "references": labelled}], "--top", "1")

    assert found.exit_code == 0


RISING = {
    "query": "q",
    "references": [{"text": text, "closeness": near} for text, near in (("a", 0.1), ("b", 0.1), ("c", 0.3))],
}


def test_closeness_that_looks_like_distances_is_asked_about_to_programs_too(tmp_path: Path) -> None:
    found = guarded(tmp_path, [RISING] * 10 + [GIVEN], "--top", "1", "--json")

    (note,) = lines(found.stderr)
    assert note == {
        "note": "the closest come last in 10 of 11 queries: are these distances? give them as `score` with "
        "`--scale cosine-distance`"
    }
    assert found.exit_code == 0


@pytest.mark.parametrize("scale", ["cosine", "cosine-distance"])
def test_a_scale_that_turns_a_list_round_is_asked_about(tmp_path: Path, scale: str) -> None:
    rows: list[object] = [json.dumps(RISING).replace("closeness", "score")]

    found = guarded(tmp_path, rows, "--top", "1", "--scale", scale)

    assert ("is `cosine` what the store gives?" in found.stderr) == (scale == "cosine")


def test_lists_that_are_short_or_level_or_mixed_raise_no_doubt(tmp_path: Path) -> None:
    short = {"query": "q", "references": RISING["references"][1:]}
    level = {"query": "q", "references": [{"text": "t", "closeness": 0.5}] * 3}

    for rows in ([short] * 9, [level] * 9, [RISING, GIVEN]):
        assert "closest come last" not in guarded(tmp_path, rows, "--top", "1").stderr


WRONG_ROWS: list[tuple[object, str]] = [
    (
        "[]",
        'a row must be one JSON object per line, such as {"query": "…", "references": ["…", "…"]}; '
        "got a list",
    ),
    ("query,references", "the line is not JSON: Expecting value; wanted one JSON object a line, such as {"),
    ('{"query": "q", "query": "q"}', "the key `query` stands there twice"),
    ({"references": []}, "the key `query` is missing"),
    ({"query": "q"}, "the key `references` is missing"),
    ({"query": 3, "references": []}, "`query` must be a string; got a number"),
    ({"query": "q", "references": "t"}, "`references` must be a list; got a string"),
    ({"query": "q", "refernces": []}, "`refernces` is not a known key of a row; did you mean `references`?"),
    ({"question": "q"}, "`question` is not a known key of a row; here it is `query`"),
    ({"query": "q", "contexts": []}, "`contexts` is not a known key of a row; here it is `references`"),
    ({"query": "q", "references": [], "id": 1.5}, "`id` must be a string; got a number"),
    ({"query": "q", "references": [], "id": True}, "`id` must be a string; got true or false"),
    ({"query": "q", "references": [], "item": 3}, "`item` must be a string; got a number"),
    (
        {"query": "q", "references": ["t", "t", 3]},
        "`references[2]` must be a string or a mapping; got a number",
    ),
    ({"query": "q", "references": [{}]}, "`references[0]` lacks the key `text`"),
    (
        {"query": "q", "references": [{"text": "t", "encoder": "e"}]},
        "`encoder` says whose similarity it is, and `references[0]` has none",
    ),
    (
        {"query": "q", "references": ["t", {"text": "t", "closeness": 1}]},
        "some references have a similarity and",
    ),
]
WRONG_REFERENCES: list[tuple[dict[str, object], str]] = [
    ({"closenes": 1}, "not a known key of `references[1]`; did you mean `closeness`?"),
    ({"page_content": "t"}, "`page_content` is not a known key of `references[1]`; here it is `text`"),
    ({"similarity": 1}, "a cosine is `closeness` here; anything else is `score`, and `--scale` says"),
    ({"distance": 1}, "here it is `score`, with `--scale cosine-distance`"),
    ({"closeness": "1"}, "`references[1].closeness` must be a number; got a string"),
    (
        {"closeness": 1.2},
        "`references[1].closeness` must be a cosine, from -1 to 1; got 1.2; what a store gives instead is "
        "called `score`, and `--scale` says what it is",
    ),
    ({"score": 1}, "`references[1]` has a `score`; `--scale` must say what the store means by it"),
    ({"score": 1, "closeness": 1}, "`references[1]` has both `closeness` and"),
    ({"source": 1}, "`references[1].source` must be a string; got a number"),
    ({"metadata": []}, "`references[1].metadata` must be a mapping; got a list"),
    ({"id": 1.5}, "`references[1].id` must be a string; got a number"),
    ({"relevant": "yes"}, "`references[1].relevant` must be true or false; got a string"),
]
WRONG_ROWS += [
    ({"query": "q", "references": ["t", {"text": "t", **wrong}]}, complaint)
    for wrong, complaint in WRONG_REFERENCES
]


@pytest.mark.parametrize(("row", "complaint"), WRONG_ROWS)
def test_a_wrong_row_is_told_with_file_and_line(tmp_path: Path, row: object, complaint: str) -> None:
    found = guarded(tmp_path, [GIVEN, row], "--top", "1")

    assert f"{tmp_path}/retrieved.jsonl:2:1: " in found.stderr
    assert complaint in found.stderr
    assert found.stdout == ""
    assert found.exit_code == 2


def test_broken_json_is_told_with_the_column_at_which_it_breaks(tmp_path: Path) -> None:
    found = guarded(tmp_path, [GIVEN, '{"query": "q", "references": ["t"}'], "--top", "1")

    assert f"{tmp_path}/retrieved.jsonl:2:34: the line is not JSON: Expecting ',' delimiter; " in found.stderr
    assert "line 1" not in found.stderr
    assert found.exit_code == 2


@pytest.mark.parametrize(
    ("reference", "complaint"),
    [
        ({"text": "t"}, "`references[1]` has no `score`"),
        ({"text": "t", "closeness": 0.5}, "`references[1]` has a `closeness`, which is a cosine already"),
        ({"text": "t", "score": 3}, "3.0 is not on the scale `cosine`"),
    ],
)
def test_a_score_must_be_there_and_on_its_scale(tmp_path: Path, reference: object, complaint: str) -> None:
    rows: list[object] = [{"query": "q", "references": [{"text": "s", "score": 0.5}, reference]}]

    found = guarded(tmp_path, rows, "--scale", "cosine")

    assert complaint in found.stderr
    assert found.exit_code == 2


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--top-k", "0"), "in `--top-k`: `top` must be a whole number, at least 1; got 0"),
        (("--above", "relevant"), "`relevant` is not a known card"),
        (("--above", "6"), "similarity is a cosine, from -1 to 1; got the cutoff 6"),
        (("--above", "nan"), "must be a finite number"),
        (("--distinct", "95"), "`distinct` must be a similarity from -1 to 1"),
        (("--max-chars", "x"), "Invalid value for '--max-chars'"),
        (("--tokens", "9", "--counter", "gpt"), "`gpt` is not a known token counter"),
        (("--tokenizer", "minilm"), "`--tokenizer` counts `--max-tokens`"),
        (("--scale", "cosin"), "`cosin` is not a known value; did you mean `cosine`?"),
        (("--empty", "say"), "`--empty` is about the block of `--prompt`"),
        (("--prompt", "--empty", "sya"), "`sya` is not a known value; did you mean `say`?"),
        (("-o", "-"), "`-o` must be a file"),
        (("--top", "1", "--encoder", "minlm"), "`minlm` is not a known encoder; did you mean `minilm`?"),
        (("--chain", "gone.yaml"), "`gone.yaml` cannot be read: No such file"),
    ],
)
def test_a_wrong_command_is_refused(tmp_path: Path, options: tuple[str, ...], complaint: str) -> None:
    found = guarded(tmp_path, [GIVEN], *options)

    assert complaint in found.stderr
    assert found.stdout == ""
    assert found.exit_code == 2


def test_who_names_no_card_is_told_where_cards_of_their_own_lie(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "docs.json").write_text("{}")

    unknown = guarded(tmp_path, [GIVEN], "--above", "docs")
    elsewhere = guarded(tmp_path, [GIVEN], "--above", "mine/docs.json")
    there = guarded(tmp_path, [GIVEN], "--above", "mine/docs.json", SENSECHECK_CARDS="mine")

    assert "`docs` is not a known card" in unknown.stderr
    assert unknown.stderr.endswith(
        "; cards of your own lie in `cards`, which is not there; SENSECHECK_CARDS names another folder\n"
    )
    asked = (
        "error: `--min-similarity` names a card, and `mine/docs.json` is a file; "
        "write `--min-similarity docs`"
    )
    assert elsewhere.stderr == f"{asked}, and SENSECHECK_CARDS=mine before it\n"
    assert there.stderr == f"{asked}\n"
    assert {found.exit_code for found in (unknown, elsewhere, there)} == {2}


def test_a_chain_and_short_flags_are_not_mixed(tmp_path: Path) -> None:
    chain = chain_file(tmp_path, "- top: 1\n")

    found = guarded(tmp_path, [GIVEN], "--chain", chain, "--top", "2", "--above", "0.5")

    assert "`--chain` brings all guards; got `--min-similarity`, `--top-k` alongside it" in found.stderr
    assert found.exit_code == 2


def test_everything_that_is_wrong_with_a_chain_is_told_with_line_and_column(tmp_path: Path) -> None:
    chain = chain_file(
        tmp_path, "- abov: 0.6\n- top: 4\n- {top: 1, reorder: edges}\n-\n    within_chars: 0\n"
    )

    found = guarded(tmp_path, [GIVEN], "--chain", chain)

    told = found.stderr.splitlines()
    assert told[0].startswith(f"error: {chain}:1:3: in `chain[0]`: `abov` is not a known stage; did you mean")
    assert told[1].strip().startswith(f"{chain}:3:3: `chain[2]` must have one stage; got 2")
    assert (
        told[2]
        .strip()
        .startswith(f"{chain}:5:5: in `chain[3].within_chars`: `within_chars` must be at least 1")
    )
    assert found.exit_code == 2


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("top: 4\n", ":1:1: a chain must be a list; got a mapping"),
        ("", ":1:1: the file is empty"),
        ("- top: [4\n", "this is not YAML"),
        ("- {top: 4, top: 5}\n", "the key `top` stands there twice"),
    ],
)
def test_a_file_that_holds_no_chain_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    found = guarded(tmp_path, [GIVEN], "--chain", chain_file(tmp_path, text))

    assert complaint in found.stderr
    assert found.exit_code == 2


def test_a_file_without_a_query_or_no_file_at_all_is_refused(tmp_path: Path) -> None:
    empty = guarded(tmp_path, [], "--top", "1")
    gone = typed("guard", str(tmp_path / "gone.jsonl"), "--top", "1")

    assert "holds no query; nothing was guarded" in empty.stderr
    assert "cannot be read: No such file or directory" in gone.stderr
    assert (empty.exit_code, gone.exit_code) == (2, 2)


def test_no_model_is_loaded_where_closeness_is_given_and_nothing_is_compared(tmp_path: Path) -> None:
    nobody = {"SENSECHECK_ENCODER": "onnx:/nowhere"}

    assert guarded(tmp_path, [GIVEN], "--above", "0.3", "--top", "1", **nobody).exit_code == 0
    assert guarded(tmp_path, [TEA], "--top", "1", **nobody).exit_code == 3


def test_a_file_is_read_as_it_is_guarded() -> None:
    read = 0

    def rows() -> Iterator[RetrievalRow]:
        nonlocal read
        for read in range(1, 10 * BATCH_SIZE + 1):
            yield RetrievalRow("here", f"query {read}", (Match("text", 0.5),), measured=True)

    stream = guard_each(rows(), Chain(), HashingEncoder())
    next(stream)

    assert read == BATCH_SIZE
    assert sum(1 for _ in stream) == 10 * BATCH_SIZE - 1


def test_one_unreadable_query_among_many_fails_alone(tmp_path: Path) -> None:
    rows: list[object] = [{**TEA, "id": number} if number != 40 else NOTHING for number in range(100)]

    found = lines(guarded(tmp_path, rows, "--top", "1", "--distinct", "0.99").stdout)

    assert [number for number, line in enumerate(found) if "error" in line] == [40]
    assert {json.dumps(line["kept"]) for line in found if "kept" in line} == {json.dumps(found[0]["kept"])}


def test_the_real_model_keeps_what_answers(tmp_path: Path) -> None:
    chain = chain_file(
        tmp_path, "- above: 0.5\n- distinct\n- rerank: {encoder: minilm}\n- top: 2\n- reorder\n"
    )

    found = started("guard", written(tmp_path, TEA, GIVEN), "--chain", chain)

    tea, given = lines(found.stdout.decode())
    assert kept(tea) == ["Green tea steeps for 2 minutes.", "Black tea steeps for four minutes."]
    assert {gone["stage"] for gone in tea["dropped"]} == {"above", "distinct"}
    assert tea["kept"][0]["encoder"].startswith("minilm:")
    assert len(given["kept"]) == 2
    assert found.returncode == 0


def test_the_real_command_reads_a_pipe_and_writes_a_prompt() -> None:
    found = started(
        "guard", "-", "--above", "0.4", "--tokens", "60", "--prompt", stdin=json.dumps(TEA).encode()
    )

    assert found.stdout.count(b"<reference n=") == 2
    assert b"museum" not in found.stdout
    assert found.returncode == 0


def test_the_schema_of_chains_is_printed_for_editors() -> None:
    printed = typed("schema", "--chain")

    jsonschema.validate([{"above": 0.6}, "rerank"], json.loads(printed.stdout))
    assert typed("schema", "--chain", "--battery").exit_code == 2
