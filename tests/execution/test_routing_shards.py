from array import array
from itertools import chain, pairwise

from hypothesis import given
from hypothesis import strategies as some

from sensecheck.execution.plan import RunPlan
from sensecheck.execution.routing import Shards
from sensecheck.execution.tasks import Groups, Routed
from sensecheck.tables.order import TableOrder

MOST = 10
GROUP = some.tuples(some.integers(0, 4), some.integers(1, 12))
"""A bucket, and rows of it."""
FILES = some.lists(some.lists(GROUP, max_size=8), max_size=5)
PLAN = RunPlan(TableOrder(()), {}, (), (), 5, MOST)


def routed(piece: int, groups: list[tuple[int, int]]) -> Routed:
    buckets, rows = ([group[at] for group in groups] for at in (0, 1))
    return Routed(piece, f"routed/{piece}", Groups(array("i", buckets), array("i", rows)), sum(rows))


@given(FILES)
def test_every_group_is_in_one_shard_of_its_bucket(files: list[list[tuple[int, int]]]) -> None:
    held = {f"routed/{piece}": groups for piece, groups in enumerate(files)}

    shards = Shards(PLAN, [routed(piece, groups) for piece, groups in enumerate(files)])

    found = [
        (shard.bucket, part.routed, group)
        for shard in shards
        for part in shard.parts
        for group in part.row_groups
    ]
    wanted = [(bucket, name, at) for name in held for at, (bucket, _) in enumerate(held[name])]
    assert found == sorted(wanted)
    assert shards.rows == sum(rows for _, rows in chain(*files))
    for shard in shards:
        rows = [held[part.routed][at][1] for part in shard.parts for at in part.row_groups]
        assert shard.rows == sum(rows)
        assert shard.rows <= MOST or len(rows) == 1


@given(FILES)
def test_shards_are_the_same_whenever_they_are_asked_for(files: list[list[tuple[int, int]]]) -> None:
    given = [routed(piece, groups) for piece, groups in enumerate(files)]

    shards = Shards(PLAN, given)

    assert list(shards) == list(Shards(PLAN, reversed(given))) == shards[:]
    assert [shards[number] for number in range(len(shards))] == list(shards)
    assert len({shard.id for shard in shards}) == len(shards)
    assert all(one.bucket <= other.bucket for one, other in pairwise(shards))


def test_of_what_was_not_routed_nothing_is_made() -> None:
    assert list(Shards(PLAN, [])) == []
    assert Shards(PLAN, [routed(0, [])]).rows == 0
