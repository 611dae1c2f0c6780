"""Average readers of one family: `python models/reader/average.py --run NAME RUN=SHARE ...`.

`shipped` names the weights of the repository. The result is a run like others: it is measured and exported
under its name, as one that began with the last run that is named and learned nothing more. Readers that went
on from each other with other pairs lie near enough for their mean to be a reader, and it is right more often
than each of them on groups that none has learned from.
"""

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, `models` is not on the path

import torch
from models.reader.shipped import SHIPPED
from models.reader.source import CACHE
from models.reader.train import shipped
from torch import Tensor


def mean_of(shares: Mapping[str, float], size: str, cache: Path = CACHE) -> dict[str, Tensor]:
    """The averaged weights of all these runs, each as often as its share says."""
    runs = {
        run: torch.load(cache / run / "checkpoint.pt", weights_only=True, mmap=True)["mean"]
        for run in shares
        if run != SHIPPED
    }
    if SHIPPED in shares:
        runs[SHIPPED] = shipped(size)
    found, every = dict[str, Tensor](), sum(shares.values())
    for run, weights in runs.items():
        if found and found.keys() != weights.keys():
            raise SystemExit(f"all runs must have learned the same layers; `{run}` did not")
        for name, weight in weights.items():
            found[name] = found.get(name, torch.zeros_like(weight)) + weight * (shares[run] / every)
    return found


def main() -> None:
    """Average as the command line says."""
    parser = argparse.ArgumentParser(description="Average the weights of several readers.")
    parser.add_argument("--run", required=True, help="the name of the result: a folder under .cache/reader")
    parser.add_argument("parts", nargs="+", metavar="RUN=SHARE")
    wanted = parser.parse_args()
    shares = {name: float(share) for name, _, share in (part.partition("=") for part in wanted.parts)}
    last = next((name for name in reversed(shares) if name != SHIPPED), "")
    if not last:
        parser.error("at least one part must be a run under .cache/reader")
    plan = json.loads((CACHE / last / "plan.json").read_text("utf-8"))
    folder = CACHE / wanted.run
    folder.mkdir(parents=True, exist_ok=True)
    state = {"mean": mean_of(shares, plan["size"]), "steps": 0, "seen": 0, "seconds": 0.0, "averaged": shares}
    torch.save(state, folder / "checkpoint.pt")
    (folder / "plan.json").write_text(json.dumps(plan | {"start": last, "rate": 0.0}, indent=2) + "\n")
    print(f"{wanted.run}: {', '.join(f'{share:g} of {name}' for name, share in shares.items())}")


if __name__ == "__main__":
    main()
