"""Does a card keep its promise for verdicts? `python benchmarks/quality/verdict_promise.py [--splits N]`.

Cards are fitted on one half of RAGTruth's questions, and their verdicts counted on the other half.
"""

import argparse
import hashlib
import json
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import comb, floor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.quality.grounding.rows import Row, rows
from benchmarks.quality.shares import share
from models.heads.public import ROOT, data_folder

from sensecheck.calibration.card import Card, DataMark
from sensecheck.calibration.decision import RANGES, ClaimsRange, within
from sensecheck.calibration.fit import fit
from sensecheck.calibration.placement import allowed, promise_result
from sensecheck.calibration.split import Labelled
from sensecheck.calibration.target import Target
from sensecheck.checks.assess import assess
from sensecheck.checks.decision import OpenCheck
from sensecheck.checks.thresholds import open_check
from sensecheck.config import Settings, answerers, verifier
from sensecheck.core.cutoff import Cutoff, Side
from sensecheck.core.registry import measure_to_data
from sensecheck.core.verdict import Verdict

RESULTS = ROOT / "benchmarks" / "results" / "verdict_promise.json"
FOLDER = ROOT / ".cache" / "benchmarks" / "verdict_promise"
SET, SPLITS, SEED = "ragtruth_qa", 200, 5
SHARE = 0.2
"""What is promised: of half of the set, the lengths that matter have labels enough for that."""
PROMISES: Mapping[str, tuple[Target, ...]] = {
    "fpr": (Target("false_accepts", SHARE, 0.95),),
    "fnr": (Target("false_rejects", SHARE, 0.95),),
    "both": (Target("false_accepts", SHARE, 0.95), Target("false_rejects", SHARE, 0.95)),
}
ANY = ClaimsRange(0, None)
_READS = ("measures", "checks/grounded.py")
"""What the verdicts are made by, besides the model."""


@dataclass(slots=True)
class Tally:
    """One promise for answers of so many claims, over many splits."""

    above: int = 0
    """Splits in whose other half the errors are more than was promised."""
    contradicted: int = 0
    """Splits whose other half says with 95% confidence that the promise does not hold."""
    by_chance: list[float] = field(default_factory=list)
    """How likely the first is for a line that keeps its promise, as its half is only a sample too."""
    rates: list[float] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)

    def add(self, target: Target, sides: Sequence[Side], fitted: int) -> None:
        """Count one split."""
        wrong = "pass" if target.errors == "false_accepts" else "fail"
        errors = sides.count(wrong)
        self.above += errors > SHARE * len(sides)
        self.contradicted += promise_result(target, sides).outcome == "broken"
        self.by_chance.append(chance_above(target, fitted, len(sides)))
        self.rates.append(errors / len(sides))
        self.rows.append(len(sides))

    def to_data(self) -> dict[str, Any]:
        """The figures of all splits."""
        splits = len(self.rates)
        return {
            "splits": splits,
            "answers": round(sum(self.rows) / splits, 1),
            "errors": round(sum(self.rates) / splits, 4),
            "above": share(self.above, splits),
            "by_chance": round(sum(self.by_chance) / splits, 4),
            "contradicted": share(self.contradicted, splits),
        }


def main() -> None:
    """Read the set once, then split it again and again."""
    parser = argparse.ArgumentParser(description="Does a card keep its promise for the verdicts of a check?")
    parser.add_argument("--splits", type=int, default=SPLITS)
    parser.add_argument("--policy", action="append", help="a policy to measure; default unless given")
    given = parser.parse_args()
    asked = rows(SET, data_folder())
    measured: list[dict[str, Any]] = []
    for policy in given.policy or ["default"]:
        check = open_check("grounded", {"policy": policy})
        labelled = read(asked, check, policy)
        for way, fitting in WAYS.items():
            measured += measure(labelled, check, policy=policy, way=way, fitting=fitting, splits=given.splits)
    data = to_data(measured, asked, given.splits)
    print(json.dumps(data, indent=1))
    if given.splits == SPLITS:
        RESULTS.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n")
    if missed := [said for row in measured for said in missed_goals(row)]:
        sys.exit("\n".join(missed))


