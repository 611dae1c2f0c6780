"""Texts with placeholders for variables, as `{{ name }}`: a name that is not known is an error, not a gap."""

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sensecheck.core.errors import BatteryError
from sensecheck.core.extras import extra
from sensecheck.documents.node import Place

if TYPE_CHECKING:
    import jinja2

# ruff: noqa: PLC0415 - a text without placeholders needs no templates

_MARKS = ("{{", "{%", "{#")
_RAISED = (TypeError, ValueError, ArithmeticError, LookupError, RecursionError)
"""What a template may raise whose names are all known."""
_ONE_NAME = re.compile(r"\{\{\s*(\w+)\s*\}\}")


def has_places(text: str) -> bool:
    """Whether there is anything to fill in."""
    return any(mark in text for mark in _MARKS)


def render(text: str, variables: Mapping[str, Any], place: Place) -> str:
    """The text with its variables put in; texts that a variable brings along are not looked into again."""
    if not has_places(text):
        return text
    alone = _ONE_NAME.fullmatch(text)
    if alone and isinstance(value := variables.get(alone[1]), str):
        return value  # the most frequent of all, without the price of a template
    environment = _environment()
    import jinja2

    try:
        return _template(environment, text).render(variables)
    except jinja2.TemplateSyntaxError as error:
        raise _not_well_formed(error, place) from error
    except jinja2.UndefinedError as missing:
        names = ", ".join(f"`{name}`" for name in sorted(variables)) or "none"
        raise BatteryError(f"{place}: {missing.message}; variables that are known here: {names}") from missing
    except (jinja2.TemplateError, *_RAISED) as error:
        why = f"{type(error).__name__}: {error}"
        raise BatteryError(f"{place}: the template cannot be filled in: {why}") from error


def names_in(text: str, place: Place) -> frozenset[str]:
    """The variables that a text refers to."""
    environment = _environment()
    import jinja2

    try:
        return _names(environment, text)
    except jinja2.TemplateSyntaxError as error:
        raise _not_well_formed(error, place) from error


# cached by the text alone: the same text stands at a hundred thousand places
@lru_cache(maxsize=512)
def _template(environment: "jinja2.Environment", text: str) -> "jinja2.Template":
    return environment.from_string(text)


@lru_cache(maxsize=512)
def _names(environment: "jinja2.Environment", text: str) -> frozenset[str]:
    from jinja2.meta import find_undeclared_variables

    return frozenset(find_undeclared_variables(environment.parse(text)))


def _not_well_formed(wrong: "jinja2.TemplateSyntaxError", place: Place) -> BatteryError:
    hint = "; text that is meant as it stands is written {% raw %}…{% endraw %}"
    return BatteryError(f"{place}: the template is not well formed: {wrong.message}{hint}")


@lru_cache(maxsize=1)
def _environment() -> "jinja2.Environment":
    """A sandbox: a template reads its variables and nothing else."""
    with extra("battery"):
        from jinja2.sandbox import ImmutableSandboxedEnvironment
    environment = ImmutableSandboxedEnvironment(
        undefined=_falsy_undefined(), autoescape=False, keep_trailing_newline=True, finalize=_written
    )
    environment.filters["dump"] = _dumped
    return environment


@lru_cache(maxsize=1)
def _falsy_undefined() -> "type[jinja2.StrictUndefined]":
    """An unset variable: false in `{% if context %}`, as promptfoo has it, and an error in all other uses."""
    import jinja2

    class FalsyUndefined(jinja2.StrictUndefined):
        __slots__ = ()

        def __bool__(self) -> bool:  # type: ignore[override]  # which is what it changes
            return False

    return FalsyUndefined


def _written(value: Any) -> Any:
    """What is no text is written as the file has it: `true`, not `True`; nothing as nothing."""
    if value is None:
        return ""
    if isinstance(value, bool | list | tuple | Mapping):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Iterator):
        raise TypeError("a filter such as `map` or `select` needs `|list` or `|join` after it")
    return value


def _dumped(value: Any) -> str:
    """As the filter `dump` of promptfoo writes it, so that a prompt is the same there and here."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
