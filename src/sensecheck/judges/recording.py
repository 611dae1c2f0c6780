"""A judge whose replies are recorded, so that a later run can do without it."""

import json
from collections.abc import Iterable, Sequence
from io import SEEK_END, FileIO
from pathlib import Path
from typing import Self

from sensecheck.core.encoder import Judge, Unanswered
from sensecheck.core.errors import AnswererError
from sensecheck.core.judging import replies_of
from sensecheck.core.needs import Prompt
from sensecheck.judges.around import Around
from sensecheck.judges.prompt_key import prompt_key
from sensecheck.judges.recorded import Recorded


class Recording(Around):
    """The same replies as the judge inside, added to a file that holds them word for word, but no prompt."""

    def __init__(self, inner: Judge, path: Path, held: Iterable[str] = ()) -> None:
        super().__init__(inner)
        self._path = path
        self._held = set(held)

    @classmethod
    def to_file(cls, inner: Judge, path: Path) -> Self:
        """Goes on with a recording of the same judge, or begins one."""
        if not path.exists():
            return cls(inner, path)
        before = Recorded.from_file(path)
        if before.replies and before.fingerprint != inner.fingerprint:
            raise AnswererError(
                f"`{path}` records the judge `{before.fingerprint}`, and this is `{inner.fingerprint}`; "
                "record to another file"
            )
        return cls(inner, path, before.replies)

    def ask(self, prompts: Sequence[Prompt]) -> Sequence[str | Unanswered]:
        """What the judge inside replies."""
        replies = replies_of(self._inner, prompts)
        said = zip((prompt_key(prompt).hex() for prompt in prompts), replies, strict=True)
        fresh = {key: reply for key, reply in said if key not in self._held and isinstance(reply, str)}
        if fresh:
            self._add(fresh)
            self._held.update(fresh)
        return replies

    def _add(self, fresh: dict[str, str]) -> None:
        """All lines in one write, which other processes that record to the same file do not tear."""
        lines = [
            json.dumps({"prompt": key, "reply": reply, "judge": self.fingerprint}) + "\n"
            for key, reply in fresh.items()
        ]
        try:
            with self._path.open("a+b", buffering=0) as file:
                content = (_gap(file) + "".join(lines)).encode()
                written = file.write(content)
        except OSError as wrong:
            raise AnswererError(f"`{self._path}` cannot be recorded to: {wrong.strerror}") from wrong
        if written != len(content):
            raise AnswererError(
                f"`{self._path}` cannot be recorded to: it took {written} of {len(content)} bytes; "
                "make room, and delete its last line, which is torn"
            )


def _gap(file: FileIO) -> str:
    """What ends the last line of a file, when nothing does: it was torn, or written by hand."""
    if not file.seek(0, SEEK_END):
        return ""
    file.seek(-1, SEEK_END)
    return "" if file.read(1) == b"\n" else "\n"
