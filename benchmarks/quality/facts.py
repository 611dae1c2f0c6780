"""Who is right where facts differ, the reader or the rules about facts: `python benchmarks/quality/facts.py`.

The rows are those that the cards of `means` and `grounded` are fitted on, which no reader learned from; next
to passages every claim counts that lies in a sentence with a label. What comes out is by how probable the
reader finds them: of the answers, or claims, in which something differs, how many are right all the same.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from models.heads.public import ROOT, data_folder
from models.reader.cards import answer_rows, means_rows, that_count, whole_answers

from sensecheck.checks import presets
from sensecheck.config import Settings, answerers
from sensecheck.core.verdict import Verdict
from sensecheck.measures.claims.claims import claims
from sensecheck.measures.support.support import DERIVED, MISMATCHES
from sensecheck.sense import Sense

RESULTS = ROOT / "benchmarks" / "results" / "facts.json"
ABOUT = "Rows that cards are fitted on; written and labelled by a large language model, not by people."
EDGES = (0.0, 0.1, 0.3, 0.6, 0.8, 0.9)
"""Where a range of probabilities begins, and the one before it ends."""
NOTHING = "nothing"
Found = tuple[str, float, bool]
"""What differs, how probable the reader finds it, and whether it is right all the same."""


def main() -> None:
    """Count, and write what came out."""
    data, sense = data_folder(nothing="nothing was measured"), Sense(answerers(Settings.from_environment()))
    found = {"means": counted(of_means(sense, data)), "grounded": counted(of_claims(sense, data))}
    told = {"about": ABOUT, "edges": EDGES, "checks": found}
    RESULTS.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def counted(rows: Iterable[Found]) -> dict[str, list[list[int]]]:
    """By what differs, for each range of probabilities: how many are right, and how many there are."""
    told: dict[str, list[list[int]]] = defaultdict(lambda: [[0, 0] for _ in EDGES])
    for kind, probability, good in rows:
        at = max(place for place, edge in enumerate(EDGES) if probability >= edge)
        told[kind][at][0] += good
        told[kind][at][1] += 1
    for kind, ranges in sorted(told.items()):
        print(f"{kind:14}", *(f"{good:4} of {whole:<4}" for good, whole in ranges))
    return dict(sorted(told.items()))


def of_means(sense: Sense, data: Path) -> Iterator[Found]:
    """Answers next to expected texts."""
    rows = [*means_rows(data), *means_rows(data, plain=True)]
    for row, verdict in zip(
        rows, sense.judge_each((row.sample, presets.means()) for row in rows), strict=True
    ):
        reader, facts = (part.reading for part in verdict.parts)
        if reader is not None and facts is not None:
            kinds = {item.kind for item in facts.evidence} if facts.value < 1 else {NOTHING}
            yield from ((kind, reader.value, bool(row.good)) for kind in kinds)


def of_claims(sense: Sense, data: Path) -> Iterator[Found]:
    """Claims next to passages, with the label of the sentence that they lie in."""
    by_text = {(row["group"], row["answer"]): row for row in whole_answers(data)}
    rows = that_count(answer_rows(data))
    verdicts = sense.judge_each((row.sample, presets.grounded()) for row in rows)
    for row, verdict in zip(rows, verdicts, strict=True):
        sentences = by_text[row.group, row.sample.answer]["sentences"]
        checked = [one for one in claims(row.sample.answer) if one.checked]
        for claim, part in zip(checked, verdict.parts, strict=False):
            label = next((one["label"] for one in sentences if _is_within(claim.text, one["text"])), None)
            reader = part.parts[0].reading if part.parts else None
            if label is not None and reader is not None:
                good = label in ("supported", "no_claim")
                yield from ((kind, reader.value, good) for kind in _differences(part))


def _is_within(claim: str, sentence: str) -> bool:
    one, other = (" ".join(text.split()) for text in (claim, sentence))
    return one in other or other in one


def _differences(part: Verdict) -> set[str]:
    evidence = part.reading.evidence if part.reading is not None else ()
    kinds = {item.kind for item in evidence if item.kind in MISMATCHES and item.source is not None}
    derived = {str(DERIVED)} if any(item.kind == DERIVED for item in evidence) else {NOTHING}
    return {kind.removesuffix("_mismatch") for kind in kinds} or derived


if __name__ == "__main__":
    main()
