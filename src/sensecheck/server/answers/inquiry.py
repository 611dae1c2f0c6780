"""A question about a passage, from its arrival to the decision about its answer.

Both routes that answer use it. Sections of a page that answer a question are found by the rule by which
answers are extracted.
"""

from collections.abc import AsyncGenerator
from contextlib import AbstractContextManager, aclosing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from time import perf_counter
from typing import Literal

from sensecheck.core.unicode import Encoding, encoded
from sensecheck.core.verdict import Outcome
from sensecheck.grounding.extractive import Place, answering, related
from sensecheck.grounding.question import is_whole
from sensecheck.grounding.sanitize import Cleaned, clean
from sensecheck.grounding.writer import FALLBACK, LONGEST_ANSWER, Writer, WriterFailed, WriterRequest
from sensecheck.server.caller import Caller
from sensecheck.server.checks import (
    TYPICAL_ANSWER,
    ChosenPolicy,
    admitted,
    begin_jobs,
    engine_problems,
    finish_jobs,
    run_check,
)
from sensecheck.server.engine.jobs import Checked, CheckJob, Extracted, ExtractJob, Job
from sensecheck.server.logging import log
from sensecheck.server.middleware.request import note_decision, request_id
from sensecheck.server.problems import INVALID, Problem
from sensecheck.server.schemas.answers import RelatedRequest, RelatedSection
from sensecheck.server.startup import ServiceParts
from sensecheck.store.service.records import new_id

Decision = Literal["accepted", "held-back", "cut", "no-answer", "writer-failed"]


@dataclass(frozen=True, slots=True)
class Answered:
    """What a question came to."""

    decision: Decision
    outcome: Outcome
    answer: str
    """What the reader is to see."""
    written: str = ""
    """What the writer wrote, seen or not."""
    checked: Checked | None = None
    """What was found of it; None where there was nothing to check."""
    shown: Checked | None = None
    """What was found of what the reader sees; nothing is ever shown of what they do not see."""

    @property
    def in_selected_text(self) -> bool:
        """Whether the reader sees something that comes from the passage."""
        return self.decision in ("accepted", "cut") and self.shown is not None


NOTHING_WRITTEN = Answered("no-answer", "unsure", FALLBACK)
"""The passage does not answer, says the writer."""
UNREAD = Answered("no-answer", "error", FALLBACK)
"""The question or the passage cannot be read, so that nothing was written."""
NOT_WRITTEN = Answered("writer-failed", "error", FALLBACK)
"""The writer failed."""


@dataclass(frozen=True, slots=True)
class AnswerQuery:
    """What a reader wants to know, and of which passage."""

    question: str
    passage: str
    policy: ChosenPolicy
    session_id: str | None = None
    offsets: Encoding = "code_points"
    store: bool = True
    truncated: bool = False
    """Whether more was selected than is read."""


