"""Authentication: who may use the service, by an API key or without one."""

import hmac
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from hmac import compare_digest
from time import monotonic

from starlette.requests import Request

from sensecheck.io.sockets import is_loopback
from sensecheck.server.caller import (
    PUBLISHABLE_SCOPES,
    SECRET_SCOPES,
    Caller,
    Proxies,
    Scope,
    comes_from_here,
    counted_as,
    host_of,
)
from sensecheck.server.database import AsyncStore, LookupCache
from sensecheck.server.middleware.request import VISIT
from sensecheck.server.problems import LIMITED, NO_KEY, NO_SUCH_ORIGIN, NOT_ALLOWED, UNKNOWN_KEY, Problem
from sensecheck.server.rate_limits import Bucket, LocalBuckets
from sensecheck.store.service.api_keys import KeyParts, allows, find, read_key, verify
from sensecheck.store.service.records import ApiKey
from sensecheck.store.service.store import ServiceStore

SECONDS_GOOD = 30.0
"""So long after it was taken back, a key may still be answered."""
SECONDS_UNKNOWN = 5.0
STRANGERS = 120
"""As many keys that nobody knows may be tried from one address in a minute."""
LOCAL = "local"
ANONYMOUS = "anonymous"
PROJECT = "default"


@dataclass(frozen=True, slots=True)
class Admits:
    """A dependency of a route: lets in who has this scope, and passes the caller to the route."""

    scope: Scope | None = None
    """None for whoever may ask for anything at all."""

    async def __call__(self, request: Request) -> Caller:
        """The caller; who was let in once is not asked again."""
        caller = getattr(request.state, "caller", None)
        if not isinstance(caller, Caller):
            caller = await request.app.state.parts.authenticator.admit(request, self.scope)
            request.state.caller = caller
        return caller


class Authenticator:
    """Lets callers in."""

    def __init__(
        self,
        keys: LookupCache[str, ApiKey],
        pepper: str,
        *,
        proxies: Proxies | None = None,
        local: ApiKey | None = None,
        anonymous: ApiKey | None = None,
    ) -> None:
        self._keys = keys
        self._pepper = pepper
        self._proxies = proxies or Proxies()
        self._local = local
        """Who this machine's own user is; None where other machines can reach the service."""
        self._anonymous = anonymous
        """Who a stranger without a key is; None where strangers are not answered."""
        self._tried = LocalBuckets(10_000)

    @property
    def wants_key(self) -> bool:
        """Whether nobody is answered without a key."""
        return self._local is None and self._anonymous is None

    async def admit(self, request: Request, scope: Scope | None) -> Caller:
        """Who asks, if they may; else the problem that says why not."""
        origin, address = request.headers.get("origin"), self.address(request)
        caller = Caller(await self._find_caller_key(request, origin, address), address, origin)
        _note_key(caller.key, origin)
        if scope is not None and scope not in caller.key.scopes:
            raise Problem(NOT_ALLOWED, f"the key does not have the scope `{scope}`")
        return caller

    async def typed_key(self, text: str, address: str) -> ApiKey:
        """The secret key that was typed into a page of the service."""
        parts = read_key(text.strip())
        if parts is None or parts.kind != "secret":
            raise Problem(UNKNOWN_KEY, "this is no secret key; secret keys look like `sk_…`")
        return await self._verified(parts, address)

    def session_of(self, key: ApiKey, until: int) -> str:
        """What stands for a key in a cookie, until this second; without the pepper no one can make one."""
        return f"{key.id}.{until}.{self._signature(key.id, until)}"

    async def key_in_session(self, session: str, now: int) -> ApiKey:
        """The key that a session stands for, if neither has ended."""
        key_id, _, rest = session.partition(".")
        until, _, signature = rest.partition(".")
        is_well_formed = until.isascii() and until.isdigit() and len(until) < 16
        if not is_well_formed or not compare_digest(signature, self._signature(key_id, int(until))):
            raise Problem(NO_KEY, "sign in with a key of the service")
        key = await self._keys.find(key_id) if int(until) > now else None
        if key is not None:
            _note_key(key)
        if key is None or key.revoked_at is not None:
            raise Problem(NO_KEY, "the session has ended; sign in again")
        return key

    def _signature(self, key_id: str, until: int) -> str:
        return hmac.digest(self._pepper.encode(), f"session {key_id} {until}".encode(), "sha256").hex()

    def address(self, request: Request) -> str:
        """Where a request came from."""
        peer = request.client.host if request.client else None
        return self._proxies.client(peer, request.headers.getlist("x-forwarded-for"))

    async def _find_caller_key(self, request: Request, origin: str | None, address: str) -> ApiKey:
        header = request.headers.get("authorization")
        if header is None:
            return self._without_key(request, origin)
        key = await self._verified(_parts_of(header), address)
        _require_origin(key, origin)
        return key

    async def _verified(self, parts: KeyParts, address: str) -> ApiKey:
        if not self._keys.remembers(parts.id) and (wait := self._tried.levels(_tries(address))[0].wait):
            raise Problem(LIMITED, "too many unknown keys came from this address", retry_after=wait)
        key = await self._keys.find(parts.id)
        if key is None or key.kind != parts.kind or not verify(key, parts.secret, self._pepper):
            self._tried.take(_tries(address))
            raise Problem(UNKNOWN_KEY, "the key is not known; it may have been mistyped")
        _note_key(key)
        if key.revoked_at is not None:
            raise Problem(UNKNOWN_KEY, "the key was taken back")
        return key

    def _without_key(self, request: Request, origin: str | None) -> ApiKey:
        if self._local is not None and comes_from_here(request, self._proxies):
            if origin is None or is_loopback(host_of(origin)):
                return self._local
            raise Problem(NO_SUCH_ORIGIN, "without a key, only pages of this very machine are answered")
        if self._anonymous is not None:
            return self._anonymous
        raise Problem(NO_KEY, "send the header `Authorization: Bearer KEY`")


