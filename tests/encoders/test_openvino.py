"""OpenVINO: the same vectors in fp32, nearly the same in bf16, and no word to its makers."""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from sensecheck.core.backends import Encoder
from sensecheck.core.errors import EncoderError, SpecError, WeightsError
from sensecheck.core.loading import load_encoder
from sensecheck.encoders.invariance import TEXTS, prove
from sensecheck.testing import encoder_contract


@pytest.fixture(scope="module")
def fp32() -> Encoder:
    return load_encoder("openvino:minilm")


@pytest.fixture(scope="module")
def bf16() -> Encoder:
    about = Path("/proc/cpuinfo")
    if about.exists() and "bf16" not in about.read_text():
        pytest.skip("this processor has no bf16 of its own; imitated, it is neither fast nor stable")
    try:
        return load_encoder("openvino:minilm@bf16")
    except EncoderError as error:
        pytest.skip(str(error))


def test_fp32_keeps_the_contract(fp32: Encoder) -> None:
    encoder_contract(fp32)


def test_bf16_keeps_the_contract(bf16: Encoder) -> None:
    encoder_contract(bf16)


def test_fp32_equals_the_default_engine(fp32: Encoder, minilm: Encoder) -> None:
    for one, other in zip(fp32.encode(TEXTS, tokens=True), minilm.encode(TEXTS, tokens=True), strict=True):
        assert one.spans == other.spans
        assert np.abs(one.vector - other.vector).max() < 1e-5
        assert one.tokens is not None
        assert other.tokens is not None
        assert np.abs(one.tokens.vectors - other.tokens.vectors).max() < 1e-4


def test_bf16_moves_closeness_within_its_band_of_doubt(bf16: Encoder, minilm: Encoder) -> None:
    moved, exact = (np.stack([one.vector for one in e.encode(TEXTS)]) for e in (bf16, minilm))
    change = np.abs(moved @ moved.T - exact @ exact.T).max()

    assert 1e-5 < change < 5e-3, f"closeness moved by {change}"


@pytest.mark.slow  # on a processor with AMX, other kernels are compiled first
def test_bf16_is_nearly_batch_invariant_and_fp32_is(bf16: Encoder, fp32: Encoder) -> None:
    assert prove(fp32).grade == "invariant"
    assert prove(bf16).grade in ("nearly", "invariant"), prove(bf16)


def test_each_engine_and_precision_has_its_own_fingerprint(
    bf16: Encoder, fp32: Encoder, minilm: Encoder
) -> None:
    assert len({bf16.fingerprint, fp32.fingerprint, minilm.fingerprint}) == 3
    assert fp32.fingerprint == load_encoder("openvino:minilm@fp32").fingerprint


def test_threads_do_not_disturb_each_other(fp32: Encoder) -> None:
    alone = [fp32.encode([text])[0].vector for text in TEXTS[:6]]
    with ThreadPoolExecutor(3) as threads:
        together = list(threads.map(lambda text: fp32.encode([text])[0].vector, TEXTS[:6] * 3))

    assert all(np.array_equal(vector, alone[n % 6]) for n, vector in enumerate(together))


def test_a_folder_can_be_named(model_folder: Path, fp32: Encoder) -> None:
    encoder = load_encoder(f"openvino:{model_folder}@fp32")

    assert encoder.name == "model"
    assert np.array_equal(encoder.encode(["text"])[0].vector, fp32.encode(["text"])[0].vector)


@pytest.mark.parametrize(
    ("described", "error", "says"),
    [
        ("openvino", SpecError, "needs `minilm` or a folder"),
        ("openvino:minilm@int8", SpecError, "`int8` is not a known precision"),
        ("openvino:/nowhere", WeightsError, "not a folder"),
    ],
)
def test_a_wrong_description_is_refused(described: str, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        load_encoder(described)


def test_a_broken_graph_is_refused(model_folder: Path, tmp_path: Path) -> None:
    shutil.copytree(model_folder, tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.onnx"))
    (tmp_path / "onnx/model.onnx").write_bytes(b"no graph")

    with pytest.raises(WeightsError, match="not a graph that OpenVINO can run"):
        load_encoder(f"openvino:{tmp_path}")


@pytest.mark.slow
def test_nothing_is_reported_to_the_makers_of_openvino(tmp_path: Path) -> None:
    program = (
        "import sys; from sensecheck.core.loading import load_encoder; "
        "load_encoder('openvino:minilm').encode(['text']); "
        "assert not [name for name in sys.modules if 'openvino_telemetry' in name]"
    )
    home = {**os.environ, "HOME": str(tmp_path)}
    subprocess.run([sys.executable, "-c", program], env=home, check=True, timeout=120)

    assert list(tmp_path.iterdir()) == []
