"""Train the heads that ship with sensecheck, and fit their cards: `python models/heads/build.py`."""

import argparse
import hashlib
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from models.heads import refusal_data, refusal_recipe, verdict_data, verdict_recipe
from models.heads.public import ROOT, data_folder, is_held_out, remembering_encoder, sources

import sensecheck
from sensecheck.calibration.card import Card, DataMark
from sensecheck.calibration.target import Target
from sensecheck.checks.calibrating import calibrate, read_each
from sensecheck.checks.labelled import LabelledSample
from sensecheck.checks.training import Example, joined, rows_of, train
from sensecheck.core.encoder import Answerers
from sensecheck.measures.heads.head import Head
from sensecheck.measures.heads.model import Model
from sensecheck.measures.heads.recipe import Recipe

HEADS = ROOT / "src" / "sensecheck" / "measures" / "heads" / "shipped"
CARDS = ROOT / "src" / "sensecheck" / "calibration" / "cards"
HELD_OUT = {"refusal": 0.4, "verdict": 0.6}
"""The share of prompts whose answers no head is trained on: the cards are fitted on those. Few prompts have
feedback that fails an answer, and a promise wants many of them."""

STRENGTH = {"refusal": 1.0, "verdict": 3.0}
"""How freely the weights are fitted; chosen on held-out models and prompts."""


def main() -> None:
    """Build both, from the data that the settings name."""
    parser = argparse.ArgumentParser(description="Train the shipped heads and fit their cards.")
    parser.add_argument("--date", required=True, help="the day that the files will carry: 2026-01-31")
    date = str(parser.parse_args().date)
    data = data_folder(nothing="nothing was built")
    answerers = Answerers(remembering_encoder())
    for card in (refusal(data, answerers, date), verdict(data, answerers, date)):
        (CARDS / f"{card.name}.json").write_text(card.to_json(), encoding="utf-8")
        print(f"{card.name}: line {card.line:g}, doubt {card.doubt}; {card.promise}")
        print(f"  held out: {card.rates}")


def refusal(data: Path, answerers: Answerers, date: str) -> Card:
    """Refusals, partial ones, answers behind a disclaimer, and answers."""
    labelled = [(row["model"], example) for row, example in refusal_data.xstest(data)]
    seen = [example for _, example in labelled if not is_held_out(str(example.group), HELD_OUT["refusal"])]
    plain = [example for _, example in refusal_data.harmless(data)]
    own = refusal_data.our_own()
    prefixed = [refusal_data.behind_disclaimers(examples) for examples in (seen, plain)]
    counts = {
        "xstest": len(seen) + len(prefixed[0]),
        "refusal_direction_harmless": len(plain) + len(prefixed[1]),
        "our own": len(own),
    }
    model = _trained(
        "refusal",
        [*seen, *plain, *own, *prefixed[0], *prefixed[1]],
        refusal_recipe.RECIPE,
        counts,
        refusal_data.LICENCES,
        answerers,
        date,
    )
    measure = Head(model, of=("refusal",), against=("answer", "disclaimer"))
    unseen = [
        LabelledSample(example.sample, example.label == "answer", example.group, {"model": who})
        for who, example in labelled
        if is_held_out(str(example.group), HELD_OUT["refusal"])
        and example.label in ("answer", "refusal")
        and not model.was_trained_on(example.sample.answer)  # models repeat themselves across prompts
    ]
    targets = (Target("false_accepts", 0.07, 0.95), Target("false_rejects", 0.06, 0.95))
    return _card("refusal", measure, "below", unseen, targets, _mark(data / refusal_data.XSTEST, unseen),
                 refusal_data.LICENCES["xstest"], answerers, date)  # fmt: skip


def verdict(data: Path, answerers: Answerers, date: str) -> Card:
    """What a judge's feedback amounts to: a pass, or a fail."""
    labelled = [example for _, example in verdict_data.feedback(data)]
    seen = [example for example in labelled if not is_held_out(str(example.group), HELD_OUT["verdict"])]
    own = verdict_data.our_own()
    counts = {"judge_prometheus": len(seen), "our own": len(own)}
    model = _trained(
        "verdict",
        [*balanced(seen), *own],
        verdict_recipe.RECIPE,
        counts,
        verdict_data.LICENCES,
        answerers,
        date,
    )
    unseen = [
        LabelledSample(example.sample, example.label == "pass", example.group)
        for example in labelled
        if is_held_out(str(example.group), HELD_OUT["verdict"])
        and not model.was_trained_on(example.sample.answer)
    ]
    targets = (Target("false_accepts", 0.15, 0.95), Target("false_rejects", 0.1, 0.95))
    return _card("verdict", Head(model, of=("pass",)), "above", unseen, targets,
                 _mark(data / verdict_data.PROMETHEUS, unseen), verdict_data.LICENCES["judge_prometheus"],
                 answerers, date)  # fmt: skip


def balanced(examples: Sequence[Example]) -> list[Example]:
    """The same examples, so weighted that each label counts as much as the rarest."""
    counts = {label: sum(e.label == label for e in examples) for label in {e.label for e in examples}}
    rarest = min(counts.values())
    return [replace(example, weight=rarest / counts[example.label]) for example in examples]


def _trained(
    name: str,
    examples: Iterable[Example],
    recipe: Recipe,
    counts: Mapping[str, int],
    licences: Mapping[str, str],
    answerers: Answerers,
    date: str,
) -> Model:
    """The head of this name, written to where the package finds it."""
    rows = joined(rows_of(examples, recipe, answerers))
    model = train(
        rows,
        recipe,
        name=name,
        strength=STRENGTH[name],
        sources=sources(counts, licences),
        date=date,
        version=sensecheck.__version__,
    )
    HEADS.mkdir(exist_ok=True)
    text = model.to_json()
    (HEADS / f"{name}.json").write_text(text, encoding="utf-8")
    return Model.from_json(text, at=name)


def _card(
    name: str,
    measure: Head,
    good: str,
    rows: Sequence[LabelledSample],
    targets: Sequence[Target],
    mark: DataMark,
    licence: str,
    answerers: Answerers,
    date: str,
) -> Card:
    card = calibrate(
        read_each(rows, measure, answerers),
        measure,
        name=name,
        good="below" if good == "below" else "above",
        method="exact",
        targets=targets,
        data=mark,
        date=date,
        version=sensecheck.__version__,
        licence=licence,
    )
    if not isinstance(card, Card):
        sys.exit(f"{name}: {card.in_words()}")
    if card.warnings:
        sys.exit(f"{name}: {'; '.join(card.warnings)}")
    return card


def _mark(path: Path, rows: Sequence[LabelledSample]) -> DataMark:
    name = f"{path.parent.name}, prompts held out from training"
    return DataMark(name, hashlib.sha256(path.read_bytes()).hexdigest(), len(rows), "label", "prompt")


if __name__ == "__main__":
    main()
