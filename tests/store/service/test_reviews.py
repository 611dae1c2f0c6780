"""What reviewers are given, and what becomes of what they say."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

import pytest

from sensecheck.store.service.figures import Days
from sensecheck.store.service.records import Entry
from sensecheck.store.service.reviews import (
    LabelledMessage,
    ToReview,
    add_feedback,
    add_review,
    labelled_messages,
    newest_encoder,
    thumbs,
    to_review,
    way_of,
)
from sensecheck.store.service.store import ServiceStore
from tests.store.service.made import NOON, entry

TODAY = Days(NOON.date(), NOON.date())
LINES = {"default@2": 0.5}
NOBODY = 10_000
"""A project without messages."""


@pytest.fixture
def entries(store: ServiceStore, project: int) -> list[Entry]:
    """A hundred answers that were accepted and a hundred that were held back, with readings of all sizes."""
    made = list(_each(project))
    store.write(made)
    return made


def _each(project: int) -> Iterator[Entry]:
    for i in range(100):
        at = NOON - timedelta(minutes=i)
        yield entry(project, at=at, support=0.5 + i / 200, validation_passed=True)
        yield entry(
            project,
            at=at,
            support=0.5 - i / 200,
            validation_passed=False,
            outcome="fail",
            held="Something else.",
        )


def _drawn(store: ServiceStore, project: int, limit: int = 100) -> list[ToReview]:
    with store.reading() as connection:
        return to_review(connection, project, limit, lines=LINES, at=NOON + timedelta(hours=1))


def _label(store: ServiceStore, project: int, message: str, *, grounded: bool, by: str = "ann") -> None:
    with store.writing() as connection:
        drawn = way_of(message)
        add_review(connection, project, message, reviewer=by, grounded=grounded, drawn=drawn)


def _labelled(store: ServiceStore, project: int) -> list[LabelledMessage]:
    with store.reading() as connection:
        return labelled_messages(connection, project, TODAY)


@pytest.mark.usefixtures("entries")
def test_accepted_and_rejected_answers_are_drawn_in_both_ways(store: ServiceStore, project: int) -> None:
    drawn = _drawn(store, project, 40)

    assert Counter((one.accepted, one.drawn) for one in drawn) == {
        (accepted, way): 10 for accepted in (True, False) for way in ("random", "near")
    }
    assert all(one.drawn == way_of(one.message) for one in drawn)
    assert len({one.message for one in drawn}) == 40


@pytest.mark.usefixtures("entries")
def test_those_near_the_line_come_first(store: ServiceStore, project: int) -> None:
    near = [one for one in _drawn(store, project, 40) if one.drawn == "near" and one.accepted]

    distances = [abs((one.support or 0) - 0.5) for one in near]
    assert distances == sorted(distances)
    assert max(distances) < 0.35


@pytest.mark.usefixtures("entries")
def test_a_rejected_answer_is_shown_as_it_was_held_back(store: ServiceStore, project: int) -> None:
    one = next(one for one in _drawn(store, project) if not one.accepted)

    assert one.answer == "Something else."
    assert one.passage == "ROS 2 is a middleware."
    assert one.whole_passage


def test_a_passage_that_was_cut_says_so(store: ServiceStore, project: int) -> None:
    store.write([entry(project, validation_passed=True, selected_text="a" * 500)])

    assert [one.whole_passage for one in _drawn(store, project)] == [False]


def test_an_answer_that_is_not_there_to_be_read_is_not_drawn(store: ServiceStore, project: int) -> None:
    unkept = entry(project, validation_passed=False, outcome="fail")
    unwritten = entry(project, validation_passed=None, outcome="unsure")
    brought = entry(project, validation_passed=False, outcome="fail", mode="check")
    old = entry(project, at=NOON - timedelta(days=8), validation_passed=True)
    store.write([unkept, unwritten, brought, old])

    assert [one.message for one in _drawn(store, project)] == [brought.message.id]


def test_what_was_labelled_is_not_drawn_again_unless_nobody_drew_it(
    store: ServiceStore, project: int, entries: list[Entry]
) -> None:
    drawn, complained = entries[0].message.id, entries[2].message.id
    _label(store, project, drawn, grounded=True)
    with store.writing() as connection:
        add_review(connection, project, complained, reviewer="ann", grounded=False, drawn=None)

    left = {one.message for one in _drawn(store, project, 1000)}
    assert drawn not in left
    assert complained in left


def test_nobody_is_given_messages_of_another_project(store: ServiceStore, entries: list[Entry]) -> None:
    other = store.project("other")
    _label(store, other, entries[0].message.id, grounded=True)

    assert _drawn(store, other) == []
    assert _labelled(store, other) == []


def test_the_newest_word_of_each_reviewer_counts_and_most_of_them_decide(
    store: ServiceStore, project: int, entries: list[Entry]
) -> None:
    changed, split, most = (entries[i].message.id for i in (0, 2, 4))
    for grounded in (True, False):
        _label(store, project, changed, grounded=grounded)
    for by, grounded in (("ann", True), ("bob", False)):
        _label(store, project, split, grounded=grounded, by=by)
    for by, grounded in (("ann", True), ("bob", False), ("cyd", True)):
        _label(store, project, most, grounded=grounded, by=by)

    found = {one.message: one.grounded for one in _labelled(store, project)}
    assert found == {changed: False, most: True}


def test_only_labels_that_were_drawn_at_random_say_so(
    store: ServiceStore, project: int, entries: list[Entry]
) -> None:
    for one in entries:
        _label(store, project, one.message.id, grounded=True)

    found = _labelled(store, project)
    assert len(found) == 200
    assert all(one.at_random == (way_of(one.message) == "random") for one in found)
    assert 60 < sum(one.at_random for one in found) < 140


def test_labels_of_other_days_do_not_count(store: ServiceStore, project: int) -> None:
    for days in (1, -1):
        made = entry(project, at=NOON + timedelta(days=days), validation_passed=True)
        store.write([made])
        _label(store, project, made.message.id, grounded=True)

    assert _labelled(store, project) == []


def test_the_newest_thumb_of_a_message_counts(
    store: ServiceStore, project: int, entries: list[Entry]
) -> None:
    said = [(0, "up"), (0, "down"), (1, "up"), (2, "up")]
    with store.writing() as connection:
        for i, thumb in said:
            add_feedback(connection, project, entries[i].message.id, thumb, "so it is")  # type: ignore[arg-type]
        assert thumbs(connection, project, TODAY) == {"up": 2, "down": 1}
        assert thumbs(connection, NOBODY, TODAY) == {"up": 0, "down": 0}


def test_the_newest_encoder_is_that_of_the_newest_message(store: ServiceStore, project: int) -> None:
    store.write(
        [entry(project, at=NOON - timedelta(hours=hours), encoder=f"mark-{hours}") for hours in (2, 1)]
    )
    store.write([entry(project, encoder=None)])

    with store.reading() as connection:
        assert newest_encoder(connection, project, TODAY.end) == "mark-1"
        assert newest_encoder(connection, NOBODY, TODAY.end) is None
