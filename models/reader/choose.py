"""Compare readers on groups that are kept for choices: `python models/reader/choose.py shipped RUN ...`.

Of every set in `PAIRS` a fixed random choice is read, and the development half of everyday, which is
looked at and never chosen by. The figures go to `benchmarks/results/reader.json`; `card.py` makes a table.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, `models` is not on the path

from models.heads.public import data_folder
from models.reader.average import mean_of
from models.reader.card import RESULTS
from models.reader.evaluate import Sets, everyday, scores, some
from models.reader.evidence import Vectors
from models.reader.mix import part
from models.reader.network import reader, tokenizer
from models.reader.pairs import NO, YES, Pair, load
from models.reader.source import base
from sklearn.metrics import roc_auc_score

PAIRS = {
    "everyday_claims": 150, "everyday_answers": 200, "everyday_means": 150, "mnli_dev": 150,
    "everyday_edits": 150, "written_answers": 250, "written_longer": 250, "written_short": 250,
    "written_means": 250, "written_repeated": 200, "written_near": 250,
}  # fmt: skip
"""So many pairs of each set are read."""


def kept_for_choices() -> Sets:
    """The pairs of each set that choices are made by, and the development half."""
    found: dict[str, list[Pair]] = {}
    for pair in load():
        told = pair.allowed in (YES, NO) or len(pair.allowed) == 1
        if told and pair.source in PAIRS and part(pair) == "dev":
            found.setdefault(pair.source, []).append(pair)
    return {name: some(pairs, PAIRS[name]) for name, pairs in found.items()} | dict(everyday(data_folder()))


def main() -> None:
    """Read all sets with every reader that is named, and write down how well each tells them apart."""
    sets, known, vectors = kept_for_choices(), tokenizer(base("mpnet")), Vectors.load()
    model = reader("mpnet", frozen=4)
    chosen: dict[str, dict[str, float]] = {}
    for run in sys.argv[1:]:
        model.load_state_dict(mean_of({run: 1.0}, "mpnet"), strict=False)
        figures = {
            name: round(float(roc_auc_score(
                [pair.supported for pair in pairs], scores(model, known, pairs, vectors)[:, 0]
            )), 4)
            for name, pairs in sets.items()
        }  # fmt: skip
        print(run, json.dumps(figures), flush=True)
        chosen[run] = figures
    told = json.loads(RESULTS.read_text("utf-8"))  # only now: another one may be measured meanwhile
    told["choices"] = told.get("choices", {}) | chosen
    RESULTS.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
