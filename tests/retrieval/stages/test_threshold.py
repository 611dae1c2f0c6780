"""`above` keeps what is close enough, by a line that holds for who measured it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensecheck.core.cutoff import Certificate, Cutoff, at_least, at_most
from sensecheck.core.errors import SpecError, StaleCutoff
from sensecheck.retrieval import Match, above, chain
from tests.retrieval.given import MATCHES, match, texts


@given(MATCHES, st.floats(-1, 1))
def test_exactly_on_the_line_is_kept(matches: tuple[Match, ...], line: float) -> None:
    kept = chain(above(line))(matches).kept

    assert kept == tuple(one for one in chain()(matches).kept if one.closeness >= line)


def test_no_number_is_rounded_before_the_decision() -> None:
    near = [match("under", 0.5999999999), match("on", 0.6)]

    assert texts(chain(above(0.6))(near).kept) == ["on"]


def test_a_band_of_doubt_drops_unless_told_to_keep() -> None:
    line = at_least(0.5, doubt=(0.4, 0.6))
    near = [match("sure", 0.6), match("unsure", 0.5), match("far", 0.3)]

    assert texts(chain(above(line))(near).kept) == ["sure"]
    assert texts(chain(above(line, unsure="keep"))(near).kept) == ["sure", "unsure"]
    assert "unsure band" in chain(above(line))(near).dropped[0].because


def test_a_fitted_line_holds_for_its_own_encoder_alone() -> None:
    line = Cutoff(0.5, "above", certificate=Certificate("labels of ours", encoder="mine"))

    assert chain(above(line))([Match("a", 0.9, encoder="mine")]).kept
    for stranger in (Match("a", 0.9, encoder="yours"), Match("a", 0.9)):
        with pytest.raises(StaleCutoff, match="fitted for the encoder `mine`"):
            chain(above(line))([stranger])


def test_a_line_with_the_wrong_good_side_is_refused() -> None:
    with pytest.raises(SpecError, match=r"good side is above; got at most 0\.5"):
        above(at_most(0.5))


def test_a_name_is_no_line_without_a_library() -> None:
    with pytest.raises(SpecError, match=r"a name is looked up by `CardLibrary.card`"):
        above("my_card")  # type: ignore[arg-type]
