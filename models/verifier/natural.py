"""Claims that people and models really wrote, with the labels that people gave them."""

from collections import defaultdict
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path
from random import Random

from models.heads.public import rows_of
from models.verifier.articles import squad_articles
from models.verifier.evidence import evidence_for
from models.verifier.pair import Pair

from sensecheck.text.sentences import sentences
from sensecheck.text.words import words


def natural_pairs(data: Path, rng: Random) -> Iterator[Pair]:
    """The labelled claims of every set."""
    yield from _squad(data, rng)
    yield from _summedits(data, rng)
    yield from _factcheck(data, rng)
    yield from _begin(data, rng)


def _squad(data: Path, rng: Random) -> Iterator[Pair]:
    articles = squad_articles(data)
    for row in rows_of(data, "squad2_derived/dev.jsonl.gz"):
        group = articles[row["context"]]
        short = "short" in row["kind"]
        claim = f"{row['question']} {row['response']}" if short else row["response"]
        changed = None if row["label"] else ()
        yield _pair(claim, row, "squad2_derived", group, rng, changed)


def _summedits(data: Path, rng: Random) -> Iterator[Pair]:
    """Each summary sentence by sentence: an edited one is wrong where it differs from the first summary."""
    summaries = defaultdict(list)
    for row in rows_of(data, "summedits/all.jsonl.gz"):
        summaries[row["domain"], row["context"]].append(row)
    for (domain, _), rows in summaries.items():
        true = [row["response"] for row in rows if not row["label"]]
        for row in rows:
            nearest = max(true, key=lambda text: _likeness(text, row["response"]), default=None)
            wrong = _differs(nearest, row["response"]) if row["label"] and nearest else ()
            if row["label"] and not wrong:
                continue
            for start, end in sentences(row["response"]):
                inside = tuple(
                    (max(a, start) - start, min(b, end) - start) for a, b in wrong if a < end and b > start
                )
                claim = {**row, "response": row["response"][start:end], "label": int(bool(inside))}
                yield _pair(claim["response"], claim, "summedits", f"summedits:{domain}", rng, inside)


def _factcheck(data: Path, rng: Random) -> Iterator[Pair]:
    for row in rows_of(data, "factcheck_gpt/claim_evidence.jsonl.gz"):
        if row["stance"] == "partially-support":
            continue
        changed = None if row["label"] else ()
        yield _pair(row["response"], row, "factcheck_gpt", row["group"], rng, changed)


def _begin(data: Path, rng: Random) -> Iterator[Pair]:
    for row in rows_of(data, "begin/wow_cmu.jsonl.gz"):
        if row["label"] == 2:
            continue
        changed = None if row["label"] else ()
        yield _pair(row["response"], row, "begin", row["group"], rng, changed)


def _pair(
    claim: str,
    row: dict[str, object],
    source: str,
    group: str,
    rng: Random,
    changed: tuple[tuple[int, int], ...] | None,
) -> Pair:
    context = str(row["context"])
    held = [context[start:end] for start, end in sentences(context)]
    return Pair(
        claim,
        evidence_for(claim, held, rng, limit=110),
        bool(row["label"]),
        "natural",
        source,
        group,
        changed,
    )


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(
        None, [w.text for w in words(one)], [w.text for w in words(other)], autojunk=False
    ).ratio()


def _differs(true: str, text: str) -> tuple[tuple[int, int], ...]:
    """Where a text differs from a true one, word by word; where words are missing, their neighbours."""
    mine, theirs = words(text), words(true)
    matcher = SequenceMatcher(None, [w.text for w in theirs], [w.text for w in mine], autojunk=False)
    found = []
    for what, _, _, low, high in matcher.get_opcodes():
        if what == "delete":
            low, high = max(low - 1, 0), min(high + 1, len(mine))
        if what != "equal" and low < high:
            found.append((mine[low].start, mine[high - 1].end))
    return tuple(found)
