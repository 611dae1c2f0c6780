"""A place made of files that are written once: tests, sets of questions, runs, events and labels.

`tests/`, `sets/` and `runs/` hold a small JSON file for each, numbered as people name them; `items/` holds
the questions of sets as JSON lines, under their digest. Beside `runs/000001.json` the folder `runs/000001/`
holds what happened to the run, its labels, and its answers, which folders and Parquet files write
differently. Who creates a name first has it: two processes never get one number, on a disk as in an object
store.
"""

import json
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast
from uuid import uuid4

from sensecheck.core.errors import SensecheckError, SpecError, StorageError
from sensecheck.core.run import (
    Item,
    MetricScore,
    PlacedItem,
    QuestionSet,
    Run,
    ScoredAnswer,
    Test,
    digest_of,
    storable,
)
from sensecheck.execution.location import StorageLocation, refusals
from sensecheck.runs.jsonl import json_line
from sensecheck.runs.record import Label, means_of
from sensecheck.runs.scanned_place import ScannedPlace
from sensecheck.runs.stored_values import (
    LabelKey,
    SetDigest,
    changed_label,
    new_labels,
    storable_item,
    validate_labels,
)
from sensecheck.store.columns import now, stored_name

FORMAT = 1
PLACE_FILE = "place.json"
"""Written first: which kind of place it is, and in which format."""
FINISHED_FILE = "finished.json"
Data = dict[str, Any]
DAMAGE = (SensecheckError, OSError, ValueError, KeyError, TypeError)
"""What reading a damaged file raises."""


