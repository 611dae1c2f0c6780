"""Expected answers of which one is enough, written into one text."""

from sensecheck.core.errors import SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.reading import UNREAD, Evidence, Reading, Span
from sensecheck.core.sample import Sample


def must_separate(separator: str | None) -> None:
    """Raise unless it can stand between texts."""
    if separator is not None and not separator.strip():
        raise SpecError(f"`separator` wants a sign such as `/`, or none; found {separator!r}")


def alternatives(expected: str, separator: str | None) -> tuple[str, ...]:
    """The different texts between the separators; without a separator the text itself, unless it is empty."""
    parts = (expected,) if separator is None else (each.strip() for each in expected.split(separator))
    return tuple(dict.fromkeys(each for each in parts if each.strip()))


def wanted_of(sample: Sample, expected: str | None, separator: str | None) -> tuple[str, ...]:
    """The alternatives in a fixed text, or else in the sample's own expected answer."""
    return alternatives(sample.must_have_expected() if expected is None else expected, separator)


def both_texts(sample: Sample, wanted: tuple[str, ...]) -> Needs:
    """The answer and all that it may be; nothing when one of them is empty."""
    return Needs(texts=(sample.answer, *wanted)) if wanted and sample.answer.strip() else Needs()


def left_out(wanted: tuple[str, ...], read: tuple[str, ...]) -> tuple[Evidence, ...]:
    """The alternatives that could not be read, as evidence: they decide nothing."""
    return tuple(
        Evidence(UNREAD, source=Span.of("expected", text), note="cannot be read, and is left out:")
        for text in wanted
        if text not in read
    )


def read_as_empty(sample: Sample, wanted: tuple[str, ...]) -> Reading | None:
    """The reading where the answer or the expected one is empty; None where there is something to compare."""
    if wanted and sample.answer.strip():
        return None
    whose = "answer" if wanted else "expected answer"
    return Reading(0.0, f"the {whose} is empty, which counts as 0")
