"""OpenVINO on the CPU: as exact as ONNX Runtime in fp32, faster and a little less exact in bf16."""

import sys
from functools import partial
from importlib import import_module
from pathlib import Path
from threading import local
from typing import Any, Literal

import numpy as np

from sensecheck.core.backends import Vectors
from sensecheck.core.errors import EncoderError, WeightsError
from sensecheck.encoders.model_folder import assembled
from sensecheck.encoders.transformer import Graph, Ids, Transformer

Precision = Literal["fp32", "bf16"]
HINTS: dict[Precision, str] = {"fp32": "f32", "bf16": "bf16"}
"""What OpenVINO calls each precision."""


def openvino_encoder(
    path: Path,
    *,
    name: str,
    known: bool = False,
    precision: Precision = "fp32",
    threads: int = 1,
    prefix: str = "",
) -> Transformer:
    """The encoder in a model folder. `bf16` moves similarity a little: it wants an unsure band of 0.005."""
    engine = partial(openvino_graph, precision=precision, threads=threads)
    return assembled(path, engine, engine_name=f"openvino-{precision}", name=name, known=known, prefix=prefix)


def openvino_graph(path: Path, *, precision: Precision, threads: int = 1) -> tuple[Graph, int]:
    """A graph that runs, and the dimension of its vectors."""
    compiled = compiled_graph(path, precision=precision, threads=threads)
    input_names = {entry.any_name for entry in compiled.inputs}
    shape = compiled.outputs[0].partial_shape
    if len(shape) != 3 or not shape[2].is_static:
        raise WeightsError(f"`{path}` gives {shape}; wanted token vectors of known dimension")
    thread_state = local()

    def run(ids: Ids, mask: Ids) -> Vectors:
        if not hasattr(thread_state, "request"):
            thread_state.request = compiled.create_infer_request()  # one per thread: it cannot be shared
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        try:
            outputs = thread_state.request.infer(
                {name: inputs[name] for name in inputs if name in input_names}
            )
        except RuntimeError as failed:
            raise EncoderError(f"OpenVINO could not run `{path}`: {failed}") from failed
        return np.array(outputs[compiled.outputs[0]], np.float32)

    return run, shape[2].get_length()


def compiled_graph(path: Path, *, precision: Precision, threads: int = 1) -> Any:
    """A graph as OpenVINO runs it in exactly this precision, or `EncoderError`."""
    settings = {
        "INFERENCE_PRECISION_HINT": HINTS[precision],
        "INFERENCE_NUM_THREADS": threads,
        "NUM_STREAMS": 1,
        "ENABLE_CPU_PINNING": False,
    }
    openvino = _without_telemetry()
    try:
        compiled = openvino.Core().compile_model(str(path), "CPU", settings)
    except RuntimeError as broken:
        raise WeightsError(f"`{path}` is not a graph that OpenVINO can run: {broken}") from broken
    actual = compiled.get_property("INFERENCE_PRECISION_HINT").get_type_name()
    if actual != HINTS[precision]:
        raise EncoderError(f"this machine runs OpenVINO in `{actual}`; wanted `{HINTS[precision]}`")
    return compiled


def _without_telemetry() -> Any:
    """The `openvino` package. Its import reports to its makers, unless it finds its reporter missing."""
    reporter = "openvino_telemetry"
    if "openvino" in sys.modules or reporter in sys.modules:
        return import_module("openvino")
    sys.modules[reporter] = None  # type: ignore[assignment]  # Python's own way to call a module missing
    try:
        return import_module("openvino")
    finally:
        del sys.modules[reporter]
