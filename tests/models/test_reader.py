"""The reader's training: what is read, what is kept apart, what is drawn, and going on where it ended."""

import gzip
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing
from transformers import BertConfig, BertModel

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # `models` is a folder of recipes, not installed

from models.minilm.source import WrongWeightsError
from models.reader.average import mean_of
from models.reader.cards import SLICED, with_common_slices
from models.reader.distill import LABEL, Said, Taught, teacher
from models.reader.evaluate import measured
from models.reader.evidence import Vectors, read_with
from models.reader.export import plain
from models.reader.mix import HELD, Drawn, Mix, overlap, part, shortcuts, weights
from models.reader.network import UNKNOWN, Batch, Judged, Reader, batches, loss_of, tokenizer
from models.reader.pairs import (
    ANY,
    CONTRADICTED,
    NO,
    NO_CONFLICT,
    NOT_STATED,
    YES,
    Pair,
    entailment,
    everyday_answers,
    everyday_claims,
    everyday_means,
    joined_pairs,
    load,
    save,
)
from models.reader.source import verified
from models.reader.train import Plan, Training, rate, train

from sensecheck.checks.calibrate import LabelledSample
from sensecheck.core.sample import Sample

WORDS = ["shop", "opens", "at", "nine", "ten", "closes", "it", "is", "red", "blue", "the", "car", "when", "?"]


