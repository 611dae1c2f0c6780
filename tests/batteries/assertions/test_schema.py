"""The schema for editors agrees with the reader."""

from typing import Any

import jsonschema
import pytest

from sensecheck.batteries.assertions.registry import KINDS
from sensecheck.batteries.schema import assertion_schema, embedding_validation_schema
from sensecheck.core.errors import BatteryError
from tests.batteries.assertions.asserted import read
from tests.batteries.assertions.test_text import HOLDS, HOLDS_NOT
from tests.corpus import each_of

SCHEMA = {"$ref": "#/$defs/assertion", "$defs": {"assertion": assertion_schema()}}


def fits(data: Any, schema: dict[str, Any] = SCHEMA) -> bool:
    return bool(jsonschema.Draft202012Validator(schema).is_valid(data))


def test_the_schemas_are_schemas() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.Draft202012Validator.check_schema(embedding_validation_schema())


@each_of("assertion", [assertion for _, assertion in (*HOLDS, *HOLDS_NOT)])
def test_what_can_be_read_fits(assertion: dict[str, Any]) -> None:
    assert fits(assertion)
    assert fits({**assertion, "type": f"not-{assertion['type']}", "weight": 0, "metric": "m", "x-mine": 1})
    assert fits({"type": "assert-set", "assert": [assertion], "threshold": 0.5})


@pytest.mark.parametrize(
    "assertion",
    [
        {"type": "contain", "value": "x"},
        {"type": "contains"},
        {"type": "contains", "value": "x", "treshold": 1},
        {"type": "latency", "threshold": "fast"},
        {"type": "assert-set", "assert": []},
        {"type": "similar", "value": "x", "threshold": {"fdr": 1}},
    ],
)
def test_what_cannot_be_read_does_not_fit(assertion: dict[str, Any]) -> None:
    assert not fits(assertion)
    with pytest.raises(BatteryError):
        read(assertion)


def test_every_type_is_told_with_what_it_means() -> None:
    told = {one["title"]: one["description"] for one in assertion_schema()["anyOf"]}

    assert told.keys() == {*KINDS, "assert-set"}
    assert told["refusal"].startswith("The answer is a refusal.")


def test_the_rules_on_embeddings_fit_alone_and_in_a_list() -> None:
    rule = {"type": "drift_threshold", "expected": "x", "threshold": 0.3}

    assert fits(rule, embedding_validation_schema())
    assert fits([rule, {"type": "trajectory"}], embedding_validation_schema())
    assert not fits({**rule, "treshold": 1}, embedding_validation_schema())
