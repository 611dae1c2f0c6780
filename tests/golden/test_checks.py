"""The schema of a check, the page of a card and what a judge is asked are those in the files."""

from pathlib import Path

from sensecheck.calibration.page import page_data
from sensecheck.checks.questions import PARAMETERS
from sensecheck.checks.schema import check_schema
from sensecheck.checks.second_opinion import Opinion, SecondOpinion, seconded
from sensecheck.checks.spec import check_from_data
from sensecheck.core.loading import EncoderOptions, JudgeOptions, VerifierOptions
from sensecheck.core.sample import Sample
from sensecheck.core.serialization import encode
from tests.calibration.fitting import FNR, FPR, card_of, normal_rows
from tests.checks.test_decision import by_claims, claims_rows
from tests.golden.pinned import pin_data, steady

SAMPLE = Sample("An answer.", question="A question?", expected="What is expected.", passages=("A passage.",))
SECONDED = ("means", "keeps_facts", "grounded", "not_a_refusal", "relevant")


def test_the_schema_of_a_check() -> None:
    pin_data("checks/schema.json", check_schema())


def test_what_the_page_of_a_card_is_given() -> None:
    rows = normal_rows(1, 60, 90)
    sliced = [type(row)(row.value, row.good, f"g{i}", {"model": f"m{i % 2}"}) for i, row in enumerate(rows)]
    cards = {
        "two promises": card_of(sliced, FPR, FNR, encoder="minilm:onnx-fp32:1", warnings=("few",)),
        "by claims": by_claims(claims_rows({2: 90, 5: 90}), FPR),
        "no promise": card_of(rows, method="best_f1"),
        "on average": card_of(rows, FPR, method="conformal", licence="CC BY 4.0"),
    }
    pin_data(
        "checks/pages.json", {name: steady(page_data(card), Path("/nowhere")) for name, card in cards.items()}
    )


def test_what_a_judge_is_asked_where_a_check_is_unsure() -> None:
    prompts = {}
    for name in SECONDED:
        check = seconded(check_from_data({"kind": name}))
        assert isinstance(check, SecondOpinion)
        opinion = getattr(check.cascade.checks[1], "measure", None)
        assert isinstance(opinion, Opinion)
        prompts[name] = [encode(prompt) for prompt in opinion.needs(SAMPLE).prompts]
    pin_data("checks/second_opinions.json", prompts)


def test_how_presets_and_backends_may_be_set() -> None:
    options = (EncoderOptions(), JudgeOptions(), VerifierOptions())
    found = {
        "presets": {name: list(names) for name, names in PARAMETERS.items()},
        "backends": {
            type(one).__name__: {name: getattr(one, name) for name in type(one).__dataclass_fields__}
            for one in options
        },
    }
    pin_data("checks/parameters.json", found)
