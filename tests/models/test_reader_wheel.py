"""From a run's checkpoint to the wheel that is installed, with encoders of two narrow layers."""

import hashlib
import json
import runpy
import shutil
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import onnx
import pytest
import torch
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import RobertaProcessing, TemplateProcessing
from transformers import BertConfig, BertModel, MPNetConfig, MPNetModel

from sensecheck.encoders.runtime import InferenceSession

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # `models` is a folder of recipes, not installed

from models.minilm.graph import widened
from models.minilm.source import WrongWeightsError
from models.reader.build import PACKAGES, PINS, build, model_files, pinned, pins
from models.reader.export import exported, plain
from models.reader.graph import buckets, reader
from models.reader.network import Reader
from models.reader.network import tokenizer as cutting
from models.reader.shipped import LABELS, WEIGHTS, Made, learned
from models.reader.source import base as published
from models.reader.train import Plan, Training

WORDS = [
    "shop",
    "opens",
    "at",
    "nine",
    "ten",
    "closes",
    "it",
    "is",
    "red",
    "blue",
    "the",
    "car",
    "when",
    "?",
    "not",
]
PAIRS = (
    ("it opens at nine", "the shop opens at ten"),
    ("when ? it is not red", f"when ? {'the car is blue ' * 70}"),
    ("it", "red"),
    ("the car is red and green", "the car is red " * 9),
)
SHIPPED = sorted(WEIGHTS.glob("*.safetensors"))
Rows = NDArray[np.float32]


class Trained(NamedTuple):
    """A run as it lies under `.cache/reader`, and its network."""

    folder: Path
    cache: Path
    network: Reader


def tokenizer_for(kind: str) -> Tokenizer:
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"] if kind == "bert" else ["<s>", "<pad>", "</s>", "[UNK]"]
    words = {word: at for at, word in enumerate([*special, *WORDS])}
    made = Tokenizer(WordLevel(words, unk_token="[UNK]"))
    made.pre_tokenizer = Whitespace()
    if kind == "mpnet":
        made.post_processor = RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    else:
        made.post_processor = TemplateProcessing(
            single="[CLS] $A [SEP]",
            pair="[CLS] $A [SEP] $B:1 [SEP]:1",
            special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
        )
    made.enable_truncation(128)
    return made


def trained(kind: str, cache: Path) -> Trained:
    """A run whose first layer stayed as it was, and whose other weights moved far from where they began."""
    size = {"bert": "minilm", "mpnet": "mpnet"}[kind]
    base, folder = cache / size, cache / "run"
    folder.mkdir()
    known = tokenizer_for(kind)
    shape: dict[str, Any] = {
        "vocab_size": known.get_vocab_size(),
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "hidden_size": 32,
        "intermediate_size": 64,
        "initializer_range": 0.3,
    }
    made: Any = BertModel if kind == "bert" else MPNetModel  # the package has no types for them
    config = BertConfig(**shape) if kind == "bert" else MPNetConfig(max_position_embeddings=514, **shape)
    torch.manual_seed(0)
    made(config, add_pooling_layer=False).save_pretrained(base)
    known.save(str(base / "tokenizer.json"))
    plan = Plan(size, 1, 1e-3, shares={"everyday_means": 3.0, "fm2": 1.0})
    training = Training(plan, Reader(base, frozen=1))
    for value in training.mean.values():
        value += 0.1 * torch.randn_like(value)
    training.model.load_state_dict(training.mean, strict=False)
    training.seen = 4321
    training.save(folder)
    (folder / "plan.json").write_text(json.dumps({"size": size, "frozen": 1, "rate": 1e-3, "seed": 0,
                                                  "shares": dict(plan.shares)}))  # fmt: skip
    return Trained(folder, cache, training.model.eval())


@pytest.fixture(scope="module", params=["bert", "mpnet"])
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Trained:
    return trained(request.param, tmp_path_factory.mktemp(request.param))


