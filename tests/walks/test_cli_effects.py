"""`sensecheck effects` as a newcomer types it, and its page in a real browser."""

import csv
import json
import re
from inspect import signature
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, expect
from rich.text import Text

from sensecheck.cli.retrieval.effects import effects
from sensecheck.cli.retrieval.guard import guard
from tests.walks.browsing import opened
from tests.walks.cli import started, typed

AXE = Path(__file__).parents[2] / "ui/node_modules/axe-core/axe.min.js"
SHARED = {
    *("chain", "min_similarity", "dedupe", "top_k", "max_chars", "max_tokens", "tokenizer"),
    *("scale", "encoder", "as_json"),
}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
HOSTILE = "</script><img src=x onerror=alert(1)>\x1b[31m=1+1"
LAKE = [
    ("The lake is open until nine in the evening.", True),
    ("Swimming in the lake is allowed from May to September.", True),
    ("Bread is baked with flour, water and salt.", False),
]


def references(*told: tuple[str, float, bool]) -> list[dict[str, Any]]:
    return [{"text": text, "closeness": closeness, "relevant": label} for text, closeness, label in told]


def labelled(item: str, query: str, found: list[Any]) -> dict[str, Any]:
    return {"item": item, "query": query, "references": found}


def written(path: Path, rows: list[Any]) -> str:
    path.write_text("".join(f"{json.dumps(one)}\n" for one in rows), encoding="utf-8")
    return str(path)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Labelled retrievals of three items, a chain, and scored outputs of both arms."""
    (tmp_path / "guards.yaml").write_text("- above: 0.5\n- top: 2\n- within_chars: 60\n")
    rows = [
        labelled("sleep", "q1", references(("short", 0.9, True), ("b" * 50, 0.8, False), ("c", 0.1, False))),
        labelled("mood", "q2", references(("d" * 40, 0.9, True), ("e" * 40, 0.8, True))),
        labelled(HOSTILE, "q3", references(("f" * 61, 0.9, True))),
        labelled("sleep", "q4", references(("g", 0.2, True))) | {"id": 4},
    ]
    written(tmp_path / "labelled.jsonl", rows)
    outputs = [
        {"id": number, "arm": arm, "confidence": sure, "correct": right, "group": number % 5}
        for number in range(20)
        for arm, sure, right in (
            ("bare", 0.5 + number / 50, number % 2 == 0),
            ("guarded", None if number == 0 else 0.5 + number / 50, number % 5 > 0),
        )
    ]
    written(tmp_path / "scored.jsonl", outputs)
    return tmp_path


def run(folder: Path, *arguments: str, **environment: str) -> Any:
    where = (str(folder / "labelled.jsonl"), "--chain", str(folder / "guards.yaml"))
    return typed("effects", *where, *arguments, **environment)


@pytest.mark.core
def test_it_tells_item_by_item_and_over_all(folder: Path) -> None:
    found = run(folder)

    lines = found.stdout.splitlines()
    assert re.fullmatch("item +queries +references +relevant +irrelevant +covered +chars", lines[0])
    assert re.fullmatch(r"sleep +2 +4 > 2 +2 > 1 +2 > 1 +100% > 50.0% +57 > 55", lines[1])
    assert re.fullmatch(r"mood +1 +2 > 1 +2 > 1 +0 > 0 +100% > 100% +80 > 40", lines[2])
    assert "guards                above 0.5 → top 2 → within_chars 60" in lines
    assert "references kept       3 of 7 (42.9%)" in lines
    assert "relevant lost         3 of 5 (60.0%): above 1, within_chars 2" in lines
    assert "covered               100% of queries have a relevant reference before, 50.0% after" in lines
    assert "dropped by            above 2, top 0, within_chars 2" in lines
    assert "budget used           within_chars: 95 of 240 (39.6%) chars" in lines
    assert not any(line.startswith("encoder") for line in lines)
    assert any(line.startswith("early items           correlation of position") for line in lines)
    assert found.exit_code == 0


def test_it_names_the_queries_that_lost_their_last_relevant_reference(folder: Path) -> None:
    lines = run(folder).stdout.splitlines()

    begin = lines.index("2 of 4 queries lost their last relevant reference")
    assert lines[begin + 1] == "  “q3”"
    assert re.fullmatch(r"    0\.900  “f{59}…” within_chars: .*", lines[begin + 2])
    assert lines[begin + 3] == "  4: “q4”"
    assert lines[begin + 4].startswith("    0.200  “g” above: its similarity 0.2 is below the cutoff")


def test_the_terminal_lists_ten_and_the_data_all(folder: Path) -> None:
    found = references(("x", 0.1, True), ("y", 0.2, True))
    written(folder / "labelled.jsonl", [labelled("a", f"q{n}", found) for n in range(12)])

    told = run(folder).stdout

    assert "12 of 12 queries lost their last relevant reference" in told
    assert "“q9”" in told
    assert "“q10”" not in told
    assert "and 2 more; `-o FILE.json` has them all" in told
    assert "(and 1 more)" in told
    assert len(json.loads(run(folder, "--json").stdout)["lost"]) == 12


def test_the_guards_are_kept_as_data(folder: Path) -> None:
    found = json.loads(run(folder, "--json").stdout)

    assert found["chain"] == [{"above": 0.5}, {"top": 2}, {"within_chars": 60}]
    assert found["guards"] == ["above 0.5", "top 2", "within_chars 60"]
    assert found["encoder"] is None


def test_short_flags_are_the_chain_of_a_file(folder: Path) -> None:
    path = str(folder / "labelled.jsonl")
    flags = ("--above", "0.5", "--top", "2", "--chars", "60")

    short = typed("effects", path, *flags, "--json")

    assert json.loads(short.stdout) == json.loads(run(folder, "--json").stdout)
    assert "`--top-k` alongside it" in run(folder, "--top-k", "2").stderr
    assert "no guard is set" in typed("effects", path).stderr
    assert typed("effects", path).exit_code == 2


def test_a_file_for_guard_will_do(folder: Path) -> None:
    rows = [
        {
            "id": "a",
            "query": "q",
            "x-note": 1,
            "references": [{"text": "t", "score": 0.2, "id": 3, "x-n": 2}],
        },
        {"id": 7, "query": "q", "references": [{"text": "u", "score": 1.2, "relevant": "yes"}]},
    ]
    path = written(folder / "plain.jsonl", rows)

    found = typed("effects", path, "--above", "0.5", "--scale", "cosine-distance", "--json")

    told = json.loads(found.stdout)
    assert (told["items"][0]["item"], told["items_differ"]) == ("all", False)
    assert told["lost"][0]["id"] == 7
    assert told["lost"][0]["references"][0]["closeness"] == pytest.approx(-0.2)
    assert told["overall"]["after"]["unlabelled"] == 1


@pytest.mark.parametrize(
    ("good", "bad"), [(True, False), (1, 0), (1.0, 0.0), ("yes", "no"), ("Good", "bad"), ("true", "FALSE")]
)
def test_labels_are_those_of_calibrate(folder: Path, good: Any, bad: Any) -> None:
    found = [
        {"text": "x", "closeness": 0.1, "relevant": good},
        {"text": "y", "closeness": 0.1, "relevant": bad},
    ]
    written(folder / "labelled.jsonl", [{"query": "q", "references": found}])

    overall = json.loads(run(folder, "--json").stdout)["overall"]

    assert (overall["relevant_lost"], overall["irrelevant_removed"]) == (1, 1)


def test_a_guard_is_told_in_the_same_words_by_both_verbs() -> None:
    def told(verb: Any) -> dict[str, Any]:
        return {name: one.annotation for name, one in signature(verb).parameters.items() if name in SHARED}

    assert told(effects) == told(guard)
    assert set(told(guard)) == SHARED


def test_what_nobody_labelled_has_a_dash_and_no_figure(folder: Path) -> None:
    written(folder / "labelled.jsonl", [{"query": "q", "references": [{"text": "x", "closeness": 0.1}]}])

    lines = run(folder).stdout.splitlines()

    assert "relevant lost         – (no reference is labelled)" in lines
    assert "covered               –" in lines
    assert "not labelled          1 of 1 (100%)" in lines
    assert any(
        line.startswith("items                 there is one item, so nothing is shown") for line in lines
    )


def test_scored_outputs_are_compared_over_the_coverage_that_both_reach(folder: Path) -> None:
    found = run(folder, "--scored", str(folder / "scored.jsonl"))

    assert re.search(r"without guards +AURC 0\.\d{3} \(best .* coverage up to 100%; .* 95\.0%", found.stdout)
    assert re.search(r"with guards +AURC 0\.\d{3} .* coverage up to 95\.0%", found.stdout)
    assert re.search(r"difference +AURC -0\.\d{3} with guards \(95% interval -", found.stdout)


def test_the_two_arms_may_lie_in_two_files(folder: Path) -> None:
    rows = [json.loads(line) for line in (folder / "scored.jsonl").read_text().splitlines()]
    files = [
        written(folder / f"{arm}.jsonl", [one for one in rows if one["arm"] == arm])
        for arm in ("bare", "guarded")
    ]

    apart = run(folder, "--json", "--scored", files[0], "--scored", files[1])
    together = run(folder, "--json", "--scored", str(folder / "scored.jsonl"))

    assert json.loads(apart.stdout)["scored"] == json.loads(together.stdout)["scored"]


def test_the_same_seed_gives_the_same_bytes(folder: Path) -> None:
    told = [
        run(folder, "--json", "--scored", str(folder / "scored.jsonl"), "--seed", seed).stdout
        for seed in ("3", "3", "4")
    ]

    assert told[0] == told[1] != told[2]


def test_reports_are_written_by_their_endings(folder: Path) -> None:
    files = [folder / name for name in ("out/report.html", "items.csv", "effects.json")]
    found = run(folder, *(part for path in files for part in ("-o", str(path))))

    assert found.exit_code == 0
    assert [line for line in found.stdout.splitlines() if line.startswith("written to ")] == [
        f"written to {path}" for path in files
    ]
    with files[1].open(newline="") as file:
        table = list(csv.DictReader(file))
    assert [one["position"] for one in table] == ["1", "2", "3"]
    assert json.loads(files[2].read_text())["overall"]["relevant_lost"] == 3
    assert HOSTILE not in files[0].read_text()


def test_what_strangers_wrote_cannot_colour_the_terminal(folder: Path) -> None:
    assert "\x1b" not in run(folder).stdout


def test_a_terminal_of_80_columns_has_a_table_of_fewer_columns(folder: Path) -> None:
    rows = [labelled("a long name of an item, " * 3, f"q{n}", references(("x", 0.9, True))) for n in range(2)]
    written(folder / "labelled.jsonl", [*rows, labelled("b", "q", references(("x", 0.9, True)))])

    found = run(folder, FORCE_COLOR="1", TERM="xterm", COLUMNS="80")

    lines = Text.from_ansi(found.stdout).plain.splitlines()
    assert re.fullmatch(r"item +queries +kept +relevant +covered", lines[0])
    assert re.fullmatch(r"a long name of an item, a lo.*… +2 +2 of 2 +2 > 2 +100% > 100%", lines[1])
    assert all(len(line) <= 80 for line in lines[:3])


def test_a_narrow_terminal_gets_line_under_line(folder: Path) -> None:
    found = run(folder, FORCE_COLOR="1", TERM="xterm", COLUMNS="50")

    plain = Text.from_ansi(found.stdout).plain
    assert "sleep\n  queries: 2\n  references: 4 > 2\n" in plain


def test_closeness_that_is_missing_is_measured_with_the_real_model(tmp_path: Path) -> None:
    found = [{"text": text, "relevant": label} for text, label in LAKE]
    path = written(tmp_path / "lake.jsonl", [labelled("lake", "Until when is the lake open?", found)])
    (tmp_path / "guards.json").write_text('[{"above": 0.3}]')

    done = started("effects", path, "--chain", str(tmp_path / "guards.json"), "--json")

    told = json.loads(done.stdout)
    assert (told["overall"]["relevant_lost"], told["overall"]["irrelevant_removed"]) == (0, 1)
    assert told["encoder"].startswith("minilm:")
    assert done.returncode == 0


def test_a_bar_moves_while_texts_are_placed_and_only_on_a_terminal(tmp_path: Path) -> None:
    found = [{"text": f"text {number}", "relevant": True} for number in range(299)]
    path = written(tmp_path / "many.jsonl", [labelled("a", "query", found), labelled("b", "query", found)])
    (tmp_path / "guards.yaml").write_text("- distinct: 0.99\n- rerank: {}\n")
    arguments = ("effects", path, "--chain", str(tmp_path / "guards.yaml"), "--json")

    seen = typed(*arguments, FORCE_COLOR="1", TERM="xterm", COLUMNS="80")
    unseen = typed(*arguments)

    shown = Text.from_ansi(seen.stderr).plain
    assert "encoding texts" in shown
    assert "300/300" in shown
    assert unseen.stderr == ""
    assert seen.stdout == unseen.stdout


def test_closeness_of_another_encoder_under_a_fitted_line_cannot_be_judged(folder: Path) -> None:
    fitted = {
        "line": {
            "at_least": 0.5,
            "certificate": {"fitted_on": "some.jsonl", "encoder": "another", "promise": "none"},
        }
    }
    (folder / "guards.yaml").write_text(json.dumps([{"above": fitted}]))

    found = run(folder, "-o", str(folder / "never.json"))

    assert "fitted for" in found.stderr
    assert found.exit_code == 3
    assert not (folder / "never.json").exists()


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"itm": "a", "query": "q", "references": []}, "`itm` is not a known key; did you mean `item`?"),
        ({"item": "a", "query": "q"}, "lacks the key `references`"),
        (labelled("a", "q", [{"text": "x", "relevnt": True}]), "did you mean `relevant`?"),
        (labelled("a", "q", [{"text": "x", "relevant": "maybe"}]), "must be true/false, 1/0, good/bad"),
        ({"query": "q", "references": []}, "has no `item`, and line 1 of `labelled.jsonl` has one"),
        (labelled("a", "q", [{"text": "x", "score": 0.5}]), "`--scale` must say"),
        (labelled("a", "q", [{"text": "x", "score": 0.5, "closeness": 0.5}]), "a `score` too"),
        (labelled("a", "q", [7]), "`row.references[0]` must be a mapping"),
        (labelled("a", "q", [{"text": "x", "closeness": 7}]), "must be a cosine"),
        (labelled("a", "q", [{"text": "x", "closeness": 0.5}, {"text": "y"}]), "1 of 2 have one"),
        (["a"], "must be an object"),
    ],
)
def test_a_row_that_is_not_understood_is_told_with_its_line(folder: Path, row: Any, reason: str) -> None:
    good = labelled("a", "q", references(("x", 0.5, True)))
    written(folder / "labelled.jsonl", [good, row])

    found = run(folder)

    assert "line 2 of `labelled.jsonl`" in found.stderr
    assert reason in found.stderr
    assert found.exit_code == 2


BARE = {"id": "a", "arm": "bare", "confidence": 0.5, "loss": 0.1}
GUARDED = BARE | {"arm": "guarded"}


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (
            [BARE, GUARDED | {"arm": "gaurded"}],
            "line 2 of `scored.jsonl`: `row.arm`: `gaurded` is not a known",
        ),
        ([BARE, GUARDED | {"score": 1}], "line 2 of `scored.jsonl`: in `row`: `score` is not a known key"),
        ([BARE, GUARDED | {"correct": True}], "both `loss` and `correct`"),
        ([BARE, GUARDED | {"loss": None}], "needs `loss` or `correct`"),
        ([BARE, GUARDED | {"loss": -1}], "from 0 up; got -1"),
        ([BARE, BARE], "line 2 of `scored.jsonl`: the arm `bare` has this `id` already"),
        ([BARE], "hold none of the arm `guarded`"),
        ([BARE, GUARDED | {"id": "b"}], "only the arm `bare` has 1 of its 1: `a`"),
        ([BARE, GUARDED | {"confidence": None}], "nothing but abstentions"),
        ([BARE, {"id": "a", "arm": "guarded", "loss": 0}], "lacks the key `confidence`"),
    ],
)
def test_scored_outputs_that_cannot_be_paired_are_an_error(
    folder: Path, rows: list[Any], reason: str
) -> None:
    found = run(folder, "--scored", written(folder / "scored.jsonl", rows))

    assert reason in found.stderr
    assert found.exit_code == 2


def test_a_chain_that_is_not_understood_is_told_with_its_line(folder: Path) -> None:
    (folder / "guards.yaml").write_text("- above: 0.5\n- tpo: 2\n")

    found = run(folder)

    assert f"{folder / 'guards.yaml'}:2:" in found.stderr
    assert "did you mean `top`?" in found.stderr
    assert found.exit_code == 2


def test_other_mistakes_are_told_before_anything_is_written(folder: Path) -> None:
    scored = str(folder / "scored.jsonl")
    for arguments, reason in (
        (("-o", str(folder / "report.pdf")), "names no form of this report by its ending"),
        (("--scored", scored, "--scored", scored), "`--scored` names a file twice"),
        (("--scored", str(folder / "no.jsonl")), "cannot be read"),
        (("--seed", "-1"), "--seed"),
        (("--scale", "cosin"), "did you mean `cosine`?"),
        (("--scale", "cosine"), "has a `closeness`, which is a cosine already"),
        (("--encoder", "minlm"), "`minlm` is not a known encoder; did you mean `minilm`?"),
    ):
        found = run(folder, "-o", str(folder / "never.json"), *arguments)
        assert reason in found.stderr
        assert found.exit_code == 2
    assert not (folder / "never.json").exists()


@pytest.fixture
def page(folder: Path) -> Path:
    """The page of the folder's report, with outputs."""
    assert run(folder, "--scored", str(folder / "scored.jsonl"), "-o", str(folder / "r.html")).exit_code == 0
    return folder / "r.html"


