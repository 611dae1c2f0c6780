"""What the routes work with, made once and handed to each of them."""

from asyncio import Lock
from dataclasses import dataclass, field

from sensecheck.grounding.asking.writer import Writer
from sensecheck.server.engine.asking import Engine
from sensecheck.server.entry.doorman import Doorman
from sensecheck.server.entry.limiter import Limiter
from sensecheck.server.settings import ServiceSettings
from sensecheck.server.stored.keeping import Keeping
from sensecheck.server.stored.known_policies import KnownPolicies
from sensecheck.server.stored.store_desk import StoreDesk
from sensecheck.server.watching.metrics import Metrics


@dataclass(frozen=True, slots=True)
class Parts:
    """Everything that a request may need."""

    settings: ServiceSettings
    engine: Engine
    """Does jobs; what was judged before is remembered."""
    writer: Writer
    desk: StoreDesk
    """The database, asked from threads, so that nobody waits for it in the loop."""
    keeping: Keeping
    """Keeps messages, whether the database answers or not."""
    doorman: Doorman
    limiter: Limiter
    metrics: Metrics
    policies: KnownPolicies = field(default_factory=KnownPolicies)
    fitting: Lock = field(default_factory=Lock)
    """Held while a line is fitted: one at a time, since each takes a process."""
