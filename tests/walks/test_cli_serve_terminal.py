"""What somebody sees who starts the service at a terminal."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from sensecheck.server.routes.operations import script

COMMAND = Path(sys.executable).with_name("sensecheck")


def shown(folder: Path, **environment: str) -> str:
    """What a terminal shows of a service that is asked once, and ended."""
    ours, theirs = pty.openpty()
    own = {name: value for name, value in os.environ.items() if not name.startswith("SENSECHECK_")}
    with subprocess.Popen(
        [COMMAND, "serve", "--port", "0", "--encoder", "hashing"],
        cwd=folder,
        env={**own, "SENSECHECK_CACHE": "off", "TERM": "xterm", **environment},
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
    ) as process:
        os.close(theirs)
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        urlopen(f"{address}/v1/limits", timeout=30).close()
        process.send_signal(signal.SIGTERM)
        told = b""
        while piece := _read(ours):
            told += piece
    os.close(ours)
    return told.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # how Linux says that nobody holds the other side any more
        return b""


@pytest.mark.parametrize("environment", [{}, {"NO_COLOR": "1"}])
def test_at_a_terminal_the_log_is_for_people(tmp_path: Path, environment: dict[str, str]) -> None:
    told = shown(tmp_path, **environment)

    (raw,) = [line for line in told.splitlines() if "/v1/limits" in line]
    line = re.sub(r"\x1b\[[\d;]*m", "", raw)
    assert re.match(r"\d\d:\d\d:\d\d \[info +\] request +request=\w+ method=GET route=/v1/limits", line)
    assert ("\x1b[" in raw) is not bool(environment)
    with pytest.raises(json.JSONDecodeError):
        json.loads(line)


def test_at_a_terminal_the_tag_for_a_page_is_there_to_be_copied(tmp_path: Path) -> None:
    told = re.sub(r"\x1b\[[\d;]*m", "", shown(tmp_path))

    (line,) = [line for line in told.splitlines() if "<script" in line]
    (address,) = re.findall(r"address=(http://\S+)", told)
    assert line == "page " + script().tag(address, None)
