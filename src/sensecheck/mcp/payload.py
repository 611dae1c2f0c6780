"""What goes to a tool and what comes back, as plain data."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sensecheck.core.errors import SampleError, ToolError

if TYPE_CHECKING:
    from mcp.types import CallToolResult


def must_be_sendable(name: str, arguments: Mapping[str, Any]) -> None:
    """Raise unless the arguments can be written as JSON."""
    try:
        json.dumps(arguments, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError as broken:
        raise SampleError(f"the arguments of `{name}` hold half a surrogate pair") from broken
    except (TypeError, ValueError) as wrong:
        raise SampleError(f"the arguments of `{name}` want plain data; {wrong}") from wrong


def payload_of(name: str, result: "CallToolResult") -> dict[str, Any]:
    """The data in a tool's result, as any server shapes it; `ToolError` when it says that it failed."""
    said = "\n".join(block.text for block in result.content if block.type == "text")
    if result.is_error:
        raise ToolError(f"`{name}`: {said or 'the tool failed and did not say why'}")
    data = _unwrapped(said if result.structured_content is None else result.structured_content)
    if not isinstance(data, dict):
        raise ToolError(f"`{name}` wants to give an object; found {type(data).__name__}")
    if data.get("error") not in (None, False):
        raise ToolError(f"`{name}`: {data['error']}")
    return data


def _unwrapped(given: Any) -> Any:
    """Data that a server wrote as text, or put alone into a `result`."""
    if isinstance(given, str):
        try:
            return _unwrapped(json.loads(given))
        except json.JSONDecodeError:
            return given
    if isinstance(given, dict) and given.keys() == {"result"} and isinstance(given["result"], str | dict):
        return _unwrapped(given["result"])
    return given
