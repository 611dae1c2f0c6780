"""What is shipped for running the service speaks of things that exist."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import promql_parser
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families
from typer.main import get_command
from typer.testing import CliRunner

from sensecheck.cli.main import app
from sensecheck.config import SERVE_PREFIX, Settings
from sensecheck.server.engine.jobs import Load
from sensecheck.server.metrics import Metrics
from sensecheck.server.settings import ServiceSettings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
RUNBOOK = ROOT / "docs" / "runbook"
HEADINGS = ["## What it means", "## What users see", "## Find the cause", "## Fix it", "## False alarms"]
HADOLINT = Path(sys.executable).with_name("hadolint")
OF_PROMETHEUS = {"up"}
VARIABLE = re.compile(r"\$\{(\w+)(?::([-?])([^}]*))?\}")


def read(name: str) -> Any:
    return yaml.safe_load((DEPLOY / name).read_text())


COMPOSE = read("compose.yaml")
RECORDED = {
    rule["record"]: rule["expr"]
    for group in read("prometheus/rules.yml")["groups"]
    for rule in group["rules"]
}
OURS = {name: one for name, one in COMPOSE["services"].items() if one["image"] == "sensecheck"}
RULES = [rule for group in read("prometheus/alerts.yml")["groups"] for rule in group["rules"]]
BOARD = json.loads((DEPLOY / "grafana/dashboards/sensecheck.json").read_text())
PANELS = [panel for panel in BOARD["panels"] if panel["type"] != "row"]
QUESTIONS = [
    *RECORDED.values(),
    *(rule["expr"] for rule in RULES),
    *(target["expr"].replace("$__rate_interval", "1m") for panel in PANELS for target in panel["targets"]),
]
TARGET_LABELS = {"job", "instance"}
"""What Prometheus adds to every series."""


@pytest.fixture(scope="module")
def told() -> dict[str, set[str]]:
    """Every number that a service tells, and the labels that it has."""
    metrics = Metrics()
    metrics.watch(lambda: Load(0, 0.0, 1, 1), SimpleNamespace(waiting=0, set_aside=0, spooled_total=0))
    metrics.requested("/v1/check", "POST", 200, 0.1, "limited")
    metrics.checked("pass", "default@1", 1.0, 0.5, 0.5)
    metrics.answered("accepted", "extractive")
    metrics.writer_failed("refused")
    metrics.labelled(True, True)
    metrics.redis(True)
    metrics.tidied(1.0)
    found: dict[str, set[str]] = {}
    for family in text_string_to_metric_families(metrics.page().decode()):
        for sample in family.samples:
            found.setdefault(sample.name, set()).update(sample.labels)
    return found


def selectors(node: Any) -> Iterator[Any]:
    """The series that a question is about."""
    if isinstance(node, promql_parser.VectorSelector):
        yield node
    for name in ("expr", "lhs", "rhs", "vector_selector", "args"):
        below = getattr(node, name, None)
        for one in below if isinstance(below, list) else [below]:
            if one is not None:
                yield from selectors(one)


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_to_prometheus_is_about_numbers_that_the_service_tells(
    question: str, told: dict[str, set[str]]
) -> None:
    found = list(selectors(promql_parser.parse(question)))

    assert len(found) == len(re.findall(r"\bsensecheck_\w+|\bup\b", question)), "a part was not looked at"
    for selector in found:
        if selector.name not in OF_PROMETHEUS and selector.name not in RECORDED:
            asked = {matcher.name for matcher in selector.matchers.matchers}
            assert selector.name in told
            assert asked - TARGET_LABELS <= told[selector.name]


def test_every_recorded_series_is_used() -> None:
    asked = {selector.name for question in QUESTIONS for selector in selectors(promql_parser.parse(question))}

    assert set(RECORDED) <= asked


def test_every_number_that_the_service_tells_is_shown(told: dict[str, set[str]]) -> None:
    asked = {selector.name for question in QUESTIONS for selector in selectors(promql_parser.parse(question))}
    families = {re.sub(r"_(total|bucket|count|sum|created)$", "", name) for name in told}

    assert families == {
        re.sub(r"_(total|bucket|count|sum)$", "", name) for name in asked - OF_PROMETHEUS - set(RECORDED)
    }


def test_alerts_have_names_of_their_own_a_severity_and_words() -> None:
    assert len({rule["alert"] for rule in RULES}) == len(RULES) >= 10
    assert {rule["labels"]["severity"] for rule in RULES} == {"critical", "warning"}
    assert all(rule["annotations"]["summary"] for rule in RULES)


def test_every_alert_has_a_page_in_the_runbook_and_every_page_an_alert() -> None:
    pages = {path.stem: path.read_text() for path in RUNBOOK.glob("*.md") if path.stem != "index"}
    named = {rule["alert"]: rule["annotations"]["runbook_url"].split("/")[-2] for rule in RULES}

    assert set(named.values()) == set(pages)
    for alert, page in named.items():
        assert f"`{alert}`" in pages[page]
        assert [line for line in pages[page].splitlines() if line.startswith("## ")] == HEADINGS


def test_variables_of_the_dashboard_are_asked_for_and_narrow_every_panel() -> None:
    declared = {variable["name"] for variable in BOARD["templating"]["list"]}
    used = set(re.findall(r"\$\{?(\w+)", json.dumps(BOARD))) - {"__rate_interval", "__all"}

    assert declared == used == {"datasource", "job", "instance", "policy", "route"}
    assert all('job=~"$job"' in target["expr"] for panel in PANELS for target in panel["targets"])


def test_panels_have_ids_of_their_own_and_do_not_overlap() -> None:
    taken = [cell for panel in BOARD["panels"] for cell in _cells(panel["gridPos"])]

    assert len({panel["id"] for panel in BOARD["panels"]}) == len(BOARD["panels"])
    assert len(set(taken)) == len(taken)
    assert max(column for column, _ in taken) < 24


def _cells(place: dict[str, int]) -> Iterator[tuple[int, int]]:
    for column in range(place["x"], place["x"] + place["w"]):
        for line in range(place["y"], place["y"] + place["h"]):
            yield column, line


def test_grafana_asks_the_prometheus_that_runs_beside_it() -> None:
    (source,) = read("grafana/provisioning/datasources/prometheus.yml")["datasources"]
    (provider,) = read("grafana/provisioning/dashboards/sensecheck.yml")["providers"]
    mounted = dict(volume.split(":")[:2] for volume in COMPOSE["services"]["grafana"]["volumes"])

    assert source["url"] == "http://prometheus:9090"
    assert source["isDefault"], "the variable `datasource` starts with it"
    assert {panel["datasource"]["uid"] for panel in PANELS} == {"${datasource}"}
    assert mounted["./grafana/dashboards"] == provider["options"]["path"]


def test_prometheus_asks_every_service_and_the_balancer_sends_to_each() -> None:
    (job,) = read("prometheus/prometheus.yml")["scrape_configs"]
    services = {f"{name}:8000" for name in OURS if name.startswith("service-")}

    assert set(job["static_configs"][0]["targets"]) == services
    caddy = (DEPLOY / "caddy/Caddyfile").read_text()
    assert services <= set(caddy.split())
    assert "respond /metrics 404" in caddy, "they are open inside, and must not be from outside"


def filled_in(text: str) -> str:
    """With what a variable is by itself; one that must be set is long enough."""
    return VARIABLE.sub(lambda found: "x" * 32 if found[2] == "?" else found[3] or "", text)


@pytest.mark.parametrize("name", OURS)
def test_settings_of_a_container_are_settings_of_the_service(name: str) -> None:
    given = {variable: filled_in(text) for variable, text in OURS[name]["environment"].items()}
    ours = {variable for variable in given if not variable.startswith(SERVE_PREFIX)}

    ServiceSettings.from_variables(given)
    assert {variable.removeprefix("SENSECHECK_").lower() for variable in ours} <= set(
        Settings.__dataclass_fields__
    )


@pytest.mark.parametrize("name", OURS)
def test_commands_of_a_container_are_commands_of_ours(name: str) -> None:
    words = OURS[name].get("command") or _default_command()

    assert words[0] in get_command(app).commands  # type: ignore[attr-defined]  # a group has them
    shown = CliRunner().invoke(app, [*words, "--help"])
    assert shown.exit_code == 0, shown.output


def test_volumes_that_are_used_are_declared_and_files_that_are_mounted_exist() -> None:
    sources = [
        volume.split(":")[0] for one in COMPOSE["services"].values() for volume in one.get("volumes", ())
    ]

    files = {source for source in sources if source.startswith(".")}
    assert {source for source in sources if not source.startswith(".")} == set(COMPOSE["volumes"])
    assert all((DEPLOY / file).exists() for file in files)


def test_each_service_has_a_spool_of_its_own_and_can_write_nothing_else() -> None:
    spools = [one["volumes"] for name, one in OURS.items() if name != "upgrade"]

    assert len({str(volumes) for volumes in spools}) == len(spools)
    assert all(one["read_only"] and one["cap_drop"] == ["ALL"] for one in OURS.values())


def test_containers_wait_for_containers_that_exist() -> None:
    for one in COMPOSE["services"].values():
        assert set(one.get("depends_on", ())) <= set(COMPOSE["services"])


def test_no_secret_is_written_down() -> None:
    for one in COMPOSE["services"].values():
        for name, value in one.get("environment", {}).items():
            if re.search("PEPPER|PASSWORD|KEY", name):
                assert VARIABLE.fullmatch(value), name


def _dockerfile() -> str:
    return (DEPLOY / "Dockerfile").read_text()


def _default_command() -> list[str]:
    found = re.search(r"^CMD (\[.*\])$", _dockerfile(), re.MULTILINE)
    assert found is not None
    command: list[str] = json.loads(found[1])
    return command


@pytest.mark.skipif(not HADOLINT.exists(), reason="hadolint has no build for this machine")
def test_the_image_is_built_as_images_should_be() -> None:
    found = subprocess.run(
        [HADOLINT, DEPLOY / "Dockerfile"], capture_output=True, text=True, timeout=60, check=False
    )

    assert (found.returncode, found.stdout) == (0, "")


def test_the_image_runs_as_nobody_special_with_extras_that_exist() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = re.search(r"^ARG EXTRAS=([\w,-]+)$", _dockerfile(), re.MULTILINE)
    assert asked is not None

    assert set(asked[1].split(",")) <= set(project["optional-dependencies"]) - {"train"}
    assert re.search(r"^USER \d{4,}$", _dockerfile(), re.MULTILINE)
    assert _default_command()[:1] == ["serve"]
    for variable in re.findall(r"\b(SENSECHECK_SERVE_\w+)=", _dockerfile()):
        assert variable.removeprefix(SERVE_PREFIX).lower() in ServiceSettings.__dataclass_fields__


def test_images_are_pinned_by_their_digest() -> None:
    theirs = [one["image"] for name, one in COMPOSE["services"].items() if name not in OURS]
    bases = re.findall(r"^FROM (\S+)", _dockerfile(), re.MULTILINE)

    assert [
        one for one in theirs + bases if not re.fullmatch(r"[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}", one)
    ] == []
    assert len(set(bases)) == 1


@pytest.mark.slow
@pytest.mark.core
@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool, of Debian's `prometheus`, is missing")
def test_a_normal_load_fires_no_alert_and_each_failure_fires_its_own() -> None:
    tested = read("prometheus/alerts_test.yml")["tests"]
    alerts = {rule["alert"] for rule in RULES}
    fired = [
        one["alertname"]
        for test in tested
        for one in test.get("alert_rule_test", ())
        if one.get("exp_alerts")
    ]
    silent = {one["alertname"] for one in tested[0]["alert_rule_test"] if not one.get("exp_alerts")}

    found = subprocess.run(
        ["promtool", "test", "rules", DEPLOY / "prometheus/alerts_test.yml"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert found.returncode == 0, found.stdout + found.stderr
    assert silent == alerts == set(fired)
