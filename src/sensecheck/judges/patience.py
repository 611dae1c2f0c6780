"""When to give up on an endpoint that answers nobody."""

from threading import Lock

from sensecheck.core.encoder import GivenUp
from sensecheck.core.endpoint import Failure


class Patience:
    """Counts how many prompts in a row failed because of the endpoint, in one call of a judge.

    It ends after as many prompts as are asked at once when nobody is there and nobody ever was, and after
    twice as many when the endpoint is slow, broken or has too much to do.
    """

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._in_a_row = 0
        self._reached = False
        self._ended: GivenUp | None = None
        self._counting = Lock()

    def ended(self) -> GivenUp | None:
        """Why nothing more is asked; None as long as something is."""
        return self._ended

    def heard(self, failure: Failure | None) -> None:
        """Count how one prompt went; an answer of any kind shows that asking is worth while."""
        with self._counting:
            if failure is None or not failure.unreachable:
                self._in_a_row, self._reached = 0, True
                return
            self._in_a_row += 1
            nobody = failure.absent and not self._reached
            if self._ended is None and self._in_a_row >= self._at_once * (1 if nobody else 2):
                self._ended = GivenUp(
                    f"{failure.says}; not asked after {self._in_a_row} prompts in a row without an answer"
                )
