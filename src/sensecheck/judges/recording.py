"""Recorded replies of a judge: `Recording` writes them to a file, `Recorded` replays them, and nothing else.

So a later run can do without the judge.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from io import SEEK_END, FileIO
from pathlib import Path
from typing import Self

from sensecheck.core.backends import Judge, Unanswered
from sensecheck.core.errors import BackendError
from sensecheck.core.loading import replies_of
from sensecheck.core.needs import Prompt
from sensecheck.judges.cache import JudgeWrapper, prompt_key


class Recorded:
    """Replies by the prompt's digest, in the name of the judge that gave them."""

    def __init__(self, replies: Mapping[str, str], fingerprint: str, name: str) -> None:
        self.replies = replies
        self.fingerprint = fingerprint
        self._name = name

    @classmethod
    def from_file(cls, path: Path) -> Self:
        """From lines `{"prompt": DIGEST, "reply": TEXT, "judge": FINGERPRINT}`; the first reply counts."""
        try:
            content = path.read_bytes()
        except OSError as missing:
            raise BackendError(f"the recording `{path}` cannot be read: {missing.strerror}") from missing
        replies: dict[str, str] = {}
        judges: set[str] = set()
        for number, line in enumerate(content.splitlines(), 1):
            if line.strip():
                prompt, reply, judge = _parsed_line(line, f"line {number} of the recording `{path}`")
                replies.setdefault(prompt, reply)
                judges.add(judge)
        if len(judges) > 1:
            raise BackendError(f"the recording `{path}` has replies of {len(judges)} judges; wanted one's")
        nameless = f"recorded:{hashlib.sha256(content).hexdigest()[:12]}"
        return cls(replies, "".join(judges) or nameless, path.name)

    def ask(self, prompts: Sequence[Prompt]) -> list[str | Unanswered]:
        """One reply per prompt, in order, or why there is none."""
        missing = Unanswered(f"the prompt is not in the recording `{self._name}`")
        return [self.replies.get(prompt_key(prompt).hex(), missing) for prompt in prompts]


class Recording(JudgeWrapper):
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
            raise BackendError(
                f"`{path}` records the judge `{before.fingerprint}`, and this is `{inner.fingerprint}`; "
                "record to another file"
            )
        return cls(inner, path, before.replies)

    def ask(self, prompts: Sequence[Prompt]) -> Sequence[str | Unanswered]:
        """What the judge inside replies."""
        replies = replies_of(self._inner, prompts)
        keyed_replies = zip((prompt_key(prompt).hex() for prompt in prompts), replies, strict=True)
        fresh = {
            key: reply for key, reply in keyed_replies if key not in self._held and isinstance(reply, str)
        }
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
        except OSError as error:
            raise BackendError(f"`{self._path}` cannot be recorded to: {error.strerror}") from error
        if written != len(content):
            raise BackendError(
                f"`{self._path}` cannot be recorded to: it took {written} of {len(content)} bytes; "
                "make room, and delete its last line, which is torn"
            )


def _parsed_line(line: bytes, where: str) -> tuple[str, str, str]:
    try:
        record = json.loads(line)
    except ValueError:
        record = None
    if isinstance(record, dict):
        fields = record.get("prompt"), record.get("reply"), record.get("judge", "")
        if all(isinstance(part, str) for part in fields) and record.keys() <= {"prompt", "reply", "judge"}:
            return fields  # type: ignore[return-value]  # each part was looked at
    raise BackendError(
        f'{where} is not `{{"prompt": DIGEST, "reply": TEXT, "judge": FINGERPRINT}}`; '
        "if it was torn while it was written, delete it"
    )


def _gap(file: FileIO) -> str:
    """What ends the last line of a file, when nothing does: it was torn, or written by hand."""
    if not file.seek(0, SEEK_END):
        return ""
    file.seek(-1, SEEK_END)
    return "" if file.read(1) == b"\n" else "\n"
