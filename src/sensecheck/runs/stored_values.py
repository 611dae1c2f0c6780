"""What every place stores, checked and in a form that each of them can hold.

Texts without NUL and halves of surrogate pairs, finite numbers, names of a bounded length; questions of a set
that differ from each other; labels that nobody has given otherwise before.
"""

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sensecheck.core.errors import SampleError, StorageError
from sensecheck.core.run import Item, MetricScore, PlacedItem, Run, ScoredAnswer, storable
from sensecheck.runs.record import Label
from sensecheck.store.columns import finite, stored_name

LabelKey = tuple[int, str, str]
"""The position of the answer, the name of the label, and who gave it."""


def storable_item(item: Item) -> Item:
    """As a place will give it back, so that it has one digest for good."""
    return Item(
        None if item.question is None else storable(item.question),
        None if item.expected is None else storable(item.expected),
        tuple(map(storable, item.passages)),
        {storable(key): storable(value) for key, value in item.slices.items()},
        stored_name(item.id, "the id of a question", SampleError),
    )


def storable_answer(scored: ScoredAnswer) -> ScoredAnswer:
    """The answer as a place will give it back; a number that is not finite becomes an error."""
    latency_ms, late = finite(scored.latency_ms, "`latency_ms`")
    cost, dear = finite(scored.cost, "`cost`")
    return ScoredAnswer(
        text_or_none(scored.answer),
        tuple(map(_storable_score, scored.readings)),
        text_or_none(scored.error or late or dear),
        None if scored.passages is None else tuple(map(storable, scored.passages)),
        latency_ms,
        cost,
        {_label_name(name): _finite_label(name, value) for name, value in scored.labels.items()},
        text_or_none(scored.id),
    )


def text_or_none(given: str | None) -> str | None:
    """The text as any place can hold it."""
    return None if given is None else storable(given)


@dataclass(slots=True)
class SetDigest:
    """The digest of a set of questions while they are read one by one; none may be there twice."""

    size: int = 0
    _all: Any = field(default_factory=hashlib.sha256)
    _digests: dict[bytes, int] = field(default_factory=dict)
    _names: dict[str, int] = field(default_factory=dict)
    _same_name: str = ""

    def add(self, item: Item) -> None:
        """Count one more question, which must be another than those before."""
        digest = bytes.fromhex(item.digest)
        require_new_question(self.size, self._digests.setdefault(digest, self.size))
        first = self._names.setdefault(item.name, self.size)
        if first != self.size and not self._same_name:
            self._same_name = same_id(first, self.size, item.name)
        self._all.update(digest)
        self.size += 1

    @property
    def digest(self) -> str:
        """Of all of them, in their order; raises `SampleError` for no questions, and for an id twice."""
        require_questions(self.size)
        if self._same_name:
            raise SampleError(self._same_name)
        return str(self._all.hexdigest())


def require_questions(count: int) -> None:
    """Raise unless there are some."""
    if not count:
        raise SampleError("there are no questions; at least one is needed")


def require_new_question(position: int, first: int) -> None:
    """Raise where the question at a position was met before."""
    if first != position:
        raise SampleError(
            f"the question {position + 1} is the same as the question {first + 1}; give each an `id`, or "
            "leave one out"
        )


def same_id(first: int, second: int, name: str) -> str:
    """What is wrong where two questions have one id."""
    return f"the questions {first + 1} and {second + 1} have the same id `{name}`; give each its own"


def new_labels(
    run: Run,
    given: Sequence[Label],
    answered: Mapping[str, tuple[int, bool]],
    before: Mapping[LabelKey, float],
) -> Iterator[tuple[LabelKey, float]]:
    """Those of these labels that are new; what a person says once more is skipped.

    `answered` says where each question stands and whether it has an answer, `before` what was said. Raises
    `SampleError` for a question that the run has not answered, and for another value than before: history is
    not changed, and nobody has two opinions.
    """
    stored = dict(before)
    for label in given:
        _validate_label(label)
        position = _answered_position(answered, run, label)
        rater = stored_name(label.rater, "the name of who labels", SampleError)
        key = position, _label_name(label.name), rater
        if key in stored:
            if float(label.value) != stored[key]:
                raise SampleError(
                    f"{_in_words(label)} says {stored[key]:g} already, and now {label.value:g}; history is "
                    "not changed: give it as another `--rater`"
                )
            continue
        stored[key] = float(label.value)
        yield key, stored[key]


