"""Checks as data and back, strictly: what is not understood is an error that says where."""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from types import NoneType
from typing import Any, get_args, get_type_hints

from sensecheck.calibration.library import CardLibrary, PromisedCutoff
from sensecheck.calibration.target import KEYS as PROMISE_KEYS
from sensecheck.checks.combine import AllOf, AnyOf, Cascade, Not, Vetoed
from sensecheck.checks.decision import promised
from sensecheck.checks.gate import Against, Gate
from sensecheck.checks.grounded import Grounded
from sensecheck.checks.introspection import line_data, settled
from sensecheck.checks.presets import PRESETS
from sensecheck.checks.weighted import Scored
from sensecheck.core.cutoff import KEYS as CUTOFF_KEYS
from sensecheck.core.cutoff import Cutoff
from sensecheck.core.errors import SpecError
from sensecheck.core.protocols import Check, Measure
from sensecheck.core.registry import kind_of, measure_from_data, measure_to_data
from sensecheck.core.serialization import decode, encode, error_context, reject_unknown, required_key
from sensecheck.core.threshold import is_threshold
from sensecheck.measures.entailment import Entailment
from sensecheck.measures.support.groundedness import groundedness

SEVERAL: Mapping[str, type[AnyOf] | type[AllOf] | type[Cascade]] = {
    "any_of": AnyOf,
    "vetoed": Vetoed,  # before what it is a kind of
    "all_of": AllOf,
    "cascade": Cascade,
}
KINDS = ("gate", "not", "claims", *SEVERAL)


def check_from_data(data: Any, *, at: str = "check", library: CardLibrary | None = None) -> Check:
    """The check that data describes: a gate, a combination, or one of the presets by name.

    Cards that it names, or whose promise it asks for, are in the library; without one, they are ours.
    """
    return settled(_check(data, CardLibrary.shipped() if library is None else library, at))


def _check(data: Any, cards: CardLibrary, at: str) -> Check:
    kind, rest = kind_of(data, at, (*KINDS, *PRESETS))
    if kind in PRESETS:
        return _call(PRESETS[kind], rest, cards, at)
    if kind == "gate":
        reject_unknown(rest, ("measure", "cutoff", "label", "english"), at)
        measure = measure_from_data(required_key(rest, "measure", at), at=f"{at}.measure")
        cutoff = _cutoff(rest.get("cutoff"), measure, cards, f"{at}.cutoff")
        english = decode(bool | None, rest.get("english"), at=f"{at}.english")
        return Gate(measure, cutoff, _label(rest, at), english)
    if kind == "not":
        reject_unknown(rest, ("check", "label"), at)
        inner = _check(required_key(rest, "check", at), cards, f"{at}.check")
        return Not(inner, _label(rest, at))
    if kind == "claims":
        return _claims(rest, cards, at)
    reject_unknown(rest, ("checks", "label"), at)
    listed = required_key(rest, "checks", at)
    if not isinstance(listed, list | tuple):
        raise SpecError(f"`{at}.checks` must be a list; got {type(listed).__name__}")
    checks = (_check(item, cards, f"{at}.checks[{i}]") for i, item in enumerate(listed))
    return SEVERAL[kind](tuple(checks), _label(rest, at))


def check_to_data(check: Check) -> dict[str, Any]:
    """The data that describes a check; a preset is written out as what it is made of."""
    return _described(check, _refused, measure_to_data)


def identity_of(check: Check) -> dict[str, Any]:
    """The data that two checks share only if they ask the same: digests are made of it.

    It is what `check_to_data` writes, and so it does not depend on the names of classes or on the order of
    their fields. A check or a measure of the user's own, which no data describes, is known by what its method
    `to_data` returns; without one, by its name and, for a dataclass, by the fields that its `repr` shows.
    Its code is not seen: that is for the digests of the files in which it stands.
    """
    return _described(check, _custom_check, _any_measure)


def _described(
    check: Check, other: Callable[[Check], dict[str, Any]], measured: Callable[[Measure], dict[str, Any]]
) -> dict[str, Any]:
    """A check as data; `other` describes what is not of our kinds, and `measured` a measure."""
    label = (
        {"label": check.label}
        if isinstance(check, Gate | Not | Cascade | AnyOf | AllOf | Grounded) and check.label
        else {}
    )
    if isinstance(check, Grounded):
        cutoffs = {"words": check.words, "reader": check.reader}
        cutoff_data = {name: line_data(cutoff) for name, cutoff in cutoffs.items() if cutoff is not None}
        return {"kind": "claims", **cutoff_data, **label}
    if isinstance(check, Gate):
        cutoff = {"cutoff": line_data(check.cutoff)} if check.cutoff is not None else {}
        english = {"english": check.english} if check.english is not None else {}
        return {"kind": "gate", "measure": measured(check.measure), **cutoff, **label, **english}
    if isinstance(check, Not):
        return {"kind": "not", "check": _described(check.check, other, measured), **label}
    for kind, several in SEVERAL.items():
        if isinstance(check, several):
            parts = [_described(part, other, measured) for part in check.checks]
            return {"kind": kind, "checks": parts, **label}
    return other(check)


