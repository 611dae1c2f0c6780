"""Train a reader: `python models/reader/train.py --run NAME --hours H`, which goes on where NAME ended.

`--hours` is the whole budget of the run, in hours of computing (not of waiting for busy neighbours). The rate
rises, stays, and falls to nothing over the last fifth; a larger budget given later goes on at the full rate.
The first start of a run also says what it is: `--size`, `--frozen`, `--rate`, `--shares`, `--start`
(a run, or `shipped` for the weights of the repository).
"""

import argparse
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, Protocol

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, `models` is not on the path

import numpy as np
import torch
from models.heads.public import data_folder
from models.reader.distill import taught_pools
from models.reader.evaluate import Sets, evaluate, everyday
from models.reader.evidence import Vectors
from models.reader.mix import Drawn, training_mix
from models.reader.network import GUIDE, Batch, Reader, batches, loss_of, reader, tokenizer
from models.reader.pairs import SETS
from models.reader.shipped import SHIPPED, WEIGHTS, Made, chain, learned
from models.reader.source import CACHE, SIZES, base
from tokenizers import Tokenizer
from torch import Tensor, nn

HEAD_RATE = 1e-3
WARM, FALL = 60, 0.2
"""Steps until the full rate, and the share of the budget over which it falls."""
MEAN = 0.99
"""How slowly the averaged weights follow: about the last 100 steps. They are what is measured and shipped."""
SAVED = 300
"""Seconds of the clock between checkpoints."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What stays the same over all sessions of a run."""

    size: str
    frozen: int
    rate: float
    batch: int = 24
    pool: int = 384
    seed: int = 0
    shares: Mapping[str, float] = field(default_factory=dict)
    """The mix, where it is not that of `SETS`."""
    start: str = ""
    """The run whose averaged weights it begins with, or `SHIPPED` and the digest of the last of the files;
    empty for the published encoder."""
    teacher: str = ""
    """The run that it learns from beside the labels, or `SHIPPED`; empty where labels are all there is."""
    guided: int = 0
    """How long the teacher's vectors are, where it learns these too."""
    pools: int = 0
    """The seed of the pairs that are drawn: runs with other seeds of their own may read the same ones."""
    half: bool = False
    """Whether passes are computed in bfloat16: several times as fast on a CPU with AMX, slower on others."""
    rank: int = 0
    """How many directions of each matrix learn; 0 where whole layers do."""
    even: Sequence[str] = ()
    """The sets whose pairs are drawn alike, whatever words in common tell of them."""


