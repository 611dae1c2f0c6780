"""A wire to a database that is cut at a chosen moment: after a word went over it, before the reply comes."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field


@dataclass
class CutWire:
    """Forwards bytes between a client and a server on loopback."""

    server: tuple[str, int]
    word: bytes
    """The wire is cut once, when the client has sent this."""
    swallowed: bool
    """Whether the word is lost too; else the server gets it, and only its reply is lost."""
    armed: threading.Event = field(default_factory=threading.Event)
    cut: threading.Event = field(default_factory=threading.Event)
    _listener: socket.socket = field(default_factory=lambda: socket.create_server(("127.0.0.1", 0)))

    @property
    def port(self) -> int:
        return int(self._listener.getsockname()[1])

    def listen(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.create_connection(self.server)
            threading.Thread(target=self._pass_on, args=(client, server, True), daemon=True).start()
            threading.Thread(target=self._pass_on, args=(server, client, False), daemon=True).start()

    def close(self) -> None:
        with suppress(OSError):  # it may be closed already
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _pass_on(self, one: socket.socket, other: socket.socket, watched: bool) -> None:
        try:
            while some := one.recv(65536):
                if watched and self.word in some and self.armed.is_set() and not self.cut.is_set():
                    self.cut.set()
                    if not self.swallowed:
                        one.shutdown(socket.SHUT_RDWR)  # whichever thread gets the reply, nobody is told
                        other.sendall(some)
                        other.recv(65536)  # the server has done it
                    break
                other.sendall(some)
        except OSError:
            pass
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


@contextmanager
def cut_wire(server: tuple[str, int], word: bytes, *, swallowed: bool) -> Iterator[CutWire]:
    """A wire that works until it is armed and the word goes over it."""
    wire = CutWire(server, word, swallowed)
    threading.Thread(target=wire.listen, daemon=True).start()
    yield wire
    wire.close()
