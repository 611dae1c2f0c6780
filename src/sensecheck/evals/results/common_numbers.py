"""What two runs can be compared by: what both have read, by the same readers."""

from dataclasses import dataclass

from sensecheck.core.errors import SpecError
from sensecheck.evals.results.finished import FinishedRun
from sensecheck.evals.results.rows import name_in_sql
from sensecheck.measures.metrics import KNOWN

_ALL = ("encoder", "verifier", "judge", "precision")
_READERS = {
    "lexical": (),
    "facts": (),
    "semantic": ("encoder", "precision"),
    "combined": ("encoder", "precision"),
    "context": _ALL,
    "judged": ("judge",),
}
"""Who decides about the numbers of each kind of metric; about those of somebody's own, any."""


@dataclass(frozen=True, slots=True)
class CommonNumbers:
    """Metrics and checks of both runs, and those that only one has, or that others read."""

    names: tuple[str, ...]
    expressions: tuple[str, ...]
    """The number of each in SQL; of a check, whether it passed."""
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]

    @classmethod
    def of(cls, before: FinishedRun, after: FinishedRun) -> "CommonNumbers":
        """What is alike enough to be compared."""
        changed = {who for who in _ALL if before.plan.readers.get(who) != after.plan.readers.get(who)}
        old, new = _numbers(before), _numbers(after)
        both = [name for name in new if name in old and not changed & set(_readers(name))]
        if not both:
            raise SpecError(
                f"`{before.address}` and `{after.address}` have no metric and no check in common, by the "
                f"same readers: found {_list(old)} and {_list(new)}"
            )
        lone = [tuple(name for name in held if name not in both) for held in (old, new)]
        return cls(tuple(both), tuple(new[name] for name in both), *lone)


def _numbers(run: FinishedRun) -> dict[str, str]:
    metrics = {name: name_in_sql(name) for name in run.metrics}
    return metrics | {name: _passed(name) for name in run.checks}


def _passed(check: str) -> str:
    return f"CASE {name_in_sql(check)} WHEN 'pass' THEN 1.0::DOUBLE WHEN 'fail' THEN 0.0::DOUBLE END"


def _readers(name: str) -> tuple[str, ...]:
    return _READERS.get(KNOWN[name].kind, _ALL) if name in KNOWN else _ALL


def _list(names: dict[str, str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "none"
