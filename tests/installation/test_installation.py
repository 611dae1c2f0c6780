"""What is installed and cached, as a notebook asks."""

from pathlib import Path

import pytest

from sensecheck.config import Settings
from sensecheck.core.errors import SpecError
from sensecheck.installation import (
    ClearRequest,
    cache_contents,
    clear_cache,
    diagnose,
    is_ready,
    list_models,
)
from sensecheck.installation.doctor import settings_findings
from sensecheck.io.blobcache import AnswerFile


def test_findings_are_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SENSECHECK_CACHE", "off")
    monkeypatch.setenv("SENSECHECK_VERIFIER", "off")

    found = diagnose("hashing")

    assert {one.about for one in found} >= {"package", "extra", "settings", "weights", "cache", "encoder"}
    assert is_ready(found)
    assert not is_ready(diagnose("nowhere"))


def test_a_cache_is_counted_and_cleared(tmp_path: Path) -> None:
    settings = Settings(encoder="hashing", cache=str(tmp_path / "vectors.sqlite3"))
    answers = settings.answers_file()
    assert answers is not None
    assert [use.counts for use in cache_contents(settings)] == [{}] * 4

    assert clear_cache(ClearRequest(everything=True, settings=settings))[0].count == 0
    assert not AnswerFile(answers).path.exists()
    with pytest.raises(SpecError, match="the cache has no vectors of `x`; it has those of: nothing"):
        clear_cache(ClearRequest(encoder="x", settings=settings))
    with pytest.raises(SpecError, match="say what to clear"):
        clear_cache(ClearRequest(settings=settings))
    off = Settings(cache="off")
    assert not cache_contents(off)
    assert not clear_cache(ClearRequest(everything=True, settings=off))


def test_models_are_listed() -> None:
    assert "minilm" in {model.name for model in list_models()}


@pytest.mark.parametrize(
    ("encoder", "shown"),
    [
        ("openai:http://host/v1?api_key=SECRET#m", "openai:http://host/v1?…#m"),
        ("openai:http://user:SEC/RET@host/v1#m", "openai:http://…@host/v1#m"),
        ("openai:http://u:SE@CRET@host/v1#m", "openai:http://…@host/v1#m"),
        ("hub:org/name@0123", "hub:org/name@0123"),
    ],
)
def test_no_finding_shows_a_password_or_a_key(encoder: str, shown: str) -> None:
    found = {one.name: one.says for one in settings_findings(Settings(encoder=encoder))}

    assert shown in found["encoder"]
    assert not any("CRET" in says for says in found.values())
