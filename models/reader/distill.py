"""A small reader taught by a larger one: `train.py --run NAME --size minilm --teacher RUN --hours H`.

The pools of the mix are read by the teacher first, half of the claims beside evidence of other pairs, of
which nobody knows the label. What the teacher said is kept in `.cache/reader/RUN/taught`, so that a training
goes on where it ended. The teacher's time is not part of `--hours`. A teacher that is trained further says
something else: let its run end first.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import numpy as np
import numpy.typing as npt
import torch
from models.reader.mix import Drawn, Mix
from models.reader.network import batches, reader, tokenizer
from models.reader.source import CACHE, base

Numbers = npt.NDArray[np.float32]
Teacher = Callable[[Sequence[Drawn]], Numbers]
"""The probabilities of the three labels, one row a pair."""
ELSEWHERE = 0.5
"""How often a claim is set beside the evidence of another pair."""
BATCH = 16


class Taught:
    """Pools of a mix with what a teacher says of every pair."""

    def __init__(self, mix: Mix, teacher: Teacher, folder: Path, *, seed: int = 0) -> None:
        self._mix, self._teacher, self._folder, self._seed = mix, teacher, folder, seed

    def pool(self, number: int, size: int) -> list[Drawn]:
        """So many pairs with their evidence, and the teacher's probabilities."""
        drawn = self._drawn(number, size)
        texts = "\n".join(f"{one.pair.question}\n{one.pair.claim}\n{one.evidence}" for one in drawn)
        path = self._folder / f"{hashlib.sha256(texts.encode()).hexdigest()[:16]}.npy"
        if not path.is_file():
            path.parent.mkdir(parents=True, exist_ok=True)
            arriving = path.with_suffix(".arriving")
            with arriving.open("wb") as file:
                np.save(file, self._teacher(drawn))
            arriving.replace(path)
        told: Numbers = np.load(path)
        return [one._replace(wanted=corrected(row, one)) for one, row in zip(drawn, told, strict=True)]

    def _drawn(self, number: int, size: int) -> list[Drawn]:
        rng = Random(f"taught:{self._seed}:{number}")
        return [
            self._mix.elsewhere(one, rng) if rng.random() < ELSEWHERE else one
            for one in self._mix.pool(number, size)
        ]


def corrected(told: Numbers, one: Drawn) -> tuple[float, ...]:
    """What the teacher said, of the labels that the pair may have: where a label is known, it is right."""
    allowed = np.array([label in one.pair.allowed for label in range(len(told))])
    kept = np.where(allowed, told + 1e-6, 0.0)
    return tuple((kept / kept.sum()).tolist())


def teacher(folder: Path, *, cache: Path = CACHE) -> Teacher:
    """What the averaged weights of a run's last checkpoint say."""
    size = json.loads((folder / "plan.json").read_text("utf-8"))["size"]
    model = reader(size, cache=cache)
    state = torch.load(folder / "checkpoint.pt", weights_only=True, mmap=True)
    model.load_state_dict(state["mean"], strict=False)
    model.eval()
    known = tokenizer(base(size, cache))

    def tell(drawn: Sequence[Drawn]) -> Numbers:
        order = sorted(range(len(drawn)), key=lambda at: len(drawn[at].pair.claim) + len(drawn[at].evidence))
        found = np.zeros((len(drawn), model.label.out_features), np.float32)
        with torch.inference_mode():
            given = [
                model(batch.ids, batch.mask, batch.types).labels.softmax(-1)
                for batch in batches([drawn[at] for at in order], known, size=BATCH)
            ]
        found[order] = torch.cat(given).numpy()
        return found

    return tell
