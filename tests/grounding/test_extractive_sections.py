"""Which sections of a page answer, by the line that was fitted for pages."""

from sensecheck.checks.gate import Gate
from sensecheck.core.cutoff import at_least
from sensecheck.grounding.extractive import answering, extraction, related

SECTIONS = (
    (((0, 5), 0.4),),
    (),
    (((0, 5), 0.2), ((6, 9), 0.9)),
    (((3, 7), 0.39),),
    (((1, 2), 0.4),),
)


def test_the_surest_comes_first_with_its_best_sentence_and_the_line_itself_passes() -> None:
    assert answering(SECTIONS, at_least(0.4)) == [(2, (6, 9)), (0, (0, 5)), (4, (1, 2))]


def test_where_none_is_sure_enough_there_is_none() -> None:
    assert answering(SECTIONS, at_least(0.91)) == []
    assert answering((), at_least(0.0)) == []


def test_the_shipped_line_says_where_it_comes_from_and_is_above_that_of_one_passage() -> None:
    one = extraction()
    assert isinstance(one, Gate)
    assert one.cutoff is not None
    assert one.cutoff.certificate is not None
    certificate = related().certificate

    assert certificate is not None
    assert "even articles" in certificate.fitted_on
    assert "taken out" in certificate.promise
    assert certificate.encoder == one.cutoff.certificate.encoder
    assert related().value > one.cutoff.value
