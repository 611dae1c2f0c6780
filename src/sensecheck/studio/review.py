"""Rows for people to label: queues of what is worth a look, and a random stream for what is promised.

Rows of the random stream come in an order that a hash decides. The random sample is the part of that order
which is done from its beginning on: every row of it was labelled, or skipped. So it is a fair sample however
its labels came about, and nobody has to remember which row was shown why. Only it may feed a guarantee.
"""

import hashlib
import json
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from sensecheck.calibration.placement import place_cutoff
from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import did_you_mean, to_data
from sensecheck.measures.metrics import KNOWN
from sensecheck.runs.agreement import EVEN
from sensecheck.runs.record import AnsweredItem, Numbers
from sensecheck.runs.summary import rounded
from sensecheck.runs.tally import OUTCOMES, TestOutcome, as_text
from sensecheck.stats.ranks import cohen_kappa
from sensecheck.studio.details import answer_at, require_row
from sensecheck.studio.index import RunIndex, results_at
from sensecheck.studio.labels import FLAG, SKIPPED, Said, label_names, raters_of
from sensecheck.studio.library import StudioRun
from sensecheck.studio.rows import Mask, RowView, is_yes_or_no, reading_columns

QUEUES = ("random", "unsure", "edge", "disagreement", "changed", "second", "flagged")
MAX_QUEUE_ROWS = 100
MAX_DISAGREEMENTS = 200
Order = npt.NDArray[np.int64]


def random_order(found: StudioRun, index: RunIndex) -> Order:
    """The rows in the order of the random stream, the same for the same run whatever else is known."""
    key = found.run.id.encode("utf-8", "surrogatepass")[:64]
    digests = [
        hashlib.blake2b(name.encode("utf-8", "surrogatepass"), key=key, digest_size=16).digest()
        for name in index.ids
    ]
    return np.array(sorted(range(len(digests)), key=digests.__getitem__), np.int64)


@dataclass(frozen=True, slots=True)
class RandomSample:
    """The rows that a guarantee may be fitted on."""

    rows: Order
    """Labelled, in the order of the stream."""
    skipped: int
    """Rows among them that nobody could decide."""

    def to_data(self) -> dict[str, int]:
        """How many rows it has."""
        return {"labelled": len(self.rows), "skipped": self.skipped}


