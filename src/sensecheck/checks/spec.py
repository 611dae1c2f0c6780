"""Checks as data and back, strictly: what is not understood is an error that says where."""

from collections.abc import Callable, Mapping
from typing import Any, get_type_hints

from sensecheck.checks.cascade import Cascade
from sensecheck.checks.combine import AllOf, AnyOf, Not
from sensecheck.checks.gate import Gate
from sensecheck.checks.presets import PRESETS
from sensecheck.core.cutoff import Cutoff
from sensecheck.core.data import decode
from sensecheck.core.described import kind_of, measure_from_data, measure_to_data
from sensecheck.core.errors import SpecError
from sensecheck.core.nearest import unknown
from sensecheck.core.protocols import Check

SEVERAL: Mapping[str, type[AnyOf] | type[AllOf] | type[Cascade]] = {
    "any_of": AnyOf,
    "all_of": AllOf,
    "cascade": Cascade,
}
KINDS = ("gate", "not", *SEVERAL)


def check_from_data(data: Any, *, at: str = "check") -> Check:
    """The check that data describes: a gate, a combination, or one of the presets by name."""
    kind, rest = kind_of(data, at, (*KINDS, *PRESETS))
    if kind in PRESETS:
        return _call(PRESETS[kind], rest, at)
    if kind == "gate":
        _only(rest, ("measure", "cutoff", "label"), at)
        line = Cutoff.from_data(rest["cutoff"]) if rest.get("cutoff") is not None else None
        return Gate(measure_from_data(_held(rest, "measure", at), at=f"{at}.measure"), line, _label(rest, at))
    if kind == "not":
        _only(rest, ("check", "label"), at)
        return Not(check_from_data(_held(rest, "check", at), at=f"{at}.check"), _label(rest, at))
    _only(rest, ("checks", "label"), at)
    listed = _held(rest, "checks", at)
    if not isinstance(listed, list | tuple):
        raise SpecError(f"`{at}.checks` wants a list; found {type(listed).__name__}")
    checks = tuple(check_from_data(item, at=f"{at}.checks[{i}]") for i, item in enumerate(listed))
    return SEVERAL[kind](checks, _label(rest, at))


def check_to_data(check: Check) -> dict[str, Any]:
    """The data that describes a check; a preset is written out as what it is made of."""
    label = (
        {"label": check.label}
        if isinstance(check, Gate | Not | Cascade | AnyOf | AllOf) and check.label
        else {}
    )
    if isinstance(check, Gate):
        line = {"cutoff": check.cutoff.to_data()} if check.cutoff is not None else {}
        return {"kind": "gate", "measure": measure_to_data(check.measure), **line, **label}
    if isinstance(check, Not):
        return {"kind": "not", "check": check_to_data(check.check), **label}
    for kind, several in SEVERAL.items():
        if isinstance(check, several):
            return {"kind": kind, "checks": [check_to_data(part) for part in check.checks], **label}
    raise SpecError(f"`{check.name}` is a {type(check).__name__}; only our own kinds of check are data")


def _call(preset: Callable[..., Check], given: Mapping[str, Any], at: str) -> Check:
    hints = {name: hint for name, hint in get_type_hints(preset).items() if name != "return"}
    _only(given, tuple(hints), at)
    try:
        return preset(**{key: decode(hints[key], item, at=f"{at}.{key}") for key, item in given.items()})
    except TypeError as missing:
        raise SpecError(f"`{at}`: {missing}") from missing


def _only(given: Mapping[str, Any], known: tuple[str, ...], at: str) -> None:
    for key in given:
        if key not in known:
            raise SpecError(f"in `{at}`: {unknown('key', key, known)}")


def _held(given: Mapping[str, Any], key: str, at: str) -> Any:
    if key not in given:
        raise SpecError(f"`{at}` lacks the key `{key}`")
    return given[key]


def _label(given: Mapping[str, Any], at: str) -> str:
    return str(decode(str, given.get("label", ""), at=f"{at}.label"))
