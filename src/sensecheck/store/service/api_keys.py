"""API keys: created, found, verified and revoked, with the web origins that may use them.

A key is `sk_` for servers or `pk_` for pages, then its id, then its secret. Only the HMAC of the secret under
a pepper is stored: whoever reads the database alone can use no key.
"""

import hmac
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from ipaddress import ip_address
from pathlib import Path
from secrets import choice, token_hex, token_urlsafe
from string import ascii_lowercase, digits
from typing import Any, NamedTuple
from urllib.parse import SplitResult, urlsplit

from sqlalchemy import Connection, RowMapping, Select, select

from sensecheck.core.errors import SpecError
from sensecheck.io.objectstore import create_once
from sensecheck.io.sockets import is_loopback
from sensecheck.store.columns import in_utc, now, stored_name
from sensecheck.store.service.records import ApiKey, KeyKind
from sensecheck.store.service_tables import api_keys
from sensecheck.store.tables import projects

ID_LENGTH = 12
_PREFIXES: dict[KeyKind, str] = {"secret": "sk", "publishable": "pk"}
_KEY = re.compile(rf"(sk|pk)_([a-z0-9]{{{ID_LENGTH}}})_([A-Za-z0-9_-]{{43}})")
MAX_ORIGINS = 50
MAX_ORIGIN_CHARS = 300
"""Characters of an origin; the name of a host has 253 at most."""
WANTED = "`https://docs.example.com`, `https://*.example.com`, or `http://localhost:3000`"
_PORTS = {"https": 443, "http": 80}
_LABEL = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)")
MIN_PEPPER_CHARS = 16
"""Characters of a pepper."""
_OTHERS = 0o077
MAX_LIMIT = 2_000_000_000
"""Of any limit; the database could hold no more."""


@dataclass(frozen=True, slots=True)
class NewKey:
    """What is wanted of a key that is to be made; a limit of 0 is none."""

    project: int
    kind: KeyKind
    label: str
    scopes: frozenset[str]
    origins: tuple[str, ...] = ()
    policy: str = "default"
    review: bool = False
    per_minute: int = 600
    per_session_minute: int = 60
    per_address_minute: int = 120
    daily_budget: int = 0


def create(
    connection: Connection, wanted: NewKey, pepper: str, *, allowed: frozenset[str]
) -> tuple[ApiKey, str]:
    """A new key, and the whole of it as it is shown once; `allowed` are the scopes that its kind may have."""
    _check_new_key(wanted, allowed)
    if connection.execute(select(projects.c.key).where(projects.c.key == wanted.project)).first() is None:
        raise SpecError(f"there is no project {wanted.project}; make it before its keys")
    parts = new_parts(wanted.kind)
    row = {
        **asdict(wanted),
        "id": parts.id,
        "label": stored_name(wanted.label, "the label of a key"),
        "scopes": sorted(wanted.scopes),
        "origins": list(normalised_origins(wanted.origins)),
        "created_at": now(),
        "digest": digest_of(parts.secret, pepper),
    }
    connection.execute(api_keys.insert(), row)
    stored = connection.execute(_keys_query().where(api_keys.c.id == parts.id)).mappings().one()
    return _key_in(stored), written(parts)


def find(connection: Connection, key_id: str) -> ApiKey | None:
    """The key with this id, taken back or not; None where there is none."""
    row = connection.execute(_keys_query().where(api_keys.c.id == key_id)).mappings().one_or_none()
    return None if row is None else _key_in(row)


def each(connection: Connection, project: int | None = None) -> Iterator[ApiKey]:
    """All keys, or those of one project, oldest first."""
    query = _keys_query().order_by(api_keys.c.created_at, api_keys.c.id)
    if project is not None:
        query = query.where(api_keys.c.project == project)
    return map(_key_in, connection.execute(query).mappings())


def any_key(connection: Connection) -> bool:
    """Whether anybody has ever made a key; taken back or not, the service is then closed to strangers."""
    return connection.execute(select(api_keys.c.id).limit(1)).first() is not None


def revoke(connection: Connection, key_id: str) -> datetime | None:
    """Take a key back; since when it is, or None where there is no such key. Twice is as good as once."""
    unused = api_keys.c.revoked_at.is_(None)
    connection.execute(api_keys.update().where(api_keys.c.id == key_id, unused).values(revoked_at=now()))
    key = find(connection, key_id)
    return None if key is None else key.revoked_at


def verify(key: ApiKey, secret: str, pepper: str) -> bool:
    """Whether this is the secret of the key; takes as long for a near miss as for a wide one."""
    return hmac.compare_digest(key.digest, digest_of(secret, pepper))


class KeyParts(NamedTuple):
    """A key, taken apart."""

    kind: KeyKind
    id: str
    secret: str


def read_key(text: str) -> KeyParts | None:
    """What a client sent, taken apart; None for what is no key of ours."""
    match = _KEY.fullmatch(text)
    return match and KeyParts("secret" if match[1] == "sk" else "publishable", match[2], match[3])


def allows(origins: tuple[str, ...], origin: str) -> bool:
    """Whether one of these origins is, or covers, the one that a browser sent."""
    return any(_covers(allowed, origin) if "://*." in allowed else allowed == origin for allowed in origins)


