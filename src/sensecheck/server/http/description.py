"""The description of the service, as `/openapi.json` tells it."""

import json
from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from sensecheck.server.http.documented import PROBLEM_SCHEMA

_KEY = {"type": "http", "scheme": "bearer", "description": "`sk_…` from a server, `pk_…` from a page."}
_NOT_OURS = ("HTTPValidationError", "ValidationError")


class Described(FastAPI):
    """An application that describes its problems as they are."""

    def setup(self) -> None:
        """The description is the one route of the framework's own that we want."""
        self.add_route("/openapi.json", self._tell, methods=["GET"], include_in_schema=False)

    def describe(self) -> None:
        """Make the description, before anybody asks: it takes as long as a hundred requests."""
        self.known_names()
        self._written()

    def openapi(self) -> dict[str, Any]:
        """The description, made once."""
        if self.openapi_schema is None:
            told = super().openapi()
            components = told.setdefault("components", {})
            schemas = components.setdefault("schemas", {})
            for name in _NOT_OURS:
                schemas.pop(name, None)
            schemas["Problem"] = PROBLEM_SCHEMA
            components["securitySchemes"] = {"key": _KEY}
            told["security"] = [{"key": []}, {}]
            told["components"]["schemas"] = dict(sorted(schemas.items()))
        assert self.openapi_schema is not None
        return self.openapi_schema

    def known_names(self) -> frozenset[str]:
        """Every name that a request may hold: in messages, these alone are repeated."""
        if not hasattr(self, "_known_names"):
            self._known_names = frozenset(_names_in(self.openapi()))
        return self._known_names

    def _written(self) -> bytes:
        if not hasattr(self, "_bytes"):
            self._bytes = json.dumps(self.openapi(), ensure_ascii=False, separators=(",", ":")).encode()
        return self._bytes

    async def _tell(self, request: Request) -> Response:
        return Response(self._written(), media_type="application/json")


def _names_in(schema: Any) -> Iterator[str]:
    if isinstance(schema, list):
        for one in schema:
            yield from _names_in(one)
    if not isinstance(schema, dict):
        return
    if isinstance(schema.get("properties"), dict):
        yield from schema["properties"]
    if isinstance(schema.get("name"), str) and "in" in schema:
        yield schema["name"]
    for one in schema.values():
        yield from _names_in(one)
