"""A line is fitted on labels that are like all messages."""

from datetime import UTC, datetime

from sensecheck.server.review.calibration import in_proportion
from sensecheck.server.review.dashboard import Drawn, Strata
from sensecheck.store.service.records import new_id
from sensecheck.store.service.reviews import LabelledMessage

NOON = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)


def _labelled(count: int, *, accepted: bool) -> list[LabelledMessage]:
    return [
        LabelledMessage(new_id(NOON), True, accepted, True, 0.5, "mark-1", "default@2", f"passage {i}")
        for i in range(count)
    ]


def test_the_stratum_that_was_labelled_more_is_thinned() -> None:
    labelled = [*_labelled(100, accepted=True), *_labelled(100, accepted=False)]
    kept = in_proportion(labelled, Strata(Drawn(9000, 100, 100), Drawn(1000, 100, 100)))

    assert sum(one.accepted for one in kept) == 100
    assert sum(not one.accepted for one in kept) == 11


def test_a_stratum_without_labels_leaves_nothing_to_fit_on() -> None:
    labelled = _labelled(100, accepted=True)

    assert in_proportion(labelled, Strata(Drawn(900, 100, 100), Drawn(100, 0, 0))) == []


def test_a_stratum_without_messages_is_not_missed() -> None:
    labelled = _labelled(100, accepted=True)

    assert len(in_proportion(labelled, Strata(Drawn(900, 100, 100), Drawn(0, 0, 0)))) == 100


def test_which_labels_stay_does_not_depend_on_their_order() -> None:
    labelled = [*_labelled(50, accepted=True), *_labelled(50, accepted=False)]
    strata = Strata(Drawn(100, 50, 50), Drawn(20, 50, 50))

    assert in_proportion(labelled, strata) == in_proportion(labelled[::-1], strata)
