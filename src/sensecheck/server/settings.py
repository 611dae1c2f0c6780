"""The settings of the service."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from sensecheck.config import SERVE_PREFIX, settings_in
from sensecheck.core.errors import SpecError

LEASE = 900.0
"""Seconds that a request with an idempotency key may take, waiting for the database included; one that takes
longer was left behind by a process that is gone."""
_LEAST = {
    "writer_timeout": 0.1,
    "writer_first_token": 0.1,
    "drain": 0,
    "engines": 0,
    "max_wait": 0.05,
    "max_claims": 0,
    "max_tokens": 0,
    "request_tokens": 1,
    "key_share": 0.01,
    "spool_mb": 1,
    "retention_days": 0,
    "candidate_days": 1,
    "body_kb": 16,
}


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """Every field is `SENSECHECK_SERVE_` and its name in capitals."""

    writer: str = "extractive"
    """Who writes answers: `extractive`, `openai:URL#MODEL`, `recorded:FILE`."""
    writer_key: str | None = field(default=None, repr=False)
    """For the endpoint of the writer; sent nowhere else."""
    writer_timeout: float = 30.0
    """Seconds for a whole answer, from its first token on."""
    writer_first_token: float = 60.0
    """Seconds until the first token of an answer; each piece of reasoning before it starts this wait anew."""
    redis: str = field(default="", repr=False)
    """Where limits are counted for all processes: `redis://HOST:6379/0`; empty for this one alone."""
    pepper: str | None = field(default=None, repr=False)
    """The secret that keys are stored under; with PostgreSQL it must be set, and the same everywhere."""
    engines: int = 0
    """Processes that judge; 0 for one less than there are cores, and at least one."""
    max_wait: float = 2.0
    """Seconds that a request may wait for an engine; beyond, it is turned away at once."""
    drain: float = 20.0
    """Seconds that accepted requests have to end after the service is asked to stop."""
    max_claims: int = 50
    """Claims of one answer that are read; the reply says how many were not. 0 for all."""
    max_tokens: int = 100_000
    """What one check may cost, in tokens that are encoded; above, it is refused. 0 for no limit."""
    request_tokens: int = 4_000
    """A request counts once against the limits of its key for each so many tokens that it costs."""
    key_share: float = 0.5
    """The share of the queue that one key may fill while others use the service."""
    spool: str = ".sensecheck/spool.sqlite3"
    """Where messages wait while the database is away; one file for each process."""
    spool_mb: int = 256
    retention_days: int = 365
    """How long messages are kept; 0 for ever."""
    candidate_days: int = 14
    """How long answers that were held back are kept for review, where a key asks for it."""
    body_kb: int = 1024
    """The largest request."""
    proxies: str = ""
    """Addresses, with commas, of proxies whose `X-Forwarded-For` is believed."""
    read_sentences: bool = True
    """Whether the extractive writer has the cross-encoder read the best sentences with the question."""
    anonymous: bool = False
    """Whether requests without a key are answered also when other machines can reach the service."""
    open_metrics: bool = False
    """Whether `/metrics` wants no key; otherwise only this machine needs none."""
    telemetry: bool = False
    """Whether traces go to where `OTEL_EXPORTER_OTLP_ENDPOINT` says."""
    housekeeping: bool = True
    """Whether this process also drops what is too old and counts up days; off where a worker does."""

    @classmethod
    def from_variables(cls, given: Mapping[str, str]) -> Self:
        """The settings among the variables of the environment; one that means nothing is an error."""
        return cls(**settings_in(given, cls, SERVE_PREFIX))

    def __post_init__(self) -> None:
        for name, least in _LEAST.items():
            if not getattr(self, name) >= least:
                raise SpecError(f"{variable(name)} must be at least {least}; got {getattr(self, name)}")
        for name, most in (("writer_timeout", LEASE / 2), ("writer_first_token", LEASE / 3)):
            if getattr(self, name) >= most:
                raise SpecError(
                    f"{variable(name)} must be less than {most:g}, since a request counts as lost after "
                    f"{LEASE:g} seconds; got {getattr(self, name):g}"
                )
        if not self.spool:
            requirement = "must be a file such as `.sensecheck/spool.sqlite3`; got an empty string"
            raise SpecError(f"{variable('spool')} {requirement}")


def variable(name: str) -> str:
    """The variable of the environment that a setting is read from."""
    return SERVE_PREFIX + name.upper()
