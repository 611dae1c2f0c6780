"""Texts that claims are taken from: the passages of cleanly licensed public sets."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from models.heads.public import rows_of
from models.verifier.edits.edit import Article
from models.verifier.folds import fold_of, fold_of_domain

from sensecheck.text.sentences import sentences

_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Text:
    """An article, where it comes from, and the fold it is in."""

    article: Article
    source: str
    group: str
    fold: int


def texts(data: Path) -> Iterator[Text]:
    """Every distinct text of the sets, in the order of the files."""
    seen: set[str] = set()
    for text in _all(data):
        key = " ".join(text.article.sentences)
        if key not in seen and text.article.sentences:
            seen.add(key)
            yield text


def squad_articles(data: Path) -> dict[str, str]:
    """The paragraphs of SQuAD, each with the name of its article: the first paragraph that it is joined to.

    The set has no titles, but a sentence `of another paragraph of the same article` joins two paragraphs.
    """
    rows = list(rows_of(data, "squad2_derived/dev.jsonl.gz"))
    paragraphs = {row["group"]: row["context"] for row in rows}
    parent = {group: group for group in paragraphs}

    def root(group: str) -> str:
        while parent[group] != group:
            group = parent[group]
        return group

    home = {row["response"]: row["group"] for row in rows if row["kind"] == "grounded_sentence"}
    for row in rows:
        if row["kind"] == "other_paragraph_same_article" and row["response"] in home:
            parent[root(row["group"])] = root(home[row["response"]])
    return {paragraphs[group]: f"squad:{root(group)}" for group in paragraphs}


def _all(data: Path) -> Iterator[Text]:
    for context, group in squad_articles(data).items():
        yield _text(context, "squad2_derived", group, fold_of(group))
    for row in rows_of(data, "summedits/all.jsonl.gz"):
        domain = row["domain"]
        yield _text(row["context"], "summedits", f"summedits:{domain}", fold_of_domain(domain))
    for row in rows_of(data, "factcheck_gpt/claim_evidence.jsonl.gz"):
        yield _text(row["context"], "factcheck_gpt", row["group"], fold_of(row["group"]))
    for row in rows_of(data, "begin/wow_cmu.jsonl.gz"):
        yield _text(row["context"], "begin", row["group"], fold_of(row["group"]))
    for row in rows_of(data, "refusal_direction_harmless/baseline.jsonl.gz"):
        yield _text(row["response"], "harmless", row["prompt"], fold_of(row["prompt"]))


def _text(context: str, source: str, group: str, fold: int) -> Text:
    pieces = (_SPACE.sub(" ", context[start:end]) for start, end in sentences(context))
    return Text(Article(group, tuple(pieces)), source, group, fold)