def read(asked: Sequence[Row], check: OpenCheck, policy: str) -> list[Labelled]:
    """Every row as its verdict decides it under any line; verdicts are kept on disk."""
    path = FOLDER / f"{policy}-{_digest(asked, check)}.jsonl"
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        arriving = path.with_suffix(".arriving")
        verdicts = assess(((row.sample, check.reader) for row in asked), answerers(Settings()), batch_size=32)
        with arriving.open("w", encoding="utf-8") as file:
            file.writelines(f"{check.decided(verdict).verdict.to_json()}\n" for verdict in verdicts)
        arriving.replace(path)
    return list(_labelled(asked, map(Verdict.from_json, path.read_text().splitlines()), check))


def _labelled(asked: Iterable[Row], verdicts: Iterable[Verdict], check: OpenCheck) -> Iterator[Labelled]:
    for row, verdict in zip(asked, verdicts, strict=True):
        part = check.read(verdict)
        if verdict.outcome != "error" and part is not None and part.reading is not None:
            value = part.reading.value
            yield Labelled(value, not row.unsupported, row.group, {}, check.decided(verdict))


def _digest(asked: Sequence[Row], check: OpenCheck) -> str:
    told = hashlib.sha256(json.dumps([repr(row) for row in asked]).encode())
    reader = verifier(Settings())
    who = [Settings().encoder, reader and reader.fingerprint]
    told.update(json.dumps([check.decision.check, who], sort_keys=True).encode())
    for name in _READS:
        place = ROOT / "src" / "sensecheck" / name
        for file in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if file.suffix in (".py", ".txt", ".json"):
                told.update(file.read_bytes())
    return told.hexdigest()[:12]


Fitting = Callable[[Sequence[Labelled], OpenCheck, tuple[Target, ...], int], Card | None]


def by_verdicts(fitted: Sequence[Labelled], check: OpenCheck, targets: Any, seed: int) -> Card | None:
    """As `calibrate --preset grounded` fits: on verdicts, by the number of claims."""
    return _fit(fitted, check, targets, seed, decides=check.decision)


def by_reading(fitted: Sequence[Labelled], check: OpenCheck, targets: Any, seed: int) -> Card | None:
    """As was done before: on the reading alone, one line for answers of any length."""
    return _fit([replace(row, decided=None) for row in fitted], check, targets, seed)


WAYS: Mapping[str, Fitting] = {"verdicts": by_verdicts, "reading": by_reading}


def _fit(fitted: Sequence[Labelled], check: OpenCheck, targets: Any, seed: int, **more: Any) -> Card | None:
    found = fit(
        fitted,
        name="half",
        measure=measure_to_data(check.measure),
        encoder=None,
        good=check.good,
        method="exact",
        targets=targets,
        data=DataMark(SET, "0" * 64, len(fitted), group="question"),
        date="2026-01-31",
        version="0.1.0",
        share_held_out=0.0,
        seed=seed,
        **more,
    )
    return found if isinstance(found, Card) else None


def measure(
    labelled: Sequence[Labelled], check: OpenCheck, *, policy: str, way: str, fitting: Fitting, splits: int
) -> Iterator[dict[str, Any]]:
    """Every promise over all splits by question, for each number of claims that one is made for."""
    for promise, targets in PROMISES.items():
        if (way, promise) == ("reading", "both"):
            continue  # its lines are those of each promise alone
        tallies: defaultdict[tuple[Target, ClaimsRange], Tally] = defaultdict(Tally)
        refused = 0
        for seed, (mine, others) in enumerate(halves(labelled, splits)):
            card = fitting(mine, check, targets, seed)
            if card is None:
                refused += 1
                continue
            for target, scope, sides, fitted in held(card, mine, others, seed):
                tallies[target, scope].add(target, sides, fitted)
        for (target, scope), tally in sorted(tallies.items(), key=lambda item: _order(*item[0])):
            yield {
                "policy": policy,
                "way": way,
                "promise": promise,
                "target": target.to_data(),
                "claims": scope.describe(),
                "no_card": refused,
                **tally.to_data(),
            }