@pytest.fixture(scope="module")
def weights(run: Trained, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = exported(run.folder, cache=run.cache)
    path = tmp_path_factory.mktemp("weights") / file.name
    path.write_bytes(file.content)
    return path


def folder_of(weights: Path, run: Trained, target: Path) -> Path:
    """The model's folder, as the wheel carries it."""
    for name, content in model_files(weights, run.cache / weights.stem)[0].items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_bytes(content)
    return target


@pytest.fixture(scope="module")
def model(weights: Path, run: Trained, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return folder_of(weights, run, tmp_path_factory.mktemp("model"))


def read(known: Tokenizer, pairs: Sequence[tuple[str, str]]) -> list[Encoding]:
    return [known.encode(*pair) for pair in pairs]


def fed(rows: Sequence[Encoding], *, padding: int = 1) -> dict[str, NDArray[np.int64]]:
    """The inputs of a batch; shorter rows are filled up."""
    longest = max(len(row.ids) for row in rows)

    def filled(name: str, value: int) -> NDArray[np.int64]:
        return np.array([[*getattr(row, name), *[value] * (longest - len(row.ids))] for row in rows])

    return {
        "input_ids": filled("ids", padding),
        "attention_mask": filled("attention_mask", 0),
        "token_type_ids": filled("type_ids", 1),
    }


def judged(graph: bytes | Path, given: dict[str, NDArray[np.int64]]) -> tuple[Rows, Rows]:
    session = InferenceSession(graph, providers=["CPUExecutionProvider"])
    wanted = {entry.name for entry in session.get_inputs()}
    logits, tokens = session.run(["logits", "tokens"], {name: given[name] for name in wanted})
    return logits, tokens


def probabilities(logits: Rows) -> Rows:
    raised: Rows = np.exp(logits - logits.max(-1, keepdims=True))
    shares: Rows = raised / raised.sum(-1, keepdims=True)
    return shares


def in_torch(network: Reader, given: dict[str, NDArray[np.int64]]) -> tuple[Rows, Rows]:
    ids, mask, types = (torch.from_numpy(given[name]) for name in given)
    with torch.inference_mode():
        said = network(ids, mask, types)
    return said.labels.numpy(), said.tokens.numpy()


def test_the_graph_is_the_network_that_was_trained(run: Trained) -> None:
    (base,) = run.cache.glob("m*")
    given = fed(read(cutting(base), PAIRS))
    graph = reader(plain(run.network.state_dict()), json.loads((base / "config.json").read_text()))
    logits, tokens = judged(graph.SerializeToString(), given)
    wanted, wanted_tokens = in_torch(run.network, given)
    kept = given["attention_mask"] == 1

    assert given["input_ids"].shape[1] == 256
    np.testing.assert_allclose(logits, wanted, rtol=0, atol=2e-5)
    np.testing.assert_allclose(tokens[kept], wanted_tokens[kept], rtol=0, atol=2e-5)
    assert np.ptp(logits, axis=0).min() > 0.05


def test_tokens_of_the_shipped_folder_give_the_probabilities_of_the_network_with_weights_of_one_byte(
    run: Trained, weights: Path, model: Path
) -> None:
    known = Tokenizer.from_file(str(model / "tokenizer.json"))
    limits = json.loads((model / "config.json").read_text())
    known.enable_truncation(limits["pair_tokens"], strategy="only_second")
    (base,) = run.cache.glob("m*")
    assert [row.ids for row in read(known, PAIRS)] == [row.ids for row in read(cutting(base), PAIRS)]

    bytes_only = trained_with(run, base, onnx.load(model / "onnx/model.onnx"))
    given = fed(read(known, PAIRS))
    logits, _ = judged(model / "onnx/model.onnx", given)
    wanted, _ = in_torch(bytes_only, given)
    unrounded, _ = in_torch(run.network, given)
    np.testing.assert_allclose(probabilities(logits), probabilities(wanted), rtol=0, atol=1e-5)
    assert 1e-6 < np.abs(probabilities(logits) - probabilities(unrounded)).max() < 0.05


def trained_with(run: Trained, base: Path, graph: onnx.ModelProto) -> Reader:
    """The network with exactly the weights that lie in a graph."""
    arrays = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in graph.graph.initializer}
    wide = widened({name.removesuffix(".bytes"): value for name, value in arrays.items()})
    network = Reader(base)
    names = network.state_dict().keys()
    state = {name: torch.from_numpy(wide[name.removeprefix("encoder.")].copy()) for name in names}
    network.load_state_dict(state)
    return network.eval()


def test_a_pair_is_not_moved_by_its_batch_nor_by_what_fills_it_up(run: Trained, model: Path) -> None:
    known = cutting(next(run.cache.glob("m*")))
    rows = read(known, PAIRS)
    together, tokens = judged(model / "onnx/model.onnx", fed(rows))
    other, _ = judged(model / "onnx/model.onnx", fed(rows, padding=5))

    np.testing.assert_array_equal(other, together)
    for at, row in enumerate(rows):
        alone, of_tokens = judged(model / "onnx/model.onnx", fed([row]))
        np.testing.assert_allclose(alone[0], together[at], rtol=0, atol=1e-5)
        np.testing.assert_allclose(of_tokens[0], tokens[at, : len(row.ids)], rtol=0, atol=1e-5)


def test_distances_are_sorted_into_the_buckets_of_mpnet() -> None:
    from transformers.models.mpnet.modeling_mpnet import MPNetEncoder

    theirs: Any = MPNetEncoder  # the package has no types for it
    wanted = theirs.relative_position_bucket(torch.arange(-511, 512), num_buckets=32)
    np.testing.assert_array_equal(buckets(512, 32), wanted.numpy())


def test_an_export_has_only_what_was_learned_and_always_the_same_bytes(run: Trained, weights: Path) -> None:
    made, kept = Made.read(weights)

    assert weights.read_bytes() == exported(run.folder, cache=run.cache).content
    assert not [name for name in kept if "embeddings" in name or "layer.0" in name]
    learned = {name for name, value in run.network.named_parameters() if value.requires_grad}
    assert {name for name in kept if not name.endswith(".scale")} == set(
        plain({name: torch.zeros(1) for name in learned})
    )
    assert {value.dtype for name, value in kept.items() if name.endswith("dense.weight")} == {
        np.dtype("uint8")
    }
    (stage,) = made.stages
    assert (stage.pairs, stage.shares) == (4321, {"everyday_means": 0.75, "fm2": 0.25})


def test_a_run_that_began_with_another_one_names_both(run: Trained, tmp_path: Path) -> None:
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "checkpoint.pt").symlink_to(run.folder / "checkpoint.pt")
    (base,) = run.cache.glob("m*")
    (tmp_path / base.name).symlink_to(base)
    plan = json.loads((run.folder / "plan.json").read_text())
    (tmp_path / "first/plan.json").write_text(json.dumps(plan))
    (tmp_path / "second/plan.json").write_text(json.dumps(plan | {"start": "first", "shares": {}}))
    made = exported(tmp_path / "second", cache=tmp_path).made

    assert [stage.run for stage in made.stages] == ["first", "second"]
    assert sum(made.stages[1].shares.values()) == pytest.approx(1, abs=0.01)


