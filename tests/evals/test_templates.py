"""Templates that cannot be filled in are errors with their place."""

import pytest

from sensecheck.core.errors import BatteryError
from sensecheck.evals.node import Place
from sensecheck.evals.templates import render

HERE = Place("b.yaml", 3, 5)
KNOWN = {"xs": ["A", "B"], "held": {"a": 1}}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{{ xs | map('lower') }}", "wants `|list` or `|join` after it"),
        ("{{ 'a %(b)s' | format(c=1) }}", "KeyError: 'b'"),
        ("{{ '{3}'.format(1) }}", "IndexError"),
        ("{{ 1 / 0 }}", "ZeroDivisionError"),
    ],
)
def test_what_a_template_raises_is_told_with_its_place(text: str, said: str) -> None:
    with pytest.raises(BatteryError, match=r"^b\.yaml:3:5: the template cannot be filled in: ") as caught:
        render(text, KNOWN, HERE)
    assert said in str(caught.value)


def test_a_filter_that_goes_on_to_a_list_or_a_text_is_filled_in() -> None:
    assert render("{{ xs | map('lower') | join(' ') }} {{ xs | map('lower') | list }}", KNOWN, HERE) == (
        'a b ["a", "b"]'
    )