class Training:
    """A reader in training: everything that a checkpoint holds."""

    def __init__(self, plan: Plan, model: Reader) -> None:
        self.plan, self.model = plan, model
        if plan.half:
            model.encoder.to(torch.bfloat16)
        self.exact = {name: weight.detach().float() if plan.half else weight for name, weight in self._own()}
        """What learns, in float32; steps are too small to be added to weights of half the precision."""
        heads = [weight for name, weight in self.exact.items() if not name.startswith("encoder.")]
        body = [weight for name, weight in self.exact.items() if name.startswith("encoder.")]
        groups = [{"params": body, "most": plan.rate}, {"params": heads, "most": HEAD_RATE}]
        self.optimizer = torch.optim.AdamW(groups, lr=plan.rate, weight_decay=0.01, fused=True)
        self.mean = self._copy()
        self.steps, self.seen, self.pool, self.at = 0, 0, 0, 0
        self.seconds, self.loss = 0.0, float("nan")

    def _own(self) -> list[tuple[str, nn.Parameter]]:
        return [(name, weight) for name, weight in self.model.named_parameters() if weight.requires_grad]

    def _copy(self) -> dict[str, Tensor]:
        return {name: weight.detach().clone() for name, weight in self.exact.items()}

    def _take(self, weights: Mapping[str, Tensor]) -> None:
        """Set what learns to these weights, exactly, and the model as exactly as it computes."""
        with torch.no_grad():
            for name, weight in self._own():
                self.exact[name].copy_(weights[name])
                weight.copy_(weights[name])

    def _update(self) -> None:
        """One step of the optimizer along the gradients of the model."""
        if self.plan.half:
            for name, weight in self._own():
                self.exact[name].grad = None if weight.grad is None else weight.grad.float()
        nn.utils.clip_grad_norm_(self.exact.values(), 1.0)
        self.optimizer.step()
        if self.plan.half:
            self._take(self.exact)

    def step(self, batch: Batch, done: float) -> None:
        """Learn from one batch; `done` is the share of the budget that is spent."""
        loss = loss_of(self.model(batch.ids, batch.mask, batch.types), batch, self.model.guide)
        self.model.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        for group in self.optimizer.param_groups:
            group["lr"] = group["most"] * rate(self.steps, done)
        self._update()
        self.steps += 1
        self.seen += len(batch.ids)
        value = float(loss.detach())
        self.loss = value if self.steps == 1 else 0.98 * self.loss + 0.02 * value
        keep = min(MEAN, self.steps / (self.steps + 10))
        for name, weight in self.exact.items():
            self.mean[name].lerp_(weight.detach(), 1 - keep)

    def whole(self) -> dict[str, Tensor]:
        """The averaged weights of a whole reader, but for the layers that stay as they were published."""
        kept = self.model.frozen_names(self.plan.frozen)
        found = {name: weight.detach() for name, weight in self.model.named_parameters() if name not in kept}
        found |= self.mean
        for name in [name for name in found if name.endswith(".up")]:
            layer = name.removesuffix(".up")
            change = found.pop(name) @ found.pop(f"{layer}.down")
            found[f"{layer}.weight"] = found[f"{layer}.weight"].float() + change
        return found

    def save(self, folder: Path) -> None:
        """Write the whole state, or leave the last one as it is."""
        state = {
            "weights": {name: weight.detach() for name, weight in self.exact.items()},
            "mean": self.whole(),
            "directions": self.mean if self.plan.rank else {},
            "optimizer": self.optimizer.state_dict(),
            **{name: getattr(self, name) for name in ("steps", "seen", "pool", "at", "seconds", "loss")},
        }
        torch.save(state, folder / "checkpoint.arriving")
        (folder / "checkpoint.arriving").replace(folder / "checkpoint.pt")

    def resume(self, folder: Path) -> None:
        """Take the state of the last checkpoint, if there is one."""
        if not (folder / "checkpoint.pt").is_file():
            return
        state = torch.load(folder / "checkpoint.pt", weights_only=True)
        self._take(state.pop("weights"))
        self.optimizer.load_state_dict(state.pop("optimizer"))
        state["mean"] = state.pop("directions", {}) or state["mean"]
        for name, value in state.items():
            setattr(self, name, value)

    def start(self, folder: Path) -> None:
        """Begin with the averaged weights of another run, or with those that are shipped."""
        if folder.name.startswith(f"{SHIPPED}:"):
            given = shipped(self.plan.size, until=folder.name.partition(":")[2])
        else:
            given = torch.load(folder / "checkpoint.pt", weights_only=True, mmap=True)["mean"]
        if not self.plan.guided:
            given = {name: weight for name, weight in given.items() if not name.startswith(GUIDE)}
        learned = dict(self.model.named_parameters()).keys() - self.model.frozen_names(self.plan.frozen)
        if missing := given.keys() - learned:
            raise ValueError(
                f"`--start` must name a run that learned no more layers than this one; got {folder.name}, "
                f"which also learned {min(missing)}: give a smaller `--frozen`"
            )
        self.model.load_state_dict(given, strict=False)
        self._take({**self.exact, **{name: given[name] for name in given.keys() & self.exact.keys()}})
        self.mean = self._copy()

    def averaged(self, measure: Callable[[Reader], dict[str, Any]]) -> dict[str, Any]:
        """What `measure` finds for the averaged weights; those in training come back afterwards."""
        own = self._copy()
        self._take(self.mean)
        try:
            return measure(self.model)
        finally:
            self._take(own)


def shipped(size: str, *, until: str = "") -> dict[str, Tensor]:
    """The weights of the files in the repository, all or up to one, under the names of a training."""
    published = (base(size) / "model.safetensors").read_bytes()
    _, weights, _ = learned(WEIGHTS / f"{size}.safetensors", published, until=until)
    outputs = ("label.", "token.")
    return {
        name if name.startswith(outputs) else f"encoder.{name}": torch.from_numpy(value.astype(np.float32))
        for name, value in weights.items()
    }


