"""What no message may tell of a request over HTTP."""

import json
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from sensecheck.evals.sources.secrets import texts_in
from sensecheck.io.redaction import SHARED, spellings

JSON = "application/json"


def private_in(
    url: str,
    headers: Mapping[str, str],
    query: Mapping[str, str],
    content: str | None,
    brought: Iterable[str],
) -> frozenset[str]:
    """Whatever may be a key, in each way in which it may be spelled; `brought` is from the environment."""
    split = urlsplit(url)
    words = (word for value in headers.values() for word in value.split())
    named = (
        *headers.values(),
        *words,
        *query.values(),
        split.query,
        split.password or "",
        split.username or "",
    )
    long = (text for text in (*split.path.split("/"), *_texts(content)) if len(text) >= SHARED)
    secrets = (*(text for text in (*named, *brought) if len(text) > 3), *long)
    return frozenset(spelling for secret in secrets for spelling in spellings(secret)) - {JSON}


def _texts(content: str | None) -> list[str]:
    """The texts of a body; one that is no JSON is a text as a whole."""
    try:
        return list(texts_in(json.loads(content or "null")))
    except (ValueError, RecursionError):
        return [content or ""]
