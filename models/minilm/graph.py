"""The BERT encoder, written as an ONNX graph straight from its weights.

Standard operators only, so that any ONNX runtime can load it.
The graph ends at the token vectors; pooling is the caller's.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

Weights = Mapping[str, NDArray[Any]]

OPSET = 20
"""The first opset with `Gelu` as a single operator."""
IR_VERSION = 9
"""The file format that belongs to opset 20."""
MASKED = -10_000.0
"""Added to the score of a padding token: its share becomes exactly 0, and half-width floats can hold it."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes of a BERT encoder."""

    layers: int
    heads: int
    width: int
    epsilon: float

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> "Shape":
        """Read the sizes from a `config.json`."""
        return cls(
            layers=config["num_hidden_layers"],
            heads=config["num_attention_heads"],
            width=config["hidden_size"],
            epsilon=config["layer_norm_eps"],
        )


@dataclass(slots=True)
class Draft:
    """A graph being written: every method adds nodes and returns the name of its result."""

    weights: Weights
    shape: Shape
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    constants: dict[str, onnx.TensorProto] = field(default_factory=dict)

    def op(self, kind: str, *inputs: str, out: str, **attributes: Any) -> str:
        """Add one operator whose result is called `out`."""
        self.nodes.append(helper.make_node(kind, list(inputs), [out], name=out, **attributes))
        return out

    def constant(self, name: str, value: NDArray[Any]) -> str:
        """Keep a value in the file, once per name."""
        self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def weight(self, name: str) -> str:
        return self.constant(name, self.weights[name])

    def linear(self, x: str, layer: str, *, scale: float = 1.0) -> str:
        """Multiply by a layer's weights and add its bias, both scaled beforehand."""
        factor = np.float32(scale)
        kernel = self.constant(f"{layer}.kernel", self.weights[f"{layer}.weight"].T * factor)
        bias = self.constant(f"{layer}.bias", self.weights[f"{layer}.bias"] * factor)
        return self.op("Add", self.op("MatMul", x, kernel, out=f"{layer}.matmul"), bias, out=f"{layer}.out")

    def norm(self, x: str, layer: str, *, out: str) -> str:
        scale, bias = self.weight(f"{layer}.weight"), self.weight(f"{layer}.bias")
        return self.op("LayerNormalization", x, scale, bias, out=out, axis=-1, epsilon=self.shape.epsilon)


def encoder(weights: Weights, shape: Shape) -> onnx.ModelProto:
    """The whole model: token ids in, token vectors out."""
    draft = Draft(weights, shape)
    x = _embeddings(draft)
    mask = _mask(draft)
    for number in range(shape.layers):
        layer = f"encoder.layer.{number}"
        last = number == shape.layers - 1
        x = _feed_forward(
            draft, _attention(draft, x, mask, layer), layer, out="last_hidden_state" if last else f"{layer}.x"
        )
    return _model(draft)


def _embeddings(draft: Draft) -> str:
    """Add up the vectors of word, token type and position."""
    word = draft.op(
        "Gather", draft.weight("embeddings.word_embeddings.weight"), "input_ids", out="embeddings.word"
    )
    kind = draft.op(
        "Gather",
        draft.weight("embeddings.token_type_embeddings.weight"),
        "token_type_ids",
        out="embeddings.type",
    )
    start = draft.constant("embeddings.start", np.array([0], np.int64))
    length = draft.op("Shape", "input_ids", out="embeddings.length", start=1, end=2)
    table = draft.weight("embeddings.position_embeddings.weight")
    position = draft.op("Slice", table, start, length, out="embeddings.position")
    named = draft.op("Add", word, kind, out="embeddings.named")
    placed = draft.op("Add", named, position, out="embeddings.placed")
    return draft.norm(placed, "embeddings.LayerNorm", out="embeddings.x")


def _mask(draft: Draft) -> str:
    """Turn 1 and 0 into what is added to the scores: [batch, 1, 1, sequence]."""
    axes = draft.constant("mask.axes", np.array([1, 2], np.int64))
    present = draft.op("Cast", "attention_mask", out="mask.present", to=TensorProto.FLOAT)
    wide = draft.op("Unsqueeze", present, axes, out="mask.wide")
    absent = draft.op("Sub", draft.constant("mask.one", np.array(1, np.float32)), wide, out="mask.absent")
    return draft.op(
        "Mul", absent, draft.constant("mask.value", np.array(MASKED, np.float32)), out="mask.added"
    )


def _attention(draft: Draft, x: str, mask: str, layer: str) -> str:
    """Let every token read the others, then add the input and normalise."""
    name, shape = f"{layer}.attention", draft.shape
    size = shape.width // shape.heads
    split = draft.constant("heads.split", np.array([0, 0, shape.heads, size], np.int64))
    join = draft.constant("heads.join", np.array([0, 0, shape.width], np.int64))

    def heads(part: str, order: list[int], scale: float = 1.0) -> str:
        flat = draft.linear(x, f"{name}.self.{part}", scale=scale)
        apart = draft.op("Reshape", flat, split, out=f"{name}.{part}.split")
        return draft.op("Transpose", apart, out=f"{name}.{part}.heads", perm=order)

    query = heads("query", [0, 2, 1, 3], scale=size**-0.5)
    key = heads("key", [0, 2, 3, 1])
    value = heads("value", [0, 2, 1, 3])
    scores = draft.op("Add", draft.op("MatMul", query, key, out=f"{name}.scores"), mask, out=f"{name}.masked")
    shares = draft.op("Softmax", scores, out=f"{name}.shares", axis=-1)
    read = draft.op("MatMul", shares, value, out=f"{name}.read")
    order = draft.op("Transpose", read, out=f"{name}.order", perm=[0, 2, 1, 3])
    joined = draft.op("Reshape", order, join, out=f"{name}.joined")
    dense = draft.linear(joined, f"{name}.output.dense")
    return draft.norm(
        draft.op("Add", dense, x, out=f"{name}.sum"), f"{name}.output.LayerNorm", out=f"{name}.x"
    )


def _feed_forward(draft: Draft, x: str, layer: str, *, out: str) -> str:
    """Widen, bend with the exact Gelu, narrow, then add the input and normalise."""
    wide = draft.linear(x, f"{layer}.intermediate.dense")
    bent = draft.op("Gelu", wide, out=f"{layer}.gelu", approximate="none")
    dense = draft.linear(bent, f"{layer}.output.dense")
    return draft.norm(draft.op("Add", dense, x, out=f"{layer}.sum"), f"{layer}.output.LayerNorm", out=out)


def _model(draft: Draft) -> onnx.ModelProto:
    """Close the graph and fix everything about the file that could vary."""
    axes: list[str | int] = ["batch", "sequence"]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, axes)
        for name in ("input_ids", "attention_mask", "token_type_ids")
    ]
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [*axes, draft.shape.width])
    graph = helper.make_graph(
        draft.nodes, "encoder", inputs, [output], initializer=list(draft.constants.values())
    )
    model = helper.make_model(
        graph,
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR_VERSION,
        producer_name="sensecheck-minilm",
        producer_version="1",
    )
    onnx.checker.check_model(model, full_check=True)
    return model
