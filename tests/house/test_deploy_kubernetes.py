"""The Kubernetes manifests are what the API server takes, and fit the service and each other."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml
from typer.main import get_command
from typer.testing import CliRunner

from sensecheck.cli.main import app
from sensecheck.config import SERVE_PREFIX, Settings
from sensecheck.server.settings import ServiceSettings

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deploy" / "kubernetes"
VERSIONS = ("1.27", "1.37")
"""The oldest and the newest that we say it runs on, of those that the package has schemas for."""
KUSTOMIZATION = yaml.safe_load((FOLDER / "kustomization.yaml").read_text())
FILES = [*KUSTOMIZATION["resources"], "secret.example.yaml"]


def _objects() -> Iterator[dict[str, Any]]:
    for name in FILES:
        yield from yaml.safe_load_all((FOLDER / name).read_text())


OBJECTS = {(one["kind"], one["metadata"]["name"]): one for one in _objects()}
PODS = {key: one["spec"]["template"] for key, one in OBJECTS.items() if "template" in one.get("spec", {})}
SERVICE = OBJECTS["StatefulSet", "sensecheck"]["spec"]
CONTAINER = SERVICE["template"]["spec"]["containers"][0]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("key", OBJECTS, ids="-".join)
def test_an_object_is_as_the_schema_of_kubernetes_has_it(key: tuple[str, str], version: str) -> None:
    kubernetes_validate.validate(OBJECTS[key], version, strict=True)


def test_the_validator_finds_a_typo_and_a_wrong_type() -> None:
    wrong = OBJECTS["StatefulSet", "sensecheck"]

    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong | {"spec": SERVICE | {"replica": 2}}, VERSIONS[-1], strict=True)
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(
            wrong | {"spec": SERVICE | {"replicas": "two"}}, VERSIONS[-1], strict=True
        )


def test_all_files_are_part_of_it_and_secrets_are_an_example() -> None:
    known = {*FILES, "kustomization.yaml", "adapter-values.yaml"}

    assert {path.name for path in FOLDER.iterdir()} == known
    assert "secret.example.yaml" not in KUSTOMIZATION["resources"]
    secrets = OBJECTS["Secret", "sensecheck"]["stringData"]
    assert all(re.search("PASSWORD|REPLACE|example", text) or not text for text in secrets.values())


def test_settings_are_settings_of_the_service_and_secrets_are_apart() -> None:
    plain, secret = OBJECTS["ConfigMap", "sensecheck"]["data"], OBJECTS["Secret", "sensecheck"]["stringData"]
    ours = {name for name in {**plain, **secret} if not name.startswith(SERVE_PREFIX)}

    ServiceSettings.from_variables({**plain, **secret})
    assert {name.removeprefix("SENSECHECK_").lower() for name in ours} <= set(Settings.__dataclass_fields__)
    assert not set(plain) & set(secret)
    assert not [name for name in plain if re.search("PEPPER|KEY|STORE|REDIS", name)]


@pytest.mark.parametrize("key", PODS, ids="-".join)
def test_a_pod_runs_a_command_of_ours_with_no_rights_and_only_volumes_that_exist(
    key: tuple[str, str],
) -> None:
    pod = PODS[key]["spec"]
    (container,) = pod["containers"]
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    mounted = {mount["name"] for mount in container["volumeMounts"]}
    claims = {claim["metadata"]["name"] for claim in OBJECTS[key]["spec"].get("volumeClaimTemplates", ())}

    assert container["image"] == f"sensecheck:{version}"
    assert container["args"][0] in get_command(app).commands  # type: ignore[attr-defined]  # a group has them
    assert CliRunner().invoke(app, [*container["args"], "--help"]).exit_code == 0
    assert pod["securityContext"]["runAsNonRoot"]
    assert f"USER {pod['securityContext']['runAsUser']}" in (ROOT / "deploy" / "Dockerfile").read_text()
    assert container["securityContext"]["readOnlyRootFilesystem"]
    assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    assert pod["automountServiceAccountToken"] is False
    assert ("ServiceAccount", pod["serviceAccountName"]) in OBJECTS
    assert {volume["name"] for volume in pod["volumes"]} | claims == mounted
    for source in container["envFrom"]:
        kind, name = next(iter(source.items()))
        assert ({"configMapRef": "ConfigMap", "secretRef": "Secret"}[kind], name["name"]) in OBJECTS


def test_selectors_meet_the_pods_that_they_are_for() -> None:
    labels = SERVICE["template"]["metadata"]["labels"]

    for key in (("Service", "sensecheck"), ("Service", "sensecheck-pods")):
        assert OBJECTS[key]["spec"]["selector"] == labels
    assert OBJECTS["PodDisruptionBudget", "sensecheck"]["spec"]["selector"]["matchLabels"] == labels
    assert SERVICE["selector"]["matchLabels"] == labels
    assert SERVICE["serviceName"] == "sensecheck-pods"
    other = OBJECTS["Deployment", "sensecheck-worker"]["spec"]["template"]["metadata"]["labels"]
    assert other != labels


def test_the_spool_is_on_a_volume_that_outlives_the_pod() -> None:
    (mount,) = [mount for mount in CONTAINER["volumeMounts"] if mount["name"] == "spool"]
    retention = SERVICE["persistentVolumeClaimRetentionPolicy"]

    spool = OBJECTS["ConfigMap", "sensecheck"]["data"]["SENSECHECK_SERVE_SPOOL"]
    assert Path(spool).is_relative_to(mount["mountPath"])
    assert retention == {"whenDeleted": "Retain", "whenScaled": "Retain"}


def test_probes_ask_routes_that_exist_and_a_pod_has_time_to_end() -> None:
    probes = {name: CONTAINER[name]["httpGet"] for name in CONTAINER if name.endswith("Probe")}
    paused = int(CONTAINER["lifecycle"]["preStop"]["exec"]["command"][1])

    assert {name: probe["path"] for name, probe in probes.items()} == {
        "startupProbe": "/livez",
        "livenessProbe": "/livez",
        "readinessProbe": "/readyz",
    }
    assert {probe["port"] for probe in probes.values()} == {CONTAINER["ports"][0]["name"]}
    assert paused + ServiceSettings().drain < SERVICE["template"]["spec"]["terminationGracePeriodSeconds"]


def test_pods_are_added_by_the_wait_that_the_service_reports_before_it_rejects() -> None:
    scaler = OBJECTS["HorizontalPodAutoscaler", "sensecheck"]["spec"]
    (metric,) = scaler["metrics"]
    adapter = yaml.safe_load((FOLDER / "adapter-values.yaml").read_text())
    (rule,) = adapter["rules"]["custom"]
    name = metric["pods"]["metric"]["name"]
    longest = float(OBJECTS["ConfigMap", "sensecheck"]["data"]["SENSECHECK_SERVE_MAX_WAIT"])

    assert f'"{name}"' in (ROOT / "src/sensecheck/server/metrics.py").read_text()
    assert rule["name"]["as"] == name
    assert rule["seriesQuery"].startswith(name)
    assert float(metric["pods"]["target"]["averageValue"]) == longest / 2
    assert (scaler["scaleTargetRef"]["kind"], scaler["scaleTargetRef"]["name"]) == (
        "StatefulSet",
        "sensecheck",
    )
    assert "replicas" not in SERVICE, "two would decide on it"
    assert scaler["minReplicas"] >= 2
