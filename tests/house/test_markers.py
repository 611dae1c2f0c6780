"""What is slow or needs a service says so, and tables of cases report every row."""

import pytest

from tests.corpus import each_of
from tests.markers import Stopwatch, require_marker

LONG_AGO = -1000.0


def test_who_uses_a_database_must_say_so() -> None:
    with pytest.raises(
        pytest.fail.Exception, match=r"uses a database and must say so: `@pytest\.mark\.database`"
    ):
        require_marker("database")


@pytest.mark.slow
@pytest.mark.core
def test_who_says_so_may() -> None:
    require_marker("slow")


def test_a_test_that_took_long_fails_unless_it_is_marked(request: pytest.FixtureRequest) -> None:
    Stopwatch().require_short(request.node)
    if Stopwatch(LONG_AGO).is_no_measure():
        pytest.skip("under a tracer times say nothing")
    with pytest.raises(pytest.fail.Exception, match=r"took .* s of CPU time; .*`@pytest.mark.slow`"):
        Stopwatch(LONG_AGO).require_short(request.node)
    Stopwatch(LONG_AGO, modules=0).require_short(request.node)


@pytest.mark.slow
@pytest.mark.core
def test_a_test_that_is_marked_may_take_long(request: pytest.FixtureRequest) -> None:
    Stopwatch(LONG_AGO).require_short(request.node)


def test_every_row_that_differs_is_reported() -> None:
    @each_of("one, other", [(1, 1), (1, 2), (3, 4)])
    def equal(one: int, other: int) -> None:
        assert one == other

    @each_of("bad", [True, False])
    def raising(bad: bool) -> None:
        with pytest.raises(ValueError, match="bad"):
            int("bad" if bad else "1")

    with pytest.raises(pytest.fail.Exception, match=r"(?s)2 of 3 rows differ.*row 1: .*'other': 2.*row 2"):
        equal()
    with pytest.raises(pytest.fail.Exception, match=r"1 of 2 rows differ:\nrow 1: .*\n.*DID NOT RAISE"):
        raising()
