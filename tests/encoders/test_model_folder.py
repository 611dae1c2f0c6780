"""A model's folder: told apart by its weights, refused where it is not what we can read."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

from sensecheck.core.backends import Encoder
from sensecheck.core.errors import EncoderError, WeightsError
from sensecheck.core.loading import EncoderOptions, load_encoder
from sensecheck.encoders.model_folder import weight_files

LONG = " ".join(["museum"] * 700)


def linked(model_folder: Path, at: Path, **changed: Any) -> Path:
    """The model's folder again, with some files written anew."""
    shutil.copytree(model_folder, at, dirs_exist_ok=True, copy_function=os.symlink)
    for name, content in changed.items():
        path = at / FILES[name]
        path.unlink(missing_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
    return at


FILES = {
    "modules": "modules.json",
    "pooling": "1_Pooling/config.json",
    "limit": "sentence_bert_config.json",
    "tokenizer": "tokenizer.json",
    "graph": "onnx/model.onnx",
}


def modules(*kinds: str) -> list[dict[str, str]]:
    paths = {"Transformer": "", "Pooling": "1_Pooling"}
    return [{"type": f"sentence_transformers.models.{kind}", "path": paths.get(kind, kind)} for kind in kinds]


def with_weights_beside(model_folder: Path, at: Path, *, file: str, scale: float) -> Path:
    shutil.copytree(model_folder, at, ignore=shutil.ignore_patterns("model.onnx"))
    model = onnx.load(str(model_folder / "onnx/model.onnx"))
    for part in model.graph.initializer:
        if part.name.endswith("layer.5.output.dense.weight"):
            scaled = numpy_helper.to_array(part) * np.float32(scale)
            part.CopyFrom(numpy_helper.from_array(scaled, part.name))
    graph = str(at / "onnx/model.onnx")
    onnx.save_model(model, graph, save_as_external_data=True, location=file, size_threshold=1024)
    return at


@pytest.mark.parametrize("file", ["model.onnx.data", "model.onnx_data", f"{'long' * 40}.bin"])
def test_weights_in_files_of_their_own_are_in_the_fingerprint(
    model_folder: Path, tmp_path: Path, file: str
) -> None:
    folders = [
        with_weights_beside(model_folder, tmp_path / name, file=file, scale=scale)
        for name, scale in (("one", 1.0), ("other", 0.5))
    ]
    one, other = (load_encoder(f"onnx:{folder}") for folder in folders)

    assert weight_files(folders[0] / "onnx/model.onnx") == (file,)
    assert one.encode(["text"])[0].vector @ other.encode(["text"])[0].vector < 0.999
    assert one.fingerprint != other.fingerprint


def test_the_name_of_a_folder_is_not_in_the_fingerprint(
    model_folder: Path, tmp_path: Path, minilm: Encoder
) -> None:
    one, other = (load_encoder(f"onnx:{linked(model_folder, tmp_path / name)}") for name in ("one", "other"))

    assert (one.name, other.name) == ("one", "other")
    assert one.fingerprint == other.fingerprint
    assert one.fingerprint.startswith("onnx:onnx-fp32:")
    assert minilm.fingerprint.startswith("minilm:onnx-fp32:")


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"modules": modules("Transformer", "Pooling", "Dense")}, "modules.json` names the modules"),
        ({"modules": modules("Transformer")}, "modules.json` names the modules"),
        ({"modules": [1]}, "modules.json` does not list"),
        ({"modules": "{oops"}, "modules.json` cannot be read as JSON"),
        (
            {"pooling": {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True}},
            r"config.json` names the pooling modes \['cls', 'mean'\]",
        ),
        ({"pooling": {"pooling_mode": ["mean", "max"]}}, r"the pooling modes \['max', 'mean'\]"),
        ({"pooling": {"pooling_mode_max_tokens": True}}, r"modes \['pooling_mode_max_tokens'\]"),
        ({"pooling": {}}, r"the pooling modes \[\]"),
        ({"pooling": "["}, "config.json` cannot be read as JSON"),
        ({"limit": [1]}, "sentence_bert_config.json` holds a list"),
        ({"tokenizer": "{oops"}, "tokenizer.json` cannot be read as JSON"),
        ({"tokenizer": {}}, "tokenizer.json` is not a tokenizer"),
        ({"tokenizer": {"model": {"type": "WordPiece"}}}, "tokenizer.json` is not a tokenizer"),
        ({"graph": ""}, "model.onnx` is not a graph"),
        ({"graph": "no graph"}, "model.onnx` is not a graph"),
    ],
    ids=str,
)
def test_a_folder_that_we_cannot_read_is_refused_by_the_files_name(
    model_folder: Path, tmp_path: Path, changed: dict[str, Any], says: str
) -> None:
    with pytest.raises(WeightsError, match=says):
        load_encoder(f"onnx:{linked(model_folder, tmp_path, **changed)}")


@pytest.mark.parametrize(
    "changed",
    [
        {"modules": modules("Transformer", "Pooling")},
        {"modules": [{**one, "type": f"st.base.{one['type']}"} for one in modules("Transformer", "Pooling")]},
        {"pooling": {"pooling_mode": "mean"}},
        {"pooling": {"pooling_mode": ["mean"], "pooling_mode_mean_tokens": True}},
    ],
    ids=str,
)
def test_other_ways_to_write_the_same_are_read(
    model_folder: Path, tmp_path: Path, minilm: Encoder, changed: dict[str, Any]
) -> None:
    encoder = load_encoder(f"onnx:{linked(model_folder, tmp_path, **changed)}")

    assert np.array_equal(encoder.encode(["text"])[0].vector, minilm.encode(["text"])[0].vector)


@pytest.mark.parametrize("engine", ["onnx", "openvino"])
def test_a_graph_that_fails_while_it_runs_is_an_encoder_error(
    model_folder: Path, tmp_path: Path, engine: str
) -> None:
    encoder = load_encoder(f"{engine}:{linked(model_folder, tmp_path, limit={'max_seq_length': 1024})}")

    assert len(encoder.encode(["short"])) == 1
    with pytest.raises(EncoderError, match=r"could not run|gave vectors of the shape"):
        encoder.encode([LONG])


def test_a_window_without_room_for_a_text_is_refused_at_once(model_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match="leave none for the text"):
        load_encoder("minilm", EncoderOptions(prefix="word " * 300))
    with pytest.raises(EncoderError, match="reads 2 tokens at once"):
        load_encoder(f"onnx:{linked(model_folder, tmp_path, limit={'max_seq_length': 2})}")


@pytest.mark.parametrize("engine", ["onnx", "openvino"])
def test_the_home_folder_may_be_written_short(
    model_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    linked(model_folder, tmp_path / "mine")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))

    assert load_encoder(f"{engine}:~/mine").name == "mine"
