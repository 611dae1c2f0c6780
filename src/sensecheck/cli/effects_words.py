"""What guards did, in words; where chance could have done it, or too few were looked at, that is said."""

from sensecheck.retrieval.effects.by_position import FEWEST_ITEMS, PositionTrend
from sensecheck.retrieval.effects.effects import Effects
from sensecheck.stats.risk_coverage import FEWEST_GROUPS, PairedDifference


def percent(share: float | None) -> str:
    """`37.5%`; nothing is a dash, and only what is whole is `100%`."""
    if share is None:
        return "–"
    if share in (0.0, 1.0):
        return f"{share:.0%}"
    return f"{min(max(share, 0.001), 0.999):.1%}"


def both(before: str, after: str) -> str:
    """Before the guards, and after them."""
    return f"{before} > {after}"


def no_items_in_words(effects: Effects) -> str:
    """Why nothing is told item by item."""
    one = "there is one item" if len(effects.items) == 1 else "every item has one query"
    return f"{one}, so nothing is told item by item, or of early and late ones"


def difference_in_words(paired: PairedDifference) -> str:
    """The difference in AURC with its interval, and what may be said of it."""
    told = f"AURC {paired.difference:+.3f} with guards ({_interval(paired)}{_chance(paired.p_value)})"
    said = {
        "below": "better with guards, by more than chance easily brings",
        "above": "worse with guards, by more than chance easily brings",
        "chance": "this could be chance",
        "few": _too_few(paired.groups, "group", FEWEST_GROUPS),
    }
    return f"{told}: {said[paired.claim]}"


def trend_in_words(effects: Effects) -> str:
    """Whether budgets had more room for early items or for late ones."""
    if not effects.overall.budgets:
        return "no stage of the chain has a budget"
    if effects.trend is None:
        nothing = effects.overall.dropped_by_budget == 0
        return "budgets dropped nothing" if nothing else "too little differs to speak of a trend"
    return _trend(effects.trend)


def _trend(trend: PositionTrend) -> str:
    told = f"correlation of position with the share that fitted {trend.correlation:+.3f}"
    said = {
        "below": "more fitted for early items than another order would easily bring",
        "above": "more fitted for late items than another order would easily bring",
        "chance": "this could be chance",
        "few": _too_few(trend.items, "item", FEWEST_ITEMS),
    }
    return f"{told} ({_chance(trend.p_value)}): {said[trend.claim]}"


def _interval(paired: PairedDifference) -> str:
    if paired.interval is None:
        return "no interval, "
    return f"{paired.confidence:.0%} interval {paired.interval.low:+.3f} to {paired.interval.high:+.3f}, "


def _chance(p_value: float) -> str:
    return "p < 0.001" if p_value < 0.001 else f"p = {p_value:.3f}"


def _too_few(found: int, what: str, wanted: int) -> str:
    return f"too few to conclude anything from: {found:,} {what}{'s' * (found != 1)}, wanted {wanted}"