def test_the_page_opens_without_a_complaint_and_draws_its_pictures(browser: Browser, page: Path) -> None:
    with opened(browser, page) as seen:
        expect(seen.page.get_by_role("heading", level=1)).to_have_text("labelled.jsonl")
        curves = seen.page.get_by_role("img", name=re.compile("^Risk over coverage"))
        expect(curves.locator("[stroke='var(--guarded)'] path")).to_have_count(1)
        expect(seen.page.get_by_role("img", name=re.compile("^Bars of 3 items"))).to_be_visible()
        expect(seen.page.get_by_role("img", name=re.compile("^Use of within_chars"))).to_be_visible()
        expect(seen.page.get_by_role("row", name=re.compile("mood"))).to_contain_text("2 → 1")
        expect(seen.page.get_by_text("above 0.5 → top 2 → within_chars 60")).to_be_visible()
        expect(seen.page.get_by_text("2 of 4 queries that had one.")).to_be_visible()
        expect(seen.page.get_by_text("2 of 5 kept; dropped by above 1, within_chars 2")).to_be_visible()
        expect(seen.page.get_by_text("onerror=alert").first).to_be_visible()
        assert seen.complaints == []


def test_the_page_without_outputs_and_without_guards_says_so(browser: Browser, folder: Path) -> None:
    (folder / "guards.yaml").write_text("[]")
    run(folder, "-o", str(folder / "r.html"))
    with opened(browser, folder / "r.html") as seen:
        expect(seen.page.get_by_text("no guards")).to_be_visible()
        expect(seen.page.get_by_text("No stage of this chain has a budget.")).to_be_visible()
        expect(seen.page.get_by_role("img", name=re.compile("^Risk"))).to_have_count(0)
        assert seen.complaints == []


