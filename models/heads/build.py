"""Train the heads that ship with sensecheck, and fit their cards: `python models/heads/build.py`."""

import argparse
import hashlib
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from models.heads import refusal_data, refusal_recipe, verdict_data, verdict_recipe
from models.heads.added_cues import with_added_cues
from models.heads.public import ROOT, data_folder, is_held_out, remembering_encoder, sources

import sensecheck
from sensecheck.calibration.card import Card, DataMark
from sensecheck.calibration.target import Target
from sensecheck.checks.calibrate import LabelledSample, fit_card, read_each
from sensecheck.checks.decision import OpenCheck
from sensecheck.checks.thresholds import open_check
from sensecheck.checks.train import Example, joined, rows_of, train
from sensecheck.core.backends import Backends
from sensecheck.measures.heads.features import HeadRecipe
from sensecheck.measures.heads.head import Head
from sensecheck.measures.heads.model import HeadModel

HEADS = ROOT / "src" / "sensecheck" / "measures" / "heads" / "shipped"
CARDS = ROOT / "src" / "sensecheck" / "calibration" / "cards"
HELD_OUT = {"refusal": 0.4, "everyday": 0.3, "multilingual": 0.4, "verdict": 0.6}
"""The share of prompts whose answers no head is trained on: the cards are fitted on those. Few prompts have
feedback that fails an answer, and a promise wants many of them."""

STRENGTH = {"refusal": 0.6, "refusal_multilingual": 1.0, "verdict": 3.0}
"""How freely the weights are fitted; chosen on held-out models and prompts."""

IDIOM_STRENGTH = 3.0
"""The same for the cues of idioms, which are few beside their rows."""

_ENGLISH = 0.5
"""What an English row counts beside one in another language: there are three of them to one of the others."""


def main() -> None:
    """Build them, from the data that the settings name."""
    parser = argparse.ArgumentParser(description="Train the shipped heads and fit their cards.")
    parser.add_argument("--date", required=True, help="the day that the files will carry: 2026-01-31")
    parser.add_argument(
        "--only",
        choices=("refusal", "refusal_multilingual", "verdict"),
        help="build this one, and leave the other",
    )
    given = parser.parse_args()
    data = data_folder(nothing="nothing was built")
    answerers = Backends(remembering_encoder())
    for build in (refusal, refusal_multilingual, verdict):
        if given.only not in (None, build.__name__):
            continue
        card = build(data, answerers, str(given.date))
        (CARDS / f"{card.name}.json").write_text(card.to_json(), encoding="utf-8")
        print(f"{card.name}: line {card.line:g}, doubt {card.doubt}; {card.promise}")
        print(f"  held out: {card.rates}")


def refusal(data: Path, answerers: Backends, date: str) -> Card:
    """Refusals, partial ones, answers, those behind a disclaimer, and those who say they do not know."""
    labelled = [example for _, example in refusal_data.xstest(data)]
    seen = [example for example in labelled if not is_held_out(str(example.group), HELD_OUT["refusal"])]
    plain = [example for _, example in refusal_data.harmless(data)]
    everyday = refusal_data.everyday(data)
    today = [example for example in everyday if not is_held_out(str(example.group), HELD_OUT["everyday"])]
    short = refusal_data.short_answers(data)
    own = refusal_data.our_own()
    prefixed = [refusal_data.behind_disclaimers(examples) for examples in (seen, plain)]
    counts = {
        "xstest": len(seen) + len(prefixed[0]),
        "refusal_direction_harmless": len(plain) + len(prefixed[1]),
        "everyday_train": len(today) + len(short),
        "our own": len(own),
    }
    phrases = refusal_data.common_phrases([*today, *own], least=refusal_recipe.LEAST)
    text = "".join(f"{phrase}\n" for phrase in (phrase.replace("\n", "\\n") for phrase in phrases))
    refusal_recipe.PHRASES.write_text(text, encoding="utf-8")
    model = _trained(
        "refusal",
        [*seen, *plain, *today, *short, *own, *prefixed[0], *prefixed[1]],
        replace(refusal_recipe.BASE, phrases=phrases),
        counts,
        refusal_data.LICENCES,
        answerers,
        date,
    )
    idioms = refusal_data.idioms()
    model = _written(
        with_added_cues(
            model,
            refusal_recipe.with_idioms(model.recipe),
            idioms,
            answerers,
            strength=IDIOM_STRENGTH,
            sources=sources(counts | {"our own": len(own) + len(idioms)}, refusal_data.LICENCES),
        )
    )
    unseen = [
        LabelledSample(example.sample, example.label != "refusal", example.group, {"set": name})
        for name, examples, share in (
            ("xstest", labelled, HELD_OUT["refusal"]),
            ("everyday_train", everyday, HELD_OUT["everyday"]),
        )
        for example in examples
        if is_held_out(str(example.group), share)
        and example.label != "partial"
        and not model.was_trained_on(example.sample.answer)  # models repeat themselves across prompts
    ]
    targets = (Target("false_accepts", 0.1, 0.95), Target("false_rejects", 0.07, 0.95))
    files = [data / refusal_data.XSTEST, data / refusal_data.EVERYDAY]
    licence = "; ".join(refusal_data.LICENCES[name] for name in ("xstest", "everyday_train"))
    return _card("refusal", open_check("not_a_refusal"), "below", unseen, targets, _mark(files, unseen),
                 licence, answerers, date)  # fmt: skip


