"""What everything that keeps vectors must keep to, for the tests of those who bring one."""

import hashlib
from collections.abc import Callable, Mapping

from sensecheck.encoders.disk_cache import Keeper

MAKER = "contract:one"
OTHER = "contract:two"


def cache_contract(opened: Callable[[], Keeper], *, many: int = 20_000) -> None:
    """Raise `AssertionError` unless what `opened` gives keeps bodies as it should; it is to be empty before.

    It is opened several times, as by processes that come and go, and is empty again in the end.
    """
    _reads_what_was_written(opened)
    _keeps_the_first_write(opened)
    _lets_go(opened)
    _keeps_many(opened, many)
    opened().clear()
    assert opened().count() == {}, "something is counted after all was cleared"


def _reads_what_was_written(opened: Callable[[], Keeper]) -> None:
    keeper, bodies = opened(), some_bodies(50)
    assert keeper.count() == {}, "it is to be empty before its contract is looked at"
    assert keeper.read(MAKER, list(bodies)) == {}, "it reads what nobody wrote"
    assert keeper.write(MAKER, {}) == {}, "no bodies give something back"
    assert keeper.write(MAKER, bodies) == {}, "bodies that are new were written by somebody else"
    for one in (keeper, opened()):
        assert one.read(MAKER, list(bodies)) == bodies, "it reads something else than was written"
        assert one.read(MAKER, []) == {}, "no keys have bodies"
        assert one.read(OTHER, list(bodies)) == {}, "another maker gets what it did not make"
        assert one.count() == {MAKER: 50}, "it counts something else than was written"
    assert keeper.used_bytes() > 0, "what is kept takes no room"


def _keeps_the_first_write(opened: Callable[[], Keeper]) -> None:
    first, again = some_bodies(80), some_bodies(80, b"again")
    written = opened().write(MAKER, again)
    assert written == some_bodies(50), "the keys that were there do not come back with their first bodies"
    kept = {key: first[key] if key in written else again[key] for key in first}
    assert opened().read(MAKER, list(kept)) == kept, "a second write took the place of the first"


def _lets_go(opened: Callable[[], Keeper]) -> None:
    keeper = opened()
    keeper.write(OTHER, some_bodies(3))
    gone = list(some_bodies(2))
    keeper.drop(OTHER, gone)
    keeper.drop(OTHER, gone)
    assert opened().count() == {MAKER: 80, OTHER: 1}, "what was dropped is counted"
    assert list(opened().read(OTHER, list(some_bodies(3)))) == list(some_bodies(3))[2:], "not all was dropped"
    new = some_bodies(2, b"new")
    assert keeper.write(OTHER, new) == {}, "what was dropped stands in the way of what is written anew"
    assert opened().read(OTHER, gone) == new, "what was dropped cannot be written anew"
    assert keeper.clear(OTHER) == 3, "clearing counts something else than was there"
    assert opened().count() == {MAKER: 80}, "clearing one maker's bodies took another's"


def _keeps_many(opened: Callable[[], Keeper], many: int) -> None:
    bodies = some_bodies(many, b"many")
    first = opened().write(MAKER, bodies)
    kept: Mapping[bytes, bytes] = {**bodies, **first}
    assert len(first) == 80, f"{len(first)} of 80 keys that were there came back"
    assert opened().read(MAKER, list(kept)) == kept, f"of {many} bodies not all are read as they were written"


def some_bodies(count: int, salt: bytes = b"") -> dict[bytes, bytes]:
    """So many bodies, by keys as long as a text's digest; the salt is in the bodies only."""
    numbers = (str(number).encode() for number in range(count))
    return {
        hashlib.blake2b(number, digest_size=20).digest(): number + salt * (1 + len(number))
        for number in numbers
    }
