"""The server: lists the tools, and answers calls of them."""

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import anyio.to_thread
from mcp.server import Server, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    ToolAnnotations,
)
from mcp.types import Tool as Listed

import sensecheck
from sensecheck.core.errors import SensecheckError
from sensecheck.core.serialization import did_you_mean, from_data
from sensecheck.mcp.tool import Tool, ToolContext, arguments_schema, validate_arguments
from sensecheck.mcp.tools.checks import CheckAnswer, ClassifyText, GroundAnswer
from sensecheck.mcp.tools.embeddings import AnalyzeTrajectory, CalculateDrift, EmbedText

TOOLS: Mapping[str, type[Tool]] = {
    tool.name: tool
    for tool in (EmbedText, CalculateDrift, AnalyzeTrajectory, CheckAnswer, GroundAnswer, ClassifyText)
}
MAX_CONCURRENCY = 4
"""How many calls are judged at the same time; the others wait their turn."""
INSTRUCTIONS = (
    "Tools that judge texts by meaning: deterministic, without a language model. Judge an answer with "
    "`check_answer`, hold it against its sources with `ground_answer`. A tool error means that nothing was "
    "judged; it never counts as a pass."
)


def server_of(context: Callable[[], ToolContext]) -> Server[Any]:
    """A server of all tools; the context is asked for when the first call comes."""
    limiter = anyio.CapacityLimiter(MAX_CONCURRENCY)

    async def list_tools(_: ServerRequestContext[Any], __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[_listed(tool) for tool in TOOLS.values()])

    async def call_tool(_: ServerRequestContext[Any], request: CallToolRequestParams) -> CallToolResult:
        tool = TOOLS.get(request.name)
        if tool is None:
            raise MCPError(INVALID_PARAMS, did_you_mean("tool", request.name[:80], TOOLS))
        # In a thread, so that the loop continues; a caller that has disconnected is not waited for.
        call = partial(_answer, tool, request.arguments or {}, context)
        return await anyio.to_thread.run_sync(call, abandon_on_cancel=True, limiter=limiter)

    return Server(
        "sensecheck",
        title="sensecheck",
        version=sensecheck.__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        get_tool_input_schema=lambda name: arguments_schema(TOOLS[name]) if name in TOOLS else None,
    )


def _listed(tool: type[Tool]) -> Listed:
    return Listed(
        name=tool.name,
        title=tool.title,
        description=tool.about,
        input_schema=arguments_schema(tool),
        output_schema=tool.result,
        annotations=ToolAnnotations(
            read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
        ),
    )


def _answer(
    tool: type[Tool], arguments: Mapping[str, Any], context: Callable[[], ToolContext]
) -> CallToolResult:
    """What a call comes to; what could not be judged is a tool error, never a result."""
    try:
        validate_arguments(arguments)
        payload = from_data(tool, arguments, at="arguments").call(context())
    except SensecheckError as reason:
        return CallToolResult(content=[TextContent(text=str(reason))], is_error=True)
    if payload.get("outcome") == "error":
        because = TextContent(text=payload["because"])
        return CallToolResult(content=[because], structured_content=payload, is_error=True)
    text = json.dumps(payload, ensure_ascii=False, allow_nan=False)
    return CallToolResult(content=[TextContent(text=text)], structured_content=payload)