def test_what_is_learned_later_is_a_small_file_beside_the_first_one(
    run: Trained, weights: Path, tmp_path: Path
) -> None:
    first = tmp_path / weights.name
    first.write_bytes(weights.read_bytes())
    later = tmp_path / "later"
    later.mkdir()
    plan = json.loads((run.folder / "plan.json").read_text())
    start = f"shipped:{Made.read(first)[0].digest}"
    (later / "plan.json").write_text(json.dumps(plan | {"start": start}))
    state = torch.load(run.folder / "checkpoint.pt", weights_only=True)
    torch.manual_seed(1)
    for value in state["mean"].values():
        if value.ndim == 2:  # what training changes lies in few directions
            value += 0.1 * torch.randn(len(value), 2) @ torch.randn(2, value.shape[1])
    torch.save(state, later / "checkpoint.pt")
    file = exported(later, cache=run.cache, weights=tmp_path, rank=20)
    (tmp_path / file.name).write_bytes(file.content)
    encoder = (run.cache / weights.stem / "model.safetensors").read_bytes()
    told, known, _ = learned(first, encoder)

    assert file.name == f"{weights.stem}.2.safetensors"
    assert [stage.run for stage in told[-1].stages] == [run.folder.name, "later"]
    assert any(name.endswith(".left") for name in Made.read(tmp_path / file.name)[1])
    for name, value in plain(state["mean"]).items():
        np.testing.assert_allclose(known[name], value, rtol=0, atol=0.05, err_msg=name)
        np.testing.assert_array_equal(known[name], file.weights[name], err_msg=name)
    assert model_files(first, run.cache / weights.stem)[1] == told[-1]

    third = tmp_path / "third"
    third.mkdir()
    (third / "plan.json").write_text(json.dumps(plan | {"start": f"shipped:{told[-1].digest}"}))
    torch.save(state, third / "checkpoint.pt")
    both = exported(third, cache=run.cache, weights=tmp_path, rank=20, instead=1)
    assert (both.name, both.made.base) == (file.name, told[0].digest)
    assert [stage.run for stage in both.made.stages] == [run.folder.name, "later", "third"]
    for name, value in plain(state["mean"]).items():
        np.testing.assert_allclose(both.weights[name], value, rtol=0, atol=0.05, err_msg=name)

    (tmp_path / f"{weights.stem}.3.safetensors").write_bytes(file.content)
    with pytest.raises(WrongWeightsError, match="go on from the file before"):
        learned(first, encoder)
    with pytest.raises(WrongWeightsError, match="has the digest 0"):
        learned(weights, encoder, until="0" * 64)


