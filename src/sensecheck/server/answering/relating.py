"""Which sections of a page answer a question, by the rule that answers are extracted by."""

from sensecheck.core.unicode import encoded
from sensecheck.grounding.asking.cleaning import Cleaned, clean
from sensecheck.grounding.asking.question import is_whole
from sensecheck.grounding.asking.relating import Answers, Place, answering, related
from sensecheck.server.engine.jobs import Extracted, ExtractJob, Result
from sensecheck.server.judging.judged import begun, finished
from sensecheck.server.parts import Parts
from sensecheck.server.problems import INVALID, Problem
from sensecheck.server.shapes.related import RelatedRequest, RelatedSection


async def sections_that_answer(parts: Parts, asked: RelatedRequest) -> list[RelatedSection]:
    """The surest first. To a question about a passage as a whole, no other passage is an answer."""
    question = clean(asked.question).text
    if is_whole(question):
        return []
    cleaned = [clean(section.text) for section in asked.sections]
    found = await finished(parts, begun(parts, [ExtractJob(question, one.text) for one in cleaned]))
    if not any(isinstance(one, Extracted) for one in found):
        raise Problem(INVALID, "the question or the sections cannot be read by the model of this service")
    sure = answering([_answers(one) for one in found], related())
    return [_told(asked, at, cleaned[at], place) for at, place in sure[: asked.top]]


def _answers(found: Result) -> Answers:
    """The sentences that answer; of a section that cannot be read, none."""
    return list(zip(found.spans, found.sure, strict=True)) if isinstance(found, Extracted) else []


def _told(asked: RelatedRequest, at: int, cleaned: Cleaned, place: Place) -> RelatedSection:
    """The sentence as it stands in the section that the client has, counted as the client counts."""
    section = asked.sections[at]
    start, end = cleaned.original(*place)
    told = encoded(section.text, [(start, end)], asked.offsets)[0]
    return RelatedSection(id=section.id, start=told[0], end=told[1], text=section.text[start:end])
