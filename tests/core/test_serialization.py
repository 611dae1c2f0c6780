"""Values as data and back: exact messages that say where and what, and nothing silently taken."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import (
    decode,
    did_you_mean,
    encode,
    error_context,
    from_data,
    hints_of,
    read_json,
    reject_unknown,
    required_key,
    to_data,
)


@dataclass(frozen=True)
class Inner:
    x: float
    y: float = 0.0


@dataclass(frozen=True)
class Point:
    x: float
    y: float = 0.0
    names: tuple[str, ...] = ()
    kind: Literal["a", "b"] = "a"
    more: Mapping[str, int] = field(default_factory=dict)
    inner: Inner | None = None
    other: int | str | None = None
    pair: tuple[int, bool] = (1, True)
    anything: Any = None


class Own:
    def to_data(self) -> str:
        return "own"


@pytest.mark.parametrize(
    ("point", "data"),
    [
        (Point(1.0), {"x": 1.0}),
        (Point(1.0, 0), {"x": 1.0, "y": 0}),  # another type than the default's is written down
        (Point(2.0, inner=Inner(1.0, 3.0)), {"x": 2.0, "inner": {"x": 1.0, "y": 3.0}}),
        (
            Point(1.0, 2.0, ("n",), "b", {"m": 1}, None, "o", (2, False), [1]),
            {
                "x": 1.0,
                "y": 2.0,
                "names": ["n"],
                "kind": "b",
                "more": {"m": 1},
                "other": "o",
                "pair": [2, False],
                "anything": [1],
            },
        ),
    ],
)
def test_what_is_its_default_is_left_out_and_the_rest_comes_back(point: Point, data: dict[str, Any]) -> None:
    assert to_data(point) == data
    assert from_data(Point, data, at="point") == point


def test_any_value_is_encoded_by_what_it_is() -> None:
    assert encode(Own()) == "own"
    assert encode({1: (Own(), Point(1.0))}) == {"1": ["own", {"x": 1.0}]}
    assert encode([None, True, 1, 1.5, "a"]) == [None, True, 1, 1.5, "a"]
    assert encode(b"bytes") == b"bytes"
    assert list(hints_of(Point)) == ["x", "y", "names", "kind", "more", "inner", "other", "pair", "anything"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (3, "`point` must be a mapping; got int"),
        ({}, "`point` lacks the key `x`"),
        (
            {"x": 1, "z": 2},
            "in `point`: `z` is not a known key; known: `anything`, `inner`, `kind`, `more`, `names`, "
            "`other`, `pair`, `x`, `y`",
        ),
        ({"x": "1"}, "`point.x` must be a number; got str"),
        ({"x": True}, "`point.x` must be a number; got bool"),
        ({"x": float("nan")}, "`point.x` must be a finite number; got nan"),
        ({"x": float("inf")}, "`point.x` must be a finite number; got inf"),
        ({"x": 1, "names": "n"}, "`point.names` must be a list; got str"),
        ({"x": 1, "names": 3}, "`point.names` must be a list; got int"),
        ({"x": 1, "names": ["n", 3]}, "`point.names[1]` must be a string; got int"),
        ({"x": 1, "kind": "c"}, "`point.kind`: `c` is not a known value; known: `a`, `b`"),
        ({"x": 1, "more": [1]}, "`point.more` must be a mapping; got list"),
        ({"x": 1, "more": {"k": "v"}}, "`point.more.k` must be a whole number; got str"),
        ({"x": 1, "more": {"k": True}}, "`point.more.k` must be a whole number; got bool"),
        ({"x": 1, "inner": {"y": 1}}, "`point.inner` lacks the key `x`"),
        (
            {"x": 1, "other": 1.5},
            "`point.other` must be a whole number; got float; or `point.other` must be a string; got float",
        ),
        ({"x": 1, "pair": [1]}, "`point.pair` must have 2 values; got 1"),
        ({"x": 1, "pair": [1, 2]}, "`point.pair[1]` must be true or false; got int"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(data: Any, message: str) -> None:
    with pytest.raises(SpecError) as refused:
        from_data(Point, data, at="point")
    assert str(refused.value) == message


def test_types_that_have_no_words_of_ours_are_called_by_their_names() -> None:
    assert decode(bytes, b"x", at="here") == b"x"
    with pytest.raises(SpecError, match=r"^`here` must be bytes; got str$"):
        decode(bytes, "x", at="here")
    assert decode(float, 3, at="here") == 3.0
    assert isinstance(decode(float, 3, at="here"), float)
    assert decode(int | None, None, at="here") is None
    with pytest.raises(SpecError, match=r"^`here` must be a whole number; got NoneType; or "):
        decode(int | str, None, at="here")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1, "a": 2}', "in `card`: the key `a` stands there twice"),
        ("[NaN]", "in `card`: `NaN` is no number of JSON; wanted a finite one"),
        ("[1e999]", "in `card`: `1e999` is no number of JSON; wanted a finite one"),
        ("[" * 100_000, "`card` is not JSON: it is nested too deeply"),
        (
            "{",
            "`card` is not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)",
        ),
    ],
)
def test_what_is_no_json_is_refused(text: str, message: str) -> None:
    with pytest.raises(SpecError) as refused:
        read_json(text, at="card")
    assert str(refused.value) == message


def test_json_is_read_with_the_numbers_that_are_asked_for() -> None:
    assert read_json('{"a": [1, 1.5, "x"]}', at="card") == {"a": [1, 1.5, "x"]}
    assert read_json("[1, 1.5]", at="card", whole=str, decimal=str) == ["1", "1.5"]


def test_a_key_that_is_not_known_is_refused_with_the_nearest() -> None:
    reject_unknown({"label": 1}, ("label", "measure"), "check")
    with pytest.raises(SpecError) as refused:
        reject_unknown({"lable": 1}, ("measure", "label"), "check")
    assert str(refused.value) == (
        "in `check`: `lable` is not a known key; did you mean `label`? known: `label`, `measure`"
    )
    assert did_you_mean("key", "zzz", ["b", "a"]) == "`zzz` is not a known key; known: `a`, `b`"


def test_a_key_that_is_missing_is_named() -> None:
    assert required_key({"a": None}, "a", "check") is None
    with pytest.raises(SpecError, match=r"^`check` lacks the key `b`$"):
        required_key({"a": 1}, "b", "check")


def test_what_is_wrong_inside_is_said_with_its_place_and_other_errors_pass() -> None:
    with pytest.raises(SpecError, match=r"^in `here`: it is wrong$"), error_context("here"):
        raise SpecError("it is wrong")
    with pytest.raises(KeyError), error_context("here"):
        raise KeyError("other")


def test_a_union_is_read_in_the_order_in_which_it_is_written_whatever_was_read_before() -> None:
    with pytest.raises(SpecError, match=r"^`here` must be a string; got list; or `here` must be a whole"):
        decode(str | int, [], at="here")
    with pytest.raises(SpecError, match=r"^`here` must be a whole number; got list; or `here` must be a str"):
        decode(int | str, [], at="here")


@dataclass(frozen=True)
class Branch:
    name: str
    parts: tuple["Branch", ...] = ()


def test_what_holds_its_own_kind_is_read_to_its_end() -> None:
    tree = Branch("root", (Branch("leaf"), Branch("arm", (Branch("twig"),))))

    assert from_data(Branch, to_data(tree), at="tree") == tree
    with pytest.raises(SpecError, match=r"`tree\.parts\[0\]` lacks the key `name`"):
        from_data(Branch, {"name": "root", "parts": [{}]}, at="tree")
