"""Shares with their exact intervals, and how two ways of deciding differ on the same rows."""

from collections.abc import Sequence

from sensecheck.stats.binomial import clopper_pearson

Share = dict[str, float]


def share(hits: int, n: int) -> Share:
    """A share with its exact 95% interval."""
    low, high = clopper_pearson(hits, n)
    return {"share": round(hits / n, 4), "low": round(low, 4), "high": round(high, 4)}


def counted(hits: int, n: int) -> Share:
    """The same, with the number of rows it was counted on."""
    return {**share(hits, n), "n": n}


def difference(one: Sequence[bool], other: Sequence[bool]) -> Share:
    """One share of rows that are right minus another's; the interval is for so many rows that differ."""
    pairs = list(zip(one, other, strict=True))
    better, worse = pairs.count((True, False)), pairs.count((False, True))
    differ = better + worse
    low, high = clopper_pearson(better, differ) if differ else (0.5, 0.5)
    return {
        "right_only_here": better,
        "right_only_there": worse,
        "difference": round((better - worse) / len(pairs), 4),
        "low": round(differ / len(pairs) * (2 * low - 1), 4),
        "high": round(differ / len(pairs) * (2 * high - 1), 4),
    }
