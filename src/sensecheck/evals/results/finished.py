"""A run whose results are all there: what its manifest says, and how far one has come that has none yet."""

from dataclasses import dataclass

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import unknown
from sensecheck.evals.shards.manifest import Manifest
from sensecheck.evals.shards.place import Place
from sensecheck.evals.shards.places import place_of
from sensecheck.evals.shards.plan import RunPlan
from sensecheck.evals.shards.run_file import manifest_in, plan_in
from sensecheck.evals.tables.result_fields import checks_of

AGAIN = "run the same command again, and it goes on where it stopped"


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """Where the results lie, and the list of them."""

    place: Place
    manifest: Manifest

    @property
    def address(self) -> str:
        """As people wrote it, without secrets."""
        return self.place.address

    @property
    def plan(self) -> RunPlan:
        """What the run did."""
        return self.manifest.plan

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that were read, each a column."""
        return tuple(dict.fromkeys(self.plan.order.metrics))

    @property
    def checks(self) -> tuple[str, ...]:
        """The checks that decided, each a column of outcomes and one of values."""
        return tuple(check.name for check in checks_of(self.plan.order))

    def column(self, part: str) -> str | None:
        """The column of the results that holds a part of the input; None where it was not carried."""
        name = self.plan.order.columns.get(part, part)
        return name if name in self.plan.carried else None

    def must_carry(self, column: str) -> str:
        """The column, which must be one that the results have from the input."""
        if column not in self.plan.carried:
            raise SpecError(unknown(f"column that `{self.address}` carries", column, self.plan.carried))
        return column


def finished_run(address: str) -> FinishedRun:
    """The run at an address; one that is not finished is an error that says how far it has come."""
    place = place_of(address)
    manifest = manifest_in(place)
    if manifest is not None:
        return FinishedRun(place, manifest)
    if place.read("run.json") is None:
        raise SpecError(
            f"`{place.address}` holds no run; wanted a folder that `sensecheck eval … --out FOLDER` wrote"
        )
    raise SpecError(f"the run in `{place.address}` is not finished: {_so_far(place)}; {AGAIN}")


def _so_far(place: Place) -> str:
    pieces, routed = len(plan_in(place).pieces), len(place.names("routed"))
    if routed < pieces:
        return f"{routed:,} of {pieces:,} pieces of its inputs are routed"
    return f"{len(place.names('results')):,} files of results are there, and no manifest that lists them"