def test_the_page_of_one_item_without_labels_hides_neither(browser: Browser, folder: Path) -> None:
    written(folder / "labelled.jsonl", [{"query": "q", "references": [{"text": "x", "closeness": 0.7}]}])
    run(folder, "-o", str(folder / "r.html"))
    with opened(browser, folder / "r.html") as seen:
        expect(seen.page.get_by_text("nothing is labelled").first).to_be_visible()
        expect(seen.page.get_by_text("references not labelled")).to_be_visible()
        expect(seen.page.get_by_text("There is one item, so there are no figures per item")).to_be_visible()
        expect(seen.page.get_by_role("table")).to_have_count(0)
        assert seen.complaints == []


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed; run: cd ui && npm ci")
@pytest.mark.parametrize("width", [1280, 400])
def test_nobody_is_kept_out_of_the_page(browser: Browser, page: Path, width: int) -> None:
    with opened(browser, page, width=width, unguarded=True) as seen:
        seen.page.locator("main svg").first.wait_for()
        seen.page.add_script_tag(path=AXE)
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
        for scheme in SCHEMES:
            seen.page.emulate_media(color_scheme=scheme)
            found = seen.page.evaluate("axe.run().then(({ violations }) => violations)")

            assert [(one["id"], one["nodes"][0]["html"], one["help"]) for one in found] == []
