"""The questions of a project in the store, and the sets of them that runs are made of."""

import hashlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from itertools import islice
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np
from sqlalchemy import Connection, Engine, RowMapping, func, select
from sqlalchemy.sql.roles import ColumnsClauseRole

from sensecheck.core.errors import SampleError, SpecError
from sensecheck.core.run import Item, PlacedItem, QuestionSet, name_of, storable
from sensecheck.runs.place import Wording
from sensecheck.runs.stored_values import require_new_question, require_questions, same_id, storable_item
from sensecheck.store.bulk import add_if_missing, add_missing, insert_rows, project_key
from sensecheck.store.columns import now
from sensecheck.store.engine import writing
from sensecheck.store.retry import Patience
from sensecheck.store.tables import pairs, projects, set_pairs, sets

AT_ONCE = 1000
Store = TypeVar("Store", bound="StoredQuestions")
Given = ParamSpec("Given")
Found = TypeVar("Found")


def patiently(
    method: Callable[Concatenate[Store, Given], Found],
) -> Callable[Concatenate[Store, Given], Found]:
    """A method of a store that is called again while the database is away."""

    @wraps(method)
    def called(store: Store, /, *args: Given.args, **options: Given.kwargs) -> Found:
        return store.patience.until_done(lambda: method(store, *args, **options))

    return called


@dataclass(frozen=True, slots=True)
class StoredQuestions:
    """The questions and sets of one database."""

    engine: Engine
    patience: Patience = field(default_factory=Patience)

    def keep_set(self, project: str, questions: Iterable[Item]) -> QuestionSet:
        """The set of these questions, in their order; what the store has already is not stored twice."""
        project_number = self.patience.until_done(lambda: project_key(self.engine, project))
        keys, digest, remaining = array("q"), hashlib.sha256(), iter(questions)
        while batch := [storable_item(pair) for pair in islice(remaining, AT_ONCE)]:
            with_digests = [(pair.digest, pair) for pair in batch]
            keys.extend(self._keep_questions(project_number, with_digests))
            for item_digest, _ in with_digests:
                digest.update(bytes.fromhex(item_digest))
        _validate_question_keys(keys)
        return self._keep_set_of_keys(project_number, digest.hexdigest(), keys)

    @patiently
    def latest_set(self, project: str) -> QuestionSet:
        """The questions that a project was last given."""
        query = (
            select(sets.c.key, sets.c.size, sets.c.digest)
            .join(projects, projects.c.key == sets.c.project)
            .where(projects.c.name == storable(project))
            .order_by(sets.c.key.desc())
            .limit(1)
        )
        with self.engine.connect() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            raise SpecError(f"the project `{project}` has no questions yet; name a file of them")
        return QuestionSet(row.key, row.size, row.digest)

    def questions(self, chosen: QuestionSet, *, after: int = 0) -> Iterator[PlacedItem]:
        """The questions of a set from a position on, in their order, read as they are wanted."""
        for row in self._rows(chosen, after, pairs):
            yield PlacedItem(row["position"], row["key"], pair_of(row))

    def wordings(self, chosen: QuestionSet) -> Iterator[Wording]:
        """How questions are called and worded; what was retrieved for them is not even read."""
        for row in self._rows(chosen, 0, pairs.c.id, pairs.c.question, pairs.c.expected):
            yield row["id"], row["question"], row["expected"]

    def _rows(self, chosen: QuestionSet, after: int, *columns: ColumnsClauseRole) -> Iterator[RowMapping]:
        while rows := self._rows_from(chosen, after, *columns):
            yield from rows
            after = rows[-1]["position"] + 1

    @patiently
    def _rows_from(
        self, chosen: QuestionSet, after: int, *columns: ColumnsClauseRole
    ) -> Sequence[RowMapping]:
        query = (
            select(set_pairs.c.position, *columns)
            .join(pairs, pairs.c.key == set_pairs.c.pair)
            .where(set_pairs.c.set == chosen.key, set_pairs.c.position >= after)
            .order_by(set_pairs.c.position)
            .limit(AT_ONCE)
        )
        with self.engine.connect() as connection:
            return connection.execute(query).mappings().all()

    @patiently
    def _keep_questions(self, project: int, questions: Sequence[tuple[str, Item]]) -> list[int]:
        """The keys of questions, each given with its digest."""
        with writing(self.engine) as connection:
            keys = _known_keys(connection, project, [digest for digest, _ in questions])
            fresh = {digest: pair for digest, pair in questions if digest not in keys}
            if fresh:
                # in one order for all: who waits for another never waits in a circle
                rows = [_question_row(project, digest, fresh[digest]) for digest in sorted(fresh)]
                add_missing(connection, pairs, rows)
                keys |= _known_keys(connection, project, list(fresh))
        return [keys[digest] for digest, _ in questions]

    @patiently
    def _keep_set_of_keys(self, project: int, digest: str, keys: "array[int]") -> QuestionSet:
        query = select(sets.c.key, sets.c.size).where(sets.c.project == project, sets.c.digest == digest)
        new = {"project": project, "digest": digest, "size": len(keys), "created_at": now()}
        with writing(self.engine) as connection:
            row = connection.execute(query).one_or_none()
            key = None if row else add_if_missing(connection, sets, new)
            if key is None:  # somebody else was quicker, and has committed
                row = row or connection.execute(query).one()
                return QuestionSet(row.key, row.size, digest)
            rows = ((key, position, pair) for position, pair in enumerate(keys))
            insert_rows(connection, set_pairs, ("set", "position", "pair"), rows)
            _require_own_names(connection, key)
        return QuestionSet(key, len(keys), digest)


def pair_of(row: Mapping[Any, Any]) -> Item:
    """The question in a row of its table."""
    item_id = "" if row["id"] == name_of(row["question"], row["expected"]) else row["id"]
    return Item(row["question"], row["expected"], tuple(row["passages"]), row["slices"], item_id)


def _known_keys(connection: Connection, project: int, digests: Sequence[str]) -> dict[str, int]:
    query = select(pairs.c.digest, pairs.c.key).where(pairs.c.project == project, pairs.c.digest.in_(digests))
    return {row.digest: row.key for row in connection.execute(query)}


def _question_row(project: int, digest: str, pair: Item) -> dict[str, object]:
    return {
        "id": pair.name,
        "project": project,
        "question": pair.question,
        "expected": pair.expected,
        "passages": list(pair.passages),
        "slices": dict(pair.slices),
        "digest": digest,
    }


def _validate_question_keys(keys: "array[int]") -> None:
    require_questions(len(keys))
    numbers = np.frombuffer(keys, np.int64)
    order = np.argsort(numbers, kind="stable")
    twice = np.flatnonzero(numbers[order][1:] == numbers[order][:-1])
    if len(twice):
        first, second = (int(order[twice[0] + step]) for step in (0, 1))
        require_new_question(second, first)


def _require_own_names(connection: Connection, chosen: int) -> None:
    query = (
        select(pairs.c.id, func.min(set_pairs.c.position), func.max(set_pairs.c.position))
        .join(set_pairs, pairs.c.key == set_pairs.c.pair)
        .where(set_pairs.c.set == chosen)
        .group_by(pairs.c.id)
        .having(func.count() > 1)
        .limit(1)
    )
    if (duplicate := connection.execute(query).one_or_none()) is not None:
        name, first, last = duplicate
        raise SampleError(same_id(first, last, name))
