"""`ground_answer`: whether an answer comes from its passages, claim by claim."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, get_args

from sensecheck.calibration.card import LONGEST
from sensecheck.calibration.target import KEYS as PROMISE
from sensecheck.checks.grounded import Support
from sensecheck.checks.policies import POLICIES
from sensecheck.mcp.desk import Desk
from sensecheck.mcp.limits import LISTED
from sensecheck.mcp.shapes import EVIDENCE, MAYBE_TEXT, OUTCOME, SPAN, TEXT, UNREAD
from sensecheck.mcp.tool import Payload, Schema, closed
from sensecheck.measures.claims.non_claims import NonClaim

_SUPPORT: Schema = {"enum": list(get_args(Support))}
_MAYBE_NUMBER: Schema = {"type": ["number", "null"]}
_SEVERAL: Schema = {"type": "array", "items": SPAN}
_CLAIM: Schema = closed(
    {
        **SPAN["properties"],
        "support": _SUPPORT,
        "because": TEXT,
        "value": _MAYBE_NUMBER,
        "evidence": {**_SEVERAL, "description": "The sentences of the passages that come nearest."},
        "reasons": {"type": "array", "items": EVIDENCE, "description": "What does not fit."},
    }
)
_NON_CLAIM: Schema = closed({**SPAN["properties"], "kind": {"enum": list(get_args(NonClaim))}})
_POLICY: Schema = {
    "anyOf": [
        {"enum": list(POLICIES)},
        {"type": "object", "required": ["name", "version", "reads"], "maxProperties": LISTED},
    ]
}


_LINE: Schema = {
    "anyOf": [
        {"type": "number"},
        {"type": "string", "maxLength": LONGEST},
        {
            "type": "object",
            "properties": {key: {"type": "number"} for key in PROMISE},
            "maxProperties": LISTED,
        },
        {"type": "null"},
    ]
}


@dataclass(frozen=True, slots=True)
class GroundAnswer:
    """A call of `ground_answer`."""

    name: ClassVar[str] = "ground_answer"
    title: ClassVar[str] = "Is the answer in the passages?"
    about: ClassVar[str] = (
        "Holds every claim of an answer against passages and says which are supported, where, and what does "
        "not fit: a changed number or name, a negation, an invention. Use it before showing an answer that "
        "was written from sources. Show the answer only when `accepted` is true."
    )
    result: ClassVar[Schema] = closed(
        {
            "support": _SUPPORT,
            "outcome": OUTCOME,
            "accepted": {"type": "boolean", "description": "Whether the policy lets the answer be shown."},
            "because": TEXT,
            "policy": TEXT,
            "fail_mode": {"enum": ["closed", "open"]},
            "offsets": {"const": "code_points"},
            "value": _MAYBE_NUMBER,
            "unread_chars": UNREAD,
            "cutoff": {"type": ["object", "null"]},
            "calibrated": {"type": "boolean", "description": "Whether the line was fitted on labelled data."},
            "fingerprint": MAYBE_TEXT,
            "verifier": MAYBE_TEXT,
            "claims": {"type": "array", "items": _CLAIM},
            "non_claims": {
                "type": "array",
                "items": _NON_CLAIM,
                "description": "Parts of the answer that claim nothing, and what they are.",
            },
            "injections": {**_SEVERAL, "description": "Where the passages speak to the model."},
        }
    )

    answer: Annotated[str, "The answer to check."]
    passages: Annotated[tuple[str, ...], "The texts that the answer must come from."]
    question: Annotated[str | None, "The question that was asked, if it is known."] = None
    policy: Annotated[
        str | Mapping[str, Any], "How it is decided: a policy by name, or one as data.", _POLICY
    ] = "default"
    threshold: Annotated[
        float | str | Mapping[str, Any] | None,
        "The line in the place of the policy's own: a number, a card's name, or a promise.",
        _LINE,
    ] = None

    def call(self, desk: Desk) -> Payload:
        """Everything that was found."""
        found = desk.sense.grounded(
            self.answer,
            self.passages,
            question=self.question,
            policy=self.policy,
            threshold=self.threshold,
        )
        cutoff = found.verdict.cutoff
        data = {**found.to_data(), "calibrated": cutoff is not None and cutoff.calibrated}
        del data["sample"]
        return data
