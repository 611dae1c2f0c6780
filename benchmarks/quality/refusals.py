"""Refusals, every rule side by side on human labels: `python benchmarks/quality/refusals.py [--short]`."""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.quality.folds import Mask, Shares, Teaching
from benchmarks.quality.refusal_head import Labelled, numbers_of, teaching_of, unseen_parts, value_of
from benchmarks.quality.refusal_rules import listed
from benchmarks.quality.shares import counted
from models.heads import build, refusal_data
from models.heads.public import ROOT, data_folder, is_held_out, remembering_encoder, rows_of
from models.heads.refusal_recipe import BASE as RECIPE

from sensecheck.calibration.placement import place_cutoff
from sensecheck.calibration.target import Target
from sensecheck.checks import presets
from sensecheck.checks.train import Example, Rows, some_of
from sensecheck.core.backends import Backends
from sensecheck.core.sample import Sample
from sensecheck.measures.heads.model import shares_of
from sensecheck.sense import Sense

RESULTS = ROOT / "benchmarks" / "results" / "refusals.json"
SEED = 5
DRAWS = 20
LABELS = 100
FPR = 0.04
OTHER_FPR = 0.08
Result = dict[str, Any]
ABOUT = (
    "Refusals on human labels. Rates have exact 95% intervals, by Clopper and Pearson; means over draws "
    "have the range of nine draws in ten. xstest: the head has seen neither the model nor the prompt; "
    "what it looks at, and how freely it is fitted, was chosen by the same protocol. Shipped: the head "
    "has not seen the prompts, and the card's line was fitted on seven tenths of them. chatgpt_refusals: "
    "no row was trained on, but our own disclaimers imitate how ChatGPT speaks."
)
UNSEEN = "xstest, prompts that the head has not seen"


def main() -> None:
    """Measure everything; with `--short` only what the shipped check does, and write nothing."""
    parser = argparse.ArgumentParser(description="Refusals on human labels, every rule side by side.")
    parser.add_argument("--short", action="store_true", help="only the shipped check; writes nothing")
    short = bool(parser.parse_args().short)
    data, answerers = data_folder(), Backends(remembering_encoder())
    sense = Sense(answerers)
    measured = list(shipped(data, sense))
    if not short:
        measured += [*on_xstest(data, answerers, sense), *on_chatgpt(data, answerers)]
    for row in measured:
        print(json.dumps(row, ensure_ascii=False))
    if not short:
        told = {"about": ABOUT, "seed": SEED, "draws": DRAWS, "labels": LABELS, "measured": measured}
        RESULTS.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def shipped(data: Path, sense: Sense) -> Iterator[Result]:
    """What the shipped check says of answers that its head was not trained on."""
    groups: dict[tuple[str, str], list[Sample]] = {}
    for _, example in refusal_data.xstest(data):
        if is_held_out(str(example.group), build.HELD_OUT["refusal"]):
            groups.setdefault((UNSEEN, example.label), []).append(example.sample)
    for row in rows_of(data, refusal_data.CHATGPT):
        groups.setdefault(("chatgpt_refusals", row["tone"]), []).append(Sample(row["response"]))
    for (name, label), samples in groups.items():
        said = Counter(v.outcome for v in sense.judge_each((s, presets.not_a_refusal()) for s in samples))
        counts = {
            outcome: counted(said[outcome], len(samples)) for outcome in ("pass", "fail", "unsure", "error")
        }
        yield {"table": "shipped", "set": name, "label": label, "n": len(samples), **counts}


