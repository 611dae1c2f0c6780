"""Which guards there were: as data, and as people say it."""

from collections.abc import Iterator, Mapping
from typing import Any

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import to_data
from sensecheck.retrieval.chain import Chain
from sensecheck.retrieval.stage import Stage
from sensecheck.retrieval.stage_data import MAIN, PLAIN, stage_to_data
from sensecheck.retrieval.stages.above import Above

_LONGEST = 40


def guards_as_data(chain: Chain) -> tuple[Any, ...]:
    """Each stage as a chain's file has it; one that is no data, by its name."""
    return tuple(_data(stage) for stage in chain.stages)


def guards_in_words(chain: Chain) -> tuple[str, ...]:
    """`above 0.5`, `distinct 0.95`, `top 4`: what each stage was told, its own defaults included."""
    return tuple(" ".join((stage.name, *_told(stage))) for stage in chain.stages)


def _data(stage: Stage) -> Any:
    try:
        return stage_to_data(stage, at=stage.name)
    except SpecError:  # a stage that somebody made by hand
        return stage.name


def _told(stage: Stage) -> Iterator[str]:
    if isinstance(stage, Above):
        yield f"{stage.cutoff.line:g}"
        if stage.cutoff.certificate is not None:
            yield f"(fitted on {_short(stage.cutoff.certificate.fitted_on)})"
        if stage.cutoff.doubt is not None:
            low, high = stage.cutoff.doubt
            yield f"(unsure from {low:g} to {high:g}: {stage.unsure})"
    elif type(stage) in PLAIN.values():
        main = MAIN[stage.name]
        yield _value(getattr(stage, main))
        yield from _pairs({name: held for name, held in to_data(stage).items() if name != main})
    else:
        data = _data(stage)
        held = data[stage.name] if isinstance(data, Mapping) else {}
        yield from _pairs(held) if isinstance(held, Mapping) else [_value(held)]


def _pairs(held: Mapping[str, Any]) -> list[str]:
    pairs = ", ".join(f"{name} {_value(value)}" for name, value in held.items())
    return [f"({pairs})"] if pairs else []


def _value(held: Any) -> str:
    if isinstance(held, float):
        return f"{held:g}"
    return _short(" or ".join(map(str, held)) if isinstance(held, list | tuple) else str(held))


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
