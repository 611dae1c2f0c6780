"""Our client, against our server and against somebody else's."""

import asyncio
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sensecheck.core.errors import CannotJudge, SampleError, SpecError, ToolError, Unreachable
from sensecheck.mcp import SemanticToolsClient
from sensecheck.mcp.client import payload_of
from sensecheck.validators import (
    DriftThresholdValidator,
    RefusalClusterValidator,
    TrajectoryValidator,
)
from tests.mcp.served import COMMAND, environment, over_http

if TYPE_CHECKING:
    from mcp.types import CallToolResult

OTHER = [sys.executable, str(Path(__file__).parents[1] / "servers" / "other_tools.py")]
SAME = {"text_a": "one text", "text_b": "one text"}


@pytest.mark.slow
def test_one_client_serves_one_event_loop_after_another() -> None:
    tools = SemanticToolsClient.command(OTHER)

    for _ in range(2):
        assert asyncio.run(tools.call_tool("calculate_drift", SAME)) == {"drift": 0.125}


NOTEBOOK = f"""
import asyncio, io, sys
sys.stderr = io.StringIO()  # as a notebook does: no file behind it
from sensecheck.mcp.client import SemanticToolsClient
print(asyncio.run(SemanticToolsClient.command({OTHER!r}).call_tool("calculate_drift", {SAME!r})))
"""


@pytest.mark.slow
def test_a_command_is_started_from_where_standard_error_is_no_file() -> None:
    done = subprocess.run([sys.executable, "-c", NOTEBOOK], capture_output=True, text=True, check=False)

    assert done.stdout.strip() == str({"drift": 0.125}), done.stderr


@pytest.mark.slow
def test_a_command_of_ours_sees_the_settings_that_it_is_given() -> None:
    tools = SemanticToolsClient.command(COMMAND, env=environment() | {"SENSECHECK_ENCODER": "hashing"})
    found = asyncio.run(tools.call_tool("calculate_drift", SAME))

    assert found["drift"] == 0.0
    assert found["fingerprint"].startswith("hashing")


@pytest.mark.slow
def test_a_client_over_http_is_closed_and_connects_again() -> None:
    async def twice(url: str) -> list[float]:
        async with SemanticToolsClient.at(url) as tools:
            first = await tools.call_tool("calculate_drift", SAME)
            await tools.close()
            return [first["drift"], (await tools.call_tool("calculate_drift", SAME))["drift"]]

    with over_http("--encoder", "hashing") as url:
        assert asyncio.run(twice(url)) == [0.0, 0.0]


@pytest.mark.slow
def test_somebody_elses_server_is_understood_and_its_errors_are_errors() -> None:
    async def walk() -> None:
        async with SemanticToolsClient.command(OTHER) as tools:
            drift = DriftThresholdValidator("x", threshold=0.125).using(tools)
            path = TrajectoryValidator().using(tools)

            assert await drift.validate("y", {}) == (True, "Within threshold (drift: 0.125)")
            assert (await RefusalClusterValidator().using(tools).validate("y", {}))[0] is False
            assert await path.validate("y", {}) == (True, "Reasoning structure OK (heller: 0.25)")
            for validator, response, because in (
                (drift, "fails", "no backend"),
                (path, "raises", "analyze_trajectory"),
            ):
                with pytest.raises(CannotJudge, match=because):
                    await validator.validate(response, {})
            with pytest.raises(ToolError, match="embed_text"):
                await tools.call_tool("embed_text", {"text": "x"})

    asyncio.run(walk())


@pytest.mark.slow
def test_a_server_that_dies_is_unreachable_and_is_started_again() -> None:
    async def walk() -> dict[str, Any]:
        async with SemanticToolsClient.command(OTHER) as tools:
            with pytest.raises(Unreachable, match="have gone"):
                await tools.call_tool("calculate_drift", {"text_a": "x", "text_b": "die"})
            return await tools.call_tool("calculate_drift", {"text_a": "x", "text_b": "y"})

    assert asyncio.run(walk()) == {"drift": 0.125}


@pytest.mark.parametrize(
    "tools",
    [
        SemanticToolsClient.at("http://127.0.0.1:9/mcp"),
        SemanticToolsClient.command(["no-such-command"]),
        SemanticToolsClient.command([sys.executable, "-c", "pass"]),
    ],
    ids=["nobody listens", "no such command", "not a server"],
)
def test_tools_that_cannot_be_reached_never_pass(tools: SemanticToolsClient) -> None:
    async def walk() -> None:
        with pytest.raises(Unreachable, match="cannot be reached"):
            await tools.call_tool("calculate_drift", SAME)
        with pytest.raises(CannotJudge, match="cannot be reached"):
            await RefusalClusterValidator().using(tools).validate("Roses are red.", {})

    asyncio.run(walk())


@pytest.mark.parametrize(
    ("text", "because"),
    [("a \ud800 b", "half a surrogate pair"), (b"x", "plain data"), (float("nan"), "JSON")],
)
def test_what_cannot_be_sent_is_told_before_it_is(text: object, because: str) -> None:
    tools = SemanticToolsClient.command(["never-started"])
    with pytest.raises(SampleError, match=because):
        asyncio.run(tools.call_tool("embed_text", {"text": text}))


def test_a_command_is_a_list() -> None:
    with pytest.raises(SpecError, match="must be a list"):
        SemanticToolsClient.command("sensecheck mcp")


Made = Callable[[], "CallToolResult"]


def result(text: str = "", data: object = None, *, failed: bool = False) -> Made:
    """Makes a result; not before a test asks for it, since the package takes a second to import."""

    def made() -> "CallToolResult":
        from mcp.types import CallToolResult, TextContent

        return CallToolResult(content=[TextContent(text=text)], structured_content=data, is_error=failed)

    return made


@pytest.mark.parametrize(
    "shape",
    [
        result(data={"drift": 0.5}),
        result(text='{"drift": 0.5}'),
        result(data={"result": {"drift": 0.5}}),
        result(data={"result": '{"drift": 0.5}'}),
        result(data={"drift": 0.5, "error": None}),
    ],
)
def test_all_shapes_of_a_result_are_understood(shape: Made) -> None:
    assert payload_of("calculate_drift", shape())["drift"] == 0.5


@pytest.mark.parametrize(
    ("shape", "because"),
    [
        (result("it broke", failed=True), "it broke"),
        (result(data={"drift": 0.1}, failed=True), "did not say why"),
        (result(data={"error": "no backend"}), "no backend"),
        (result(text='{"error": "no backend"}'), "no backend"),
        (result(text="0.5"), "got float"),
        (result(text="fine"), "got str"),
        (result(data=[0.5]), "got list"),
    ],
)
def test_what_is_no_result_is_a_tool_error(shape: Made, because: str) -> None:
    with pytest.raises(ToolError, match=because):
        payload_of("calculate_drift", shape())
