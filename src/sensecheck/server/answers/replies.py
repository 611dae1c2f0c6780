"""What is told.

Spans of a cleaned passage and an answer, as they stand in the texts that the client has.

What is told of an answer: of the words that the reader sees, everything; of those held back, nothing.

What is told of a check.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from sensecheck.core.unicode import Encoding, Offsets, encoded
from sensecheck.grounding.missing_terms import missing_words
from sensecheck.grounding.sanitize import Cleaned, clean
from sensecheck.server.answers.inquiry import Answered, Inquiry
from sensecheck.server.checks import PLAIN, Found, View
from sensecheck.server.engine.jobs import Checked

Placing = Callable[[Mapping[str, Any]], dict[str, Any]]


def in_original(checked: Checked, answer: str, cleaned: Cleaned, passage: str, offsets: Encoding) -> Checked:
    """The same findings, with every span where it stands in the original, counted as the client counts."""
    if not cleaned.cuts and offsets == "code_points":
        return checked
    place = _placing(answer, cleaned, passage, offsets)
    data = checked.data
    claims = [_claim(claim, place) for claim in data["claims"]]
    placed = {name: [place(span) for span in data[name]] for name in ("injections", "non_claims")}
    return replace(checked, data={**data, **placed, "claims": claims, "offsets": offsets})


def _placing(answer: str, cleaned: Cleaned, passage: str, offsets: Encoding) -> Placing:
    in_answer, in_passage = Offsets.of(answer, offsets), Offsets.of(passage, offsets)

    def place(span: Mapping[str, Any]) -> dict[str, Any]:
        start, end, text, counted = span["start"], span["end"], span["text"], in_answer
        if span["where"] != "answer":
            start, end = cleaned.original(start, end)
            text, counted = passage[start:end], in_passage
        start, end = counted.encoded([(start, end)])[0]
        return {**span, "start": start, "end": end, "text": text}

    return place


def _claim(claim: Mapping[str, Any], place: Placing) -> dict[str, Any]:
    own = {name: claim[name] for name in ("where", "start", "end", "text")}
    evidence = [place(span) for span in claim["evidence"]]
    return {
        **claim,
        **place(own),
        "evidence": evidence,
        "reasons": [_reason(one, place) for one in claim["reasons"]],
    }


def _reason(reason: Mapping[str, Any], place: Placing) -> dict[str, Any]:
    return {**reason, **{side: place(reason[side]) for side in ("answer", "source") if side in reason}}


WITHOUT_CHECK = {
    "unsure": "the passage does not answer the question",
    "error": "the question or the passage cannot be read",
}
"""By outcome; a writer that failed is told as a problem."""


def answer_reply_data(inquiry: Inquiry, answered: Answered, view: View) -> dict[str, Any]:
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


def check_reply_data(found: Found) -> dict[str, Any]:
    """The reply, as far as the caller may see it and wants to."""
    data, view = found.whole.data, found.view
    return {
        "id": found.id,
        "verdict": view.verdict(found.whole),
        **_claims(found),
        "injections": data["injections"],
        **view.scores(found.whole),
        **view.calibration(found.whole),
        "truncation": {"unread_chars": data["unread_chars"]},
        "model": {"encoder": data["fingerprint"], "verifier": data["verifier"]},
        "policy": found.policy.mark,
        "offsets": found.asked.offsets,
        "stored": found.asked.store,
        "timing": {"engine_ms": round(found.engine_ms, 3), "total_ms": round(found.total_ms, 3)},
    }


def _claims(found: Found) -> dict[str, Any]:
    """The claims that we found in the answer; or those that were given, each with its own verdict."""
    names, view = found.asked.names, found.view
    if found.asked.claims is None:
        return view.claims(found.whole, names)
    if "claims" not in view.include:
        return {}
    return {"claims": [_given(found, at) for at in range(len(found.each))]}


def _given(found: Found, at: int) -> dict[str, Any]:
    """One claim that was given; what was found of its parts is told as found of it."""
    checked, text, view = found.each[at], found.asked.texts[at], found.view
    parts = [view.claim(part, found.asked.names, own=f"claims[{at}]") for part in checked.data["claims"]]
    end = encoded(text, [(0, len(text))], found.asked.offsets)[0][1]
    told: dict[str, Any] = {"text": text, "start": 0, "end": end}
    told |= view.verdict(checked) | view.scores(checked)
    for name in ("evidence", "reasons"):
        if name in view.include:
            told[name] = [item for part in parts for item in part[name]]
    return told
