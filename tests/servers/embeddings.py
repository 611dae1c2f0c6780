"""An endpoint for embeddings that misbehaves as its model's name says. Prints its address.

`/one/v1` and `/two/v1` serve two models under the same names. `/seen` tells what was asked.
"""

import hashlib
import json
import time
from http.server import BaseHTTPRequestHandler
from typing import Any

import numpy as np

from tests.servers.served import QuietHandler, serve

DIMENSION = 32
SEEN: list[dict[str, Any]] = []
HELD = "hold"
"""The text at which the model `holds` does not go on when it first meets it."""


class Handler(QuietHandler, BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """What has been asked of one model so far: `/seen/MODEL`."""
        model = self.path.rpartition("/")[2]
        self.answer(200, [request for request in SEEN if request["model"] == model])

    def do_POST(self) -> None:
        """Vectors, or what the model's name says."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        model, texts = asked["model"], asked["input"]
        before = sum(request["model"] == model for request in SEEN)
        SEEN.append(
            {"model": model, "texts": texts, "headers": {k.lower(): v for k, v in self.headers.items()}}
        )
        rows = [vector(self.path, text).tolist() for text in texts]
        data: list[dict[str, Any]] = [
            {"object": "embedding", "index": index, "embedding": row} for index, row in enumerate(rows)
        ]
        match model:
            case "fails-once" if before == 0:
                return self.answer(500, {"error": {"message": "out of memory", "type": "server_error"}})
            case "fails":
                return self.answer(503, {"error": {"message": "loading model"}})
            case "busy":
                return self.answer(429, {"error": {"message": "slow down"}})
            case "quotes":
                return self.answer(400, {"error": {"message": f"cannot embed {texts[0]!r}"}})
            case "refuses":
                key = self.headers["Authorization"]
                return self.answer(401, {"error": {"message": f"wrong key: {key}"}})
            case "hangs":
                time.sleep(5)
            case "holds" if HELD in texts and not any(HELD in seen["texts"] for seen in SEEN[:-1]):
                time.sleep(600)
            case "page":
                return self.answer(200, None)
            case "ragged":
                data[-1]["embedding"] = [1.0, 2.0]
            case "shrinks" if before > 0:
                data = [{**item, "embedding": item["embedding"][:8]} for item in data]
            case "nan":
                data[0]["embedding"][3] = float("nan")
            case "zeros":
                data[0]["embedding"] = [0.0] * DIMENSION
            case "short":
                data = data[:-1]
            case "twice":
                data = [{**item, "index": 0} for item in data]
            case "shuffled":
                data = data[::-1]
            case "jitters":
                noise = np.random.default_rng(before).normal(size=(len(data), DIMENSION))
                noise *= 1e-3 / np.linalg.norm(noise, axis=1, keepdims=True)
                for item, change in zip(data, noise, strict=True):
                    item["embedding"] = (np.array(item["embedding"]) + change).tolist()
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        return self.answer(200, {"object": "list", "model": model, "data": data, "usage": usage})

    def answer(self, status: int, body: Any) -> None:
        """Send JSON, or a web page for None."""
        content = b"<html>Welcome</html>" if body is None else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html" if body is None else "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def vector(path: str, text: str) -> Any:
    """A text's unit vector, in the model that a path stands for."""
    digest = hashlib.sha256(f"{path.split('/')[1]} {text}".encode()).digest()
    row = np.random.default_rng(list(digest)).normal(size=DIMENSION)
    return row / np.linalg.norm(row)


if __name__ == "__main__":
    serve(Handler)
