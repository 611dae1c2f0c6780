"""What is shipped for running on a Ray cluster is what Ray and KubeRay take, and tells of what exists."""

import json
import re
import shlex
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator
from typer.main import get_command

from sensecheck.cli.main import app
from tests.house.kuberay_fields import RAY_JOB

ROOT = Path(__file__).parents[2]
RAY = ROOT / "deploy" / "ray"
HADOLINT = Path(sys.executable).with_name("hadolint")


def read(name: str) -> Any:
    return yaml.safe_load((RAY / name).read_text())


def wrong_in(data: Any, schema: Any) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in Draft7Validator(schema).iter_errors(data)]


def test_ray_takes_the_cluster() -> None:
    ray = find_spec("ray")
    assert ray is not None
    assert ray.origin is not None
    schema = json.loads((Path(ray.origin).parent / "autoscaler" / "ray-schema.json").read_text())

    assert wrong_in(read("cluster.yaml"), schema) == []


def test_kuberay_knows_every_field_of_the_job() -> None:
    job = read("kuberay.yaml")

    assert wrong_in(job, RAY_JOB) == []
    assert wrong_in({**job, "spec": {**job["spec"], "entrypont": "x"}}, RAY_JOB) != []


def test_commands_are_commands_of_ours() -> None:
    told = (RAY / "cluster.yaml").read_text().replace("\n#", "")
    commands = [read("kuberay.yaml")["spec"]["entrypoint"], *re.findall(r'"RAY_AUTH_MODE=token (.*?)"', told)]

    assert len(commands) == 2
    for command in commands:
        ours, name, *arguments = shlex.split(command)
        assert (ours, name) == ("sensecheck", "eval")
        evaluate = get_command(app).commands["eval"]  # type: ignore[attr-defined]
        with evaluate.make_context("eval", arguments) as context:
            assert context.params["on"] == "ray"
            assert context.params["workers"] == 320
            assert context.params["ray_autoscales"] is True


def test_as_many_workers_are_asked_for_as_all_machines_have_room_for_and_the_head_has_none() -> None:
    cluster, job = read("cluster.yaml"), read("kuberay.yaml")["spec"]["rayClusterSpec"]
    (workers,) = job["workerGroupSpecs"]
    (container,) = workers["template"]["spec"]["containers"]

    assert workers["maxReplicas"] * int(container["resources"]["limits"]["cpu"]) == 320
    assert cluster["available_node_types"]["workers"]["max_workers"] * 16 == 320
    assert job["headGroupSpec"]["rayStartParams"]["num-cpus"] == "0"
    assert cluster["available_node_types"][cluster["head_node_type"]]["resources"] == {"CPU": 0}


def test_every_node_wants_the_token_and_tells_nobody_of_its_use() -> None:
    cluster = read("cluster.yaml")
    starts = [*cluster["head_start_ray_commands"], *cluster["worker_start_ray_commands"]]

    for start in starts:
        if "ray start" in start:
            assert start.startswith("RAY_AUTH_MODE=token RAY_USAGE_STATS_ENABLED=0 ray start")
    assert read("kuberay.yaml")["spec"]["rayClusterSpec"]["authOptions"] == {"mode": "token"}
    assert "RAY_USAGE_STATS_ENABLED=0" in _dockerfile()


def test_image_and_ray_are_of_the_versions_that_are_tested() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    (ray,) = re.findall(r"^ray==(\S+)$", (ROOT / "constraints.txt").read_text(), re.MULTILINE)
    image = f"sensecheck-ray:{version}"
    job = read("kuberay.yaml")["spec"]["rayClusterSpec"]
    pods = [job["headGroupSpec"], *job["workerGroupSpecs"]]

    assert image in _dockerfile()
    assert f"FROM rayproject/ray:{ray}-" in _dockerfile()
    assert read("cluster.yaml")["docker"]["image"] == image
    assert job["rayVersion"] == ray
    assert {pod["template"]["spec"]["containers"][0]["image"] for pod in pods} == {image}


@pytest.mark.skipif(not HADOLINT.exists(), reason="hadolint has no build for this machine")
def test_the_image_is_built_as_images_should_be_with_extras_that_exist() -> None:
    found = subprocess.run(
        [HADOLINT, RAY / "Dockerfile"], capture_output=True, text=True, timeout=60, check=False
    )
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    asked = re.search(r'"sensecheck\[([\w,-]+)\]"', _dockerfile())

    assert (found.returncode, found.stdout) == (0, "")
    assert asked is not None
    assert set(asked[1].split(",")) <= set(extras)


def _dockerfile() -> str:
    return (RAY / "Dockerfile").read_text()
