"""The tools over both transports, with the official client and the real model, as an inspector would go."""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, nullcontext
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from jsonschema import Draft202012Validator

from sensecheck.core.errors import CannotJudge
from sensecheck.mcp.client import SemanticToolsClient
from sensecheck.sense import Sense
from sensecheck.validators import (
    ClusterClassificationValidator,
    DriftThresholdValidator,
    RefusalClusterValidator,
    SemanticValidator,
    ToolCaller,
    TrajectoryValidator,
)
from tests.mcp.calls import BAD, CLUSTERS, FRIDAY, GOOD, LOOP
from tests.mcp.served import over_http, over_stdio

if TYPE_CHECKING:
    from mcp.types import CallToolResult, Tool

    from mcp import Client

TOOLS = {
    "embed_text",
    "calculate_drift",
    "analyze_trajectory",
    "check_answer",
    "ground_answer",
    "classify_text",
}


class Walk:
    """A client that is connected, for tests that are not asynchronous."""

    def __init__(self, portal: BlockingPortal, client: "Client", remote: SemanticToolsClient) -> None:
        self.portal, self.client, self.remote = portal, client, remote

    def call(self, tool: str, arguments: dict[str, Any] | None) -> "CallToolResult":
        result: CallToolResult = self.portal.call(self.client.call_tool, tool, arguments)
        return result

    def tools(self) -> dict[str, "Tool"]:
        return {tool.name: tool for tool in self.portal.call(self.client.list_tools).tools}


@pytest.fixture(scope="module", params=["stdio", "http"])
def walk(request: pytest.FixtureRequest) -> Iterator[Walk]:
    from mcp import Client

    with ExitStack() as open_until_then:
        portal = open_until_then.enter_context(start_blocking_portal())
        over = over_stdio() if request.param == "stdio" else open_until_then.enter_context(over_http())
        official = Client(over, mode="legacy" if request.param == "stdio" else "auto")
        client = open_until_then.enter_context(portal.wrap_async_context_manager(official))
        remote = SemanticToolsClient(lambda: nullcontext(client), "the same server")
        open_until_then.enter_context(portal.wrap_async_context_manager(remote))
        yield Walk(portal, client, remote)


def test_the_server_says_who_it_is_and_what_it_has(walk: Walk) -> None:
    info = walk.client.server_info

    assert info is not None
    assert info.name == "sensecheck"
    assert walk.client.server_capabilities.tools is not None
    assert "never counts as a pass" in (walk.client.instructions or "")
    assert walk.tools().keys() == TOOLS


def test_every_tool_has_a_title_a_description_and_closed_schemas(walk: Walk) -> None:
    for tool in walk.tools().values():
        assert tool.title
        assert tool.description
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint
        assert tool.annotations.idempotent_hint
        for schema in (tool.input_schema, tool.output_schema):
            assert schema is not None
            Draft202012Validator.check_schema(schema)
            assert schema["type"] == "object"
            assert schema["additionalProperties"] is False
        assert all(argument["description"] for argument in tool.input_schema["properties"].values())


@pytest.mark.parametrize(
    ("tool", "arguments"), GOOD, ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_good_call_gives_what_its_schema_says(walk: Walk, tool: str, arguments: dict[str, Any]) -> None:
    listed = walk.tools()[tool]
    Draft202012Validator(listed.input_schema).validate(arguments)
    result = walk.call(tool, arguments)

    assert not result.is_error, result.content
    Draft202012Validator(listed.output_schema or {}).validate(result.structured_content)


@pytest.mark.parametrize(("tool", "arguments", "because"), BAD, ids=lambda value: str(value)[:40])
def test_a_bad_call_is_a_tool_error_that_says_why(
    walk: Walk, tool: str, arguments: dict[str, Any] | None, because: str
) -> None:
    result = walk.call(tool, arguments)

    assert result.is_error
    assert because in result.content[0].text  # type: ignore[union-attr]
    assert "drift" not in (result.structured_content or {})


def test_a_tool_that_is_not_there_is_an_error_of_the_protocol(walk: Walk) -> None:
    from mcp.shared.exceptions import MCPError

    with pytest.raises(MCPError, match="did you mean `embed_text`"):
        walk.call("embed_texts", {"text": "x"})


def test_fifty_calls_at_once_each_get_their_own_answer(walk: Walk, sense: Sense) -> None:
    texts = [f"There are {number} parcels." for number in range(50)]

    async def all_at_once() -> list[dict[str, Any]]:
        calls = (
            walk.remote.call_tool("calculate_drift", {"text_a": FRIDAY, "text_b": text}) for text in texts
        )
        return list(await asyncio.gather(*calls))

    verdicts = sense.means_each(((text, FRIDAY) for text in texts), policy="similarity")
    near = [verdict.parts[0].reading for verdict in verdicts]
    assert [found["drift"] for found in walk.portal.call(all_at_once)] == pytest.approx(
        [1 - reading.value for reading in near if reading], abs=1e-6
    )


def test_a_call_that_is_given_up_leaves_the_server_answering(walk: Walk) -> None:
    long = " ".join(f"Sentence number {number} tells of the town of {number * 7}." for number in range(200))

    async def give_up() -> bool:
        with anyio.move_on_after(0.05) as scope:
            await walk.client.call_tool("analyze_trajectory", {"text": long})
        return scope.cancelled_caught

    assert walk.portal.call(give_up)
    assert not walk.call("calculate_drift", {"text_a": FRIDAY, "text_b": FRIDAY}).is_error


VALIDATED: list[tuple[SemanticValidator, str]] = [
    (DriftThresholdValidator(FRIDAY), "Your parcel will be there on Friday."),
    (DriftThresholdValidator(FRIDAY), "I like turtles."),
    (DriftThresholdValidator(FRIDAY, 0.0), FRIDAY),
    (ClusterClassificationValidator(CLUSTERS, "pass"), "verdict: PASS, all is well"),
    (ClusterClassificationValidator(CLUSTERS, "pass"), "This fails validation completely."),
    (RefusalClusterValidator(), "I'm sorry, but I can't help with that!"),
    (RefusalClusterValidator(), "Roses are red, violets are blue."),
    (TrajectoryValidator(0.5), LOOP),
    (TrajectoryValidator(), "Bread needs flour. Mars has two moons. She plays the violin."),
    (TrajectoryValidator(), "One sentence only."),
    (DriftThresholdValidator(FRIDAY), ""),
]


@pytest.mark.parametrize(("validator", "response"), VALIDATED)
def test_a_validator_says_the_same_here_and_there(
    walk: Walk, sense: Sense, validator: SemanticValidator, response: str
) -> None:
    there = walk.portal.call(_said, validator, walk.remote, response)

    assert there == walk.portal.call(_said, validator, sense, response)


async def _said(validator: SemanticValidator, tools: Sense | ToolCaller, response: str) -> tuple[object, str]:
    try:
        return await validator.using(tools).validate(response, {})
    except CannotJudge as reason:
        return "error", str(reason).rpartition("`: ")[2]