def test_weights_that_were_changed_and_an_encoder_that_is_another_are_refused(
    run: Trained, weights: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    shutil.copytree(run.cache / weights.stem, other)
    encoder = (other / "model.safetensors").read_bytes()
    (other / "model.safetensors").write_bytes(encoder[:-1] + bytes([encoder[-1] ^ 1]))
    with pytest.raises(WrongWeightsError, match="not what was trained further"):
        model_files(weights, other)

    content = weights.read_bytes()
    changed = tmp_path / "changed.safetensors"
    changed.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(WrongWeightsError, match="digest"):
        Made.read(changed)


def test_the_folder_says_what_the_outputs_mean_and_what_it_was_trained_on(model: Path) -> None:
    config = json.loads((model / "config.json").read_text())
    card = (model / "README.md").read_text()

    assert [config["id2label"][str(at)] for at in range(3)] == list(LABELS)
    assert config["label2id"] == {"supported": 0, "contradicted": 1, "not_stated": 2}
    assert (config["claim_tokens"], config["pair_tokens"]) == (160, 256)
    assert "| fm2 | CC BY-SA 3.0 | " in card
    assert "| 25.0% |" in card
    assert "4,321" in card
    assert not [word for word in ("BASE", "INPUTS", "TOKENS", "<!--") if word in card]


def test_the_wheel_carries_the_folder_under_the_name_of_its_size(
    run: Trained, weights: Path, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("models.reader.build.base", lambda size: run.cache / size)
    sums = build(weights, out=tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    module = {"minilm": "sensecheck_verifier", "mpnet": "sensecheck_verifier_large"}[weights.stem]

    assert wheel.name == f"{module}-2.0.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        for name in ("onnx/model.onnx", "tokenizer.json", "config.json", "LICENSE", "README.md"):
            assert archive.read(f"{module}/model/{name}") == (model / name).read_bytes(), name
        described = archive.read(f"{module}-2.0.0.dist-info/METADATA").decode()
    assert f"Name: {module.replace('_', '-')}\n" in described
    assert f"import {module}\n" in described
    assert sums["onnx/model.onnx"] == hashlib.sha256((model / "onnx/model.onnx").read_bytes()).hexdigest()


def test_pins_are_a_module_that_names_every_sum(tmp_path: Path) -> None:
    sums = {"onnx/model.onnx": "a" * 64, "config.json": "b" * 64}
    path = tmp_path / "pins.py"
    path.write_text(pins(dict.fromkeys(PACKAGES.values(), sums)))
    found = runpy.run_path(str(path))

    assert found["VERIFIER"].package == "sensecheck_verifier"
    assert found["VERIFIER_LARGE"].package == "sensecheck_verifier_large"
    assert found["VERIFIER_LARGE"].package_files == sums


@pytest.mark.skipif(not SHIPPED, reason="no weights of a reader are here yet")
def test_the_weights_give_the_files_that_we_pinned() -> None:
    found = {
        PACKAGES[path.stem]: pinned(model_files(path, published(path.stem))[0])
        for path in SHIPPED
        if path.stem in PACKAGES
    }

    assert pins(found) == PINS.read_text("utf-8")


def test_a_training_begins_with_the_averaged_weights_of_another_run(run: Trained) -> None:
    (base,) = run.cache.glob("m*")
    training = Training(Plan(base.name, 0, 1e-3, start="run"), Reader(base, frozen=0))
    before = training.model.state_dict()["encoder.embeddings.word_embeddings.weight"].clone()
    training.start(run.folder)

    for name, value in run.network.state_dict().items():
        assert torch.equal(training.model.state_dict()[name], value), name
    assert torch.equal(training.model.state_dict()["encoder.embeddings.word_embeddings.weight"], before)
    assert torch.equal(training.mean["label.weight"], run.network.label.weight)
    assert training.steps == 0


def test_a_run_that_learned_more_layers_is_no_start(run: Trained) -> None:
    (base,) = run.cache.glob("m*")
    with pytest.raises(ValueError, match=r"smaller `--frozen`"):
        Training(Plan(base.name, 2, 1e-3), Reader(base, frozen=2)).start(run.folder)
