"""A small hub: one folder, served as the files of any repository. Prints its address.

Arguments: the folder, and the commits that there are. A repository whose name holds `damaged-large` or
`damaged-small` sends such files with one byte changed. `/seen` tells what was asked, and by whom.
"""

import hashlib
import json
import sys
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from tests.servers.served import QuietHandler, serve

LARGE = 1_000_000
"""The size from which the hub keeps a file by its SHA-256 and sends people elsewhere for it."""
FOLDER = Path(sys.argv[1])
COMMITS = sys.argv[2:]
SEEN: list[tuple[str, str]] = []


class Handler(QuietHandler, BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        """What there is to know of a file."""
        self.do_GET()

    def do_GET(self) -> None:
        """A file, by the routes of the hub."""
        if self.path == "/seen":
            return self.answer(200, json.dumps(SEEN).encode(), {})
        SEEN.append((self.path, self.headers.get("User-Agent", "")))
        parts = self.path.strip("/").split("/")
        if parts[0] == "elsewhere":
            return self.answer(200, *self.file("/".join(parts[1:3]), "/".join(parts[3:])))
        if parts[2:3] != ["resolve"] or parts[0] == "nobody":
            return self.answer(404, b"", {"X-Error-Code": "RepoNotFound"})
        repository, commit, name = "/".join(parts[:2]), parts[3], "/".join(parts[4:])
        if commit not in COMMITS:
            return self.answer(404, b"", {"X-Error-Code": "RevisionNotFound"})
        known = {"X-Repo-Commit": commit}
        if not (FOLDER / name).is_file():
            return self.answer(404, b"", {**known, "X-Error-Code": "EntryNotFound"})
        content, headers = self.file(repository, name)
        if "X-Linked-Etag" in headers:
            other_host = self.headers["Host"].replace("127.0.0.1", "localhost")
            headers["Location"] = f"http://{other_host}/elsewhere/{repository}/{name}"
            return self.answer(302, b"", {**known, **headers})
        return self.answer(200, content, {**known, **headers})

    def file(self, repository: str, name: str) -> tuple[bytes, dict[str, str]]:
        """A file as a repository sends it, and what the hub says of it."""
        content = (FOLDER / name).read_bytes()
        size = "large" if len(content) >= LARGE else "small"
        sent = b"!" + content[1:] if f"damaged-{size}" in repository else content
        if size == "large":
            linked = {"X-Linked-Etag": f'"{hashlib.sha256(content).hexdigest()}"'}
            return sent, {**linked, "X-Linked-Size": str(len(content))}
        blob = b"blob %d\0" % len(content) + content
        return sent, {"ETag": f'"{hashlib.sha1(blob, usedforsecurity=False).hexdigest()}"'}

    def answer(self, status: int, content: bytes, headers: dict[str, str]) -> None:
        """Send bytes; only their length for HEAD."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


if __name__ == "__main__":
    serve(Handler)
