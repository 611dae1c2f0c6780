"""Pages and pictures: well-formed, whole in themselves, and deaf to what strangers wrote into a card."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest

from sensecheck.calibration.card import Card, Counts, DataMark, Scores
from sensecheck.calibration.page import page_of
from sensecheck.calibration.page_words import in_full, percent
from sensecheck.calibration.svg_sheet import sheet_of
from sensecheck.core.cutoff import Rate
from sensecheck.core.markup import said
from tests.calibration.fitting import FNR, FPR, card_of, normal_rows, turned
from tests.seen import Seen

ROWS = normal_rows(1, 200, 200, apart=1.5)
SLICED = [replace(row, slices={"model": f"m{i % 3}"}) for i, row in enumerate(ROWS)]
TWO = card_of(SLICED, FPR, FNR, encoder="minilm:1", licence="CC BY 4.0", warnings=("few",))
HOSTILE = "<img src=x onerror=alert(1)>\"'&</style></title>]]>\x00\x1b[5m\u202e\ud800"


def hostile() -> Card:
    """A card in which every text is an attack."""
    column = {HOSTILE: TWO.slices["model"]}
    return replace(
        TWO,
        measure={"kind": HOSTILE, HOSTILE: [HOSTILE]},
        encoder=HOSTILE,
        promise=HOSTILE,
        slices={name: {HOSTILE: rates["m0"]} for name, rates in column.items()},
        data=DataMark(HOSTILE, HOSTILE, 3, HOSTILE, HOSTILE),
        date=HOSTILE,
        version=HOSTILE,
        warnings=(HOSTILE,),
        licence=HOSTILE,
    )


CARDS: Mapping[str, Card] = {
    "two promises": TWO,
    "one promise, below": card_of(turned(ROWS), FPR, good="below"),
    "no promise": card_of(ROWS, method="best_f1"),
    "many rows": card_of(normal_rows(3, 900, 900), FPR, method="conformal"),
    "nothing held out": card_of(ROWS, FPR, share_held_out=0),
    "hostile": hostile(),
    "one label": replace(
        TWO,
        held_out_scores=Scores((0.5,), ()),
        held_out=Counts(1, 0),
        rates=replace(TWO.rates, false_accepts=None),
    ),
    "all the same": replace(TWO, held_out_scores=Scores((TWO.line,) * 9, (TWO.line,) * 9)),
    "far apart": replace(TWO, held_out_scores=Scores((1e300,), (-1e300,))),
}


@pytest.fixture(params=CARDS.values(), ids=list(CARDS))
def card(request: Any) -> Card:
    return request.param  # type: ignore[no-any-return]  # pytest does not say what a parameter is


def test_a_sheet_is_an_svg_file_that_needs_nothing_else(card: Card) -> None:
    text = sheet_of(card)
    root = ElementTree.fromstring(text.encode())

    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    kinds = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert not kinds & {"script", "image", "img", "a", "use", "foreignObject"}
    assert not re.search(r"url\(|@import|href", text)


def test_a_sheet_never_draws_outside_of_itself_nor_with_numbers_that_are_none(card: Card) -> None:
    root = ElementTree.fromstring(sheet_of(card).encode())

    for element in root.iter():
        for key in ("x", "y", "width", "height", "cx", "cy", "x1", "x2", "y1", "y2"):
            assert 0 <= float(element.get(key, 0)) <= 2000, (element.tag, key)
        assert "nan" not in element.get("points", "")


def test_a_page_runs_nothing_and_fetches_nothing(card: Card) -> None:
    page = page_of(card)
    found = Seen(page)

    assert not set(found.tags) & {"script", "img", "iframe", "link", "object", "embed", "form", "a", "image"}
    assert not [
        name for name, _ in found.attributes if name.startswith("on") or name in ("href", "src", "style")
    ]
    assert not re.search(r"url\(|@import|https?:", page)
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'") in found.attributes
    page.encode()


def test_what_strangers_wrote_is_shown_as_it_is_written() -> None:
    found = Seen(page_of(CARDS["hostile"]))

    assert any("<img src=x onerror=alert(1)>" in text for text in found.text)
    assert not {"\x00", "\x1b", "\u202e", "\ud800"} & set("".join(found.text))


def test_a_page_says_what_a_reviewer_asks() -> None:
    text = " ".join(Seen(page_of(TWO)).text)

    for wanted in ("words", "CC BY 4.0", "minilm:1", "labels.jsonl", "0" * 64, "2026-01-31", "few", "m0"):
        assert wanted in text
    assert TWO.rates.false_accepts is not None
    assert percent(TWO.rates.false_accepts.value) in text


def test_every_picture_of_a_page_is_told_and_has_its_numbers_in_a_table() -> None:
    page = page_of(TWO)
    found = Seen(page)

    pictures = [dict(m) for m in _attributes(page, "svg")]
    assert len(pictures) == 4  # the histogram twice: for wide and for narrow screens
    assert all(each["role"] == "img" and len(each["aria-label"]) > 20 for each in pictures)
    assert found.tags.count("table") == 3 + len(TWO.slices)
    assert found.tags.count("caption") == found.tags.count("table")
    assert found.tags.count("details") == 4


def test_a_card_without_held_out_rows_says_so() -> None:
    assert "No rows were held out" in page_of(CARDS["nothing held out"])
    assert "No rows were held out" in sheet_of(CARDS["nothing held out"])


def test_the_same_card_gives_the_same_bytes(card: Card) -> None:
    assert page_of(card) == page_of(card)
    assert sheet_of(card) == sheet_of(card)


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (0, "0%"),
        (1, "100%"),
        (0.05, "5%"),
        (0.0312, "3.1%"),
        (0.0004, "0.04%"),
        (0.99996, "99.996%"),
        (0.5, "50%"),
    ],
)
def test_only_none_is_none_and_only_all_is_all(share: float, shown: str) -> None:
    assert percent(share) == shown


def test_a_rate_is_told_with_its_interval_and_its_rows() -> None:
    assert in_full(Rate(4 / 128, 0.0086, 0.0781, 128)) == "3.1% (4 of 128; 95% interval 0.9% to 7.8%)"
    assert in_full(None) == "no such answers were held out"


def test_text_becomes_markup_that_shows_it() -> None:
    assert said("a < b & \"c\" 'd'") == "a &lt; b &amp; &quot;c&quot; &#x27;d&#x27;"
    assert said("\x00\u202e") == "\N{REPLACEMENT CHARACTER}" * 2


def _attributes(page: str, tag: str) -> list[list[tuple[str, str]]]:
    return [re.findall(r'([\w-]+)="([^"]*)"', found) for found in re.findall(rf"<{tag}\b([^>]*)>", page)]
