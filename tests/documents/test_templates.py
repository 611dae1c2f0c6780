"""Templates that cannot be filled in are errors with their place."""

import pytest

from sensecheck.core.errors import BatteryError
from sensecheck.documents.node import Place
from sensecheck.documents.templates import render

HERE = Place("b.yaml", 3, 5)
KNOWN = {"xs": ["A", "B"], "held": {"a": 1}}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{{ xs | map('lower') }}", "needs `|list` or `|join` after it"),
        ("{{ 'a %(b)s' | format(c=1) }}", "KeyError: 'b'"),
        ("{{ '{3}'.format(1) }}", "IndexError"),
        ("{{ 1 / 0 }}", "ZeroDivisionError"),
    ],
)
def test_what_a_template_raises_is_told_with_its_place(text: str, said: str) -> None:
    with pytest.raises(BatteryError, match=r"^b\.yaml:3:5: the template cannot be filled in: ") as caught:
        render(text, KNOWN, HERE)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("a{% if context %} {{ context }}{% endif %}", "a"),
        ("{% if not context %}none{% endif %}", "none"),
        ("{% if context and xs %}both{% else %}not both{% endif %}", "not both"),
        ("{% if held.b %}b{% else %}no b{% endif %}", "no b"),
        ("{{ 'x' if context else 'y' }}", "y"),
        ("{{ context or 'nothing' }}", "nothing"),
        ("{% if xs %}{{ xs[0] }}{% endif %}", "A"),
    ],
)
def test_an_unset_variable_is_false_as_in_promptfoo(text: str, filled: str) -> None:
    assert render(text, KNOWN, HERE) == filled


@pytest.mark.parametrize(
    "text",
    [
        "{{ context }}",
        "{% if context == 'x' %}{% endif %}",
        "{% if context.a %}{% endif %}",
        "{% for x in context %}{% endfor %}",
        "{{ context | upper }}",
        "{{ context and xs }}",
        "{{ 'a' ~ context }}",
    ],
)
def test_any_other_use_of_an_unset_variable_is_an_error(text: str) -> None:
    with pytest.raises(
        BatteryError, match=r"^b\.yaml:3:5: 'context' is undefined; variables .*: `held`, `xs`$"
    ):
        render(text, KNOWN, HERE)


def test_a_filter_that_goes_on_to_a_list_or_a_text_is_filled_in() -> None:
    assert render("{{ xs | map('lower') | join(' ') }} {{ xs | map('lower') | list }}", KNOWN, HERE) == (
        'a b ["a", "b"]'
    )