def on_xstest(data: Path, answerers: Backends, sense: Sense) -> Iterator[Result]:
    """Every rule on xstest; our head only on models and prompts that it has not seen."""
    labelled = refusal_data.xstest(data)
    refused = np.array([example.label == "refusal" for _, example in labelled])
    answered = np.array([example.label == "answer" for _, example in labelled])
    caught = np.array([row["str"] == "2_full_refusal" for row, _ in labelled])
    fitted, shares = _held_out(labelled, data, answerers, refused, answered, families=False)
    by_family, _ = _held_out(labelled, data, answerers, refused, answered, families=True)
    value = value_of(shares)
    at = np.quantile(value[answered], 1 - FPR, method="higher")
    rules = {
        "head, cutoff fitted on the training rows": fitted,
        "the same, families of models held out": by_family,
        f"head, at the cutoff with {FPR:.0%} false alarms on these rows": value > at,
        "list of phrases": np.array([listed(row["response"]) for row, _ in labelled]),
        "phrases of the set's authors": caught,
        "GPT-4 as judge": np.array([row["gpt"] == "2_full_refusal" for row, _ in labelled]),
        **_exemplars(sense, [example.sample for _, example in labelled]),
    }
    for rule, said in rules.items():
        yield {
            "table": "xstest",
            "rule": rule,
            "recall": _of(said, refused),
            "fpr": _of(said, answered),
            "of_caught": _of(said, refused & caught),
            "of_missed": _of(said, refused & ~caught),
        }
    yield {"table": "xstest_auroc", "auroc": round(_auroc(value[refused], value[answered]), 4)}
    yield from _apart(labelled, shares)
    yield _harmless(labelled, data, answerers)


def _held_out(
    labelled: Labelled, data: Path, answerers: Backends, refused: Mask, answered: Mask, *, families: bool
) -> tuple[Mask, Shares]:
    """Who is called a refusal by a line fitted on the rows that a head has seen, and all shares."""
    shares = np.full((len(labelled), len(RECIPE.classes)), np.nan)
    flagged = np.zeros(len(labelled), bool)
    for part in unseen_parts(labelled, data, answerers, families=families):
        line = _line(part.inside, refused, np.flatnonzero(part.seen & (refused | answered)), FPR)
        shares[part.asked] = part.shares
        flagged[part.asked] = value_of(part.shares) > line
    return flagged, shares


def _apart(labelled: Labelled, shares: Shares) -> Iterator[Result]:
    """How refusals, partial refusals and answers are told apart."""
    for label in ("refusal", "partial", "answer"):
        mine = [i for i, (_, example) in enumerate(labelled) if example.label == label]
        said = Counter(RECIPE.classes[int(np.argmax(shares[i]))] for i in mine)
        yield {"table": "apart", "label": label, "n": len(mine), **{c: said[c] for c in RECIPE.classes}}


def _harmless(labelled: Labelled, data: Path, answerers: Backends) -> Result:
    """False alarms on answers to harmless prompts, of models that the head has not seen."""
    rows = numbers_of([example for _, example in labelled], answerers)
    plain = numbers_of([example for _, example in refusal_data.harmless(data)], answerers)
    teaching = teaching_of(labelled, plain, data, answerers)
    makers = np.array([row["model"] for row, _ in refusal_data.harmless(data)])
    alarms = 0
    for maker in sorted(set(makers)):
        others = some_of(plain, makers != maker)
        unseen = replace(teaching, always=(others, teaching.always[1]))
        model = unseen.model(rows, _all(rows))
        alarms += int((value_of(shares_of(model.logits(plain.numbers[makers == maker]))) > 0.5).sum())
    return {"table": "harmless", "fpr": counted(alarms, len(makers))}


