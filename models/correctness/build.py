"""Train the model of correctness that ships: `python models/correctness/build.py --date DAY`."""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from models.correctness.fit import fit, taught
from models.correctness.rows import LICENCES, changed_rows, gold_rows, reference_rows
from models.correctness.table import Table, table_of
from models.heads.public import ROOT, data_folder, remembering_encoder

from sensecheck.core.backends import Encoder
from sensecheck.measures.correctness.correctness import CorrectnessModel
from sensecheck.measures.correctness.features import FEATURES

SHIPPED = ROOT / "src" / "sensecheck" / "measures" / "correctness" / "shipped" / "answers.json"


def main() -> None:
    """Build it, from the data that the settings name."""
    parser = argparse.ArgumentParser(description="Train the model of correctness that ships.")
    parser.add_argument("--date", required=True, help="the day that the file will carry: 2026-01-31")
    date = str(parser.parse_args().date)
    encoder = remembering_encoder()
    tables = read_tables(data_folder(nothing="nothing was built"), encoder)
    model = trained(tables, encoder.fingerprint, date)
    SHIPPED.parent.mkdir(exist_ok=True)
    SHIPPED.write_text(model.to_json(), encoding="utf-8")
    print(f"{model.to_data()}: bias {model.bias:g}")
    print("\n".join(f"  {name:16}{weight:>8.3f}" for name, weight in model.weights.items()))


def read_tables(data: Path, encoder: Encoder) -> dict[str, Table]:
    """All that the model learns from, set by set."""
    sets = {"evouna": gold_rows, "references": reference_rows, "changed": changed_rows}
    return {name: table_of(list(rows(data)), encoder) for name, rows in sets.items()}


def trained(tables: Mapping[str, Table], encoder: str, date: str) -> CorrectnessModel:
    """The model, from all rows: what it is worth is told by models that have not seen a question."""
    found = fit(taught(tables, lambda row: True))
    weights = dict(zip(FEATURES, (found.weights.round(3) + 0.0).tolist(), strict=True))
    sources = {name: f"{len(table.rows)} rows, {LICENCES[name]}" for name, table in tables.items()}
    return CorrectnessModel("answers", encoder, round(found.bias, 3), weights, sources, date)


if __name__ == "__main__":
    main()
