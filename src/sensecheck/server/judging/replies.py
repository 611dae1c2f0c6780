"""What is told of a check."""

from typing import Any

from sensecheck.core.unicode import encoded
from sensecheck.server.judging.checking import Found


def reply_data(found: Found) -> dict[str, Any]:
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