def on_chatgpt(data: Path, answerers: Backends) -> Iterator[Result]:
    """Another domain: as it is, with a line fitted on some labels, and taught those labels too."""
    labelled = refusal_data.xstest(data)
    rows = numbers_of([example for _, example in labelled], answerers)
    plain = numbers_of([example for _, example in refusal_data.harmless(data)], answerers)
    teaching = teaching_of(labelled, plain, data, answerers)
    theirs = numbers_of([*_tones(data)], answerers)
    bad = np.array([example.label == "refusal" for example in theirs.examples])
    before = value_of(shares_of(teaching.model(rows, _all(rows)).logits(theirs.numbers)))
    phrases = np.array([listed(example.sample.answer) for example in theirs.examples])
    yield {"table": "chatgpt", "rule": "list of phrases", **_pair(phrases, bad)}
    yield {"table": "chatgpt", "rule": "head, as it is", **_pair(before > 0.5, bad)}
    drawn: dict[str, list[tuple[float, float]]] = {}
    chance = np.random.default_rng(SEED)
    for _ in range(DRAWS):
        order = chance.permutation(len(bad))
        pool, test = order[: len(order) // 2], order[len(order) // 2 :]
        line = _line(before, bad, pool[:LABELS], OTHER_FPR)
        drawn.setdefault(f"cutoff fitted on {LABELS} labels drawn at random", []).append(
            _shares_of_errors(before[test] > line, bad[test])
        )
        for rule, said in _taught(theirs, bad, before, pool, test, teaching, rows):
            drawn.setdefault(rule, []).append(_shares_of_errors(said, bad[test]))
    for rule, shares in drawn.items():
        yield {"table": "chatgpt", "rule": f"head, {rule}", **_mean(shares)}


def _taught(
    theirs: Rows, bad: Mask, before: Shares, pool: Any, test: Any, teaching: Teaching, rows: Rows
) -> Iterator[tuple[str, Mask]]:
    """What a head says that was also taught some of the labels: those it was least sure of."""
    half = LABELS // 2
    rest = pool[half:]
    ways = {LABELS: pool, half: rest}
    for count, among in ways.items():
        chosen = np.zeros(len(bad), bool)
        chosen[among[np.argsort(np.abs(before[among] - 0.5))[:count]]] = True
        more = replace(teaching, always=(*teaching.always, some_of(theirs, chosen)))
        after = value_of(shares_of(more.model(rows, _all(rows)).logits(theirs.numbers)))
        told = f"taught the {count} labels it is least sure of"
        if count == LABELS:
            at = np.quantile(after[test][~bad[test]], 1 - OTHER_FPR, method="higher")
            yield f"{told}, at one half", after[test] > 0.5
            yield f"{told}, at the cutoff with {OTHER_FPR:.0%} false alarms on these rows", after[test] > at
        else:
            yield (
                f"{told}, cutoff fitted on {half} drawn at random",
                after[test] > _line(after, bad, pool[:half], OTHER_FPR),
            )


def _tones(data: Path) -> Iterator[Example]:
    """Answers that comply, some of them behind a disclaimer, and answers that reject."""
    for row in rows_of(data, refusal_data.CHATGPT):
        if row["tone"] == "rejected":
            yield Example(Sample(row["response"]), "refusal")
        elif row["tone"] == "complied":
            disclaims = "as an ai" in row["response"][:200].lower()
            yield Example(Sample(row["response"]), "disclaimer" if disclaims else "answer")


def _line(value: Shares, bad: Mask, labelled: Any, fpr: float) -> float:
    """The line that a few labels give, for false alarms of so many on average."""
    good, refused = value[labelled][~bad[labelled]], value[labelled][bad[labelled]]
    targets = [Target("false_rejects", fpr)]
    return place_cutoff(good, refused, side="below", method="conformal", targets=targets).value


def _all(rows: Rows) -> Mask:
    return np.ones(len(rows.examples), bool)


def _exemplars(sense: Sense, samples: list[Sample]) -> dict[str, Mask]:
    """The common rule by example, on the whole answer."""
    said = [v.outcome == "fail" for v in sense.judge_each((s, presets.refusal_cluster()) for s in samples)]
    return {"exemplars, drift < 0.25 (`refusal_cluster`)": np.array(said)}


def _of(said: Mask, among: Mask) -> Result:
    return counted(int(said[among].sum()), int(among.sum()))


def _pair(said: Mask, bad: Mask) -> Result:
    return {"recall": _of(said, bad), "fpr": _of(said, ~bad)}


def _shares_of_errors(said: Mask, bad: Mask) -> tuple[float, float]:
    return float(said[bad].mean()), float(said[~bad].mean())


def _mean(draws: list[tuple[float, float]]) -> Result:
    """Means over the draws, with the range that nine of ten of them lie in."""
    found = np.array(draws)
    low, high = np.quantile(found, (0.05, 0.95), axis=0)
    return {
        name: {
            "share": round(float(found[:, i].mean()), 4),
            "low": round(low[i], 4),
            "high": round(high[i], 4),
            "draws": len(draws),
        }
        for i, name in enumerate(("recall", "fpr"))
    }


def _auroc(high: Shares, low: Shares) -> float:
    """How often a refusal reads higher than an answer."""
    order = np.searchsorted(np.sort(low), high, "left") + np.searchsorted(np.sort(low), high, "right")
    return float(order.mean() / (2 * len(low)))


if __name__ == "__main__":
    main()
