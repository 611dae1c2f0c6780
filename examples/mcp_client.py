"""Ask an MCP server, started by this program, whether answers may be shown."""

import asyncio

from sensecheck.mcp import SemanticToolsClient

PASSAGE = "The observatory opens at 19:00 on clear evenings. Children under six enter free."
ANSWERS = (
    "On clear evenings the observatory opens at 19:00.",
    "On clear evenings the observatory opens at 17:00.",
)


async def main() -> None:
    """Check each answer against the passage; show it, or print what does not fit."""
    async with SemanticToolsClient.command(["sensecheck", "mcp"]) as tools:
        for answer in ANSWERS:
            found = await tools.call_tool("ground_answer", {"answer": answer, "passages": [PASSAGE]})
            print(f"{'shown' if found['accepted'] else 'held back'}: {answer}")
            print(f"  {found['because']}")


if __name__ == "__main__":
    asyncio.run(main())