def written(folder: Path, name: str, rows: Sequence[dict[str, Any]]) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(folder / name, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


def row(label: str) -> dict[str, str]:
    return {"claim": "It is red.", "evidence": "The car is red.", "label": label, "group": "g", "source": "s"}


def test_contradicted_and_unsupported_are_told_apart_only_where_the_set_can(tmp_path: Path) -> None:
    labels = ["supported", "contradicted", "unsupported"]
    for name in ("mnli_dev", "fm2"):
        written(tmp_path, f"entailment/{name}/{name}.jsonl.gz", [row(label) for label in labels])
    assert [pair.allowed for pair in entailment(tmp_path, "mnli_dev")] == [YES, {CONTRADICTED}, {NOT_STATED}]
    assert [pair.allowed for pair in entailment(tmp_path, "fm2")] == [YES, NO, NO]


def test_a_label_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    written(tmp_path, "entailment/fm2/fm2.jsonl.gz", [row("maybe")])
    with pytest.raises(ValueError, match="got 'maybe'"):
        list(entailment(tmp_path, "fm2"))


def test_an_answer_that_means_the_same_is_read_both_ways_and_another_one_only_forward(tmp_path: Path) -> None:
    answers = [
        {"text": "At nine, and it closes at ten.", "label": "same", "kind": "extra_detail"},
        {"text": "At ten.", "label": "different", "kind": "number"},
    ]
    rows = [{"group": "g", "question": "When does it open?", "expected": "At nine.", "answers": answers}]
    written(tmp_path, "everyday_train/means.jsonl.gz", rows)
    found = [(pair.claim, pair.evidence, pair.allowed) for pair in everyday_means(tmp_path)]
    assert found == [
        ("At nine.", "At nine, and it closes at ten.", YES),
        ("At nine, and it closes at ten.", "At nine.", NO_CONFLICT),
        ("At nine.", "At ten.", NO),
    ]


def test_our_own_claims_have_known_labels_and_none_is_there_twice(tmp_path: Path) -> None:
    written(tmp_path, "everyday_train/claims.jsonl.gz", [])
    pairs = list(everyday_claims(tmp_path))
    assert {len(pair.allowed) for pair in pairs} == {1}
    assert len({(pair.claim, pair.evidence) for pair in pairs}) == len(pairs)
    assert len({pair.evidence for pair in pairs}) == len({pair.group for pair in pairs})


def test_what_is_no_claim_is_not_learned_from(tmp_path: Path) -> None:
    said = [{"text": "At nine.", "label": "supported"}, {"text": "Happy to help!", "label": "no_claim"}]
    rows = [{"id": "1", "group": "g", "question": "When?", "passages": ["Opens at nine."], "sentences": said}]
    written(tmp_path, "everyday_train/answers.jsonl.gz", rows)
    assert [pair.claim for pair in everyday_answers(tmp_path)] == ["At nine."]


def test_neighbouring_sentences_are_one_claim_that_is_wrong_where_one_of_them_is() -> None:
    sentences = [
        {"text": "It opens at nine.", "label": "supported"},
        {"text": "Glad to help!", "label": "no_claim"},
        {"text": "I think it closes at ten.", "label": "contradicted"},
    ]
    passages = ["Opens at nine, closes at one."]
    row = {"id": "1", "group": "g", "question": "When?", "passages": passages, "sentences": sentences}
    pairs = [pair for seed in range(20) for pair in joined_pairs([row], Random(seed))]

    assert {pair.claim for pair in pairs} == {
        "It opens at nine. I think it closes at ten.",
        "It opens at nine; I think it closes at ten.",
        "It opens at nine, and I think it closes at ten.",
        "It opens at nine, while I think it closes at ten.",
    }
    assert {pair.allowed for pair in pairs} == {frozenset({CONTRADICTED})}
    assert {pair.claim[slice(*span)] for pair in pairs for span in pair.changed or ()} == {
        "I think it closes at ten."
    }


def test_pairs_are_read_back_as_they_were_saved(tmp_path: Path) -> None:
    pairs = [Pair("a", "b", NO, "fm2", "g", "q?", ((0, 1),), "name"), Pair("c", "d", YES, "fm2", "h")]
    assert save(pairs, tmp_path / "everyday.jsonl.gz") == 2
    assert load(tmp_path) == pairs


def test_all_pairs_of_a_group_belong_to_one_part_and_a_third_of_wice_is_held_out() -> None:
    pairs = [Pair(f"{n}", "e", YES, "wice_dev", f"wice{n % 900}") for n in range(2700)]
    parts = {pair.group: {part(other) for other in pairs if other.group == pair.group} for pair in pairs[:30]}
    assert all(len(found) == 1 for found in parts.values())
    held = sum(part(pair) == "held" for pair in pairs[:900]) / 900
    assert held == pytest.approx(HELD["wice_dev"], abs=0.05)


def test_an_edit_lies_in_the_same_part_as_the_article_it_was_made_from() -> None:
    for number in range(200):
        group = f"squad2_derived:squad:{number}"
        one, other = (Pair("c", "e", YES, source, group) for source in ("squad2_derived", "edits"))
        assert part(one) == part(other)
    assert part(Pair("c", "e", YES, "edits", "summedits:summedits:news")) == "held"


def leaky(count: int) -> list[Pair]:
    """Pairs whose label words in common and the claim's own words give away four times of five."""
    rng, pairs = Random(0), []
    for number in range(count):
        label, told = rng.random() < 0.5, rng.random() < 0.8
        claim = "car red shop" if label == told else "house never blue"
        evidence = f"car red shop {number}" if rng.random() < 0.9 else "house never blue"
        pairs.append(Pair(claim, evidence, YES if label else NO, "fm2", f"g{number}"))
    return pairs


def test_neither_words_in_common_nor_the_claim_alone_tell_the_label_of_what_is_drawn() -> None:
    pairs = leaky(1500)
    even = shortcuts(Mix(pairs, [1.0] * len(pairs), Vectors({}, np.zeros((0, 1), np.float16))).pool(0, 1500))
    fair = shortcuts(
        Mix(pairs, weights(pairs).tolist(), Vectors({}, np.zeros((0, 1), np.float16))).pool(0, 1500)
    )
    assert min(even["words in common"], even["claim alone"]) > 0.65
    for name in ("words in common", "claim alone"):
        assert fair[name] == pytest.approx(0.5, abs=0.08)


def test_a_pool_is_always_the_same_and_a_set_without_a_share_is_never_drawn() -> None:
    pairs = [Pair(f"{n}", "e", YES, "sanli_wiki" if n % 2 else "fm2", f"g{n}") for n in range(40)]
    mix = Mix(pairs, [1.0] * 40, Vectors({}, np.zeros((0, 1), np.float16)), seed=3)
    assert mix.pool(7, 20) == mix.pool(7, 20) != mix.pool(8, 20)
    assert {one.pair.source for one in mix.pool(0, 50)} == {"fm2"}


def test_evidence_is_gathered_by_meaning_where_no_word_leads_to_it() -> None:
    filler = [f"Sentence {n} speaks of {' '.join(['many other things'] * 6)}." for n in range(8)]
    pieces = [*filler[:5], "Made-to-measure curtains cannot be returned.", *filler[5:]]
    places = {text: at for at, text in enumerate(["Custom drapes are final sale.", *pieces])}
    rows = np.zeros((len(places), 2), np.float16)
    rows[:, 0] = 1
    rows[[0, 6]] = [0, 1]
    pair = Pair("Custom drapes are final sale.", " ".join(pieces), YES, "everyday_claims", "g", near=True)
    assert "curtains" in read_with(pair, Vectors(places, rows))
    assert overlap(pair) == 0


def test_the_loss_asks_only_for_what_the_label_tells() -> None:
    known = Judged(torch.tensor([[-9.0, 4.0, 4.0]]), torch.zeros(1, 1), torch.zeros(1, 1))
    silent = torch.full((1, 1), UNKNOWN)

    def loss(allowed: list[bool]) -> float:
        ids = torch.ones(1, 1, dtype=torch.long)
        return float(loss_of(known, Batch(ids, ids, ids, torch.tensor([allowed]), silent)))

    assert loss([False, True, True]) == pytest.approx(0, abs=1e-4)
    assert loss([False, True, False]) == pytest.approx(np.log(2), abs=1e-4)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An encoder of two narrow layers, and a tokenizer of a few words."""
    folder = tmp_path_factory.mktemp("tiny")
    words = {word: at for at, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS])}
    made = Tokenizer(WordLevel(words, unk_token="[UNK]"))
    made.pre_tokenizer = Whitespace()
    made.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    made.save(str(folder / "tokenizer.json"))
    shape: dict[str, Any] = {
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "hidden_size": 16,
        "intermediate_size": 32,
    }
    torch.manual_seed(0)
    small: Any = BertModel  # the package has no types for it
    small(BertConfig(vocab_size=len(words), **shape), add_pooling_layer=False).save_pretrained(folder)
    return folder


def started(folder: Path, *, half: bool = False, rank: int = 0, guided: int = 0) -> Training:
    torch.manual_seed(0)
    plan = Plan("tiny", 1, 1e-3, batch=4, pool=12, half=half, rank=rank, guided=guided)
    return Training(plan, Reader(folder, frozen=1, rank=rank, guided=guided))


def mixed() -> Mix:
    rng = Random(1)
    pairs = [
        Pair(
            " ".join(rng.choices(WORDS, k=5)),
            " ".join(rng.choices(WORDS, k=9)),
            rng.choice([YES, NO]),
            "fm2",
            f"{n}",
        )
        for n in range(60)
    ]
    return Mix(pairs, [1.0] * 60, Vectors({}, np.zeros((0, 1), np.float16)))


@pytest.mark.parametrize(("half", "rank"), [(False, 0), (True, 0), (False, 2)])
def test_a_training_that_was_stopped_goes_on_exactly_as_if_it_had_not_been(
    tiny: Path, tmp_path: Path, half: bool, rank: int
) -> None:
    known, mix = tokenizer(tiny), mixed()

    def go(training: Training, steps: int, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        train(training, mix, known, hours=9.0, folder=folder, sets={}, every=9e9, most=steps)

    whole, first, second = (started(tiny, half=half, rank=rank) for _ in range(3))
    go(whole, 7, tmp_path / "whole")
    go(first, 4, tmp_path / "parts")
    second.resume(tmp_path / "parts")
    go(second, 3, tmp_path / "parts")
    assert (second.steps, second.seen, second.pool, second.at) == (7, 28, whole.pool, whole.at)
    for name, weight in whole.model.state_dict().items():
        assert torch.equal(weight, second.model.state_dict()[name]), name
    for name, weight in whole.mean.items():
        assert torch.equal(weight, second.mean[name]), name


def test_half_precision_computes_faster_passes_and_still_adds_small_steps(tiny: Path) -> None:
    exact, half = started(tiny), started(tiny, half=True)
    batch = next(batches(mixed().pool(0, 4), tokenizer(tiny), size=4))
    for training in (exact, half):
        for _ in range(30):
            training.step(batch, 0.0)
    weights = {name: weight.dtype for name, weight in half.model.named_parameters()}
    assert {weights[name] for name in weights if name.startswith("encoder.")} == {torch.bfloat16}
    assert {weight.dtype for weight in half.mean.values()} == {torch.float32}
    assert half.loss == pytest.approx(exact.loss, rel=0.05)


def test_a_pupil_learns_what_a_teacher_says_and_the_teacher_is_asked_once(tiny: Path, tmp_path: Path) -> None:
    asked: list[int] = []

    def sure(drawn: Sequence[Drawn]) -> Said:
        asked.append(len(drawn))
        states = np.tile(np.array([1.0, -1.0, 1.0, -1.0], np.float32), (len(drawn), 1))
        return Said(np.array([[0.1, 0.7, 0.2]] * len(drawn), np.float32), states)

    taught = Taught(mixed(), sure, tmp_path)
    pool = taught.pool(0, 40)
    assert (taught.pool(0, 40), asked) == (pool, [40])
    unknown = [one for one in pool if one.pair.allowed == ANY]
    assert 0 < len(unknown) < 20
    assert all(one.wanted == pytest.approx((0.1, 0.7, 0.2), abs=1e-4) for one in unknown)
    known = np.array([one.wanted for one in pool if one.pair.allowed == YES])
    told = (1 - LABEL) * np.array([0.1, 0.7, 0.2])
    np.testing.assert_allclose(
        known, np.tile([told[0] + LABEL, told[1], told[2]], (len(known), 1)), atol=1e-4
    )
    assert all(one.wanted is not None and one.wanted[0] < 0.1 for one in pool if one.pair.allowed == NO)

    training = started(tiny, guided=4)
    losses = []
    for _ in range(20):
        for batch in batches(unknown, tokenizer(tiny), size=len(unknown)):
            judged = training.model(batch.ids, batch.mask, batch.types)
            losses.append(
                [float(loss_of(judged, batch, guide).detach()) for guide in (None, training.model.guide)]
            )
            training.step(batch, 0.0)
    assert losses[-1][0] < losses[0][0] - 0.02
    assert losses[-1][0] > 0.8  # how unsure the teacher is, is the least that can be reached
    (first, *_), (last, *_) = ([whole - pair] for pair, whole in (losses[0], losses[-1]))
    assert last < first - 0.1  # its vectors come nearer to those of the teacher


def test_the_teacher_is_the_averaged_weights_of_its_run(tiny: Path, tmp_path: Path) -> None:
    training = started(tiny)
    training.mean["label.bias"] += torch.tensor([5.0, 0.0, 0.0])
    (tmp_path / "run").mkdir()
    training.save(tmp_path / "run")
    (tmp_path / "run/plan.json").write_text(json.dumps({"size": "minilm"}))
    (tmp_path / "minilm").symlink_to(tiny)
    pool = mixed().pool(0, 7)
    said = teacher(tmp_path / "run", cache=tmp_path)(pool)
    training.model.load_state_dict(training.mean, strict=False)
    judged = [
        training.model(batch.ids, batch.mask, batch.types) for batch in batches(pool, tokenizer(tiny), size=1)
    ]
    np.testing.assert_allclose(said.labels, [one.labels.softmax(-1)[0].tolist() for one in judged], atol=1e-5)
    states = [one.state[0].detach().numpy() for one in judged]
    np.testing.assert_allclose(
        said.states, [(state - state.mean()) / state.std() for state in states], atol=1e-3
    )
    assert said.labels[:, 0].min() > 0.9


def test_what_leads_to_a_teacher_is_not_shipped_and_nobody_goes_on_with_it(
    tiny: Path, tmp_path: Path
) -> None:
    first, second = started(tiny, guided=4), started(tiny)
    first.save(tmp_path)
    second.start(tmp_path)
    assert second.mean.keys() == first.mean.keys() - {"guide.weight", "guide.bias"}
    assert not any(name.startswith("guide") for name in plain(first.whole()))


def test_frozen_layers_stay_as_they_are_and_the_others_learn(tiny: Path) -> None:
    training, before = started(tiny), started(tiny).model.state_dict()
    for batch in batches(mixed().pool(0, 12), tokenizer(tiny), size=4, rng=Random(0)):
        training.step(batch, 0.0)
    after = training.model.state_dict()
    same = {name for name in before if torch.equal(before[name], after[name])}
    assert all(name in same for name in before if "embeddings" in name or "layer.0" in name)
    assert not any("layer.1.output.dense.weight" in name or name == "label.weight" for name in same)


def test_a_few_directions_learn_and_come_out_as_a_whole_reader(tiny: Path, tmp_path: Path) -> None:
    first, pool = started(tiny), mixed().pool(0, 12)
    for weight in first.mean.values():  # biases too are no longer as they were published
        weight += 0.1 * torch.randn_like(weight)
    first.save(tmp_path)
    training = started(tiny, rank=2)
    training.start(tmp_path)
    before = {name: weight.clone() for name, weight in training.model.state_dict().items()}
    for batch in batches(pool, tokenizer(tiny), size=4, rng=Random(0)):
        training.step(batch, 0.0)
    training._take(training.mean)
    for name in ("weight", "bias"):
        name = f"encoder.encoder.layer.1.output.dense.{name}"
        assert torch.equal(before[name], training.model.state_dict()[name])
    training.save(tmp_path)
    alone = Reader(tiny, frozen=1)
    alone.load_state_dict(torch.load(tmp_path / "checkpoint.pt", weights_only=True)["mean"], strict=False)
    further = [started(tiny), started(tiny, rank=2)]
    for one in further:
        one.start(tmp_path)
    said = training.model(batch.ids, batch.mask, batch.types).labels.detach()
    for model in (alone, *(one.model for one in further)):
        again = model(batch.ids, batch.mask, batch.types).labels.detach()
        np.testing.assert_allclose(said, again, atol=1e-5)


def test_a_mean_is_of_runs_that_learned_the_same(tiny: Path, tmp_path: Path) -> None:
    for name, by in (("one", 1.0), ("other", 3.0)):
        (tmp_path / name).mkdir()
        training = started(tiny)
        training.mean["label.bias"][:] = by
        training.save(tmp_path / name)
    mean = mean_of({"one": 1.0, "other": 3.0}, "tiny", tmp_path)
    assert mean["label.bias"].tolist() == [2.5, 2.5, 2.5]
    state = torch.load(tmp_path / "one/checkpoint.pt", weights_only=True)
    del state["mean"]["label.bias"]
    torch.save(state, tmp_path / "one/checkpoint.pt")
    with pytest.raises(SystemExit, match="`other` did not"):
        mean_of({"one": 1.0, "other": 1.0}, "tiny", tmp_path)


def test_rates_are_also_counted_by_what_many_rows_share_alone() -> None:
    rows = [LabelledSample(Sample("a"), True, slices={"kind": "number", "n": f"{n}"}) for n in range(SLICED)]
    rows += [LabelledSample(Sample("a"), True, slices={"kind": "rare"})]
    assert [row.slices for row in with_common_slices(rows)] == [{"kind": "number"}] * SLICED + [{}]


def test_only_the_wrong_words_of_the_claim_are_marked(tiny: Path) -> None:
    pair = Pair("it opens at ten", "it opens at nine", NO, "fm2", "g", "when ?", changed=((12, 15),))
    mix = Mix([pair], [1.0], Vectors({}, np.zeros((0, 1), np.float16)))
    (batch,) = batches(mix.pool(0, 1), tokenizer(tiny), size=1)
    assert [value for value in batch.tokens[0].tolist() if value != UNKNOWN] == [0, 0, 0, 1]


def test_the_rate_rises_stays_and_falls_to_nothing() -> None:
    assert rate(0, 0.0) < rate(50, 0.1) < rate(100, 0.2) == rate(10_000, 0.79) == 1
    assert 0 == rate(10_000, 1.0) < rate(10_000, 0.9) < 1


def test_figures_have_an_interval_over_groups_only_when_it_was_asked_for() -> None:
    pairs = [Pair("c", "e", YES if n % 2 else frozenset({CONTRADICTED}), "fm2", f"g{n}") for n in range(20)]
    found = np.array([[0.8, 0.1, 0.1] if n % 2 else [0.1, 0.8, 0.1] for n in range(20)])
    known = measured(pairs, found, rounds=0)
    assert (known["auroc"], known["contradicted auroc"], known["balanced accuracy"]) == (1, 1, 1)
    assert "interval" not in known
    assert measured(pairs, found, rounds=20)["interval"] == (1, 1)


def test_weights_that_are_not_the_published_ones_are_refused() -> None:
    with pytest.raises(WrongWeightsError, match=r"model\.safetensors"):
        verified({"model.safetensors": b"other"})
