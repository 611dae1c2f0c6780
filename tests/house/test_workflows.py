"""Workflows, hooks and metadata of the project are pinned, bounded, without needless rights, and true."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from sensecheck.batteries.schema import BATTERY_SCHEMA_ADDRESS, battery_schema

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
WORKFLOWS = {
    path.stem: yaml.safe_load(path.read_text()) for path in (ROOT / ".github/workflows").glob("*.yml")
}
JOBS = [(name, job) for name, workflow in WORKFLOWS.items() for job in workflow["jobs"]]
PINNED = re.compile(r"[\w-]+/[\w./-]+@[0-9a-f]{40}")
VERSIONED = re.compile(r"uses: \S+@[0-9a-f]{40} # v\d+\.\d+\.\d+")
RELEASE = WORKFLOWS["release"]["jobs"]


def _job(workflow: str, job: str) -> dict[str, Any]:
    found: dict[str, Any] = WORKFLOWS[workflow]["jobs"][job]
    return found


def _uses(job: dict[str, Any]) -> list[str]:
    return [step["uses"] for step in job["steps"] if "uses" in step]


@pytest.mark.parametrize(("workflow", "job"), JOBS)
def test_a_job_uses_actions_by_their_commit_and_has_an_end(workflow: str, job: str) -> None:
    found = _job(workflow, job)
    text = (ROOT / f".github/workflows/{workflow}.yml").read_text()

    assert [one for one in _uses(found) if not (PINNED.fullmatch(one) or one == "./")] == []
    assert found["timeout-minutes"] <= 180
    assert [
        line for line in text.splitlines() if "@" in line and "uses:" in line and not VERSIONED.search(line)
    ] == []


@pytest.mark.parametrize(("workflow", "job"), JOBS)
def test_a_job_leaves_no_credentials_and_may_only_read(workflow: str, job: str) -> None:
    found = _job(workflow, job)
    allowed = found.get("permissions", WORKFLOWS[workflow]["permissions"])
    checkouts = [step for step in found["steps"] if step.get("uses", "").startswith("actions/checkout@")]

    assert all(step["with"]["persist-credentials"] is False for step in checkouts)
    if workflow == "release" and job == "publish-docs":
        assert checkouts == []  # it may write, so it runs nothing that lies in the repository
        assert allowed == {"contents": "write"}
    elif not (workflow == "release" and job in ("attest", "publish-python", "publish-node")):
        assert set(allowed.items()) <= {("contents", "read")}


def test_what_has_an_identity_runs_no_code_of_ours_and_what_builds_has_none() -> None:
    with_identity = {name: job for name, job in RELEASE.items() if "id-token" in job["permissions"]}

    assert set(with_identity) == {"attest", "publish-python", "publish-node"}
    for job in with_identity.values():
        assert not [one for one in _uses(job) if one.startswith("actions/checkout@")]
        assert [step["run"] for step in job["steps"] if "tools/" in step.get("run", "")] == []
        assert job["if"] == "github.ref_type == 'tag'"
    assert {job.get("environment") for name, job in RELEASE.items() if name.startswith("publish-")} == {
        "python",
        "node",
        "image",
        "docs",
    }


def test_a_release_is_tagged_on_main_built_tested_signed_published_and_tried() -> None:
    order = {
        name: {job["needs"]} if isinstance(job.get("needs"), str) else set(job.get("needs", ()))
        for name, job in RELEASE.items()
    }

    assert order == {
        "build": set(),
        "test": {"build"},
        "image": {"build"},
        "attest": {"test", "image"},
        "publish-python": {"attest"},
        "publish-node": {"attest"},
        "publish-image": {"build", "attest"},
        "smoke": {"build", "publish-python", "publish-node", "publish-image"},
        "publish-docs": {"smoke"},
    }
    steps = [step.get("run", "") for step in RELEASE["build"]["steps"]]
    assert [run for run in steps if run.startswith("tools/release tag")] != []


def test_the_core_is_tested_on_the_systems_and_pythons_that_the_metadata_names() -> None:
    matrix = _job("core", "core")["strategy"]["matrix"]
    systems = {
        "ubuntu-latest": "POSIX :: Linux",
        "macos-latest": "MacOS",
        "windows-latest": "Microsoft :: Windows",
    }
    named = {
        one.rpartition(" :: ")[2] for one in PROJECT["classifiers"] if re.search(r"Python :: 3\.\d+$", one)
    }

    assert set(matrix["python"]) == named
    assert {f"Operating System :: {systems[one]}" for one in matrix["os"]} == {
        one for one in PROJECT["classifiers"] if one.startswith("Operating System")
    }
    assert PROJECT["requires-python"] == f">={min(named)}"
    assert [one for one in matrix["include"] if one["resolution"] == "lowest-direct"] != []


def test_the_linter_of_workflows_finds_nothing() -> None:
    found = subprocess.run(
        [Path(sys.executable).with_name("zizmor"), "--offline", "--no-progress", "--min-severity", "medium",
         ".github", "action.yml"],
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip

    assert found.returncode == 0, found.stdout


def test_the_published_schema_is_the_one_of_this_version_and_examples_name_it() -> None:
    published = json.loads((ROOT / "docs/schema/battery.json").read_text())
    examples = sorted((ROOT / "examples").rglob("*.battery.yaml"))

    assert published == battery_schema(), "run: sensecheck schema --battery > docs/schema/battery.json"
    assert published["$id"] == BATTERY_SCHEMA_ADDRESS
    assert examples != []
    for example in examples:
        first, *_ = example.read_text().splitlines()
        assert first == f"# yaml-language-server: $schema={BATTERY_SCHEMA_ADDRESS}"


def test_the_hook_installs_what_its_command_needs() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    battery = ROOT / "examples/batteries/library.battery.yaml"

    assert hook["additional_dependencies"] == PROJECT["optional-dependencies"]["battery"]
    assert hook["entry"].split() == ["sensecheck", "lint"]
    assert re.search(hook["files"], battery.name)
    assert not re.search(hook["files"], "settings.yaml")


@pytest.mark.parametrize(
    "path", sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml")), ids=lambda path: path.stem
)
def test_a_form_asks_each_question_once(path: Path) -> None:
    form = yaml.safe_load(path.read_text())
    if path.stem == "config":
        assert form["blank_issues_enabled"] is False
        return
    asked = [one for one in form["body"] if one["type"] != "markdown"]

    assert len({one["id"] for one in asked}) == len(asked) >= 3
    assert all(one["attributes"]["label"] for one in asked)
    assert asked[0]["validations"]["required"]


def test_no_place_names_another_version_or_address() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    site = yaml.safe_load(re.sub(r"!ENV", "", (ROOT / "mkdocs.yml").read_text()))
    package = json.loads((ROOT / "sdk/package.json").read_text())

    assert citation["version"] == package["version"] == PROJECT["version"]
    assert citation["license"] == package["license"] == PROJECT["license"]
    assert PROJECT["urls"]["Documentation"] == citation["url"] == site["site_url"]
    assert PROJECT["urls"]["Source"] == citation["repository-code"] == site["repo_url"]
    assert PROJECT["urls"]["Source"] in package["repository"]["url"]
    assert BATTERY_SCHEMA_ADDRESS.startswith(site["site_url"])


def test_updates_are_looked_for_wherever_versions_are_named() -> None:
    updates = yaml.safe_load((ROOT / ".github/dependabot.yml").read_text())["updates"]

    assert {one["package-ecosystem"] for one in updates} == {
        "docker",
        "docker-compose",
        "github-actions",
        "npm",
        "pip",
    }
    for update in updates:
        for folder in update.get("directories", [update.get("directory")]):
            assert (ROOT / folder.strip("/")).is_dir()
