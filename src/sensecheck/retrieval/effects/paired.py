"""With guards and without, on the same questions: the difference in AURC, and how far chance moves it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sensecheck.core.data import encode
from sensecheck.core.errors import SampleError, SpecError
from sensecheck.retrieval.effects.claim import Claim, claimed
from sensecheck.retrieval.effects.scored import Scored
from sensecheck.retrieval.effects.swapped import swapped_p_value
from sensecheck.retrieval.effects.weighted_curves import Numbers, Ordered, Places

RESAMPLES = 2_000
FEWEST_GROUPS = 20
"""With fewer, nothing is claimed: a handful of questions stands for no others."""
_FEWEST_DRAWN = 5
"""With fewer, so few different draws are possible that their percentiles mean nothing."""
_CELLS = 2_000_000
"""Weights that are held at once, so that memory does not grow with the number of resamples."""
_NAMED = 3
"""Ids that an error names."""


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
        return claimed(self.difference, p_value, self.confidence, enough=self.groups >= FEWEST_GROUPS)

    def to_data(self) -> dict[str, Any]:
        """The figures and the claim, ready for JSON."""
        return {name: encode(getattr(self, name)) for name in self.__slots__} | {
            "claim": self.claim,
            "fewest_groups": FEWEST_GROUPS,
        }


def paired_difference(
    bare: Sequence[Scored],
    guarded: Sequence[Scored],
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
    confidence: float = 0.95,
) -> PairedDifference:
    """The difference, and its interval by drawing groups again, each with all its outputs in both arms."""
    if resamples < 1 or not 0 < confidence < 1 or seed < 0:
        raise SpecError(
            "the bootstrap wants at least 1 resample, a confidence between 0 and 1 and a seed from 0 up; "
            f"found {resamples}, {confidence:g}, {seed}"
        )
    ids = paired_ids(bare, guarded)
    members, groups = _groups(bare, guarded, ids)
    first, second = ([arm[one] for one in ids] for arm in (_by_id(bare), _by_id(guarded)))
    arms = Ordered.of(first), Ordered.of(second)
    shared, areas = _compared(arms, np.ones((1, len(ids))))
    if shared[0] == 0:
        raise SampleError("an arm has nothing but abstentions, so there is no coverage that both reach")
    drawn = list(_resampled(arms, members, groups, resamples, np.random.default_rng(seed)))
    differences = np.concatenate([one[1][1] - one[1][0] for one in drawn])
    tails = (1 - confidence) / 2
    low, high = np.quantile(differences, [tails, 1 - tails]).tolist()
    return PairedDifference(
        float(shared[0]),
        float(areas[0][0]),
        float(areas[1][0]),
        float(areas[1][0] - areas[0][0]),
        Interval(low, high) if groups >= _FEWEST_DRAWN else None,
        swapped_p_value(first, second, members, resamples=resamples, seed=seed),
        confidence,
        len(ids),
        groups,
        resamples,
        seed,
        int(sum((one[0] == 0).sum() for one in drawn)),
    )


def paired_ids(bare: Sequence[Scored], guarded: Sequence[Scored]) -> tuple[str, ...]:
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
                f"both arms want the same ids; only the arm `{arm}` has {len(lone)} of its "
                f"{len(first if arm == 'bare' else second)}: {named}"
            )
    return tuple(first)


def _by_id(outputs: Sequence[Scored]) -> dict[str, Scored]:
    held: dict[str, Scored] = {}
    for one in outputs:
        if one.id in held:
            raise SampleError(f"an arm wants each id once; found `{one.id[:40]}` twice")
        held[one.id] = one
    return held


def _groups(bare: Sequence[Scored], guarded: Sequence[Scored], ids: Sequence[str]) -> tuple[Places, int]:
    """For each id the number of its group, and how many groups there are."""
    first, second = _by_id(bare), _by_id(guarded)
    numbers: dict[tuple[str, bool], int] = {}
    members: list[int] = []
    for one in ids:
        group = first[one].group
        if group != second[one].group:
            raise SampleError(f"`{one[:40]}` wants the same `group` in both arms; found two")
        key = (one, False) if group is None else (group, True)
        members.append(numbers.setdefault(key, len(numbers)))
    return np.array(members, np.intp), len(numbers)


def _compared(arms: Sequence[Ordered], weights: Numbers) -> tuple[Numbers, list[Numbers]]:
    """For each row of weights the coverage that both arms reach, and each arm's area up to it."""
    steps = [arm.steps(weights) for arm in arms]
    shared: Numbers = np.minimum(*(one.highest() for one in steps))
    return shared, [one.areas(shared) for one in steps]


def _resampled(
    arms: Sequence[Ordered], members: Places, groups: int, resamples: int, rng: np.random.Generator
) -> Iterator[tuple[Numbers, list[Numbers]]]:
    at_once = max(1, _CELLS // len(members))
    for begin in range(0, resamples, at_once):
        rows = min(at_once, resamples - begin)
        counts = rng.multinomial(groups, np.full(groups, 1 / groups), size=rows)
        yield _compared(arms, counts[:, members].astype(np.float64))
