"""Queries guarded many at once, and what came of them as text, JSON lines or blocks for prompts.

A query that cannot be judged does not hold up the others.
"""

import json
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from rich.text import Text

from sensecheck.cli.console import COLOURS, Paper, quoted, safe, write_line
from sensecheck.cli.progress import bar
from sensecheck.core.backends import Answerers, Encoder
from sensecheck.core.errors import CannotJudge, SpecError, StaleCutoff
from sensecheck.datasets.streams import count_lines
from sensecheck.encoders.memory import remembering
from sensecheck.io.atomic import whole_file
from sensecheck.retrieval.chain import Chain
from sensecheck.retrieval.dataset import RetrievalRow
from sensecheck.retrieval.match import Match, NotSelected, Origins, Retrieved
from sensecheck.retrieval.matching import matched_each
from sensecheck.retrieval.prompt import Format
from sensecheck.retrieval.selection import Selection, Spent

AT_ONCE = 64
"""Few enough for a bar that moves, and for memory to stay flat."""
REMEMBERED = 8192
_LABEL_WIDTH = 19
_MARKS = {
    "+": COLOURS["pass"],
    "-": COLOURS["fail"],
    "?": COLOURS["error"],
    "~": COLOURS["unsure"],
}
"""How a line about a match begins, and its colour; the mark itself is always there."""
Write = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class GuardedQuery:
    """A row, and what came of it: a selection, or why there is none."""

    row: RetrievalRow
    found: Selection | CannotJudge

    @property
    def named(self) -> dict[str, Any]:
        """The row's id, if it has one, and what stands under keys of the user's own."""
        return {**({} if self.row.id is None else {"id": self.row.id}), **self.row.own}

    def to_data(self) -> dict[str, Any]:
        """The selection as data, or the error in its place."""
        if not isinstance(self.found, Selection):
            return {**self.named, "query": self.row.query, "error": str(self.found)}
        data = self.found.to_data()
        self._give_back(self.found, data)
        return {**self.named, **data}

    def _give_back(self, found: Selection, data: dict[str, Any]) -> None:
        """Put what the user said of each reference beside its data."""
        said: Sequence[Mapping[str, Any]] = self.row.owned or ({},) * len(self.row.matches)
        whose = Origins(self.row.matches, said)
        for match, entry in _entries(found, data):
            entry.update(whose.of(match))
        for entry in data.get("unread", ()):
            entry.update(said[entry["place"]])


def guard_each(rows: Iterable[RetrievalRow], chain: Chain, encoder: Encoder) -> Iterator[GuardedQuery]:
    """What the chain leaves of each row, in order."""
    answerers = Answerers(remembering(encoder, REMEMBERED))
    waiting: deque[RetrievalRow] = deque()

    def retrieved() -> Iterator[Retrieved | NotSelected]:
        stream = iter(rows)
        while some := list(islice(stream, AT_ONCE)):
            waiting.extend(some)
            yield from _retrieved(some, answerers)

    for found in chain.each(retrieved(), answerers, at_once=AT_ONCE):
        row = waiting.popleft()
        yield GuardedQuery(row, _advised(row, found.error) if isinstance(found, NotSelected) else found)


@dataclass(slots=True)
class GuardTally:
    """Counts as queries come."""

    stages: Sequence[str]
    """The names of the chain's stages, in its order."""
    selections: int = 0
    errors: int = 0
    first_error: str = ""
    not_judged: int = 0
    """References of queries that have no selection."""
    kept: int = 0
    unread: int = 0
    """References whose closeness could not be measured."""
    cut: int = 0
    empty: int = 0
    """Queries that are left with nothing."""
    dropped: Counter[str] = field(default_factory=Counter)
    used: Counter[tuple[int, Spent]] = field(default_factory=Counter)
    """What all queries used together, by the budget's place among those of the chain, and itself unspent."""

    @property
    def queries(self) -> int:
        """All of them."""
        return self.selections + self.errors

    def count(self, guarded: GuardedQuery) -> None:
        """One more query."""
        found = guarded.found
        if isinstance(found, CannotJudge):
            self.first_error = self.first_error or f"{guarded.row.where}: {found}"
            self.errors += 1
            self.not_judged += len(guarded.row.matches)
            return
        self.selections += 1
        self.kept += len(found.kept)
        self.unread += len(found.unread)
        self.cut += len(found.cut)
        self.empty += not found.kept
        self.dropped.update(gone.stage for gone in found.dropped)
        for place, one in enumerate(found.spent):  # two stages of one name and size are still two
            self.used[place, replace(one, used=0)] += one.used


def guard_progress(found: Iterable[GuardedQuery], path: str, *, hidden: bool) -> Iterator[GuardedQuery]:
    """The same, with a bar on standard error while they come, if that is a terminal."""
    with bar(hidden=hidden) as progress:
        task = progress.add_task("guarding", total=count_lines(path))
        for guarded in found:
            yield guarded
            progress.advance(task)


@contextmanager
def writing(path: Path | None) -> Iterator[Write]:
    """What writes a line; a file is there in whole at the end, or not at all."""
    if path is None:
        yield write_line
        return
    if str(path) == "-":
        raise SpecError("`-o` wants a file; without it, standard output is written to")
    with whole_file(path, errors="backslashreplace") as file:
        yield lambda line: print(line, file=file)


