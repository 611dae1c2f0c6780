"""The same decisions without capitals and in tokens: `python benchmarks/quality/lowercased.py`.

Many sets and pipelines have texts in small letters, with spaces around marks: `( 1 , 200 )`, `do n't`. Such a
copy of the everyday rows, and of RAGTruth's where $SENSECHECK_DATA has it, is judged beside the original:
`keeps_facts_of` on answers beside expected ones, `grounded` by default on answers beside passages.
What counts is how often both get the same outcome; and what the other outcomes are.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.quality.everyday import DATA, outcomes
from benchmarks.quality.shares import counted
from models.heads.public import ROOT, rows_of

from sensecheck.checks import presets
from sensecheck.checks.policies import POLICIES
from sensecheck.config import Settings, answerers
from sensecheck.core.protocols import Check
from sensecheck.core.sample import Sample
from sensecheck.sense import Sense

RESULTS = ROOT / "benchmarks" / "results" / "lowercased.json"
RAGTRUTH = "ragtruth_qa/test.jsonl.gz"
EACH = 150
"""How many rows of RAGTruth are judged, spread over the set."""
_SPLIT: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?<=\w)(n['’]t)\b", re.I), r" \1"),
    (re.compile(r"(?<=\w)(['’](?:s|re|ve|ll|d|m))\b", re.I), r" \1"),
    (re.compile(r"(?<=\d),(?=\d{3}\b)"), " , "),
    (re.compile(r"([()\[\]{}\"“”;!?%])"), r" \1 "),
    (re.compile(r"([$€£])(?=\d)"), r"\1 "),
    (re.compile(r"([,:])(?=\s|$)"), r" \1 "),
    (re.compile(r"(?<=[^\s.])(\.)(?=\s*$|\s*\n|\s+[A-Z\"“])", re.M), r" \1"),
    (re.compile(r"[ \t]+"), " "),
)
_PASSAGE = re.compile(r"(?:^|\n\n)passage \d+:")
Row = dict[str, Any]


def tokenised(text: str) -> str:
    """A text in small letters, with spaces around its marks and within contractions; its lines stay."""
    for pattern, replacement in _SPLIT:
        text = pattern.sub(replacement, text)
    return "\n".join(line.strip() for line in text.lower().split("\n"))


def main() -> None:
    """Judge both copies, say how often they agree, and write it down."""
    sense = Sense(answerers(Settings.from_environment()))
    found = [table(task, *judged(sense, samples, check)) for task, samples, check in tasks()]
    for one in found:
        print(f"{one['task']:36}{one['same']['share']:.1%} of {one['same']['n']} the same; {one['changes']}")
    about = (
        "How often a copy in small letters and in tokens gets the same outcome as the original; exact 95% "
        "intervals (Clopper-Pearson). `pass>fail` counts rows that pass as they are and fail as a copy."
    )
    RESULTS.write_text(json.dumps({"about": about, "measured": found}, indent=1) + "\n", encoding="utf-8")


def tasks() -> Iterator[tuple[str, list[Sample], Check]]:
    """What is judged: the everyday rows always, RAGTruth's where they are."""
    pairs = [Sample.of(row["answer"], expected=row["expected"]) for row in rows_of(DATA, "means.jsonl.gz")]
    yield "everyday pairs, keeps_facts_of", pairs, presets.keeps_facts()
    yield "everyday answers, grounded", list(map(_answer, rows_of(DATA, "grounding.jsonl.gz"))), _grounded()
    data = Path(Settings.from_environment().data or "")
    if not (data / RAGTRUTH).is_file():
        print(f"RAGTruth was not judged: $SENSECHECK_DATA has no {RAGTRUTH}")
        return
    rows = list(rows_of(data, RAGTRUTH))
    spread = rows[:: max(1, len(rows) // EACH)][:EACH]
    yield "RAGTruth, grounded", list(map(_response, spread)), _grounded()


def judged(sense: Sense, samples: Sequence[Sample], check: Check) -> tuple[list[str], list[str]]:
    """The outcomes of the samples, and those of their copies."""
    return list(outcomes(sense, samples, check)), list(outcomes(sense, map(_copy, samples), check))


def table(task: str, originals: Sequence[str], copies: Sequence[str]) -> Row:
    """How often both are the same, and what changes into what."""
    pairs = list(zip(originals, copies, strict=True))
    changed = Counter(f"{one}>{other}" for one, other in pairs if one != other)
    same = sum(one == other for one, other in pairs)
    return {"task": task, "same": counted(same, len(pairs)), "changes": dict(sorted(changed.items()))}


def _grounded() -> Check:
    return POLICIES["default"].check()


def _answer(row: Row) -> Sample:
    return Sample.of(row["answer"], question=row["question"], passages=row["passages"])


def _response(row: Row) -> Sample:
    return Sample.of(row["response"], question=row["question"], passages=_PASSAGE.split(row["context"])[1:])


def _copy(sample: Sample) -> Sample:
    """The same sample in small letters and in tokens."""

    def of(text: str | None) -> str | None:
        return None if text is None else tokenised(text)

    return Sample.of(
        tokenised(sample.answer),
        question=of(sample.question),
        expected=of(sample.expected),
        passages=[tokenised(text) for text in sample.passages],
    )


if __name__ == "__main__":
    main()