def known_keys(database: AsyncStore, *, clock: Callable[[], float] = monotonic) -> LookupCache[str, ApiKey]:
    """What finds keys by their ids, in this database."""
    return LookupCache(database, _find_key, good=SECONDS_GOOD, missing=SECONDS_UNKNOWN, clock=clock)


def local_key(project: int) -> ApiKey:
    """The user of the machine that the service runs on: they may do everything, and nobody counts."""
    return _keyless(LOCAL, project, secret=True, per_minute=0, per_address_minute=0)


def anonymous_key(project: int, *, per_address_minute: int = 30) -> ApiKey:
    """A stranger: sees what a page may see, and so much from each address."""
    return _keyless(ANONYMOUS, project, secret=False, per_minute=0, per_address_minute=per_address_minute)


def _find_key(store: ServiceStore, key_id: str) -> ApiKey | None:
    with store.engine.connect() as connection:
        return find(connection, key_id)


def _note_key(key: ApiKey, origin: str | None = None) -> None:
    """Log its id, also where it is refused after all: only its holder can have sent it."""
    if (visit := VISIT.get()) is not None:
        visit.key, visit.origin = key.id, origin


def _parts_of(header: str) -> KeyParts:
    scheme, _, text = header.partition(" ")
    if scheme.lower() != "bearer":
        raise Problem(UNKNOWN_KEY, "the header `Authorization` must be `Bearer`, a space, and a key")
    parts = read_key(text.strip())
    if parts is None:
        raise Problem(UNKNOWN_KEY, "what follows `Bearer` is no key; keys look like `sk_…` or `pk_…`")
    return parts


def _require_origin(key: ApiKey, origin: str | None) -> None:
    if key.kind == "secret" and origin is not None:
        raise Problem(
            NOT_ALLOWED, "a secret key was used from a page, where anyone can read it; make a publishable one"
        )
    if key.kind == "publishable" and origin is None:
        raise Problem(
            NO_SUCH_ORIGIN, "a publishable key is for pages, which say their `Origin`; none was sent"
        )
    if key.kind == "publishable" and not allows(key.origins, origin or ""):
        raise Problem(NO_SUCH_ORIGIN, "the key does not name the page that it was used from")


def _tries(address: str) -> tuple[Bucket]:
    return (Bucket("strangers", counted_as(address), STRANGERS, 60.0),)


def _keyless(name: str, project: int, *, secret: bool, per_minute: int, per_address_minute: int) -> ApiKey:
    return ApiKey(
        id=name,
        project=project,
        project_name=PROJECT,
        kind="secret" if secret else "publishable",
        label=name,
        scopes=frozenset[str](SECRET_SCOPES if secret else PUBLISHABLE_SCOPES),
        origins=(),
        policy="default",
        review=False,
        per_minute=per_minute,
        per_session_minute=0,
        per_address_minute=per_address_minute,
        daily_budget=0,
        created_at=datetime.fromtimestamp(0, UTC),
    )
