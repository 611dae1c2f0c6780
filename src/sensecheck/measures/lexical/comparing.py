"""Every lexical number of a pair of texts at once."""

from dataclasses import dataclass

from sensecheck.measures.lexical.content_f1 import content_f1
from sensecheck.measures.lexical.lexical_aggregate import lexical_aggregate
from sensecheck.measures.lexical.rouge_l import rouge_l
from sensecheck.measures.lexical.sentence_bleu import sentence_bleu
from sensecheck.measures.lexical.squad import gold_recall, squad_exact_match, squad_f1


@dataclass(frozen=True, slots=True)
class LexicalScores:
    """What an answer and the expected one have in common letter by letter; each number from 0 to 1."""

    sentence_bleu: float
    rouge_l: float
    """The F1."""
    rouge_l_precision: float
    rouge_l_recall: float
    squad_exact_match: float
    squad_f1: float
    gold_recall: float
    content_f1: float
    lexical_aggregate: float


def compared(answer: str, expected: str) -> LexicalScores:
    """All of them; the same numbers that the measures of these names read."""
    row = rouge_l(answer, expected)
    return LexicalScores(
        sentence_bleu=sentence_bleu(answer, expected),
        rouge_l=row.f1,
        rouge_l_precision=row.precision,
        rouge_l_recall=row.recall,
        squad_exact_match=squad_exact_match(answer, expected),
        squad_f1=squad_f1(answer, expected),
        gold_recall=gold_recall(answer, expected),
        content_f1=content_f1(answer, expected),
        lexical_aggregate=lexical_aggregate(answer, expected),
    )
