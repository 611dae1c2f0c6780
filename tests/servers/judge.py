"""A judge that replays judgements, and misbehaves as a prompt says. Prints its address.

Argument: a JSON file, prompts to replies; any other prompt gets a reply of its own, always the same. A prompt
that begins with `!` and a name below misbehaves in that way. `/stats/MODEL` tells what a model was asked, and
how many prompts were in flight at most.
"""

import hashlib
import json
import sys
import time
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from threading import Lock
from typing import Any

from tests.servers.served import JsonHandler, serve

REPLIES: dict[str, str] = json.loads(Path(sys.argv[1]).read_text())
STATS: dict[str, dict[str, Any]] = {}
LOCK = Lock()


class Handler(JsonHandler, BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """What has been asked of one model so far."""
        with LOCK:
            self.answer(200, stats(self.path.rpartition("/")[2]))

    def do_POST(self) -> None:
        """A reply, or what the prompt says."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with LOCK:
            seen = stats(asked["model"])
            before = sum(one["messages"] == asked["messages"] for one in seen["asked"])
            seen["asked"].append(asked)
            seen["headers"].append({k.lower(): v for k, v in self.headers.items()})
            seen["in_flight"] += 1
            seen["most_at_once"] = max(seen["most_at_once"], seen["in_flight"])
        try:
            self.reply(asked["messages"][-1]["content"], before)
        finally:
            with LOCK:
                seen["in_flight"] -= 1

    def reply(self, prompt: str, before: int) -> None:
        """Answer, or misbehave."""
        choice = chosen(REPLIES.get(prompt) or f"heard {hashlib.sha256(prompt.encode()).hexdigest()[:8]}")
        match prompt.partition(" ")[0]:
            case "!slow":
                time.sleep(0.2)
            case "!hangs":
                time.sleep(5)
            case "!busy-once" if before == 0:
                return self.answer(429, {"error": {"message": "slow down"}}, {"Retry-After": "1"})
            case "!busy":
                return self.answer(429, {"error": {"message": "slow down"}}, {"Retry-After": "0.01"})
            case "!fails":
                return self.answer(500, {"error": {"message": "out of memory"}}, {"Retry-After": "0.01"})
            case "!fails-quoting":
                return self.answer(500, {"error": {"message": f"cannot do {prompt}"}})
            case "!refuses-key":
                return self.answer(401, {"error": {"message": f"wrong key {self.headers['Authorization']}"}})
            case "!quotes-key":
                return self.answer(400, {"error": {"message": f"what is {self.headers['Authorization']}?"}})
            case "!malformed":
                return self.send(200, b'{"choices": [{"message": {"content": "' + prompt.encode())
            case "!page":
                return self.send(200, b"<html>" + prompt.encode(), {"Content-Type": "text/html"})
            case "!deep":
                return self.send(200, b"[" * 100_000)
            case "!odd":
                return self.answer(200, json.loads(prompt.partition(" ")[2]))
            case "!cut":
                self.send(200, b'{"choices": [{"mess', {"Content-Length": "4000"})
                self.close_connection = True
                return None
            case "!choiceless":
                return self.answer(200, {"object": "chat.completion", "choices": []})
            case "!silent":
                choice["message"]["content"] = None
            case "!blank":
                choice["message"]["content"] = " \n"
            case "!long":
                choice["finish_reason"] = "length"
            case "!filtered":
                choice["finish_reason"] = "content_filter"
            case "!refuses":
                choice["message"] |= {"content": None, "refusal": f"I will not say {prompt}"}
        return self.answer(200, {"object": "chat.completion", "choices": [choice]})


def stats(model: str) -> dict[str, Any]:
    """What is known of one model."""
    return STATS.setdefault(model, {"asked": [], "headers": [], "in_flight": 0, "most_at_once": 0})


def chosen(content: str) -> dict[str, Any]:
    """A choice as it should be."""
    return {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}


if __name__ == "__main__":
    serve(Handler)
