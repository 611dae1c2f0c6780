"""What a claim costs with the small and the large reader: `python benchmarks/speed/readers.py`.

Ratios of CPU time in one run, one thread, the contestants taking turns. A session's claim is divided by a
bare pass of the same graph over the same tokens. What was learned does not change how long a pass takes, so
without `models/reader/weights` the published encoders with outputs of random numbers stand for the readers.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

import onnx
from benchmarks.speed.measured import Goal, Measured
from benchmarks.speed.rounds import paired, race
from benchmarks.speed.run import table
from models.minilm.graph import widened
from models.reader.build import configured
from models.reader.graph import as_bytes
from models.reader.graph import reader as graph_of
from models.reader.shipped import WEIGHTS, Made, restored
from models.reader.source import SIZES, base
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from sensecheck.core.errors import EncoderError
from sensecheck.encoders.onnx import onnx_session
from sensecheck.encoders.openvino import Precision, compiled_graph
from sensecheck.encoders.verifier import OnnxVerifier

RESULTS = Path(__file__).resolve().parents[1] / "results" / "readers_speed.json"
NAMES: Mapping[str, str] = {"minilm": "small", "mpnet": "large"}
TOKENS = (64, 128)
CLAIM_WORDS = 14
MANY = 16
"""Claims that are asked about at once."""
WORDS = ["the", "shop", "on", "corner", "opens", "at", "nine", "but", "it", "is", "closed", "in", "may"]
"""Words that are one token each."""
Feed = dict[str, npt.NDArray[np.int64]]


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description="Measure what a claim costs, as ratios of CPU time.")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=SIZES)
    wanted = parser.parse_args()
    found: list[Measured] = []
    bare: dict[tuple[str, int], Callable[[], object]] = {}
    refused: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as scratch:
        for size in wanted.sizes:
            folder = model_folder(size, Path(scratch) / size)
            others = dict(engines(folder, refused))
            for tokens in TOKENS:
                one = Case(size, tokens, folder)
                bare[size, tokens] = one.pass_over(1)
                found += one.measured(others, rounds=wanted.rounds)
        found += large_by_small(bare, rounds=wanted.rounds)
    print(table(found))
    print("\n".join(f"refused: {name}: {why}" for name, why in refused.items()))
    told = {
        "about": "Ratios of CPU time on one thread, each measured in one run, the contestants taking turns; "
        "the median of the rounds, and the lowest and highest of them.",
        "packages": {name: version(name) for name in ("onnxruntime", "openvino", "numpy")},
        "refused": refused,
        "measured": [one.to_data() for one in found],
    }
    if set(wanted.sizes) == set(SIZES):
        RESULTS.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")


class Case:
    """A reader, and pairs of so many tokens."""

    def __init__(self, size: str, tokens: int, folder: Path) -> None:
        self._size, self._tokens, self._folder = size, tokens, folder
        known = Tokenizer.from_file(str(folder / "tokenizer.json"))
        around = known.num_special_tokens_to_add(is_pair=True)
        words = [WORDS[at % len(WORDS)] for at in range(tokens - around)]
        self._pair = " ".join(words[:CLAIM_WORDS]), " ".join(words[CLAIM_WORDS:])
        self._row = known.encode(*self._pair)
        if len(self._row.ids) != tokens:
            raise ValueError(f"a pair must have {tokens} tokens; got {len(self._row.ids)}")
        self._session = onnx_session(folder / "onnx" / "model.onnx")
        self._verifier = OnnxVerifier.from_folder(folder)

    def fed(self, count: int, inputs: set[str]) -> Feed:
        """The inputs of so many equal rows."""
        row = {
            "input_ids": self._row.ids,
            "attention_mask": self._row.attention_mask,
            "token_type_ids": self._row.type_ids,
        }
        return {name: np.array([row[name]] * count, np.int64) for name in inputs}

    def pass_over(self, count: int) -> Callable[[], object]:
        """A bare pass over tokens that are laid out."""
        given = self.fed(count, {entry.name for entry in self._session.get_inputs()})
        return lambda: self._session.run(["logits", "tokens"], given)

    def measured(self, others: Mapping[str, Any], *, rounds: int) -> Iterator[Measured]:
        """The session by a bare pass, for one claim and for many; and other engines by that pass."""
        name, tokens = NAMES[self._size], f"{self._tokens} tokens"
        times = 32 if self._size == "minilm" else 3
        spent = race(
            {
                "bare": _repeated(self.pass_over(1), times),
                "session": _repeated(lambda: self._verifier.score([self._pair]), times),
                "bare, many": self.pass_over(MANY),
                "session, many": lambda: self._verifier.score([self._pair] * MANY),
                **{engine: _repeated(self._other(run), times) for engine, run in others.items()},
            },
            rounds,
        )
        yield Measured.of(
            f"{name}, one claim, {tokens}",
            f"one claim of the {name} reader, from text to score, by a bare pass over its {tokens}",
            ratios=paired(spent["session"], spent["bare"]),
            goal=Goal(1.3, "below"),
        )
        yield Measured.of(
            f"{name}, {MANY} claims at once, {tokens}",
            f"throughput of the {name} reader on {MANY} claims at once by a bare pass over their {tokens}",
            ratios=paired(spent["bare, many"], spent["session, many"]),
            goal=Goal(0.85, "above"),
        )
        for engine in others:
            yield Measured.of(
                f"{name}, {engine}, {tokens}",
                f"a bare pass of the {name} reader over {tokens}: {engine} by ONNX Runtime in float32",
                ratios=paired(spent[engine], spent["bare"]),
            )

    def _other(self, run: Callable[[Feed], object]) -> Callable[[], object]:
        given = self.fed(1, {entry.name for entry in self._session.get_inputs()})
        return lambda: run(given)


def large_by_small(
    bare: Mapping[tuple[str, int], Callable[[], object]], *, rounds: int
) -> Iterator[Measured]:
    """A bare pass of the large reader by one of the small."""
    for tokens in TOKENS:
        if ("minilm", tokens) in bare and ("mpnet", tokens) in bare:
            small, large = (_repeated(bare[size, tokens], 6) for size in ("minilm", "mpnet"))
            spent = race({"small": small, "large": large}, rounds)
            yield Measured.of(
                f"large by small, {tokens} tokens",
                f"a bare pass of the large reader over {tokens} tokens by one of the small reader",
                ratios=paired(spent["large"], spent["small"]),
            )


def model_folder(size: str, folder: Path) -> Path:
    """The folder of a reader, with what was learned if that is here."""
    source = base(size)
    config = json.loads((source / "config.json").read_text("utf-8"))
    weights = load_file(source / "model.safetensors")
    learned = WEIGHTS / f"{size}.safetensors"
    width, rng = config["hidden_size"], np.random.default_rng(0)
    for head, outputs, inputs in (("label", 3, 2 * width), ("token", 1, width)):
        weights[f"{head}.weight"] = rng.normal(0, 0.05, (outputs, inputs)).astype(np.float32)
        weights[f"{head}.bias"] = np.zeros(outputs, np.float32)
    weights |= restored(Made.read(learned)[1], weights) if learned.is_file() else {}
    kept = as_bytes(weights)
    (folder / "onnx").mkdir(parents=True)
    onnx.save(graph_of(kept, config), folder / "onnx" / "model.onnx")
    onnx.save(graph_of(widened(kept), config), folder / "whole.onnx")
    (folder / "config.json").write_text(json.dumps(configured(config)), "utf-8")
    tokenizer = Tokenizer.from_file(str(source / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def engines(folder: Path, refused: dict[str, str]) -> Iterator[tuple[str, Callable[[Feed], object]]]:
    """Other ways to compute a reader; one that this machine cannot do is written down in `refused`."""
    quantize_dynamic(
        folder / "whole.onnx", folder / "int8.onnx", per_channel=True, weight_type=QuantType.QInt8
    )
    int8 = onnx_session(folder / "int8.onnx")
    yield "ONNX Runtime in int8", lambda given: int8.run(["logits", "tokens"], given)
    precisions: tuple[Precision, ...] = ("fp32", "bf16")
    for precision in precisions:
        try:
            compiled = compiled_graph(folder / "onnx" / "model.onnx", precision=precision)
        except EncoderError as why:
            refused[f"OpenVINO in {precision}"] = str(why)
        else:
            yield f"OpenVINO in {precision}", compiled.create_infer_request().infer


def _repeated(work: Callable[[], object], times: int) -> Callable[[], object]:
    def again() -> None:
        for _ in range(times):
            work()

    return again


if __name__ == "__main__":
    main()
