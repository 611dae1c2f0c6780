"""What a second opinion from a judge changes: `python benchmarks/quality/second_opinion.py [--prompts FILE]`.

Two hundred rows of `everyday`, from the folder that SENSECHECK_DATA names: every answer over passages, and
answers beside expected ones. They are judged by `grounded` and `means` as they ship, and again with
the judge that `--second-opinion` puts behind them, whose recorded replies are replayed: they are committed,
so that a run wants no judge. The rows were written and labelled by a large language model, not by people.

`--prompts FILE` writes what a judge may see of the rows, without a label, and measures nothing.
`--replies FILE` makes the recording of what the judge said of them, from lines
`{"id": "q001", "verdict": "yes", "why": "one sentence"}`; `yes` says that the answer does what is asked.
A prompt that is asked and not recorded ends the run.
"""

import argparse
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.quality.shares import Share, counted
from models.heads.public import ROOT, data_folder, rows_of

from sensecheck.checks import presets
from sensecheck.checks.combine import Cascade
from sensecheck.checks.gate import Gate
from sensecheck.checks.second_opinion import Opinion, SecondOpinion, opinion_in, seconded
from sensecheck.config import Settings, answerers
from sensecheck.core.backends import Backends, Unanswered
from sensecheck.core.needs import Prompt
from sensecheck.core.protocols import Check
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Outcome, Verdict
from sensecheck.judges.cache import prompt_key
from sensecheck.judges.recording import Recorded
from sensecheck.sense import Sense

RECORDING = ROOT / "benchmarks" / "data" / "second_opinion.jsonl"
RESULTS = ROOT / "benchmarks" / "results" / "second_opinion.json"
JUDGE = "a large language model, written for this benchmark"
SEED = 7
ROWS = 200
TASKS: Mapping[str, Callable[[], Check]] = {"means": presets.means, "grounded": presets.grounded}
GOOD = ("same", "supported")
"""The labels of rows that ought to pass."""
VERDICTS: Mapping[str, Outcome] = {"yes": "pass", "no": "fail"}
"""What a judge writes, and what becomes of it."""


@dataclass(frozen=True, slots=True)
class Row:
    """An answer, by which question it is judged, and what a sensible person wants of it."""

    id: str
    """Says nothing of where it comes from."""
    task: str
    sample: Sample
    wanted: Outcome

    @property
    def prompt(self) -> Prompt:
        """What the judge is asked where the check is unsure."""
        _, opinion = asked_by(self.task)
        (prompt,) = opinion.needs(self.sample).prompts
        return prompt


class Replayed(Recorded):
    """Recorded replies; what is not recorded is no error of a row but the end of the run."""

    def ask(self, prompts: Sequence[Prompt]) -> list[str | Unanswered]:
        """One reply a prompt, in order."""
        replies = super().ask(prompts)
        missing = sum(isinstance(reply, Unanswered) for reply in replies)
        if missing:
            sys.exit(
                f"{missing} of {len(prompts)} prompts are not in the recording: nothing was measured. "
                "The rows or the questions have changed: write `--prompts`, have them judged, "
                "and record them with `--replies`"
            )
        return replies


def main() -> None:
    """Write the prompts, record the replies, or measure."""
    parser = argparse.ArgumentParser(description="What a second opinion from a judge changes.")
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument("--prompts", type=Path, help="write the rows as a judge sees them, and nothing else")
    modes.add_argument("--replies", type=Path, help="record what a judge said of these rows")
    parser.add_argument("--recording", type=Path, default=RECORDING, help="the recorded replies")
    parser.add_argument("--out", type=Path, default=RESULTS, help="where the results go")
    given = parser.parse_args()
    rows = chosen(folder())
    if given.prompts is not None:
        write_lines(given.prompts, map(shown, rows))
    elif given.replies is not None:
        write_lines(given.recording, recorded(rows, replies_in(given.replies)))
    else:
        found = measured(rows, given.recording)
        given.out.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def folder() -> Path:
    """Where the rows lie; without them, the end."""
    held = data_folder() / "everyday"
    if not held.is_dir():
        sys.exit("SENSECHECK_DATA names no folder that holds everyday: nothing was measured")
    return held


