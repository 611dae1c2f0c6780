"""Tokens are counted by the model's own tokenizer, and the model itself stays where it is."""

import pickle
import subprocess
import sys
from pathlib import Path

import pytest
import tokenizers
from tokenizers import models, pre_tokenizers

from sensecheck.core.errors import SpecError, WeightsError
from sensecheck.encoders.token_counter import TokenCounter, token_counter
from tests.encoders.test_wordpiece import SAMPLES, THEIRS

UNDESCRIBED = [
    ("minilmm", "`minilmm` is not a known token counter; did you mean `minilm`"),
    ("", "`` is not a known token counter"),
    ("tiktoken:cl100k", "`tiktoken` is not a known token counter"),
    ("minilm:here", "`minilm` takes no argument; got `here`"),
    ("minilm:", "`minilm` takes no argument"),
    ("onnx", "`onnx` needs a path"),
    ("tokenizer:", "`tokenizer` needs a path"),
]


@pytest.mark.parametrize("text", SAMPLES)
def test_counts_are_those_of_the_tokenizers_library_without_opening_and_closing(text: str) -> None:
    assert token_counter("minilm")(text) == len(THEIRS.encode(text, add_special_tokens=False).ids)


def test_long_texts_are_counted_whole() -> None:
    assert token_counter("minilm")("museum " * 3000) == 3000


def test_a_folder_and_a_file_count_as_the_package_does(model_folder: Path) -> None:
    text = "The museum opens at half past nine."

    assert (
        token_counter(f"onnx:{model_folder}")(text)
        == token_counter(f"tokenizer:{model_folder / 'tokenizer.json'}")(text)
        == token_counter("minilm")(text)
        == 8
    )


def test_a_tokenizer_of_another_kind_counts_its_own_tokens(tmp_path: Path) -> None:
    words = tokenizers.Tokenizer(models.WordLevel({"one": 0, "two": 1, "<unk>": 2}, unk_token="<unk>"))
    words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    words.save(str(tmp_path / "words.json"))

    assert token_counter(f"tokenizer:{tmp_path / 'words.json'}")("one two unaffable") == 3
    assert token_counter("minilm")("one two unaffable") == 5


@pytest.mark.parametrize(("described", "told"), UNDESCRIBED)
def test_what_cannot_be_counted_with_is_refused_at_once(described: str, told: str) -> None:
    with pytest.raises(SpecError, match=told):
        token_counter(described)


def test_a_tokenizer_that_is_not_there_is_missed_when_it_is_needed(tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("{}")

    with pytest.raises(WeightsError, match=r"is not a file; wanted a `tokenizer\.json`"):
        token_counter(f"tokenizer:{tmp_path / 'none.json'}")("text")
    with pytest.raises(WeightsError, match=r"holds no `tokenizer\.json`"):
        token_counter(f"onnx:{tmp_path}")("text")
    with pytest.raises(WeightsError, match="is not a tokenizer that can be read"):
        token_counter(f"tokenizer:{tmp_path / 'broken.json'}")("text")


def test_counters_are_values_that_travel() -> None:
    counter = token_counter("minilm")

    assert counter == TokenCounter("minilm") == pickle.loads(pickle.dumps(counter))
    assert hash(counter) == hash(TokenCounter("minilm"))


def test_counting_loads_no_model() -> None:
    looked = (
        "import sys; from sensecheck.encoders.token_counter import token_counter; "
        "assert token_counter('minilm')('one two') == 2; "
        "print(sorted({'onnxruntime', 'tokenizers', 'torch'} & set(sys.modules)))"
    )

    done = subprocess.run([sys.executable, "-c", looked], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
