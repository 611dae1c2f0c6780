"""The recipe of `sensecheck-verifier`, run for real: weights as bytes, a graph, a wheel."""

import hashlib
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import TensorProto
from tests.models.verifier_weights import LIMITS, untrained, untrained_file

from sensecheck.encoders.runtime import InferenceSession, SessionOptions
from sensecheck.encoders.verifier_weights import VERIFIER

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # `models` is a folder of recipes, not installed

from models.minilm.build import CACHE
from models.minilm.graph import Shape, narrowed, widened
from models.minilm.source import from_package
from models.verifier.build import WEIGHTS, build, model_files
from models.verifier.graph import HEADS, verifier

SHAPE = Shape(layers=6, heads=12, width=384, epsilon=1e-12)
Given = dict[str, NDArray[np.int64]]


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return untrained_file(tmp_path_factory.mktemp("weights"))


@pytest.fixture(scope="module")
def wheel(weights: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("dist"), weights=weights)


@pytest.fixture(scope="module")
def model(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The model's folder, unpacked from the wheel."""
    target = tmp_path_factory.mktemp("wheel")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target)
    return target / "sensecheck_verifier" / "model"


@pytest.fixture(scope="module")
def given() -> Given:
    """Rows of several lengths, as a batch of pairs is laid out."""
    rng = np.random.default_rng(0)
    ids, mask, types = rng.integers(1000, 29000, (6, 48)), np.zeros((6, 48)), np.ones((6, 48))
    for row, (claim, length) in enumerate([(3, 20), (10, 48), (1, 30), (40, 44), (17, 33), (9, 12)]):
        ids[row, 0], ids[row, length:], mask[row, :length], types[row, : claim + 2] = 101, 0, 1, 0
    return {
        "input_ids": ids,
        "attention_mask": mask.astype(np.int64),
        "token_type_ids": types.astype(np.int64),
    }


def judged(graph: bytes, given: Given) -> list[NDArray[np.float32]]:
    session = InferenceSession(graph, providers=["CPUExecutionProvider"])
    found: list[NDArray[np.float32]] = session.run(["tokens", "pair"], given)
    return found


def test_the_graph_is_the_network_that_was_trained(given: Given, tmp_path: Path) -> None:
    import torch
    from models.verifier.network import Verifier

    for name, content in from_package(CACHE).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    network = Verifier(str(tmp_path)).eval()
    state = {
        name if name.startswith(("token.", "whole.")) else f"encoder.{name}": torch.from_numpy(value)
        for name, value in untrained().items()
    }
    network.load_state_dict(state)
    with torch.no_grad():
        theirs = network(**{name: torch.from_numpy(value) for name, value in given.items()})
    tokens, pair = judged(verifier(untrained(), SHAPE).SerializeToString(), given)

    np.testing.assert_allclose(tokens, theirs.tokens.numpy(), rtol=0, atol=1e-5)
    np.testing.assert_allclose(pair, theirs.pair.numpy(), rtol=0, atol=1e-5)


def test_bytes_are_multiplied_out_when_the_graph_is_loaded(model: Path, given: Given) -> None:
    tokens, pair = judged((model / "onnx/model.onnx").read_bytes(), given)
    wide = verifier(widened(narrowed(untrained(), whole=HEADS)), SHAPE).SerializeToString()
    wide_tokens, wide_pair = judged(wide, given)

    np.testing.assert_allclose(tokens, wide_tokens, rtol=0, atol=1e-5)
    np.testing.assert_allclose(pair, wide_pair, rtol=0, atol=1e-5)


def test_nothing_is_computed_in_whole_numbers(model: Path, tmp_path: Path) -> None:
    options = SessionOptions()
    options.optimized_model_filepath = str(tmp_path / "loaded.onnx")
    options.log_severity_level = 3
    InferenceSession(model / "onnx/model.onnx", options, providers=["CPUExecutionProvider"])
    graph = onnx.load(tmp_path / "loaded.onnx").graph
    heavy = [node.op_type for node in graph.node if "MatMul" in node.op_type or "Gemm" in node.op_type]

    assert {tensor.data_type for tensor in graph.initializer} == {TensorProto.FLOAT, TensorProto.INT64}
    assert set(heavy) <= {"Gemm", "MatMul", "FusedMatMul", "FusedGemm"}
    assert not [node.name for node in graph.node if "uantize" in node.op_type or "Integer" in node.op_type]


def test_a_byte_is_never_further_off_than_half_a_step() -> None:
    before, kept = untrained(), narrowed(untrained(), whole=HEADS)
    after = widened(kept)

    assert before.keys() == after.keys()
    for name, value in before.items():
        step: Any = kept.get(f"{name}.scale", 0.0)
        assert (np.abs(after[name] - value) <= step * 0.501).all(), name


def test_an_export_has_always_the_same_bytes_and_is_small() -> None:
    import torch
    from models.verifier.export import exported

    state = {f"encoder.{name}": torch.from_numpy(value) for name, value in untrained().items()}
    content = exported(state)

    assert content == exported(dict(reversed(state.items())))
    assert len(content) <= 24_000_000
    assert LIMITS.encode() in content[:20_000].replace(b'\\"', b'"')


def test_a_second_build_gives_the_same_wheel(wheel: Path, weights: Path, tmp_path: Path) -> None:
    assert build(tmp_path, weights=weights).read_bytes() == wheel.read_bytes()


def test_the_sums_cover_every_file_and_match(model: Path) -> None:
    sums = dict(line.split("  ")[::-1] for line in (model / "SHA256SUMS").read_text().splitlines())
    files = {str(path.relative_to(model)): path for path in model.rglob("*") if path.is_file()}
    del files["SHA256SUMS"]

    assert sums == {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()}


def test_what_does_not_depend_on_the_weights_is_what_we_pinned(model: Path) -> None:
    for name in ("tokenizer.json", "config.json"):
        found = hashlib.sha256((model / name).read_bytes()).hexdigest()
        assert found == VERIFIER.package_files[name], name


@pytest.mark.skipif(not WEIGHTS.is_file(), reason="the weights of the verifier are not here yet")
def test_the_weights_give_the_files_that_we_pinned() -> None:
    files = model_files(WEIGHTS, from_package(CACHE))

    for name, wanted in VERIFIER.package_files.items():
        assert hashlib.sha256(files[name]).hexdigest() == wanted, name