def chosen(data: Path) -> list[Row]:
    """The same rows every time, in an order that tells nothing of their labels."""
    grounding = [("grounded", row) for row in rows_of(data, "grounding.jsonl.gz")]
    pairs = spread(list(rows_of(data, "means.jsonl.gz")), ROWS - len(grounding))
    found = sorted([*grounding, *(("means", row) for row in pairs)], key=lambda one: _place(one[1]))
    if len(found) != ROWS:
        sys.exit(f"`{data}` holds {len(found)} rows to judge; wanted {ROWS}: nothing was measured")
    return [_row(f"q{at:03}", task, row) for at, (task, row) in enumerate(found, 1)]


def spread(rows: Sequence[Mapping[str, Any]], count: int) -> list[Mapping[str, Any]]:
    """So many rows, one of each group before a second one of any; a digest of the id says which."""
    taken: Counter[str] = Counter()
    turns: list[tuple[int, Mapping[str, Any]]] = []
    for row in sorted(rows, key=_place):
        turns.append((taken[row["group"]], row))
        taken[row["group"]] += 1
    return [row for _, row in sorted(turns, key=lambda one: one[0])[:count]]


def shown(row: Row) -> dict[str, Any]:
    """What a judge may know of a row."""
    _, opinion = asked_by(row.task)
    sample = row.sample
    beside: dict[str, Any] = (
        {"passages": list(sample.passages)}
        if "passages" in opinion.reads
        else {"expected": sample.require_expected()}
    )
    return {
        "id": row.id,
        "task": row.task,
        "question": sample.question,
        **beside,
        "answer": sample.answer,
        "rubric": opinion.rubric,
    }


