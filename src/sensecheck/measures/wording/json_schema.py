"""Holding JSON against a schema, without ever fetching one from elsewhere."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sensecheck.core.errors import CannotJudge, SpecError
from sensecheck.core.extras import extra
from sensecheck.measures.wording.schema_keywords import must_know_keywords

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

# ruff: noqa: PLC0415 - a test without a schema needs none of this

Schema = Mapping[str, Any]


def must_be_schema(schema: Schema) -> None:
    """Raise unless it is a JSON Schema that can be used."""
    _validator(_written(schema))


def first_fault(value: Any, schema: Schema) -> str | None:
    """What is wrong with a value first, and where in it; None when it conforms."""
    validator = _validator(_written(schema))
    from jsonschema.exceptions import best_match
    from referencing.exceptions import Unresolvable

    try:
        fault = best_match(validator.iter_errors(value))
    except Unresolvable as lost:
        raise CannotJudge(f"the JSON Schema refers to `{lost.ref}`, which it does not hold") from lost
    return None if fault is None else f"at `{fault.json_path}`: {fault.message}"


def _written(schema: Schema) -> str:
    return json.dumps(schema, sort_keys=True, default=dict)


@lru_cache(maxsize=256)
def _validator(written: str) -> "Validator":
    with extra("battery"):
        from jsonschema.exceptions import SchemaError
        from jsonschema.validators import Draft202012Validator, validator_for
        from referencing import Registry
    schema = json.loads(written)
    found = validator_for(schema, default=Draft202012Validator)
    try:
        found.check_schema(schema)
    except SchemaError as wrong:
        raise SpecError(f"it is no JSON Schema: at `{wrong.json_path}`: {wrong.message}") from wrong
    must_know_keywords(schema, found)
    return found(schema, registry=Registry(), format_checker=found.FORMAT_CHECKER)
