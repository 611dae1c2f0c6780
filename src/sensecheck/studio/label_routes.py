"""The routes of labels and reviews: what is there to label, the texts of a row, and what a person says."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from sensecheck.studio.access import StudioRefusal, Viewer
from sensecheck.studio.labels import CORRECT, labels_by_rater, say
from sensecheck.studio.review import (
    MAX_QUEUE_ROWS,
    RunReview,
    agreement_data,
    blind_row,
    machine_data,
    orders_of,
)
from sensecheck.studio.routes import PREFIX, Here, Studio, StudioRoute, Who, view_of
from sensecheck.studio.rows import RowView

labels_router = APIRouter(prefix=PREFIX, route_class=StudioRoute, include_in_schema=False)
Rater = Annotated[str, Query(max_length=100)]
LabelName = Annotated[str, Query(min_length=1, max_length=100)]


class GivenLabel(BaseModel):
    """What a person says of the answer of one row; None takes back what they said."""

    model_config = ConfigDict(extra="forbid")

    id: Annotated[str, Field(max_length=2000)]
    name: Annotated[str, Field(min_length=1, max_length=100)] = CORRECT
    value: float | None
    rater: Annotated[str, Field(max_length=100)] = ""


@labels_router.post("/api/runs/{run_id}/labels")
def label(run_id: str, given: GivenLabel, who: Who, studio: Here) -> dict[str, Any]:
    """Store what a person says of an answer; what they said before stays in the history."""
    require_labeller(who)
    studio_run = studio.library.find(run_id, project=who.project)
    index = studio.library.index(studio_run).index
    new = say(studio_run, index, given.id, given.name, given.value, who.rater or given.rater)
    reply: dict[str, Any] = {"new": int(new)}
    if given.id in index.ids:
        reply["machine"] = machine_data(RowView(index, {}), index.ids.index(given.id))
    return reply


@labels_router.get("/api/runs/{run_id}/review")
def review(
    run_id: str,
    who: Who,
    studio: Here,
    *,
    queue: str = "random",
    label: LabelName = CORRECT,
    rater: Rater = "",
    baseline: str = "",
    metric: str = "",
    cutoff: float | None = None,
    limit: Annotated[int, Query(ge=1, le=MAX_QUEUE_ROWS)] = 20,
) -> dict[str, Any]:
    """The next rows of a queue, and how far the review has come; nothing that the machine said."""
    require_labeller(who)
    run_review, indexed = review_of(
        studio, who, run_id, label=label, rater=rater, baseline=baseline, metric=metric
    )
    rows = run_review.queue(queue, cutoff=cutoff, limit=limit)
    return {"queue": queue, "next": rows, "indexed": indexed, **run_review.progress()}


@labels_router.get("/api/runs/{run_id}/review/rows/{at}")
def review_row(run_id: str, at: int, who: Who, studio: Here, rater: Rater = "") -> dict[str, Any]:
    """The texts of a row."""
    require_labeller(who)
    studio_run = studio.library.find(run_id, project=who.project)
    index = studio.library.index(studio_run).index
    return blind_row(studio_run, index, at, labels_by_rater(studio_run, index), who.rater or rater)


@labels_router.get("/api/runs/{run_id}/review/agreement")
def agreement(run_id: str, who: Who, studio: Here, label: LabelName = CORRECT) -> dict[str, Any]:
    """How far reviewers agree, and the rows of which they do not."""
    studio_run = studio.library.find(run_id, project=who.project)
    index = studio.library.index(studio_run).index
    return agreement_data(index, labels_by_rater(studio_run, index), label)


def review_of(
    studio: Studio,
    who: Viewer,
    run_id: str,
    *,
    label: str,
    rater: str = "",
    baseline: str = "",
    metric: str = "",
) -> tuple[RunReview, bool]:
    """The rows of a run as a reviewer has them before them, and whether these are all rows."""
    studio_run, state, view = view_of(studio, who, run_id, baseline)
    order = orders_of(studio_run, state.index, studio.orders)
    labels = labels_by_rater(studio_run, state.index)
    return RunReview(
        view, labels, order, label=label, rater=who.rater or rater, metric=metric
    ), state.complete


def require_labeller(who: Viewer) -> None:
    """Refuse a key that may only look."""
    if not who.may_label:
        raise StudioRefusal(403, "this key may look at runs, and not label them: it needs the scope `review`")