def rate(steps: int, done: float) -> float:
    """The share of the full rate: rising over the first steps, falling over the last part of the budget."""
    return min((steps + 1) / WARM, max(0.0, 1 - done) / FALL, 1.0)


class Pools(Protocol):
    """Pairs to learn from; pool number `n` is always the same."""

    def pool(self, number: int, size: int) -> list[Drawn]:
        """So many pairs with their evidence."""
        ...


def train(
    training: Training, mix: Pools, known: Tokenizer, *, hours: float, folder: Path, sets: Sets, every: float,
    until: datetime | None = None, most: int | None = None,
) -> None:  # fmt: skip
    """Go on until the budget is spent, the clock says so, or someone asks to stop; save now and then.

    Every `every` seconds of computing the averaged weights are measured on `sets`. `most` steps end it too.
    """
    log, plan = Log(folder / "log.jsonl"), training.plan
    stopping = [False]
    before = signal.signal(signal.SIGTERM, lambda *_: stopping.__setitem__(0, True))
    saved, budget = time.monotonic(), hours * 3600
    vectors, started, measured = Vectors.load(), training.steps, training.seconds

    def over() -> bool:
        spent = training.seconds >= budget or training.steps - started == most
        return stopping[0] or spent or (until is not None and datetime.now() >= until)  # noqa: DTZ005

    while not over():
        order = Random(f"{plan.seed}:{training.pool}")
        pool = list(batches(mix.pool(training.pool, plan.pool), known, size=plan.batch, rng=order))
        while training.at < len(pool) and not over():
            begun = time.process_time()
            training.step(pool[training.at], training.seconds / budget)
            training.at += 1
            training.seconds += (time.process_time() - begun) / torch.get_num_threads()
            if time.monotonic() - saved > SAVED:
                training.save(folder)
                log.write(training)
                saved = time.monotonic()
            if sets and training.seconds - measured > every:
                measured = training.seconds
                log.write(
                    training, training.averaged(lambda one: evaluate(one, known, sets, vectors, rounds=0))
                )
        if training.at == len(pool):
            training.pool, training.at = training.pool + 1, 0
    training.save(folder)
    log.write(training, training.averaged(lambda one: evaluate(one, known, sets, vectors)) if sets else {})
    signal.signal(signal.SIGTERM, before)


