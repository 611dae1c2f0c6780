"""Write what was learned from, and how far it has come: `python models/reader/card.py [RUN ...]`.

The figures go to `benchmarks/results/reader.json`, and from there as tables between the markers of
`models/reader/README.md`.
"""

import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, `models` is not on the path

from models.reader import written
from models.reader.build import table
from models.reader.mix import SHORTCUTS, part
from models.reader.pairs import SETS, Pair, counts, load
from models.reader.source import CACHE, ROOT

RESULTS = ROOT / "benchmarks" / "results" / "reader.json"
README = Path(__file__).resolve().parent / "README.md"
_BLOCK = re.compile(r"(?P<open><!-- (?P<name>\w+) -->\n).*?(?P<close><!-- /(?P=name) -->)", re.DOTALL)
Row = Mapping[str, Any]


def main() -> None:
    """Gather the figures of the pool, the speed, and the runs that are named; keep those of other runs."""
    told: dict[str, Any] = json.loads(RESULTS.read_text()) if RESULTS.is_file() else {"runs": {}}
    pairs = load()
    here = {pair.source for pair in pairs}  # a family that was not gathered keeps its figures
    whole = {name for name in here if not SETS[name].negated or "edits" in here}
    for which, each in (("sets", counts(pairs)), ("parts", parts(pairs))):
        told[which] = {name: row if name in whole else told[which][name] for name, row in each.items()}
    for name, path in (("shortcuts", SHORTCUTS), ("speed", CACHE / "speed.json")):
        if path.is_file():
            told[name] = json.loads(path.read_text())
    for run in sys.argv[1:]:
        if (found := curve(CACHE / run))["points"]:
            told["runs"][run] = found
        if (held := CACHE / run / "held.json").is_file():  # by evaluate.py --sets held --out
            told.setdefault("held", {})[run] = json.loads(held.read_text("utf-8"))["sets"]
    RESULTS.write_text(json.dumps(told, indent=1) + "\n")
    README.write_text(filled(README.read_text("utf-8"), told), "utf-8")


def parts(pairs: Sequence[Pair]) -> dict[str, dict[str, int]]:
    """How many pairs of each set are trained on, chosen by, and held out."""
    found = {name: {"train": 0, "dev": 0, "held": 0} for name in SETS}
    for pair in pairs:
        found[pair.source][part(pair)] += 1
    return found


def curve(folder: Path) -> dict[str, Any]:
    """The plan of a run, and every line of its log that has figures."""
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text("utf-8").splitlines()]
    plan = json.loads((folder / "plan.json").read_text("utf-8"))
    return {"plan": plan, "last": lines[-1], "points": [line for line in lines if "sets" in line]}


def filled(text: str, told: Mapping[str, Any]) -> str:
    """The page with fresh tables between its markers."""
    tables = {
        "sets": _sets(told),
        "shortcuts": _shortcuts(told),
        "speed": _speed(told),
        "curves": _curves(told),
        "held": _held(told),
        "shipped": _shipped(told),
        "written": _written(),
        "choices": _choices(told),
    }

    def write(block: re.Match[str]) -> str:
        return f"{block['open']}{chr(10).join(tables[block['name']])}\n{block['close']}"

    return _BLOCK.sub(write, text)


def _sets(told: Mapping[str, Any]) -> list[str]:
    kinds = ("supported", "contradicted", "not stated", "not supported", "not contradicted")
    head = ("set", "licence", "share of the mix", "pairs", *kinds, "of them held out")
    whole = sum(row["share"] for row in told["sets"].values())
    rows = (
        (
            name, row["licence"], f"{100 * row['share'] / whole:.1f}%", f"{row['pairs']:,}",
            *(f"{row[kind]:,}" if row[kind] else "" for kind in kinds), told["parts"][name]["held"] or "",
        )
        for name, row in told["sets"].items()
    )  # fmt: skip
    return table(head, rows)


