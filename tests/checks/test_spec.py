"""Checks as data and back: nothing is silently ignored."""

import json
import re
from typing import Any

import jsonschema
import pytest

from sensecheck.checks.combine import AllOf, AnyOf, Cascade, Not
from sensecheck.checks.gate import Gate
from sensecheck.checks.presets import PRESETS, classified_as, grounded, means
from sensecheck.checks.schema import check_schema
from sensecheck.checks.spec import check_from_data, check_to_data
from sensecheck.core.cutoff import Certificate, Cutoff, at_least, at_most
from sensecheck.core.errors import SpecError
from sensecheck.core.protocols import Check
from sensecheck.measures.exemplars import ClusterMargin, NearestExemplar
from sensecheck.measures.facts.agreement import FactAgreement
from sensecheck.measures.overlap import KeywordOverlap
from sensecheck.measures.similarity import Similarity
from tests.corpus import each_row

SCHEMA = jsonschema.Draft202012Validator(check_schema())

FITTED = Cutoff(0.5, "above", (0.4, 0.6), Certificate("labels:abc", "minilm:1"))
CHECKS: list[Check] = [
    Gate(Similarity()),
    Gate(Similarity("the moon"), at_least(0.7), "moon"),
    Gate(KeywordOverlap("long"), FITTED),
    Not(Gate(NearestExemplar(("no", "never"), of="opening"), at_most(0.4)), "polite"),
    AnyOf((Gate(Similarity(), at_least(0.7)), AllOf((Gate(FactAgreement(), at_least(1.0)),)))),
    Cascade(
        (Gate(Similarity(), FITTED), Gate(ClusterMargin({"a": ("x",), "b": ("y", "z")}, "a"), at_least(0)))
    ),
    means(),
    grounded(),
    classified_as({"pass": ("yes",), "fail": ("no",)}, "pass"),
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_a_check_goes_to_json_and_back(check: Check) -> None:
    data = json.loads(json.dumps(check_to_data(check)))

    assert check_from_data(data) == check
    SCHEMA.validate(data)


def required_arguments(name: str) -> dict[str, Any]:
    clusters = {"pass": ["good"], "fail": ["bad"]}
    return {
        "classified_as": {"clusters": clusters, "wanted": "pass"},
        "cluster_classification": {"clusters": clusters, "expected_cluster": "pass"},
    }.get(name, {})


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_a_preset_is_known_by_its_name(name: str) -> None:
    data = {"kind": name, **required_arguments(name)}
    SCHEMA.validate(data)

    assert check_from_data(data) == PRESETS[name](
        **{
            key: {label: tuple(texts) for label, texts in item.items()} if isinstance(item, dict) else item
            for key, item in required_arguments(name).items()
        }
    )


@each_row
def test_what_is_not_understood_is_an_error_that_says_where_and_what(data: Any, said: str) -> None:
    with pytest.raises(SpecError, match=said):
        check_from_data(data)


def test_the_schema_is_itself_valid_and_refuses_typos() -> None:
    jsonschema.Draft202012Validator.check_schema(check_schema())
    for data in ({"kind": "meens"}, {"kind": "means", "treshold": 1}, {"kind": "gate"}):
        with pytest.raises(jsonschema.ValidationError):
            SCHEMA.validate(data)


def test_a_measure_that_is_registered_nowhere_is_not_data() -> None:
    class Own(Similarity):
        pass

    class New(Similarity):
        @property
        def name(self) -> str:
            return "cited"

    said = (
        "the measure `cited` is not registered under `sensecheck.measures`; to calibrate or store it, add "
        '`[project.entry-points."sensecheck.measures"]` to the pyproject.toml of your package, below it '
        f'`cited = "{__name__}:{New.__qualname__}"`, and install the package'
    )
    with pytest.raises(SpecError, match=f"^{re.escape(said)}$"):
        check_to_data(Gate(New()))
    with pytest.raises(SpecError, match=r"`similarity` of `tests\.checks.*so give yours a name of its own"):
        check_to_data(Gate(Own()))


def test_somebody_elses_check_is_not_data_and_says_so() -> None:
    class Own:
        name = "own"

    with pytest.raises(SpecError, match=r"^`own` is a Own; only our own kinds of check are data$"):
        check_to_data(Own())  # type: ignore[arg-type]  # a check of a user's
