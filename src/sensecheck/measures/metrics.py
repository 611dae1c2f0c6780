"""The metrics by the names that stores and reports know them by, and the measure behind each.

Names and descriptions cost next to nothing to import; measures are made one kind at a time when wanted,
so that no run pays for the imports of another kind.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from inspect import signature
from typing import TYPE_CHECKING, Literal

from sensecheck.core.errors import SpecError
from sensecheck.core.registry import MEASURES, load, registered
from sensecheck.core.serialization import did_you_mean

if TYPE_CHECKING:
    from sensecheck.core.protocols import Measure

Part = Literal["question", "expected", "passages"]
Kind = Literal["lexical", "semantic", "combined", "facts", "context", "judged"]
KINDS: tuple[Kind, ...] = ("lexical", "semantic", "combined", "facts", "context", "judged")
Makers = Mapping[str, Callable[[], "Measure"]]
SCALE = (1.0, 5.0)
"""Five steps, which a model can tell apart and say the same way twice; they are kept as 0 to 1."""

# Prompts are asked, kept and compared word for word: whoever changes a word here begins a new history.
ANSWER_RELEVANCE = (
    "The answer answers the question that was asked: all of it, and nothing beside it. Whether what it says "
    "is true does not count. An answer that evades, repeats the question, speaks of something else, or says "
    "that it does not know answers nothing."
)
CONTEXT_RELEVANCE = (
    "Here, what is called the answer is no answer: it is the passages that a search brought back for the "
    "question, numbered. They hold what is needed to answer the question in full. Passages that only share "
    "its topic or its words hold nothing of it. What else they hold beside that does not count."
)
GROUNDEDNESS = (
    "Everything that the answer states follows from the passages alone. A statement that the passages do not "
    "make, or make otherwise, with another number, name, date or condition, does not follow, even if it is "
    "true. Saying that the passages do not tell is no statement."
)


@dataclass(frozen=True, slots=True)
class Known:
    """What people are told of a metric before it is made."""

    kind: Kind
    about: str
    """One line."""
    wants: tuple[Part, ...] = ("expected",)
    """What a question must have next to its answer; without it the metric does not apply."""


_LEXICAL: dict[str, Known] = {
    "bleu": Known("lexical", "sentence BLEU, sacrebleu's value divided by 100"),
    "rouge_l": Known("lexical", "F1 of the longest common subsequence of words, as in rouge_score"),
    "rouge_l_precision": Known("lexical", "its length divided by the words of the answer"),
    "rouge_l_recall": Known("lexical", "its length divided by the words of the expected answer"),
    "squad_em": Known(
        "lexical", "1 for the expected answer except for case, punctuation and articles, else 0"
    ),
    "squad_token_f1": Known("lexical", "F1 of shared words, as SQuAD counts them"),
    "content_f1": Known("lexical", "F1 of shared content words; numbers count, by value"),
    "gold_recall": Known("lexical", "share of the expected answer's words that the answer contains"),
    "lexical_aggregate": Known("lexical", ".30 BLEU + .40 ROUGE-L + .20 content F1 + .10 exact match"),
}
_SEMANTIC: dict[str, Known] = {
    "semantic_similarity": Known("semantic", "cosine of the answer and the expected one; below 0 is 0"),
    "semantic_angular": Known("semantic", "1 minus the angle between them as a share of 180°"),
    "semantic_euclidean": Known(
        "semantic", "1 minus their Euclidean distance as a share of the largest possible"
    ),
    "semantic_manhattan": Known(
        "semantic", "1 minus their Manhattan distance as a share of the largest possible"
    ),
}
_COMBINED: dict[str, Known] = {
    "recall_and_cosine": Known("combined", "gold recall and cosine as one weighted mean"),
    "correctness": Known("combined", "the probability that people would call the answer correct"),
}
_FACTS: dict[str, Known] = {
    "fact_agreement": Known("facts", "share of numbers, dates, names … that are neither changed nor missing"),
}
_CONTEXT: dict[str, Known] = {
    "grounded": Known(
        "context", "how far the passages support the answer, by its worst claim", ("passages",)
    ),
    "retrieval_closeness": Known(
        "context", "similarity of the question to the nearest passage", ("question", "passages")
    ),
}
_JUDGED: dict[str, Known] = {
    "answer_relevance": Known("judged", "whether the answer answers the question", ("question",)),
    "context_relevance": Known(
        "judged", "whether the passages contain what the question asks for", ("question", "passages")
    ),
    "groundedness": Known("judged", "whether the passages support everything in the answer", ("passages",)),
    "llm_judged_overall": Known("judged", "the mean of these three", ("question", "passages")),
}
KNOWN: Mapping[str, Known] = _LEXICAL | _SEMANTIC | _COMBINED | _FACTS | _CONTEXT | _JUDGED

LEXICAL: tuple[str, ...] = tuple(_LEXICAL)
SEMANTIC: tuple[str, ...] = tuple(_SEMANTIC)
CONTEXT: tuple[str, ...] = tuple(_CONTEXT)
JUDGED: tuple[str, ...] = tuple(_JUDGED)
STANDARD: tuple[str, ...] = (*LEXICAL, "semantic_similarity", *_COMBINED, *_FACTS)
"""What is read where there is an expected answer: quick, offline, and no one is asked."""
ALL: tuple[str, ...] = tuple(KNOWN)


def standard_for(parts: Collection[str], *, judge: bool = False) -> tuple[str, ...]:
    """The names that apply to what the questions have; of a judge's opinions only where there is a judge."""
    names = (*STANDARD, *CONTEXT, *(JUDGED if judge else ()))
    return tuple(name for name in names if set(KNOWN[name].wants) <= set(parts))