def _shortcuts(told: Mapping[str, Any]) -> list[str]:
    head = ("drawn", "of", "pairs", "words in common, AUROC", "claim alone, AUROC")
    rows = (
        (how, which, f"{row['pairs']:,}", row["words in common"], row["claim alone"])
        for how, some in told.get("shortcuts", {}).items()
        for which, row in some.items()
    )
    return table(head, rows)


def _speed(told: Mapping[str, Any]) -> list[str]:
    head = (
        "size", "frozen layers", "passes in", "threads", "tokens", "pairs per computing second",
        "per clock second",
    )  # fmt: skip
    rows = (
        (
            row["size"], row["frozen"], row.get("passes in", "float32"), row["threads"], row["tokens"],
            row["pairs per computing second"], row["pairs per clock second"],
        )
        for row in told.get("speed", [])
    )  # fmt: skip
    return table(head, rows)


def _curves(told: Mapping[str, Any]) -> list[str]:
    head = (
        "run",
        "hours of computing",
        "pairs seen",
        "loss",
        "everyday claims, AUROC",
        "everyday means, AUROC",
    )
    rows = (
        (run, f"{point['hours']:.2f}", f"{point['seen']:,}", point["loss"], *(
            point["sets"].get(name, {}).get("auroc", "") for name in ("everyday claims", "everyday means")
        ))
        for run, known in told["runs"].items()
        for point in known["points"]
    )  # fmt: skip
    return table(head, rows)


def _held(told: Mapping[str, Any]) -> list[str]:
    runs = told.get("held", {})
    names = dict.fromkeys(name.removesuffix(" (held)") for figures in runs.values() for name in figures)

    def cell(figures: Mapping[str, Any], name: str) -> str:
        row = figures.get(f"{name} (held)")
        return f"{row['auroc']:.3f} ({row['interval'][0]}–{row['interval'][1]})" if row else ""

    rows = ((name, *(cell(figures, name) for figures in runs.values())) for name in names)
    return table(("AUROC of `supported`", *runs), rows)


def _choices(told: Mapping[str, Any]) -> list[str]:
    runs = told.get("choices", {})
    names = dict.fromkeys(name for figures in runs.values() for name in figures)
    rows = ((name, *(figures.get(name, "") for figures in runs.values())) for name in names)
    return table(("AUROC of `supported`", *runs), rows)


def _written() -> list[str]:
    again = written.agreement()
    head = ("set", "groups", "answers", "labels", "labelled again", "the same")
    answers = (
        ("written_answers", written.answers()),
        ("written_longer", written.answers(written.LONGER)),
        ("written_short", written.answers(written.SHORT)),
        ("written_repeated", written.answers(written.REPEATED)),
        ("for_cards", written.answers(written.FOR_CARDS)),
    )
    expected = (("written_means", written.means()), ("written_near", written.means(written.NEAR)))
    return table(head, [
        *((name, len({row["group"] for row in rows}), f"{len(rows):,}",
           f"{sum(len(row['sentences']) for row in rows):,}", *again[name]) for name, rows in answers),
        *((name, len(rows), *[f"{sum(len(row['answers']) for row in rows):,}"] * 2, *again[name])
          for name, rows in expected),
    ])  # fmt: skip


def _shipped(told: Mapping[str, Any]) -> list[str]:
    head = (
        "run", "computed by", "set", "pairs", "logits move by, mean", "at most", "probability, at most",
        "same label", "AUROC before", "AUROC",
    )  # fmt: skip
    names = (
        "engine", "set", "pairs", "logits, mean", "logits, most", "probability, most", "same label",
        "auroc before", "auroc",
    )  # fmt: skip
    rows = (
        (run, *(row[name] for name in names))
        for run, known in told.get("shipped", {}).items()
        for row in known["engines"]
    )
    return table(head, rows)


if __name__ == "__main__":
    main()