class Inquiry:
    """One question on its way. It holds no connection to the database, so that writers may be slow."""

    def __init__(self, parts: ServiceParts, caller: Caller, query: AnswerQuery) -> None:
        self.parts, self.caller, self.query = parts, caller, query
        self.id = new_id(datetime.now(UTC))
        self.passage: Cleaned = clean(query.passage)
        """Without what people do not see: nothing else is written from, or checked against."""
        self.writing_ms = 0.0
        self.checking_ms = 0.0
        self._began = perf_counter()

    @property
    def writer(self) -> Writer:
        """Who answers."""
        return self.parts.writer

    @property
    def total_ms(self) -> float:
        """How long it has taken so far."""
        return _ms_since(self._began)

    def admitted(self) -> AbstractContextManager[None]:
        """Room in the engine until the answer is there; or the problem, before anything is written."""
        check = self._job(TYPICAL_ANSWER)
        jobs: list[Job] = [check]
        if self.writer.name == "extractive":
            # It asks the engine where the answer is, and what it writes needs no cross-encoder.
            jobs = [ExtractJob(self.query.question, self.passage.text), replace(check, policy="fast")]
        return admitted(self.parts, jobs, self.caller)

    async def pieces(self) -> AsyncGenerator[str, None]:
        """The answer as it is written, from its first word on; whoever closes it stops the writer.

        Raises `WriterFailed`; or the problem of the engine, which some writers ask too.
        """
        length = 0
        with engine_problems(self.parts.metrics):
            async with aclosing(self._timed_pieces()) as pieces:
                async for piece in pieces:
                    text = piece if length else piece.lstrip()
                    length += len(text)
                    if length > LONGEST_ANSWER:
                        raise WriterFailed("too_long", f"an answer may have {LONGEST_ANSWER} characters")
                    if text:
                        yield text

    async def written(self) -> str:
        """The whole answer."""
        async with aclosing(self.pieces()) as pieces:
            return "".join([piece async for piece in pieces]).rstrip()

    def note_failure(self, failed: WriterFailed) -> None:
        """Count and log an answer that was not written; the words of the trouble stay here."""
        self.parts.metrics.writer_failed(failed.trouble)
        note_decision("writer-failed", "error")
        log().warning("writer", writer=self.writer.name, trouble=failed.trouble, **request_id())

    async def check(self, answer: str) -> Checked:
        """Whether this much of an answer comes from the passage."""
        checked, spent = await run_check(self.parts, self._job(answer))
        self.checking_ms += spent
        return checked

    async def answered(self, written: str) -> Answered:
        """What becomes of an answer."""
        return decided(written, await self.check(written)) if written.strip() else NOTHING_WRITTEN

    async def _timed_pieces(self) -> AsyncGenerator[str, None]:
        """What the writer writes, if there is anything to write from; the time that it takes is counted."""
        if not self.passage.text.strip():
            return
        request = WriterRequest(clean(self.query.question).text, self.passage.text)
        async with aclosing(self.writer.write(request)) as pieces:
            began = perf_counter()
            async for piece in pieces:
                self.writing_ms += _ms_since(began)
                yield piece
                began = perf_counter()
            self.writing_ms += _ms_since(began)

    def _job(self, answer: str) -> CheckJob:
        policy = self.query.policy
        return CheckJob(
            answer,
            (self.passage.text,),
            self.query.question,
            policy.base,
            policy.cutoff,
            trusting=False,
            max_claims=self.parts.settings.max_claims,
        )


async def sections_that_answer(
    parts: ServiceParts, caller: Caller, request: RelatedRequest
) -> list[RelatedSection]:
    """The surest first. To a question about a passage as a whole, no other passage is an answer."""
    question = clean(request.question).text
    if is_whole(question):
        return []
    cleaned = [clean(section.text) for section in request.sections]
    jobs = [ExtractJob(question, section.text) for section in cleaned]
    results = await finish_jobs(parts, begin_jobs(parts, jobs, caller))
    if not any(isinstance(result, Extracted) for result in results):
        raise Problem(INVALID, "the question or the sections cannot be read by the model of this service")
    # Of a section that cannot be read, no sentence answers.
    answers = [
        list(zip(result.spans, result.sure, strict=True)) if isinstance(result, Extracted) else []
        for result in results
    ]
    ranked = answering(answers, related())
    return [_related_section(request, at, cleaned[at], span) for at, span in ranked[: request.top]]


def decided(written: str, checked: Checked) -> Answered:
    """An answer that was checked as a whole: it is shown if it was accepted, and not otherwise."""
    if checked.accepted:
        return Answered("accepted", checked.outcome, written, written, checked, checked)
    abstained = checked.data["support"] == "abstained"
    return Answered("no-answer" if abstained else "held-back", checked.outcome, FALLBACK, written, checked)


def broken_off(released: str, passed: Checked | None, *, failed: bool) -> Answered:
    """An answer whose beginning was shown, and that has no end: something failed, or nobody listened.

    `passed` is what was found of the beginning; None where it was shown unchecked.
    """
    outcome = "error" if failed or passed is None else passed.outcome
    return Answered("cut", outcome, released, released, passed, passed)


def cut_off(released: str, passed: Checked, written: str, refused: Checked) -> Answered:
    """An answer whose beginning was shown, and of which the rest did not pass."""
    return Answered("cut", refused.outcome, released, written, refused, passed)


def _ms_since(began: float) -> float:
    return (perf_counter() - began) * 1000


def _related_section(request: RelatedRequest, at: int, cleaned: Cleaned, span: Place) -> RelatedSection:
    """The sentence as it stands in the section that the client has, counted as the client counts."""
    section = request.sections[at]
    start, end = cleaned.original(*span)
    client_span = encoded(section.text, [(start, end)], request.offsets)[0]
    return RelatedSection(
        id=section.id, start=client_span[0], end=client_span[1], text=section.text[start:end]
    )
