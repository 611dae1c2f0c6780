"""A real S3 over HTTP, in memory: `python -m tests.servers.objects`."""

import sys
from collections.abc import Iterable
from threading import Lock, Thread
from wsgiref.types import StartResponse, WSGIEnvironment

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

_APP, _TURN = DomainDispatcherApplication(create_backend_app), Lock()


def in_turn(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
    """One request after the other: moto itself looks whether a name is taken, and writes it later."""
    with _TURN:
        answer: Iterable[bytes] = _APP(environ, start)
        return answer


def main() -> None:
    """Serve until nobody holds the other end of the input."""
    server = make_server("127.0.0.1", 0, in_turn, threaded=True)
    Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.port}", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
