"""What the libraries of object stores raise: each has errors of its own, which are no `OSError`."""

import sys

_ROOTS = (
    ("botocore.exceptions", "BotoCoreError"),  # no credentials, an endpoint that is away
    ("botocore.exceptions", "ClientError"),
    ("aiohttp.client_exceptions", "ClientError"),
    ("gcsfs.retry", "HttpError"),
    ("google.auth.exceptions", "GoogleAuthError"),
    ("azure.core.exceptions", "AzureError"),
)


def store_errors() -> tuple[type[Exception], ...]:
    """`OSError`, what a store cannot do, and errors of the libraries that are loaded: for an `except`."""
    found = (getattr(sys.modules.get(module), name, None) for module, name in _ROOTS)
    return (OSError, NotImplementedError, *(error for error in found if error is not None))
