"""Encoders and measures by name; optional packages by extra."""

import sys
from pathlib import Path

import pytest

from sensecheck.core.errors import MissingExtra, SampleError, SpecError
from sensecheck.core.extras import extra
from sensecheck.core.loading import load_encoder
from sensecheck.core.registry import ENCODERS, MEASURES, kind_of, load, registered
from sensecheck.core.sample import Sample
from sensecheck.measures.heads.model import shipped_head
from sensecheck.measures.support.weights import shipped_model


def test_our_own_parts_are_registered_like_everyone_elses() -> None:
    assert {"minilm", "onnx", "openai", "hashing"} <= set(registered(ENCODERS))
    assert {"similarity", "circling", "fact_agreement"} <= set(registered(MEASURES))


@pytest.mark.parametrize("name", sorted(registered(MEASURES)))
def test_a_measure_is_called_by_the_name_it_is_registered_under(name: str) -> None:
    clusters = {"a": ("x",), "b": ("y",)}
    given: dict[str, tuple[object, ...]] = {
        "nearest_exemplar": (("x",),),
        "cluster_margin": (clusters, "a"),
        "judged": ("x",),
        "head": (shipped_head("refusal"), ("refusal",)),
        "groundedness": (shipped_model(),),
        "contains": (("x",),),
        **dict.fromkeys(("equals", "pattern", "starts_with"), ("x",)),
    }

    assert load(MEASURES, name)(*given.get(name, ())).name == name


def test_an_unknown_encoder_names_the_nearest_known_one() -> None:
    with pytest.raises(SpecError, match=r"`minilmm` is not a known encoder; did you mean `minilm`\?"):
        load_encoder("minilmm")


def test_an_encoder_that_takes_no_argument_refuses_one() -> None:
    with pytest.raises(SpecError, match="takes no argument"):
        load_encoder("minilm:large")


def test_a_missing_package_becomes_the_command_that_installs_it() -> None:
    with pytest.raises(MissingExtra, match=r"pip install 'sensecheck\[openvino\]'"), extra("openvino"):
        raise ModuleNotFoundError("No module named 'openvino'", name="openvino")


def test_a_missing_module_of_our_own_is_not_an_extra() -> None:
    with pytest.raises(ModuleNotFoundError) as caught, extra("openvino"):
        raise ModuleNotFoundError("No module named 'sensecheck.nowhere'", name="sensecheck.nowhere")
    assert not isinstance(caught.value, MissingExtra)


def test_one_passage_given_as_a_text_is_noticed() -> None:
    with pytest.raises(SampleError, match=r"one passage is written `\(text,\)`"):
        Sample("a", passages="the passage")  # type: ignore[arg-type]  # what a caller may write
    assert Sample.of("a", passages="the passage").passages == ("the passage",)


@pytest.mark.parametrize("field", ["question", "expected", "id"])
def test_a_sample_holds_texts(field: str) -> None:
    with pytest.raises(SampleError, match=f"`{field}` must be a string; got int"):
        Sample("a", **{field: 5})  # type: ignore[arg-type]  # what a caller may write


def test_a_sample_goes_to_data_and_back() -> None:
    sample = Sample("a", "q", "e", ("p1", "p2"), "id-1")

    assert Sample.from_data(sample.to_data()) == sample
    with pytest.raises(SpecError, match="did you mean `answer`"):
        Sample.from_data({"anwser": "a"})


def test_two_packages_that_take_one_name_are_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "other-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Name: other\nVersion: 1.0\n", encoding="utf-8")
    (folder / "entry_points.txt").write_text(
        "[sensecheck.test_group]\none = other:a\n[sensecheck.twice]\none = other:b\none = other:c\n",
        encoding="utf-8",
    )
    second = tmp_path / "second" / "more-1.0.dist-info"
    second.mkdir(parents=True)
    (second / "METADATA").write_text("Name: more\nVersion: 1.0\n", encoding="utf-8")
    (second / "entry_points.txt").write_text("[sensecheck.twice]\none = more:b\n", encoding="utf-8")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path), str(tmp_path / "second")])

    assert registered("sensecheck.test_group")["one"].value == "other:a"
    with pytest.raises(SpecError, match=r"^`one` is registered twice: as `\w+:\w` and as `\w+:\w`$"):
        registered("sensecheck.twice")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (3, "`here` must be a mapping with a `kind`; got int"),
        ({}, "`here` lacks the key `kind`; known: `a`, `b`"),
        ({"kind": 3}, "in `here`: `3` is not a known kind; known: `a`, `b`"),
        ({"kind": "c"}, "in `here`: `c` is not a known kind; known: `a`, `b`"),
    ],
)
def test_what_has_no_known_kind_is_refused(data: object, message: str) -> None:
    with pytest.raises(SpecError) as refused:
        kind_of(data, "here", ("b", "a"))
    assert str(refused.value) == message
    assert kind_of({"kind": "a", "x": 1}, "here", ("a",)) == ("a", {"x": 1})
