"""A judge whose replies were recorded: it says them again, and nothing else."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

from sensecheck.core.encoder import Unanswered
from sensecheck.core.errors import AnswererError
from sensecheck.core.needs import Prompt
from sensecheck.judges.prompt_key import prompt_key


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
            raise AnswererError(f"the recording `{path}` cannot be read: {missing.strerror}") from missing
        replies: dict[str, str] = {}
        judges: set[str] = set()
        for number, line in enumerate(content.splitlines(), 1):
            if line.strip():
                prompt, reply, judge = _line(line, f"line {number} of the recording `{path}`")
                replies.setdefault(prompt, reply)
                judges.add(judge)
        if len(judges) > 1:
            raise AnswererError(f"the recording `{path}` has replies of {len(judges)} judges; wanted one's")
        nameless = f"recorded:{hashlib.sha256(content).hexdigest()[:12]}"
        return cls(replies, "".join(judges) or nameless, path.name)

    def ask(self, prompts: Sequence[Prompt]) -> list[str | Unanswered]:
        """One reply a prompt, in order, or why there is none."""
        missing = Unanswered(f"the prompt is not in the recording `{self._name}`")
        return [self.replies.get(prompt_key(prompt).hex(), missing) for prompt in prompts]


def _line(line: bytes, where: str) -> tuple[str, str, str]:
    try:
        held = json.loads(line)
    except ValueError:
        held = None
    if isinstance(held, dict):
        found = held.get("prompt"), held.get("reply"), held.get("judge", "")
        if all(isinstance(part, str) for part in found) and held.keys() <= {"prompt", "reply", "judge"}:
            return found  # type: ignore[return-value]  # each part was looked at
    raise AnswererError(
        f'{where} is not `{{"prompt": DIGEST, "reply": TEXT, "judge": FINGERPRINT}}`; '
        "if it was torn while it was written, delete it"
    )
