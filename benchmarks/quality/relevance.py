"""What a line on similarity keeps of retrieved references: `python benchmarks/quality/relevance.py`."""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

import numpy as np
from benchmarks.quality.relevance_lines import SEED, HeldOut, Mix, by_label, by_mix
from benchmarks.quality.relevance_promise import Groups, repeated
from benchmarks.quality.relevance_set import FILE, RelevanceSet, Unit, effects_rows
from benchmarks.quality.relevance_set import SEED as DRAWN_WITH
from models.heads.public import ROOT, data_folder, remembering_encoder, rows_of

from sensecheck.calibration.placement import place_cutoff
from sensecheck.calibration.split import split
from sensecheck.calibration.target import Target
from sensecheck.core.cutoff import at_least

RESULTS = ROOT / "benchmarks" / "results" / "relevance.json"
ROUNDS, SHORT_ROUNDS = 500, 50
HALF = 0.5
HAND_PICKED = (0.5, 0.6, 0.7, 0.75)
TARGETS = (
    Target("false_accepts", 0.1, 0.95),
    Target("false_accepts", 0.05, 0.95),
    Target("false_rejects", 0.05, 0.95),
)


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description="What a line keeps and drops of retrieved references.")
    parser.add_argument("--short", action="store_true", help="fewer fits; nothing is written")
    parser.add_argument(
        "--effects", type=Path, metavar="FILE", help="only write rows for `sensecheck effects`"
    )
    given = parser.parse_args()
    rows, placing = list(rows_of(data_folder(), FILE)), remembering_encoder()
    if given.effects is not None:
        _write_lines(given.effects, effects_rows(RelevanceSet.of(rows, "paragraph", placing)))
        return
    units: tuple[Unit, ...] = get_args(Unit)
    sets = [RelevanceSet.of(rows, unit, placing) for unit in units]
    rounds = SHORT_ROUNDS if given.short else ROUNDS
    found = [row for each in sets for row in (*lines(each), *promises(each, rounds))]
    print(table(found))
    if not given.short:
        RESULTS.write_text(json.dumps(to_data(found, sets, rounds), indent=1, ensure_ascii=False) + "\n")
    if missed := [said for row in found for said in missed_goals(row)]:
        sys.exit("\n".join(missed))


def lines(found: RelevanceSet) -> Iterator[dict[str, Any]]:
    """What each line does on one half of the groups; those of cards were fitted on the other."""
    halves = {mix: split(rows, share_held_out=HALF, seed=SEED) for mix, rows in by_mix(found).items()}
    held = HeldOut.of({mix: rows for mix, (_, rows) in halves.items()})
    for line in HAND_PICKED:
        yield {"table": "lines", "unit": found.unit, "by": "hand", **held.under(at_least(line))}
    for mix, (fitted, _) in halves.items():
        good, bad = (np.array(values) for values in by_label(fitted))
        for target in TARGETS:
            placed = place_cutoff(good, bad, side="above", method="exact", targets=(target,))
            cutoff = at_least(placed.value)
            told = {"by": "card", "fitted_on": mix, "target": target.to_data()}
            outcomes = {"promise": held.outcomes(cutoff, target)}
            yield {"table": "lines", "unit": found.unit, **told, **held.under(cutoff), **outcomes}


def promises(found: RelevanceSet, rounds: int) -> Iterator[dict[str, Any]]:
    """How often the promise of a line is broken, for each kind of rows and each target."""
    articles = {query.group: query.article for query in found.queries}
    for mix, rows in by_mix(found).items():
        groups = Groups.of(rows, articles.__getitem__)
        for target in TARGETS:
            told = {"table": "promise", "unit": found.unit, "mix": mix, "target": target.to_data()}
            yield {**told, "groups": len(groups.articles), **repeated(groups, target, rounds)}


def missed_goals(row: Mapping[str, Any]) -> Iterator[str]:
    """What a fitted line should show and does not."""
    if row["table"] == "promise" and row["broken"]["low"] > 0.05:
        where = f"{row['unit']}, {row['mix']}, {row['target']}"
        yield f"{where}: the promise is broken in {row['broken']['share']:.1%} of fits; wanted at most 5%"


def table(found: Sequence[Mapping[str, Any]]) -> str:
    """What was measured, for people."""
    said = [f"{'unit':10}{'line':44}{'':>7}{'relevant lost':>15}{'drawn kept':>12}{'retrieved kept':>16}"]
    for row in (row for row in found if row["table"] == "lines"):
        by = "hand-picked" if row["by"] == "hand" else f"{row['target']} on {row['fitted_on']}"
        kept_ = "".join(f"{row['irrelevant_kept'][mix]['share']:>{w}.1%}" for mix, w in _WIDTHS.items())
        said.append(
            f"{row['unit']:10}{by:44}{row['line']:>7.3f}{row['relevant_lost']['share']:>15.1%}{kept_}"
        )
    said.append(f"\n{'unit':10}{'rows':10}{'promise':34}{'broken':>8}{'mean':>8}{'groups':>9}{'articles':>9}")
    for row in (row for row in found if row["table"] == "promise"):
        others = "".join(f"{row[key]['broken']['share']:>9.1%}" for key in ("other_groups", "other_articles"))
        told = f"{row['unit']:10}{row['mix']:10}{row['target']!s:34}"
        said.append(f"{told}{row['broken']['share']:>8.1%}{row['mean']:>8.1%}{others}")
    return "\n".join(said)


def to_data(found: Sequence[Mapping[str, Any]], sets: Sequence[RelevanceSet], rounds: int) -> dict[str, Any]:
    """What was measured and how, as plain data."""
    return {
        "about": "Lines on the similarity of a reference to its query. `lines`: shares with exact 95% "
        "intervals (Clopper-Pearson), counted on the half of the groups that no line was fitted on, one row "
        "a group. "
        "`promise`: `broken` is the share of fits whose true rate, over all groups, is above the target; "
        "`other_groups` and `other_articles` are fits on one half that the other half contradicts.",
        "encoder": sets[0].encoder,
        "queries": len(sets[0].queries),
        "references": {each.unit: len(each.references) for each in sets},
        "groups": len({query.group for query in sets[0].queries}),
        "articles": len({query.article for query in sets[0].queries}),
        "rounds": rounds,
        "seed": DRAWN_WITH,
        "measured": list(found),
    }


def _write_lines(path: Path, rows: Iterator[Mapping[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


_WIDTHS: Mapping[Mix, int] = {"drawn": 12, "retrieved": 16}


if __name__ == "__main__":
    main()
