"""How well a reader reads: AUROC of `supported` on the development sets, and on what is held out.

`python models/reader/evaluate.py --run NAME [--sets everyday held ...] [--out FILE]` measures the averaged
weights of the last checkpoint of a run.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, `models` is not on the path

import torch
from models.heads.public import data_folder, rows_of
from models.reader.evidence import Vectors, read_with
from models.reader.mix import Drawn, Part, part
from models.reader.network import Reader, batches, reader, tokenizer
from models.reader.pairs import CONTRADICTED, NO, SUPPORTED, YES, Pair, both_ways, everyday_answers, load
from models.reader.source import CACHE, base
from sklearn.metrics import roc_auc_score
from tokenizers import Tokenizer

Numbers = npt.NDArray[np.float64]
Sets = Mapping[str, Sequence[Pair]]
BATCH = 16


def everyday(data: Path, *, most: int | None = None) -> Sets:
    """The development half of the everyday benchmark: sentences of answers, and `means` pairs.

    With `most`, a fixed random choice of this many pairs each.
    """
    claims = list(everyday_answers(data, "everyday/grounding.jsonl.gz"))
    means = [
        next(both_ways(
            row["answer"], row["expected"], same=row["label"] == "same", question=row["question"],
            group=row["group"], kind=row["kind"],
        ))
        for row in rows_of(data, "everyday/means.jsonl.gz")
    ]  # fmt: skip
    return {"everyday claims": some(claims, most), "everyday means": some(means, most)}


def from_pool(which: Part, pairs: Sequence[Pair], *, most: int) -> Sets:
    """The pairs of every set that belong to one part, at most `most` of each."""
    found: dict[str, list[Pair]] = {}
    for pair in pairs:
        if pair.allowed in (YES, NO) or len(pair.allowed) == 1:
            where: str = "dev" if pair.source == "sanli_wiki" else part(pair)
            if where == which:
                found.setdefault(f"{pair.source} ({which})", []).append(pair)
    return {name: some(mine, most) for name, mine in found.items()}


def some(pairs: Sequence[Pair], most: int | None) -> Sequence[Pair]:
    """At most `most` pairs, always the same ones."""
    return pairs if most is None or len(pairs) <= most else Random(0).sample(pairs, most)


def scores(model: Reader, known: Tokenizer, pairs: Sequence[Pair], vectors: Vectors) -> Numbers:
    """The probabilities of the three labels, one row a pair, with evidence as at run time."""
    drawn = [Drawn(pair, read_with(pair, vectors)) for pair in pairs]
    order = sorted(range(len(drawn)), key=lambda at: len(drawn[at].pair.claim) + len(drawn[at].evidence))
    found = np.zeros((len(pairs), 3))
    model.eval()
    with torch.inference_mode():
        given = [
            model(batch.ids, batch.mask, batch.types).labels.softmax(-1)
            for batch in batches([drawn[at] for at in order], known, size=BATCH)
        ]
    found[order] = torch.cat(given).double().numpy()
    model.train()
    return found


def measured(pairs: Sequence[Pair], found: Numbers, *, rounds: int = 200) -> dict[str, Any]:
    """AUROC of `supported` with a 95% interval over groups, and of `contradicted` where that is known.

    Without `rounds` there is no interval.
    """
    labels = np.array([pair.supported for pair in pairs])
    value = found[:, SUPPORTED]
    told: dict[str, Any] = {"pairs": len(pairs), "supported": int(labels.sum())}
    if not labels.all() and labels.any():
        told["auroc"] = round(float(roc_auc_score(labels, value)), 4)
        if rounds:
            told["interval"] = _interval(pairs, labels, value, rounds)
        told["balanced accuracy"] = round(_balanced(labels, value), 4)
    against = np.array([pair.allowed == {CONTRADICTED} for pair in pairs])
    if against.any() and not against.all():
        told["contradicted auroc"] = round(float(roc_auc_score(against, found[:, CONTRADICTED])), 4)
    return told


def _balanced(labels: npt.NDArray[np.bool_], value: Numbers) -> float:
    """The balanced accuracy at the best cutoff of these very pairs: flattering, for comparison only."""
    order = np.argsort(-value)
    right = np.cumsum(labels[order]) / labels.sum()
    wrong = np.cumsum(~labels[order]) / (~labels).sum()
    return float(0.5 + (right - wrong).max() / 2)


def _interval(
    pairs: Sequence[Pair], labels: npt.NDArray[np.bool_], value: Numbers, rounds: int
) -> tuple[float, float]:
    """Drawn again by group, since the pairs of a group stand and fall together."""
    places: dict[str, list[int]] = {}
    for at, pair in enumerate(pairs):
        places.setdefault(pair.group, []).append(at)
    rng, known = Random(0), list(places.values())
    seen = []
    for _ in range(rounds):
        drawn = [at for group in rng.choices(known, k=len(known)) for at in group]
        if 0 < labels[drawn].sum() < len(drawn):
            seen.append(roc_auc_score(labels[drawn], value[drawn]))
    low, high = np.quantile(seen, [0.025, 0.975])
    return round(float(low), 3), round(float(high), 3)


def evaluate(
    model: Reader, known: Tokenizer, sets: Sets, vectors: Vectors, *, rounds: int = 200
) -> dict[str, Any]:
    """The figures of every set."""
    return {
        name: measured(pairs, scores(model, known, pairs, vectors), rounds=rounds)
        for name, pairs in sets.items()
    }


def main() -> None:
    """Measure a run as the command line says."""
    parser = argparse.ArgumentParser(description="Measure a reader.")
    parser.add_argument("--run", required=True)
    parser.add_argument("--sets", nargs="+", default=["everyday"], choices=["everyday", "dev", "held"])
    parser.add_argument("--most", type=int, default=400, help="pairs of each set, at most")
    parser.add_argument("--out", type=Path, help="write the figures here as JSON")
    wanted = parser.parse_args()
    torch.set_num_threads(1)
    folder = CACHE / wanted.run
    plan = json.loads((folder / "plan.json").read_text())
    state = torch.load(folder / "checkpoint.pt", weights_only=True)
    model = reader(plan["size"], frozen=plan["frozen"])
    model.load_state_dict(state["mean"], strict=False)
    sets: dict[str, Sequence[Pair]] = {}
    if "everyday" in wanted.sets:
        sets |= everyday(data_folder())
    pool = load() if {"dev", "held"} & set(wanted.sets) else []
    parts: tuple[Part, ...] = ("dev", "held")
    for which in parts:
        if which in wanted.sets:
            sets |= from_pool(which, pool, most=wanted.most)
    told: dict[str, Any] = {
        "run": wanted.run,
        **{name: state[name] for name in ("steps", "seen", "seconds")},
        "sets": {},
    }
    known = tokenizer(base(plan["size"]))
    for name, pairs in sets.items():
        told["sets"] |= evaluate(model, known, {name: pairs}, Vectors.load())
        print(name, json.dumps(told["sets"][name]), flush=True)
    if wanted.out:
        wanted.out.write_text(json.dumps(told, indent=2) + "\n")


if __name__ == "__main__":
    main()
