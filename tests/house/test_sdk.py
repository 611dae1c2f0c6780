"""The browser SDK and the service say the same: the version, and what can be asked."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sensecheck.server.routes.operations import VERSION
from sensecheck.server.schemas.answers import LONGEST_SECTION, MOST_IN_ALL, MOST_SECTIONS

ROOT = Path(__file__).parents[2]
DESCRIBE = ROOT / "sdk" / "api" / "describe.py"
USED = {"/v1/answers", "/v1/related", "/v1/messages/{message_id}/feedback", "/query-selected-text"}

CONSTANT = re.compile(r"^const ([A-Z_]+) = ([\d_]+)$", re.MULTILINE)


def checked(script: Path) -> subprocess.CompletedProcess[str]:
    """Whether the description beside the script is the one that the service gives."""
    return subprocess.run(
        [sys.executable, script, "--check"], capture_output=True, text=True, check=False, timeout=120
    )


def test_the_service_has_the_script_of_the_packages_version() -> None:
    package = json.loads((ROOT / "sdk" / "package.json").read_text(encoding="utf-8"))

    assert package["version"] == VERSION


def test_the_sdk_sends_as_much_of_a_page_as_the_service_takes() -> None:
    text = (ROOT / "sdk" / "src" / "page" / "sections.ts").read_text(encoding="utf-8")
    told = {name: int(number.replace("_", "")) for name, number in CONSTANT.findall(text)}

    assert told["MAX_SECTIONS"] == MOST_SECTIONS
    assert told["MAX_SECTION_CHARS"] == LONGEST_SECTION
    assert told["MAX_TOTAL_CHARS"] == MOST_IN_ALL
    assert told["MAX_CHARS_WITHOUT_HEADINGS"] <= LONGEST_SECTION


@pytest.mark.slow
def test_the_description_that_the_types_are_made_of_is_the_services_own() -> None:
    done = checked(DESCRIBE)

    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_a_stale_description_is_found(tmp_path: Path) -> None:
    (tmp_path / "describe.py").write_bytes(DESCRIBE.read_bytes())
    held = DESCRIBE.with_name("openapi.json").read_text(encoding="utf-8")
    (tmp_path / "openapi.json").write_text(held.replace('"missing"', '"lacking"'), encoding="utf-8")

    done = checked(tmp_path / "describe.py")

    assert done.returncode == 1
    assert "run: just sdk" in done.stderr


def test_the_description_holds_what_the_sdk_uses_and_all_that_this_speaks_of() -> None:
    held = json.loads(DESCRIBE.with_name("openapi.json").read_text(encoding="utf-8"))
    schemas = held["components"]["schemas"]
    spoken_of = {part.split('"')[0] for part in json.dumps(held).split("#/components/schemas/")[1:]}

    assert set(held["paths"]) == USED
    assert spoken_of == set(schemas)
    answer = schemas["AnswerReply"]
    assert {"missing", "answer", "in_selected_text"} <= set(answer["required"])
    assert {"claims", "scores", "calibration"}.isdisjoint(answer["required"])
    assert "publishable" in answer["description"]
