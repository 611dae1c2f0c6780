"""Fit the cutoffs of `means` and `grounded` for a reader: `python models/reader/cards.py --date DAY`.

The reader is the one that the settings name (`SENSECHECK_VERIFIER`). The rows are those of everyday_train,
and of what was written next to it, that no reader learned from: the groups of `means` and of whole answers
that are kept for choices, and the answers of `everyday/for_cards`. The card of `means` comes first, and then
`plain.py`, which fits pairs without a question to it.
"""

import argparse
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, `models` is not on the path

from models.heads.public import ROOT, data_folder, rows_of
from models.reader import written
from models.reader.mix import part
from models.reader.pairs import ANY, Pair

import sensecheck
from sensecheck.calibration.card import Card, DataMark
from sensecheck.calibration.decision import RANGES
from sensecheck.calibration.target import Target
from sensecheck.checks.calibrate import LabelledSample, fit_card, read_each
from sensecheck.checks.thresholds import open_check
from sensecheck.config import Settings, answerers
from sensecheck.core.backends import Backends
from sensecheck.core.sample import Sample
from sensecheck.measures.claims.claims import claims

CARDS = ROOT / "src" / "sensecheck" / "calibration" / "cards"
LICENCE = "Apache-2.0; written and labelled by a large language model, not by people"
PROMISES: Mapping[str, tuple[str, Mapping[str, Any], float, float]] = {
    "means": ("means", {}, 0.1, 0.15),
    "read": ("grounded", {"policy": "default"}, 0.06, 0.15),
    "read-strict": ("grounded", {"policy": "strict"}, 0.03, 0.15),
}
"""By card: the preset whose verdicts it is about, how it is asked, and the largest shares of bad answers that
pass and of good ones that fail."""
SLICED = 40
"""Of so many rows the rates are also counted by themselves; less than a third of them are held out."""


def means_rows(data: Path, *, plain: bool = False) -> Iterator[LabelledSample]:
    """Answers next to expected ones, of groups that nothing learned from; `plain`: without a question."""
    given = rows_of(data, "everyday_train/means.jsonl.gz")
    for row in (
        *unseen("everyday_means", given),
        *unseen("written_means", written.means()),
        *unseen("written_near", written.means(written.NEAR)),
    ):
        for answer in row["answers"] if bool(row["question"]) is not plain else ():
            sample = Sample(answer["text"], question=row["question"] or None, expected=row["expected"])
            yield LabelledSample(sample, answer["label"] == "same", row["group"], {"kind": answer["kind"]})


def whole_answers(data: Path) -> Iterator[written.Row]:
    """Whole answers with their labelled sentences, of groups that nothing was trained on."""
    yield from unseen("everyday_answers", rows_of(data, "everyday_train/answers.jsonl.gz"))
    yield from unseen("written_answers", written.answers())
    yield from unseen("written_longer", written.answers(written.LONGER))
    yield from unseen("written_repeated", written.answers(written.REPEATED))
    yield from written.answers(written.FOR_CARDS)


def answer_rows(data: Path) -> Iterator[LabelledSample]:
    """The same as samples."""
    for row in whole_answers(data):
        sample = Sample.of(row["answer"], question=row["question"], passages=row["passages"])
        yield LabelledSample(sample, row["label"] == "supported", row["group"], {"domain": row["domain"]})


def that_count(rows: Iterable[LabelledSample]) -> list[LabelledSample]:
    """Of each group one answer of each label and length: of more, a fit takes one, after all are read."""
    chosen: dict[object, LabelledSample] = {}
    for row in rows:
        length = next(one for one in RANGES if one.holds(len(claims(row.sample.answer))))
        key = (row.group, row.good, length)
        chosen[key] = min(chosen.get(key, row), row, key=lambda one: _mark(one.sample.answer))
    return list(chosen.values())


def with_common_slices(rows: Sequence[LabelledSample]) -> list[LabelledSample]:
    """The rows, each with those of its slices that hold enough rows for a rate to say something."""
    rows_with = Counter(slice_ for row in rows for slice_ in row.slices.items())
    often = {slice_ for slice_, count in rows_with.items() if count >= SLICED}
    return [replace(row, slices=dict(row.slices.items() & often)) for row in rows]


def _mark(text: str) -> bytes:
    return hashlib.blake2b(text.encode()).digest()


def read_ahead(rows: Sequence[LabelledSample], name: str, *, workers: int) -> None:
    """Read the rows in several processes, which leave what the models say in the cache of the settings."""
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        list(pool.map(_read, [rows[at::workers] for at in range(workers)], [name] * workers))


def _read(rows: Sequence[LabelledSample], name: str) -> None:
    preset, asked, *_ = PROMISES[name]
    for _ in read_each(rows, open_check(preset, asked), answerers(Settings.from_environment())):
        pass


def unseen(source: str, rows: Iterable[written.Row]) -> Iterator[written.Row]:
    """The rows of a set whose group no reader learns from."""
    return (row for row in rows if part(Pair("", "", ANY, source, row["group"])) == "dev")


def fitted(name: str, rows: Sequence[LabelledSample], parts: Backends, *, data: str, date: str) -> Card:
    """The card of this name, or an exit that says what is missing."""
    preset, asked, accepted, rejected = PROMISES[name]
    check = open_check(preset, asked)
    told = json.dumps([[row.sample.answer, row.good] for row in rows]).encode()
    found = fit_card(
        read_each(rows, check, parts),
        check,
        name=name,
        method="exact",
        targets=(Target("false_accepts", accepted, 0.95), Target("false_rejects", rejected, 0.95)),
        data=DataMark(data, hashlib.sha256(told).hexdigest(), len(rows)),
        date=date,
        version=sensecheck.__version__,
        licence=LICENCE,
        skip_unreadable=True,
    )
    if not isinstance(found, Card):
        raise SystemExit(f"the card `{name}` cannot be had: {found}")
    return found


def main() -> None:
    """Fit the cards that the command line names."""
    parser = argparse.ArgumentParser(description="Fit the cutoffs of `means` and `grounded` for a reader.")
    parser.add_argument("--date", required=True, help="the day that the cards will carry: 2026-01-31")
    parser.add_argument("names", nargs="*", default=list(PROMISES), help="means, read, read-strict")
    parser.add_argument("--workers", type=int, default=1, help="processes that read beside each other")
    wanted = parser.parse_args()
    settings = Settings.from_environment()
    if wanted.workers > 1 and settings.cache_address() is None:
        parser.error("`--workers` leave what they read in the cache; SENSECHECK_CACHE is off")
    data, parts = data_folder(nothing="nothing was fitted"), answerers(settings)
    for name in wanted.names:
        if name == "means":
            rows, source = list(means_rows(data)), "everyday_train/means, models/reader/everyday: means, near"
        else:
            rows = that_count(answer_rows(data))
            source = "everyday_train/answers, models/reader/everyday: answers, longer, repeated, for_cards"
        rows = with_common_slices(rows)
        if wanted.workers > 1:
            read_ahead(rows, name, workers=wanted.workers)
        card = fitted(name, rows, parts, data=source, date=wanted.date)
        (CARDS / f"{name}.json").write_text(card.to_json(), encoding="utf-8")
        print(f"{name}: line {card.line:g}, doubt {card.doubt}; {card.promise}\n  held out: {card.rates}")


if __name__ == "__main__":
    main()
