"""Encoders and measures by name; optional packages by extra."""

import pytest

from sensecheck.core.errors import MissingExtra, SampleError, SpecError
from sensecheck.core.extras import extra
from sensecheck.core.loading import load_encoder
from sensecheck.core.registry import ENCODERS, MEASURES, load, registered
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