def metrics_named(names: Iterable[str]) -> "tuple[Metric, ...]":
    """The metrics of these names, each once; any registered measure that wants no fields is one too."""
    metrics = []
    for name in dict.fromkeys(names):
        kind = KNOWN[name].kind if name in KNOWN else None
        measure = measure_of(name, kind) if kind else _registered_measure(name)
        metrics.append(Metric(name, measure, kind or _kind_by_needs(measure)))
    return tuple(metrics)


def _registered_measure(name: str) -> "Measure":
    """A registered measure, as it is without any fields."""
    if name not in registered(MEASURES):
        raise SpecError(f"{did_you_mean('metric', name, KNOWN)}, or any registered measure")
    maker = load(MEASURES, name)
    try:
        signature(maker).bind()
    except TypeError as error:
        raise SpecError(
            f"the measure `{name}` cannot be a metric by its name alone: {error}; register one of your own "
            f"under `{MEASURES}` that has it"
        ) from error
    measure: Measure = maker()
    return measure


def _kind_by_needs(measure: "Measure") -> Kind:
    """By who must be asked before it reads: what depends on an encoder is kept with its name."""
    from sensecheck.core.sample import Sample  # noqa: PLC0415 - names alone must stay quick

    needs = measure.needs(Sample("An answer.", "A question?", "Another.", ("A passage.",)))
    if needs.prompts:
        return "judged"
    return "combined" if needs.texts or needs.tokens else "facts"


@dataclass(frozen=True, slots=True)
class Metric:
    """What is read off every answer of a run."""

    name: str
    measure: "Measure"
    kind: Kind

    @property
    def by_each_encoder(self) -> bool:
        """Whether it is read once an encoder, where a run has several; else by the first alone."""
        return self.kind == "semantic"

    @property
    def uses_encoder(self) -> bool:
        """Whether its number depends on the encoder, so that it is kept with that one's name."""
        return self.kind in ("semantic", "combined", "context")

    @property
    def keeps_reasons(self) -> bool:
        """Whether why it is so is kept next to the number; of words and vectors the number says it all."""
        return self.kind not in ("lexical", "semantic")


def measure_of(name: str, kind: Kind) -> "Measure":
    """The measure behind a metric of a kind."""
    return _MAKERS[kind]()[name]()


def _lexical() -> Makers:
    from sensecheck.measures.lexical.bleu import SentenceBleu  # noqa: PLC0415
    from sensecheck.measures.lexical.content import ContentF1, LexicalAggregate  # noqa: PLC0415
    from sensecheck.measures.lexical.rouge import RougeL  # noqa: PLC0415
    from sensecheck.measures.lexical.squad import GoldRecall, SquadExactMatch, SquadF1  # noqa: PLC0415

    return {
        "bleu": SentenceBleu,
        "rouge_l": RougeL,
        "rouge_l_precision": partial(RougeL, of="precision"),
        "rouge_l_recall": partial(RougeL, of="recall"),
        "squad_em": SquadExactMatch,
        "squad_token_f1": SquadF1,
        "content_f1": ContentF1,
        "gold_recall": GoldRecall,
        "lexical_aggregate": LexicalAggregate,
    }


def _semantic() -> Makers:
    from sensecheck.measures.similarity import SemanticSimilarity  # noqa: PLC0415

    return {
        "semantic_similarity": SemanticSimilarity,
        "semantic_angular": partial(SemanticSimilarity, "angular"),
        "semantic_euclidean": partial(SemanticSimilarity, "euclidean"),
        "semantic_manhattan": partial(SemanticSimilarity, "manhattan"),
    }


def _combined() -> Makers:
    from sensecheck.measures.correctness.correctness import Correctness  # noqa: PLC0415
    from sensecheck.measures.lexical.content import RecallAndCosine  # noqa: PLC0415

    return {"recall_and_cosine": RecallAndCosine, "correctness": Correctness}


def _facts() -> Makers:
    from sensecheck.measures.facts.agreement import FactAgreement  # noqa: PLC0415

    # Beside an expected answer, what is missing is wrong, and what is said beyond it need not be.
    return {"fact_agreement": partial(FactAgreement, count=("changed", "missing"))}


def _context() -> Makers:
    from sensecheck.measures.similarity import RetrievalCloseness  # noqa: PLC0415
    from sensecheck.measures.support.groundedness import groundedness  # noqa: PLC0415

    return {"grounded": groundedness, "retrieval_closeness": RetrievalCloseness}


def _judged() -> Makers:
    measures = opinions()
    return {name: partial(measures.__getitem__, name) for name in measures}


_MAKERS: Mapping[Kind, Callable[[], Makers]] = {
    "lexical": _lexical,
    "semantic": _semantic,
    "combined": _combined,
    "facts": _facts,
    "context": _context,
    "judged": _judged,
}


def opinions() -> Mapping[str, "Measure"]:
    """The judged metrics by name; the overall one is read off the replies to the others."""
    from sensecheck.measures.rubric import Judged, JudgedOverall, JudgedPassages  # noqa: PLC0415

    parts: Mapping[str, Measure] = {
        "answer_relevance": Judged(ANSWER_RELEVANCE, SCALE, ("question",)),
        "context_relevance": JudgedPassages(Judged(CONTEXT_RELEVANCE, SCALE, ("question",))),
        "groundedness": Judged(GROUNDEDNESS, SCALE, ("passages",)),
    }
    return {**parts, "llm_judged_overall": JudgedOverall(parts)}
