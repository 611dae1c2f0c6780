"""How much one call may bring along."""

from typing import Any

import pytest

from sensecheck.core.errors import SampleError
from sensecheck.mcp.tool import validate_arguments


def nested(depth: int) -> dict[str, Any]:
    return {"check": nested(depth - 1)} if depth else {}


@pytest.mark.parametrize(
    ("arguments", "because"),
    [
        ({"text": "x" * 200_001}, "`text` has 200001 characters"),
        ({"passages": ["x" * 200_000] * 6}, "the call has 1200008 characters"),
        ({"passages": ["x"] * 101}, "`passages` has 101 entries"),
        ({"clusters": {str(number): ["x"] for number in range(101)}}, "`clusters` has 101 entries"),
        ({"clusters": {"x" * 200_001: ["x"]}}, "a key of `clusters`"),
        ({"check": nested(20)}, "nested too deeply"),
        ({"passages": ["fine", "a \ud83d b"]}, r"`passages\[1\]` holds half a surrogate pair at character 2"),
        ({"\udc00": "x"}, "a key` holds half a surrogate pair"),
    ],
)
def test_what_is_beyond_a_limit_is_told_with_its_place(arguments: dict[str, Any], because: str) -> None:
    with pytest.raises(SampleError, match=because):
        validate_arguments(arguments)


def test_what_is_just_within_the_limits_is_taken() -> None:
    validate_arguments({"passages": ["x" * 10_000] * 99, "check": nested(10), "answer": "\U0001f600", "n": 3})
