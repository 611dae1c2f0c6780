"""Lists whose closeness rises: retrievers give the closest first, so these may be distances."""

from dataclasses import dataclass

from sensecheck.cli.guard_rows import Row
from sensecheck.retrieval.scales import Scale

FEWEST = 3
"""References of a list whose order says something."""
NEARLY_ALL = 0.9


@dataclass(slots=True)
class Rising:
    """Counts as rows come, in the order of the file."""

    lists: int = 0
    rising: int = 0

    def count(self, row: Row) -> None:
        """One more row; what is measured here, or too short, says nothing."""
        if not row.measured or len(row.matches) < FEWEST:
            return
        given = [match.closeness for match in row.matches]
        self.lists += 1
        self.rising += given == sorted(given) and given[0] < given[-1]

    def doubt(self, scale: Scale | None) -> str | None:
        """What is to be asked, if nearly all lists rise."""
        if not self.lists or self.rising < NEARLY_ALL * self.lists:
            return None
        found = f"the closest come last in {self.rising:,} of {self.lists:,} queries: "
        if scale is not None:
            return f"{found}is `{scale}` what the store gives?"
        return f"{found}are these distances? give them as `score` with `--scale cosine-distance`"
