"""How well a number tells unsupported answers from supported ones, with intervals over whole groups."""

import hashlib
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Texts = npt.NDArray[np.str_]
Figure = dict[str, float]
DRAWS = 1000
SEED = 3
"""Of the draws of groups."""


def auroc(values: Numbers, bad: Mask, weights: Numbers | None = None) -> float:
    """The chance that an unsupported answer reads higher than a supported one; ties count half."""
    _, tie = np.unique(values, return_inverse=True)
    return _auroc(tie, bad, np.ones(len(values)) if weights is None else weights)


def ranked(values: Numbers, bad: Mask, groups: Texts) -> Figure:
    """The AUROC with its 95% interval: groups are drawn with replacement, again and again."""
    _, tie = np.unique(values, return_inverse=True)
    return interval(groups, lambda weights: _auroc(tie, bad, weights))


def interval(groups: Texts, figure: Callable[[Numbers], float]) -> Figure:
    """A figure of weighted rows, and where it lies in 95 of 100 draws of whole groups."""
    names, home = np.unique(groups, return_inverse=True)
    chance = np.random.default_rng(SEED)
    drawn = [figure(_drawn(chance, len(names))[home]) for _ in range(DRAWS)]
    low, high = np.nanquantile(drawn, (0.025, 0.975))
    value = figure(np.ones(len(groups)))
    return {"value": round(value, 4), "low": round(float(low), 4), "high": round(float(high), 4)}


def f1(said: Mask, bad: Mask, weights: Numbers | None = None) -> float:
    """How well unsupported answers are detected: the harmonic mean of precision and recall."""
    mine = np.ones(len(bad)) if weights is None else weights
    hits = float(mine[said & bad].sum())
    alarms = float(mine[said].sum() + mine[bad].sum())
    return 2 * hits / alarms if alarms else 0.0


def balanced(said: Mask, bad: Mask, weights: Numbers | None = None) -> float:
    """The mean of the shares of both labels that are told right; nan where one of them is not there."""
    mine = np.ones(len(bad)) if weights is None else weights
    shares = [mine[said & bad].sum() / (mine[bad].sum() or np.nan)]
    shares.append(mine[~said & ~bad].sum() / (mine[~bad].sum() or np.nan))
    return float(np.mean(shares))


Quality = Callable[[Mask, Mask], float]


def best_line(values: Numbers, bad: Mask, quality: Quality) -> float:
    """The line above which calling answers unsupported is best on these rows: midway to the next value.

    Without any row nothing is called unsupported.
    """
    if not len(values):
        return float("inf")
    steps = np.unique(values)
    if len(steps) > 400:  # more lines than that are no better than these
        steps = np.unique(np.quantile(steps, np.linspace(0, 1, 400), method="nearest"))
    lines = np.concatenate([[steps[0] - 1], (steps[:-1] + steps[1:]) / 2, [steps[-1]]])
    return float(lines[int(np.argmax([quality(values > line, bad) for line in lines]))])


def cross_fitted(values: Numbers, bad: Mask, parts: npt.NDArray[np.intp], quality: Quality) -> Mask:
    """What is called unsupported, part by part, by the line that is best on all other parts."""
    said = np.zeros(len(bad), bool)
    for part in np.unique(parts):
        mine = parts == part
        said[mine] = values[mine] > best_line(values[~mine], bad[~mine], quality)
    return said


def parts_of(groups: Texts, count: int) -> npt.NDArray[np.intp]:
    """The part of each row: all rows of a group are in one, by the hash of its name."""
    return np.array([_number(str(group)) % count for group in groups], np.intp)


def figures_of(said: Mask, bad: Mask, groups: Texts) -> dict[str, Figure]:
    """F1 and balanced accuracy with their intervals."""
    return {
        "f1": interval(groups, lambda weights: f1(said, bad, weights)),
        "bacc": interval(groups, lambda weights: balanced(said, bad, weights)),
    }


def _auroc(tie: npt.NDArray[np.intp], bad: Mask, weights: Numbers) -> float:
    high = np.bincount(tie, weights * bad, tie.max() + 1)
    low = np.bincount(tie, weights * ~bad, tie.max() + 1)
    pairs = high.sum() * low.sum()
    below = np.cumsum(low) - low / 2
    return float((high * below).sum() / pairs) if pairs else float("nan")


def _drawn(chance: np.random.Generator, count: int) -> Numbers:
    return np.bincount(chance.integers(count, size=count), minlength=count).astype(float)


def _number(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest())
