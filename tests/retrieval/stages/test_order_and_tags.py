"""`top`, `reorder` and `tagged`."""

import pytest
from hypothesis import given

from sensecheck.core.errors import SpecError
from sensecheck.retrieval import Match, chain, reorder, tagged, top
from tests.retrieval.given import MATCHES, match, texts


@given(MATCHES)
def test_top_is_the_beginning(matches: tuple[Match, ...]) -> None:
    assert chain(top(2))(matches).kept == chain()(matches).kept[:2]


@pytest.mark.parametrize(
    ("came", "order"),
    [("", ""), ("1", "1"), ("12", "12"), ("123", "132"), ("1234", "1342"), ("12345", "13542")],
)
def test_the_best_stand_first_and_last(came: str, order: str) -> None:
    ranked = [match(char, 1 - at / 10) for at, char in enumerate(came)]

    assert "".join(texts(chain(reorder("edges"))(ranked).kept)) == order
    assert "".join(texts(chain(reorder("reverse"))(ranked).kept)) == came[::-1]


def test_an_order_that_is_not_known_is_refused() -> None:
    with pytest.raises(SpecError, match=r"`edge` is not a known order.*`edges`"):
        reorder("edge")  # type: ignore[arg-type]


def test_tags_are_equal_or_one_of_several() -> None:
    held = [
        match("1", lang="en", year=2025),
        match("2", lang="en", year=2020),
        match("3", lang="de", year=2025),
        match("4", year=2025),
    ]
    selection = chain(tagged(lang="en", year=[2025, 2026]))(held)

    assert texts(selection.kept) == ["1"]
    assert [gone.because for gone in selection.dropped] == [
        "its `year` is `2020`; wanted `2025` or `2026`",
        "its `lang` is `de`; wanted `en`",
        "its `lang` is nothing; wanted `en`",
    ]


def test_true_is_not_one_and_text_is_not_a_number() -> None:
    held = [match("1", n=1), match("true", n=True), match("text", n="1"), match("float", n=1.0)]

    assert texts(chain(tagged(n=1))(held).kept) == ["1", "float"]
    assert texts(chain(tagged(n=True))(held).kept) == ["true"]


@pytest.mark.parametrize("wrong", [{}, {"lang": []}, {"lang": None}, {"lang": {"a": 1}}])
def test_a_filter_that_means_nothing_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(SpecError, match=r"must|names no value"):
        tagged(wrong)  # type: ignore[arg-type]
