"""A line on similarity, fitted again and again: on new questions, and on new articles."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from benchmarks.quality.shares import share

from sensecheck.calibration.placement import Values, place_cutoff
from sensecheck.calibration.split import Labelled
from sensecheck.calibration.target import Target
from sensecheck.stats.binomial import chance_of_at_least

SEED = 23
Places = npt.NDArray[np.int64]
Halves = Callable[["Groups", np.random.Generator], tuple[Places, Places]]


@dataclass(frozen=True, slots=True)
class Parted:
    """The readings of all groups, one group after the other."""

    values: Values
    starts: Places
    sizes: Places

    @classmethod
    def of(cls, groups: Sequence[Sequence[float]]) -> "Parted":
        """So many groups, none of them empty."""
        sizes = np.array([len(group) for group in groups])
        return cls(np.concatenate([np.array(group) for group in groups]), np.cumsum(sizes) - sizes, sizes)

    def one_each(self, places: Places, chance: np.random.Generator) -> Values:
        """A reading of each of these groups, picked at random."""
        picked: Values = self.values[self.starts[places] + chance.integers(self.sizes[places])]
        return picked

    def mean_share(self, chosen: npt.NDArray[np.bool_]) -> float:
        """The share of readings that are chosen, of each group; their mean."""
        return float((np.add.reduceat(chosen, self.starts, dtype=np.int64) / self.sizes).mean())


@dataclass(frozen=True, slots=True)
class Groups:
    """The readings of each group, and the article that it is of."""

    good: "Parted"
    bad: "Parted"
    articles: npt.NDArray[np.int64]

    @classmethod
    def of(cls, rows: Sequence[Labelled], article_of: Callable[[str], int]) -> "Groups":
        """The readings by group; a group without one of each label is left out."""
        found: dict[str, tuple[list[float], list[float]]] = {}
        for row in rows:
            found.setdefault(row.group or "", ([], []))[0 if row.good else 1].append(row.value)
        whole = {group: both for group, both in found.items() if all(both)}
        good, bad = (Parted.of([both[side] for both in whole.values()]) for side in (0, 1))
        return cls(good, bad, np.array([article_of(group) for group in whole]))

    def one_each(self, places: Places, chance: np.random.Generator) -> tuple[Values, Values]:
        """A good reading and a bad one of each of these groups."""
        return self.good.one_each(places, chance), self.bad.one_each(places, chance)

    def true_rate(self, target: Target, line: float) -> float:
        """How often a reading that is picked at random from a group picked at random is on the wrong side."""
        if target.errors == "false_accepts":
            return self.bad.mean_share(self.bad.values >= line)
        return self.good.mean_share(self.good.values < line)


def by_group(groups: Groups, chance: np.random.Generator) -> tuple[Places, Places]:
    """Two halves that share no group."""
    order = chance.permutation(len(groups.articles))
    return order[: len(order) // 2], order[len(order) // 2 :]


def by_article(groups: Groups, chance: np.random.Generator) -> tuple[Places, Places]:
    """Two parts that share no article."""
    names = chance.permutation(np.unique(groups.articles))
    first = np.isin(groups.articles, names[: len(names) // 2])
    return np.flatnonzero(first), np.flatnonzero(~first)


def repeated(groups: Groups, target: Target, rounds: int) -> dict[str, Any]:
    """How often the promise is broken: in truth, and as the other half of the rows can tell."""
    chance = np.random.default_rng(SEED)
    true = np.array([groups.true_rate(target, line) for line in _lines(groups, target, rounds, chance)])
    return {
        "rounds": rounds,
        "broken": share(int((true > target.at_most).sum()), rounds),
        "mean": round(float(true.mean()), 4),
        "other_groups": _held(groups, target, by_group, rounds, chance),
        "other_articles": _held(groups, target, by_article, rounds, chance),
    }


def _lines(groups: Groups, target: Target, rounds: int, chance: np.random.Generator) -> Iterator[float]:
    """Lines of teams with as many groups as half of ours, drawn with replacement: ours are the population."""
    count = len(groups.articles)
    for _ in range(rounds):
        yield _line(*groups.one_each(chance.integers(count, size=count // 2), chance), target)


def _held(
    groups: Groups, target: Target, halves: Halves, rounds: int, chance: np.random.Generator
) -> dict[str, Any]:
    """Fitted on one half and held against the other, as `card check` does it."""
    rates, broken = [], 0
    for _ in range(rounds):
        fitted, held = halves(groups, chance)
        line = _line(*groups.one_each(fitted, chance), target)
        good, bad = groups.one_each(held, chance)
        wrong = bad >= line if target.errors == "false_accepts" else good < line
        broken += int(wrong.sum()) >= _contradicting(target, len(wrong))
        rates.append(float(wrong.mean()))
    return {
        "broken": share(broken, rounds),
        "mean": round(float(np.mean(rates)), 4),
        "highest": round(float(np.max(rates)), 4),
    }


@cache
def _contradicting(target: Target, n: int) -> int:
    """The fewest errors of so many rows that `card check` calls a broken promise."""
    doubt = 1 - target.sure
    return next(hits for hits in range(n + 1) if chance_of_at_least(hits, n, target.at_most) <= doubt)


def _line(good: Values, bad: Values, target: Target) -> float:
    return place_cutoff(good, bad, side="above", method="exact", targets=(target,)).value
