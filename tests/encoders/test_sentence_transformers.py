"""sentence-transformers: the same model from the same weights, read whole.

What it stands on takes seconds to import, which only who runs these tests should pay.
"""

import json
import shutil
from pathlib import Path

import huggingface_hub
import numpy as np
import onnx
import pytest
from onnx import numpy_helper

from sensecheck.core.backends import Encoder
from sensecheck.core.errors import EncoderError, SpecError, Unreachable, WeightsError
from sensecheck.core.loading import EncoderOptions, load_encoder
from sensecheck.encoders.invariance import TEXTS
from sensecheck.testing import encoder_contract

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(model_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The default model in the form that torch reads, made from the graph that we ship."""
    import torch
    from transformers import BertConfig, BertModel

    made = tmp_path_factory.mktemp("torch") / "minilm"
    shutil.copytree(model_folder, made, ignore=shutil.ignore_patterns("onnx"))
    graph = onnx.load(str(model_folder / "onnx/model.onnx")).graph
    kept = {one.name: torch.tensor(numpy_helper.to_array(one)) for one in graph.initializer}
    config = BertConfig.from_json_file(str(made / "config.json"))
    model = BertModel(config)  # type: ignore[no-untyped-call]  # transformers leaves it untyped
    missing = model.load_state_dict(kept, strict=False).missing_keys
    assert all(name.startswith("pooler.") for name in missing), missing
    model.save_pretrained(made)
    return made


@pytest.fixture(scope="module")
def encoder(folder: Path) -> Encoder:
    return load_encoder(f"sentence_transformers:{folder}")


def test_it_keeps_the_contract(encoder: Encoder) -> None:
    import torch

    encoder_contract(encoder)
    assert encoder.name == "minilm"
    assert torch.get_num_threads() == 1


def test_its_vectors_equal_those_of_the_default_engine(encoder: Encoder, minilm: Encoder) -> None:
    short = TEXTS[:7]
    for one, other in zip(encoder.encode(short), minilm.encode(short), strict=True):
        assert one.spans == other.spans
        assert np.abs(one.vector - other.vector).max() < 1e-5


def test_a_long_text_lies_where_the_default_engine_places_it(encoder: Encoder, minilm: Encoder) -> None:
    one, other = (engine.encode([TEXTS[7]])[0] for engine in (encoder, minilm))

    assert len(one.spans) == len(other.spans) > 1
    assert float(one.vector @ other.vector) > 0.999


def test_its_token_vectors_equal_those_of_the_default_engine(encoder: Encoder, minilm: Encoder) -> None:
    one, other = (engine.encode([TEXTS[1]], tokens=True)[0].tokens for engine in (encoder, minilm))

    assert one is not None
    assert other is not None
    assert one.spans == other.spans
    assert np.abs(one.vectors - other.vectors).max() < 1e-4


def test_a_long_text_has_each_token_once_and_in_order(encoder: Encoder) -> None:
    tokens = encoder.encode([TEXTS[7]], tokens=True)[0].tokens

    assert tokens is not None
    assert list(tokens.spans) == sorted(set(tokens.spans))
    assert "".join(TEXTS[7][a:b] for a, b in tokens.spans) == "".join(TEXTS[7].split())


def test_no_window_is_longer_than_the_model_reads(folder: Path) -> None:
    prefixed = load_encoder(f"sentence_transformers:{folder}", EncoderOptions(prefix="query: "))
    text = "antidisestablishmentarianism" * 40 + " 日本語" * 300 + " plain words" * 100
    (placed,) = prefixed.encode([text])

    tokenizer = prefixed._model.tokenizer  # type: ignore[attr-defined]  # to measure with the model's own
    assert len(placed.spans) > 2
    for a, b in placed.spans:
        assert len(tokenizer("query: " + text[a:b], truncation=False, verbose=False)["input_ids"]) <= 256


def test_the_fingerprint_follows_weights_prompts_and_settings(
    encoder: Encoder, folder: Path, tmp_path: Path
) -> None:
    import torch
    from transformers import BertModel

    again = load_encoder(f"sentence_transformers:{folder}")
    prefixed = load_encoder(f"sentence_transformers:{folder}", EncoderOptions(prefix="query: "))
    shorter = tmp_path / "minilm"
    shutil.copytree(folder, shorter)
    settings = json.loads((shorter / "sentence_bert_config.json").read_text())
    (shorter / "sentence_bert_config.json").write_text(json.dumps({**settings, "max_seq_length": 128}))
    marks = [prefixed.fingerprint, load_encoder(f"sentence_transformers:{shorter}").fingerprint]
    model = BertModel.from_pretrained(str(folder))
    with torch.no_grad():
        model.embeddings.word_embeddings.weight[7, 7] += 0.01
    model.save_pretrained(shorter)
    (shorter / "sentence_bert_config.json").write_text(json.dumps(settings))
    marks.append(load_encoder(f"sentence_transformers:{shorter}").fingerprint)

    assert again.fingerprint == encoder.fingerprint
    assert len({encoder.fingerprint, *marks}) == 4


def test_the_prefix_is_put_before_every_text(folder: Path, encoder: Encoder) -> None:
    prefixed = load_encoder(f"sentence_transformers:{folder}", EncoderOptions(prefix="query: "))
    one = prefixed.encode(["the museum"], tokens=True)[0]
    other = encoder.encode(["query: the museum"])[0]

    assert np.abs(one.vector - other.vector).max() < 1e-6
    assert one.tokens is not None
    assert one.tokens.spans == ((0, 3), (4, 10))


def test_characters_unknown_to_the_tokenizer_are_unread(encoder: Encoder, minilm: Encoder) -> None:
    texts = ["plain words", "half known ᏣᎳ", "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ"]
    counts = [one.unread_chars for one in encoder.encode(texts)]

    assert counts == [one.unread_chars for one in minilm.encode(texts)] == [0, 2, 9]


def test_placements_are_read_only_and_own_their_rows(encoder: Encoder) -> None:
    for one in encoder.encode([*TEXTS, ""], tokens=True):
        assert one.tokens is not None
        for rows in (one.vector, one.windows, one.tokens.vectors):
            assert not rows.flags.writeable
            assert rows.base is None or rows.base.size <= one.windows.size


def test_a_prompt_without_room_for_a_text_is_refused_at_once(folder: Path) -> None:
    with pytest.raises(EncoderError, match="its prompt leaves none for a text"):
        load_encoder(f"sentence_transformers:{folder}", EncoderOptions(prefix="word " * 300))


def test_the_name_of_a_folder_is_not_in_the_fingerprint(
    encoder: Encoder, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "other").symlink_to(folder)
    monkeypatch.setenv("HOME", str(tmp_path))
    other = load_encoder("sentence_transformers:~/other")

    assert (other.name, other.fingerprint) == ("other", encoder.fingerprint)


def test_a_folder_that_holds_no_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="is not a model for sentence-transformers"):
        load_encoder(f"sentence_transformers:{tmp_path}")


def test_a_model_that_cannot_be_had_is_unreachable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)

    with pytest.raises(Unreachable, match="neither a folder here"):
        load_encoder(f"sentence_transformers:nobody/no-such-model@{'0' * 40}")


def test_a_model_of_the_hub_is_named_by_its_commit() -> None:
    with pytest.raises(SpecError, match="does not name a commit"):
        load_encoder("sentence_transformers:nobody/no-such-model")