def halves(labelled: Sequence[Labelled], splits: int) -> Iterator[tuple[list[Labelled], list[Labelled]]]:
    """Half of the questions with all their answers, and the other half; again and again."""
    groups = sorted({str(row.group) for row in labelled})
    for seed in range(splits):
        chosen = set(random.Random(f"{SEED} {seed}").sample(groups, len(groups) // 2))
        yield (
            [row for row in labelled if row.group in chosen],
            [row for row in labelled if row.group not in chosen],
        )


def held(
    card: Card, mine: Sequence[Labelled], others: Sequence[Labelled], seed: int
) -> Iterator[tuple[Target, ClaimsRange, list[Side], int]]:
    """By promise and number of claims: the verdicts on the other half, and how many rows were fitted on."""
    cutoff = card.cutoff()
    scopes = (
        dict.fromkeys(one.scope for one in card.claims if one.promised) if card.claims else (*RANGES, ANY)
    )
    for target in card.targets:
        label = target.errors == "false_rejects"
        for scope in scopes:
            rows_ = [row for row in within(others, scope, seed=seed) if row.good is label]
            fitted = [row for row in within(mine, scope, seed=seed) if row.good is label]
            sides = [_side(row, cutoff) for row in rows_]
            if sides and fitted:
                yield target, scope, sides, len(fitted)


_DECIDED: dict[tuple[int, float, tuple[float, float] | None], Side] = {}


def _side(row: Labelled, cutoff: Cutoff) -> Side:
    """The verdict under a line; the same one is met in many splits."""
    line = cutoff.for_claims(row.claims or 0)
    key = (id(row), line.value, line.doubt)
    if key not in _DECIDED:
        _DECIDED[key] = row.side(Cutoff(line.value, line.good, line.doubt))
    return _DECIDED[key]


def chance_above(target: Target, fitted: int, others: int) -> float:
    """How likely the other half errs above the target, where a line just keeps it on its own half.

    All rows of the label rank anywhere: of the first ones, at most `most` are then of the fitted half.
    """
    most = allowed("exact", target, fitted)
    if most is None:
        return 0.0
    first, every = most + floor(target.at_most * others + 1e-9) + 1, fitted + others
    ways = sum(comb(fitted, own) * comb(others, first - own) for own in range(min(most, first) + 1))
    return ways / comb(every, first) if first <= every else 0.0


def missed_goals(row: Mapping[str, Any]) -> Iterator[str]:
    """What a card that speaks of verdicts should show and does not."""
    if row["way"] != "verdicts":
        return
    name = f"{row['policy']}, {row['promise']}, {row['claims']}"
    if row["contradicted"]["low"] > 0.05:
        yield f"{name}: contradicted in {row['contradicted']['share']:.1%} of splits; wanted at most 5%"
    if row["above"]["low"] > row["by_chance"] + 0.02:
        chance = f"chance alone explains {row['by_chance']:.1%}"
        yield f"{name}: above in {row['above']['share']:.1%} of splits; {chance}"


def _order(target: Target, scope: ClaimsRange) -> tuple[str, int, int]:
    return target.errors, scope.least, scope.most or 999


def to_data(measured: Sequence[Mapping[str, Any]], asked: Sequence[Row], splits: int) -> dict[str, Any]:
    """What was measured and how, as plain data."""
    return {
        "about": "Cards fitted on one half of the questions of RAGTruth-QA, and the verdicts of `grounded` "
        "on the other half, over random splits by question; of each question one good and one bad answer "
        "count. `above`: splits in whose other half the errors are more than promised; `by_chance`: how many "
        "that would be for lines that keep their promise, since the other half is a sample too; "
        "`contradicted`: splits whose other half contradicts the promise with 95% confidence. Intervals: "
        "Clopper and Pearson.",
        "set": SET,
        "rows": len(asked),
        "bad": sum(row.unsupported for row in asked),
        "questions": len({row.group for row in asked}),
        "splits": splits,
        "seed": SEED,
        "wanted": SHARE,
        "measured": list(measured),
    }


if __name__ == "__main__":
    main()
