"""The routes of the Studio: its page, and what the page asks for."""

import asyncio
import json
import re
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response, StreamingResponse

import sensecheck
from sensecheck.core.errors import NoSuchRun, SensecheckError, SpecError
from sensecheck.io.pages import page_text
from sensecheck.studio.access import Access, StudioRefusal, Viewer, require_own_page
from sensecheck.studio.calibrate import PolicyStore
from sensecheck.studio.changes import changed_rows, leaderboard
from sensecheck.studio.details import export_page, grid_page, row_detail
from sensecheck.studio.index import RunIndex
from sensecheck.studio.jobs import Action, Jobs
from sensecheck.studio.labels import labels_now
from sensecheck.studio.library import IndexState, Library, StudioRun
from sensecheck.studio.review import Order
from sensecheck.studio.rows import MAX_ROWS, RowQuery, RowView, label_counts
from sensecheck.studio.run_table import RunQuery, runs_page

PREFIX = "/studio"
SECONDS_BETWEEN = 1.0
"""How often the progress of a run is looked up."""
HEADERS = {
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}
_POLICY = re.compile(r'http-equiv="Content-Security-Policy" content="([^"]+)"')


@dataclass(slots=True)
class Studio:
    """What the routes work with: the runs, who may see them, and the commands that were started."""

    library: Library
    access: Access
    jobs: Jobs | None = None
    """None where nothing can be started from the page."""
    compared: dict[tuple[str, ...], dict[str, Any]] = field(default_factory=dict)
    """Comparisons that were made, by the runs and how far they were."""
    orders: dict[str, Order] = field(default_factory=dict)
    """The random streams of runs."""
    cards: Path | None = None
    """Where fitted cards are saved; None where they are not."""
    policies: PolicyStore | None = None
    """Where a fitted card can become a policy; None where there are none."""
    has_week: bool = False
    """Whether there is a page with the figures of a week: where messages are judged."""


