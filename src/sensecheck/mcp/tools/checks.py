"""The tools that judge a text: `check_answer`, `ground_answer` and `classify_text`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, get_args

from sensecheck.calibration.card import MAX_NAME_CHARS
from sensecheck.calibration.target import KEYS as PROMISE
from sensecheck.checks.gate import Gate
from sensecheck.checks.grounded import Support
from sensecheck.checks.policies import POLICIES
from sensecheck.checks.presets import PRESETS
from sensecheck.checks.spec import KINDS
from sensecheck.core.errors import SpecError
from sensecheck.core.sample import Sample
from sensecheck.core.serialization import did_you_mean, to_data
from sensecheck.core.verdict import Verdict
from sensecheck.mcp.tool import (
    EVIDENCE,
    FINGERPRINT,
    LISTED,
    MAYBE_TEXT,
    NUMBER,
    OUTCOME,
    SPAN,
    TEXT,
    UNREAD,
    Payload,
    Schema,
    ToolContext,
    closed,
    read,
)
from sensecheck.measures.claims.non_claims import NonClaim
from sensecheck.measures.exemplars import ClusterMargin, Nearness

_MEASURES = (
    "circling",
    "cluster_margin",
    "entailment",
    "fact_agreement",
    "groundedness",
    "keyword_overlap",
    "nearest_exemplar",
    "passage_similarity",
    "repetition",
    "similarity",
    "stated_verdict",
)
"""What a gate may read here: nothing that opens files, runs what it is given, or asks a judge."""
_CHECK: Schema = {
    "anyOf": [
        {"enum": list(PRESETS)},
        {
            "type": "object",
            "properties": {"kind": {"enum": [*PRESETS, *KINDS]}},
            "required": ["kind"],
            "maxProperties": LISTED,
        },
    ]
}
_READING: Schema = closed(
    {
        "value": NUMBER,
        "because": TEXT,
        "evidence": {"type": "array", "items": EVIDENCE},
        "unread_chars": UNREAD,
    }
)
_VERDICT: Schema = closed(
    {
        "check": TEXT,
        "outcome": OUTCOME,
        "because": TEXT,
        "reading": {"anyOf": [_READING, {"type": "null"}]},
        "cutoff": {"type": ["object", "null"], "description": "The cutoff: `at_least` or `at_most`."},
        "calibrated": {"type": "boolean", "description": "Whether every cutoff was fitted on labelled data."},
        "fingerprint": FINGERPRINT,
        "parts": {"type": "array", "items": {"$ref": "#/$defs/verdict"}},
    }
)

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

_CUTOFF: Schema = {
    "anyOf": [
        {"type": "number"},
        {"type": "string", "maxLength": MAX_NAME_CHARS},
        {
            "type": "object",
            "properties": {key: {"type": "number"} for key in PROMISE},
            "maxProperties": LISTED,
        },
        {"type": "null"},
    ]
}


@dataclass(frozen=True, slots=True)
class CheckAnswer:
    """A call of `check_answer`."""

    name: ClassVar[str] = "check_answer"
    title: ClassVar[str] = "Check an answer"
    about: ClassVar[str] = (
        "Judges an answer, the same way every time, and explains why. `check` is the name of a preset, or "
        'data with a `kind` and its settings, such as {"kind": "means", "threshold": 0.7}. Often used: '
        "`means` (says what `expected` says, with no fact changed), `keeps_facts` (numbers, dates, names and "
        "negations are those of `expected`), `not_a_refusal`, `not_circling`, `verdict_is` (what the text "
        "of a judge amounts to), `grounded` (comes from `passages`). Only the outcome `pass` is a pass; "
        "`unsure` asks for a second opinion."
    )
    result: ClassVar[Schema] = {**_VERDICT, "$defs": {"verdict": _VERDICT}}

    answer: Annotated[str, "The answer to check."]
    check: Annotated[str | Mapping[str, Any], "What to check: a preset's name, or a check as data.", _CHECK]
    question: Annotated[str | None, "The question that was asked, where the check reads it."] = None
    expected: Annotated[str | None, "The expected answer, for `means`, `keeps_facts` and their like."] = None
    passages: Annotated[tuple[str, ...], "The passages, for `grounded` and its like."] = ()

    def call(self, context: ToolContext) -> Payload:
        """The verdict."""
        check_data = {"kind": self.check} if isinstance(self.check, str) else self.check
        for measure in _measures(check_data):  # a stranger's check may open no file here, nor run anything
            if measure not in _MEASURES:
                raise SpecError(f"in `check`: {did_you_mean('measure for this tool', measure, _MEASURES)}")
        sample = Sample(self.answer, question=self.question, expected=self.expected, passages=self.passages)
        return _verdict_data(context.sense.judge(sample, context.sense.check(check_data)))


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
            "calibrated": {
                "type": "boolean",
                "description": "Whether the cutoff was fitted on labelled data.",
            },
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
        "The cutoff that replaces the one of the policy: a number, a card's name, or a promise.",
        _CUTOFF,
    ] = None

    def call(self, context: ToolContext) -> Payload:
        """Everything that was found."""
        grounding = context.sense.grounded(
            self.answer,
            self.passages,
            question=self.question,
            policy=self.policy,
            threshold=self.threshold,
        )
        cutoff = grounding.verdict.cutoff
        data = {**grounding.to_data(), "calibrated": cutoff is not None and cutoff.calibrated}
        del data["sample"]
        return data


@dataclass(frozen=True, slots=True)
class ClassifyText:
    """A call of `classify_text`."""

    name: ClassVar[str] = "classify_text"
    title: ClassVar[str] = "Classify a text by examples"
    about: ClassVar[str] = (
        "Which of two or more clusters of example texts a text lies nearest to. A small `margin` (below "
        "about 0.03) means that it belongs to neither; more and better examples make it grow."
    )
    result: ClassVar[Schema] = closed(
        {
            "nearest": {**TEXT, "description": "The name of the cluster."},
            "distances": {
                "type": "object",
                "additionalProperties": NUMBER,
                "description": "The drift from each cluster; smaller is nearer.",
            },
            "margin": {
                **NUMBER,
                "minimum": 0,
                "description": "How much further away the next cluster is.",
            },
            "fingerprint": FINGERPRINT,
            "unread_chars": UNREAD,
        }
    )

    text: Annotated[str, "The text to classify."]
    clusters: Annotated[Mapping[str, tuple[str, ...]], "Example texts under the name of their cluster."]
    by: Annotated[Nearness, "How near a cluster is: its examples' mean, its nearest example, its centre."] = (
        "mean"
    )

    def call(self, context: ToolContext) -> Payload:
        """The nearest cluster, and how far away all of them are."""
        if not self.clusters:
            raise SpecError("`clusters` must have at least two clusters; got 0")
        any_cluster = next(iter(self.clusters))
        reading, fingerprint = read(
            context, self.text, Gate(ClusterMargin(self.clusters, any_cluster, self.by))
        )
        closeness = {item.note: item.closeness or 0.0 for item in reading.evidence}
        first, second, *_ = closeness.values()
        return {
            "nearest": reading.evidence[0].note,
            "distances": {name: 1 - closeness[name] for name in self.clusters},
            "margin": first - second,
            "fingerprint": fingerprint,
            "unread_chars": reading.unread_chars,
        }


def _measures(check: Any) -> Iterator[object]:
    """The kinds of all measures, at any depth; what is malformed is reported when the check is read."""
    if not isinstance(check, Mapping):
        return
    measure = check.get("measure")
    if isinstance(measure, Mapping) and "kind" in measure:
        yield measure["kind"]
    nested_checks = check.get("checks")
    for inner in (check.get("check"), *(nested_checks if isinstance(nested_checks, list) else ())):
        yield from _measures(inner)


def _verdict_data(verdict: Verdict) -> Payload:
    """A verdict with all its keys, and its parts below it."""
    reading = verdict.reading
    return {
        "check": verdict.check,
        "outcome": verdict.outcome,
        "because": verdict.because,
        "reading": reading
        and {
            "value": reading.value,
            "because": reading.because,
            "evidence": [to_data(item) for item in reading.evidence],
            "unread_chars": reading.unread_chars,
        },
        "cutoff": verdict.cutoff and verdict.cutoff.to_data(),
        "calibrated": _is_calibrated(verdict),
        "fingerprint": verdict.fingerprint,
        "parts": [_verdict_data(part) for part in verdict.parts],
    }


def _is_calibrated(verdict: Verdict) -> bool:
    if verdict.cutoff is not None:
        return verdict.cutoff.calibrated
    return bool(verdict.parts) and all(map(_is_calibrated, verdict.parts))
