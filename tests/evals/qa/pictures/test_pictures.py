"""Pictures of kept runs: whole files, with every text in them, in both schemes and as pixels."""

import struct
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from sensecheck.core.errors import SpecError, ToolError
from sensecheck.evals.qa.agreement.with_labels import agreement
from sensecheck.evals.qa.pictures.agreed import draw_agreement
from sensecheck.evals.qa.pictures.distributions import draw_distributions
from sensecheck.evals.qa.pictures.png import png_of
from sensecheck.evals.qa.pictures.quadrant import draw_quadrant
from sensecheck.evals.qa.pictures.sheet import Sheet
from sensecheck.evals.qa.pictures.style import DARK, LIGHT
from sensecheck.evals.qa.pictures.trends import draw_trend
from sensecheck.evals.qa.trend import trend
from sensecheck.store.records import KeptAnswer, KeptReading, Pair
from tests.evals.qa.report.kept import FIVE, HOSTILE, a_store, keep, read

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def sheets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Sheet]:
    """All kinds, of two runs whose names are no friends of ours."""
    with a_store(tmp_path_factory.mktemp("pictures")) as store:
        runs = [keep(store, name=HOSTILE), keep(store, name="later")]
        tables = [store.table(run) for run in runs]
        return {
            "quadrant": draw_quadrant(tables[0]),
            "distributions": draw_distributions(tables[0]),
            "trend": draw_trend(trend(tables), of=HOSTILE),
            "agreement": draw_agreement(agreement(tables[0], "correct"), of=HOSTILE),
        }


@pytest.mark.parametrize("kind", ["quadrant", "distributions", "trend", "agreement"])
def test_it_is_well_formed_whatever_a_run_is_called(sheets: dict[str, Sheet], kind: str) -> None:
    drawn = ET.fromstring(sheets[kind].svg())

    assert drawn.find(f"{SVG}title") is not None
    assert drawn.find(f".//{SVG}img") is None
    assert "\u202e" not in sheets[kind].svg()
    assert "nan" not in sheets[kind].svg()


@pytest.mark.parametrize("kind", ["quadrant", "distributions", "trend", "agreement"])
def test_the_picture_follows_the_reader_or_is_fixed(sheets: dict[str, Sheet], kind: str) -> None:
    both, light, dark = (sheets[kind].svg(scheme) for scheme in ("both", "light", "dark"))

    assert "prefers-color-scheme: dark" in both
    assert LIGHT["ground"] in both
    assert DARK["ground"] in both
    assert DARK["ground"] not in light
    assert LIGHT["ink"] not in dark


def texts(sheet: Sheet) -> list[str]:
    return ["".join(one.itertext()) for one in ET.fromstring(sheet.svg()).iter(f"{SVG}text")]


def test_the_quadrant_names_its_fields_counts_them_and_says_who_drew_the_lines(
    sheets: dict[str, Sheet],
) -> None:
    said = texts(sheets["quadrant"])

    for name in ("both good", "paraphrase", "copied with a changed fact", "both bad"):
        assert f"1 {name}" in said
    assert "0 close, but wrong" in said
    for meaning in ("other", "same"):
        assert f"same words, {meaning} meaning" in said
        assert f"other words, {meaning} meaning" in said
    assert any("5 answers, 1 n/a" in text for text in said)
    assert any("hand-picked" in text for text in said)
    assert "hollow: a fact differs or is missing" in said


def test_every_kind_has_a_shape_of_its_own_and_a_differing_fact_is_hollow(sheets: dict[str, Sheet]) -> None:
    drawn = ET.fromstring(sheets["quadrant"].svg())
    marks = [one for one in drawn.iter() if (one.get("class") or "").startswith(("full ", "hollow "))]
    corners = {one.get("class"): len((one.get("points") or "").split()) for one in marks}

    assert corners["full good"] == 0  # a circle
    assert corners["full paraphrase"] == corners["full bad"] == 4
    assert corners["hollow hollow-changed"] == 3


