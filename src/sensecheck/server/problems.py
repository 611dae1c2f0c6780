"""What went wrong, as RFC 9457 lays it out; no problem ever repeats what a client sent."""

from dataclasses import dataclass
from math import ceil
from typing import Any

from sensecheck.core.errors import SensecheckError

PREFIX = "urn:sensecheck:problem:"
MEDIA_TYPE = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of problem: its name never changes, so that programs can tell it by that."""

    name: str
    status: int
    title: str

    @property
    def type(self) -> str:
        """Its name as a URI."""
        return PREFIX + self.name


class Problem(SensecheckError):
    """A request that is answered with a problem."""

    def __init__(
        self, kind: Kind, detail: str, *, retry_after: float | None = None, more: dict[str, Any] | None = None
    ) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail
        """In our own words alone."""
        self.retry_after = retry_after
        self.more = more or {}

    @property
    def wait(self) -> int | None:
        """Whole seconds after which to try again, one at least; None where that would not help."""
        return None if self.retry_after is None else max(1, ceil(self.retry_after))

    def to_data(self) -> dict[str, Any]:
        """The members of the problem."""
        told = {"type": self.kind.type, "title": self.kind.title, "status": self.kind.status}
        return {**told, "detail": self.detail, **self.more}


UNREADABLE = Kind("unreadable-body", 400, "The body cannot be read")
INVALID = Kind("invalid-request", 422, "The request is not as described")
TOO_LARGE = Kind("too-large", 413, "The request is too large")
HEAD_TOO_LARGE = Kind("head-too-large", 431, "The head of the request is too large")
TOO_SLOW = Kind("too-slow", 408, "The request took too long to arrive")
NOT_JSON = Kind("unsupported-media-type", 415, "The body is not JSON")
NO_KEY = Kind("no-key", 401, "A key is wanted")
UNKNOWN_KEY = Kind("unknown-key", 401, "The key is not known")
NOT_ALLOWED = Kind("not-allowed", 403, "The key does not allow this")
NO_SUCH_ORIGIN = Kind("origin-not-allowed", 403, "The key cannot be used from this page")
NOT_FOUND = Kind("not-found", 404, "There is nothing here")
NO_SUCH_METHOD = Kind("method-not-allowed", 405, "This cannot be done here")
UNDER_WAY = Kind("under-way", 409, "The same request is under way")
ANOTHER_REQUEST = Kind("idempotency-mismatch", 422, "The idempotency key was used for another request")
NOT_CERTIFIABLE = Kind("not-certifiable", 409, "There are too few labels for this promise")
LIMITED = Kind("rate-limited", 429, "Too many requests")
BUDGET_SPENT = Kind("budget-spent", 429, "The budget of this day is spent")
OVERLOADED = Kind("overloaded", 503, "Too much is waiting")
ENGINE_AWAY = Kind("engine-away", 503, "Nothing can be judged now")
POLICY_MISSING = Kind("policy-missing", 503, "The policy of the key is gone")
STORE_AWAY = Kind("store-away", 503, "The database does not answer")
NO_ROOM = Kind("no-room", 503, "Nothing more can be kept now")
WRITER_AWAY = Kind("writer-away", 503, "No answer can be written now")
STOPPING = Kind("stopping", 503, "The service is stopping")
NOT_HERE = Kind("not-here", 501, "This service has no part that does it")
BROKEN = Kind("internal-error", 500, "Something went wrong here")


@dataclass(frozen=True, slots=True)
class Place:
    """What is wrong with a request, and where: a pointer, and our own words."""

    pointer: str
    detail: str


def invalid(places: "list[Place]") -> Problem:
    """A request with these mistakes; none of what it holds is repeated."""
    errors = [{"pointer": place.pointer, "detail": place.detail} for place in places[:MOST_PLACES]]
    count = "1 mistake" if len(places) == 1 else f"{len(places)} mistakes"
    return Problem(INVALID, count, more={"errors": errors})


MOST_PLACES = 20
"""As many mistakes are named at once."""
