"""A small reader taught by a larger one: `train.py --run NAME --size minilm --teacher shipped --hours H`.

The pools of the mix are read by the teacher first, some of the claims beside evidence of other pairs, of
which nobody knows the label. It says how likely each label is, and by which vector it decided that: many more
numbers to learn from than three. What it said is kept in `.cache/reader/TEACHER/taught`, so that a training
goes on where it ended and other runs on the same pools ask nobody. The teacher's time is not part of
`--hours`; `python models/reader/distill.py --run NAME --pools N` lets it read ahead in another process, after
`train.py … --hours 0` has written the plan. A teacher that is trained further says something else: let its
run end first.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, `models` is not on the path

import numpy as np
import numpy.typing as npt
import onnx
import onnxruntime as ort
import torch
from models.reader.build import model_files
from models.reader.mix import Drawn, Mix, training_mix
from models.reader.network import batches, reader, tokenizer
from models.reader.shipped import SHIPPED, WEIGHTS
from models.reader.source import CACHE, base
from onnxruntime.quantization import QuantType, quantize_dynamic

Numbers = npt.NDArray[np.float32]
ELSEWHERE = 0.2
"""How often a claim is set beside the evidence of another pair."""
LABEL = 0.7
"""How much the label of a pair counts where it is known; the rest is what the teacher says."""
BATCH = 16


class Said(NamedTuple):
    """What a teacher says of some pairs, a row each."""

    labels: Numbers
    """The probabilities of the three labels."""
    states: Numbers
    """The vectors by which it decided, each with a mean of 0 and a spread of 1."""


Teacher = Callable[[Sequence[Drawn]], Said]


class Taught:
    """Pools of a mix with what a teacher says of every pair."""

    def __init__(self, mix: Mix, teacher: Teacher, folder: Path, *, seed: int = 0) -> None:
        self._mix, self._teacher, self._folder, self._seed = mix, teacher, folder, seed

    def pool(self, number: int, size: int) -> list[Drawn]:
        """So many pairs with their evidence, and what the teacher says of them."""
        drawn = self._drawn(number, size)
        texts = "\n".join(f"{one.pair.question}\n{one.pair.claim}\n{one.evidence}" for one in drawn)
        path = self._folder / f"{hashlib.sha256(texts.encode()).hexdigest()[:16]}.npz"
        if not path.is_file():
            path.parent.mkdir(parents=True, exist_ok=True)
            arriving = path.with_suffix(".arriving")
            said = self._teacher(drawn)
            with arriving.open("wb") as file:
                np.savez(file, labels=said.labels, states=said.states.astype(np.float16))
            arriving.replace(path)
        with np.load(path) as kept:
            labels, states = kept["labels"], kept["states"].astype(np.float32)
        return [
            one._replace(wanted=blended(row, one), state=tuple(state.tolist()))
            for one, row, state in zip(drawn, labels, states, strict=True)
        ]

    def _drawn(self, number: int, size: int) -> list[Drawn]:
        rng = Random(f"taught:{self._seed}:{number}")
        return [
            self._mix.elsewhere(one, rng) if rng.random() < ELSEWHERE else one
            for one in self._mix.pool(number, size)
        ]


def blended(said: Numbers, one: Drawn) -> tuple[float, ...]:
    """What the teacher says, and what it says of the labels that the pair may have, which counts more."""
    allowed = np.array([label in one.pair.allowed for label in range(len(said))])
    known = np.where(allowed, said + 1e-6, 0.0)
    return tuple((LABEL * known / known.sum() + (1 - LABEL) * said).tolist())


def teacher(folder: Path, *, cache: Path = CACHE) -> Teacher:
    """What the averaged weights of a run's last checkpoint say."""
    size = json.loads((folder / "plan.json").read_text("utf-8"))["size"]
    model = reader(size, cache=cache)
    state = torch.load(folder / "checkpoint.pt", weights_only=True, mmap=True)
    model.load_state_dict(state["mean"], strict=False)
    model.eval()

    def read(ids: torch.Tensor, mask: torch.Tensor, types: torch.Tensor) -> tuple[Numbers, Numbers]:
        with torch.inference_mode():
            judged = model(ids, mask, types)
        return judged.labels.numpy(), judged.state.numpy()

    return _asked_in_batches(read, base(size, cache))


