"""`check_answer`: the verdict of any check of ours on an answer."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from sensecheck.checks.presets import PRESETS
from sensecheck.checks.spec import KINDS
from sensecheck.core.errors import SpecError
from sensecheck.core.sample import Sample
from sensecheck.core.serialization import unknown
from sensecheck.core.verdict import Verdict
from sensecheck.mcp.desk import Desk
from sensecheck.mcp.limits import LISTED
from sensecheck.mcp.shapes import EVIDENCE, FINGERPRINT, NUMBER, OUTCOME, TEXT, UNREAD, evidence_data
from sensecheck.mcp.tool import Payload, Schema, closed

MEASURES = (
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
        "cutoff": {"type": ["object", "null"], "description": "The line: `at_least` or `at_most`."},
        "calibrated": {"type": "boolean", "description": "Whether every line was fitted on labelled data."},
        "fingerprint": FINGERPRINT,
        "parts": {"type": "array", "items": {"$ref": "#/$defs/verdict"}},
    }
)


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

    def call(self, desk: Desk) -> Payload:
        """The verdict."""
        described = {"kind": self.check} if isinstance(self.check, str) else self.check
        _must_only_read_texts(described)
        sample = Sample(self.answer, question=self.question, expected=self.expected, passages=self.passages)
        return verdict_data(desk.sense.judge(sample, desk.sense.check(described)))


def verdict_data(verdict: Verdict) -> Payload:
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
            "evidence": [evidence_data(item) for item in reading.evidence],
            "unread_chars": reading.unread_chars,
        },
        "cutoff": verdict.cutoff and verdict.cutoff.to_data(),
        "calibrated": _is_calibrated(verdict),
        "fingerprint": verdict.fingerprint,
        "parts": [verdict_data(part) for part in verdict.parts],
    }


def _is_calibrated(verdict: Verdict) -> bool:
    if verdict.cutoff is not None:
        return verdict.cutoff.calibrated
    return bool(verdict.parts) and all(map(_is_calibrated, verdict.parts))


def _must_only_read_texts(described: Any) -> None:
    """A stranger's check may not open a file of this machine, nor run anything on it."""
    for measure in _measures(described):
        if measure not in MEASURES:
            raise SpecError(f"in `check`: {unknown('measure for this tool', measure, MEASURES)}")


def _measures(described: Any) -> Iterator[object]:
    """The kinds of all measures, at any depth; what is malformed is told by whoever reads the check."""
    if not isinstance(described, Mapping):
        return
    measure = described.get("measure")
    if isinstance(measure, Mapping) and "kind" in measure:
        yield measure["kind"]
    several = described.get("checks")
    for inner in (described.get("check"), *(several if isinstance(several, list) else ())):
        yield from _measures(inner)
