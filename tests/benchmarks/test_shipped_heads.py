"""What ships is what the recipes make: a changed recipe wants `just heads`."""

from collections.abc import Mapping

import pytest
from models.heads import build, refusal_data, refusal_recipe, verdict_data, verdict_recipe

from sensecheck.calibration.library import CardLibrary, shipped_card
from sensecheck.checks.policies import POLICIES
from sensecheck.core.registry import measure_to_data
from sensecheck.core.serialization import to_data
from sensecheck.measures.heads.features import HeadRecipe
from sensecheck.measures.heads.head import Head
from sensecheck.measures.heads.model import shipped_head, shipped_heads
from sensecheck.measures.support.groundedness import groundedness

RECIPES: Mapping[str, HeadRecipe] = {
    "refusal": refusal_recipe.RECIPE,
    "refusal_multilingual": refusal_recipe.MULTILINGUAL,
    "verdict": verdict_recipe.RECIPE,
}
_OURS = ("everyday_train", "our own")
LICENCES = {
    "refusal": refusal_data.LICENCES,
    "refusal_multilingual": {name: refusal_data.LICENCES[name] for name in _OURS},
    "verdict": verdict_data.LICENCES,
}


def test_every_shipped_head_has_a_recipe_and_a_card() -> None:
    assert list(shipped_heads()) == sorted(RECIPES)
    assert set(RECIPES) <= set(CardLibrary.shipped().names())


def test_every_other_shipped_card_is_the_line_of_a_policy_or_of_means() -> None:
    lines = {name for policy in POLICIES.values() for name in (policy.words, policy.reader)} | {"means"}

    assert set(CardLibrary.shipped().names()) - set(RECIPES) <= lines


def test_the_card_of_the_default_policy_was_fitted_for_the_shipped_weights() -> None:
    card, measure = shipped_card(POLICIES["default"].words), groundedness()

    assert card.measure == measure_to_data(measure), "the weights were changed: run `models/support/build.py`"
    assert card.encoder == measure.model.encoder


@pytest.mark.parametrize("name", RECIPES)
def test_a_shipped_head_was_made_by_its_recipe(name: str) -> None:
    model = shipped_head(name)

    assert to_data(model.recipe) == to_data(RECIPES[name]), "the recipe was changed: run `just heads`"
    assert model.strength == build.STRENGTH[name]
    assert {source.name: source.licence for source in model.sources} == LICENCES[name]


@pytest.mark.parametrize("name", RECIPES)
def test_a_shipped_card_was_fitted_for_the_shipped_head(name: str) -> None:
    card, model = shipped_card(name), shipped_head(name)

    assert card.measure["model"] == f"{name}#{model.digest}", "the head was changed: run `just heads`"
    assert card.encoder == model.encoder
    head = Head(model, of=tuple(card.measure["of"]), against=tuple(card.measure.get("against", ())))
    assert card.measure == measure_to_data(head)
