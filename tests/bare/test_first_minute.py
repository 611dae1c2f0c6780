"""A new user with only pip: the README's first screen, in an empty environment, from the built wheels."""

import json
import os
import re
import shlex
import socket
import subprocess
import time
import venv
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from benchmarks.weight import site_packages, weigh

ROOT = Path(__file__).parents[2]
DIST = ROOT / "dist"
EXTRAS = {
    "openvino:minilm": "openvino",
    "sentence_transformers:nowhere": "sentence-transformers",
    "openai:http://127.0.0.1:9/v1#m": "openai",
    "hub:minilm": "hub",
}


def first_screen() -> list[str]:
    """The commands of the README's first code block."""
    block = re.search(r"```console\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert block is not None
    return [line.removeprefix("$ ") for line in block.group(1).splitlines() if line.startswith("$ ")]


class Bare:
    """An environment that holds only what pip put there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        venv.create(folder / "venv", with_pip=True)
        wheels = " ".join(filter(None, (str(DIST), os.environ.get("PIP_FIND_LINKS"))))
        self.environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("SENSECHECK_")},
            "PATH": f"{folder / 'venv' / 'bin'}:{os.environ['PATH']}",
            "PIP_FIND_LINKS": wheels,
            "HOME": str(folder),
            "NO_COLOR": "1",
        }

    def run(self, command: str, *, offline: bool = False) -> subprocess.CompletedProcess[str]:
        """Run a command as a user would; offline, every proxy leads nowhere."""
        nowhere = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), "http://127.0.0.1:9")
        environment = {**self.environment, **(nowhere if offline else {})}
        return subprocess.run(
            shlex.split(command),
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Bare:
    """The environment after the README's first command."""
    environment = Bare(tmp_path_factory.mktemp("bare"))
    install = first_screen()[0]
    assert install == 'pip install "sensecheck[local]"'
    done = environment.run(install)
    assert done.returncode == 0, done.stderr
    return environment


def test_the_first_screen_ends_in_a_verdict_with_its_reason(bare: Bare) -> None:
    _, check = first_screen()
    done = bare.run(check, offline=True)
    shown = re.search(r"```console\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)

    assert done.returncode == 1, done.stderr
    assert "FAIL" in done.stdout
    assert "`Tuesday` instead of `Monday`" in done.stdout
    assert shown is not None
    for line in done.stdout.strip().splitlines():
        assert line.strip() in shown.group(1)


def test_the_first_python_of_the_readme_runs(bare: Bare) -> None:
    block = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert block is not None
    script = bare.folder / "first.py"
    script.write_text(block.group(1))
    done = bare.run(f"python {script}", offline=True)

    assert done.returncode == 0, done.stderr
    assert "1969" in done.stdout


def test_two_processes_print_the_same_bytes(bare: Bare) -> None:
    command = "sensecheck check 'It opens at 9.' --means 'It opens at 10.' --json"
    bare.environment["SENSECHECK_CACHE"] = "off"
    first, second = bare.run(command), bare.run(command)

    assert first.stdout == second.stdout
    assert json.loads(first.stdout)["outcome"] == "fail"


def test_the_install_is_light(bare: Bare) -> None:
    names, megabytes = weigh(bare.folder / "venv")

    assert {"sensecheck", "numpy", "onnxruntime"} <= names
    assert len(names) <= 25, sorted(names)
    assert megabytes <= 180
    assert not names & {"torch", "tokenizers", "huggingface_hub", "openai", "openvino"}


@pytest.mark.parametrize(("encoder", "extra"), EXTRAS.items())
def test_each_missing_extra_yields_the_line_that_installs_it(bare: Bare, encoder: str, extra: str) -> None:
    done = bare.run(
        f"sensecheck check 'a' --means 'b' --policy similarity --encoder '{encoder}'", offline=True
    )

    assert done.returncode == 3
    assert f"pip install 'sensecheck[{extra}]'" in done.stderr


def test_without_the_weights_the_line_that_installs_them_is_shown(bare: Bare) -> None:
    script = (
        "import sys; sys.modules['sensecheck_minilm'] = None\n"
        "from sensecheck import Sense, SensecheckError\n"
        "try:\n    Sense.load()\nexcept SensecheckError as e:\n    print(e)\n"
    )
    path = bare.folder / "without.py"
    path.write_text(script)

    assert "pip install 'sensecheck[minilm]'" in bare.run(f"python {path}").stdout


def test_it_is_typed_and_says_its_version(bare: Bare) -> None:
    site = site_packages(bare.folder / "venv") / "sensecheck"

    assert (site / "py.typed").exists()
    assert bare.run("sensecheck --version").stdout.strip().endswith("0.1.0")


@pytest.mark.timeout(300)
def test_the_service_starts_with_the_extra_that_its_page_installs(bare: Bare) -> None:
    page = (ROOT / "docs" / "how-to" / "run-the-service.md").read_text()
    install = 'pip install "sensecheck[local,server]"'
    assert install in page
    assert bare.run(install).returncode == 0
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen(
        ["sensecheck", "serve", "--port", str(port)], cwd=bare.folder, env=bare.environment,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    ) as service:  # fmt: skip
        try:
            assert _answers(f"http://127.0.0.1:{port}/readyz", service), service.communicate()[0]
        finally:
            service.terminate()


def _answers(address: str, service: "subprocess.Popen[str]") -> bool:
    """Whether the service says within two minutes that it is ready."""
    deadline = time.monotonic() + 120
    while service.poll() is None and time.monotonic() < deadline:
        try:
            with urlopen(address, timeout=5) as reply:
                return bool(reply.status == 200)
        except (URLError, OSError):
            time.sleep(0.5)
    return False
