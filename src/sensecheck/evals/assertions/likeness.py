"""Assertions that compare the answer with a reference: by meaning, by letters, by words."""

from collections.abc import Mapping

from sensecheck.checks.gate import Against, Gate
from sensecheck.core.cutoff import Cutoff, at_least, at_most
from sensecheck.core.protocols import Check
from sensecheck.evals.assertions.asked import Asked
from sensecheck.evals.assertions.kind import Kind
from sensecheck.evals.assertions.readings import CLOSENESS, PORTION
from sensecheck.evals.assertions.shapes import COUNT, LINE, SCORE, SHARE, TEXT, TEXTS
from sensecheck.measures.exemplars import NearestExemplar
from sensecheck.measures.lexical.bleu import Bleu
from sensecheck.measures.lexical.content import Levenshtein
from sensecheck.measures.lexical.rouge import RougeN
from sensecheck.measures.similarity import Similarity

INFINITE = float("inf")


def _similar(asked: Asked) -> Check:
    """Near one text, or near any of several; a line that is a number may be given a band of doubt."""
    texts = asked.value().texts("`value` of `similar`")
    measure = Similarity() if len(texts) == 1 else NearestExemplar(texts)
    doubt = asked.number("doubt", 0.0, least=0.0, most=1.0)
    if "doubt" in asked.held and not isinstance(asked.line(0.75, CLOSENESS), int | float):
        raise asked.wrong("`doubt` is for a threshold that is a number; a card has its own", key="doubt")
    gate = Gate(measure, asked.cutoff(measure, 0.75, CLOSENESS, doubt=doubt), asked.type)
    return Against(gate, expected=texts[0]) if len(texts) == 1 else gate


def _levenshtein(asked: Asked) -> Check:
    line = at_most(asked.number("threshold", 5.0, least=0.0, most=INFINITE))
    return Gate(Levenshtein(asked.expected()), line, asked.type)


def _rouge_n(asked: Asked) -> Check:
    return Gate(RougeN(asked.expected()), _shared(asked, 0.75), asked.type)


def _bleu(asked: Asked) -> Check:
    references = asked.value().texts("`value` of `bleu`") if "value" in asked.held else (asked.expected(),)
    return Gate(Bleu(references), _shared(asked, 0.5), asked.type)


def _shared(asked: Asked, default: float) -> Cutoff:
    what = f"`threshold` of `{asked.named}`"
    node = asked.held.get("threshold")
    return at_least(default if node is None else PORTION.line(node, what, turned=asked.turned))


_SIMILAR = Kind(
    "The answer lies near this text, or near one of these: a closeness of 0.75 or more.",
    _similar,
    {"value": TEXTS, "threshold": LINE, "doubt": SHARE},
    ("value",),
    graded=True,
)
KINDS: Mapping[str, Kind] = {
    "similar": _SIMILAR,
    "similar:cosine": _SIMILAR,
    "levenshtein": Kind(
        "Few changes of letters, 5 or fewer, make the answer this text.",
        _levenshtein,
        {"value": TEXT, "threshold": COUNT},
    ),
    "rouge-n": Kind(
        "The answer shares words with this text: a ROUGE-1 of 0.75 or more.",
        _rouge_n,
        {"value": TEXT, "threshold": SCORE},
        graded=True,
    ),
    "bleu": Kind(
        "The answer shares runs of words with these texts: a BLEU of 0.5 or more.",
        _bleu,
        {"value": TEXTS, "threshold": SCORE},
        graded=True,
    ),
}
