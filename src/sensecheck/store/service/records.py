"""The records of the service as plain values, and the ids of messages, which sort by time."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from secrets import randbits
from typing import Any, Literal
from uuid import UUID

from sensecheck.core.verdict import Outcome

Mode = Literal["selected_text", "check"]
"""`selected_text`: an answer was written from a passage; `check`: someone brought an answer of their own."""
KeyKind = Literal["secret", "publishable"]
Thumb = Literal["up", "down"]
EXCERPT = 500
"""As many characters of a passage are stored with a message."""


@dataclass(frozen=True, slots=True)
class Message:
    """One question with what was answered, or one answer with what was found."""

    id: str
    """A UUID of version 7: its first 48 bits are the milliseconds of `at`."""
    at: datetime
    project: int
    """The key of the project whose message it is: no one else ever sees it."""
    api_key: str | None
    """The id of the key that it came with; None where none was needed."""
    session_id: str | None
    mode: Mode
    user_message: str | None
    assistant_response: str
    """What the reader was given: the answer, or the fallback."""
    selected_text: str
    """The first characters of the passage."""
    in_selected_text: bool
    outcome: Outcome
    policy: str
    writer: str | None
    encoder: str | None
    """The fingerprint of the encoder that it was judged with."""
    support: float | None = None
    """The reading that the policy's threshold decides on; what a policy is fitted from."""
    response_similarity_score: float | None = None
    keyword_overlap_ratio: float | None = None
    validation_passed: bool | None = None
    """Whether the answer passed; None where none was written, so that nothing was judged."""
    latency_validation_ms: float | None = None
    latency_ms: float | None = None
    truncated: bool = False
    source_chunk_ids: tuple[str, ...] | None = None
    """Chunks of an index that the passage was found in; always None so far, since whoever asks brings it.
    The column is one of those that readers of the table expect."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An answer that was held back, stored for a while for those who review."""

    message: str
    at: datetime
    project: int
    session_id: str | None
    answer: str
    passage: str
    because: str


@dataclass(frozen=True, slots=True)
class Completed:
    """What a request with an idempotency key came to, for whoever sends it again."""

    name: str
    """The digest of the key that the client chose."""
    request: str
    """The digest of the request that came with it."""
    status: int
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Entry:
    """What is stored of one request: all of it, or nothing."""

    message: Message
    candidate: Candidate | None = None
    completed: Completed | None = None


@dataclass(frozen=True, slots=True)
class ApiKey:
    """Who may ask, from where, for what, and how much."""

    id: str
    """Shown to people, and part of the key itself."""
    project: int
    project_name: str
    kind: KeyKind
    label: str
    scopes: frozenset[str]
    origins: tuple[str, ...]
    """Pages that may use it, as `https://docs.example.com`; none for a key of servers."""
    policy: str
    """The policy of requests that name none: one of ours, or a fitted one of the project."""
    review: bool
    """Whether answers that are held back are stored for review."""
    per_minute: int
    per_session_minute: int
    per_address_minute: int
    daily_budget: int
    """How many tokens a day, about; 0 for any number."""
    created_at: datetime
    revoked_at: datetime | None = None
    digest: bytes = field(default=b"", repr=False)
    """The HMAC of its secret part."""


@dataclass(frozen=True, slots=True)
class FittedPolicy:
    """A policy of one project: one of ours, with a threshold of its own."""

    project: int
    name: str
    version: int
    base: str
    """The policy of ours that it follows in all else."""
    cutoff: dict[str, Any]
    card: dict[str, Any]
    created_at: datetime

    @property
    def mark(self) -> str:
        """Its name and version, as verdicts carry it."""
        return f"{self.name}@{self.version}"


def new_id(at: datetime) -> str:
    """A UUID of version 7 for this moment."""
    milliseconds = int(at.timestamp() * 1000)
    number = milliseconds << 80 | 7 << 76 | randbits(12) << 64 | 2 << 62 | randbits(62)
    return str(UUID(int=number))


def moment_of(message: str) -> datetime | None:
    """The moment of a message, to the millisecond; None for what is no id of ours."""
    try:
        number = UUID(message)
    except ValueError:
        return None
    if number.version != 7 or str(number) != message:
        return None
    return datetime.fromtimestamp((number.int >> 80) / 1000, UTC)


def first_id(at: datetime) -> str:
    """What sorts before every id of this moment or later, and after those from before it."""
    return str(UUID(int=int(at.timestamp() * 1000) << 80))
