"""What guards did, in words; nothing is claimed that could be chance."""

from sensecheck.retrieval.effects.by_position import PositionTrend
from sensecheck.retrieval.effects.effects import Effects
from sensecheck.retrieval.effects.paired import Interval, PairedDifference


def percent(share: float | None) -> str:
    """`37.5%`; nothing is a dash, and only what is whole is `100%`."""
    if share is None:
        return "-"
    if share in (0.0, 1.0):
        return f"{share:.0%}"
    return f"{min(max(share, 0.001), 0.999):.1%}"


def difference_in_words(paired: PairedDifference) -> str:
    """The difference in AURC with its interval, and what may be said of it."""
    told = f"AURC {paired.difference:+.3f} with guards"
    if paired.interval is None:
        return f"{told}; of one group alone there is no interval"
    sides = ("the guards made it better", "the guards made it worse")
    return f"{told} ({_interval(paired.interval, paired.confidence)}): {_side(paired.interval, *sides)}"


def trend_in_words(effects: Effects) -> str:
    """Whether budgets favour early items."""
    if not effects.overall.budgets:
        return "no stage of the chain has a budget"
    if effects.trend is None:
        nothing = effects.overall.dropped_by_budget == 0
        return "budgets dropped nothing" if nothing else "too little differs to speak of a trend"
    return _trend(effects.trend)


def _trend(trend: PositionTrend) -> str:
    sides = ("early items are favoured", "late items are favoured")
    told = f"correlation of position with the share that fitted {trend.correlation:+.3f}"
    return f"{told} ({_interval(trend.interval, trend.confidence)}): {_side(trend.interval, *sides)}"


def _interval(interval: Interval, confidence: float) -> str:
    return f"{confidence:.0%} interval {interval.low:+.3f} to {interval.high:+.3f}"


def _side(interval: Interval, below: str, over: str) -> str:
    if interval.high < 0:
        return below
    return over if interval.low > 0 else "this could be chance"
