"""A port for a server that cannot choose one itself."""

import socket


def free_port() -> int:
    """A port of 127.0.0.1 at which nobody listens, yet."""
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        return int(nobody.getsockname()[1])
