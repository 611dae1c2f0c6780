"""The BERT encoder, written as an ONNX graph straight from its weights.

Standard operators only, so that any ONNX runtime can load it, and every weight as it was given.
The tokens of a batch lie in one flat list, [tokens, width], so that each layer is a single `Gemm`; only
attention sees them as [batch, heads, sequence, size].
The graph ends at the token vectors; pooling is the caller's.
"""

from collections.abc import Collection, Mapping, Sequence
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
AXES = ("batch", "sequence")
INPUTS = ("input_ids", "attention_mask", "token_type_ids")


@dataclass(frozen=True, slots=True)
class Names:
    """What a kind of encoder calls the parts of its attention."""

    query: str
    key: str
    value: str
    output: str
    norm: str


BERT = Names("self.query", "self.key", "self.value", "output.dense", "output.LayerNorm")


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
    """A graph being written: every method adds to it and returns the name of its result."""

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
        self.constants[name] = numpy_helper.from_array(value, name)
        return name

    def integers(self, name: str, *values: int) -> str:
        """Keep whole numbers: axes, or the sizes of a shape."""
        return self.constant(name, np.array(values, np.int64))

    def number(self, name: str, value: float) -> str:
        """Keep a single number."""
        return self.constant(name, np.array(value, np.float32))

    def weight(self, name: str) -> str:
        """Keep a weight under its published name; bytes become floats again by the scale of their row."""
        value = self.weights[name]
        if value.dtype != np.int8:
            return self.constant(name, value)
        kept = self.constant(f"{name}.bytes", value)
        wide = self.op("Cast", kept, out=f"{name}.wide", to=TensorProto.FLOAT)
        return self.op("Mul", wide, self.constant(f"{name}.scale", self.weights[f"{name}.scale"]), out=name)

    def linear(self, x: str, layer: str) -> str:
        """Multiply by a layer's weights and add its bias."""
        weight, bias = self.weight(f"{layer}.weight"), self.weight(f"{layer}.bias")
        return self.op("Gemm", x, weight, bias, out=f"{layer}.out", transB=1)

    def norm(self, x: str, layer: str) -> str:
        """Normalise every token by itself."""
        scale, bias = self.weight(f"{layer}.weight"), self.weight(f"{layer}.bias")
        epsilon = self.shape.epsilon
        return self.op("LayerNormalization", x, scale, bias, out=f"{layer}.out", axis=-1, epsilon=epsilon)

    def flat(self, x: str, *, out: str) -> str:
        """Lay all tokens of the batch in one list."""
        return self.op("Reshape", x, self.integers("flat", -1, self.shape.width), out=out)

    def sized(self, *sizes: int, out: str) -> str:
        """The shape [batch, sequence, *sizes], for this input."""
        batch = self.op("Shape", "input_ids", out=f"{out}.batch")
        return self.op("Concat", batch, self.integers(f"{out}.sizes", *sizes), out=out, axis=0)


def encoder(weights: Weights, shape: Shape) -> onnx.ModelProto:
    """The whole model: token ids in, token vectors out."""
    draft = Draft(weights, shape)
    draft.op("Reshape", layers(draft), draft.sized(shape.width, out="tokens"), out="last_hidden_state")
    return model(
        draft, {"last_hidden_state": [*AXES, shape.width]}, name="encoder", made_by="sensecheck-minilm"
    )


def layers(draft: Draft) -> str:
    """Everything from the ids to the vectors of the last layer, those of all tokens in one flat list."""
    return stacked(draft, _embeddings(draft), mask=masked(draft))


