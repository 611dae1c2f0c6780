"""`sensecheck model`, `cache` and `doctor`: looking after an installation."""

import json
import shutil
import sys
from importlib import metadata
from pathlib import Path

import pytest

from sensecheck.encoders.caches import keeper_at
from sensecheck.encoders.disk_cache import CachedPairs
from sensecheck.encoders.pins import MINILM, packaged
from sensecheck.io.blobcache import AnswerFile, ReplyFile
from tests.scorers import CountingScorer
from tests.walks.cli import typed


def cached(folder: Path, *texts: str) -> str:
    """A cache file with these texts in it."""
    path = str(folder / "vectors.sqlite3")
    typed("embed", *texts, SENSECHECK_CACHE=path, SENSECHECK_ENCODER="minilm")
    return path


def copy_of_minilm(folder: Path) -> Path:
    """The small files copied, the graph linked: nobody writes to it."""
    source, copy = packaged(MINILM), folder / "model"
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns("onnx"))
    (copy / "onnx").mkdir()
    (copy / "onnx" / "model.onnx").symlink_to(source / "onnx" / "model.onnx")
    return copy


@pytest.mark.core
def test_known_models_are_listed_with_their_place() -> None:
    (model,) = json.loads(typed("model", "list", "--json").stdout)

    assert model["name"] == "minilm"
    assert model["folder"] == str(packaged(MINILM))


def test_a_model_that_is_not_installed_is_listed_with_the_line_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "sensecheck_minilm", None)

    assert "not installed: pip install 'sensecheck[minilm]'" in typed("model", "list").stdout
    assert typed("model", "verify").exit_code == 3


def test_verify_says_so_for_each_file() -> None:
    found = typed("model", "verify")

    assert found.stdout.count("  verified ") == len(MINILM.package_files)
    assert found.exit_code == 0


def test_verify_sees_a_corrupted_copy(tmp_path: Path) -> None:
    copy = copy_of_minilm(tmp_path)
    assert typed("model", "verify", "--folder", str(copy)).exit_code == 0

    (copy / "tokenizer.json").write_text("{}", encoding="utf-8")
    found = typed("model", "verify", "--folder", str(copy), "--json")

    wrong = {file["file"] for file in json.loads(found.stdout)["files"] if not file["verified"]}
    assert wrong == {"tokenizer.json"}
    assert found.exit_code == 3


def test_only_a_commit_can_be_pulled() -> None:
    found = typed("model", "pull", "org/name")

    assert "does not name a commit" in found.stderr
    assert found.exit_code == 2


@pytest.mark.core
def test_the_cache_shows_what_it_keeps(tmp_path: Path) -> None:
    path = cached(tmp_path, "It is red.", "It is blue.")

    shown = json.loads(typed("cache", "show", "--json", SENSECHECK_CACHE=path).stdout)

    assert shown["path"] == path
    assert shown["bytes"] > 0
    assert list(shown["texts"].values()) == [2]
    assert "2 texts minilm:" in typed("cache", "show", SENSECHECK_CACHE=path).stdout


def kept_pairs(address: str, *fingerprints: str) -> None:
    """Two scored pairs of each verifier, beside the vectors at an address."""
    for name in fingerprints:
        scores = keeper_at(address, max_bytes=10**6, what="pairs")
        CachedPairs(CountingScorer(name), scores).score([("It is red.", "All is red."), ("It is blue.", "e")])


