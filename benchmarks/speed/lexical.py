"""Measure BLEU and ROUGE-L beside sacrebleu and rouge_score: `python benchmarks/speed/lexical.py --full`.

The same pairs, one thread, pair by pair; whoever reads another number is not compared. `--short` for CI.
"""

import argparse
import json
import os
import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from platform import machine, python_version
from typing import Any

import sacrebleu
from rouge_score.rouge_scorer import RougeScorer

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.speed.measured import Goal, Measured, shown
from benchmarks.speed.rounds import paired, race
from models.heads.public import data_folder, rows_of

from sensecheck.core.protocols import Measure
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.lexical import bleu as sentence_bleu
from sensecheck.measures.lexical import content as content_f1
from sensecheck.measures.lexical import rouge as rouge_l
from sensecheck.measures.lexical import squad
from sensecheck.measures.lexical import tokens as mteval
from sensecheck.measures.lexical.content import lexical_scores

RESULTS = Path(__file__).resolve().parents[1] / "results" / "lexical.json"
PACKAGES = ("sensecheck", "sacrebleu", "rouge-score", "rapidfuzz")
SEED = 7
SAME = 1e-9
"""How far two numbers may lie apart."""
Pair = tuple[str, str]
"""An answer, and the expected one."""
Numbers = tuple[float, float, float, float]
"""BLEU; precision, recall and F1 of ROUGE-L."""
QUESTIONS = {"evouna/NQ.jsonl.gz": ("answer", "gold")}
SENTENCES = {f"{name}.jsonl.gz": ("a", "b") for name in ("sick/test", "stsb/dev", "stsb/test")}
PASSAGES = {
    f"{name}.jsonl.gz": ("response", "context")
    for name in ("begin/wow_cmu", "factcheck_gpt/claim_evidence", "squad2_derived/dev", "summedits/all")
}
MEASURES: Sequence[Measure] = (
    sentence_bleu.SentenceBleu(),
    rouge_l.RougeL(of="precision"),
    rouge_l.RougeL(of="recall"),
    rouge_l.RougeL(of="f1"),
)
OURS, NINE = "our measures", "all nine of our numbers"
CALLED, KEPT = "the two packages, called pair by pair", "the two packages, with one reused BLEU object"


