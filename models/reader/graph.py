"""The reader as an ONNX graph: the layers of `models/minilm/graph.py` as BERT or as MPNet, and the outputs.

Standard operators only. The matrices lie in the file as bytes, each row with its own scale, and are
multiplied out once, when the graph is loaded: all that is computed for a pair is computed in float32.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
from models.minilm.graph import (
    AXES,
    INPUTS,
    Draft,
    Names,
    Shape,
    Weights,
    layers,
    masked,
    model,
    narrowed,
    stacked,
)
from numpy.typing import NDArray
from onnx import TensorProto

MPNET = Names("attn.q", "attn.k", "attn.v", "attn.o", "LayerNorm")
BIAS = "encoder.relative_attention_bias.weight"
WHOLE = ("label.weight", "token.weight", BIAS)
"""Matrices that are too small to be worth keeping as bytes."""
PADDING = 1
"""MPNet counts positions from the one after this."""
FURTHEST = 128
"""From this distance on, MPNet does not tell places apart."""
UNUSED = ("embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias")
"""What published encoders hold beside what a reader computes."""


def reader(weights: Weights, config: Mapping[str, Any]) -> onnx.ModelProto:
    """The whole model: a pair's tokens in, three logits a pair and one a token out.

    `logits` has the order of `LABELS`; `tokens` are logits of "not supported", of use for a claim's tokens.
    """
    draft = Draft(weights, Shape.from_config(config))
    kind = config["model_type"]
    if kind not in ("bert", "mpnet"):
        raise ValueError(f"`model_type` must be bert or mpnet; got {kind!r}")
    vectors = layers(draft) if kind == "bert" else _mpnet(draft, config)
    shape_in = draft.op("Shape", "input_ids", out="shape")
    draft.op("Reshape", draft.linear(vectors, "token"), shape_in, out="tokens")
    rows = draft.op("Reshape", vectors, draft.sized(draft.shape.width, out="rows.shape"), out="rows")
    place = draft.constant("first.place", np.array(0, np.int64))
    first = draft.op("Gather", rows, place, out="first.token", axis=1)
    both = draft.op("Concat", _mean(draft, rows), first, out="both", axis=-1)
    draft.op("Identity", draft.linear(both, "label"), out="logits")
    return model(
        draft, {"logits": [AXES[0], len(weights["label.bias"])], "tokens": AXES}, name="reader",
        made_by="sensecheck-verifier", inputs=INPUTS if kind == "bert" else INPUTS[:2],
    )  # fmt: skip


def as_bytes(weights: Weights) -> dict[str, NDArray[np.generic]]:
    """The weights as they lie in files: rows of bytes, what is small as float32, what is unused left out."""
    used = {name: weights[name] for name in sorted(weights) if name not in UNUSED}
    return narrowed(used, whole=WHOLE)


def buckets(most: int, count: int) -> NDArray[np.int64]:
    """The bucket of every distance from `1 - most` to `most - 1`, as MPNet sorts them."""
    distance = np.arange(1 - most, most)
    half = count // 2
    exact = half // 2
    size = np.abs(distance)
    with np.errstate(divide="ignore"):
        scaled = np.log(size.astype(np.float32) / exact) / np.float32(np.log(FURTHEST / exact))
    far = exact + np.where(size < exact, 0, scaled * (half - exact)).astype(np.int64)
    near = np.where(size < exact, size, np.minimum(far, half - 1))
    return near + np.where(distance > 0, half, 0)


def _mpnet(draft: Draft, config: Mapping[str, Any]) -> str:
    """The embeddings of word and position, and layers whose attention knows how far apart tokens stand."""
    words, positions = (
        draft.weight(f"embeddings.{table}_embeddings.weight") for table in ("word", "position")
    )
    length = draft.op("Shape", "input_ids", out="length", start=1, end=2)
    start = draft.integers("position.start", PADDING + 1)
    end = draft.op("Add", length, start, out="position.end")
    position = draft.op("Slice", positions, start, end, out="embeddings.position")
    word = draft.op("Gather", words, "input_ids", out="embeddings.word")
    placed = draft.op("Add", word, position, out="embeddings.placed")
    x = draft.norm(draft.flat(placed, out="embeddings.flat"), "embeddings.LayerNorm")
    added = draft.op("Add", masked(draft), _distances(draft, config, length), out="mask.distances")
    return stacked(draft, x, mask=added, names=MPNET)


def _distances(draft: Draft, config: Mapping[str, Any], length: str) -> str:
    """What the distance of two tokens adds to their score: [1, heads, sequence, sequence]."""
    most = config["max_position_embeddings"] - PADDING - 1
    known = draft.constant("buckets", buckets(most, config["relative_attention_num_buckets"]))
    none, one = (draft.constant(f"number.{value}", np.array(value, np.int64)) for value in (0, 1))
    count = draft.op("Squeeze", length, draft.integers("place.axis", 0), out="place.count")
    to = draft.op("Range", none, count, one, out="place.to")
    since = draft.op("Unsqueeze", to, draft.integers("place.from.axis", 1), out="place.from")
    apart = draft.op("Sub", to, since, out="place.apart")
    row = draft.op(
        "Add", apart, draft.constant("place.middle", np.array(most - 1, np.int64)), out="place.row"
    )
    bucket = draft.op("Gather", known, row, out="place.bucket")
    each = draft.op("Gather", draft.weight(BIAS), bucket, out="distances.each")
    heads = draft.op("Transpose", each, out="distances.heads", perm=[2, 0, 1])
    return draft.op("Unsqueeze", heads, draft.integers("distances.axis", 0), out="distances")


def _mean(draft: Draft, rows: str) -> str:
    """The mean of the vectors of all tokens that are no padding: [batch, width]."""
    present = draft.op("Cast", "attention_mask", out="mean.present", to=TensorProto.FLOAT)
    each = draft.op("Unsqueeze", present, draft.integers("mean.last", 2), out="mean.each")
    kept = draft.op("Mul", rows, each, out="mean.kept")
    along = draft.integers("mean.along", 1)
    total = draft.op("ReduceSum", kept, along, out="mean.total", keepdims=0)
    return draft.op(
        "Div", total, draft.op("ReduceSum", each, along, out="mean.count", keepdims=0), out="mean"
    )