def _refused(check: Check) -> dict[str, Any]:
    raise SpecError(f"`{check.name}` is a {type(check).__name__}; only our own kinds of check are data")


def _custom_check(check: Check) -> dict[str, Any]:
    """The identity of a check that cannot be written into a file as data."""
    if isinstance(check, Scored):
        parts = [
            {
                "check": identity_of(part.check),
                "weight": part.weight,
                "metric": part.metric,
                "graded": part.graded,
                "wanted": part.wanted,
            }
            for part in check.parts
        ]
        return {"kind": "scored", "parts": parts, "threshold": check.threshold, "label": check.label}
    if isinstance(check, Against):
        transform = None if check.transform is None else _transform_data(check.transform)
        changes = {"answer": check.answer, "transform": transform}
        return {
            "kind": "against",
            "check": identity_of(check.check),
            "question": check.question,
            "expected": check.expected,
            "passages": list(check.passages),
            **{key: value for key, value in changes.items() if value is not None},
        }
    return _custom_data(check)


def _transform_data(transform: Any) -> Any:
    return transform.to_data() if hasattr(transform, "to_data") else repr(transform)


def _any_measure(measure: Measure) -> dict[str, Any]:
    try:
        return measure_to_data(measure)
    except SpecError:
        return _custom_data(measure)


def _custom_data(thing: Any) -> dict[str, Any]:
    """A user's own check or measure, as far as it can be told without its code."""
    if hasattr(thing, "to_data"):
        return {"kind": "own", "name": thing.name, "data": thing.to_data()}
    names = [field.name for field in fields(thing) if field.repr] if is_dataclass(thing) else []
    return {"kind": "own", "name": thing.name, "data": {name: encode(getattr(thing, name)) for name in names}}


def _claims(rest: Mapping[str, Any], library: CardLibrary, at: str) -> Grounded:
    """A check of every claim, with its cutoffs written out or on cards."""
    reject_unknown(rest, ("words", "reader", "label"), at)
    words = _cutoff(required_key(rest, "words", at), groundedness(), library, f"{at}.words")
    if words is None:
        raise SpecError(f"`{at}.words` needs a cutoff")
    reader = _cutoff(rest.get("reader"), Entailment("passages"), library, f"{at}.reader")
    with error_context(at):
        return Grounded(words, reader, _label(rest, at))


def _call(preset: Callable[..., Check], options: Mapping[str, Any], library: CardLibrary, at: str) -> Check:
    hints = {name: hint for name, hint in get_type_hints(preset).items() if name != "return"}
    reject_unknown(options, tuple(hints), at)
    arguments = {key: _argument(hints[key], item, library, f"{at}.{key}") for key, item in options.items()}
    try:
        with error_context(at):
            return preset(**{**arguments, **_promised(preset, arguments)})
    except TypeError as missing:
        raise SpecError(f"`{at}`: {missing}") from missing


def _promised(preset: Callable[..., Check], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The promises that are asked for, each with the check that is to keep it."""
    return {
        key: promised(lambda cutoff, key=key: preset(**{**arguments, key: cutoff}), threshold)  # type: ignore[misc]
        for key, threshold in arguments.items()
        if isinstance(threshold, PromisedCutoff)
    }


def _argument(hint: Any, data: Any, library: CardLibrary, at: str) -> Any:
    """What a preset is called with; where it takes a cutoff, a card's name or a promise will do."""
    if data is None and NoneType in get_args(hint):
        return None  # the preset's own cutoff
    if not is_threshold(hint):
        return decode(hint, data, at=at)
    if not isinstance(data, str | Mapping):
        return library.cutoff_source(data, at=at)
    with error_context(at):
        return library.cutoff_source(data)


def _cutoff(data: Any, measure: Measure, library: CardLibrary, at: str) -> Cutoff | None:
    """A gate's cutoff: written out, or that of a card, by its name or its promise."""
    if data is None:
        return None
    if isinstance(data, Mapping):
        reject_unknown(data, (*CUTOFF_KEYS, *PROMISE_KEYS), at)
    with error_context(at):
        if isinstance(data, str) or (isinstance(data, Mapping) and any(key in data for key in PROMISE_KEYS)):
            return library.cutoff(data, measure)
        return Cutoff.from_data(data)


def _label(rest: Mapping[str, Any], at: str) -> str:
    return str(decode(str, rest.get("label", ""), at=f"{at}.label"))
