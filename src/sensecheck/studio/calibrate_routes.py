"""The routes of calibration: readings by label, rows on the wrong side of a cutoff, and fits."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from pydantic import BaseModel, ConfigDict, Field

from sensecheck.calibration.card import Card
from sensecheck.calibration.target import Method, Target
from sensecheck.core.cutoff import Cutoff, GoodSide
from sensecheck.studio.access import StudioRefusal
from sensecheck.studio.calibrate import (
    LabelledReadings,
    WhichRows,
    card_data,
    drift_data,
    fit_readings,
    measure_of,
    metric_choices,
    metric_named,
    save_card,
    saved_card,
)
from sensecheck.studio.label_routes import Labeller, Review, review_of
from sensecheck.studio.labels import CORRECT, label_names
from sensecheck.studio.routes import PREFIX, Found, Here, Shown, StudioRoute, Who

calibration_router = APIRouter(prefix=PREFIX, route_class=StudioRoute, include_in_schema=False)
Share = Annotated[float, Query(gt=0, lt=1)]


def readings_of(
    review: Review, metric: str = "", rows: WhichRows = "random", good: GoodSide = "above"
) -> LabelledReadings:
    """The readings of the metric that the address names, with what people say of the answers."""
    metric_named(review, metric)
    return LabelledReadings(review, which=rows, good=good)


Readings = Annotated[LabelledReadings, Depends(readings_of)]


@calibration_router.get("/api/runs/{run_id}/calibrate")
def calibrate(
    who: Who,
    studio: Here,
    shown: Shown,
    readings: Readings,
    *,
    metric: str = "",
    fpr: Share | None = None,
    fnr: Share | None = None,
) -> dict[str, Any]:
    """How many readings of each label are below each place that a cutoff can have."""
    review, policies = readings.review, studio.policies
    chosen = metric_named(review, metric)
    base = None if policies is None or readings.good == "below" else policies.base_of(measure_of(chosen)[0])
    return {
        "metrics": [{"name": one.name, "encoder": one.encoder} for one in metric_choices(review)],
        "metric": chosen.name,
        "label": review.label,
        "labels": label_names(review.said),
        "rows": readings.which,
        "good": readings.good,
        "indexed": shown.state.complete,
        "can_fit": who.may_label,
        "can_save": who.may_run and studio.cards is not None,
        "can_apply": who.may_apply and base is not None,
        "policy_base": base,
        **readings.chart(_targets(fpr, fnr, None)),
    }


@calibration_router.get("/api/runs/{run_id}/calibrate/wrong")
def wrong(
    readings: Readings, cutoff: float, low: float | None = None, high: float | None = None
) -> dict[str, Any]:
    """Labelled rows on the wrong side of a cutoff, the most confident first."""
    doubt = None if low is None or high is None else (low, high)
    return readings.wrong_rows(Cutoff(cutoff, readings.good, doubt))


@calibration_router.get("/api/runs/{run_id}/calibrate/drift")
def drift(found: Found, review: Review, studio: Here, metric: str = "", card: str = "") -> dict[str, Any]:
    """The scores of the run beside those that a saved card was fitted on."""
    return drift_data(found, metric_named(review, metric), review.numbers, studio.cards, card)


class GivenFit(BaseModel):
    """What a card is to be fitted on, and what it is to promise."""

    model_config = ConfigDict(extra="forbid")

    name: Annotated[str, Field(min_length=1, max_length=100)]
    metric: str = ""
    label: Annotated[str, Field(min_length=1, max_length=100)] = CORRECT
    rows: WhichRows = "random"
    good: GoodSide = "above"
    method: Method = "exact"
    fpr: Annotated[float, Field(gt=0, lt=1)] | None = None
    fnr: Annotated[float, Field(gt=0, lt=1)] | None = None
    confidence: Annotated[float, Field(gt=0, lt=1)] | None = None
    save: bool = False
    """Whether the card is written to the folder of cards."""
    replace: bool = False
    """Whether a card of this name is overwritten."""
    apply: bool = False
    """Whether the card becomes the next version of the policy of its name."""


@calibration_router.post("/api/runs/{run_id}/calibrate/fit")
def fit(who: Labeller, studio: Here, shown: Shown, given: GivenFit) -> dict[str, Any]:
    """Fit a card, show what it changes, and save or apply it where that is wanted."""
    if given.save and (studio.cards is None or not who.may_run):
        raise StudioRefusal(403, "cards cannot be saved from here; download the file")
    if given.apply and (studio.policies is None or not who.may_apply or who.project is None):
        raise StudioRefusal(403, "policies cannot be changed from here: that needs a key with `policies`")
    review = review_of(who, studio, shown, label=given.label, metric=given.metric)
    readings = readings_of(review, given.metric, given.rows, given.good)
    targets = () if given.method == "best_f1" else _targets(given.fpr, given.fnr, given.confidence)
    metric = metric_named(review, given.metric)
    if given.apply and studio.policies is not None and who.project is not None:
        measure, _ = measure_of(metric)  # refused before the fit, which takes long
        studio.policies.require_place(
            who.project, given.name, measure, metric.fingerprint or None, given.good
        )
    card = fit_readings(
        studio.library,
        shown.found,
        readings,
        name=given.name,
        metric=metric,
        targets=targets,
        method=given.method,
    )
    if not isinstance(card, Card):
        return {"card": None, "because": card.describe(), "missing": dict(card.missing)}
    before = saved_card(card.name, studio.cards)
    if studio.policies is not None and who.project is not None:
        before = studio.policies.newest_card(who.project, card.name)
    reply = card_data(card, before)
    if given.save and studio.cards is not None:
        reply["saved"] = str(save_card(card, studio.cards, replace=given.replace))
    if given.apply and studio.policies is not None and who.project is not None:
        reply["applied"] = studio.policies.apply(who.project, card)
    return {"card": reply}


def _targets(fpr: float | None, fnr: float | None, confidence: float | None) -> tuple[Target, ...]:
    accepts = () if fpr is None else (Target("false_accepts", fpr, confidence),)
    rejects = () if fnr is None else (Target("false_rejects", fnr, confidence),)
    return accepts + rejects