class RunReview:
    """The rows of a run as one reviewer has them before them."""

    def __init__(
        self, view: RowView, said: Said, order: Order, *, label: str, rater: str = "", metric: str = ""
    ) -> None:
        self.view = view
        self.said = said
        self.label = label
        self.rater = rater
        outcomes = view.index.outcomes
        self.order = order[outcomes[order] != OUTCOMES.index("error")]
        """Rows that were not judged have nothing to calibrate, and often no answer."""
        columns = reading_columns(view.index)
        chosen_columns = [at for at in columns if view.index.metrics[at].name == metric] or columns
        self.numbers: Numbers = (
            view.index.values[:, chosen_columns[0]] if chosen_columns else np.full(len(view.index), np.nan)
        )
        """The readings that a cutoff is placed on."""
        self.labelled, self.mine, self.skipped, self.passed_over, self.flagged = (
            self._rows(label, mine=False),
            self._rows(label, mine=True),
            self._rows(SKIPPED, mine=False),
            self._rows(SKIPPED, mine=True),
            self._rows(FLAG, mine=False),
        )

    def sample(self) -> RandomSample:
        """The random sample as far as it has come."""
        done = (self.labelled | self.skipped)[self.order]
        reached = self.order[: len(done) if done.all() else int(np.argmin(done))]
        labelled = self.labelled[reached]
        return RandomSample(reached[labelled], int((~labelled).sum()))

    def queue(self, name: str, *, cutoff: float | None = None, limit: int = MAX_QUEUE_ROWS) -> list[int]:
        """The rows of a queue that this reviewer has before them, the first ones."""
        return [int(at) for at in self._queue(name, cutoff)[:limit]]

    def counts(self) -> dict[str, int]:
        """How many rows wait in each queue; those near a cutoff are all others, the nearest first."""
        return {name: len(self._queue(name, None)) for name in QUEUES if name != "edge"}

    def progress(self) -> dict[str, Any]:
        """How far the review has come."""
        return {
            "label": self.label,
            "labels": label_names(self.said),
            "counts": self.counts(),
            "rows": len(self.order),
            "labelled": int(self.labelled[self.order].sum()),
            "mine": int(self.mine.sum()),
            "sample": self.sample().to_data(),
            "raters": [name for name in raters_of(self.said, self.label) if name],
        }

    def _queue(self, name: str, cutoff: float | None) -> Order:
        if name not in QUEUES:
            raise SpecError(did_you_mean("queue", name, QUEUES))
        left = ~(self.labelled | self.passed_over)
        if name == "edge":
            left &= ~np.isnan(self.numbers)
        elif name == "unsure":
            left &= self.view.index.outcomes == OUTCOMES.index("unsure")
        elif name == "changed":
            left &= self.view.changed()
        elif name != "random":
            masks = {"second": self.labelled, "flagged": self.flagged}
            left = masks[name] if name in masks else self._disagreeing()
            left = left & ~(self.mine | self.passed_over)
        rows: Order = self.order[left[self.order]]
        if name == "edge":
            rows = rows[np.argsort(np.abs(self.numbers[rows] - self.edge(cutoff)), kind="stable")]
        return rows

    def _rows(self, label: str, *, mine: bool) -> Mask:
        mask = np.zeros(len(self.view.index), np.bool_)
        rows = [at for at, name, by in self.said if name == label and (not mine or by == self.rater)]
        mask[rows] = True
        return mask

    def _disagreeing(self) -> Mask:
        """Rows on which two checks contradict each other, or a person contradicts the machine."""
        index = self.view.index
        checks = [at for at, metric in enumerate(index.metrics) if metric.name not in KNOWN]
        verdicts = index.values[:, [at for at in checks if is_yes_or_no(index.values[:, at])]]
        mask: Mask = (verdicts == 0).any(axis=1) & (verdicts == 1).any(axis=1) & ~self.labelled
        label_values = self.view.labels.get(self.label)
        if label_values is not None:
            with np.errstate(invalid="ignore"):
                mask |= (label_values > EVEN) & (index.outcomes == OUTCOMES.index("fail"))
                mask |= (label_values < EVEN) & (index.outcomes == OUTCOMES.index("pass"))
        return mask

    def edge(self, cutoff: float | None) -> float:
        """Where readings turn from bad to good: as given, by verdicts, by labels, or in the middle."""
        if cutoff is not None:
            return cutoff
        numbers, outcomes = self.numbers, self.view.index.outcomes
        measured = ~np.isnan(numbers)
        label_values = self.view.labels.get(self.label, np.full(len(numbers), np.nan))
        with np.errstate(invalid="ignore"):
            sides = [
                (outcomes == OUTCOMES.index("pass"), outcomes == OUTCOMES.index("fail")),
                (label_values > EVEN, label_values < EVEN),
            ]
        for good, bad in sides:
            both = numbers[measured & good], numbers[measured & bad]
            if all(len(group) for group in both):
                return place_cutoff(*both, side="above", method="best_f1", targets=()).value
        return float(np.median(numbers[measured])) if measured.any() else 0.0


