"""Keys as people hold them: `sk_` for servers, `pk_` for pages, then the id, then the secret."""

import re
from secrets import choice, token_urlsafe
from string import ascii_lowercase, digits
from typing import NamedTuple

from sensecheck.store.service.records import Kind

ID_LENGTH = 12
_PREFIXES: dict[Kind, str] = {"secret": "sk", "publishable": "pk"}
_KEY = re.compile(rf"(sk|pk)_([a-z0-9]{{{ID_LENGTH}}})_([A-Za-z0-9_-]{{43}})")


class KeyParts(NamedTuple):
    """A key, taken apart."""

    kind: Kind
    id: str
    secret: str


def new_parts(kind: Kind) -> KeyParts:
    """A key that nobody has; its secret is 32 random bytes."""
    letters = ascii_lowercase + digits
    return KeyParts(kind, "".join(choice(letters) for _ in range(ID_LENGTH)), token_urlsafe(32))


def written(parts: KeyParts) -> str:
    """The whole key, as it is shown once."""
    return f"{_PREFIXES[parts.kind]}_{parts.id}_{parts.secret}"


def read_key(text: str) -> KeyParts | None:
    """What a client sent, taken apart; None for what is no key of ours."""
    found = _KEY.fullmatch(text)
    return found and KeyParts("secret" if found[1] == "sk" else "publishable", found[2], found[3])
