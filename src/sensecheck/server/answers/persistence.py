"""What is stored of an answer or a check, before anybody gets the reply."""

from dataclasses import replace

from sensecheck.server.answers.inquiry import Answered, Inquiry
from sensecheck.server.caller import Caller
from sensecheck.server.checks import CheckResult
from sensecheck.server.middleware.request import note_decision
from sensecheck.store.service.records import EXCERPT, Candidate, Completed, Entry, Message, moment_of


async def keep(inquiry: Inquiry, answered: Answered, completed: Completed | None = None) -> None:
    """Return once it is stored, whether or not the database is there; and count it."""
    if inquiry.query.store:
        await inquiry.parts.write_queue.keep(entry_of(inquiry, answered, completed))
    checked, metrics = answered.checked, inquiry.parts.metrics
    metrics.answered(answered.decision, inquiry.writer.name)
    if checked is not None:
        mark, spent = inquiry.query.policy.mark, inquiry.checking_ms
        metrics.checked(answered.outcome, mark, spent, checked.similarity, checked.overlap)
    note_decision(answered.decision, answered.outcome)


def entry_of(inquiry: Inquiry, answered: Answered, completed: Completed | None) -> Entry:
    """The message; and what was held back of the answer, where somebody is to review it."""
    message = _message(inquiry, answered)
    checked = answered.checked
    held_back = answered.decision in ("held-back", "cut") and checked is not None and not checked.accepted
    if checked is None or not (held_back and inquiry.caller.key.review):
        return Entry(message, None, completed)
    candidate = Candidate(
        message.id,
        message.at,
        message.project,
        message.session_id,
        answered.written,
        inquiry.query.passage,
        checked.because,
    )
    return Entry(message, candidate, completed)


def message_of(found: CheckResult, caller: Caller) -> Message:
    """The message of a check; its first source stands where other messages have their passage."""
    at = moment_of(found.id)
    assert at is not None  # the id is one of ours
    return Message(
        id=found.id,
        at=at,
        project=caller.key.project,
        api_key=caller.key.id,
        session_id=found.request.session_id,
        mode="check",
        user_message=found.request.question,
        assistant_response="\n".join(found.request.texts),
        selected_text=found.request.passages[0][:EXCERPT],
        in_selected_text=found.whole.accepted,
        outcome=found.whole.outcome,
        policy=found.policy.mark,
        writer=None,
        encoder=found.whole.fingerprint,
        support=found.whole.value,
        response_similarity_score=found.whole.similarity,
        keyword_overlap_ratio=found.whole.overlap,
        validation_passed=found.whole.accepted,
        latency_validation_ms=found.engine_ms,
        latency_ms=found.total_ms,
        truncated=bool(found.whole.data["unread_chars"]),
    )


def _message(inquiry: Inquiry, answered: Answered) -> Message:
    at, query, checked = moment_of(inquiry.id), inquiry.query, answered.checked
    assert at is not None  # the id is one of ours
    message = Message(
        id=inquiry.id,
        at=at,
        project=inquiry.caller.key.project,
        api_key=inquiry.caller.key.id,
        session_id=query.session_id,
        mode="selected_text",
        user_message=query.question,
        assistant_response=answered.answer,
        selected_text=query.passage[:EXCERPT],
        in_selected_text=answered.in_selected_text,
        outcome=answered.outcome,
        policy=query.policy.mark,
        writer=inquiry.writer.name,
        encoder=None if checked is None else checked.fingerprint,
        latency_ms=inquiry.total_ms,
        truncated=query.truncated,
    )
    if checked is None:
        return message
    # an answer that says that the passage does not say can neither pass nor fail
    passed = None if answered.decision == "no-answer" else checked.accepted
    return replace(
        message,
        support=checked.value,
        response_similarity_score=checked.similarity,
        keyword_overlap_ratio=checked.overlap,
        latency_validation_ms=inquiry.checking_ms,
        validation_passed=passed,
    )
