"""Answers with their references as people keep them: real texts, and many of them more than once."""

import random
from collections.abc import Sequence
from itertools import islice, pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from benchmarks.speed.eval_pairs import SEED, Asked, distinct
from benchmarks.speed.texts import sentences

FRESH, AGAIN = 8, 4
"""Of twelve rows, so many have a reference of their own, and so many one that another row has too."""
ROWS_A_REFERENCE = 20
"""Where texts come many times."""
UNKNOWN = "I do not know."
IN_GROUP = 4_096


def pairs(data: Path | None, rows: int) -> list[Asked]:
    """Rows that share references; of those that do, a part has also an answer that was given before.

    Of four that share: two have new answers, one repeats the answer to its reference, and one says `UNKNOWN`.
    """
    fresh = rows * FRESH // (FRESH + AGAIN)
    held = _distinct(data, fresh + rows)
    found, spare = held[:fresh], iter(held[fresh:])
    draw = random.Random(SEED)
    for number in range(rows - fresh):
        about = found[draw.randrange(fresh)]
        answers = (next(spare).answer, next(spare).answer, about.answer, UNKNOWN)
        found.append(Asked(about.question, about.expected, answers[number % len(answers)]))
    draw.shuffle(found)
    return found


def repeated(data: Path | None, rows: int) -> list[Asked]:
    """Rows of short texts, each of which comes many times; the answers to a reference are three."""
    references = max(1, rows // ROWS_A_REFERENCE)
    held = sorted(_distinct(data, 4 * references), key=lambda pair: len(pair.expected) + len(pair.answer))
    about, spare = held[:references], held[references : 2 * references]
    answers = [(one.answer, other.answer, UNKNOWN) for one, other in zip(about, spare, strict=True)]
    draw = random.Random(SEED)
    chosen = [(number % references, draw.randrange(3)) for number in range(rows)]
    draw.shuffle(chosen)
    return [Asked("", about[at].expected, answers[at][which]) for at, which in chosen]


def texts_of(rows: Sequence[Asked]) -> list[str]:
    """All distinct texts, in the order in which they come first."""
    return list(dict.fromkeys(text for row in rows for text in (row.expected, row.answer)))


def write_pairs(file: Path, rows: Sequence[Asked]) -> None:
    """The rows as Parquet."""
    columns = {name: [getattr(row, name) for row in rows] for name in ("answer", "expected")}
    pq.write_table(pa.table(columns), file, row_group_size=IN_GROUP)


def _distinct(data: Path | None, count: int) -> list[Asked]:
    """Real pairs; made-up sentences where there is no data."""
    if data is not None:
        return distinct(data, count)
    texts = list(islice(dict.fromkeys(sentences(count * 4)), count + 1))
    return [Asked("", f"{one} That is all.", other) for one, other in pairwise(texts)]
