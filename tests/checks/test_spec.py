"""Checks as data and back: nothing is silently ignored."""

import json
from typing import Any

import jsonschema
import pytest

from sensecheck.checks.cascade import Cascade
from sensecheck.checks.combine import AllOf, AnyOf, Not
from sensecheck.checks.gate import Gate
from sensecheck.checks.presets import PRESETS, classified_as, grounded, means
from sensecheck.checks.schema import check_schema
from sensecheck.checks.spec import check_from_data, check_to_data
from sensecheck.core.cutoff import Certificate, Cutoff, at_least, at_most
from sensecheck.core.errors import SpecError
from sensecheck.core.protocols import Check
from sensecheck.measures.clusters import ClusterMargin
from sensecheck.measures.exemplars import NearestExemplar
from sensecheck.measures.facts.agreement import FactAgreement
from sensecheck.measures.overlap import KeywordOverlap
from sensecheck.measures.similarity import Similarity

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
    jsonschema.validate(data, check_schema())


def required_arguments(name: str) -> dict[str, Any]:
    clusters = {"pass": ["good"], "fail": ["bad"]}
    return {
        "classified_as": {"clusters": clusters, "wanted": "pass"},
        "cluster_classification": {"clusters": clusters, "expected_cluster": "pass"},
    }.get(name, {})


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_a_preset_is_known_by_its_name(name: str) -> None:
    data = {"kind": name, **required_arguments(name)}
    jsonschema.validate(data, check_schema())

    assert check_from_data(data) == PRESETS[name](
        **{
            key: {label: tuple(texts) for label, texts in item.items()} if isinstance(item, dict) else item
            for key, item in required_arguments(name).items()
        }
    )


WRONG: list[tuple[Any, str]] = [
    ("means", "wants a mapping with a `kind`; found str"),
    ({}, "lacks the key `kind`"),
    ({"kind": "meens"}, "did you mean `means`"),
    ({"kind": "means", "treshold": 0.5}, "did you mean `threshold`"),
    ({"kind": "means", "threshold": "0.5"}, r"in `check.threshold`: a number is written without quotes"),
    ({"kind": "means", "threshold": "nobodys"}, r"in `check.threshold`: `nobodys` is not a known card"),
    ({"kind": "means", "threshold": {"fprr": 0.05}}, r"in `check.threshold`: .* did you mean `fpr`"),
    ({"kind": "means", "threshold": [0.5]}, r"`check.threshold` wants a number; found list"),
    ({"kind": "means", "threshold": True}, "wants a number; found bool"),
    ({"kind": "gate"}, "lacks the key `measure`"),
    ({"kind": "gate", "measure": {"kind": "similarty"}}, "did you mean `similarity`"),
    ({"kind": "gate", "measure": {"kind": "similarity", "expcted": "x"}}, "did you mean `expected`"),
    ({"kind": "gate", "measure": {"kind": "similarity"}, "cutof": {}}, "did you mean `cutoff`"),
    (
        {"kind": "gate", "measure": {"kind": "similarity"}, "cutoff": {"at_lest": 1}},
        "did you mean `at_least`",
    ),
    ({"kind": "gate", "measure": {"kind": "similarity"}, "cutoff": 0.7}, "wants a mapping such as"),
    ({"kind": "gate", "measure": {"kind": "similarity"}, "cutoff": {"fprr": 0.1}}, "did you mean `fpr`"),
    ({"kind": "gate", "measure": {"kind": "similarity"}, "cutoff": {"fpr": 2}}, "wants a share between 0"),
    (
        {"kind": "gate", "measure": {"kind": "similarity"}, "cutoff": {"at_least": 0.7, "fpr": 0.05}},
        "in a target: `at_least` is not a known key",
    ),
    ({"kind": "gate", "measure": {"kind": "similarity"}, "cutoff": {"fpr": 0.05}}, "no card promises"),
    ({"kind": "gate", "measure": {"kind": "keyword_overlap", "keywords": "lang"}}, "did you mean `long`"),
    ({"kind": "gate", "measure": {"kind": "nearest_exemplar", "exemplars": []}}, "is empty"),
    ({"kind": "gate", "measure": {"kind": "nearest_exemplar", "exemplars": "no"}}, "wants a list; found str"),
    ({"kind": "gate", "measure": {"kind": "nearest_exemplar"}}, "lacks the key `exemplars`"),
    ({"kind": "gate", "measure": {"kind": "similarity"}, "label": 3}, "wants a text; found int"),
    ({"kind": ["means"]}, "is not a known kind"),
    ({"kind": "gate", "measure": {"kind": ["similarity"]}}, "is not a known kind"),
    ({"kind": "any_of", "checks": []}, "at least one check"),
    ({"kind": "all_of"}, "lacks the key `checks`"),
    ({"kind": "all_of", "checks": {"kind": "means"}}, "wants a list; found dict"),
    ({"kind": "not", "check": {"kind": "not", "check": {"kind": "x"}}}, r"in `check\.check\.check`"),
    ({"kind": "all_of", "checks": [{"kind": "means"}, {"kind": "mean"}]}, r"in `check\.checks\[1\]`"),
    ({"kind": "classified_as", "clusters": {"a": ["x"], "b": ["y"]}}, "wanted"),
    ({"kind": "classified_as", "clusters": {"a": ["x"]}, "wanted": "a"}, "at least two clusters"),
    ({"kind": "classified_as", "clusters": {"a": ["x"], "b": []}, "wanted": "a"}, "`clusters.b` is empty"),
    (
        {"kind": "classified_as", "clusters": {"pass": ["x"], "b": ["y"]}, "wanted": "pas"},
        "did you mean `pass`",
    ),
]


@pytest.mark.parametrize(("data", "said"), WRONG)
def test_what_is_not_understood_is_an_error_that_says_where_and_what(data: Any, said: str) -> None:
    with pytest.raises(SpecError, match=said):
        check_from_data(data)


def test_the_schema_is_itself_valid_and_refuses_typos() -> None:
    jsonschema.Draft202012Validator.check_schema(check_schema())
    for data in ({"kind": "meens"}, {"kind": "means", "treshold": 1}, {"kind": "gate"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(data, check_schema())


def test_a_measure_that_is_registered_nowhere_is_not_data() -> None:
    class Own(Similarity):
        pass

    with pytest.raises(SpecError, match="is not registered"):
        check_to_data(Gate(Own()))


def test_somebody_elses_check_is_not_data_and_says_so() -> None:
    class Own:
        name = "own"

    with pytest.raises(SpecError, match="only our own kinds of check are data"):
        check_to_data(Own())  # type: ignore[arg-type]  # a check of a user's
