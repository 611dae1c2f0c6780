"""What went wrong, as RFC 9457 lays it out; no problem ever repeats what a client sent."""

from dataclasses import dataclass
from math import ceil
from typing import Any

from sensecheck.core.errors import SensecheckError

PREFIX = "urn:sensecheck:problem:"
MEDIA_TYPE = "application/problem+json"
MOST_MISTAKES = 20
"""As many mistakes are named at once."""


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """A kind of problem: its name never changes, so that programs can rely on it."""

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
        self,
        kind: ProblemKind,
        detail: str,
        *,
        retry_after: float | None = None,
        more: dict[str, Any] | None = None,
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
        standard = {"type": self.kind.type, "title": self.kind.title, "status": self.kind.status}
        return {**standard, "detail": self.detail, **self.more}


UNREADABLE = ProblemKind("unreadable-body", 400, "The body cannot be read")
INVALID = ProblemKind("invalid-request", 422, "The request is not as described")
TOO_LARGE = ProblemKind("too-large", 413, "The request is too large")
TOO_COSTLY = ProblemKind("too-costly", 413, "The request costs more than one may")
HEAD_TOO_LARGE = ProblemKind("head-too-large", 431, "The head of the request is too large")
TOO_SLOW = ProblemKind("too-slow", 408, "The request took too long to arrive")
NOT_JSON = ProblemKind("unsupported-media-type", 415, "The body is not JSON")
NO_KEY = ProblemKind("no-key", 401, "A key is wanted")
UNKNOWN_KEY = ProblemKind("unknown-key", 401, "The key is not known")
NOT_ALLOWED = ProblemKind("not-allowed", 403, "The key does not allow this")
NO_SUCH_ORIGIN = ProblemKind("origin-not-allowed", 403, "The key cannot be used from this page")
NOT_FOUND = ProblemKind("not-found", 404, "There is nothing here")
NO_SUCH_METHOD = ProblemKind("method-not-allowed", 405, "This cannot be done here")
UNDER_WAY = ProblemKind("under-way", 409, "The same request is under way")
ANOTHER_REQUEST = ProblemKind("idempotency-mismatch", 422, "The idempotency key was used for another request")
NOT_CERTIFIABLE = ProblemKind("not-certifiable", 409, "There are too few labels for this promise")
LIMITED = ProblemKind("rate-limited", 429, "Too many requests")
BUDGET_SPENT = ProblemKind("budget-spent", 429, "The budget of this day is spent")
OVERLOADED = ProblemKind("overloaded", 503, "Too much is waiting")
ENGINE_AWAY = ProblemKind("engine-away", 503, "Nothing can be judged now")
POLICY_MISSING = ProblemKind("policy-missing", 503, "The policy of the key is gone")
STORE_AWAY = ProblemKind("store-away", 503, "The database does not answer")
NO_ROOM = ProblemKind("no-room", 503, "Nothing more can be kept now")
WRITER_AWAY = ProblemKind("writer-away", 503, "No answer can be written now")
STOPPING = ProblemKind("stopping", 503, "The service is stopping")
NOT_HERE = ProblemKind("not-here", 501, "This service has no part that does it")
BROKEN = ProblemKind("internal-error", 500, "Something went wrong here")


@dataclass(frozen=True, slots=True)
class RequestMistake:
    """What is wrong with a request, and where: a pointer, and our own words."""

    pointer: str
    detail: str


def invalid(mistakes: "list[RequestMistake]") -> Problem:
    """A request with these mistakes; none of what it holds is repeated."""
    errors = [{"pointer": mistake.pointer, "detail": mistake.detail} for mistake in mistakes[:MOST_MISTAKES]]
    count = "1 mistake" if len(mistakes) == 1 else f"{len(mistakes)} mistakes"
    return Problem(INVALID, count, more={"errors": errors})
