"""What the servers of tests have in common: how they begin and end, and how they send."""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


class QuietHandler(BaseHTTPRequestHandler):
    """Says nothing about what it does."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class JsonHandler(QuietHandler):
    """Sends JSON, or any bytes."""

    def answer(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        """Send JSON."""
        self.send(status, json.dumps(body).encode(), headers)

    def send(self, status: int, content: bytes, headers: dict[str, str] | None = None) -> None:
        """Send bytes."""
        given = {"Content-Type": "application/json", "Content-Length": str(len(content))} | (headers or {})
        self.send_response(status)
        for name, value in given.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)


def serve(handler: type[BaseHTTPRequestHandler]) -> None:
    """Say where, and serve until nobody holds the standard input open any more."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    sys.stdin.read()
