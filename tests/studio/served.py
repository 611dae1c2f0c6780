"""The Studio on a real port, over real places."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from time import monotonic, sleep

import httpx
import uvicorn

from sensecheck.io.sockets import listening_at, url_of
from sensecheck.studio.access import LaptopAccess
from sensecheck.studio.app import studio_app
from sensecheck.studio.jobs import Jobs
from sensecheck.studio.library import Library

HEADER = {"Sensecheck-Studio": "1"}


@dataclass(frozen=True, slots=True)
class Served:
    """A Studio that answers, and its token."""

    url: str
    token: str
    client: httpx.Client
    """Has come by the link."""

    @property
    def link(self) -> str:
        return f"{self.url}/studio?token={self.token}"

    def get(self, path: str, **given: object) -> dict[str, object]:
        reply = self.client.get(f"/studio/api{path}", **given)  # type: ignore[arg-type]
        assert reply.status_code == 200, reply.text
        found: dict[str, object] = reply.json()
        return found

    def run_ids(self) -> dict[str, str]:
        """The id of each run, by the kind and its number."""
        found = self.get("/runs", params={"limit": 100})["runs"]
        assert isinstance(found, list)
        return {f"{one['kind']} {one['run']}": one["id"] for one in found}


@contextmanager
def served(
    places: Sequence[str], *, cache: Path | None = None, folder: Path | None = None, cards: Path | None = None
) -> Iterator[Served]:
    """A Studio of these places, until the end."""
    access, library = LaptopAccess.new(), Library.at(places, cache=cache)
    jobs = None if folder is None else Jobs(folder)
    with listening_at("127.0.0.1", 0) as listening:
        url = url_of(listening.getsockname())
        app = studio_app(library, access, jobs, cards=cards)
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off"))
        thread = Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        waits = monotonic() + 20
        while not server.started and monotonic() < waits:
            sleep(0.01)
        with httpx.Client(base_url=url, follow_redirects=True, timeout=180) as client:
            client.get("/studio", params={"token": access.token})
            yield Served(url, access.token, client)
        server.should_exit = True
        thread.join(20)
    if jobs is not None:
        jobs.close()
    library.close()
