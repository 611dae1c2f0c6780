"""Who asks, once it is known that they may."""

from dataclasses import dataclass
from typing import Literal, get_args

from sensecheck.store.service.records import ApiKey

Scope = Literal["check", "answer", "feedback", "review", "policies", "stats", "sessions", "metrics"]
SECRET_SCOPES: frozenset[Scope] = frozenset(get_args(Scope))
PUBLISHABLE_SCOPES: frozenset[Scope] = frozenset(("answer", "feedback"))
"""All that a key in a web page can ever be given; whoever reads the page has it."""


@dataclass(frozen=True, slots=True)
class Caller:
    """A key, where it was used from, and what it may see."""

    key: ApiKey
    address: str
    """Where the request came from."""
    origin: str | None = None
    """The page that sent it, where a browser says so."""

    @property
    def sees_scores(self) -> bool:
        """Whether numbers are shown: with them, a stranger could search for what just passes."""
        return self.key.kind == "secret"
