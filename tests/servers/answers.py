"""A system under test that misbehaves as a prompt says. Prints its address.

`/v1/chat/completions` answers as OpenAI does; any other route takes `{"ask": PROMPT}` and answers
`{"reply": [{"text": …}]}`. A prompt that begins with `!` and a name below misbehaves in that way.
`/stats/MARK` tells which requests held a mark, when they came, and how many were in flight at most.
"""

import json
import time
from contextlib import suppress
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler
from threading import Lock
from typing import Any

from tests.servers.served import JsonHandler, serve

SEEN: list[dict[str, Any]] = []
IN_FLIGHT = {"now": 0, "most": 0}
LOCK = Lock()


class Handler(JsonHandler, BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """What has been asked so far with a mark in it."""
        if not self.path.startswith("/stats/"):
            return self.do_POST()
        mark = self.path.rpartition("/")[2]
        with LOCK:
            asked = [one for one in SEEN if mark in json.dumps(one)]
            most, IN_FLIGHT["most"] = IN_FLIGHT["most"], 0
        return self.answer(200, {"asked": asked, "most_at_once": most})

    def do_POST(self) -> None:
        """An answer, or what the prompt says."""
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        seen = {
            "at": time.monotonic(),
            "method": self.command,
            "path": self.path,
            "body": body,
            "headers": {name.lower(): value for name, value in self.headers.items()},
        }
        with LOCK:
            before = sum(one["body"] == body and one["path"] == self.path for one in SEEN)
            SEEN.append(seen)
            IN_FLIGHT["now"] += 1
            IN_FLIGHT["most"] = max(IN_FLIGHT["most"], IN_FLIGHT["now"])
        try:
            self.reply(body, before)
        finally:
            with LOCK:
                IN_FLIGHT["now"] -= 1

    def reply(self, body: str, before: int) -> None:
        """Answer, or misbehave."""
        held = json.loads(body or "{}")
        chat = self.path.endswith("/chat/completions")
        prompt = str(held["messages"][-1]["content"] if chat else held.get("ask", ""))
        match prompt.partition(" ")[0]:
            case "!slow":
                time.sleep(0.2)
            case "!hangs":
                time.sleep(5)
            case "!drips":
                return self.drip()
            case "!busy-twice" if before < 2:
                return self.answer(429, {"error": {"message": "slow down"}}, {"Retry-After": "1"})
            case "!busy":
                return self.answer(429, {"error": {"message": "slow down"}}, {"Retry-After": "0.01"})
            case "!busy-for-hours":
                return self.answer(429, {"error": {"message": "come back"}}, {"Retry-After": "7200"})
            case "!until" if before == 0:
                date = formatdate(time.time() + 2, usegmt=True)
                return self.answer(503, {"detail": "maintenance"}, {"Retry-After": date})
            case "!fails":
                return self.answer(500, {"error": "out of memory"})
            case "!wrong":
                return self.answer(400, {"error": "no such model"})
            case "!quotes-key":
                key = self.headers["Authorization"]
                return self.answer(400, {"error": f"cannot take {key} of {prompt}"})
            case "!quotes-body":
                return self.answer(400, {"error": f"cannot take {held['key']}"})
            case "!quotes-path":
                return self.answer(400, {"error": f"there is no {self.path}"})
            case "!gateway-once" if before == 0:
                return self.answer(int(held["status"]), {}, {"Retry-After": "0.01"})
            case "!elsewhere":
                return self.answer(302, {}, {"Location": "http://localhost:9/steal?x=1"})
            case "!large":
                return self.answer(200, {"reply": "x" * 11_000_000})
            case "!page":
                return self.send(200, b"<html>Welcome</html>", {"Content-Type": "text/html"})
            case "!empty":
                return self.answer(200, completion(""))
            case "!refuses":
                return self.answer(200, completion(None, refusal="I cannot help with that."))
        if chat:
            return self.answer(200, completion(f"{held['model']} heard {prompt}"))
        return self.answer(200, {"reply": [{"text": f"heard {prompt}"}]})

    def drip(self) -> None:
        """Send byte by byte, until nobody listens any more."""
        self.send_response(200)
        self.send_header("Content-Length", "50")
        self.end_headers()
        with suppress(OSError):
            for _ in range(50):
                self.wfile.write(b" ")
                self.wfile.flush()
                time.sleep(0.1)


def completion(content: str | None, *, refusal: str | None = None) -> dict[str, Any]:
    """A completion as it should be."""
    message = {"role": "assistant", "content": content, "refusal": refusal}
    return {
        "object": "chat.completion",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 4, "total_tokens": 14},
    }


if __name__ == "__main__":
    serve(Handler)
