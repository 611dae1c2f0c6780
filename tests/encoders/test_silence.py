"""Nothing is reported, and no key goes where it does not belong."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from sensecheck.config import Settings
from sensecheck.core.loading import EncoderOptions

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def run(program: str, **environment: str) -> str:
    given = {k: v for k, v in os.environ.items() if not k.startswith(("SENSECHECK_", "ORT_", "HF_"))}
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env={**given, **environment},
        check=True,
        timeout=120,
        capture_output=True,
        text=True,
    )
    return ran.stdout


@pytest.mark.core
@pytest.mark.slow
@pytest.mark.parametrize("first", ["", "import numpy, os; os.environ['ANY'] = 'thing'; "])
def test_a_verdict_writes_nothing_but_our_own_cache(tmp_path: Path, first: str) -> None:
    program = (
        f"{first}import time; from sensecheck import Sense; "
        "print(Sense.load().means('It is open.', 'It is open.', policy='similarity').outcome); time.sleep(1)"
    )
    said = run(program, HOME=str(tmp_path), XDG_CACHE_HOME=str(tmp_path / "cache"))

    assert said == "pass\n"
    written = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert written == {"cache/sensecheck/vectors.sqlite3"}


@pytest.mark.slow
def test_a_verdict_of_the_reader_writes_nothing_but_the_cache_of_pairs(tmp_path: Path) -> None:
    program = (
        "import time; from sensecheck import Sense; "
        "read = Sense.load().means('It is open.', 'It is open.').parts[0].reading; "
        "print(read is not None); time.sleep(1)"
    )
    said = run(program, HOME=str(tmp_path), XDG_CACHE_HOME=str(tmp_path / "cache"))

    assert said == "True\n"
    written = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert written == {"cache/sensecheck/pairs.sqlite3"}


def test_a_runtime_that_was_there_before_us_is_silenced(tmp_path: Path) -> None:
    program = (
        "import onnxruntime; silenced = []; "
        "onnxruntime.disable_telemetry_events = lambda: silenced.append('silenced'); "
        "from sensecheck import load_encoder; load_encoder('minilm'); print(*silenced)"
    )

    assert run(program, HOME=str(tmp_path), ORT_DISABLE_TELEMETRY="1") == "silenced\n"


@pytest.fixture
def hub() -> Iterator[tuple[str, list[tuple[str, str | None]]]]:
    """A hub that has nothing, and what it was asked with which token."""
    seen: list[tuple[str, str | None]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            seen.append((self.path, self.headers.get("Authorization")))
            self.send_response(404)
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_GET = do_HEAD  # noqa: N815 - the library's name

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", seen
        server.shutdown()


@pytest.mark.slow
def test_only_the_hubs_token_goes_to_the_hub_and_not_for_the_pinned_model(
    hub: tuple[str, list[tuple[str, str | None]]], tmp_path: Path
) -> None:
    address, seen = hub
    program = f"""
import contextlib
from sensecheck.cli.admin.model import pull
from sensecheck.core.errors import SensecheckError
from sensecheck.config import Settings, bare_encoder
from dataclasses import replace
settings = Settings.from_environment()
for name in ("hub:minilm", "hub:org/a@{COMMIT}", "sentence_transformers:org/b@{COMMIT}"):
    with contextlib.suppress(SensecheckError):
        bare_encoder(replace(settings, encoder=name))
for name in ("minilm", "org/c@{COMMIT}"):
    with contextlib.suppress(SensecheckError):
        pull(name)
"""
    keys = {"SENSECHECK_API_KEY": "sk-secret", "SENSECHECK_HUB_TOKEN": "hf_mine", "HF_TOKEN": "hf_other"}
    run(program, HF_ENDPOINT=address, HF_HOME=str(tmp_path), **keys)

    sent = {
        name: {key for path, key in seen if name in path} for name in ("MiniLM", "org/a", "org/b", "org/c")
    }
    mine = {"Bearer hf_mine"}
    assert sent == {"MiniLM": {None}, "org/a": mine, "org/b": mine, "org/c": mine}


@pytest.mark.parametrize("kind", [Settings, EncoderOptions])
def test_keys_are_not_shown(kind: type[Settings] | type[EncoderOptions]) -> None:
    shown = repr(kind(api_key="sk-secret", hub_token="hf_secret"))

    assert "secret" not in shown
    assert "api_key" not in shown


def test_the_hubs_token_comes_from_the_environment() -> None:
    settings = Settings.from_environment({"SENSECHECK_HUB_TOKEN": "1", "SENSECHECK_API_KEY": "2"})

    assert json.dumps([settings.hub_token, settings.api_key]) == '["1", "2"]'