def replies_in(path: Path) -> Iterator[tuple[str, Outcome, str]]:
    """Each row's id, what the judge decided, and why; a line of another form is the end."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            said = json.loads(line)
            yield said["id"], VERDICTS[said["verdict"]], " ".join(said["why"].split())
        except (ValueError, KeyError, TypeError, AttributeError):
            sys.exit(f'line {number} of `{path}` is not {{"id": ID, "verdict": "yes" or "no", "why": TEXT}}')


def recorded(rows: Sequence[Row], replies: Iterable[tuple[str, Outcome, str]]) -> list[dict[str, str]]:
    """The lines of a recording: one reply for each row, in the form that the prompt asks for."""
    said = list(replies)
    times = Counter(name for name, _, _ in said)
    known = {row.id for row in rows}
    for wrong, names in (
        ("are missing", known - times.keys()),
        ("are not among the rows", times.keys() - known),
        ("stand there more than once", {name for name, count in times.items() if count > 1}),
    ):
        if names:
            sys.exit(f"nothing was recorded: {len(names)} replies {wrong}: {', '.join(sorted(names))}")
    outcomes = {name: outcome for name, outcome, _ in said}
    texts = {name: _reply(outcome, why) for name, outcome, why in said}
    lines = [{"prompt": prompt_key(row.prompt).hex(), "reply": texts[row.id], "judge": JUDGE} for row in rows]
    judge = Replayed({line["prompt"]: line["reply"] for line in lines}, JUDGE, "replies")
    heard = Sense(Backends(judge=judge)).judge_each((row.sample, asked_by(row.task)[0]) for row in rows)
    other = [row.id for row, verdict in zip(rows, heard, strict=True) if verdict.outcome != outcomes[row.id]]
    if other:
        sys.exit(f"nothing was recorded: replies that would be read otherwise: {', '.join(other)}")
    return lines


def asked_by(task: str) -> tuple[Gate, Opinion]:
    """What stands behind the check of a task: a gate, and the question to the judge in it."""
    match seconded(TASKS[task]()):
        case SecondOpinion(cascade=Cascade(checks=(_, Gate(measure=Opinion() as opinion) as gate))):
            return gate, opinion
    raise TypeError(f"no second opinion stands behind `{task}`")


def measured(rows: Sequence[Row], recording: Path) -> dict[str, Any]:
    """Both ways of deciding, for each task; what comes out is told as it goes."""
    if not recording.is_file():
        sys.exit(f"`{recording}` is not there, which `--replies` writes: nothing was measured")
    judge = Replayed.from_file(recording)
    backends = replace(answerers(Settings.from_environment()), judge=judge)
    found = [told for task in TASKS for told in both_ways(task, rows, Sense(backends))]
    for told in found:
        print(in_words(told))
    return {
        "about": ABOUT,
        "encoder": backends.encoder and backends.encoder.fingerprint,
        "reader": backends.pairs and backends.pairs.fingerprint,
        "judge": judge.fingerprint,
        "seed": SEED,
        "rows": len(rows),
        "measured": found,
    }


def both_ways(task: str, rows: Sequence[Row], sense: Sense) -> Iterator[dict[str, Any]]:
    """The rows of a task by its check alone, and with the judge behind it."""
    own = [row for row in rows if row.task == task]
    check = TASKS[task]()
    for way, decides in (("alone", check), ("second opinion", seconded(check))):
        verdicts = list(sense.judge_each((row.sample, decides) for row in own))
        judged = list(zip(own, verdicts, strict=True))
        decided = [_is_right(*one) for one in judged if one[1].outcome in ("pass", "fail")]
        yield {
            "task": task,
            "way": way,
            "rows": len(own),
            "decided": counted(len(decided), len(own)),
            "right_of_decided": _share(decided),
            "judge": None if way == "alone" else became(judged),
        }


def became(judged: Iterable[tuple[Row, Verdict]]) -> dict[str, Any]:
    """Of how many rows the judge was asked, and what became of them, which were all unsure."""
    asked = [one for one in judged if opinion_in(one[1]) is not None]
    by_outcome = {
        outcome: [_is_right(*one) for one in asked if one[1].outcome == outcome]
        for outcome in VERDICTS.values()
    }
    return {
        "asked": len(asked),
        **{f"to_{name}": {"n": len(rights), "right": sum(rights)} for name, rights in by_outcome.items()},
        "right_of_changed": _share([right for rights in by_outcome.values() for right in rights]),
        "errors": sum(verdict.outcome == "error" for _, verdict in asked),
    }


def in_words(told: Mapping[str, Any]) -> str:
    """A line for people."""
    right, judge = told["right_of_decided"], told["judge"]
    share = "nothing decided" if right is None else f"{right['share']:.1%} right of {right['n']} decided"
    line = f"{told['task']:12}{told['way']:18}{share}, {told['decided']['share']:.1%} decided"
    if judge is None:
        return line
    moved = "; ".join(
        f"{judge[f'to_{name}']['n']} to {name}, {judge[f'to_{name}']['right']} of them right"
        for name in VERDICTS.values()
    )
    return f"{line}; asked {judge['asked']} times: {moved}; {judge['errors']} errors"


def write_lines(path: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    """One JSON object a line; nothing is written until all of them are there."""
    text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
    path.write_text(text, encoding="utf-8")
    print(f"written: {path}, {text.count(chr(10))} lines")


def _row(name: str, task: str, row: Mapping[str, Any]) -> Row:
    held = {key: row[key] for key in ("question", "expected", "passages") if key in row}
    return Row(name, task, Sample.of(row["answer"], **held), "pass" if row["label"] in GOOD else "fail")


def _place(row: Mapping[str, Any]) -> bytes:
    return hashlib.blake2b(f"{SEED}:{row['id']}".encode(), digest_size=16).digest()


def _reply(outcome: Outcome, why: str) -> str:
    return json.dumps({"reasoning": why, "verdict": outcome.upper()}, ensure_ascii=False)


def _is_right(row: Row, verdict: Verdict) -> bool:
    return verdict.outcome == row.wanted


def _share(rights: Sequence[bool]) -> Share | None:
    return counted(sum(rights), len(rights)) if rights else None


ABOUT = (
    "Answers of the development half of `everyday`, judged by the checks as they ship, alone and with a "
    "judge that is asked where they are unsure. The rows were written and labelled by a large language "
    "model, and the judge's replies were written by one for this benchmark, without sight of the labels; no "
    "person has labelled anything. Shares have exact 95% intervals (Clopper-Pearson). `to_pass` and "
    "`to_fail` count verdicts that were unsure and that the judge decided; `errors` those that its reply "
    "left open."
)


if __name__ == "__main__":
    main()
