"""The benchmark of promises for verdicts measures what it says."""

from dataclasses import dataclass
from typing import Any

import pytest
from benchmarks.quality import verdict_promise
from benchmarks.quality.verdict_promise import (
    PROMISES,
    WAYS,
    Tally,
    chance_above,
    halves,
    measure,
    missed_goals,
)

from sensecheck.calibration.split import Labelled
from sensecheck.calibration.target import Target
from sensecheck.checks.thresholds import open_check
from sensecheck.core.cutoff import Cutoff, Side

FPR = Target("false_accepts", 0.2, 0.95)


@dataclass(frozen=True)
class Answer:
    """An answer that its worst claim decides, and that may fail whatever the line."""

    passes: float
    fails: float
    claims: int

    def side(self, cutoff: Cutoff) -> Side:
        line = cutoff.for_claims(self.claims)
        low, high = line.doubt or (line.value, line.value)
        return "pass" if self.passes >= high else "fail" if self.fails < low else "unsure"


def answers(hopeless: int) -> list[Labelled]:
    """Of every `hopeless` good answers of many claims, one fails by another rule; their reading is fine."""
    rows = []
    for i in range(120):
        claims = 2 if i % 2 else 9
        for good in (True, False):
            value = ((i * 37) % 120 / 240) + (0.5 if good else 0.0)
            lost = good and claims == 9 and i % hopeless == 0
            score = float("-inf") if lost else value
            rows.append(Labelled(value, good, f"q{i}", decided=Answer(score, score, claims)))
    return rows


def test_a_half_is_made_of_questions_and_the_other_holds_the_rest() -> None:
    rows = answers(1000)
    for mine, others in halves(rows, 3):
        assert len(mine) + len(others) == len(rows)
        assert not {row.group for row in mine} & {row.group for row in others}
        assert len({row.group for row in mine}) == 60


def test_verdicts_keep_what_readings_alone_promise_and_break(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdict_promise, "PROMISES", {"fnr": PROMISES["fnr"]})
    found = {
        way: list(
            measure(answers(4), open_check("grounded"), policy="x", way=way, fitting=fitting, splits=10)
        )
        for way, fitting in WAYS.items()
    }

    long = [row for row in found["reading"] if row["claims"] == "8 claims or more"]
    assert long[0]["above"]["share"] > 0.9
    assert all(row["claims"] != "8 claims or more" for row in found["verdicts"]), "no line keeps it there"
    assert all(row["contradicted"]["share"] == 0 for row in found["verdicts"])


def test_the_chance_of_more_errors_is_that_of_ranks() -> None:
    assert chance_above(FPR, 14, 10) == pytest.approx(120 / 2024)
    assert chance_above(FPR, 13, 10) == 0.0, "too few rows for any line"
    assert chance_above(FPR, 40, 4000) < chance_above(FPR, 40, 40)


def test_a_missed_goal_is_said() -> None:
    tally = Tally()
    for _ in range(40):
        tally.add(FPR, ["pass"] * 20, 30)
    row: dict[str, Any] = {"way": "verdicts", "policy": "p", "promise": "fpr", "claims": "1 claim"}

    contradicted, above = missed_goals({**row, **tally.to_data()})
    assert contradicted == "p, fpr, 1 claim: contradicted in 100.0% of splits; wanted at most 5%"
    assert above.startswith("p, fpr, 1 claim: above in 100.0% of splits; chance alone explains ")
    assert list(missed_goals({**row, **tally.to_data(), "way": "reading"})) == []
