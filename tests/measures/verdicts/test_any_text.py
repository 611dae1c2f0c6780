"""Any text at all is read: without an error, always the same, exactly where it is JSON, in linear time."""

import json
import random
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import examples
from tests.pace import usual_seconds

from sensecheck.measures.verdicts import statements as reading
from sensecheck.measures.verdicts.statements import verdict_in

PIECES = (
    *"{}[]()<>\"'`“”’\\/:=,;|*_#.-!?\n\t \u200b✅❌0145",
    *(
        "verdict",
        '"verdict": ',
        "PASS",
        "FAIL",
        "score",
        "not ",
        "a ",
        "[[",
        "[RESULT] ",
        "<verdict>",
        "</think>",
    ),
    *(
        "<think>",
        "&quot;",
        '\\"',
        "\\u0050",
        "```",
        "\\boxed{",
        "Overall: ",
        "The ",
        "is ",
        "/* ",
        "//",
        "I give it ",
    ),
)


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join) | st.text(max_size=60))
def test_any_text_is_read_without_an_error_and_always_the_same(text: str) -> None:
    found = verdict_in(text)

    reading._remembered.cache_clear()  # or the first reading would be compared with itself
    assert found == verdict_in(text)
    if found is not None:
        assert 0 <= found.value <= 1
        assert 0 <= found.start < found.end <= len(text)


STRINGS = st.lists(st.sampled_from((*PIECES, "{}", "é", "x y")), max_size=12).map("".join) | st.text(
    max_size=30
)
KEYS = st.sampled_from(
    ("reasoning", "why", "a b", "x", "", "critique", "verd", "notes", "é", "a:b", 'q"', "c,d")
)
VALUES = st.recursive(
    STRINGS | st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
STATED = st.sampled_from(
    (("verdict", "PASS", 1.0), ("verdict", "FAIL", 0.0), ("is_correct", True, 1.0), ("score", 2, 0.25))
)


@settings(max_examples=examples(300), deadline=None)
@given(
    before=st.dictionaries(KEYS, VALUES, max_size=3),
    after=st.dictionaries(KEYS.map("after {}".format), VALUES, max_size=3),
    stated=STATED,
    wrappers=st.lists(KEYS, max_size=3),
    form=st.sampled_from(({}, {"indent": 2}, {"ensure_ascii": False}, {"separators": (",", ":")})),
)
def test_well_formed_json_of_any_depth_is_read_exactly(
    before: dict[str, Any],
    after: dict[str, Any],
    stated: tuple[str, Any, float],
    wrappers: list[str],
    form: dict[str, Any],
) -> None:
    key, said, value = stated
    data: dict[str, Any] = {**before, key: said, **after}
    for wrapper in wrappers:
        data = {wrapper: data}
    text = json.dumps(data, **form)
    found = verdict_in(text)

    assert found is not None
    assert (found.value, found.how) == (value, "json")
    assert text[found.start : found.end] == json.dumps(said).strip('"')
    assert text[: found.start].rstrip('" ').endswith(":")


HOSTILE = r"""{~{"a":~{"a":{~", ~{"a": "~"\"~\"~{/*~{"a": 1, /* ~"a":"b",~{"a":"{~PASS|~the final ~verdict
~it scores ~{"x": a, b, ~f(a="~[{"a":1},~fails to ~, ~- (score yes, {\"a\": ~1“ 'a{\"a\": < / ~<think>
~[[~ ~Score: 4~</think>~`~“a ~a~1. ~✅~Score: 4
```"verdict": it """


def hostile(size: int) -> list[str]:
    """Long texts of the same few characters, over and over, and of many of them mixed."""
    units, mixed = HOSTILE.split("~"), random.Random(5)
    units += ["".join(mixed.choices([*units, *PIECES], k=6)) for _ in range(20)]
    return [before + (unit * (size // len(unit) + 1))[:size] for unit in units for before in ("", '{"a": "')]


def seconds_to_read(text: str) -> float:
    """The least of three: a collection of the whole heap may fall into any one of them."""
    taken = []
    for _ in range(3):
        reading._remembered.cache_clear()
        begun = time.thread_time()
        verdict_in(text)
        taken.append(time.thread_time() - begun)
    return min(taken)


@pytest.mark.slow
def test_the_time_grows_no_faster_than_the_text() -> None:
    for short, long in zip(hostile(2_000), hostile(16_000), strict=True):
        assert seconds_to_read(long) < 8 * 3 * max(seconds_to_read(short), 0.01)


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["{", '{"a": "', "verdict: ", '\\"'])
def test_a_million_hostile_characters_are_read_in_seconds(unit: str) -> None:
    begun = time.thread_time()
    verdict_in((unit * 1_000_000)[:1_000_000])

    assert usual_seconds(begun) < 30
