"""The verifier as an ONNX graph: the encoder of `models/minilm/graph.py` with its two heads.

Standard operators only. The matrices lie in the file as bytes, each row with its own scale, and are
multiplied out once, when the graph is loaded: all that is computed for a pair is computed in float32.
"""

import numpy as np
import onnx
from models.minilm.graph import AXES, Draft, Shape, Weights, layers, model

MASKED = -1e4
"""The logit of a token that is not the claim's; as in training."""
HEADS = ("token.weight", "whole.weight")
"""Matrices that are too small to be worth keeping as bytes."""


def verifier(weights: Weights, shape: Shape) -> onnx.ModelProto:
    """The whole model: token ids in, logits of `unsupported` out, one a token and one a pair."""
    draft = Draft(weights, shape)
    vectors = layers(draft)
    shape_in = draft.op("Shape", "input_ids", out="shape")
    each = draft.op("Reshape", draft.linear(vectors, "token"), shape_in, out="token.each")
    masked = draft.number("token.masked", MASKED)
    tokens = draft.op("Where", _claims(draft), each, masked, out="tokens")
    together = draft.op(
        "ReduceLogSumExp", tokens, draft.integers("along", 1), out="tokens.together", keepdims=0
    )
    draft.op("Add", together, _whole(draft, vectors), out="pair")
    return model(draft, {"tokens": AXES, "pair": AXES[:1]}, name="verifier", made_by="sensecheck-verifier")


def _claims(draft: Draft) -> str:
    """Which tokens are the claim's: of type 0, no padding, and not the first one."""
    own = draft.op("Equal", "token_type_ids", draft.integers("claim.type", 0), out="claim.own")
    present = draft.op("Equal", "attention_mask", draft.integers("claim.there", 1), out="claim.present")
    length = draft.op("Shape", "input_ids", out="claim.length", start=1, end=2)
    none = draft.constant("claim.none", np.array(0, np.int64))
    one = draft.constant("claim.one", np.array(1, np.int64))
    number = draft.op("Squeeze", length, draft.integers("claim.axis", 0), out="claim.count")
    places = draft.op("Range", none, number, one, out="claim.places")
    later = draft.op("Greater", places, none, out="claim.later")
    both = draft.op("And", own, present, out="claim.both")
    return draft.op("And", both, later, out="claim")


def _whole(draft: Draft, vectors: str) -> str:
    """What the first token says of the whole pair: [batch]."""
    rows = draft.op("Reshape", vectors, draft.sized(draft.shape.width, out="rows.shape"), out="rows")
    place = draft.constant("first.place", np.array(0, np.int64))
    first = draft.op("Gather", rows, place, out="first.token", axis=1)
    return draft.op("Squeeze", draft.linear(first, "whole"), draft.integers("along", 1), out="whole")
