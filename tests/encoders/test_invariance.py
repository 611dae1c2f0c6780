"""Neighbours must not move a vector: proved for what we use, and int8 is caught."""

import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from onnxruntime.quantization import QuantType, quantize_dynamic

from sensecheck.core.backends import Embedding, Encoder
from sensecheck.core.errors import NotBatchInvariant
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.encoders.invariance import Proof, prove, require_invariant
from sensecheck.encoders.onnx import onnx_encoder


@pytest.fixture(scope="module")
def int8(model_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Encoder:
    """The default model with weights of eight bits, and activations quantised by the batch they are in."""
    folder = tmp_path_factory.mktemp("int8")
    shutil.copytree(model_folder, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.onnx"))
    quantize_dynamic(
        model_folder / "onnx/model.onnx", folder / "onnx/model.onnx", weight_type=QuantType.QInt8
    )
    return onnx_encoder(folder, name="int8")


def test_the_default_encoder_is_invariant(minilm: Encoder) -> None:
    proof = require_invariant(minilm)

    assert proof.grade == "invariant", proof


def test_hashing_is_invariant() -> None:
    assert prove(HashingEncoder()).grade == "invariant"


def test_an_int8_vector_moves_with_its_neighbours(int8: Encoder) -> None:
    text = "The museum opens at nine and closes at five."
    neighbour = "Zebra quantum 9 lava @ moon # fish ! wine"
    alone = int8.encode([text])[0].vector
    beside = int8.encode([text, neighbour])[0].vector

    assert np.array_equal(alone, int8.encode([text])[0].vector)
    moved = np.linalg.norm(alone - beside)
    assert moved > 1e-3, f"the vector moved by {moved}"


def test_int8_is_refused_with_the_figure(int8: Encoder) -> None:
    with pytest.raises(NotBatchInvariant) as caught:
        require_invariant(int8, nearly=True)

    said = re.search(r"similarity moved by (\S+) .* at most 5e-03 is allowed", str(caught.value))
    assert said is not None, str(caught.value)
    assert 5e-3 < float(said[1]) < 0.5, f"similarity moved by {said[1]}"


class Drifting(HashingEncoder):
    """Moves every vector but the first of a batch."""

    def __init__(self, by: float) -> None:
        super().__init__()
        self._by = by

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> list[Embedding]:
        placed = super().encode(texts, tokens=tokens)
        moved = np.zeros(self.dimension, np.float32)
        moved[0] = self._by
        return [*placed[:1], *(replace(one, vector=one.vector + moved) for one in placed[1:])]


def test_nearly_is_accepted_only_where_it_is_said() -> None:
    with pytest.raises(NotBatchInvariant):
        require_invariant(Drifting(1e-3))
    assert require_invariant(Drifting(1e-3), nearly=True).grade == "nearly"


def test_a_vector_that_is_no_number_is_no_proof() -> None:
    assert prove(Drifting(float("nan"))) == Proof(float("inf"), "not", "all together")
