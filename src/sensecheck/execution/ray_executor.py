"""The executor for many machines: actors on a Ray cluster, which end with their driver however it ends."""

from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra
from sensecheck.execution.executor import Make, WorkerPool


@dataclass(frozen=True, slots=True)
class RayExecutor:
    """Workers wherever Ray finds room for them."""

    workers: int | None = None
    """How many; None for as many as the cluster has room for when the run begins."""
    address: str | None = None
    """As `ray.init` takes it; None for the cluster that runs on this machine, or else one of our own; `local`
    for one of our own in any case."""
    cpus: float = 1
    """Logical CPUs that each worker takes."""
    gpus: float = 0
    autoscales: bool = False
    """Whether the cluster adds machines for workers that find no room; all are asked for then."""
    patience: float = 600
    """Seconds to wait for the first worker, or for another one when none is left."""
    name: str = field(default="ray", init=False)

    def __post_init__(self) -> None:
        if self.workers is not None and self.workers < 1:
            raise SpecError(f"`workers` must be at least 1; got {self.workers}")
        if self.autoscales and self.workers is None:
            raise SpecError("a cluster that autoscales may have room for any number: say how many `workers`")
        if self.cpus < 0 or self.gpus < 0 or self.cpus + self.gpus == 0:
            raise SpecError(f"a worker must have a CPU or a GPU; got: {self.cpus:g} CPUs, {self.gpus:g} GPUs")

    def pool(self, make: Make) -> AbstractContextManager[WorkerPool]:
        """Actors, at least one of them ready; all of them are gone when the context is left."""
        with extra("ray"):  # which takes seconds to load, and a run that is finished needs no pool
            from sensecheck.execution.ray import ray_pool  # noqa: PLC0415
        return ray_pool(
            make,
            self.address,
            workers=self.workers,
            each={"CPU": self.cpus, "GPU": self.gpus},
            autoscales=self.autoscales,
            patience=self.patience,
        )
