"""Risk-coverage curves, the area under them (AURC), and the difference between two of them.

A curve shows how wrong a system is when only the outputs that it is surest of are accepted. The difference is
that with guards and without, on the same questions. How far chance moves it is found twice: by drawing groups
of questions again, many weightings of the same outputs at once, and by swapping the arms of groups at random.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from sensecheck.core.errors import SampleError, SpecError
from sensecheck.core.serialization import encode

Numbers = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]
Claim = Literal["below", "above", "chance", "few"]
"""Below 0 or above it, by more than chance easily brings; within what chance brings; or too few to say."""

MAX_POINTS = 400
"""Steps of a curve as data; the area is always that of all its steps."""
RESAMPLES = 2_000
MIN_GROUPS = 20
"""With fewer, nothing is claimed: a handful of questions stands for no others."""
_MIN_DRAWN = 5
"""With fewer, so few different draws are possible that their percentiles mean nothing."""
_RESAMPLE_CELLS = 2_000_000
"""Weights of the bootstrap per batch, so that memory does not grow with the number of resamples."""
_SWAP_CELLS = 200_000
"""Weights of the swaps per batch; few enough to stay near the processor."""
_ROUNDING = 1e-9
"""Differences that are apart by this share of the highest loss count as equal."""
_STREAM = 1
"""The swaps draw apart from the bootstrap, which has the seed to itself."""
_NAMED = 3
"""Ids that an error names."""


@dataclass(frozen=True, slots=True)
class ScoredOutput:
    """One output of one arm; without a confidence the system abstained."""

    id: str
    """What was asked; the same in both arms."""
    confidence: float | None
    loss: float | None = None
    """0 for right and 1 for wrong, or any number from 0 up; of an abstention it is not looked at."""
    group: str | None = None
    """What outputs share that are not independent: a participant, a document. None for itself alone."""

    def __post_init__(self) -> None:
        if self.confidence is None:
            return
        if not math.isfinite(self.confidence):
            raise SampleError(f"`confidence` must be a finite number, or none; got {self.confidence}")
        if self.loss is None:
            raise SampleError("an output with a confidence must have a `loss`; only an abstention has none")
        if not (math.isfinite(self.loss) and self.loss >= 0):
            raise SampleError(f"`loss` must be a finite number from 0 up; got {self.loss}")


class CurvePoint(NamedTuple):
    """One step of the curve."""

    coverage: float
    """Accepted outputs, as a share of all, abstentions included."""
    risk: float
    """The mean loss of the accepted ones."""


@dataclass(frozen=True, slots=True)
class RiskCoverage:
    """Outputs accepted from the surest down, those that are equally sure in one step.

    The curve is a staircase: between one step's coverage and the next, risk is that of the next, so the
    first step's risk holds from coverage 0 on, and a step of several ties has the risk at its end. The AURC
    is the area under that staircase. Without ties and abstentions it is the mean of the risks at 1, 2, …, n
    accepted. An abstention is never accepted, so with abstentions the curve ends before coverage 1, and two
    curves are compared by their area up to a coverage that both reach.
    """

    points: tuple[CurvePoint, ...]
    outputs: int
    abstained: int
    best: float
    """The AURC if confidence put the same outputs in the order of their losses."""
    by_chance: float
    """The AURC to be expected if confidence said nothing of losses."""
    worst: float

    @classmethod
    def of(cls, outputs: Sequence[ScoredOutput]) -> Self:
        """The curve of these outputs, in whatever order they come."""
        steps = Ordered.of(outputs).steps(np.ones((1, len(outputs))))
        points = zip(steps.coverage[0].tolist(), steps.risk[0].tolist(), strict=True)
        answered = [output for output in outputs if output.confidence is not None]
        total = sum(output.loss or 0.0 for output in answered)
        return cls(
            tuple(CurvePoint(*point) for point in points),
            len(outputs),
            len(outputs) - len(answered),
            best=_sorted_area(outputs, -1.0),
            by_chance=total / len(outputs),
            worst=_sorted_area(outputs, 1.0),
        )

    @property
    def highest(self) -> float:
        """The highest coverage reached."""
        return self.points[-1].coverage if self.points else 0.0

    @property
    def aurc(self) -> float:
        """The area from coverage 0 to the highest reached."""
        return self.area(self.highest)

    def area(self, up_to: float) -> float:
        """The area from coverage 0 up to this one, which the curve must reach."""
        if not 0 <= up_to <= self.highest:
            raise SpecError(f"the curve reaches from coverage 0 to {self.highest:g}; got {up_to:g}")
        area, begin = 0.0, 0.0
        for end, risk in self.points:
            area += (min(end, up_to) - begin) * risk
            begin = min(end, up_to)
        return area

    def to_data(self) -> dict[str, Any]:
        """The figures, and the curve in at most so many steps as can be told apart."""
        return {
            "outputs": self.outputs,
            "abstained": self.abstained,
            "highest_coverage": self.highest,
            "aurc": self.aurc,
            "best": self.best,
            "by_chance": self.by_chance,
            "worst": self.worst,
            "points": [list(point) for point in self._thinned()],
        }

    def _thinned(self) -> Sequence[CurvePoint]:
        if len(self.points) <= MAX_POINTS:
            return self.points
        indices = np.unique(np.linspace(0, len(self.points) - 1, MAX_POINTS).round().astype(int))
        return [self.points[index] for index in indices]


@dataclass(frozen=True, slots=True)
class Interval:
    """Percentiles of the bootstrap; of few groups they lie too close together."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """AURC with guards minus AURC without, both up to the coverage that both reach; below 0 is better."""

    shared_coverage: float
    bare: float
    guarded: float
    difference: float
    interval: Interval | None
    """None when there are hardly any groups, of which the bootstrap knows nothing."""
    p_value: float
    """How often a difference at least as large comes of swapping the arms of groups at random."""
    confidence: float
    outputs: int
    groups: int
    resamples: int
    seed: int
    without_overlap: int = 0
    """Resamples in which an arm only abstained; their difference is 0."""

    @property
    def claim(self) -> Claim:
        """Below 0 it is better with guards; the interval and the swaps must agree, over enough groups."""
        zero_lies_outside = self.interval is not None and not self.interval.low <= 0 <= self.interval.high
        p_value = self.p_value if zero_lies_outside else 1.0
        return claimed(self.difference, p_value, self.confidence, enough=self.groups >= MIN_GROUPS)

    def to_data(self) -> dict[str, Any]:
        """The figures and the claim, ready for JSON."""
        return {name: encode(getattr(self, name)) for name in self.__slots__} | {
            "claim": self.claim,
            "fewest_groups": MIN_GROUPS,
        }


def paired_difference(
    bare: Sequence[ScoredOutput],
    guarded: Sequence[ScoredOutput],
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
    confidence: float = 0.95,
) -> PairedDifference:
    """The difference, and its interval by drawing groups again, each with all its outputs in both arms."""
    if resamples < 1 or not 0 < confidence < 1 or seed < 0:
        raise SpecError(
            "the bootstrap must have at least 1 resample, a confidence between 0 and 1 and a seed from 0 up; "
            f"got {resamples}, {confidence:g}, {seed}"
        )
    ids = paired_ids(bare, guarded)
    members, groups = _groups(bare, guarded, ids)
    first, second = ([arm[one] for one in ids] for arm in (_by_id(bare), _by_id(guarded)))
    arms = Ordered.of(first), Ordered.of(second)
    shared, areas = _compared(*(arm.steps(np.ones((1, len(ids)))) for arm in arms))
    if shared[0] == 0:
        raise SampleError("an arm has nothing but abstentions, so there is no coverage that both reach")
    draws = list(_resampled(arms, members, groups, resamples, np.random.default_rng(seed)))
    differences = np.concatenate([draw[1][1] - draw[1][0] for draw in draws])
    tails = (1 - confidence) / 2
    low, high = np.quantile(differences, [tails, 1 - tails]).tolist()
    return PairedDifference(
        float(shared[0]),
        float(areas[0][0]),
        float(areas[1][0]),
        float(areas[1][0] - areas[0][0]),
        Interval(low, high) if groups >= _MIN_DRAWN else None,
        swapped_p_value(first, second, members, resamples=resamples, seed=seed),
        confidence,
        len(ids),
        groups,
        resamples,
        seed,
        int(sum((draw[0] == 0).sum() for draw in draws)),
    )


def paired_ids(bare: Sequence[ScoredOutput], guarded: Sequence[ScoredOutput]) -> tuple[str, ...]:
    """The ids that both arms hold, in the order of the first; one that is in one arm only is an error."""
    first, second = _by_id(bare), _by_id(guarded)
    for arm, lone in (
        ("bare", [one for one in first if one not in second]),
        ("guarded", [one for one in second if one not in first]),
    ):
        if lone:
            named = ", ".join(f"`{one[:40]}`" for one in lone[:_NAMED]) + (
                ", …" if len(lone) > _NAMED else ""
            )
            raise SampleError(
                f"both arms need the same ids; only the arm `{arm}` has {len(lone)} of its "
                f"{len(first if arm == 'bare' else second)}: {named}"
            )
    return tuple(first)


def swapped_p_value(
    bare: Sequence[ScoredOutput],
    guarded: Sequence[ScoredOutput],
    members: Places,
    *,
    resamples: int,
    seed: int,
) -> float:
    """How often a difference at least as large comes of swapping alone, in either direction.

    Both arms hold the same questions in the same order, and `members` the number of each one's group, whose
    outputs are swapped together. If guards do nothing at all, each swap is as likely as what was found, so
    that the share is right for any number of groups; what was found counts among the swaps, so it is never 0.
    """
    pool = Ordered.of([*bare, *guarded])
    observed = abs(_differences(pool, np.ones((1, len(members)), np.bool_))[0])
    least = observed - _ROUNDING * max(pool.losses, default=0.0)
    rng = np.random.default_rng([seed, _STREAM])
    as_large = sum(
        int((np.abs(_differences(pool, stays)) >= least).sum()) for stays in _swaps(members, resamples, rng)
    )
    return (1 + as_large) / (1 + resamples)


def claimed(figure: float, p_value: float, confidence: float, *, enough: bool) -> Claim:
    """The claim, at a level of 1 minus the confidence; nothing is claimed of too few, however far off."""
    if not enough:
        return "few"
    if p_value > 1 - confidence or figure == 0:
        return "chance"
    return "below" if figure < 0 else "above"


@dataclass(frozen=True, slots=True)
class Steps:
    """A row for each weighting, a column for each confidence that occurs, the highest first."""

    coverage: Numbers
    """The share that is accepted at this confidence and above."""
    risk: Numbers
    """The mean loss of those; 0 as long as nothing is accepted."""

    def highest(self) -> Numbers:
        """The coverage at which everything is accepted that was not an abstention."""
        last: Numbers = self.coverage[:, -1] if self.coverage.shape[1] else np.zeros(len(self.coverage))
        return last

    def areas(self, up_to: Numbers) -> Numbers:
        """The area under risk from coverage 0 up to this one, each row to its own."""
        ends = np.minimum(self.coverage, up_to[:, None])
        widths = np.diff(ends, axis=1, prepend=0.0)
        area: Numbers = (widths * self.risk).sum(axis=1)
        return area


@dataclass(frozen=True, slots=True)
class Ordered:
    """Outputs in the order in which they are accepted: sorted once, weighted as often as wanted."""

    order: Places
    """Where the accepted ones stand among all, the surest first."""
    begins: Places
    """Where, in that order, each confidence begins: those that share one are accepted together."""
    losses: Numbers
    """In that order."""

    @classmethod
    def of(cls, outputs: Sequence[ScoredOutput]) -> Self:
        """Sort outputs by confidence; abstentions are never accepted."""
        if not outputs:
            raise SampleError("a curve of risk over coverage must have at least one output; got none")
        answered = [(index, output) for index, output in enumerate(outputs) if output.confidence is not None]
        sure = np.array([output.confidence for _, output in answered], np.float64)
        order = np.argsort(-sure, kind="stable")
        ranked = sure[order]
        begins = np.flatnonzero(np.diff(ranked, prepend=np.inf) != 0)
        losses = np.array([output.loss for _, output in answered], np.float64)[order]
        return cls(np.array([index for index, _ in answered], np.intp)[order], begins, losses)

    def steps(self, weights: Numbers) -> Steps:
        """The curve for each row of weights, one weight for each output, abstentions included."""
        if not len(self.order):
            nothing = np.zeros((len(weights), 0))
            return Steps(nothing, nothing)
        accepted = weights[:, self.order]
        count = np.add.reduceat(accepted, self.begins, axis=1).cumsum(axis=1)
        lost = np.add.reduceat(accepted * self.losses, self.begins, axis=1).cumsum(axis=1)
        risk = np.divide(lost, count, out=np.zeros_like(lost), where=count > 0)
        return Steps(count / weights.sum(axis=1, keepdims=True), risk)


def _sorted_area(outputs: Sequence[ScoredOutput], sign: float) -> float:
    """The AURC of the same outputs, accepted in the order of their losses, one at a time."""
    answered = sorted(
        (sign * (output.loss or 0.0) for output in outputs if output.confidence is not None), reverse=True
    )
    means = np.array(answered).cumsum() / np.arange(1, len(answered) + 1)
    return float(sign * means.sum() / len(outputs)) + 0.0  # so that nothing is never -0


def _by_id(outputs: Sequence[ScoredOutput]) -> dict[str, ScoredOutput]:
    by_id: dict[str, ScoredOutput] = {}
    for output in outputs:
        if output.id in by_id:
            raise SampleError(f"an arm must have each id once; got `{output.id[:40]}` twice")
        by_id[output.id] = output
    return by_id


def _groups(
    bare: Sequence[ScoredOutput], guarded: Sequence[ScoredOutput], ids: Sequence[str]
) -> tuple[Places, int]:
    """For each id the number of its group, and how many groups there are."""
    first, second = _by_id(bare), _by_id(guarded)
    numbers: dict[tuple[str, bool], int] = {}
    members: list[int] = []
    for output_id in ids:
        group = first[output_id].group
        if group != second[output_id].group:
            raise SampleError(f"`{output_id[:40]}` must have the same `group` in both arms; got two")
        key = (output_id, False) if group is None else (group, True)
        members.append(numbers.setdefault(key, len(numbers)))
    return np.array(members, np.intp), len(numbers)


def _resampled(
    arms: Sequence[Ordered], members: Places, groups: int, resamples: int, rng: np.random.Generator
) -> Iterator[tuple[Numbers, tuple[Numbers, Numbers]]]:
    """What the arms compare to when groups are drawn again, many draws at a time."""
    batch_size = max(1, _RESAMPLE_CELLS // len(members))
    for begin in range(0, resamples, batch_size):
        rows = min(batch_size, resamples - begin)
        counts = rng.multinomial(groups, np.full(groups, 1 / groups), size=rows)
        weights = counts[:, members].astype(np.float64)
        yield _compared(*(arm.steps(weights) for arm in arms))


def _swaps(members: Places, resamples: int, rng: np.random.Generator) -> Iterator[npt.NDArray[np.bool_]]:
    """For each output whether it stays in its arm, many draws at a time."""
    batch_size = max(1, _SWAP_CELLS // (2 * len(members)))
    groups = int(members.max()) + 1
    for begin in range(0, resamples, batch_size):
        yield (rng.random((min(batch_size, resamples - begin), groups)) < 0.5)[:, members]


def _differences(pool: Ordered, stays: npt.NDArray[np.bool_]) -> Numbers:
    """The second arm's area minus the first's; each arm is the pool, with weight 1 on what it holds."""
    first = np.concatenate([stays, ~stays], axis=1).astype(np.float64)
    _, (one, other) = _compared(pool.steps(first), pool.steps(1 - first))
    return other - one


def _compared(first: Steps, second: Steps) -> tuple[Numbers, tuple[Numbers, Numbers]]:
    """For each row of weights the coverage that both arms reach, and each arm's area up to it."""
    shared: Numbers = np.minimum(first.highest(), second.highest())
    return shared, (first.areas(shared), second.areas(shared))
