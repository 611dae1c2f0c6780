"""Replies kept on disk by prompt, in one SQLite file that several processes may use at once."""

from pathlib import Path

from sensecheck.core.kept_file import Kept, KeptFile

REPLIES = Kept("replies", "judge", "cache of replies", "clear it with `sensecheck cache clear --all`")


class ReplyFile(KeptFile):
    """Replies by the judge's fingerprint and the prompt's digest.

    It holds what the judge said, word for word, which may repeat what it was asked; it never holds a prompt.
    """

    def __init__(self, path: Path, *, max_bytes: int) -> None:
        super().__init__(path, REPLIES, max_bytes=max_bytes)
