"""What has changed from one run to the next, and whether it is more than chance."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import to_data
from sensecheck.evals.compare.change import Change, Kind, kind_of, most_moved
from sensecheck.evals.compare.pairing import Brief, Pair, Pairing, pair_runs
from sensecheck.evals.compare.shift import Shift, shift_of
from sensecheck.evals.run_file import RunFile


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs held against each other."""

    before: str
    after: str
    alpha: float
    """A difference with a smaller p is taken for more than chance; intervals hold with 1 - alpha."""
    notes: tuple[str, ...]
    compared: int
    """Tests that both runs judged; several prompts and sources of one test count by themselves here."""
    passes: Shift | None
    """None when no test was judged in both runs."""
    scores: Shift | None
    regressions: tuple[Change, ...]
    """Passed before; now judged, and no longer a pass."""
    fixes: tuple[Change, ...]
    """Did not pass before; passes now."""
    other: tuple[Change, ...]
    """From one outcome that is no pass to another."""
    to_error: tuple[Change, ...]
    from_error: tuple[Change, ...]
    moved: tuple[Change, ...]
    """The same outcome, but another score: those that changed most."""
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]
    errors: int
    """Tests of the new run that could not be judged, or are missing since it was interrupted."""

    @property
    def regressed(self) -> bool:
        """Whether any test that passed before no longer does."""
        return bool(self.regressions)

    @property
    def significantly_worse(self) -> bool:
        """Whether the pass rate fell by more than chance."""
        return self.passes is not None and self.passes.difference.value < 0 and self.passes.p < self.alpha

    def to_data(self) -> dict[str, Any]:
        """The comparison as plain data, ready for JSON."""
        return to_data(self)


def compare_runs(before: RunFile, after: RunFile, *, alpha: float = 0.05) -> Comparison:
    """Hold a run against an earlier one, test by test."""
    if not 0 < alpha < 1:
        raise SpecError(f"`alpha` wants a number between 0 and 1; found {alpha}")
    return _compared(pair_runs(before, after), before.path.name, after.path.name, alpha)


def _compared(pairing: Pairing, before: str, after: str, alpha: float) -> Comparison:
    kinds: dict[Kind, list[Change]] = {}
    for pair in pairing.pairs:
        kinds.setdefault(kind_of(pair.before.outcome, pair.after.outcome), []).append(Change.of(pair))
    judged = [pair for pair in pairing.pairs if "error" not in (pair.before.outcome, pair.after.outcome)]

    def of(kind: Kind) -> tuple[Change, ...]:
        return tuple(kinds.get(kind, ()))

    return Comparison(
        before,
        after,
        alpha,
        pairing.notes,
        len(judged),
        shift_of([(pair.after.key, *_passed(pair)) for pair in judged], alpha=alpha, rates=True),
        shift_of(
            [(pair.after.key, *scores) for pair in judged if (scores := _scores(pair))],
            alpha=alpha,
            rates=False,
        ),
        of("regression"),
        of("fix"),
        of("other"),
        of("to error"),
        of("from error"),
        most_moved(of("same")),
        _titles(pairing.only_before),
        _titles(pairing.only_after),
        pairing.errors,
    )


def _passed(pair: Pair) -> tuple[float, float]:
    return float(pair.before.outcome == "pass"), float(pair.after.outcome == "pass")


def _scores(pair: Pair) -> tuple[float, float] | None:
    old, new = pair.before.score, pair.after.score
    return None if old is None or new is None else (old, new)


def _titles(briefs: Iterable[Brief]) -> tuple[str, ...]:
    return tuple(brief.title for brief in briefs)