def write_guarded(guarded: GuardedQuery, block: Format | None, write: Write, *, as_json: bool) -> None:
    """One query: as data, or as the block that goes into its prompt.

    A bare block that cannot be had is raised: an empty file would say that nothing was kept.
    """
    if block is None:
        write(_json(guarded.to_data()))
    elif isinstance(guarded.found, Selection):
        text = block(guarded.found.kept)
        if as_json:
            write(_json({**guarded.named, "query": guarded.row.query, "prompt": text}))
        elif text:
            write(f"{text}\n")
    elif as_json:
        write(_json(guarded.to_data()))
    else:
        raise CannotJudge(f"{guarded.row.where}: {guarded.found}") from guarded.found


def show_guarded(paper: Paper, guarded: GuardedQuery) -> None:
    """The query, what came of it line by line, and a gap."""
    named = "" if guarded.row.id is None else f"{safe(str(guarded.row.id))}: "
    paper.say((quoted(guarded.row.query), "bold"), label=(named, "bold"))
    if isinstance(guarded.found, Selection):
        for line in guarded.found.explain().split("\n"):
            _show_line(paper, line)
    else:
        paper.say(safe(str(guarded.found)), label=("error: ", COLOURS["error"]), indent=2)
    paper.say("")


def show_tally(paper: Paper, tally: GuardTally) -> None:
    """A line for each thing that can be counted."""
    for label, text in _lines(tally):
        paper.say(text, label=(f"{label:<{_LABEL_WIDTH}}", "bold"))


def _retrieved(rows: Sequence[RetrievalRow], answerers: Answerers) -> list[Retrieved | NotSelected]:
    """All of them with their closeness; where a row brought none, the encoder measures it."""
    bare = [(row.query, [match.text for match in row.matches]) for row in rows if not row.measured]
    measured = matched_each(bare, answerers.encoder)
    return [
        Retrieved(row.query, row.matches) if row.measured else _joined(row.matches, next(measured))
        for row in rows
    ]


def _joined(given: Sequence[Match], measured: Retrieved | NotSelected) -> Retrieved | NotSelected:
    """What was measured of each reference, beside what else is known of it."""
    if isinstance(measured, NotSelected):
        return measured
    unread = {one.place for one in measured.unread}
    known = (one for place, one in enumerate(given) if place not in unread)
    matches = tuple(
        replace(
            one,
            source=reference.source,
            metadata=reference.metadata,
            reference_score=reference.reference_score,
            id=reference.id,
        )
        for reference, one in zip(known, measured.matches, strict=True)
    )
    return replace(measured, matches=matches)


def _advised(row: RetrievalRow, error: CannotJudge) -> CannotJudge:
    """The error; where the line is that of an encoder, and references name none, with what to do."""
    unsaid = row.measured and any(match.encoder is None for match in row.matches)
    if not (unsaid and isinstance(error, StaleCutoff)):
        return error
    return StaleCutoff(
        f"{error}; put `encoder` on the references, or leave `closeness` out and it is measured"
    )


def _entries(found: Selection, data: dict[str, Any]) -> Iterator[tuple[Match, dict[str, Any]]]:
    """Each match of a selection, and its data."""
    yield from zip(found.kept, data["kept"], strict=True)
    for gone, entry in zip(found.dropped, data["dropped"], strict=True):
        yield gone.match, entry
        if gone.twin is not None:
            yield gone.twin, entry["twin"]
    for cut, entry in zip(found.cut, data["cut"], strict=True):
        yield cut.match, entry["from"]
        yield cut.kept, entry["to"]


def _lines(tally: GuardTally) -> Iterator[tuple[str, Text]]:
    errors = Text(f", {tally.errors:,} error{'s' * (tally.errors > 1)}", COLOURS["error"])
    yield "queries", Text(f"{tally.queries:,}") + (errors if tally.errors else Text())
    if tally.errors:
        yield "first error", Text(safe(tally.first_error))
    came = tally.kept + tally.unread + tally.dropped.total() + tally.not_judged
    yield "references", Text(f"{came:,} in, {tally.kept:,} kept")
    if tally.not_judged:
        yield "not judged", Text(f"{tally.not_judged:,}, of queries with an error", COLOURS["error"])
    if tally.unread:
        yield "cannot be read", Text(f"{tally.unread:,}", COLOURS["error"])
    by_stage = [f"{name} {tally.dropped[name]:,}" for name in dict.fromkeys(tally.stages)]
    yield "dropped by", Text(", ".join(by_stage) or "nobody: no guard is set")
    if tally.cut:
        yield "cut short", Text(f"{tally.cut:,}")
    for (_, one), used in tally.used.items():
        mean = used / tally.selections
        spent = f"{one.stage}: {mean:,.1f} of {one.budget:,} {one.unit} a query"
        yield "budget used", Text(f"{spent} ({100 * mean / one.budget:.1f}%)")
    yield "left with nothing", Text(f"{tally.empty:,} of {tally.selections:,}")


def _show_line(paper: Paper, line: str) -> None:
    text = line.lstrip(" ")
    indent, mark = len(line) - len(text), text[:1]
    if mark in _MARKS and text[1:2] == " ":
        paper.say(safe(text[2:]), label=Text(f"{mark} ", _MARKS[mark]), indent=indent)
    else:
        paper.say(safe(text), indent=indent)


def _json(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, allow_nan=False)
