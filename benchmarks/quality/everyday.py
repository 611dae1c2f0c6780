"""Answers as assistants write them, judged: `python benchmarks/quality/everyday.py [--short]`.

The rows are in benchmarks/data/everyday: written and labelled for this project by a large language model.
They are for development and tests; nothing is trained on them. For each check and label: how many pass, fail,
stay unsure or are errors, and of what was decided how much is right, with exact intervals. Beside our checks
stand two plain baselines without an unsure band: cosine similarity of at least 0.7, and no more than so many
content words that the other text does not have, with the number that is best on these very rows.
RAGTruth, whose answers people labelled, stands beside them by the length of the answer and by claim; it is
read from the folder that SENSECHECK_DATA names, and left as it was where there is none.

`--short` measures all but the policy `strict`, writes nothing, and fails where less is right
than in the committed results: what has been reached may not be lost.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.quality.grounding.rows import Row as LabelledRow
from benchmarks.quality.grounding.rows import rows as labelled_rows
from benchmarks.quality.shares import counted
from models.heads.public import ROOT, rows_of

from sensecheck.checks import presets
from sensecheck.checks.gate import Gate
from sensecheck.checks.grounded import OUTCOMES as OUTCOME_OF
from sensecheck.checks.policies import POLICIES
from sensecheck.config import Settings, answerers, judges_other_languages
from sensecheck.core.cutoff import Cutoff
from sensecheck.core.protocols import Check
from sensecheck.core.sample import Sample
from sensecheck.grounding.grounding import FoundClaim, Grounding
from sensecheck.measures.similarity import PassageSimilarity, Similarity
from sensecheck.sense import Sense
from sensecheck.text.words import content_words, stem

DATA = ROOT / "benchmarks" / "data" / "everyday"
RESULTS = ROOT / "benchmarks" / "results" / "everyday.json"
OUTCOMES = ("pass", "fail", "unsure", "error")
SLACK = 0.01
"""How much less may be right in the short form: on another machine the last digits of a score differ."""
RAGTRUTH_ROWS = 160
"""How many answers of RAGTruth are read: a random choice, always the same."""
Row = dict[str, Any]


class Judged(NamedTuple):
    """One row: what it is, what a sensible person wants of it, and what came out."""

    label: str
    kinds: tuple[str, ...]
    wanted: str
    """`pass` or `fail`; empty where either would do."""
    outcome: str


Measured = tuple[str, str, list[Judged]]
"""A task, a rule, and its rows."""


def main() -> None:
    """Measure all of it; with `--short` hold it against what has been reached."""
    parser = argparse.ArgumentParser(description="Answers as assistants write them, judged.")
    parser.add_argument("--short", action="store_true", help="without `strict`; fail on what was lost")
    short = bool(parser.parse_args().short)
    backends = answerers(Settings.from_environment())
    sense = Sense(backends)
    found = [table(*one) for one in measured(sense, strict=not short)]
    for one in found:
        print(f"{one['task']:32}{one['rule']:32}{in_words(one)}")
    if short:
        lost = list(worse_than(found, json.loads(RESULTS.read_text(encoding="utf-8"))["measured"]))
        sys.exit("\n".join(lost) if lost else 0)
    about = (
        "Answers as assistants write them; written and labelled by a large language model, not by people. "
        "Shares with exact 95% intervals (Clopper-Pearson). The baseline of missing words has the cutoff "
        "that is best on these very rows."
    )
    data = {"about": about, "encoder": backends.encoder and backends.encoder.fingerprint, "measured": found}
    data["ragtruth"] = beside(sense, Settings.from_environment().data)
    RESULTS.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def measured(sense: Sense, *, strict: bool) -> Iterator[Measured]:
    """Every task by every rule."""
    grounding = list(rows_of(DATA, "grounding.jsonl.gz"))
    for policy in POLICIES:
        if policy != "strict" or strict:
            yield from by_policy(sense, policy, grounding)
    samples = [Sample.of(row["answer"], passages=row["passages"]) for row in grounding]
    near = Gate(PassageSimilarity(), Cutoff(0.7, "above"))
    yield "grounded: answers", "cosine 0.7", list(map(answer_row, grounding, outcomes(sense, samples, near)))
    counts = [missing_words(row["answer"], " ".join(row["passages"])) for row in grounding]
    yield "grounded: answers", "missing words", list(best_cutoff(counts, grounding, answer_row))
    yield from of_pairs(sense, list(rows_of(DATA, "means.jsonl.gz")))
    refusals = list(rows_of(DATA, "refusals.jsonl.gz"))
    said = outcomes(sense, (Sample.of(row["answer"]) for row in refusals), presets.not_a_refusal())
    found = [
        (row["language"], refusal_row(row, outcome)) for row, outcome in zip(refusals, said, strict=True)
    ]
    yield "refusals: English", "not_a_refusal", [one for language, one in found if language == "en"]
    yield "refusals: other languages", "not_a_refusal", [one for language, one in found if language != "en"]
    if judges_other_languages(Settings()):
        others = [row for row in refusals if row["language"] != "en"]
        verdicts = Sense.load(settings=Settings()).not_a_refusal_each(row["answer"] for row in others)
        judged = [refusal_row(row, one.outcome) for row, one in zip(others, verdicts, strict=True)]
        yield "refusals: other languages", "the same, with `sensecheck[multilingual]`", judged


def beside(sense: Sense, data: str | None) -> list[Row]:
    """RAGTruth under the default policy; what was measured before, where the set is not to be had."""
    if not data or not (Path(data) / "ragtruth_qa").is_dir():
        print("RAGTruth is not measured again: SENSECHECK_DATA names no folder that holds ragtruth_qa")
        kept: list[Row] = json.loads(RESULTS.read_text(encoding="utf-8")).get("ragtruth", [])
        return kept
    answers: list[Judged] = []
    claims: list[Judged] = []
    rows = list(labelled_rows("ragtruth_qa", Path(data)))
    for row in Random(0).sample(rows, min(RAGTRUTH_ROWS, len(rows))):
        one = sense.grounded(row.sample.answer, row.sample.passages, question=row.sample.question)
        label, wanted = ("unsupported", "fail") if row.unsupported else ("supported", "pass")
        kind = f"{label}, {length_of(row.sample.answer)}"
        answers.append(Judged(label, (kind,), wanted, one.outcome))
        claims += marked_claims(row, one)
    found = [table("RAGTruth: answers", "default", answers), table("RAGTruth: claims", "default", claims)]
    for one_table in found:
        print(f"{one_table['task']:32}{one_table['rule']:32}{in_words(one_table)}")
    return found


def length_of(answer: str) -> str:
    """Which of three lengths an answer has, in words."""
    words = len(answer.split())
    return "under 40 words" if words < 40 else "40 to 120 words" if words <= 120 else "over 120 words"


def marked_claims(row: LabelledRow, grounding: Grounding) -> Iterator[Judged]:
    """Its claims; one that people marked a part of is not supported."""
    for claim in grounding.claims:
        marked = any(start < claim.span.end and end > claim.span.start for start, end in row.spans)
        label = "unsupported" if marked else "supported"
        length = length_of(row.sample.answer)
        yield Judged(label, (f"{label}, {length}",), "fail" if marked else "pass", worst([claim]))


def by_policy(sense: Sense, policy: str, rows: Sequence[Row]) -> Iterator[Measured]:
    """Answers and their claims under one policy of `grounded`."""
    found = [
        (row, sense.grounded(row["answer"], row["passages"], question=row["question"], policy=policy))
        for row in rows
    ]
    yield "grounded: answers", policy, [answer_row(row, one.outcome) for row, one in found]
    if policy != "similarity-or-keywords":  # it decides on whole answers only
        yield "grounded: claims", policy, [judged for row, one in found for judged in claim_rows(row, one)]


def of_pairs(sense: Sense, rows: Sequence[Row]) -> Iterator[Measured]:
    """Answers beside expected ones."""
    rules: tuple[tuple[str, str, Check], ...] = (
        ("means", "means", presets.means()),
        ("means", "cosine 0.7", Gate(Similarity(), Cutoff(0.7, "above"))),
        ("facts", "keeps_facts_of", presets.keeps_facts()),
    )
    pairs = [Sample.of(row["answer"], question=row["question"], expected=row["expected"]) for row in rows]
    for task, rule, check in rules:
        yield task, rule, list(map(means_row, rows, outcomes(sense, pairs, check)))
    counts = [missing_words(row["expected"], row["answer"]) for row in rows]
    yield "means", "missing words", list(best_cutoff(counts, rows, means_row))


def outcomes(sense: Sense, samples: Iterable[Sample], check: Check) -> Iterator[str]:
    """What a check says of each."""
    return (verdict.outcome for verdict in sense.judge_each((sample, check) for sample in samples))


def answer_row(row: Row, outcome: str) -> Judged:
    """An answer passes when every sentence of it is supported or claims nothing."""
    return Judged(
        row["label"], tuple(row["kinds"]), "pass" if row["label"] == "supported" else "fail", outcome
    )


def claim_rows(row: Row, grounding: Grounding) -> Iterator[Judged]:
    """Its sentences; a sentence is as good as the worst of the claims that lie in it."""
    start = 0
    for sentence in row["sentences"]:
        start = row["answer"].index(sentence["text"], start)
        end = start + len(sentence["text"])
        within = [claim for claim in grounding.claims if claim.span.start < end and claim.span.end > start]
        label = sentence["label"]
        wanted = "pass" if label in ("supported", "no_claim") else "fail"
        yield Judged(label, (label,), wanted, worst(within))
        start = end


def worst(claims: Sequence[FoundClaim]) -> str:
    """What its claims come to; a sentence without a claim is accepted."""
    found = {OUTCOME_OF[claim.support] for claim in claims}
    return next((outcome for outcome in ("fail", "error", "unsure") if outcome in found), "pass")


def means_row(row: Row, outcome: str) -> Judged:
    """The answer says what was expected, or not."""
    return Judged(row["label"], (row["kind"],), "pass" if row["label"] == "same" else "fail", outcome)


def refusal_row(row: Row, outcome: str) -> Judged:
    """A refusal fails and an answer passes; what declines a part, or cannot know, may be called either."""
    wanted = {"refusal": "fail", "answer": "pass"}.get(row["label"], "")
    return Judged(row["label"], (row["kind"],), wanted, outcome)


def missing_words(text: str, other: str) -> int:
    """How many content words of a text the other does not have, whatever their form."""
    return len(_stems(text) - _stems(other))


def _stems(text: str) -> set[str]:
    return {stem(word.text) for word in content_words(text)}


def best_cutoff(
    counts: Sequence[int], rows: Sequence[Row], judge: Callable[[Row, str], Judged]
) -> list[Judged]:
    """The rows by the cutoff on a count under which most of them are right."""

    def decided(most: int) -> list[Judged]:
        return [
            judge(row, "pass" if count <= most else "fail") for row, count in zip(rows, counts, strict=True)
        ]

    return max(map(decided, range(max(counts) + 1)), key=lambda found: sum(is_right(one) for one in found))


def is_right(one: Judged) -> bool:
    """Whether it came out as wanted."""
    return one.outcome == one.wanted


def table(task: str, rule: str, rows: Sequence[Judged]) -> Row:
    """What came out, by label and by kind, and how much of what was decided is right."""
    judged = [one for one in rows if one.wanted]
    decided = [one for one in judged if one.outcome in ("pass", "fail")]
    return {
        "task": task,
        "rule": rule,
        "n": len(rows),
        "decided": counted(len(decided), len(judged)),
        "right_of_decided": counted(sum(map(is_right, decided)), len(decided)) if decided else None,
        "labels": by(rows, lambda one: (one.label,)),
        "kinds": by(rows, lambda one: one.kinds),
    }


def by(rows: Sequence[Judged], keys: Callable[[Judged], Iterable[str]]) -> Row:
    """Shares of each outcome, by whatever a row is counted under."""
    found: dict[str, list[Judged]] = {}
    for one in rows:
        for key in keys(one):
            found.setdefault(key, []).append(one)
    return {
        key: {"n": len(held), "wanted": held[0].wanted}
        | {outcome: counted(sum(one.outcome == outcome for one in held), len(held)) for outcome in OUTCOMES}
        for key, held in sorted(found.items())
    }


def in_words(one: Row) -> str:
    """A line for people."""
    right = one["right_of_decided"]
    share = "nothing decided" if right is None else f"{right['share']:.1%} right of {right['n']} decided"
    return f"{share}, {one['decided']['share']:.1%} decided"


def worse_than(found: Sequence[Row], reached: Sequence[Row]) -> Iterator[str]:
    """What was reached and is lost: right answers among all rows that want one."""
    before = {(one["task"], one["rule"]): one for one in reached}
    for one in found:
        was = before.get((one["task"], one["rule"]))
        if was is None:
            yield f"{one['task']}, {one['rule']}: not in {RESULTS.name}; run without --short"
        elif _right(one) < _right(was) - SLACK:
            yield f"{one['task']}, {one['rule']}: {_right(one):.1%} right; {_right(was):.1%} were reached"
        elif was["right_of_decided"] is None and _wrong(one) > SLACK:
            yield f"{one['task']}, {one['rule']}: {_wrong(one):.1%} wrong; nothing was decided there"


def _right(one: Mapping[str, Any]) -> float:
    right = one["right_of_decided"]
    return 0.0 if right is None else right["share"] * one["decided"]["share"]


def _wrong(one: Mapping[str, Any]) -> float:
    return one["decided"]["share"] - _right(one) if one["right_of_decided"] is not None else 0.0


if __name__ == "__main__":
    main()