def stacked(draft: Draft, x: str, *, mask: str, names: Names = BERT) -> str:
    """All layers on top of the embeddings; `mask` is added to the scores of attention."""
    shape = draft.shape
    split = draft.sized(shape.heads, shape.width // shape.heads, out="heads")
    for number in range(shape.layers):
        layer = f"encoder.layer.{number}"
        x = _attention(draft, x, f"{layer}.attention", mask=mask, split=split, names=names)
        x = _feed_forward(draft, x, layer)
    return x


def model(
    draft: Draft, outputs: Mapping[str, Sequence[str | int]], *, name: str, made_by: str,
    inputs: Sequence[str] = INPUTS,
) -> onnx.ModelProto:  # fmt: skip
    """Close the graph and fix everything about the file that could vary."""
    taken = [helper.make_tensor_value_info(given, TensorProto.INT64, AXES) for given in inputs]
    given_back = [
        helper.make_tensor_value_info(output, TensorProto.FLOAT, axes) for output, axes in outputs.items()
    ]
    constants = list(draft.constants.values())
    made = helper.make_model(
        helper.make_graph(draft.nodes, name, taken, given_back, initializer=constants),
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR_VERSION,
        producer_name=made_by,
        producer_version="1",
    )
    onnx.checker.check_model(made, full_check=True)
    return made


def narrowed(weights: Weights, *, whole: Collection[str] = ()) -> dict[str, NDArray[np.generic]]:
    """The weights with every matrix as bytes and a scale a row, except those that stay `whole`."""
    kept: dict[str, NDArray[np.generic]] = {}
    for name, value in weights.items():
        if value.ndim != 2 or name in whole:
            kept[name] = value.astype(np.float32)
            continue
        widest = np.maximum(np.abs(value).max(axis=1, keepdims=True), 1e-12)  # a row of zeros has no scale
        kept[f"{name}.scale"] = scale = (widest / 127).astype(np.float32)
        kept[name] = np.rint(value / scale).astype(np.int8)
    return kept


def widened(weights: Mapping[str, NDArray[np.generic]]) -> dict[str, NDArray[np.float32]]:
    """The matrices multiplied out, as the graph does when it is loaded."""
    floats = {name: value.astype(np.float32) for name, value in weights.items()}
    return {
        name: value * floats[f"{name}.scale"] if f"{name}.scale" in floats else value
        for name, value in floats.items()
        if not name.endswith(".scale")
    }


def _embeddings(draft: Draft) -> str:
    """Add up the vectors of word, token type and position."""
    words, types, positions = (
        draft.weight(f"embeddings.{table}_embeddings.weight") for table in ("word", "token_type", "position")
    )
    word = draft.op("Gather", words, "input_ids", out="embeddings.word")
    kind = draft.op("Gather", types, "token_type_ids", out="embeddings.type")
    length = draft.op("Shape", "input_ids", out="embeddings.length", start=1, end=2)
    position = draft.op("Slice", positions, draft.integers("first", 0), length, out="embeddings.position")
    typed = draft.op("Add", word, kind, out="embeddings.typed")
    placed = draft.op("Add", typed, position, out="embeddings.placed")
    return draft.norm(draft.flat(placed, out="embeddings.flat"), "embeddings.LayerNorm")


def masked(draft: Draft) -> str:
    """Turn 1 and 0 into what is added to the scores: [batch, 1, 1, sequence]."""
    present = draft.op("Cast", "attention_mask", out="mask.present", to=TensorProto.FLOAT)
    wide = draft.op("Unsqueeze", present, draft.integers("mask.axes", 1, 2), out="mask.wide")
    absent = draft.op("Sub", draft.number("one", 1), wide, out="mask.absent")
    return draft.op("Mul", absent, draft.number("masked", MASKED), out="mask.added")


def _attention(draft: Draft, x: str, name: str, *, mask: str, split: str, names: Names) -> str:
    """Let every token read the others, then add the input and normalise."""

    def heads(part: str, order: list[int]) -> str:
        read = draft.linear(x, f"{name}.{getattr(names, part)}")
        apart = draft.op("Reshape", read, split, out=f"{name}.{part}.split")
        return draft.op("Transpose", apart, out=f"{name}.{part}", perm=order)

    query, key, value = heads("query", [0, 2, 1, 3]), heads("key", [0, 2, 3, 1]), heads("value", [0, 2, 1, 3])
    scale = draft.number("scale", (draft.shape.width // draft.shape.heads) ** -0.5)
    scores = draft.op("Mul", draft.op("MatMul", query, key, out=f"{name}.dot"), scale, out=f"{name}.scores")
    present = draft.op("Add", scores, mask, out=f"{name}.masked")
    shares = draft.op("Softmax", present, out=f"{name}.shares", axis=-1)
    read = draft.op("MatMul", shares, value, out=f"{name}.read")
    ordered = draft.op("Transpose", read, out=f"{name}.ordered", perm=[0, 2, 1, 3])
    dense = draft.linear(draft.flat(ordered, out=f"{name}.joined"), f"{name}.{names.output}")
    return draft.norm(draft.op("Add", dense, x, out=f"{name}.sum"), f"{name}.{names.norm}")


def _feed_forward(draft: Draft, x: str, layer: str) -> str:
    """Widen, bend with the exact Gelu, narrow, then add the input and normalise."""
    wide = draft.linear(x, f"{layer}.intermediate.dense")
    bent = draft.op("Gelu", wide, out=f"{layer}.gelu", approximate="none")
    dense = draft.linear(bent, f"{layer}.output.dense")
    return draft.norm(draft.op("Add", dense, x, out=f"{layer}.sum"), f"{layer}.output.LayerNorm")