class FilePlace(ScannedPlace):
    """Files of a folder, or of a prefix in an object store."""

    kind = ""
    """How addresses of such places begin, before the colon."""

    def __init__(self, location: StorageLocation) -> None:
        self.location = location
        self._known: dict[str, Data] = {}
        """Files that were read; none is ever changed."""
        self._require_ours()

    @property
    def address(self) -> str:
        """Where it is, as `--store` takes it."""
        return f"{self.kind}:{self.location.address}"

    @abstractmethod
    def progress(self, key: int) -> tuple[int, int]:
        """How many questions of a run have been reached, and how many of them have an answer."""

    def test(
        self, project: str, name: str, *, embedding: Mapping[str, Any], generation: Mapping[str, Any]
    ) -> Test:
        """The test of this name and configuration, made if there is none yet."""
        project, name = _project_name(project), stored_name(name, "the name of a test")
        configured = {"embedding": dict(embedding), "generation": dict(generation)}
        named = {"project": project, "name": name}
        digest = digest_of([name, *configured.values()])
        new = {"id": str(uuid4()), **named, **configured, "digest": digest}
        return self._test(self._known_or_new("tests", project, digest, lambda: new))

    def keep_set(self, project: str, questions: Iterable[Item]) -> QuestionSet:
        """The set of these questions, stored if it is new."""
        project, set_digest = _project_name(project), SetDigest()
        self._prepare()
        with self.location.scratch() as folder, refusals(self.address):
            path = folder / "items.jsonl"
            with path.open("wb") as file:
                for item in map(storable_item, questions):
                    set_digest.add(item)
                    file.write(json_line(_item_data(item)))
            digest = set_digest.digest

            def new() -> Data:
                items = self.location.keep(path, f"items/{digest[:32]}.jsonl")
                return {"project": project, "digest": digest, "size": set_digest.size, "items": items}

            return self._set(self._known_or_new("sets", project, digest, new))

    def latest_set(self, project: str) -> QuestionSet:
        """The questions that a project was last given."""
        project_name = storable(project)
        for key in reversed(self._numbers("sets")):
            if self._data("sets", key)["project"] == project_name:
                return self._set(key)
        raise SpecError(f"the project `{project}` has no questions yet; name a file of them")

    def projects(self) -> Iterable[str]:
        """The names of all projects, also of those without runs."""
        contents = (self._data(folder, key) for folder in ("sets", "tests") for key in self._numbers(folder))
        return {data["project"] for data in contents}

    def questions(self, chosen: QuestionSet, *, after: int = 0) -> Iterator[PlacedItem]:
        """The questions of a set from a position on, in their order."""
        with self.location.open(self._data("sets", chosen.key)["items"]) as file:
            for position, line in enumerate(file):
                if position >= after:
                    yield PlacedItem(position, position, _item_of(json.loads(line)))

    def begin(
        self, test: Test, chosen: QuestionSet, *, name: str = "", encoder: str, conditions: Mapping[str, Any]
    ) -> Run:
        """A new run, of which no question has been answered."""
        named = {"id": str(uuid4()), "name": stored_name(name, "the name of a run")}
        of = {"test": test.key, "set": chosen.key, "encoder": storable(encoder)}
        data = {**named, **of, "conditions": dict(conditions), "started_at": _moment()}
        return self._run(self._create("runs", data))

    def resumed(self, run: Run) -> None:
        """Record that a run continues."""
        self._create(f"{folder_of(run.key)}/events", {"kind": "resumed", "done": run.done, "at": _moment()})

    def finish(self, run: Run) -> None:
        """Record that a run is complete, and the means of its metrics; only once."""
        done = {"at": _moment(), "means": means_of(run, self.columns(run))}
        self.location.write(f"{folder_of(run.key)}/{FINISHED_FILE}", json_line(done))

    def means(self, run: Run) -> Mapping[str, float]:
        """The mean of each metric by the run's own encoder, as written down when the run was finished."""
        finished = self.location.read(f"{folder_of(run.key)}/{FINISHED_FILE}")
        means: Mapping[str, float] | None = None if finished is None else json.loads(finished).get("means")
        return super().means(run) if means is None else means

    def runs(self, *, project: str | None = None, test: str | None = None) -> list[Run]:
        """All runs, the oldest first."""
        stored = [None if name is None else storable(name) for name in (project, test)]
        return super().runs(project=stored[0], test=stored[1])

    def each_run(self) -> Iterator[tuple[int, Run | str]]:
        """Every run by its number, the oldest first; or why it cannot be read."""
        for key in self._numbers("runs"):
            try:
                yield key, self._run(key)
            except DAMAGE as wrong:
                yield key, damage_in_words(wrong)

    def run_by_key(self, key: int) -> Run:
        """A run as it is now, by its number."""
        if key not in self._numbers("runs"):
            raise SpecError(f"there is no run {key}")
        return self._run(key)

    def version(self, run: Run) -> object:
        """Changes when a run gets more answers."""
        return self.progress(run.key)

    def answered(self, run: Run) -> int:
        """How many questions have an answer."""
        return self.progress(run.key)[1]

    def label(self, run: Run, given: Sequence[Label]) -> int:
        """Store those of these labels that are new, or none where one is wrong; how many were."""
        return self._label_files(run).add(run, given, self.answered_by_name(run), self._scan(run).labels)

    def relabel(self, run: Run, given: Label, *, withdraw: bool = False) -> bool:
        """Replace what this rater said of an answer, or withdraw it; whether anything changed."""
        return self._label_files(run).change(run, given, self.answered_by_name(run), withdraw=withdraw)

    def later_labels(self, run: Run) -> Mapping[LabelKey, float]:
        """Labels that were given after the answers."""
        return self._label_files(run).later_labels()

    def _label_files(self, run: Run) -> "LabelFiles":
        return LabelFiles(self.location, f"{folder_of(run.key)}/labels")

    def _run(self, key: int) -> Run:
        data, test = self._data("runs", key), self._test(self._data("runs", key)["test"])
        finished = self.location.read(f"{folder_of(key)}/{FINISHED_FILE}")
        return Run(
            key,
            data["id"],
            test,
            self._set(data["set"]),
            data["name"],
            data["encoder"],
            data["conditions"],
            datetime.fromisoformat(data["started_at"]),
            None if finished is None else datetime.fromisoformat(json.loads(finished)["at"]),
            self.progress(key)[0],
        )

    def _test(self, key: int) -> Test:
        data = self._data("tests", key)
        named = data["id"], data["project"], data["name"]
        return Test(key, *named, data["embedding"], data["generation"])

    def _set(self, key: int) -> QuestionSet:
        data = self._data("sets", key)
        return QuestionSet(key, data["size"], data["digest"])

    def _numbers(self, folder: str) -> list[int]:
        return numbers_in(self.location, folder)

    def _known_or_new(self, folder: str, project: str, digest: str, new: Callable[[], Data]) -> int:
        """The number of the first file of a project with a digest, written if there is none."""

        def known() -> int | None:
            contents = ((key, self._data(folder, key)) for key in self._numbers(folder))
            same = (key for key, data in contents if (data["project"], data["digest"]) == (project, digest))
            return next(same, None)

        if (key := known()) is None:
            self._create(folder, {**new(), "created_at": _moment()})
            key = cast(int, known())  # who was first, where two made it at once
        return key

    def _create(self, folder: str, data: Data) -> int:
        """Write a file under the next number that nobody has taken."""
        self._prepare()
        number = max(self._numbers(folder), default=0) + 1
        while not self.location.write(f"{folder}/{number:06d}.json", json_line(data)):
            number += 1
        return number

    def _data(self, folder: str, key: int) -> Data:
        name = f"{folder}/{key:06d}.json"
        if name not in self._known:
            self._known[name] = self._read(name)
        return self._known[name]

    def _read(self, name: str) -> Data:
        content = self.location.read(name)
        try:
            return cast(Data, json.loads(content or b""))
        except ValueError as wrong:
            raise StorageError(f"`{name}` in `{self.address}` is missing or damaged; restore it") from wrong

    def _prepare(self) -> None:
        """Say which kind of place it is, before anything is stored."""
        if self.location.read(PLACE_FILE) is None:
            self.location.write(PLACE_FILE, json_line({"kind": self.kind, "format": FORMAT}))

    def _require_ours(self) -> None:
        if self.location.read(PLACE_FILE) is None:
            return
        data = self._read(PLACE_FILE)
        if data.get("kind") != self.kind:
            raise SpecError(
                f"`{self.location.address}` holds runs of another kind; name it `{data.get('kind')}:"
                f"{self.location.address}`"
            )
        if data.get("format") != FORMAT:
            raise SpecError(
                f"`{self.address}` has the format {data.get('format')}; this version of sensecheck reads "
                f"{FORMAT}"
            )


