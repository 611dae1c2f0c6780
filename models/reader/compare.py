"""What one byte a weight, and other engines, do to a reader's decisions: `compare.py --run NAME ...`.

The averaged weights of a run are read by the network that was trained, in float32, and by the graph that
would be shipped, on pairs of the development half of `everyday`. The figures go to
`benchmarks/results/reader.json`; `card.py` writes the table.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, `models` is not on the path

import onnx
import torch
from models.heads.public import data_folder
from models.minilm.graph import widened
from models.reader.card import RESULTS
from models.reader.evaluate import Sets, everyday
from models.reader.evidence import Vectors, read_with
from models.reader.export import exported, plain
from models.reader.graph import as_bytes
from models.reader.graph import reader as graph_of
from models.reader.mix import Drawn
from models.reader.network import Batch, Reader, batches, reader, tokenizer
from models.reader.pairs import SUPPORTED, Pair
from models.reader.source import CACHE, base
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.numpy import load_file
from sklearn.metrics import roc_auc_score

from sensecheck.encoders.openvino import compiled_graph
from sensecheck.encoders.runtime import InferenceSession, SessionOptions

Numbers = npt.NDArray[np.float64]
Feed = dict[str, npt.NDArray[np.int64]]
Judge = Callable[[Batch], npt.NDArray[np.float32]]
"""Three logits for each pair of a batch."""
BATCH = 8


def main() -> None:
    """Compare as the command line says."""
    parser = argparse.ArgumentParser(description="Compare what is shipped with what was trained.")
    parser.add_argument("--run", required=True, help="its name: a folder under .cache/reader")
    parser.add_argument("--pairs", type=int, default=200, help="pairs of each set")
    wanted = parser.parse_args()
    torch.set_num_threads(1)
    plan = json.loads((CACHE / wanted.run / "plan.json").read_text("utf-8"))
    sets = everyday(data_folder(), most=wanted.pairs)
    with tempfile.TemporaryDirectory() as folder:
        found = compare(CACHE / wanted.run, plan["size"], sets=sets, scratch=Path(folder))
    told = json.loads(RESULTS.read_text("utf-8"))
    told.setdefault("shipped", {})[wanted.run] = {"size": plan["size"], "engines": found}
    RESULTS.write_text(json.dumps(told, indent=1) + "\n", "utf-8")


def compare(folder: Path, size: str, *, sets: Sets, scratch: Path) -> list[dict[str, Any]]:
    """One row for each way to compute and each set."""
    known, vectors = tokenizer(base(size)), Vectors.load()
    drawn = {name: [Drawn(pair, read_with(pair, vectors)) for pair in some] for name, some in sets.items()}
    laid = {name: list(batches(some, known, size=BATCH)) for name, some in drawn.items()}
    state = torch.load(folder / "checkpoint.pt", weights_only=True, mmap=True)["mean"]
    network = reader(size)
    network.load_state_dict(state, strict=False)
    exact = {name: _logits(in_torch(network.eval()), some) for name, some in laid.items()}
    rows = []
    for engine, judge in engines(folder, size, scratch):
        for name, some in laid.items():
            found = moved(sets[name], exact[name], _logits(judge, some))
            rows.append({"engine": engine, "set": name} | found)
            print(json.dumps(rows[-1]), flush=True)
    return rows


def engines(folder: Path, size: str, scratch: Path) -> Iterator[tuple[str, Judge]]:
    """Every way to compute the shipped weights; and the graph with weights that were not rounded."""
    source = base(size)
    config = json.loads((source / "config.json").read_text("utf-8"))
    published = load_file(source / "model.safetensors")
    learned = torch.load(folder / "checkpoint.pt", weights_only=True, mmap=True)["mean"]
    whole = scratch / "whole.onnx"
    onnx.save(graph_of({**published, **plain(learned)}, config), whole)
    yield "ONNX Runtime, float32 weights", in_session(whole)
    kept = as_bytes({**published, **exported(folder, cache=CACHE).weights})
    small = scratch / "bytes.onnx"
    onnx.save(graph_of(kept, config), small)
    yield "ONNX Runtime, one byte a weight", in_session(small)
    yield "OpenVINO, one byte a weight", in_openvino(small)
    onnx.save(graph_of(widened(kept), config), whole)
    quantize_dynamic(whole, scratch / "int8.onnx", per_channel=True, weight_type=QuantType.QInt8)
    yield "ONNX Runtime, computed in int8", in_session(scratch / "int8.onnx")


def in_torch(network: Reader) -> Judge:
    """The network that was trained."""

    def judge(batch: Batch) -> npt.NDArray[np.float32]:
        with torch.inference_mode():
            found: npt.NDArray[np.float32] = network(batch.ids, batch.mask, batch.types).labels.numpy()
        return found

    return judge


def in_session(graph: Path) -> Judge:
    """A graph on ONNX Runtime, with one thread."""
    options = SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    session = InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
    inputs = {entry.name for entry in session.get_inputs()}
    return lambda batch: session.run(["logits"], _fed(batch, inputs))[0]


def in_openvino(graph: Path) -> Judge:
    """A graph on OpenVINO in float32, with one thread."""
    compiled = compiled_graph(graph, precision="fp32", threads=1)
    inputs = {entry.any_name for entry in compiled.inputs}
    return lambda batch: np.array(compiled(_fed(batch, inputs))[compiled.output("logits")], np.float32)


def moved(pairs: Sequence[Pair], exact: Numbers, found: Numbers) -> dict[str, Any]:
    """How far logits and probabilities are from those of the network, and what that does to decisions."""
    labels = [pair.supported for pair in pairs]
    apart = np.abs(found - exact)
    before, after = _shares(exact), _shares(found)
    return {
        "pairs": len(pairs),
        "logits, mean": round(float(apart.mean()), 5),
        "logits, most": round(float(apart.max()), 5),
        "probability, most": round(float(np.abs(after - before).max()), 5),
        "same label": round(float((exact.argmax(1) == found.argmax(1)).mean()), 4),
        "auroc before": round(float(roc_auc_score(labels, before[:, SUPPORTED])), 4),
        "auroc": round(float(roc_auc_score(labels, after[:, SUPPORTED])), 4),
    }


def _fed(batch: Batch, inputs: set[str]) -> Feed:
    given = {"input_ids": batch.ids, "attention_mask": batch.mask, "token_type_ids": batch.types}
    return {name: value.numpy() for name, value in given.items() if name in inputs}


def _logits(judge: Judge, some: Sequence[Batch]) -> Numbers:
    return np.concatenate([judge(batch) for batch in some]).astype(np.float64)


def _shares(logits: Numbers) -> Numbers:
    raised = np.exp(logits - logits.max(1, keepdims=True))
    return np.asarray(raised / raised.sum(1, keepdims=True))


if __name__ == "__main__":
    main()
