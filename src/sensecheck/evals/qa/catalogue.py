"""The metrics that come with sensecheck, by the names that stores and reports know them by.

Names and descriptions cost next to nothing to import; a measure is imported when it is wanted.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from inspect import signature
from typing import TYPE_CHECKING, Literal

from sensecheck.core.errors import SpecError
from sensecheck.core.registry import MEASURES, load, registered
from sensecheck.core.serialization import unknown

if TYPE_CHECKING:
    from sensecheck.core.protocols import Measure
    from sensecheck.evals.qa.metric import Kind, Metric

Part = Literal["question", "expected", "passages"]


@dataclass(frozen=True, slots=True)
class Known:
    """What people are told of a metric before it is made."""

    kind: "Kind"
    about: str
    """One line."""
    wants: tuple[Part, ...] = ("expected",)
    """What a question must have beside its answer; without it the metric does not apply."""


_LEXICAL: dict[str, Known] = {
    "bleu": Known("lexical", "sentence BLEU, a hundredth of what sacrebleu gives"),
    "rouge_l": Known("lexical", "F1 of the longest common row of words, as rouge_score gives it"),
    "rouge_l_precision": Known("lexical", "that row by the words of the answer"),
    "rouge_l_recall": Known("lexical", "that row by the words of the expected answer"),
    "squad_em": Known("lexical", "1 for the expected answer but for case, punctuation and articles, else 0"),
    "squad_token_f1": Known("lexical", "F1 of shared words, as SQuAD counts them"),
    "content_f1": Known("lexical", "F1 of shared words that carry content; numbers count, by value"),
    "gold_recall": Known("lexical", "share of the expected answer's words that the answer holds"),
    "lexical_aggregate": Known("lexical", ".30 BLEU + .40 ROUGE-L + .20 content F1 + .10 exact match"),
}
_SEMANTIC: dict[str, Known] = {
    "semantic_similarity": Known("semantic", "cosine of the answer and the expected one; below 0 is 0"),
    "semantic_angular": Known("semantic", "1 less the angle between them, as a share of half a turn"),
    "semantic_euclidean": Known("semantic", "1 less the straight way between them, by the longest way"),
    "semantic_manhattan": Known("semantic", "1 less the way along the axes, by the longest way"),
}
_COMBINED: dict[str, Known] = {
    "recall_and_cosine": Known("combined", "gold recall and cosine as one weighted mean"),
    "correctness": Known("combined", "how likely people would call the answer correct"),
}
_FACTS: dict[str, Known] = {
    "fact_agreement": Known("facts", "share of numbers, dates, names … that are neither changed nor missing"),
}
_CONTEXT: dict[str, Known] = {
    "grounded": Known(
        "context", "how far the passages support the answer, by its worst claim", ("passages",)
    ),
    "retrieval_closeness": Known(
        "context", "closeness of the question to the nearest passage", ("question", "passages")
    ),
}
_JUDGED: dict[str, Known] = {
    "answer_relevance": Known("judged", "whether the answer answers the question", ("question",)),
    "context_relevance": Known(
        "judged", "whether the passages hold what the question asks for", ("question", "passages")
    ),
    "groundedness": Known("judged", "whether the passages support all that the answer says", ("passages",)),
    "llm_judged_overall": Known("judged", "the mean of these three", ("question", "passages")),
}
KNOWN: Mapping[str, Known] = _LEXICAL | _SEMANTIC | _COMBINED | _FACTS | _CONTEXT | _JUDGED

LEXICAL: tuple[str, ...] = tuple(_LEXICAL)
SEMANTIC: tuple[str, ...] = tuple(_SEMANTIC)
CONTEXT: tuple[str, ...] = tuple(_CONTEXT)
JUDGED: tuple[str, ...] = tuple(_JUDGED)
STANDARD: tuple[str, ...] = (*LEXICAL, "semantic_similarity", *_COMBINED, *_FACTS)
"""What is read where there is an expected answer: quick, offline, and nobody is asked."""
ALL: tuple[str, ...] = tuple(KNOWN)


def standard_for(parts: Collection[str], *, judge: bool = False) -> tuple[str, ...]:
    """The names that apply to what the questions have; of a judge's opinions only where there is a judge."""
    names = (*STANDARD, *CONTEXT, *(JUDGED if judge else ()))
    return tuple(name for name in names if set(KNOWN[name].wants) <= set(parts))


def metrics_named(names: Iterable[str]) -> "tuple[Metric, ...]":
    """The metrics of these names, each once; any registered measure that wants no fields is one too."""
    from sensecheck.evals.qa.making import measure_of  # noqa: PLC0415 - names alone must stay quick
    from sensecheck.evals.qa.metric import Metric  # noqa: PLC0415

    found = []
    for name in dict.fromkeys(names):
        kind = KNOWN[name].kind if name in KNOWN else None
        measure = measure_of(name, kind) if kind else _somebodys(name)
        found.append(Metric(name, measure, kind or _kind_of(measure)))
    return tuple(found)


def _somebodys(name: str) -> "Measure":
    """A registered measure, as it is without any fields."""
    if name not in registered(MEASURES):
        raise SpecError(f"{unknown('metric', name, KNOWN)}, or any registered measure")
    maker = load(MEASURES, name)
    try:
        signature(maker).bind()
    except TypeError as wrong:
        raise SpecError(
            f"the measure `{name}` cannot be a metric by its name alone: {wrong}; register one of your own "
            f"under `{MEASURES}` that has it"
        ) from wrong
    measure: Measure = maker()
    return measure


def _kind_of(measure: "Measure") -> "Kind":
    """By who must be asked before it reads: what depends on an encoder is kept with its name."""
    from sensecheck.core.sample import Sample  # noqa: PLC0415 - names alone must stay quick

    needs = measure.needs(Sample("An answer.", "A question?", "Another.", ("A passage.",)))
    if needs.prompts:
        return "judged"
    return "combined" if needs.texts or needs.tokens else "facts"
