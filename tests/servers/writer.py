"""A model that streams what a question says, and misbehaves as it says. Prints its address.

The question is what stands after the last `Question: ` of the prompt. One that begins with `!` and a name
below misbehaves in that way; any other is repeated, cut into small pieces. `/stats` tells which questions
are being answered, and what was asked.
"""

import json
import time
from http.server import BaseHTTPRequestHandler
from threading import Lock
from typing import Any

from tests.servers.served import JsonHandler, serve

SILENT = 9
"""Seconds: much longer than anybody waits here."""
LOCK = Lock()
UNDER_WAY: list[str] = []
ASKED: list[dict[str, Any]] = []


class Handler(JsonHandler, BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """What is going on, and what was asked."""
        with LOCK:
            self.answer(200, {"under_way": UNDER_WAY, "asked": ASKED})

    def do_POST(self) -> None:
        """An answer, or what the question says."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        question = asked["messages"][-1]["content"].rpartition("Question: ")[2]
        with LOCK:
            ASKED.append({"asked": asked, "headers": {k.lower(): v for k, v in self.headers.items()}})
            UNDER_WAY.append(question)
        try:
            self.reply(question)
        except OSError:
            self.close_connection = True
        finally:
            with LOCK:
                UNDER_WAY.remove(question)

    def reply(self, question: str) -> None:
        """Answer, or misbehave."""
        kind, _, rest = question.partition(" ")
        match kind:
            case "!fails":
                return self.answer(500, {"error": {"message": "out of memory"}})
            case "!refuses":
                return self.answer(400, {"error": {"message": f"cannot take {question}"}})
            case "!page":
                return self.send(200, b"<html>hello</html>", {"Content-Type": "text/html"})
            case "!elsewhere":
                return self.answer(302, {}, {"Location": "http://localhost:9/steal?x=1"})
            case "!hangs":
                time.sleep(SILENT)
                return self.answer(500, {})
        self.begin()
        match kind:
            case "!endless":
                for number in range(400):
                    self.piece(f"Piece {number}. ")
                    time.sleep(0.05)
            case "!pings":
                for _ in range(round(SILENT / 0.05)):
                    self.event(b": still thinking\n\n")
                    time.sleep(0.05)
            case "!reasons":
                for _ in range(round(float(rest) / 0.05)):
                    self.piece(None, reasoning_content="Let me see. ")
                    time.sleep(0.05)
                self.piece("It is so.")
            case "!loads":
                time.sleep(float(rest))
                self.piece("It is so.")
            case "!stops":
                self.piece("It is so. ")
                time.sleep(SILENT)
            case "!long":
                for _ in range(200):
                    self.piece("It goes on. " * 10)
            case "!flood":
                self.event(b"data: " + b"x" * 9_000_000)
            case "!cut":
                self.piece("It is")
                self.wfile.flush()
                self.close_connection = True
                return None
            case "!no-reason":
                self.piece("It is so.")
                return self.end(None)
            case "!length" | "!filtered":
                self.piece("It is")
                return self.end("length" if kind == "!length" else "content_filter")
            case "!refusal":
                self.piece(None, refusal=f"I will not say {rest}")
            case "!odd":
                self.event(f"data: {rest}\n\n".encode())
            case "!blank":
                self.piece(" \n")
            case "!error":
                self.event(b'data: {"error": {"message": "the model fell over"}}\n\n')
            case _:
                for at in range(0, len(question), 3):
                    self.piece(question[at : at + 3])
        return self.end("stop")

    def begin(self) -> None:
        """Begin a stream."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def piece(self, content: str | None, *, reason: str | None = None, **more: str) -> None:
        """Send one piece, with further fields of its delta."""
        delta = {"content": content, **more}
        chunk = {
            "object": "chat.completion.chunk",
            "choices": [{"index": 0, "delta": delta, "finish_reason": reason}],
        }
        self.event(f"data: {json.dumps(chunk)}\n\n".encode())

    def end(self, reason: str | None) -> None:
        """End the stream."""
        if reason:
            self.piece(None, reason=reason)
        self.event(b'data: {"object": "chat.completion.chunk", "choices": []}\n\ndata: [DONE]\n\n')
        self.event(b"")

    def event(self, content: bytes) -> None:
        """Send bytes as a chunk of the body."""
        self.wfile.write(f"{len(content):x}\r\n".encode() + content + b"\r\n")
        self.wfile.flush()


if __name__ == "__main__":
    serve(Handler)
