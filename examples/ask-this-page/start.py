"""Serve a page with the widget: start the service and the page, open it, and stop both with Ctrl-C."""

import argparse
import base64
import hashlib
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.error import HTTPError
from urllib.request import urlopen

HERE = Path(__file__).parent
SCRIPT = "/sdk/0.1.0/sensecheck.js"
INSTALL = "pip install 'sensecheck[local,server]'"
FILES = {"/page.css": "text/css", "/page.js": "text/javascript", "/icon.svg": "image/svg+xml"}
POLICY = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'self'; img-src 'self'; connect-src {api}; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description="Start a page whose readers can ask about what they select.")
    parser.add_argument("--port", type=int, default=0, help="for the page; by default a free one")
    parser.add_argument("--no-open", action="store_true", help="do not open the browser")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with (
        suppress(KeyboardInterrupt),
        service() as (process, api),
        page(api, integrity_of(api), options.port) as address,
    ):
        print(address, flush=True)
        print("Select a sentence there and ask. Ctrl-C ends it.", file=sys.stderr)
        if not options.no_open:
            webbrowser.open(address)
        sys.exit(f"the service ended by itself, with {process.wait()}")


@contextmanager
def service() -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """Run a service on a free port with a temporary database; yield its process and its address."""
    beside = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    command = shutil.which("sensecheck", path=beside)
    if command is None:
        sys.exit(f"`sensecheck` is not installed; it comes with: {INSTALL}")
    print("starting the service …", file=sys.stderr)
    with (
        tempfile.TemporaryDirectory() as folder,
        Path(folder, "log").open("w+") as log,
        subprocess.Popen(
            [command, "serve", "--port", "0", "--store", "page.sqlite3"],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        ) as process,
    ):
        assert process.stdout is not None
        try:
            address = process.stdout.readline().strip()
            if not address:
                process.wait()
                log.seek(0)
                sys.exit(f"the service did not start:\n{log.read().strip()}")
            yield process, address
        finally:
            process.terminate()
            process.wait()  # after Ctrl-C the block around it would not


def integrity_of(api: str) -> str:
    """What the browser holds the script against before it runs it."""
    try:
        with urlopen(f"{api}{SCRIPT}", timeout=30) as reply:
            digest = hashlib.sha384(reply.read()).digest()
    except HTTPError as refused:
        sys.exit(
            f"`{SCRIPT}` gave {refused.code}: this page and the installed `sensecheck` differ in version"
        )
    return f"sha384-{base64.b64encode(digest).decode()}"


@contextmanager
def page(api: str, integrity: str, port: int) -> Iterator[str]:
    """Serve the page on a separate port, cross-origin like a real site, and yield its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path in FILES:
                return self.give(FILES[self.path], (HERE / self.path[1:]).read_bytes())
            if self.path != "/":
                return self.send_error(404)
            nonce = secrets.token_urlsafe(16)
            text = (HERE / "page.html").read_text("utf-8")
            for name, value in (("nonce", nonce), ("script", f"{api}{SCRIPT}"), ("integrity", integrity)):
                text = text.replace(f"{{{{{name}}}}}", value)
            return self.give("text/html", text.encode(), POLICY.format(nonce=nonce, api=api))

        def give(self, kind: str, body: bytes, policy: str = "default-src 'none'") -> None:
            self.send_response(200)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Content-Security-Policy", policy)
            self.send_header("Cache-Control", "no-store")
            self.send_header("X-Content-Type-Options", "nosniff")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class sets the name
            """Log nothing: the terminal shows only the address."""

    with ThreadingHTTPServer(("127.0.0.1", port), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()


if __name__ == "__main__":
    main()
