"""How well each metric of answers follows people: `python benchmarks/quality/answers.py`."""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

import numpy as np
from benchmarks.quality.answer_figures import correlated
from benchmarks.quality.answer_metrics import AnswersRead, read_answers
from benchmarks.quality.grounding.ranks import SEED, Figure, ranked
from models.correctness.rows import FOLDS, Row, changed_rows, gold_rows, reference_rows
from models.correctness.table import Numbers, Table, table_of
from models.correctness.unseen import Unseen, scores, unseen_questions, unseen_systems
from models.heads.public import ROOT, data_folder, remembering_encoder, rows_of

from sensecheck.core.backends import Encoder
from sensecheck.measures.correctness.correctness import shipped_model

RESULTS = ROOT / "benchmarks" / "results" / "answers.json"
SHORT_ROWS = 500
SEPARATOR = "/"
CROSS_VALIDATED = "correctness"
UNSEEN_SYSTEM = "correctness, system unseen too"
GOALS = {"recall and cosine": 0.93, CROSS_VALIDATED: 0.94}
PAIRS = {"stsb": "stsb/test.jsonl.gz", "sick": "sick/test.jsonl.gz"}


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description="How well each metric follows what people say of answers.")
    parser.add_argument("--short", action="store_true", help="a few rows of each set; nothing is written")
    rows = SHORT_ROWS if parser.parse_args().short else None
    data, encoder = data_folder(), remembering_encoder()
    answers = Answers.of(data, encoder, rows)
    found = [*answers.measured(), *pairs(data, encoder, rows)]
    print(table(found))
    if rows is not None:
        return
    told = to_data(found, answers, encoder.fingerprint)
    RESULTS.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    if missed := [said for row in found for said in missed_goals(row)]:
        sys.exit("\n".join(missed))


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers of five systems as every metric reads them, and all that a model may learn from."""

    golds: AnswersRead
    """Beside short expected answers, of which the best alternative counts."""
    joined: AnswersRead
    """The same with all alternatives in one text, as it is read by who does not name the separator."""
    references: AnswersRead
    """Beside a correct answer of another system, which is longer."""
    changed: Table

    @classmethod
    def of(cls, data: Path, encoder: Encoder, most: int | None) -> "Answers":
        """Reads at most so many rows of each set."""
        golds = list(gold_rows(data))[:most]
        joined = [replace(row, expected=(SEPARATOR.join(row.expected),)) for row in golds]
        references = list(reference_rows(data))[:most]
        return cls(
            _read("answers", golds, encoder),
            _read("answers, alternatives joined", joined, encoder),
            _read("references", references, encoder),
            table_of(list(changed_rows(data))[:most], encoder),
        )

    def measured(self) -> Iterator[dict[str, Any]]:
        """The AUROC of every metric, over all answers and system by system; and where less is given."""
        tables = {"evouna": self.golds.table, "references": self.references.table, "changed": self.changed}
        models = {CROSS_VALIDATED: unseen_questions(tables), UNSEEN_SYSTEM: unseen_systems(tables)}
        joined, references = _values(self.joined, models), _values(self.references, models)
        for metric, values in _values(self.golds, models).items():
            yield {
                "table": "answers",
                "metric": metric,
                "auroc": _ranked(values, self.golds.table),
                "joined": _ranked(joined[metric], self.joined.table),
                "references": _ranked(references[metric], self.references.table),
                "systems": _by_system(values, self.golds.table),
            }


def _read(what: str, rows: Sequence[Row], encoder: Encoder) -> AnswersRead:
    print(f"reading {what} …", file=sys.stderr, flush=True)
    return read_answers(rows, encoder)


def _values(read: AnswersRead, models: Mapping[str, Sequence[Unseen]]) -> dict[str, Numbers]:
    """What every metric says of each row; a model is asked about what it has not seen."""
    return {**read.metrics, **{name: scores(held, read.table) for name, held in models.items()}}


def _ranked(values: Numbers, table: Table) -> Figure:
    return ranked(values, table.correct, np.array([row.group for row in table.rows]))


def _by_system(values: Numbers, table: Table) -> dict[str, Figure]:
    systems = np.array([row.kind for row in table.rows])
    groups = np.array([row.group for row in table.rows])
    each = ((str(system), systems == system) for system in np.unique(systems))
    return {system: ranked(values[mine], table.correct[mine], groups[mine]) for system, mine in each}


def pairs(data: Path, encoder: Encoder, most: int | None) -> Iterator[dict[str, Any]]:
    """Pairs of sentences that people scored, of sets that nothing was trained on; with the shipped model."""
    model = shipped_model()
    model.require_encoder(encoder.fingerprint)
    for name, file in PAIRS.items():
        given = list(rows_of(data, file))[:most]
        rows = [
            Row(row["a"], (row["b"],), False, None, name, f"{at}", row.get("label", ""))
            for at, row in enumerate(given)
        ]
        read = _read(name, rows, encoder)
        given_scores = {int(row.group): given[int(row.group)]["score"] for row in read.table.rows}
        chances = read.table.numbers @ np.array([*model.weights.values()]) + model.bias
        for metric, values in {**read.metrics, CROSS_VALIDATED: chances}.items():
            yield {"table": "pairs", "set": name, "metric": metric, **_followed(read, values, given_scores)}


def _followed(read: AnswersRead, values: Numbers, scores: Mapping[int, float]) -> dict[str, Any]:
    rows = read.table.rows
    groups = np.array([row.group for row in rows])
    found: dict[str, Any] = {"n": len(rows), "left_out": read.left_out}
    found["spearman"] = correlated(values, np.array([*scores.values()], float), groups)
    labels = np.array([row.kind for row in rows])
    told = np.isin(labels, ("ENTAILMENT", "CONTRADICTION"))
    if told.any():
        found["auroc"] = ranked(values[told], labels[told] == "ENTAILMENT", groups[told])
    return found


def missed_goals(row: Mapping[str, Any]) -> Iterator[str]:
    """What a metric should show and does not."""
    goal = GOALS.get(row["metric"]) if row["table"] == "answers" else None
    if goal is not None and row["auroc"]["value"] < goal:
        yield f"{row['metric']}: AUROC {row['auroc']['value']:.3f}; wanted at least {goal}"


def table(found: Sequence[Mapping[str, Any]]) -> str:
    """What was measured, for people."""
    lines = []
    for row in found:
        where = "answers" if row["table"] == "answers" else row["set"]
        said = [
            f"{key} {row[key]['value']:.3f} ({row[key]['low']:.3f}–{row[key]['high']:.3f})"
            for key in ("auroc", "joined", "references", "spearman")
            if key in row
        ]
        systems = [f"{name} {each['value']:.3f}" for name, each in row.get("systems", {}).items()]
        lines.append(f"{where:9}{row['metric']:32}{'  '.join((*said, *systems))}")
    return "\n".join(lines)


def to_data(found: Sequence[Mapping[str, Any]], answers: Answers, fingerprint: str) -> dict[str, Any]:
    """What was measured and how, as plain data."""
    rows, references = answers.golds.table.rows, answers.references.table.rows
    return {
        "about": "`answers`: the AUROC of each metric against what people say of answers of five systems, of "
        "each answer the best alternative of the expected one. `joined`: the same with all alternatives in "
        "one text; `references`: beside a correct answer of another system. `correctness` is cross-"
        "validated: its model has not seen the question; in the last row nor any answer of the system. "
        "`pairs`: rank correlation with the scores that people gave, and the AUROC of entailment against "
        "contradiction. All with 95% intervals over draws of whole questions, or of pairs.",
        "encoder": fingerprint,
        "model": shipped_model().to_data(),
        "rows": len(rows),
        "correct": sum(row.correct for row in rows),
        "questions": len({row.group for row in rows}),
        "several": sum(len(row.expected) > 1 for row in rows),
        "left_out": answers.golds.left_out,
        "references": {"rows": len(references), "correct": sum(row.correct for row in references)},
        "folds": FOLDS,
        "seed": SEED,
        "measured": list(found),
    }


if __name__ == "__main__":
    main()
