"""The executor for one machine: processes beside this one, which end with it however it ends."""

import pickle
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import wait

from sensecheck.core.errors import SpecError
from sensecheck.evals.executors.executor import Make
from sensecheck.evals.executors.process_seat import ProcessSeat
from sensecheck.evals.executors.seated_crew import SeatedCrew


@dataclass(frozen=True, slots=True)
class Processes:
    """So many processes, each with one thread for its arithmetic."""

    workers: int
    name: str = field(default="processes", init=False)

    def __post_init__(self) -> None:
        if self.workers < 1:
            raise SpecError(f"`workers` wants at least 1; found {self.workers}")

    @contextmanager
    def crew(self, make: Make) -> Iterator[SeatedCrew[ProcessSeat]]:
        """Processes that are ready; all of them are gone when the context is left."""
        pickled, seats = pickle.dumps(make), list[ProcessSeat]()
        with ExitStack() as ending:
            for _ in range(self.workers):
                seats.append(ProcessSeat(pickled))
                ending.callback(seats[-1].end)
            crew = SeatedCrew(seats, _stirring)
            crew.wait_for(self.workers)
            yield crew


def _stirring(seats: Sequence[ProcessSeat]) -> list[ProcessSeat]:
    """Seats whose process said something or ended; waits for one."""
    by_sign = {sign: seat for seat in seats for sign in seat.signs}
    return list(dict.fromkeys(by_sign[sign] for sign in wait(list(by_sign))))  # type: ignore[index]