class Log:
    """One line of JSON after every checkpoint, and one with figures after every measurement."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def write(self, training: Training, sets: Mapping[str, Any] | None = None) -> None:
        """How far it is and how fast, and what was measured."""
        line = {
            "time": f"{datetime.now():%Y-%m-%d %H:%M:%S}",  # noqa: DTZ005  # for people beside the machine
            "steps": training.steps,
            "seen": training.seen,
            "hours": round(training.seconds / 3600, 4),
            "loss": round(training.loss, 4),
            "pairs per second": round(training.seen / max(training.seconds, 1e-9), 2),
        } | ({"sets": sets} if sets else {})
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def main() -> None:
    """Train as the command line says."""
    parser = argparse.ArgumentParser(description="Train a reader, or go on with one.")
    parser.add_argument("--run", required=True, help="its name: a folder under .cache/reader")
    parser.add_argument("--hours", type=float, required=True, help="the whole budget, in hours of computing")
    parser.add_argument("--until", help="stop and save at this time of day, HH:MM")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--every", type=float, default=30, help="minutes of computing between measurements")
    parser.add_argument("--most", type=int, default=100, help="pairs of each set that is measured on the way")
    first = parser.add_argument_group("for the first start of a run")
    first.add_argument("--size", choices=SIZES, default="mpnet")
    first.add_argument("--frozen", type=int, help="lowest layers that stay as they are, and the embeddings")
    first.add_argument("--rank", type=int, default=0, help="learn so many directions of each matrix alone")
    first.add_argument("--rate", type=float)
    first.add_argument("--seed", type=int, default=0)
    first.add_argument(
        "--start",
        default="",
        metavar="RUN",
        help=f"begin with its averaged weights; `{SHIPPED}`: those of the repository",
    )
    first.add_argument(
        "--teacher",
        default="",
        metavar="RUN",
        help=f"learn what it says: see distill.py; `{SHIPPED}`: the large reader of the repository",
    )
    first.add_argument("--guided", action="store_true", help="learn the teacher's vectors too")
    first.add_argument("--pools", type=int, help="the seed of the pairs that are drawn, if it is another one")
    first.add_argument("--half", action="store_true", help="compute in bfloat16: for CPUs with AMX")
    first.add_argument("--shares", nargs="*", default=[], metavar="SET=SHARE", help="only these sets")
    first.add_argument("--even", nargs="*", default=[], metavar="SET", help="draw the pairs of these alike")
    wanted = parser.parse_args()
    torch.set_num_threads(wanted.threads)
    folder = CACHE / wanted.run
    plan = planned(folder, wanted)
    training = Training(plan, _fresh(plan))
    if plan.start and (plan.rank or not (folder / "checkpoint.pt").is_file()):
        training.start(CACHE / plan.start)  # what does not learn is in no checkpoint
    training.resume(folder)
    print(
        f"{wanted.run}: {training.steps} steps, {training.seconds / 3600:.2f} of {wanted.hours} hours",
        flush=True,
    )
    labelled = training_mix(seed=plan.pools, shares=plan.shares or None, even=plan.even)
    mix: Pools = taught_pools(labelled, plan.teacher, seed=plan.pools) if plan.teacher else labelled
    os.setpriority(os.PRIO_PROCESS, 0, 19)  # whatever else the machine has to do comes first
    train(
        training, mix, tokenizer(base(plan.size)), hours=wanted.hours, folder=folder,
        sets=everyday(data_folder(), most=wanted.most) if wanted.most else {}, every=60 * wanted.every,
        until=_clock(wanted.until),
    )  # fmt: skip


def _fresh(plan: Plan) -> Reader:
    return reader(plan.size, frozen=plan.frozen, rank=plan.rank, guided=plan.guided, seed=plan.seed)


def planned(folder: Path, wanted: argparse.Namespace) -> Plan:
    """The plan of a run: the one it was started with, or a new one."""
    path = folder / "plan.json"
    if path.is_file():
        told = json.loads(path.read_text())
        return Plan(**{"pools": told["seed"], **told})
    shares = {name: float(share) for name, _, share in (one.partition("=") for one in wanted.shares)}
    for option, names in (("--shares", set(shares)), ("--even", set(wanted.even))):
        if unknown := names - SETS.keys():
            sys.exit(f"`{option}` must name sets of {', '.join(SETS)}; got {', '.join(sorted(unknown))}")
    for option, run in (("--start", wanted.start), ("--teacher", wanted.teacher)):
        if run and run != SHIPPED and not (folder.parent / run / "checkpoint.pt").is_file():
            sys.exit(f"`{option}` must name a run with a checkpoint under {folder.parent}; got {run}")
    frozen = (4 if wanted.size == "mpnet" else 0) if wanted.frozen is None else wanted.frozen
    given = wanted.rate or (4e-4 if wanted.rank else {"mpnet": 3e-5, "minilm": 1e-4}[wanted.size])
    start = wanted.start
    if start == SHIPPED:
        start = f"{SHIPPED}:{Made.read(chain(WEIGHTS / f'{wanted.size}.safetensors')[-1])[0].digest}"
    plan = Plan(
        wanted.size, frozen, given, seed=wanted.seed, shares=shares, start=start,
        teacher=wanted.teacher, half=wanted.half, rank=wanted.rank, even=wanted.even,
        guided=_width(wanted.teacher) if wanted.guided else 0,
        pools=wanted.seed if wanted.pools is None else wanted.pools,
    )  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(asdict(plan), indent=2) + "\n")
    return plan


def _width(teacher: str) -> int:
    """How long the vectors of a teacher are."""
    size = "mpnet" if teacher == SHIPPED else json.loads((CACHE / teacher / "plan.json").read_text())["size"]
    return 2 * int(json.loads((base(size) / "config.json").read_text())["hidden_size"])


def _clock(text: str | None) -> datetime | None:
    """The next time that a clock shows this."""
    if text is None:
        return None
    hour, minute = map(int, text.split(":"))
    now = datetime.now()  # noqa: DTZ005  # as the person reads the clock
    then = now.replace(hour=hour, minute=minute, second=0)
    return then if then > now else then + timedelta(days=1)


if __name__ == "__main__":
    main()
