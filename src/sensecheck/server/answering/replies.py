"""What is told of an answer: of the words that the reader sees, everything; of those held back, nothing."""

from typing import Any

from sensecheck.grounding.asking.cleaning import clean
from sensecheck.grounding.asking.missing import missing_words
from sensecheck.server.answering.answered import Answered
from sensecheck.server.answering.asking import Inquiry
from sensecheck.server.answering.original_places import in_original
from sensecheck.server.engine.jobs import Checked
from sensecheck.server.judging.include import PLAIN, View

WITHOUT_CHECK = {
    "unsure": "the passage does not answer the question",
    "error": "the question or the passage cannot be read",
}
"""By outcome; a writer that failed is told as a problem."""


def reply_data(inquiry: Inquiry, answered: Answered, view: View) -> dict[str, Any]:
    """The reply, and what the event `end` holds."""
    checked = answered.checked
    found: dict[str, Any] = {} if checked is None else {**view.scores(checked), **view.calibration(checked)}
    return {
        "id": inquiry.id,
        "decision": answered.decision,
        "outcome": answered.outcome,
        "answer": answered.answer,
        "in_selected_text": answered.in_selected_text,
        "because": _because(answered, view),
        "missing": [] if answered.in_selected_text else _missing(inquiry),
        **_placed(inquiry, answered, view),
        "removed": [{"kind": kind, "count": count} for kind, count in inquiry.passage.removed],
        **found,
        "model": {
            "encoder": None if checked is None else checked.fingerprint,
            "verifier": None if checked is None else checked.data["verifier"],
        },
        "policy": inquiry.asking.policy.mark,
        "writer": inquiry.writer.name,
        "offsets": inquiry.asking.offsets,
        "stored": inquiry.asking.store,
        "timing": {
            "write_ms": round(inquiry.writing_ms, 3),
            "check_ms": round(inquiry.checking_ms, 3),
            "total_ms": round(inquiry.total_ms, 3),
        },
    }


def _because(answered: Answered, view: View) -> str:
    """Why; reasons name words of the answer, so that those of what was held back are told without them."""
    if answered.checked is None:
        return WITHOUT_CHECK[answered.outcome]
    if answered.decision == "accepted":
        return str(view.verdict(answered.checked)["because"])
    return PLAIN[answered.checked.data["support"]]


def _missing(inquiry: Inquiry) -> list[str]:
    """The reader's own words alone, whatever was written and held back."""
    return list(missing_words(clean(inquiry.asking.question).text, inquiry.passage.text))


def _placed(inquiry: Inquiry, answered: Answered, view: View) -> dict[str, Any]:
    """Claims and what speaks to the model, where they stand in the texts as the client has them."""
    claims: dict[str, Any] = {"claims": [], "non_claims": []} if "claims" in view.include else {}
    if answered.shown is not None:
        claims = view.claims(_in_original(inquiry, answered.shown, answered.answer))
    if answered.checked is None:
        return {**claims, "injections": []}
    found = _in_original(inquiry, answered.checked, answered.written)
    return {**claims, "injections": found.data["injections"]}


def _in_original(inquiry: Inquiry, checked: Checked, answer: str) -> Checked:
    asking = inquiry.asking
    return in_original(checked, answer, inquiry.passage, asking.passage, asking.offsets)
