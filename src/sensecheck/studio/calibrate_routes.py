"""The routes of calibration: readings by label, rows on the wrong side of a cutoff, and fits."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from sensecheck.calibration.card import Card
from sensecheck.calibration.target import Method, Target
from sensecheck.core.cutoff import Cutoff, GoodSide
from sensecheck.studio.access import StudioRefusal, Viewer
from sensecheck.studio.calibrate import (
    LabelledReadings,
    StudioFit,
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
from sensecheck.studio.label_routes import LabelName, require_labeller, review_of
from sensecheck.studio.labels import CORRECT, label_names
from sensecheck.studio.routes import PREFIX, Here, Studio, StudioRoute, Who

calibration_router = APIRouter(prefix=PREFIX, route_class=StudioRoute, include_in_schema=False)
Share = Annotated[float, Query(gt=0, lt=1)]


@calibration_router.get("/api/runs/{run_id}/calibrate")
def calibrate(
    run_id: str,
    who: Who,
    studio: Here,
    *,
    metric: str = "",
    label: LabelName = CORRECT,
    rows: WhichRows = "random",
    good: GoodSide = "above",
    fpr: Share | None = None,
    fnr: Share | None = None,
) -> dict[str, Any]:
    """How many readings of each label are below each place that a cutoff can have."""
    readings, indexed = _readings(studio, who, run_id, metric, label, rows, good)
    review, policies = readings.review, studio.policies
    chosen = metric_named(review, metric)
    base = None if policies is None or good == "below" else policies.base_of(measure_of(chosen)[0])
    return {
        "metrics": [{"name": one.name, "encoder": one.encoder} for one in metric_choices(review)],
        "metric": chosen.name,
        "label": label,
        "labels": label_names(review.said),
        "rows": rows,
        "good": good,
        "indexed": indexed,
        "can_fit": who.may_label,
        "can_save": who.may_run and studio.cards is not None,
        "can_apply": who.may_apply and base is not None,
        "policy_base": base,
        **readings.chart(_targets(fpr, fnr, None)),
    }


@calibration_router.get("/api/runs/{run_id}/calibrate/wrong")
def wrong(
    run_id: str,
    cutoff: float,
    who: Who,
    studio: Here,
    *,
    low: float | None = None,
    high: float | None = None,
    metric: str = "",
    label: LabelName = CORRECT,
    rows: WhichRows = "random",
    good: GoodSide = "above",
) -> dict[str, Any]:
    """Labelled rows on the wrong side of a cutoff, the most confident first."""
    readings, _ = _readings(studio, who, run_id, metric, label, rows, good)
    doubt = None if low is None or high is None else (low, high)
    return readings.wrong_rows(Cutoff(cutoff, good, doubt))


@calibration_router.get("/api/runs/{run_id}/calibrate/drift")
def drift(run_id: str, who: Who, studio: Here, metric: str = "", card: str = "") -> dict[str, Any]:
    """The scores of the run beside those that a saved card was fitted on."""
    review, _ = review_of(studio, who, run_id, label=CORRECT, metric=metric)
    studio_run = studio.library.find(run_id, project=who.project)
    return drift_data(studio_run, metric_named(review, metric), review.numbers, studio.cards, card)


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
def fit(run_id: str, given: GivenFit, who: Who, studio: Here) -> dict[str, Any]:
    """Fit a card, show what it changes, and save or apply it where that is wanted."""
    require_labeller(who)
    if given.save and (studio.cards is None or not who.may_run):
        raise StudioRefusal(403, "cards cannot be saved from here; download the file")
    if given.apply and (studio.policies is None or not who.may_apply or who.project is None):
        raise StudioRefusal(403, "policies cannot be changed from here: that needs a key with `policies`")
    readings, _ = _readings(studio, who, run_id, given.metric, given.label, given.rows, given.good)
    targets = () if given.method == "best_f1" else _targets(given.fpr, given.fnr, given.confidence)
    metric = metric_named(readings.review, given.metric)
    request = StudioFit(given.name, metric, given.label, targets, given.method, given.good)
    if given.apply and studio.policies is not None and who.project is not None:
        measure, _ = measure_of(metric)  # refused before the fit, which takes long
        studio.policies.require_place(
            who.project, given.name, measure, metric.fingerprint or None, given.good
        )
    studio_run = studio.library.find(run_id, project=who.project)
    card = fit_readings(studio.library, studio_run, readings, request)
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


def _readings(
    studio: Studio, who: Viewer, run_id: str, metric: str, label: str, rows: WhichRows, good: GoodSide
) -> tuple[LabelledReadings, bool]:
    review, indexed = review_of(studio, who, run_id, label=label, metric=metric)
    metric_named(review, metric)
    return LabelledReadings(review, which=rows, good=good), indexed


def _targets(fpr: float | None, fnr: float | None, confidence: float | None) -> tuple[Target, ...]:
    accepts = () if fpr is None else (Target("false_accepts", fpr, confidence),)
    rejects = () if fnr is None else (Target("false_rejects", fnr, confidence),)
    return accepts + rejects
