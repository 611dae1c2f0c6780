"""Somebody who asks the service in each of its three ways, and is told an answer or a problem."""

import json
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Any

import httpx

WAYS = ("contract", "whole", "events")
EVENTS = {"Accept": "text/event-stream"}
_UNUSED = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Made once: every client would read all certificates of the machine, for nothing."""
Acknowledge = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Told:
    """What came back."""

    status: int
    kind: str
    """What was decided, or the name of the problem."""
    seconds: float
    trouble: str = ""
    """Of a writer that failed."""


class Reader:
    """Asks one question at a time. A message is acknowledged as soon as its id has arrived for good."""

    def __init__(
        self, url: str, key: str, *, acknowledge: Acknowledge = lambda _: None, patience: float = 30.0
    ) -> None:
        self._client = httpx.Client(
            base_url=url,
            headers={"Authorization": f"Bearer {key}"},
            timeout=patience,
            trust_env=False,
            verify=_UNUSED,
        )
        self._acknowledge = acknowledge

    def close(self) -> None:
        """Hang up."""
        self._client.close()

    def ask(self, way: str, number: int, *, more: str = "") -> Told:
        """A question that the passage answers, with `more` in it; raises `httpx.TransportError`."""
        began = monotonic()
        said, session = f"The pump of well {number} runs at {number} bar.", f"{number % 50}"
        passage, question = f"{said} It is looked after every week.", said + more
        if way == "contract":
            found = self._contract({"query": question, "selected_text": passage, "session_id": session})
        else:
            body = {"question": question, "passage": passage, "session_id": session}
            found = self._whole(body) if way == "whole" else self._events(body)
        status, kind, trouble = found
        return Told(status, kind, monotonic() - began, trouble)

    def get(self, path: str) -> Told:
        """What a plain request is told."""
        began = monotonic()
        reply = self._client.get(path)
        status, kind, trouble = _told(reply.status_code, reply.json())
        return Told(status, kind, monotonic() - began, trouble)

    def _contract(self, body: dict[str, Any]) -> tuple[int, str, str]:
        with self._client.stream("POST", "/query-selected-text", json=body) as reply:
            if (name := reply.headers.get("sensecheck-message-id")) is not None:
                self._acknowledge(name)
            found = json.loads(reply.read())
        return _told(reply.status_code, {**found, "decision": reply.headers.get("sensecheck-decision")})

    def _whole(self, body: dict[str, Any]) -> tuple[int, str, str]:
        reply = self._client.post("/v1/answers", json=body)
        found = reply.json()
        if reply.status_code == httpx.codes.OK:
            self._acknowledge(found["id"])
        return _told(reply.status_code, found)

    def _events(self, body: dict[str, Any]) -> tuple[int, str, str]:
        last: tuple[int, str, str] | None = None
        with self._client.stream("POST", "/v1/answers", json=body, headers=EVENTS) as reply:
            if reply.status_code != httpx.codes.OK:
                return _told(reply.status_code, json.loads(reply.read()))
            name = ""
            for line in reply.iter_lines():
                field, _, value = line.partition(": ")
                if field == "event":
                    name = value
                elif field == "data" and name in ("end", "problem"):
                    found = json.loads(value)
                    if name == "end":
                        self._acknowledge(found["id"])
                    last = _told(found.get("status", 200), found)
        if last is None:
            raise httpx.RemoteProtocolError("the events ended without a last one")
        return last


def _told(status: int, found: dict[str, Any]) -> tuple[int, str, str]:
    kind = found.get("type", "").rpartition(":")[2] or found.get("decision") or ""
    return status, kind, found.get("trouble", "")
