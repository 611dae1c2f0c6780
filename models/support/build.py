"""Train the model of support and fit the line of `fast`: `python models/support/build.py --date DAY`."""

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from models.heads.public import ROOT, data_folder
from models.support.bags import KINDS, bags
from models.support.cards import grounded_card
from models.support.fit import Bag, fit, merged
from models.support.rows import HELD_OUT, LICENCES, Row, rows

from sensecheck.config import Settings, answerers
from sensecheck.core.backends import Encoder
from sensecheck.measures.support.weights import SupportModel
from sensecheck.measures.support.words import FEATURES

SHIPPED = ROOT / "src" / "sensecheck" / "measures" / "support" / "shipped" / "words.json"
CARDS = ROOT / "src" / "sensecheck" / "calibration" / "cards"
NATURAL = ("begin", "factcheck_gpt", "squad2_derived")
LENGTHS = (1, 6)
"""How many answers are put together to one."""
CHANGED = ("begin", "perturbed", "summedits")
ASKED = -0.5
"""What speaks for a word that the question holds; no set that may be learned from has real questions."""


def main() -> None:
    """Build all of it, from the data that the settings name."""
    parser = argparse.ArgumentParser(description="Train the model of support and fit the line of `fast`.")
    parser.add_argument("--date", required=True, help="the day that the files will carry: 2026-01-31")
    parser.add_argument("--only-card", action="store_true", help="keep the model as it is")
    wanted = parser.parse_args()
    held = list(rows(data_folder(nothing="nothing was built")))
    parts = answerers(Settings.from_environment())
    if not wanted.only_card:
        assert parts.encoder is not None
        SHIPPED.write_text(trained(held, parts.encoder, wanted.date).to_json(), encoding="utf-8")
    card = grounded_card(held, parts, wanted.date)
    (CARDS / f"{card.name}.json").write_text(card.to_json(), encoding="utf-8")
    print(f"{card.name}: line {card.line:g}, doubt {card.doubt}; {card.promise}")
    print(f"  held out: {card.rates}")


def trained(held: Sequence[Row], encoder: Encoder, date: str) -> SupportModel:
    """The model, from all rows but those of the held-out fold."""
    seen = [row for row in held if row.fold != HELD_OUT]
    counts = Counter(row.source for row in seen)
    sources = {name: f"{count} rows, {LICENCES[name]}" for name, count in counts.items()}
    return weighed({bag.name: bag for bag in bags(seen, encoder)}, encoder.fingerprint, sources, date)


def weighed(held: Mapping[str, Bag], encoder: str, sources: dict[str, str], date: str) -> SupportModel:
    """Words from what people and models wrote, short and long; signals from claims with one changed fact."""
    bias, words, _ = fit([merged(held[name], size) for name in NATURAL for size in LENGTHS], len(KINDS))
    _, _, signals = fit([held[name] for name in CHANGED], len(KINDS))
    weights = dict(zip(FEATURES, words.round(3).tolist(), strict=True)) | {"asked": ASKED}
    kinds = {kind: round(float(weight), 3) for kind, weight in zip(KINDS, signals, strict=True)}
    return SupportModel("words", encoder, round(bias, 3), weights, kinds, sources, date)


if __name__ == "__main__":
    main()