def shipped_teacher(size: str = "mpnet", *, folder: Path = CACHE / SHIPPED) -> Teacher:
    """What the reader of the repository says, computed in int8: twice as fast or more, and near enough.

    Not near enough to decide by: a pair's figures move with those that are read beside it.
    """
    path = folder / f"{size}-int8.onnx"
    if not path.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        files, _ = model_files(WEIGHTS / f"{size}.safetensors", base(size))
        model = onnx.load_from_string(files["onnx/model.onnx"])
        model.graph.output.append(onnx.helper.make_tensor_value_info("both", onnx.TensorProto.FLOAT, None))
        onnx.save(model, folder / "whole.onnx")
        options = ort.SessionOptions()
        options.optimized_model_filepath = str(folder / "float.onnx")  # with the matrices multiplied out
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_BASIC
        ort.InferenceSession(folder / "whole.onnx", options)
        quantize_dynamic(
            folder / "float.onnx", path, weight_type=QuantType.QInt8, per_channel=True,
            op_types_to_quantize=["MatMul", "Gemm"],
        )  # fmt: skip
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    session = ort.InferenceSession(path, options)
    inputs = {one.name for one in session.get_inputs()}

    def read(ids: torch.Tensor, mask: torch.Tensor, types: torch.Tensor) -> tuple[Numbers, Numbers]:
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
        feed = {name: value.numpy() for name, value in given.items() if name in inputs}
        labels, states = session.run(["logits", "both"], feed)
        return labels, states

    return _asked_in_batches(read, base(size))


def _asked_in_batches(
    read: Callable[[torch.Tensor, torch.Tensor, torch.Tensor], tuple[Numbers, Numbers]], folder: Path
) -> Teacher:
    known = tokenizer(folder)

    def say(drawn: Sequence[Drawn]) -> Said:
        order = sorted(range(len(drawn)), key=lambda at: len(drawn[at].pair.claim) + len(drawn[at].evidence))
        rows = [
            read(batch.ids, batch.mask, batch.types)
            for batch in batches([drawn[at] for at in order], known, size=BATCH)
        ]
        back = np.argsort(order)
        logits, states = (np.concatenate(parts)[back] for parts in zip(*rows, strict=True))
        labels = np.exp(logits - logits.max(-1, keepdims=True))
        spread = states.std(-1, keepdims=True) + 1e-6
        return Said(
            labels / labels.sum(-1, keepdims=True), (states - states.mean(-1, keepdims=True)) / spread
        )

    return say


def taught_pools(labelled: Mix, teacher_name: str, *, seed: int) -> Taught:
    """The pools of a mix, read by a run or by the reader of the repository."""
    folder = CACHE / teacher_name
    asked = shipped_teacher() if teacher_name == SHIPPED else teacher(folder)
    return Taught(labelled, asked, folder / "taught", seed=seed)


def main() -> None:
    """Read the pools of a run ahead of its training."""
    parser = argparse.ArgumentParser(description="Let a teacher read the pools of a run ahead of it.")
    parser.add_argument("--run", required=True, help="a run with a plan that names a teacher")
    parser.add_argument("--pools", type=int, required=True, help="the pools from the first on")
    wanted = parser.parse_args()
    plan = json.loads((CACHE / wanted.run / "plan.json").read_text("utf-8"))
    if not plan["teacher"]:
        parser.error(f"the plan of `{wanted.run}` names no teacher")
    mix = training_mix(seed=plan["pools"], shares=plan["shares"] or None, even=plan.get("even", ()))
    taught = taught_pools(mix, plan["teacher"], seed=plan["pools"])
    for number in range(wanted.pools):
        taught.pool(number, plan["pool"])
        print(f"pool {number + 1} of {wanted.pools}", flush=True)


if __name__ == "__main__":
    main()
