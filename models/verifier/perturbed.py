"""Claims that are made: true sentences, the same said otherwise, and the same with one thing changed."""

from collections.abc import Iterator, Mapping
from itertools import islice
from random import Random

from models.verifier.articles import Text
from models.verifier.edits.added import added
from models.verifier.edits.antonym import antonym
from models.verifier.edits.date import date
from models.verifier.edits.edit import Edit, Editor
from models.verifier.edits.kept import kept
from models.verifier.edits.name import name
from models.verifier.edits.negation import negation
from models.verifier.edits.number import number
from models.verifier.edits.quantifier import quantifier
from models.verifier.edits.role import role
from models.verifier.edits.unit import unit
from models.verifier.evidence import evidence_for, length, stems
from models.verifier.pair import Pair

from sensecheck.text.words import content_words, stem

EDITORS: Mapping[str, Editor] = {
    "number": number,
    "unit": unit,
    "date": date,
    "quantifier": quantifier,
    "name": name,
    "role": role,
    "negation": negation,
    "antonym": antonym,
    "added": added,
}
SELDOM = ("role", "unit", "number", "date", "quantifier")
"""What can be changed in few sentences is changed wherever it can."""
RAREST = ("role", "unit")
OFTEN = ("name", "negation", "antonym", "added")
FIRST_KEPT = 0.4
"""How often a claim is said otherwise before it is changed, so that rewording tells nothing of the label."""
KNOWN_ELSEWHERE = 0.7
"""A sentence whose words stand to this share in the others is not `absent` when it is taken out."""


def perturbed_pairs(text: Text, rng: Random, *, each: int = 3) -> Iterator[Pair]:
    """For every sentence that states something: twice what is true, and up to `each` changes of it."""
    held = text.article.sentences
    for index, sentence in enumerate(held):
        if not 5 <= length(sentence) <= 45:
            continue
        yield _true(text, index, _reworded(sentence, text, rng, share=0.5), rng)
        yield _true(text, index, _reworded(sentence, text, rng, share=1.0), rng)
        kinds = [*rng.sample(SELDOM, len(SELDOM)), *rng.sample(OFTEN, len(OFTEN))]
        made = 0
        for kind in kinds:
            base = _reworded(sentence, text, rng, share=FIRST_KEPT)
            edits = list(islice(EDITORS[kind](base, text.article, rng), 3 if kind in RAREST else 1))
            yield from (_changed(text, index, edit, rng) for edit in edits)
            made += len(edits[:1])
            if made == each:
                break
        yield from _absent(text, index, rng)


def _reworded(sentence: str, text: Text, rng: Random, *, share: float) -> str:
    if rng.random() >= share:
        return sentence
    edit = next(kept(sentence, text.article, rng), None)
    return edit.text if edit else sentence


def _true(text: Text, index: int, claim: str, rng: Random) -> Pair:
    evidence = evidence_for(claim, text.article.sentences, rng, source=index)
    return Pair(claim, evidence, False, "kept", text.source, text.group, ())


def _changed(text: Text, index: int, edit: Edit, rng: Random) -> Pair:
    evidence = evidence_for(edit.text, text.article.sentences, rng, source=index)
    return Pair(edit.text, evidence, True, edit.kind, text.source, text.group, edit.changed)


def _absent(text: Text, index: int, rng: Random) -> Iterator[Pair]:
    """The sentence held against the rest of its article: what it says there nowhere is not supported."""
    others = [sentence for other, sentence in enumerate(text.article.sentences) if other != index]
    claim = text.article.sentences[index]
    if not others or not stems(claim):
        return
    elsewhere = frozenset[str]().union(*map(stems, others))
    if len(stems(claim) & elsewhere) > KNOWN_ELSEWHERE * len(stems(claim)):
        return
    strange = [word for word in content_words(claim) if stem(word.text) not in elsewhere]
    spans = tuple((word.start, word.end) for word in strange)
    yield Pair(claim, evidence_for(claim, others, rng), True, "absent", text.source, text.group, spans)
