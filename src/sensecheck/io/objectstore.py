"""Files and objects that only the first writer creates, on a disk or in an object store.

They appear complete or not at all, and are never overwritten. The libraries of object stores raise errors of
their own, which are no `OSError`: `store_errors` collects them.
"""

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from sensecheck.io.retry import RetryPolicy, run_with_retries

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

RETRIES = RetryPolicy(first_pause=0.2, max_pause=0.2, attempts=5)
"""Where two put an object at the same time, and a store took neither."""
ONE_STEP = {"s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "memory"}
"""Stores whose `create` is one step of their own; elsewhere fsspec looks first and writes then."""
_ROOT_ERRORS = (
    ("botocore.exceptions", "BotoCoreError"),  # no credentials, an endpoint that is away
    ("botocore.exceptions", "ClientError"),
    ("aiohttp.client_exceptions", "ClientError"),
    ("gcsfs.retry", "HttpError"),
    ("google.auth.exceptions", "GoogleAuthError"),
    ("azure.core.exceptions", "AzureError"),
)
"""The module and the name of the error from which a library derives its others."""


def create_once(path: Path, content: bytes, *, mode: int = 0o666) -> bool:
    """Create a file of this machine; False where there is one of the name, which then stays as it is."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{uuid4().hex}.part")
    try:
        with open(temporary, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        return link_once(temporary, path)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def link_once(written: Path, path: Path) -> bool:
    """Give a finished file of the same disk its name; False where another has it."""
    try:
        path.hardlink_to(written)
    except FileExistsError:
        return False
    return True


def put_once(store: "AbstractFileSystem", path: str, content: bytes | Path) -> bool:
    """Create an object, of bytes or a file's, if there is none; False if it exists already."""

    def put() -> bool:
        try:
            if isinstance(content, Path):
                store.put_file(str(content), path, mode="create")
            else:
                store.pipe_file(path, content, mode="create")
        except FileExistsError:
            return False
        except OSError:  # stores say "precondition failed" and "conflict" in words of their own
            if _is_there(store, path):
                return False
            raise
        return True

    return run_with_retries(RETRIES, put, errors=OSError)


def knows_conditions(store: "AbstractFileSystem", path: str) -> bool:
    """Whether a store refuses a name that is taken; tried out, since some ignore what they are told."""
    protocols = (store.protocol,) if isinstance(store.protocol, str) else store.protocol
    if ONE_STEP.isdisjoint(protocols):
        return False
    try:
        for _ in range(2):
            store.pipe_file(path, b"", mode="create")
    except FileExistsError:
        return True
    except (FileNotFoundError, PermissionError):  # no bucket, or not for us
        raise
    except OSError:  # "precondition failed", or that it knows no conditions
        return _is_there(store, path)
    return False


def store_errors() -> tuple[type[Exception], ...]:
    """`OSError`, what a store cannot do, and errors of the libraries that are loaded: for an `except`."""
    errors = (getattr(sys.modules.get(module), name, None) for module, name in _ROOT_ERRORS)
    return (OSError, NotImplementedError, *(error for error in errors if error is not None))


def _is_there(store: "AbstractFileSystem", path: str) -> bool:
    store.invalidate_cache()  # of what was listed before
    return bool(store.exists(path))