def test_what_is_not_read_is_a_bar_of_its_own(sheets: dict[str, Sheet]) -> None:
    said = texts(sheets["distributions"])

    assert said.count("n/a") == 3
    assert "mean 0.740 of 4, 1 n/a" in said


def test_the_names_of_the_fields_lie_on_no_mark(sheets: dict[str, Sheet]) -> None:
    drawn = ET.fromstring(sheets["quadrant"].svg())
    fields = [one for one in drawn.iter(f"{SVG}rect") if (one.get("class") or "").startswith("field")]
    top = min(float(one.get("y") or 0) for one in fields)
    bottom = max(float(one.get("y") or 0) + float(one.get("height") or 0) for one in fields)
    names = [one for one in drawn.iter(f"{SVG}text") if one.get("class") == "strong"]

    assert len(names) == 4
    assert all(not top - 15 < float(one.get("y") or 0) < bottom + 15 for one in names)


def test_every_histogram_says_how_many_its_highest_bar_counts_on_an_axis_of_the_same_width(
    tmp_path: Path,
) -> None:
    rows = [(Pair(f"q{at}", "e"), KeptAnswer("a", read(0.5, None if at == 0 else 0.1))) for at in range(1200)]
    with a_store(tmp_path) as store:
        sheet = draw_distributions(store.table(keep(store, rows)))
    axes = [one for one in ET.fromstring(sheet.svg()).iter(f"{SVG}line") if one.get("class") == "axis"]
    widths = {round(float(one.get("x2") or 0) - float(one.get("x1") or 0), 3) for one in axes}

    assert {"highest 1,200", "highest 1,199"} <= set(texts(sheet))
    assert len(axes) == 2
    assert len(widths) == 1


def test_trends_go_from_0_to_1_and_name_their_runs(sheets: dict[str, Sheet]) -> None:
    said = texts(sheets["trend"])

    assert said.count("later") == said.count("0.75") == said.count("0") == said.count("1") == 3
    assert sheets["trend"].svg().count('class="area"') == 3


def test_agreement_is_told_with_its_interval(sheets: dict[str, Sheet]) -> None:
    assert "semantic_similarity" in texts(sheets["agreement"])
    assert sheets["agreement"].title == "Agreement with “correct”"


def test_a_png_is_as_large_as_it_should_be_and_has_letters(sheets: dict[str, Sheet]) -> None:
    sheet = sheets["quadrant"]
    drawn = png_of(sheet.svg("dark"))
    wordless = png_of(sheet.svg("dark").replace("<text", "<desc").replace("</text>", "</desc>"))

    assert drawn.startswith(b"\x89PNG")
    assert struct.unpack(">II", drawn[16:24]) == (2 * sheet.width, 2 * sheet.height)
    assert drawn != wordless


def test_without_a_font_it_says_so_instead_of_leaving_the_letters_out(sheets: dict[str, Sheet]) -> None:
    with pytest.raises(ToolError, match="no font was found on this machine"):
        png_of(sheets["quadrant"].svg(), system_fonts=False)


def test_what_cannot_be_drawn_says_why(tmp_path: Path) -> None:
    with a_store(tmp_path) as store:
        lone = keep(store, [(Pair("q", "e"), KeptAnswer("a", (KeptReading("bleu", 0.5),)))])
        bare = keep(store, [(pair, KeptAnswer(None, error="away")) for pair, _ in FIVE])

        with pytest.raises(SpecError, match="a quadrant wants one of meaning and one of words"):
            draw_quadrant(store.table(lone))
        with pytest.raises(SpecError, match="has no metric"):
            draw_distributions(store.table(bare))
    with pytest.raises(SpecError, match="no labels"):
        draw_agreement([], of="")
    with pytest.raises(SpecError, match="no trend to draw"):
        draw_trend([], of="")


def test_one_run_is_a_trend_of_one_mark(tmp_path: Path) -> None:
    with a_store(tmp_path) as store:
        sheet = draw_trend(trend([store.table(keep(store))]), of="bridge")

    assert "bridge: 1 run; means with their 95% intervals" in texts(sheet)
