"""The test runs of a store, by the ids that services give them."""

from collections.abc import Iterator, Mapping

from sensecheck.core.errors import NotKept, SpecError
from sensecheck.core.extras import extra
from sensecheck.core.run import Pair, Placed, Run

with extra("eval"):
    from sqlalchemy import select

    from sensecheck.store.eval_store import EvalStore
    from sensecheck.store.run_writing import Answered
    from sensecheck.store.sets import pair_of
    from sensecheck.store.tables import answers, pairs, runs, set_pairs

_KEYS = ("id", "question", "reference_answer", "passages")


def run_of(store: EvalStore, test_run_id: str) -> Run:
    """The run that has exactly this id."""
    with store.engine.connect() as connection:
        key = connection.execute(select(runs.c.key).where(runs.c.id == test_run_id)).scalar_one_or_none()
    if key is None:
        raise SpecError(f"there is no test run `{test_run_id}`; begin one with `start_test_run`")
    return store.run_by_key(key)


def question_of(store: EvalStore, run: Run, qa_pair_id: str) -> Placed:
    """The question of a run that has this id, which must be unanswered: history is not overwritten."""
    query = (
        select(set_pairs.c.position, pairs)
        .join(pairs, pairs.c.key == set_pairs.c.pair)
        .where(set_pairs.c.set == run.set.key, pairs.c.id == qa_pair_id)
    )
    with store.engine.connect() as connection:
        row = connection.execute(query).mappings().one_or_none()
    if row is None:
        raise SpecError(f"the test run `{run.id}` has no pair `{qa_pair_id}`")
    if row["position"] in answered(store, run, row["position"]):
        raise evaluated_before(run, qa_pair_id)
    return Placed(row["position"], row["key"], pair_of(row))


def evaluated_before(run: Run, qa_pair_id: str) -> SpecError:
    """What to tell somebody who would overwrite history."""
    return SpecError(
        f"the pair `{qa_pair_id}` of the test run `{run.id}` has been evaluated, and stays as it is; "
        "begin another run to evaluate it again"
    )


def keep_unanswered(store: EvalStore, run: Run, batch: Answered) -> list[int]:
    """Keep the answers of a batch but those that somebody else has given meanwhile; their positions."""
    while batch:
        try:
            store.writer(run).add(batch)
        except NotKept:
            done = answered(store, run)
            left = [one for one in batch if one[0].position not in done]
            if len(left) == len(batch):  # something else is wrong
                raise
            batch = left
        else:
            break
    return [placed.position for placed, _ in batch]


def questions_left(store: EvalStore, run: Run) -> Iterator[Placed]:
    """The questions of a run that have not been evaluated, in their order."""
    done = answered(store, run)
    return (placed for placed in store.questions(run.set) if placed.position not in done)


def answered(store: EvalStore, run: Run, position: int | None = None) -> set[int]:
    """The positions of a run that have an answer; or whether one of them has."""
    query = select(answers.c.position).where(answers.c.run == run.key)
    if position is not None:
        query = query.where(answers.c.position == position)
    with store.engine.connect() as connection:
        return set(connection.execute(query).scalars())


def pair_from(given: Pair | Mapping[str, object]) -> Pair:
    """A question with its reference answer, also from a dictionary as services have it."""
    if isinstance(given, Pair):
        return given
    if strange := [key for key in given if key not in _KEYS]:
        raise SpecError(f"a pair has no `{strange[0]}`; known: {', '.join(f'`{key}`' for key in _KEYS)}")
    texts = {key: given.get(key) for key in _KEYS[:3]}
    for key, text in texts.items():
        if not isinstance(text, str | None):
            raise SpecError(f"`{key}` of a pair wants a text; found {type(text).__name__}")
    passages = given.get("passages", ())
    if not isinstance(passages, list | tuple) or not all(isinstance(one, str) for one in passages):
        raise SpecError("`passages` of a pair wants a list of texts")
    question, expected = texts["question"], texts["reference_answer"]
    return Pair(_text(question), _text(expected), tuple(passages), id=_text(texts["id"]) or "")


def _text(given: object) -> str | None:
    return given if isinstance(given, str) else None
