"""Those who wait until their entry is kept, first come, first served; any thread may join them."""

from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue

from sensecheck.store.service.draining import AT_ONCE, CHARACTERS_AT_ONCE
from sensecheck.store.service.records import Entry


@dataclass(frozen=True, slots=True, eq=False)
class Brought:
    """An entry that was brought, and whoever waits to hear that it is kept."""

    entry: Entry
    kept: "Future[None]" = field(default_factory=Future)

    def __post_init__(self) -> None:
        self.kept.set_running_or_notify_cancel()  # whoever leaves does not undo it


class Line:
    """The line, of which one thread takes those who go into one transaction."""

    def __init__(self) -> None:
        self._line: SimpleQueue[Brought | None] = SimpleQueue()
        """None only wakes the thread."""
        self._in_hand: list[Brought] = []
        """Those whom the thread has taken, the last time it did."""

    def __len__(self) -> int:
        return self._line.qsize()

    def join(self, one: Brought) -> None:
        """Stand at the end."""
        self._line.put(one)

    def wake(self) -> None:
        """Let the thread look whether something else is to do."""
        self._line.put(None)

    def taken(self, seconds: float | None) -> list[Brought]:
        """Those at the head, as far as they go into one transaction; none where nobody comes in so many
        seconds, or the thread is only woken.
        """
        taken = self._in_hand = []  # from the first one on: whatever happens, they are told
        characters = 0
        one = self.awaited(seconds)
        while True:
            if one is not None:
                taken.append(one)
                characters += _characters(one.entry)
            if self._line.empty() or len(taken) >= AT_ONCE or characters >= CHARACTERS_AT_ONCE:
                return taken
            one = self._line.get()

    def awaited(self, seconds: float | None) -> Brought | None:
        """Who comes next; None where nobody does in so many seconds, or the thread is only woken."""
        try:
            return self._line.get(timeout=seconds)
        except Empty:
            return None

    def left(self) -> list[Brought]:
        """All who have not been told: those in hand, and those who still stand here."""
        left = [one for one in self._in_hand if not one.kept.done()]
        while not self._line.empty():
            if (one := self._line.get()) is not None:
                left.append(one)
        return left


def _characters(entry: Entry) -> int:
    """About how many an entry holds, all in all."""
    held = len(entry.message.user_message or "") + len(entry.message.assistant_response)
    candidate = entry.candidate
    return held if candidate is None else held + len(candidate.answer) + len(candidate.passage)
