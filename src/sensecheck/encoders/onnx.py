"""ONNX Runtime on the CPU: the default engine. No torch."""

from functools import partial
from pathlib import Path

import numpy as np

from sensecheck.core.backends import Vectors
from sensecheck.core.errors import EncoderError, WeightsError
from sensecheck.encoders.model_folder import assembled
from sensecheck.encoders.runtime import FAILURES, InferenceSession, SessionOptions
from sensecheck.encoders.transformer import Graph, Ids, Transformer


def onnx_encoder(
    path: Path, *, name: str, known: bool = False, threads: int = 1, prefix: str = ""
) -> Transformer:
    """The encoder in a model folder; `known` when the model is pinned."""
    engine = partial(onnx_graph, threads=threads)
    return assembled(path, engine, engine_name="onnx-fp32", name=name, known=known, prefix=prefix)


def onnx_graph(path: Path, *, threads: int = 1) -> tuple[Graph, int]:
    """A graph that runs, and the dimension of its vectors."""
    session = onnx_session(path, threads=threads)
    input_names = {entry.name for entry in session.get_inputs()}
    output = session.get_outputs()[0]
    if len(output.shape) != 3 or not isinstance(output.shape[2], int):
        raise WeightsError(
            f"`{path}` gives `{output.name}` {output.shape}; wanted token vectors of known dimension"
        )

    def run(ids: Ids, mask: Ids) -> Vectors:
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        try:
            outputs = session.run(
                [output.name], {name: inputs[name] for name in inputs if name in input_names}
            )
        except (*FAILURES, ValueError) as failed:
            raise EncoderError(f"ONNX Runtime could not run `{path}`: {failed}") from failed
        vectors: Vectors = outputs[0]
        return vectors

    return run, output.shape[2]


def onnx_session(path: Path, *, threads: int = 1) -> InferenceSession:
    """A session with bounded threads, whose memory does not grow with the number of shapes it sees."""
    options = SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.enable_mem_pattern = False
    options.log_severity_level = 3
    try:
        return InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except FAILURES as broken:
        raise WeightsError(f"`{path}` is not a graph that ONNX Runtime can run: {broken}") from broken
