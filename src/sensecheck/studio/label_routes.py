"""The routes of labels and reviews: what is there to label, the texts of a row, and what a person says."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
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
from sensecheck.studio.routes import PREFIX, Found, Here, Index, Shown, StudioRoute, Who
from sensecheck.studio.rows import RowView

labels_router = APIRouter(prefix=PREFIX, route_class=StudioRoute, include_in_schema=False)
Rater = Annotated[str, Query(max_length=100)]
LabelName = Annotated[str, Query(min_length=1, max_length=100)]


def labeller_of(who: Who) -> Viewer:
    """Who asks; a key that may only look is refused."""
    if not who.may_label:
        raise StudioRefusal(403, "this key may look at runs, and not label them: it needs the scope `review`")
    return who


def review_of(
    who: Who,
    studio: Here,
    shown: Shown,
    *,
    label: LabelName = CORRECT,
    rater: Rater = "",
    metric: str = "",
) -> RunReview:
    """The rows of a run as a reviewer has them before them."""
    order = orders_of(shown.found, shown.state.index, studio.orders)
    labels = labels_by_rater(shown.found, shown.state.index)
    return RunReview(shown.view, labels, order, label=label, rater=who.rater or rater, metric=metric)


Labeller = Annotated[Viewer, Depends(labeller_of)]
Review = Annotated[RunReview, Depends(review_of)]


class GivenLabel(BaseModel):
    """What a person says of the answer of one row; None takes back what they said."""

    model_config = ConfigDict(extra="forbid")

    id: Annotated[str, Field(max_length=2000)]
    name: Annotated[str, Field(min_length=1, max_length=100)] = CORRECT
    value: float | None
    rater: Annotated[str, Field(max_length=100)] = ""


@labels_router.post("/api/runs/{run_id}/labels")
def label(who: Labeller, found: Found, index: Index, given: GivenLabel) -> dict[str, Any]:
    """Store what a person says of an answer; what they said before stays in the history."""
    new = say(found, index, given.id, given.name, given.value, who.rater or given.rater)
    reply: dict[str, Any] = {"new": int(new)}
    if given.id in index.ids:
        reply["machine"] = machine_data(RowView(index, {}), index.ids.index(given.id))
    return reply


@labels_router.get("/api/runs/{run_id}/review")
def review(
    _: Labeller,
    shown: Shown,
    run_review: Review,
    *,
    queue: str = "random",
    cutoff: float | None = None,
    limit: Annotated[int, Query(ge=1, le=MAX_QUEUE_ROWS)] = 20,
) -> dict[str, Any]:
    """The next rows of a queue, and how far the review has come; nothing that the machine said."""
    rows = run_review.queue(queue, cutoff=cutoff, limit=limit)
    return {"queue": queue, "next": rows, "indexed": shown.state.complete, **run_review.progress()}


@labels_router.get("/api/runs/{run_id}/review/rows/{at}")
def review_row(who: Labeller, found: Found, index: Index, at: int, rater: Rater = "") -> dict[str, Any]:
    """The texts of a row."""
    return blind_row(found, index, at, labels_by_rater(found, index), who.rater or rater)


@labels_router.get("/api/runs/{run_id}/review/agreement")
def agreement(found: Found, index: Index, label: LabelName = CORRECT) -> dict[str, Any]:
    """How far reviewers agree, and the rows of which they do not."""
    return agreement_data(index, labels_by_rater(found, index), label)
