"""What claims nothing, and what does: `python benchmarks/quality/claims.py`.

Sentences of answers as assistants write them, and replies of dialogue models (BEGIN). Of what is labelled as
no claim: how much is recognised, as what, and how much of it is rejected by `grounded`, which would reject
its answer. Of claims: how many are taken for something that claims nothing, and so never judged. The rules
were written while reading the errors on these rows, so they show what was reached, and not what other answers
will show.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.quality.shares import counted
from models.heads.public import ROOT, data_folder, rows_of

from sensecheck.checks.grounded import OUTCOMES
from sensecheck.config import Settings, answerers
from sensecheck.grounding.grounding import Grounding
from sensecheck.measures.claims.claims import claims
from sensecheck.sense import Sense

RESULTS = ROOT / "benchmarks" / "results" / "claims.json"
NO_CLAIM = "no_claim"
GENERIC = "Generic"
POLICY = "default"
Row = dict[str, Any]


class Seen(NamedTuple):
    """A sentence or a reply: what it is, what it was taken for, and whether it was rejected."""

    label: str
    kinds: tuple[str, ...]
    """What each part of it that claims nothing was taken for; none where any of it is judged."""
    rejected: bool


def main() -> None:
    """Measure all sets."""
    data = data_folder()
    backends = answerers(Settings.from_environment())
    sense = Sense(backends)
    everyday = ROOT / "benchmarks" / "data" / "everyday"
    found = [
        *tables("everyday", sentences(sense, rows_of(everyday, "grounding.jsonl.gz"))),
        *tables("everyday_train", sentences(sense, rows_of(data / "everyday_train", "answers.jsonl.gz"))),
        *tables("BEGIN", replies(rows_of(data / "begin", "wow_cmu.jsonl.gz"))),
    ]
    for one in found:
        print(f"{one['set']:16}{one['label']:26}{one['n']:6} no claim: {one['recognised']['share']:.1%}")
    about = (
        "Sentences and replies that claim something or nothing. The rows of everyday and everyday_train were "
        "written and labelled by a large language model, not by people. `recognised`: all of it was taken "
        "for something that claims nothing. `rejected`: a part of it fails under the policy `default`. "
        "Shares with exact 95% intervals (Clopper-Pearson)."
    )
    written = {
        "about": about,
        "encoder": backends.encoder and backends.encoder.fingerprint,
        "measured": found,
    }
    RESULTS.write_text(json.dumps(written, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def sentences(sense: Sense, rows: Iterable[Row]) -> Iterator[Seen]:
    """The labelled sentences of answers over passages."""
    for row in rows:
        found = sense.grounded(row["answer"], row["passages"], question=row["question"], policy=POLICY)
        yield from within(row, found)


def within(row: Row, found: Grounding) -> Iterator[Seen]:
    """What became of each sentence of one answer."""
    at = 0
    for sentence in row["sentences"]:
        at = row["answer"].index(sentence["text"], at)
        end = at + len(sentence["text"])
        parts = [one for one in found.non_claims if one.span.start < end and one.span.end > at]
        covered = {place for one in parts for place in range(one.span.start, one.span.end)}
        left = [place for place in range(at, end) if row["answer"][place].isalnum() and place not in covered]
        judged = [one for one in found.claims if one.span.start < end and one.span.end > at]
        rejected = bool(left) and any(OUTCOMES[one.support] == "fail" for one in judged)
        yield Seen(sentence["label"], () if left else tuple(one.kind for one in parts), rejected)
        at = end


def replies(rows: Iterable[Row]) -> Iterator[Seen]:
    """Replies of dialogue models; `Generic` says nothing of the world."""
    for row in rows:
        parts = claims(row["response"])
        kinds = tuple(part.non_claim for part in parts if part.non_claim is not None)
        yield Seen(row["begin"], kinds if len(kinds) == len(parts) else (), rejected=False)


def tables(name: str, seen: Iterable[Seen]) -> Iterator[Row]:
    """What was taken for no claim, label by label."""
    labels: dict[str, list[Seen]] = {}
    for one in seen:
        labels.setdefault(one.label, []).append(one)
    for label, rows in sorted(labels.items(), key=lambda item: item[0] not in (NO_CLAIM, GENERIC)):
        yield table(name, label, rows)


def table(name: str, label: str, rows: Sequence[Seen]) -> Row:
    """One label of one set."""
    kinds = Counter(kind for one in rows for kind in dict.fromkeys(one.kinds))
    return {
        "set": name,
        "label": label,
        "n": len(rows),
        "recognised": counted(sum(bool(one.kinds) for one in rows), len(rows)),
        "kinds": dict(sorted(kinds.items())),
        "rejected": None if name == "BEGIN" else counted(sum(one.rejected for one in rows), len(rows)),
    }


if __name__ == "__main__":
    main()
