"""The files that a battery names: read from its folder, and each remembered by its content."""

import glob
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from sensecheck.core.errors import BatteryError
from sensecheck.documents.node import Node
from sensecheck.documents.reading import MAX_FILE_BYTES, SCHEME, content_of, decoded, read_file


class Files:
    """Reads the files of a battery; an error names the place in the battery that names the file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._digests: dict[str, str] = {}
        self._looked_for: set[str] = set()

    def path(self, name: str) -> Path:
        """Where a file is whose name stands in the battery."""
        return self.folder / name.removeprefix(SCHEME)

    def matching(self, name: str, node: Node) -> list[Path]:
        """The file of this name, or all files that a pattern fits, in the order of their names."""
        path = self.path(name)
        if path.exists() or not glob.has_magic(str(path)):
            return [path]
        root = Path(path.anchor)
        paths = sorted(root.glob(str(path.relative_to(root))))
        if not paths:
            raise node.error(f"no file fits `{name}`; looked from `{self.folder}`")
        return paths

    def text(self, path: Path, node: Node) -> str:
        """The text of a file."""
        content = content_of(path, node)
        self._digests[self._name(path)] = hashlib.sha256(content).hexdigest()
        return decoded(content, path)

    def document(self, path: Path, node: Node) -> Node:
        """What a YAML or a JSON file holds."""
        return read_file(self.text(path, node), path)

    def lines(self, path: Path, node: Node) -> Iterator[str]:
        """The lines of a file with their ends, one by one; the file counts as met when all are read."""
        digest = hashlib.sha256()
        try:
            with path.open("rb") as file:
                number = 0
                while line := file.readline(MAX_FILE_BYTES + 1):
                    number += 1
                    if len(line) > MAX_FILE_BYTES:
                        raise BatteryError(
                            f"{path}:{number}:1: the line is longer than {MAX_FILE_BYTES:,} bytes"
                        )
                    digest.update(line)
                    yield decoded(line, path, number)
        except OSError as error:
            raise node.error(f"the file `{path}` cannot be read: {error.strerror or error}") from error
        self._digests[self._name(path)] = digest.hexdigest()

    def meet(self, name: str) -> None:
        """Remember a file that others read: a program, a schema; whether it is there is theirs to say."""
        if name in self._looked_for:
            return
        self._looked_for.add(name)
        path = self.path(name)
        if not path.is_file() and ":" in path.name:
            path = path.with_name(path.name.partition(":")[0])
        if path.is_file() and self._name(path) not in self._digests:
            with path.open("rb") as file:
                self._digests[self._name(path)] = hashlib.file_digest(file, "sha256").hexdigest()

    def digest(self) -> str:
        """Of all files met so far: another content of any of them gives another."""
        combined = hashlib.sha256()
        for name, content in sorted(self._digests.items()):
            combined.update(f"{name}\0{content}\0".encode("utf-8", "surrogateescape"))
        return combined.hexdigest()

    def _name(self, path: Path) -> str:
        """Seen from the battery, so that it is the same on every machine."""
        return Path(os.path.relpath(path, self.folder)).as_posix()