@dataclass(frozen=True, slots=True)
class Form:
    """Pairs of some kind, and what is wanted of them."""

    what: str
    pairs: Sequence[Pair]
    goal: Goal | None = None


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description="Measure BLEU and ROUGE-L beside their reference packages.")
    size = parser.add_mutually_exclusive_group(required=True)
    size.add_argument("--short", action="store_true", help="500 pairs; fails on what is clearly broken")
    size.add_argument("--full", action="store_true", help="10,000 pairs; writes results/lexical.json")
    full = bool(parser.parse_args().full)
    found = measure(data_folder(), count=10_000 if full else 500, rounds=5 if full else 3)
    for one in found:
        goal = "" if one.met is None else f"; goal met: {one.met}"
        print(f"{one.about}: {shown(one.ratio)} ({shown(one.low)} to {shown(one.high)}{goal})")
    if full:
        RESULTS.write_text(json.dumps(to_data(found), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    if broken := [one.name for one in found if one.broken]:
        sys.exit(f"clearly broken: {', '.join(broken)}")


def measure(data: Path, *, count: int, rounds: int) -> list[Measured]:
    """Every ratio, for every kind of pair."""
    wanted = Goal(5, "above")
    forms = (
        Form("answers with short references that repeat", answers(data, count), wanted),
        Form("no text occurs twice", strangers(data, QUESTIONS | SENTENCES | PASSAGES, count), wanted),
        Form("short sentences, none of which occurs twice", strangers(data, SENTENCES, count)),
    )
    return [one for form in forms for one in against(form, rounds)]


def answers(data: Path, count: int) -> list[Pair]:
    """Distinct pairs of an answer and the expected one, which several answers share."""
    return list(islice(dict.fromkeys(pairs_of(data, QUESTIONS)), count))


def strangers(data: Path, sets: Mapping[str, Pair], count: int) -> list[Pair]:
    """Pairs of all the sets that share no text: nothing that is remembered of a text helps again."""
    seen: set[str] = set()
    found: list[Pair] = []
    for pair in pairs_of(data, sets):
        if seen.isdisjoint(pair):
            seen.update(pair)
            found.append(pair)
    random.Random(SEED).shuffle(found)
    return found[:count]


def pairs_of(data: Path, sets: Mapping[str, Pair]) -> Iterator[Pair]:
    """The pairs of some sets, in order; a row without one of the texts is left out."""
    for name, (answer, expected) in sets.items():
        for row in rows_of(data, name):
            if row[answer] and row[expected]:
                yield row[answer], row[expected]


def against(form: Form, rounds: int) -> list[Measured]:
    """The two packages by ours, which take turns."""
    readers = {OURS: ours, NINE: nine, CALLED: called, KEPT: kept}
    samples = [Sample(answer, expected=expected) for answer, expected in form.pairs]
    require_agreement(form, {name: reader(samples) for name, reader in readers.items()})
    spent = race({name: partial(reader, samples) for name, reader in readers.items()}, rounds)
    return [
        Measured.of(
            f"{theirs} by {mine}, {form.what}",
            f"CPU time of {theirs}, by {mine}: {form.what}",
            ratios=paired(spent[theirs], spent[mine]),
            goal=form.goal if (theirs, mine) == (CALLED, OURS) else None,
            notes={"pairs": len(samples), "references": len({sample.expected for sample in samples})},
        )
        for theirs, mine in ((CALLED, OURS), (KEPT, OURS), (CALLED, NINE))
    ]


def require_agreement(form: Form, found: Mapping[str, Sequence[Numbers]]) -> None:
    """Stop unless everybody reads the same numbers."""
    for name, numbers in found.items():
        for mine, theirs in zip(found[CALLED], numbers, strict=True):
            if any(abs(a - b) > SAME for a, b in zip(mine, theirs, strict=True)):
                sys.exit(f"{name}: {theirs} where {mine} is wanted, with {form.what}; nothing was written")


def ours(samples: Sequence[Sample]) -> list[Numbers]:
    """Each of our measures read, as a check reads it."""
    forget()
    space = Space()
    bleu, *shares = (measure.read for measure in MEASURES)
    precision, recall, f1 = shares
    return [
        (
            bleu(sample, space).value,
            precision(sample, space).value,
            recall(sample, space).value,
            f1(sample, space).value,
        )
        for sample in samples
    ]


def nine(samples: Sequence[Sample]) -> list[Numbers]:
    """Everything that is lexical, at once."""
    forget()
    scores = (lexical_scores(sample.answer, sample.require_expected()) for sample in samples)
    return [(one.sentence_bleu, one.rouge_l_precision, one.rouge_l_recall, one.rouge_l) for one in scores]


def called(samples: Sequence[Sample]) -> list[Numbers]:
    """As their pages say: a function for BLEU, and one scorer for ROUGE."""
    return _theirs(samples, lambda answer, expected: sacrebleu.sentence_bleu(answer, [expected]).score)


def kept(samples: Sequence[Sample]) -> list[Numbers]:
    """The same, by who knows that the function makes a new object at every call."""
    bleu = sacrebleu.BLEU(effective_order=True)
    return _theirs(samples, lambda answer, expected: bleu.sentence_score(answer, [expected]).score)


def _theirs(samples: Sequence[Sample], bleu: Callable[[str, str], float]) -> list[Numbers]:
    scorer = RougeScorer(["rougeL"], use_stemmer=False)
    found: list[Numbers] = []
    for sample in samples:
        answer, expected = sample.answer, sample.require_expected()
        row = scorer.score(expected, answer)["rougeL"]
        found.append((bleu(answer, expected) / 100, row.precision, row.recall, row.fmeasure))
    return found


def forget() -> None:
    """A pair of an earlier round is a stranger again."""
    for memory in (
        mteval._remembered_mteval,
        sentence_bleu._remembered_bleu,
        rouge_l._remembered_words,
        rouge_l._remembered_shares,
    ):
        memory.cache_clear()
    for words in (squad._remembered, content_f1._remembered_words):
        words.cache_clear()


def to_data(found: Sequence[Measured]) -> dict[str, Any]:
    """What was measured and with what, as plain data."""
    return {
        "about": "Ratios of CPU time on one thread, measured in one run, the contestants taking turns; the "
        "median of the rounds, and the lowest and highest of them. All read the same numbers.",
        "python": python_version(),
        "machine": machine(),
        "cores": os.cpu_count(),
        "packages": {name: version(name) for name in PACKAGES},
        "measured": [one.to_data() for one in found],
    }


if __name__ == "__main__":
    main()
