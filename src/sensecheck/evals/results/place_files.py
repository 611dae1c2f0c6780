"""The results of a run in a store, as DuckDB reads files of others: through its place."""

from datetime import UTC, datetime
from typing import Any, BinaryIO

from fsspec.spec import AbstractFileSystem

from sensecheck.evals.results.finished import FinishedRun

_UNCHANGED = datetime(2000, 1, 1, tzinfo=UTC)
"""Results are never changed once they are there."""


class PlaceFiles(AbstractFileSystem):  # type: ignore[misc]
    """Only the files that the manifest lists are there."""

    cachable = False

    def __init__(self, run: FinishedRun, *, protocol: str) -> None:
        super().__init__()
        self.protocol = protocol
        self._place = run.place
        self._sizes = {one.name: one.size for one in run.manifest.entries}

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        """How long a file is."""
        name = self._name(path)
        return {"name": name, "size": self._sizes[name], "type": "file"}

    def glob(self, path: str, **_: Any) -> list[str]:
        """The file of this name: names hold no patterns."""
        return [path]

    def modified(self, _path: str) -> datetime:
        """Never."""
        return _UNCHANGED

    def _open(self, path: str, mode: str = "rb", **_: Any) -> BinaryIO:
        return self._place.open(self._name(path))

    def _name(self, path: str) -> str:
        return path.removeprefix(f"{self.protocol}://")
