"""Models of other people as verifiers: what their labels mean, and the numbers that torch gives."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from sensecheck.core.errors import BackendError, EncoderError, WeightsError
from sensecheck.core.loading import load_verifier
from sensecheck.encoders.hub import Hub
from sensecheck.encoders.model_folder import tokenizer_of
from sensecheck.encoders.token_pairs import PairTemplate
from sensecheck.encoders.verifier import OnnxVerifier
from sensecheck.encoders.verifier_kinds import VerifierKind
from sensecheck.testing import pair_scorer_contract
from tests.servers import serving

if TYPE_CHECKING:
    from tests.encoders.small_verifiers import Small

ARCHITECTURES = ("bert", "mpnet", "roberta", "deberta", "modernbert")
CLASSIFIERS = ("bert", "mpnet", "roberta", "deberta")
COMMIT = "0123456789abcdef0123456789abcdef01234567"
CLAIM = "The museum opens at 9:30, not at five."
EVIDENCE = "The museum opens at nine and closes at five. Room 7 is it."
PAIRS = (
    (CLAIM, EVIDENCE),
    ("It is.", "Room 5 holds it; it is not the museum."),
    ("The room opens at 5.", EVIDENCE + " " + EVIDENCE[:20]),
)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, "Small"]:
    """One small model of each architecture."""
    from tests.encoders.small_verifiers import BUILDERS

    made = tmp_path_factory.mktemp("small")
    return {name: BUILDERS[name](made / name) for name in ARCHITECTURES}


@pytest.mark.slow
@pytest.mark.parametrize("name", ARCHITECTURES)
def test_each_architecture_keeps_the_contract(small: Mapping[str, "Small"], name: str) -> None:
    pair_scorer_contract(load_verifier(f"onnx:{small[name].folder}"), good=None)


@pytest.mark.slow
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_a_classifier_gives_the_numbers_of_torch(small: Mapping[str, "Small"], name: str) -> None:
    scores = OnnxVerifier.from_folder(small[name].folder).score(PAIRS)

    for pair, score in zip(PAIRS, scores, strict=True):
        exp = np.exp(small[name].logits(*pair))
        supported, contradicted = (0, 1) if name == "mpnet" else (1, 0)
        shares = exp / exp.sum()
        wanted = np.log((1 - shares[supported]) / shares[supported])
        assert score.value == pytest.approx(wanted, abs=1e-4)
        assert score.contradicted == pytest.approx(shares[contradicted], abs=1e-5)
        assert score.unread_chars == 0


@pytest.mark.slow
def test_a_classifier_of_tokens_gives_the_worst_words_odds(small: Mapping[str, "Small"]) -> None:
    (score,) = OnnxVerifier.from_folder(small["modernbert"].folder).score([(CLAIM, EVIDENCE)])
    logits = small["modernbert"].of_the_claim(CLAIM, EVIDENCE)

    words = ["The", "museum", "opens", "at", "9", ":", "30", ",", "not", "at", "five", "."]
    assert [CLAIM[a:b] for a, b in score.spans] == words
    assert score.value == pytest.approx((logits[:, 1] - logits[:, 0]).max(), abs=1e-4)
    assert score.value == max(score.scores)
    assert score.contradicted is None


@pytest.mark.slow
def test_our_own_form_gives_every_word_its_score(small: Mapping[str, "Small"]) -> None:
    (score,) = OnnxVerifier.from_folder(small["mpnet"].folder).score([("It is not nine.", EVIDENCE)])

    assert [("It is not nine.")[a:b] for a, b in score.spans] == ["It", "is", "not", "nine", "."]
    wanted = small["mpnet"].of_the_claim("It is not nine.", EVIDENCE)
    assert score.scores == pytest.approx(wanted.tolist(), abs=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("name", ARCHITECTURES)
def test_special_tokens_in_a_text_are_text(small: Mapping[str, "Small"], name: str) -> None:
    tokenizer = tokenizer_of(small[name].folder / "tokenizer.json", plain=True)
    ends = {tokenizer.start, tokenizer.end}

    assert not ends & {*tokenizer.encode("It is [SEP] nine </s> [CLS] <s> five.").ids}


@pytest.mark.slow
@pytest.mark.parametrize("name", ARCHITECTURES)
def test_what_is_cut_is_counted(small: Mapping[str, "Small"], name: str) -> None:
    scorer = OnnxVerifier.from_folder(small[name].folder)
    whole, long, more = scorer.score(
        [("it is", "room " * 10), ("it is", "room " * 400), ("it is", "room " * 401)]
    )

    assert whole.unread_chars == 0
    assert 0 < long.unread_chars == more.unread_chars - 5
    assert long.value == pytest.approx(more.value, abs=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("name", ARCHITECTURES)
def test_a_text_with_nothing_to_read_is_refused(small: Mapping[str, "Small"], name: str) -> None:
    scorer = OnnxVerifier.from_folder(small[name].folder)
    with pytest.raises(EncoderError, match="the evidence of a pair is empty"):
        scorer.score([("It is.", " \n")])


def changed(folder: Path, at: Path, **config: Any) -> Path:
    """The folder again, with another configuration."""
    shutil.copytree(folder, at, copy_function=os.symlink)
    (at / "config.json").unlink()
    (at / "config.json").write_text(
        json.dumps({**json.loads((folder / "config.json").read_text()), **config})
    )
    return at


@pytest.mark.slow
def test_the_configuration_decides_the_order(small: Mapping[str, "Small"], tmp_path: Path) -> None:
    usual = small["bert"]
    turned = changed(usual.folder, tmp_path / "turned", sensecheck={"order": "claim_first"})
    one, other = (OnnxVerifier.from_folder(folder) for folder in (usual.folder, turned))

    assert one.fingerprint != other.fingerprint
    assert one.score([(CLAIM, EVIDENCE)])[0].value == pytest.approx(
        other.score([(EVIDENCE, CLAIM)])[0].value, abs=1e-5
    )


@pytest.mark.slow
def test_the_order_of_the_labels_decides_a_score(small: Mapping[str, "Small"], tmp_path: Path) -> None:
    usual = small["bert"]
    named = {"0": "ENTAILMENT", "1": "Neutral", "2": "contradiction"}
    turned = OnnxVerifier.from_folder(changed(usual.folder, tmp_path / "turned", id2label=named))
    exp = np.exp(usual.logits(CLAIM, EVIDENCE))

    (score,) = turned.score([(CLAIM, EVIDENCE)])
    assert score.value == pytest.approx(np.log((exp[1] + exp[2]) / exp[0]), abs=1e-4)
    assert score.contradicted == pytest.approx(exp[2] / exp.sum(), abs=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize(("label", "sign"), [("LABEL_0", -1), ("consistent", -1), ("hallucinated", 1)])
def test_one_output_is_a_score_of_yes_unless_its_label_says_no(tmp_path: Path, label: str, sign: int) -> None:
    from tests.encoders.small_verifiers import bert

    model = bert(tmp_path, (label,))
    (score,) = OnnxVerifier.from_folder(tmp_path).score([(CLAIM, EVIDENCE)])

    assert score.value == pytest.approx(sign * model.logits(CLAIM, EVIDENCE)[0], abs=1e-4)
    assert score.contradicted is None


@pytest.mark.slow
@pytest.mark.parametrize(
    "labels",
    [("no", "yes"), ("False", "True"), ("inconsistent", "consistent"), ("not-entailment", "entailment")],
)
def test_two_labels_give_the_odds_of_no(tmp_path: Path, labels: tuple[str, str]) -> None:
    from tests.encoders.small_verifiers import bert

    model = bert(tmp_path, labels)
    (score,) = OnnxVerifier.from_folder(tmp_path).score([(CLAIM, EVIDENCE)])

    no, yes = model.logits(CLAIM, EVIDENCE)
    assert score.value == pytest.approx(no - yes, abs=1e-4)
    assert score.contradicted is None


LIMITS = {"max_position_embeddings": 512}
THREE = {"0": "entailment", "1": "neutral", "2": "contradiction"}


def kind_of(folder: Path, config: Mapping[str, Any], shape: list[Any] | None = None) -> VerifierKind:
    (folder / "config.json").write_text(json.dumps(config))
    return VerifierKind.in_folder(folder, {"logits": ["batch", "labels"] if shape is None else shape})


@pytest.mark.parametrize(
    ("config", "tokens"),
    [
        ({"max_position_embeddings": 512}, 512),
        ({"max_position_embeddings": 514, "model_type": "roberta", "pad_token_id": 1}, 512),
        ({"max_position_embeddings": 512, "pair_tokens": 256}, 256),
        ({"max_position_embeddings": 8192, "sensecheck": {"pair_tokens": 1024}}, 1024),
    ],
)
def test_the_limit_is_the_models_own_unless_it_is_set(
    tmp_path: Path, config: Mapping[str, Any], tokens: int
) -> None:
    found = kind_of(tmp_path, {**config, "id2label": THREE})

    assert (found.pair_tokens, found.claim_tokens) == (tokens, tokens // 2)


def test_the_tokenizers_limit_counts_where_it_is_lower(tmp_path: Path) -> None:
    (tmp_path / "tokenizer_config.json").write_text('{"model_max_length": 128}')

    assert kind_of(tmp_path, {**LIMITS, "id2label": THREE}).pair_tokens == 128


@pytest.mark.parametrize(
    ("config", "shape", "says"),
    [
        ({**LIMITS, "id2label": {"0": "LABEL_0", "1": "LABEL_1"}}, None, "do not say what supports a claim"),
        ({**LIMITS}, ["batch", 2], "do not say what supports a claim"),
        ({**LIMITS, "id2label": {"0": "joy", "1": "anger"}}, None, "do not say what supports a claim"),
        ({**LIMITS, "id2label": {"0": "yes", "1": "true"}}, None, "do not say what supports a claim"),
        ({**LIMITS, "id2label": {"0": "no", "1": "neutral"}}, None, "do not say what supports a claim"),
        ({**LIMITS, "id2label": {"1": "yes"}}, None, "must name each label by its number"),
        ({**LIMITS, "id2label": THREE}, ["batch", 2], "names 3 labels; the graph gives 2"),
        ({**LIMITS, "id2label": THREE}, ["batch"], "wanted two or three axes"),
        ({"id2label": THREE}, None, "does not say how many tokens it reads"),
        ({**LIMITS, "id2label": THREE, "sensecheck": []}, None, "must be an object"),
        ({**LIMITS, "id2label": THREE, "sensecheck": {"order": "b"}}, None, "must be `claim_first` or"),
        ({"id2label": THREE, "sensecheck": {"pair_tokens": 0}}, None, "does not say how many `pair_tokens`"),
    ],
    ids=str,
)
def test_a_configuration_that_leaves_something_open_is_refused(
    tmp_path: Path, config: Mapping[str, Any], shape: list[Any] | None, says: str
) -> None:
    with pytest.raises(WeightsError, match=says):
        kind_of(tmp_path, config, shape)


def test_it_says_what_it_is(tmp_path: Path) -> None:
    found = kind_of(tmp_path, {**LIMITS, "id2label": THREE})

    assert str(found) == (
        "entailment: entailment = supported, neutral = not stated, contradiction = contradicted; "
        "evidence first; reads 512 tokens, of the claim at most 256"
    )


@pytest.mark.parametrize(
    ("processor", "says"),
    [
        (None, "does not say how two texts are put together"),
        ({"type": "ByteLevel"}, "does not say how two texts are put together"),
        ({"type": "TemplateProcessing"}, "`post_processor` of `tokenizer.json` cannot be read"),
        ("Template", "`post_processor` of `tokenizer.json` cannot be read"),
        (
            {
                "type": "TemplateProcessing",
                "pair": [{"Sequence": {"id": "B", "type_id": 0}}],
                "special_tokens": {},
            },
            "does not put the first text of a pair first",
        ),
        (
            {
                "type": "TemplateProcessing",
                "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 0}}],
                "special_tokens": {},
            },
            "puts nothing between",
        ),
    ],
)
def test_a_tokenizer_without_a_layout_for_pairs_is_refused(processor: object, says: str) -> None:
    with pytest.raises(WeightsError, match=says):
        PairTemplate.in_settings({"post_processor": processor})


@pytest.mark.slow
def test_a_verifier_comes_from_the_hub(small: Mapping[str, "Small"], tmp_path: Path) -> None:
    program = (
        "from sensecheck.core.loading import load_verifier; "
        f"print(load_verifier('hub:org/nli@{COMMIT}').score([({CLAIM!r}, {EVIDENCE!r})])[0].value)"
    )
    with serving("hub.py", str(small["deberta"].folder), COMMIT) as address:
        home = {**os.environ, "HF_ENDPOINT": address, "HF_HOME": str(tmp_path)}
        ran = subprocess.run(
            [sys.executable, "-c", program], env=home, check=True, timeout=120, capture_output=True, text=True
        )

    wanted = OnnxVerifier.from_folder(small["deberta"].folder).score([(CLAIM, EVIDENCE)])[0].value
    assert float(ran.stdout) == pytest.approx(wanted, abs=1e-5)


def test_a_repository_without_a_graph_says_how_to_make_one(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there/config.json").write_text("{}")
    with (
        serving("hub.py", str(tmp_path / "there"), COMMIT) as address,
        pytest.raises(WeightsError, match=f"optimum-cli export onnx --model org/nli --revision {COMMIT}"),
    ):
        Hub.of(f"org/nli@{COMMIT}", cache=tmp_path / "cache", endpoint=address).whole()


@pytest.mark.parametrize(
    ("described", "says"), [("hub", "needs a model and its commit"), ("hub:org/nli@main", "can be moved")]
)
def test_a_model_of_the_hub_wants_its_commit(described: str, says: str) -> None:
    with pytest.raises(BackendError, match=says):
        load_verifier(described).score([("a", "b")])


def test_a_hub_that_cannot_be_reached_says_what_to_do_instead(tmp_path: Path) -> None:
    described = f"hub:org/nli@{COMMIT}"
    program = f"from sensecheck.core.loading import load_verifier as load; load({described!r}).fingerprint"
    home = {**os.environ, "HF_ENDPOINT": "http://127.0.0.1:9", "HF_HOME": str(tmp_path)}
    asked = [sys.executable, "-c", program]
    ran = subprocess.run(asked, env=home, capture_output=True, text=True, timeout=120, check=False)

    assert "copy the model's folder there, and name it `onnx:FOLDER`" in ran.stderr
