"""Replies to answers and checks as JSON data.

Of the words that a reader sees, everything is shown; of those held back, nothing. Spans are those of the
texts that the client has, not of cleaned ones.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from sensecheck.core.unicode import Encoding, Offsets, encoded
from sensecheck.grounding.missing_terms import missing_words
from sensecheck.grounding.sanitize import Cleaned, clean
from sensecheck.server.answers.inquiry import Answered, Inquiry
from sensecheck.server.checks import PLAIN, CheckResult, View
from sensecheck.server.engine.jobs import Checked

SpanMapping = Callable[[Mapping[str, Any]], dict[str, Any]]
WITHOUT_CHECK = {
    "unsure": "the passage does not answer the question",
    "error": "the question or the passage cannot be read",
}
"""By outcome; a writer that failed is reported as a problem."""


def answer_reply_data(inquiry: Inquiry, answered: Answered, view: View) -> dict[str, Any]:
    """The reply, and what the event `end` holds."""
    checked = answered.checked
    numbers: dict[str, Any] = {} if checked is None else {**view.scores(checked), **view.calibration(checked)}
    missing: tuple[str, ...] = ()
    if not answered.in_selected_text:  # only the reader's own words, whatever was written and withheld
        missing = missing_words(clean(inquiry.query.question).text, inquiry.passage.text)
    return {
        "id": inquiry.id,
        "decision": answered.decision,
        "outcome": answered.outcome,
        "answer": answered.answer,
        "in_selected_text": answered.in_selected_text,
        "because": _because(answered, view),
        "missing": list(missing),
        **_spans(inquiry, answered, view),
        "removed": [{"kind": kind, "count": count} for kind, count in inquiry.passage.removed],
        **numbers,
        "model": {
            "encoder": None if checked is None else checked.fingerprint,
            "verifier": None if checked is None else checked.data["verifier"],
        },
        "policy": inquiry.query.policy.mark,
        "writer": inquiry.writer.name,
        "offsets": inquiry.query.offsets,
        "stored": inquiry.query.store,
        "timing": {
            "write_ms": round(inquiry.writing_ms, 3),
            "check_ms": round(inquiry.checking_ms, 3),
            "total_ms": round(inquiry.total_ms, 3),
        },
    }


def check_reply_data(found: CheckResult) -> dict[str, Any]:
    """The reply, as far as the caller may see it and wants to."""
    data, view = found.whole.data, found.view
    return {
        "id": found.id,
        "verdict": view.verdict(found.whole),
        **_claims_of_check(found),
        "injections": data["injections"],
        **view.scores(found.whole),
        **view.calibration(found.whole),
        "truncation": {
            "unread_chars": data["unread_chars"],
            "unread_claims": found.whole.unread_claims,
        },
        "model": {"encoder": data["fingerprint"], "verifier": data["verifier"]},
        "policy": found.policy.mark,
        "offsets": found.request.offsets,
        "stored": found.request.store,
        "timing": {"engine_ms": round(found.engine_ms, 3), "total_ms": round(found.total_ms, 3)},
    }


def in_original(checked: Checked, answer: str, cleaned: Cleaned, passage: str, offsets: Encoding) -> Checked:
    """The same findings, with every span where it stands in the original, counted as the client counts."""
    if not cleaned.cuts and offsets == "code_points":
        return checked
    to_original = _span_mapping(answer, cleaned, passage, offsets)
    data = checked.data
    claims = [_claim_in_original(claim, to_original) for claim in data["claims"]]
    spans = {name: [to_original(span) for span in data[name]] for name in ("injections", "non_claims")}
    return replace(checked, data={**data, **spans, "claims": claims, "offsets": offsets})


def _because(answered: Answered, view: View) -> str:
    """Why; reasons name words of the answer, so those of a withheld answer are left out."""
    if answered.checked is None:
        return WITHOUT_CHECK[answered.outcome]
    if answered.decision == "accepted":
        return str(view.verdict(answered.checked)["because"])
    return PLAIN[answered.checked.data["support"]]


def _spans(inquiry: Inquiry, answered: Answered, view: View) -> dict[str, Any]:
    """Claims and what speaks to the model, where they stand in the texts as the client has them."""
    claims: dict[str, Any] = {"claims": [], "non_claims": []} if "claims" in view.include else {}
    if answered.shown is not None:
        claims = view.claims(_in_original(inquiry, answered.shown, answered.answer))
    if answered.checked is None:
        return {**claims, "injections": []}
    original = _in_original(inquiry, answered.checked, answered.written)
    return {**claims, "injections": original.data["injections"]}


def _in_original(inquiry: Inquiry, checked: Checked, answer: str) -> Checked:
    query = inquiry.query
    return in_original(checked, answer, inquiry.passage, query.passage, query.offsets)


def _claims_of_check(result: CheckResult) -> dict[str, Any]:
    """The claims of the answer; or the given claims, each with its own verdict."""
    names, view = result.request.names, result.view
    if result.request.claims is None:
        return view.claims(result.whole, names)
    if "claims" not in view.include:
        return {}
    return {"claims": [_claim_reply(result, at) for at in range(len(result.each))]}


def _claim_reply(result: CheckResult, at: int) -> dict[str, Any]:
    """The reply to one given claim, with the findings of all its parts."""
    checked, text, view = result.each[at], result.request.texts[at], result.view
    parts = [view.claim(part, result.request.names, own=f"claims[{at}]") for part in checked.data["claims"]]
    end = encoded(text, [(0, len(text))], result.request.offsets)[0][1]
    reply: dict[str, Any] = {"text": text, "start": 0, "end": end}
    reply |= view.verdict(checked) | view.scores(checked)
    for name in ("evidence", "reasons"):
        if name in view.include:
            reply[name] = [item for part in parts for item in part[name]]
    return reply


def _span_mapping(answer: str, cleaned: Cleaned, passage: str, offsets: Encoding) -> SpanMapping:
    in_answer, in_passage = Offsets.of(answer, offsets), Offsets.of(passage, offsets)

    def to_original(span: Mapping[str, Any]) -> dict[str, Any]:
        start, end, text, text_offsets = span["start"], span["end"], span["text"], in_answer
        if span["where"] != "answer":
            start, end = cleaned.original(start, end)
            text, text_offsets = passage[start:end], in_passage
        start, end = text_offsets.encoded([(start, end)])[0]
        return {**span, "start": start, "end": end, "text": text}

    return to_original


def _claim_in_original(claim: Mapping[str, Any], to_original: SpanMapping) -> dict[str, Any]:
    whole = {name: claim[name] for name in ("where", "start", "end", "text")}
    evidence = [to_original(span) for span in claim["evidence"]]
    return {
        **claim,
        **to_original(whole),
        "evidence": evidence,
        "reasons": [
            {**reason, **{side: to_original(reason[side]) for side in ("answer", "source") if side in reason}}
            for reason in claim["reasons"]
        ],
    }
