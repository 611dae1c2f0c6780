"""Somebody else's server of the tools, over standard input and output, with shapes of its own."""

import json
import os
from typing import Any

from mcp.server import MCPServer

server = MCPServer("other", log_level="ERROR")


@server.tool()
def calculate_drift(text_a: str, text_b: str) -> str:
    """The drift, written as text."""
    if text_b == "die":
        os._exit(1)
    return json.dumps({"error": "no backend"} if text_b == "fails" else {"drift": 0.125})


@server.tool()
def analyze_trajectory(text: str, include_sentences: bool = False) -> dict[str, Any]:
    """The score, as an object."""
    if text == "raises":
        raise ValueError("the analysis broke")
    return {"heller_score": 0.25, "sentences": [text] if include_sentences else []}


if __name__ == "__main__":
    server.run("stdio")
