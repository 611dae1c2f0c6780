"""What becomes of a verdict on texts in a language that its measure was never tested on.

A measure says that it is bound to English by naming the texts that it takes for English (`EnglishOnly`); a
gate can say so for any measure, or against it. Where one of these texts is in another language, the reading
gets a mark: no verdict is then a `pass`, and none a `fail` but for numbers and dates that differ.
"""

import re
from collections.abc import Iterator, Mapping

from sensecheck.core.errors import Unreadable
from sensecheck.core.protocols import EnglishOnly, Measure
from sensecheck.core.reading import LANGUAGE, NUMBERS_DIFFER, Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.measures.text.languages import not_english

Texts = Mapping[str, str]
"""Texts by where they stand: `answer`, `expected`, `passages[0]`."""

_COMPARED = ("number", "unit", "date")
_NUMBER = re.compile(r"\d(?:[\d.,\u00a0\u202f '’]*\d)?")
_WORD = re.compile(r"[^\W\d_]+")
_NEXT = re.compile(r"[\W_]{0,3}([^\W\d_]+)")
_JOINED = re.compile(r"\d+(?:[.,]\d+)+")
_JOINED_CHARS = 30
_HALF_DAY = 12


def texts_of(measure: Measure, sample: Sample, *, english: bool | None = None) -> Texts:
    """The texts of a sample that are taken for English; none for a measure that is bound to no language."""
    if english is False:
        return {}
    if isinstance(measure, EnglishOnly):
        return measure.english_texts(sample)
    if english is None:
        return {}
    others = [text for text in measure.needs(sample).texts if text != sample.answer]
    return {"answer": sample.answer, **{f"texts[{at}]": text for at, text in enumerate(others)}}


def unverified(texts: Texts) -> str | None:
    """Why nothing is decided on these texts: `not verified for German`; None where all may be English."""
    language = not_english(texts.values())
    return None if language is None else f"not verified for {language}"


def marked(reading: Reading, texts: Texts) -> Reading:
    """The reading, with a mark where one of the texts is in a language that was not verified."""
    reason = unverified(texts)
    return reading if reason is None else with_mark(reading, reason, texts)


def with_mark(reading: Reading, reason: str, texts: Texts) -> Reading:
    """The reading with the mark of a language: what differs in every language stays decided."""
    differing = next((item for item in reading.evidence if _differs(item, texts)), None)
    if differing is None:
        mark = Evidence(LANGUAGE, note=reason)
    else:
        mark = Evidence(
            NUMBERS_DIFFER, note=f"{differing.note} (only numbers and dates are compared: {reason})"
        )
    return reading.beside((mark,))


def reason_why_unread(reason: Unreadable, texts: Texts) -> str | None:
    """Why texts that the encoder cannot read are `unsure`: they are in another language; None: an `error`."""
    language = unverified(texts)
    return None if language is None else f"{language}; {reason}"


def _differs(item: Evidence, texts: Texts) -> bool:
    """Whether a number or a date of the answer is another one in every language and way of writing."""
    if item.kind.removesuffix("_mismatch") not in _COMPARED or item.answer is None or item.source is None:
        return False
    here, there = _whole(item.answer, texts), _whole(item.source, texts)
    if _words_of(here, texts) != _words_of(there, texts):
        return False  # 14 days are two weeks: what is counted must be the same
    mine, theirs = _NUMBER.findall(here.text), _NUMBER.findall(there.text)
    if not mine or len(mine) != len(theirs):
        return False
    if len(mine) > 1:
        return sorted(map(_part, mine)) != sorted(map(_part, theirs))
    return not any(_may_be_same(one, other) for one in _values(mine[0]) for other in _values(theirs[0]))


def _whole(span: Span, texts: Texts) -> Span:
    """A stretch of text with all of the number that it begins or ends in: `5` of `1,5`."""
    text = texts.get(span.where, "")
    for match in _JOINED.finditer(text, max(span.start - _JOINED_CHARS, 0)):
        if match.start() >= span.end:
            break
        if match.end() > span.start:
            span = Span.of(span.where, text, min(span.start, match.start()), max(span.end, match.end()))
    return span


def _words_of(span: Span, texts: Texts) -> tuple[str, ...]:
    """The words in a stretch of text, and the one after it."""
    following = _NEXT.match(texts.get(span.where, ""), span.end)
    own = [word.casefold() for word in _WORD.findall(span.text)]
    return (*own, following[1].casefold() if following else "")


def _values(written: str) -> Iterator[float]:
    """The numbers that digits can stand for: `1.500` is one and a half, or fifteen hundred."""
    digits = re.sub(r"[\s'’]", "", written)
    yield float(re.sub(r"[.,]", "", digits))
    if len(parts := re.split(r"[.,]", digits)) > 1:
        yield float("".join(parts[:-1]) + "." + parts[-1])


def _may_be_same(one: float, other: float) -> bool:
    """Whether two numbers can mean the same: they are equal, or hours that are half a day apart."""
    return one == other or (max(one, other) <= 2 * _HALF_DAY and abs(one - other) == _HALF_DAY)


def _part(written: str) -> int:
    """A part of a date; a year in four digits or in two."""
    number = int(re.sub(r"\D", "", written))
    return number % 100 if number > 999 else number
