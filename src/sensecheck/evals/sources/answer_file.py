"""Answers kept on disk by question, in one SQLite file that several processes may use at once."""

from pathlib import Path

from sensecheck.core.kept_file import Kept, KeptFile

ANSWERS = Kept("answers", "source", "file of kept answers", "delete it")
LARGEST = 2_000_000_000
"""Bytes; from there on, those not used for longest are let go."""


class AnswerFile(KeptFile):
    """Answers by the source's fingerprint and the question's digest; it never holds a question."""

    def __init__(self, path: Path, *, max_bytes: int = LARGEST) -> None:
        super().__init__(path, ANSWERS, max_bytes=max_bytes)