def agreement_data(index: RunIndex, said: Said, label: str) -> dict[str, Any]:
    """How far raters agree, each two of them, and the rows of which they do not."""
    raters = raters_of(said, label)
    pairs = []
    for first_rater, second_rater in combinations([name for name in raters if name], 2):
        shared = sorted(raters[first_rater].keys() & raters[second_rater].keys())
        if not shared:
            continue
        kappa = cohen_kappa(
            [raters[first_rater][at] for at in shared], [raters[second_rater][at] for at in shared]
        )
        pairs.append({"raters": [first_rater, second_rater], **to_data(kappa)})
    values_by_row: dict[int, dict[str, float]] = {}
    for name, values in raters.items():
        for at, value in values.items():
            values_by_row.setdefault(at, {})[name] = value
    split = [at for at, values in sorted(values_by_row.items()) if len(set(values.values())) > 1]
    rows = [
        {
            "at": at,
            "id": index.ids[at],
            "title": index.titles[at],
            "said": values_by_row[at],
            "outcome": OUTCOMES[index.outcomes[at]],
        }
        for at in split[:MAX_DISAGREEMENTS]
    ]
    counts = [{"rater": name, "n": len(values)} for name, values in raters.items()]
    return {"label": label, "raters": counts, "pairs": pairs, "total": len(split), "rows": rows}


def blind_row(found: StudioRun, index: RunIndex, at: int, said: Said, rater: str) -> dict[str, Any]:
    """What a reviewer sees of a row before they have decided: texts, and nothing that the machine said."""
    require_row(index, at)
    file = found.file
    if file is not None:
        parts = _test_parts(results_at(file, int(index.offsets[at])))
    else:
        parts = _answer_parts(answer_at(found, index, at))
    mine = {name: value for (row, name, by), value in said.items() if row == at and by == rater}
    return {"at": at, "id": index.ids[at], "parts": [part for part in parts if part["text"]], "mine": mine}


def machine_data(view: RowView, at: int) -> dict[str, Any]:
    """What the machine says of a row, for after the decision."""
    column = next(iter(reading_columns(view.index)), None)
    name = None if column is None else view.index.metrics[column].name
    value = None if column is None else rounded(float(view.index.values[at, column]))
    return {"outcome": OUTCOMES[view.index.outcomes[at]], "metric": name, "value": value}


def _answer_parts(answered: AnsweredItem) -> list[dict[str, Any]]:
    item, scored = answered.item, answered.scored
    passages = item.passages if scored.passages is None else scored.passages
    return [
        _part("question", "Question", item.question),
        _part("answer", "Answer", scored.answer),
        _part("expected", "Expected answer", item.expected),
        *(_part("passage", f"Passage {at}", text) for at, text in enumerate(passages, 1)),
    ]


def _test_parts(outcome: TestOutcome) -> list[dict[str, Any]]:
    first = outcome.first
    expectations = dict.fromkeys(
        (assertion.type, assertion.wanted)
        for score in outcome.deciding.scores
        for assertion in score.each()
        if assertion.wanted
    )
    displayed = {first.prompt, *(text for _, text in expectations)}
    variables = {name: readable(value) for name, value in first.vars.items()}
    return [
        _part("title", "Test", first.description),
        _part("question", "Prompt", readable(first.prompt)),
        _part("answer", "Answer", outcome.deciding.answer),
        *(_part("expected", f"Expected ({kind})", readable(text)) for kind, text in expectations),
        *(_part("passage", name, text) for name, text in variables.items() if text not in displayed),
    ]


def readable(value: Any) -> str:
    """A text as people read it: a conversation by who speaks, lists and tables line by line."""
    if isinstance(value, str):
        if not value.lstrip().startswith(("{", "[")):
            return value
        try:
            return readable(json.loads(value))
        except ValueError:
            return value
    if isinstance(value, dict):
        if "role" in value and "content" in value:
            return f"{value['role']}: {readable(value['content'])}"
        return "\n".join(f"{name}: {readable(element)}" for name, element in value.items())
    if isinstance(value, list):
        return "\n".join(map(readable, value))
    return as_text(value)


def _part(kind: str, name: str, text: str | None) -> dict[str, Any]:
    return {"kind": kind, "name": name, "text": text or ""}


def orders_of(found: StudioRun, index: RunIndex, kept: dict[str, Order]) -> Order:
    """The order of the random stream, computed once for each state of a run."""
    key = f"{found.id} {found.version} {len(index)}"
    if key not in kept:
        kept[key] = random_order(found, index)
        while len(kept) > 8:
            kept.pop(next(iter(kept)))
    return kept[key]
