"""Tools for models: a server of them, and a client that asks one."""

from sensecheck.mcp.client import SemanticToolsClient

__all__ = ["SemanticToolsClient"]