def changed_label(
    run: Run,
    given: Label,
    answered: Mapping[str, tuple[int, bool]],
    before: Mapping[LabelKey, float],
    *,
    withdraw: bool,
) -> tuple[LabelKey, float | None] | None:
    """What is to be stored so that a rater says this now, or nothing any more; None where it is so already.

    Only people change their mind: a label that came with an answer has no rater, and stays.
    """
    _validate_label(given)
    rater = stored_name(given.rater, "the name of who labels", SampleError)
    if not rater:
        raise SampleError(f"{_in_words(given)} has no rater; only labels of a named rater can be changed")
    key = _answered_position(answered, run, given), _label_name(given.name), rater
    value = None if withdraw else float(given.value)
    return None if before.get(key) == value else (key, value)


def validate_labels(given: Sequence[Label]) -> None:
    """Raise unless there are some."""
    if not given:
        raise SampleError("there are no labels; at least one is needed")


def positions_once(positions: Iterable[int]) -> set[int]:
    """The positions of a batch; `StorageError` where one stands there twice."""
    seen: set[int] = set()
    for position in positions:
        if position in seen:
            raise StorageError(f"the question {position + 1} stands twice in a batch; give each answer once")
        seen.add(position)
    return seen


def written_by_another(run: Run, first: int) -> StorageError:
    """What is wrong where two processes write one run."""
    return StorageError(
        f"the run {run.key} is being written by another process, from question {first + 1} on; "
        "wait for it to end, or stop it"
    )


def counted_answers(answered: Iterable[tuple[PlacedItem, ScoredAnswer]]) -> int:
    """How many of these are answers, and not reasons why there is none."""
    return sum(scored.answer is not None for _, scored in answered)


def labels_of_answer(position: int, scored: ScoredAnswer) -> Iterable[tuple[LabelKey, float]]:
    """The labels that came with an answer, by nobody in particular."""
    return (((position, name, ""), value) for name, value in scored.labels.items())


def _storable_score(score: MetricScore) -> MetricScore:
    value, odd = finite(score.value, "the value")
    return score._replace(
        metric=stored_name(score.metric, "the name of a metric"),
        value=value,
        because=text_or_none(score.because),
        error=text_or_none(score.error or odd),
        encoder=storable(score.encoder),
        fingerprint=stored_name(score.fingerprint, "the fingerprint of an encoder"),
    )


def _label_name(name: str) -> str:
    return stored_name(name, "the name of a label", SampleError)


def _finite_label(name: str, value: float) -> float:
    if not math.isfinite(value):
        raise SampleError(f"the label `{name}` must be a finite number; got {value}")
    return float(value)


def _answered_position(answered: Mapping[str, tuple[int, bool]], run: Run, label: Label) -> int:
    position, has_answer = answered.get(storable(label.question), (-1, False))
    if position < 0:
        raise SampleError(f"the run {run.key} has no question `{label.question}`; give the id of one")
    if not has_answer:
        raise SampleError(f"there is no answer to the question `{label.question}` of the run {run.key}")
    return position


def _validate_label(label: Label) -> None:
    if not label.name.strip():
        raise SampleError(
            f"a label of the question `{label.question}` has no name; give it one, such as `correct`"
        )
    if not math.isfinite(label.value):
        raise SampleError(f"{_in_words(label)} must be a finite number; got {label.value}")


def _in_words(label: Label) -> str:
    by = f" by `{label.rater}`" if label.rater else ""
    return f"the label `{label.name}`{by} of the question `{label.question}`"
