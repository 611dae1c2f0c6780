"""Pages with and without the section that answers, the line between them, and what it does."""

import json
from pathlib import Path
from typing import Any

import pytest
from benchmarks.figures import figures
from benchmarks.quality.related import LINE, RESULTS, TARGETS, Kind, Searched, fitted, measured
from benchmarks.quality.related_set import SECTIONS, pages_of

from sensecheck.core.cutoff import at_least
from sensecheck.core.errors import SpecError
from sensecheck.encoders.hashing import HashingEncoder
from tests.benchmarks.small_results import RESULTS as SMALL


def rows() -> list[dict[str, Any]]:
    """Four articles of 30 paragraphs; the answer to the first question of each stands in all its others."""
    found = []
    for at in range(120):
        article = at // 30
        text = f"Of {article} the {at}th. all{article}."
        common = {"group": str(at), "context": text, "question": f"What is {at}?"}
        short = f"all{article}" if at % 30 == 0 else f" {at}th"
        found.append({**common, "kind": "grounded_sentence", "response": text})
        found.append({**common, "kind": "grounded_short_answer", "response": short})
        next_one = article * 30 + (at + 1) % 30
        tied = f"Of {article} the {next_one}th. all{article}."
        found.append({**common, "kind": "other_paragraph_same_article", "response": tied})
    return found


def searched(kind: Kind, sure: float, count: int) -> list[Searched]:
    """So many questions of a kind, whose second section is so sure."""
    found = ((), (((0, 5), sure),), (((0, 5), sure / 2),))
    return [Searched(kind, found, 1 if kind == "on the page" else None)] * count


def test_a_page_is_of_one_article_and_the_other_one_of_the_same_half() -> None:
    pages = pages_of(rows())

    assert len(pages) == 240
    for page in pages:
        assert len(set(page.sections)) == SECTIONS
        assert {text.split()[1] for text in page.sections} == {str(page.article)}
        asked = int(page.question.removeprefix("What is ").removesuffix("?"))
        assert asked // 30 % 2 == page.article % 2
        if page.right is None:
            assert asked // 30 != page.article
        else:
            assert f" {asked}th." in page.sections[page.right]
            assert page.said_elsewhere == (asked % 30 == 0)
    assert pages == pages_of(rows())


def test_the_line_keeps_both_targets() -> None:
    taken = searched("taken out", 0.6, 30) + searched("taken out", 0.3, 270)
    strange = searched("another article", 0.2, 400)

    cutoff = fitted([*searched("on the page", 0.9, 50), *taken, *strange], HashingEncoder())

    assert 0.3 < cutoff.value < 0.6
    higher = fitted(
        [*searched("on the page", 0.9, 50), *taken, *searched("another article", 0.7, 400)], HashingEncoder()
    )
    assert 0.7 < higher.value < 0.9
    assert cutoff.certificate is not None
    assert all(target.describe() in cutoff.certificate.promise for target in TARGETS.values())


def test_too_few_pages_promise_nothing() -> None:
    few = [row for kind in TARGETS for row in searched(kind, 0.2, 20)]

    with pytest.raises(SpecError, match="needs at least 299 rows; got 20"):
        fitted([*searched("on the page", 0.9, 5), *few], HashingEncoder())


def test_what_is_told_is_counted_by_kind() -> None:
    misled = [Searched("on the page", ((((0, 1), 0.9),), (((0, 1), 0.6),)), 1)]
    held = [*searched("on the page", 0.8, 3), *misled, *searched("on the page", 0.1, 4)]
    others = [
        *searched("taken out", 0.6, 1),
        *searched("taken out", 0.4, 3),
        *searched("another article", 0.1, 2),
    ]

    answered, taken, strange = measured([*held, *others], at_least(0.5))

    assert [answered[key]["share"] for key in ("given", "right", "first")] == [0.5, 0.5, 0.375]
    assert (taken["given"]["share"], taken["given"]["n"]) == (0.25, 4)
    assert strange["given"]["share"] == 0.0


def test_what_was_measured_is_of_the_line_that_ships() -> None:
    assert json.loads(RESULTS.read_bytes())["line"] == json.loads(LINE.read_bytes())["cutoff"]["at_least"]


def test_the_table_shows_the_right_section_only_where_there_is_one(tmp_path: Path) -> None:
    (tmp_path / "related.json").write_text(json.dumps(SMALL["related"]))

    *_, answered, taken = figures("related", tmp_path).splitlines()

    assert answered == f"| a section answers it | 500 |{' 50.0% (40.0–60.0) |' * 3}"
    assert taken == "| the section that answers was taken out | 500 | 50.0% (40.0–60.0) |  |  |"
