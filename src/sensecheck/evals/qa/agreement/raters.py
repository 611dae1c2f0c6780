"""What each rater said by themselves, before it is one number an answer."""

from collections.abc import Sequence

from sqlalchemy import exists, select

from sensecheck.core.run import Run
from sensecheck.store.eval_store import EvalStore
from sensecheck.store.tables import labels


def said_yes_or_no(store: EvalStore, runs: Sequence[Run], label: str) -> bool:
    """Whether all that anybody said is 0 or 1: the mean of two raters who disagree is neither."""
    held = labels.c.run.in_([run.key for run in runs]) & (labels.c.name == label)
    query = select(exists().where(held, labels.c.value.not_in((0.0, 1.0))))

    def read() -> bool:
        with store.engine.connect() as connection:
            return not connection.execute(query).scalar_one()

    return store.patience.until_done(read)