@pytest.mark.parametrize("kind", ["", "parquet:"])
def test_the_cache_shows_and_clears_the_scores_of_pairs(tmp_path: Path, kind: str) -> None:
    address = f"{kind}{tmp_path / 'vectors'}"
    own = {"SENSECHECK_CACHE": address, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    kept_pairs(address, "one", "two")

    shown = json.loads(typed("cache", "show", "--json", **own).stdout)
    said = typed("cache", "show", **own).stdout
    other = typed("cache", "clear", "--verifier", "three", **own)
    cleared = json.loads(typed("cache", "clear", "--verifier", "one", "--json", **own).stdout)
    left = json.loads(typed("cache", "show", "--json", **own).stdout)

    assert (shown["texts"], shown["pairs"]["pairs"]) == ({}, {"one": 2, "two": 2})
    assert shown["pairs"]["bytes"] > 0
    assert "2 pairs one" in said
    assert "word for word" not in said
    assert "has no scores of `three`; it has those of: `one`, `two`" in other.stderr
    assert cleared["pairs"] == 2
    assert left["pairs"]["pairs"] == {"two": 2}


def test_the_doctor_looks_at_the_scores_of_pairs(tmp_path: Path) -> None:
    path = str(tmp_path / "vectors.sqlite3")
    kept_pairs(path, "one")
    found, off = (
        typed("doctor", SENSECHECK_CACHE=path, SENSECHECK_VERIFIER=name).stdout for name in ("minilm", "off")
    )
    assert "2 pairs; " in found
    assert "2 pairs; " not in off

    (tmp_path / "pairs.sqlite3").write_bytes(b"not a database" * 100)
    damaged = json.loads(typed("doctor", "--json", SENSECHECK_CACHE=path).stdout)["findings"]
    (wrong,) = (item for item in damaged if item["state"] == "wrong")
    assert (wrong["name"], wrong["hint"]) == (str(tmp_path / "pairs.sqlite3"), "sensecheck cache clear --all")


def test_a_cache_of_another_kind_is_filled_shown_and_cleared(tmp_path: Path) -> None:
    address = f"parquet:{tmp_path / 'vectors'}"
    own = {"SENSECHECK_CACHE": address, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    before = json.loads(typed("cache", "show", "--json", **own).stdout)
    typed("embed", "It is red.", "It is blue.", SENSECHECK_ENCODER="minilm", **own)
    shown = json.loads(typed("cache", "show", "--json", **own).stdout)
    seen = json.loads(typed("doctor", "--json", **own).stdout)["findings"]
    cleared = json.loads(typed("cache", "clear", "--all", "--json", **own).stdout)

    assert (before["path"], before["texts"]) == (address, {})
    assert list(shown["texts"].values()) == [2]
    assert shown["bytes"] > 0
    assert [item["says"][:8] for item in seen if item["name"] == address] == ["2 texts;"]
    assert cleared["texts"] == 2
    assert json.loads(typed("cache", "show", "--json", **own).stdout)["texts"] == {}


def test_looking_at_a_cache_does_not_make_one(tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite3"

    found = typed("cache", "show", SENSECHECK_CACHE=str(path))

    assert "empty" in found.stdout
    assert not path.exists()


def test_one_encoders_vectors_can_be_cleared(tmp_path: Path) -> None:
    path = cached(tmp_path, "It is red.")
    (fingerprint,) = json.loads(typed("cache", "show", "--json", SENSECHECK_CACHE=path).stdout)["texts"]

    other = typed("cache", "clear", "--encoder", "other", SENSECHECK_CACHE=path)
    own = typed("cache", "clear", "--encoder", fingerprint, SENSECHECK_CACHE=path)

    assert f"it has those of: `{fingerprint}`" in other.stderr
    assert other.exit_code == 2
    assert ": texts 1, bytes " in own.stdout


def test_everything_can_be_cleared(tmp_path: Path) -> None:
    path = cached(tmp_path, "It is red.", "It is blue.")

    found = json.loads(typed("cache", "clear", "--all", "--json", SENSECHECK_CACHE=path).stdout)

    assert found["texts"] == 2
    assert found["bytes"] > 0
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_cache_can_be_cleared(tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite3"
    for ending in ("", "-wal", "-shm"):
        Path(f"{path}{ending}").write_bytes(b"not a database" * 100)

    assert typed("cache", "show", SENSECHECK_CACHE=str(path)).exit_code == 3
    found = typed("cache", "clear", "--all", SENSECHECK_CACHE=str(path))

    assert found.stdout.startswith("deleted the damaged file")
    assert list(tmp_path.iterdir()) == []


def test_clearing_wants_to_know_what() -> None:
    found = typed("cache", "clear")

    assert "one of `--encoder FINGERPRINT`, `--verifier FINGERPRINT`" in found.stderr
    assert found.exit_code == 2


def kept_replies(folder: Path, *judges: str) -> str:
    """The path of a cache with a reply of each judge beside its vectors."""
    for name in judges:
        ReplyFile(folder / "replies.sqlite3", max_bytes=10**6).write(name, {b"a prompt's digest": b"yes"})
    return str(folder / "vectors.sqlite3")


def test_the_cache_shows_a_judges_replies_and_what_they_hold(tmp_path: Path) -> None:
    path = kept_replies(tmp_path, "openai:one", "openai:two")

    shown = json.loads(typed("cache", "show", "--json", SENSECHECK_CACHE=path).stdout)
    said = typed("cache", "show", SENSECHECK_CACHE=path).stdout

    assert shown["replies"]["path"] == str(tmp_path / "replies.sqlite3")
    assert shown["replies"]["replies"] == {"openai:one": 1, "openai:two": 1}
    assert shown["replies"]["bytes"] > 0
    assert shown["texts"] == {}
    assert "1 replies openai:one" in said
    assert "what judges replied, word for word; that may repeat what they were asked" in said


def test_one_judges_replies_can_be_cleared(tmp_path: Path) -> None:
    path = kept_replies(tmp_path, "openai:one", "openai:two")

    other = typed("cache", "clear", "--judge", "openai:three", SENSECHECK_CACHE=path)
    own = typed("cache", "clear", "--judge", "openai:one", "--json", SENSECHECK_CACHE=path)

    assert "has no replies of `openai:three`; it has those of: `openai:one`, `openai:two`" in other.stderr
    assert json.loads(own.stdout)["replies"] == 1
    assert ReplyFile(tmp_path / "replies.sqlite3", max_bytes=10**6).count() == {"openai:two": 1}


def test_clearing_everything_clears_replies_too_also_when_they_are_damaged(tmp_path: Path) -> None:
    path = cached(tmp_path, "It is red.")
    kept_replies(tmp_path, "openai:one")
    whole = json.loads(typed("cache", "clear", "--all", "--json", SENSECHECK_CACHE=path).stdout)
    assert (whole["texts"], whole["replies"]["replies"]) == (1, 1)
    assert list(tmp_path.iterdir()) == []

    (tmp_path / "replies.sqlite3").write_bytes(b"not a database" * 100)
    damaged = typed("cache", "clear", "--all", SENSECHECK_CACHE=path)
    assert f"deleted the damaged file {tmp_path / 'replies.sqlite3'}" in damaged.stdout
    assert list(tmp_path.iterdir()) == []


def test_the_doctor_looks_at_replies_and_at_the_judge(tmp_path: Path) -> None:
    path = kept_replies(tmp_path, "openai:one")
    judge = "openai:http://me:password@localhost:9/v1#m"
    found = typed("doctor", SENSECHECK_CACHE=path, SENSECHECK_JUDGE=judge)

    assert "1 replies, word for word; " in found.stdout
    assert "not asked; openai:m:" in found.stdout
    assert "password" not in found.stdout
    assert found.exit_code == 0

    (tmp_path / "replies.sqlite3").write_bytes(b"not a database" * 100)
    idle = json.loads(typed("doctor", "--json", SENSECHECK_CACHE=path).stdout)
    used = json.loads(typed("doctor", "--json", SENSECHECK_CACHE=path, SENSECHECK_JUDGE=judge).stdout)
    assert [item["hint"] for item in idle["findings"] if item["state"] == "wrong"] == [
        "sensecheck cache clear --all"
    ]
    assert (idle["ready"], used["ready"]) == (True, False)


@pytest.mark.parametrize("judge", ["opnai:http://host/v1#m", "openai:nowhere", "recorded:nowhere.jsonl"])
def test_a_judge_that_cannot_be_had_is_reported(judge: str) -> None:
    found = json.loads(typed("doctor", "--json", SENSECHECK_JUDGE=judge).stdout)

    (wrong,) = (item for item in found["findings"] if item["state"] == "wrong")
    assert (wrong["about"], wrong["name"]) == ("judge", judge)
    assert not found["ready"]


@pytest.mark.core
def test_a_good_installation_is_ready() -> None:
    found = typed("doctor", SENSECHECK_API_KEY="a secret")

    assert found.stdout.splitlines()[-1] == "ready: a verdict can be made"
    assert "batch-invariant: neighbours move a similarity by at most" in found.stdout
    assert "verified in" in found.stdout
    assert "a secret" not in found.stdout
    assert found.exit_code == 0


def test_a_missing_extra_comes_with_the_line_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    installed = metadata.version

    def version(package: str) -> str:
        if package == "openvino":
            raise metadata.PackageNotFoundError(package)
        return installed(package)

    monkeypatch.setattr(metadata, "version", version)

    found = json.loads(typed("doctor", "--json").stdout)

    openvino = next(item for item in found["findings"] if item["name"] == "openvino")
    assert openvino["state"] == "missing"
    assert openvino["hint"] == "pip install 'sensecheck[openvino]'"
    assert found["ready"]


@pytest.mark.parametrize(
    ("environment", "about"),
    [
        ({"SENSECHECK_ENCODR": "minilm"}, "settings"),
        ({"SENSECHECK_THREADS": "many"}, "settings"),
        ({"SENSECHECK_CACHE": __file__}, "cache"),
    ],
)
def test_what_is_wrong_is_reported_and_never_a_crash(environment: dict[str, str], about: str) -> None:
    found = typed("doctor", "--encoder", "hashing", "--json", **environment)

    report = json.loads(found.stdout)
    assert {item["about"] for item in report["findings"] if item["state"] == "wrong"} == {about}
    assert not report["ready"]
    assert found.exit_code == 3


@pytest.mark.parametrize("encoder", ["onnx:nowhere", "minilmm", "openai", "hashing:many"])
def test_an_encoder_that_cannot_be_had_is_reported(encoder: str) -> None:
    found = typed("doctor", "--encoder", encoder, "--json")

    last = json.loads(found.stdout)["findings"][-1]
    assert (last["about"], last["state"]) == ("encoder", "wrong")
    assert last["says"]
    assert found.exit_code == 3


def test_a_model_that_is_gone_is_reported_with_its_mend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sensecheck_minilm", None)

    found = typed("doctor", SENSECHECK_ENCODER="minilm")

    assert "fix: pip install 'sensecheck[minilm]'" in found.stdout
    assert "not ready" in found.stdout
    assert found.exit_code == 3


def test_answers_of_batteries_are_shown_and_cleared_like_the_rest(tmp_path: Path) -> None:
    file = AnswerFile(tmp_path / "answers.sqlite3")
    for source in ("openai:one", "openai:two"):
        file.write(source, {b"a question's digest": b"yes"})
    cache = {"SENSECHECK_CACHE": str(tmp_path / "vectors.sqlite3")}
    shown = json.loads(typed("cache", "show", "--json", **cache).stdout)["answers"]
    one = json.loads(typed("cache", "clear", "--source", "openai:one", "--json", **cache).stdout)
    typed("cache", "clear", "--all", **cache)

    assert shown["answers"] == {"openai:one": 1, "openai:two": 1}
    assert one["answers"] == 1
    assert not file.path.exists()
