"""The secret that keys are stored under: who reads the database alone can use none of them."""

import hmac
import os
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from sensecheck.core.errors import SpecError
from sensecheck.store.service.records import ApiKey

SHORTEST = 16
"""Characters of a pepper."""
_OTHERS = 0o077


def digest_of(secret: str, pepper: str) -> bytes:
    """What is kept of the secret part of a key: its HMAC with SHA-256."""
    if len(pepper) < SHORTEST:
        raise SpecError(f"a pepper wants at least {SHORTEST} characters; found {len(pepper)}")
    return hmac.digest(pepper.encode(), secret.encode("utf-8", "surrogatepass"), "sha256")


def verify(key: ApiKey, secret: str, pepper: str) -> bool:
    """Whether this is the secret of the key; takes as long for a near miss as for a wide one."""
    return hmac.compare_digest(key.digest, digest_of(secret, pepper))


def pepper_beside(database: Path) -> str:
    """The pepper in the file beside a database of SQLite; the first who asks makes it."""
    file = database.with_name(f"{database.name}.pepper")
    try:
        if not file.exists():
            _make(file)
        if os.name == "posix" and file.stat().st_mode & _OTHERS:
            raise SpecError(f"others may read `{file}`, which makes keys; run `chmod 600` on it")
        pepper = file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as wrong:
        raise SpecError(f"`{file}`, which keys are stored under, cannot be used: {_reason(wrong)}") from None
    if len(pepper) < SHORTEST:
        raise SpecError(f"`{file}` wants at least {SHORTEST} characters; found {len(pepper)}")
    return pepper


def _make(file: Path) -> None:
    """Written beside its place and linked there: nobody sees half of it, and of two who make it, one wins."""
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_name(f".{file.name}.{token_hex(4)}")
    try:
        beside.touch(mode=0o600, exist_ok=False)
        with beside.open("wb") as opened:
            opened.write(f"{token_hex(32)}\n".encode())
            opened.flush()
            os.fsync(opened.fileno())
        with suppress(FileExistsError):  # somebody else was quicker, and theirs is as good
            os.link(beside, file)
    finally:
        beside.unlink(missing_ok=True)


def _reason(wrong: OSError | UnicodeDecodeError) -> str:
    return wrong.strerror or type(wrong).__name__ if isinstance(wrong, OSError) else "it is no plain text"
