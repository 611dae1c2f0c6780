"""A check as it is kept, where the caller wants that."""

from sensecheck.server.caller import Caller
from sensecheck.server.judging.checking import Found
from sensecheck.store.service.ids import moment_of
from sensecheck.store.service.records import EXCERPT, Message


def message_of(found: Found, caller: Caller) -> Message:
    """The message of a check; its first source stands where other messages have their passage."""
    at = moment_of(found.id)
    assert at is not None  # the id is one of ours
    return Message(
        id=found.id,
        at=at,
        project=caller.key.project,
        api_key=caller.key.id,
        session_id=found.asked.session_id,
        mode="check",
        user_message=found.asked.question,
        assistant_response="\n".join(found.asked.texts),
        selected_text=found.asked.passages[0][:EXCERPT],
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