def pepper_beside(database: Path) -> str:
    """The pepper in the file next to a database of SQLite; the first who asks makes it."""
    file = database.with_name(f"{database.name}.pepper")
    try:
        if not file.exists():
            # no one sees half of it, and of two who make it, one wins
            file.parent.mkdir(parents=True, exist_ok=True)
            create_once(file, f"{token_hex(32)}\n".encode(), mode=0o600)
        if os.name == "posix" and file.stat().st_mode & _OTHERS:
            raise SpecError(f"others may read `{file}`, which makes keys; run `chmod 600` on it")
        pepper = file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SpecError(f"`{file}`, which keys are stored under, cannot be used: {_reason(error)}") from None
    if len(pepper) < MIN_PEPPER_CHARS:
        raise SpecError(f"`{file}` must have at least {MIN_PEPPER_CHARS} characters; got {len(pepper)}")
    return pepper


def new_parts(kind: KeyKind) -> KeyParts:
    """A key that no one has; its secret is 32 random bytes."""
    letters = ascii_lowercase + digits
    return KeyParts(kind, "".join(choice(letters) for _ in range(ID_LENGTH)), token_urlsafe(32))


def written(parts: KeyParts) -> str:
    """The whole key, as it is shown once."""
    return f"{_PREFIXES[parts.kind]}_{parts.id}_{parts.secret}"


def normalised_origins(given: Sequence[str]) -> tuple[str, ...]:
    """These origins as browsers write them, each once, in the order in which they were given."""
    if len(given) > MAX_ORIGINS:
        raise SpecError(f"a key must have at most {MAX_ORIGINS} origins; got {len(given)}")
    return tuple(dict.fromkeys(normalised(origin) for origin in given))


def normalised(origin: str) -> str:
    """An origin as browsers write it: small letters, and no port where it is the usual one."""
    if len(origin) > MAX_ORIGIN_CHARS:
        raise _origin_error(origin)
    try:
        url = urlsplit(origin.strip())
        port = url.port
    except ValueError:  # a port that is no number, or an address that is none
        raise _origin_error(origin) from None
    host = url.hostname or ""
    if url.scheme not in _PORTS or url.path not in ("", "/") or _has_other_parts(url) or not _is_host(host):
        raise _origin_error(origin)
    if url.scheme == "http" and not is_loopback(host):
        raise SpecError(
            f"`{_printable(origin)}` is not encrypted; wanted `https`, except for this very machine"
        )
    url_host = f"[{host}]" if ":" in host else host
    return f"{url.scheme}://{url_host}{'' if port in (None, _PORTS[url.scheme]) else f':{port}'}"


def digest_of(secret: str, pepper: str) -> bytes:
    """What is stored of the secret part of a key: its HMAC with SHA-256."""
    if len(pepper) < MIN_PEPPER_CHARS:
        raise SpecError(f"a pepper must have at least {MIN_PEPPER_CHARS} characters; got {len(pepper)}")
    return hmac.digest(pepper.encode(), secret.encode("utf-8", "surrogatepass"), "sha256")


def _check_new_key(key: NewKey, allowed: frozenset[str]) -> None:
    disallowed = sorted(key.scopes - allowed)
    if disallowed:
        allowed_scopes = ", ".join(f"`{scope}`" for scope in sorted(allowed))
        raise SpecError(
            f"a {key.kind} key cannot have the scope `{disallowed[0]}`; wanted some of {allowed_scopes}"
        )
    if not key.scopes:
        raise SpecError("a key must have at least one scope; got none")
    if key.kind == "publishable" and not key.origins:
        raise SpecError("a publishable key must have at least one origin, such as `https://docs.example.com`")
    if key.kind == "secret" and key.origins:
        raise SpecError(
            "a secret key is for servers, and can have no origin; make a publishable one for pages"
        )
    for name in ("per_minute", "per_session_minute", "per_address_minute", "daily_budget"):
        if not 0 <= getattr(key, name) <= MAX_LIMIT:
            raise SpecError(
                f"`{name}` must be from 0, which sets no limit, to {MAX_LIMIT:,}; got {getattr(key, name)}"
            )


def _keys_query() -> Select[Any]:
    names = projects.c.name.label("project_name")
    return select(api_keys, names).join(projects, projects.c.key == api_keys.c.project)


def _key_in(row: RowMapping) -> ApiKey:
    revoked = row["revoked_at"]
    return ApiKey(
        **{
            **row,
            "scopes": frozenset(row["scopes"]),
            "origins": tuple(row["origins"]),
            "created_at": in_utc(row["created_at"]),
            "revoked_at": None if revoked is None else in_utc(revoked),
            "digest": bytes(row["digest"]),
        }
    )


def _covers(wide: str, origin: str) -> bool:
    """`https://*.example.com` covers every host below `example.com`, and not that one itself."""
    scheme, _, ending = wide.partition("*")
    name = origin.removeprefix(scheme).removesuffix(ending)
    return origin == f"{scheme}{name}{ending}" and all(_LABEL.fullmatch(label) for label in name.split("."))


def _reason(error: OSError | UnicodeDecodeError) -> str:
    return error.strerror or type(error).__name__ if isinstance(error, OSError) else "it is no plain text"


def _origin_error(origin: str) -> SpecError:
    return SpecError(f"`{_printable(origin)}` is no origin; wanted {WANTED}")


def _printable(origin: str) -> str:
    return ascii(origin[:60])[1:-1]


def _has_other_parts(url: SplitResult) -> bool:
    return bool(url.query or url.fragment or "@" in url.netloc or url.netloc.endswith(":"))


def _is_host(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        wide, labels = host.startswith("*."), host.removeprefix("*.").split(".")
        # `https://*.com` would be every shop there is.
        return all(_LABEL.fullmatch(label) for label in labels) and not (wide and len(labels) < 2)
    return True
