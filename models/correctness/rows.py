"""Labelled answers that the model of correctness learns from."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from models.heads.public import rows_of
from models.verifier.articles import Text, texts
from models.verifier.edits.kept import kept
from models.verifier.evidence import length
from models.verifier.perturbed import EDITORS

FILE = "evouna/NQ.jsonl.gz"
LICENCES = {
    "evouna": "Apache-2.0, EVOUNA (Wang et al.)",
    "references": "made by us from EVOUNA",
    "changed": "made by us from SummEdits (Laban et al., Apache-2.0), Factcheck-GPT (Wang et al., "
    "Apache-2.0) and BEGIN (Dziri et al., CC BY 4.0)",
}
FOLDS = 5
SHORT = "fid"
"""The system that answers with a name or a number alone, which is no reference of any length."""
ARTICLES = 160
"""How many articles sentences are taken from."""


@dataclass(frozen=True, slots=True)
class Row:
    """An answer, what was expected, and whether people called the answer correct."""

    answer: str
    expected: tuple[str, ...]
    """Alternatives: one of them is enough."""
    correct: bool
    question: str | None
    source: str
    group: str
    """Rows of a group are never on both sides of a split."""
    kind: str
    """Who answered, or what was changed."""
    makers: tuple[str, ...] = ()
    """Whose texts it is made of."""

    @property
    def fold(self) -> int:
        """The fold that all rows of the group are in."""
        return _number(self.group) % FOLDS


def gold_rows(data: Path) -> Iterator[Row]:
    """Answers of five systems beside short expected ones; an empty answer is no row."""
    for row in _answered(data):
        given = (each.strip() for each in row["gold"].split("/"))
        expected = tuple(dict.fromkeys(each for each in given if each))
        yield _row(row, expected, "evouna", (row["system"],))


def reference_rows(data: Path) -> Iterator[Row]:
    """The same answers, each beside a correct answer of another system: a reference of some length."""
    by_question: dict[str, list[Mapping[str, Any]]] = {}
    for row in _answered(data):
        by_question.setdefault(row["q"], []).append(row)
    for question, rows in by_question.items():
        for row in rows:
            others = [one for one in rows if one["label"] and one["system"] not in (row["system"], SHORT)]
            if others:
                chosen = others[_number(question + row["system"]) % len(others)]
                yield _row(row, (chosen["answer"],), "references", (row["system"], chosen["system"]))


def changed_rows(data: Path, *, seed: int = 0) -> Iterator[Row]:
    """Sentences beside themselves: said otherwise, with one fact changed, or another one of their article."""
    rng = Random(seed)
    free = [text for text in texts(data) if text.source not in ("harmless", "squad2_derived")]
    for text in rng.sample(free, ARTICLES):
        held = [sentence for sentence in text.article.sentences if 5 <= length(sentence) <= 45]
        for sentence in held[:12]:
            yield from _changed(sentence, held, text, rng)


def _changed(sentence: str, held: Sequence[str], text: Text, rng: Random) -> Iterator[Row]:
    reworded = [edit.text for edit in islice(kept(sentence, text.article, rng), 2)]
    for said in reworded:
        yield _made(said, sentence, "kept", text, correct=True)
    for kind in rng.sample(sorted(EDITORS), len(EDITORS)):
        if kind != "added":  # what is only added leaves the expected answer as it is
            base = rng.choice([sentence, *reworded])
            for edit in islice(EDITORS[kind](base, text.article, rng), 1):
                yield _made(edit.text, sentence, kind, text, correct=False)
    if others := [other for other in held if other != sentence]:
        other = rng.choice(others)
        yield _made(other, sentence, "other", text, correct=False)
        said = rng.choice([sentence, *reworded])
        yield _made(f"{said} {other}", sentence, "longer", text, correct=True)


def _row(row: Mapping[str, Any], expected: tuple[str, ...], source: str, makers: tuple[str, ...]) -> Row:
    return Row(row["answer"], expected, row["label"], row["q"], source, row["q"], row["system"], makers)


def _made(answer: str, expected: str, kind: str, text: Text, *, correct: bool) -> Row:
    return Row(answer, (expected,), correct, None, "changed", text.group, kind)


def _answered(data: Path) -> Iterator[Mapping[str, Any]]:
    return (row for row in rows_of(data, FILE) if (row["answer"] or "").strip())


def _number(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest())