@dataclass(frozen=True, slots=True)
class LabelFiles:
    """The labels of a run in a folder of small files, each written once."""

    location: StorageLocation
    folder: str

    def later_labels(self) -> dict[LabelKey, float]:
        """All that people say now: of what one of them said of an answer, the last."""
        labels: dict[LabelKey, float | None] = {}
        for name in self.location.names(self.folder):
            for line in (self.location.read(name) or b"").splitlines():
                data = json.loads(line)
                labels[data["position"], data["name"], data["rater"]] = data["value"]
        return {key: value for key, value in labels.items() if value is not None}

    def add(
        self,
        run: Run,
        given: Sequence[Label],
        answered: Mapping[str, tuple[int, bool]],
        before: Mapping[LabelKey, float],
    ) -> int:
        """Store those of these labels that are new, or none where one is wrong; how many were."""
        validate_labels(given)
        return self._append(lambda labels: list(new_labels(run, given, answered, {**before, **labels})))

    def change(
        self, run: Run, given: Label, answered: Mapping[str, tuple[int, bool]], *, withdraw: bool
    ) -> bool:
        """Replace what a rater said, or withdraw it; whether anything changed."""

        def changed(labels: Mapping[LabelKey, float]) -> list[tuple[LabelKey, float | None]]:
            replacement = changed_label(run, given, answered, labels, withdraw=withdraw)
            return [] if replacement is None else [replacement]

        return bool(self._append(changed))

    def _append(
        self, choose: Callable[[dict[LabelKey, float]], Sequence[tuple[LabelKey, float | None]]]
    ) -> int:
        """Write what is chosen in view of all that was said; how many labels that is."""
        while True:
            number = max(numbers_in(self.location, self.folder), default=0) + 1
            new = choose(self.later_labels())
            lines = b"".join(
                json_line(
                    {"position": at, "name": name, "rater": rater, "value": value, "given_at": _moment()}
                )
                for (at, name, rater), value in new
            )
            if not new or self.location.write(f"{self.folder}/{number:06d}.jsonl", lines):
                return len(new)  # else others were quicker, and theirs are looked at first


def numbers_in(location: StorageLocation, folder: str) -> list[int]:
    """The numbers that files of a folder are called by."""
    stems = (name.rpartition("/")[2].partition(".")[0] for name in location.names(folder))
    return sorted(int(stem) for stem in stems if stem.isascii() and stem.isdigit())


def damage_in_words(wrong: Exception) -> str:
    """Why a run cannot be read."""
    return str(wrong) if isinstance(wrong, SensecheckError) else f"it is damaged: {wrong!r}"


def folder_of(key: int) -> str:
    """Where the files of a run are."""
    return f"runs/{key:06d}"


def answer_data(position: int, scored: ScoredAnswer) -> Data:
    """An answer as plain data, from which folders leave out what is not there."""
    return {
        "position": position,
        "answer": scored.answer,
        "error": scored.error,
        "passages": None if scored.passages is None else list(scored.passages),
        "latency_ms": scored.latency_ms,
        "cost": scored.cost,
        "labels": dict(scored.labels),
        "id": scored.id,
        "scores": [score._asdict() for score in scored.readings],
    }


def answer_of(data: Data) -> ScoredAnswer:
    """The answer that `answer_data` described."""
    passages = data.get("passages")
    return ScoredAnswer(
        data.get("answer"),
        tuple(MetricScore(**{"value": None, **one}) for one in data.get("scores", ())),
        data.get("error"),
        None if passages is None else tuple(passages),
        data.get("latency_ms"),
        data.get("cost"),
        data.get("labels", {}),
        data.get("id"),
    )


def _moment() -> str:
    return now().isoformat()


def _project_name(name: str) -> str:
    if not name.strip():
        raise SpecError("a project must have a name; got an empty one")
    return stored_name(name, "the name of a project")


def _item_data(item: Item) -> Data:
    texts = {"question": item.question, "expected": item.expected}
    others = {"id": item.id, "passages": list(item.passages), "slices": dict(item.slices)}
    return {
        **{key: text for key, text in texts.items() if text is not None},
        **{key: value for key, value in others.items() if value},
    }


def _item_of(data: Data) -> Item:
    return Item(
        data.get("question"),
        data.get("expected"),
        tuple(data.get("passages", ())),
        data.get("slices", {}),
        data.get("id", ""),
    )
