"""Spans of a cleaned passage and an answer, as they stand in the texts that the client has."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from sensecheck.core.unicode import Encoding, Offsets
from sensecheck.grounding.asking.cleaning import Cleaned
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