class StudioRoute(APIRoute):
    """A route whose errors are messages for people, and whose replies no other site can use."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """What answers a request."""
        answer = super().get_route_handler()

        async def handle(request: Request) -> Response:
            try:
                require_own_page(request)
                reply = await answer(request)
            except StudioRefusal as refused:
                reply = JSONResponse({"error": str(refused)}, refused.status)
            except NoSuchRun as missing:
                reply = JSONResponse({"error": str(missing)}, 404)
            except RequestValidationError:
                reply = JSONResponse({"error": "the address or the body of the request is wrong"}, 422)
            except SensecheckError as wrong:
                reply = JSONResponse({"error": str(wrong)}, 422)
            for name, value in HEADERS.items():
                reply.headers.setdefault(name, value)
            return reply

        return handle


router = APIRouter(prefix=PREFIX, route_class=StudioRoute, include_in_schema=False)


def studio_of(request: Request) -> Studio:
    """The Studio of the application, opened when it is first asked for."""
    studio: Studio = request.app.state.open_studio()
    return studio


async def viewer_of(request: Request) -> Viewer:
    """Who asks."""
    return await studio_of(request).access.viewer(request)


Here = Annotated[Studio, Depends(studio_of)]
Who = Annotated[Viewer, Depends(viewer_of)]


def run_of(run_id: str, who: Who, studio: Here) -> StudioRun:
    """The run that the address names, if the viewer may see it."""
    return studio.library.find(run_id, project=who.project)


Found = Annotated[StudioRun, Depends(run_of)]


def index_of(found: Found, studio: Here) -> RunIndex:
    """Its index, as far as it is there."""
    return studio.library.index(found).index


Index = Annotated[RunIndex, Depends(index_of)]


@cache
def _page() -> tuple[str, str]:
    """The page, and its policy: that of the page itself, and that no other page may frame it."""
    text = page_text("sensecheck.studio", "studio_page.html")
    policy_match = _POLICY.search(text)
    if policy_match is None:
        raise SpecError("the page of the Studio has no policy; build it again with `just ui`")
    return text, f"{policy_match[1]}; frame-ancestors 'none'"


@router.get("")
@router.get("/runs/{run_id}")
@router.get("/runs/{run_id}/review")
@router.get("/runs/{run_id}/calibrate")
@router.get("/compare")
async def page() -> Response:
    """The page; it holds no data, and asks for what its address says."""
    text, policy = _page()
    return HTMLResponse(text, headers={"Content-Security-Policy": policy})


@router.get("/api/me")
def me(who: Who, studio: Here) -> dict[str, Any]:
    """What the viewer may do."""
    return {
        "version": sensecheck.__version__,
        "project": who.project,
        "may_label": who.may_label,
        "may_run": who.may_run and studio.jobs is not None,
        "may_search_by_pattern": who.may_search_by_pattern,
        "rater": who.rater,
        "has_week": studio.has_week,
        "places": [] if who.project else [opened.place.address for opened in studio.library.places.values()],
    }


@router.get("/api/runs")
def runs(who: Who, studio: Here, query: Annotated[RunQuery, Depends()]) -> dict[str, Any]:
    """The runs that match, one page of them, the newest first."""
    return runs_page(studio.library.entries(project=who.project), query)


@router.get("/api/runs/{run_id}")
def run(found: Found, who: Who, studio: Here) -> dict[str, Any]:
    """Which run it is, under which conditions it was made, and how far it has come."""
    stored_run = found.run
    job = None if studio.jobs is None else studio.jobs.find(found.id)
    return {
        "id": found.id,
        "kind": found.opened.kind,
        "run": stored_run.key,
        "name": stored_run.name,
        "project": stored_run.test.project,
        "test": stored_run.test.name,
        "at": stored_run.started_at.isoformat(timespec="seconds"),
        "done": stored_run.done,
        "size": stored_run.set.size,
        "complete": stored_run.whole,
        "conditions": {**stored_run.test.embedding, **stored_run.test.generation, **stored_run.conditions},
        "can_resume": _can_start(studio, who, found, "resume"),
        "can_rerun": _can_start(studio, who, found, "rerun"),
        "can_label": who.may_label,
        "job": None if job is None else job.to_data(),
    }


@dataclass(frozen=True, slots=True)
class ShownRun:
    """A run, its index, and its rows with what people say of them."""

    found: StudioRun
    state: IndexState
    view: RowView

    @property
    def progress(self) -> dict[str, Any]:
        """Whether these are all rows, or the first ones of a large run that is being read."""
        return {"indexed": self.state.complete, "of": self.found.run.done}


def shown_run(found: Found, who: Who, studio: Here, baseline: str = "") -> ShownRun:
    """The run that the address names, beside its baseline where there is one."""
    state = studio.library.index(found)
    baseline_index = None
    if baseline:
        baseline_index = studio.library.index(studio.library.find(baseline, project=who.project)).index
    return ShownRun(found, state, RowView(state.index, labels_now(found, state.index), baseline_index))


Shown = Annotated[ShownRun, Depends(shown_run)]


def row_query(
    request: Request,
    *,
    q: str = "",
    regex: bool = False,
    metric: str = "",
    low: float | None = None,
    high: float | None = None,
    label: str = "",
    changed: bool = False,
    order: str = "worst",
    start: int = 0,
    limit: int = 50,
) -> RowQuery:
    """What the address asks for; slices are parameters that begin with `slice.`."""
    parameters = request.query_params
    slices = {
        name.removeprefix("slice."): value for name, value in parameters.items() if name.startswith("slice.")
    }
    outcomes = frozenset(filter(None, parameters.get("outcome", "").split(",")))
    return RowQuery(outcomes, slices, q, regex, metric, low, high, label, changed, order, start, limit)


Asked = Annotated[RowQuery, Depends(row_query)]


@router.get("/api/runs/{run_id}/rows")
def rows(shown: Shown, who: Who, studio: Here, query: Asked) -> dict[str, Any]:
    """One page of the rows that match."""
    return shown.view.page(query, _texts(studio, who, shown, query)) | shown.progress


@router.get("/api/runs/{run_id}/summary")
def summary(shown: Shown, who: Who, studio: Here, query: Asked) -> dict[str, Any]:
    """The figures of the rows that match."""
    return shown.view.summary(query, _texts(studio, who, shown, query)) | shown.progress


@router.get("/api/runs/{run_id}/grid")
def grid(shown: Shown, who: Who, studio: Here, query: Asked) -> dict[str, Any]:
    """Tests by source and prompt with their answers; as many tests as `limit` says."""
    if query.limit > 50:
        raise SpecError("a grid may have 50 tests at a time")
    texts = _texts(studio, who, shown, query)
    whole = shown.view.page(replace(query, start=0, limit=MAX_ROWS), texts)
    first: dict[int, int] = {}
    for row in whole["rows"]:
        first.setdefault(row["test"], row["at"])
    places = list(first.values())[query.start : query.start + query.limit]
    return {"total": len(first), "tests": grid_page(shown.found, shown.state.index, places)} | shown.progress


@router.get("/api/runs/{run_id}/rows/{at}")
def detail(found: Found, index: Index, at: int) -> dict[str, Any]:
    """One row in full."""
    return row_detail(found, index, at)


@router.get("/api/runs/{run_id}/events")
async def events(found: Found, request: Request, who: Who, studio: Here) -> Response:
    """How far a run has come, again and again until it is complete, as server-sent events."""

    async def progress_events() -> AsyncIterator[str]:
        while not await request.is_disconnected():
            latest = await asyncio.to_thread(studio.library.find, found.id, project=who.project)
            stored_run, job = latest.run, None if studio.jobs is None else studio.jobs.find(found.id)
            data = {"done": stored_run.done, "size": stored_run.set.size, "complete": stored_run.whole}
            data["job"] = None if job is None else job.to_data()  # type: ignore[assignment]
            yield f"data: {json.dumps(data)}\n\n"
            if stored_run.whole and (job is None or not job.running):
                return
            await asyncio.sleep(SECONDS_BETWEEN)

    return StreamingResponse(progress_events(), media_type="text/event-stream")


@router.get("/api/runs/{run_id}/report.html")
def report(found: Found) -> Response:
    """The run as one file that can be sent to others."""
    folder = tempfile.TemporaryDirectory(prefix="sensecheck-studio-")
    path = Path(folder.name) / "report.html"
    try:
        export_page(found, path)
    except BaseException:
        folder.cleanup()
        raise
    name = f"{re.sub(r'[^A-Za-z0-9._-]+', '-', found.run.test.project)}-{found.run.key}.html"
    return FileResponse(path, filename=name, background=BackgroundTask(folder.cleanup))


@router.post("/api/runs/{run_id}/{action}")
def start(found: Found, action: Action, who: Who, studio: Here) -> dict[str, Any]:
    """Resume a run, or repeat the tests that did not pass."""
    if studio.jobs is None or not who.may_run:
        raise StudioRefusal(403, "runs cannot be started from here; use the command line")
    return studio.jobs.start(found, action).to_data()


@router.get("/api/compare")
def compare(
    who: Who, studio: Here, baseline: str, run: Annotated[list[str], Query(min_length=1, max_length=7)]
) -> dict[str, Any]:
    """Runs compared with a baseline, side by side."""
    first, *others = (studio.library.find(run_id, project=who.project) for run_id in (baseline, *run))
    key = tuple(_comparison_key(studio, studio_run) for studio_run in (first, *others))
    if key not in studio.compared:
        studio.compared[key] = leaderboard(studio.library, first, others)
        while len(studio.compared) > 32:
            studio.compared.pop(next(iter(studio.compared)))
    return studio.compared[key]


@router.get("/api/compare/rows")
def compare_rows(
    who: Who,
    studio: Here,
    before: str,
    after: str,
    *,
    kind: str = "",
    start: Annotated[int, Query(ge=0)] = 0,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> dict[str, Any]:
    """The rows that changed between two runs, regressions first."""
    old, new = (shown_run(run_of(run_id, who, studio), who, studio) for run_id in (before, after))
    kinds = [name for name in kind.split(",") if name]
    changes = changed_rows(old.view, new.view, kinds=kinds, start=start, limit=limit)
    return changes | {"indexed": old.state.complete and new.state.complete}


def _comparison_key(studio: Studio, studio_run: StudioRun) -> str:
    """Changes with the answers of a run, and with what people say of them."""
    labels = labels_now(studio_run, studio.library.index(studio_run).index)
    return (
        f"{studio_run.id} {studio_run.version} "
        f"{[(name, label_counts(column)) for name, column in labels.items()]}"
    )


def _texts(studio: Studio, who: Viewer, shown: ShownRun, query: RowQuery) -> list[str] | None:
    if query.regex and query.text and not who.may_search_by_pattern:
        raise SpecError("the service searches for plain text alone; regular expressions work on a laptop")
    if not query.text:
        return None
    return studio.library.texts(shown.found) if shown.state.complete else shown.state.index.titles


def _can_start(studio: Studio, who: Viewer, studio_run: StudioRun, action: Action) -> bool:
    if studio.jobs is None or not who.may_run or (action == "resume") == studio_run.run.whole:
        return False
    try:
        studio.jobs.battery(studio_run)
    except SensecheckError:
        return False
    return True