def refusal_multilingual(data: Path, answerers: Backends, date: str) -> Card:
    """The same in other languages, over sentences in a space that many languages share."""
    del answerers
    many = Backends(remembering_encoder("multilingual"))
    share = HELD_OUT["multilingual"]
    rows = refusal_data.in_every_language(data)
    labelled = [(language, row) for language, row in rows if language != "hi"]  # the encoder cannot read it
    seen = [
        replace(example, weight=_ENGLISH) if language == "en" else example
        for language, example in labelled
        if not is_held_out(str(example.group), share)
    ]
    own = [replace(example, weight=_ENGLISH) for example in refusal_data.our_own()]
    short = refusal_data.short_answers(data)
    model = _trained(
        "refusal_multilingual",
        [*seen, *short, *own],
        refusal_recipe.MULTILINGUAL,
        {"everyday_train": len(seen) + len(short), "our own": len(own)},
        refusal_data.LICENCES,
        many,
        date,
    )
    unseen = [
        LabelledSample(
            example.sample,
            example.label != "refusal",
            example.group,
            {"language": "English" if language == "en" else "others"},
        )
        for language, example in labelled
        if is_held_out(str(example.group), share)
        and example.label != "partial"
        and not model.was_trained_on(example.sample.answer)
    ]
    targets = (Target("false_accepts", 0.08, 0.95), Target("false_rejects", 0.06, 0.95))
    return _card("refusal_multilingual", open_check("not_a_refusal_multilingual"), "below", unseen, targets,
                 _mark([data / refusal_data.EVERYDAY], unseen), refusal_data.LICENCES["everyday_train"],
                 many, date)  # fmt: skip


def verdict(data: Path, answerers: Backends, date: str) -> Card:
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
                 _mark([data / verdict_data.PROMETHEUS], unseen), verdict_data.LICENCES["judge_prometheus"],
                 answerers, date)  # fmt: skip


def balanced(examples: Sequence[Example]) -> list[Example]:
    """The same examples, so weighted that each label counts as much as the rarest."""
    counts = {label: sum(e.label == label for e in examples) for label in {e.label for e in examples}}
    rarest = min(counts.values())
    return [replace(example, weight=rarest / counts[example.label]) for example in examples]


def _trained(
    name: str,
    examples: Iterable[Example],
    recipe: HeadRecipe,
    counts: Mapping[str, int],
    licences: Mapping[str, str],
    answerers: Backends,
    date: str,
) -> HeadModel:
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
    return _written(model)


def _written(model: HeadModel) -> HeadModel:
    """The head, from where the package finds it."""
    HEADS.mkdir(exist_ok=True)
    text = model.to_json()
    (HEADS / f"{model.name}.json").write_text(text, encoding="utf-8")
    return HeadModel.from_json(text, at=model.name)


def _card(
    name: str,
    measure: Head | OpenCheck,
    good: str,
    rows: Sequence[LabelledSample],
    targets: Sequence[Target],
    mark: DataMark,
    licence: str,
    answerers: Backends,
    date: str,
) -> Card:
    card = fit_card(
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
        sys.exit(f"{name}: {card.describe()}")
    if card.warnings:
        sys.exit(f"{name}: {'; '.join(card.warnings)}")
    return card


def _mark(paths: Sequence[Path], rows: Sequence[LabelledSample]) -> DataMark:
    name = f"{'+'.join(path.parent.name for path in paths)}, prompts held out from training"
    content = b"".join(path.read_bytes() for path in paths)
    return DataMark(name, hashlib.sha256(content).hexdigest(), len(rows), "label", "prompt")


if __name__ == "__main__":
    main()
