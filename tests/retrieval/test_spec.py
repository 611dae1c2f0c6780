"""Chains as data: read strictly, written back without loss, known to editors."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensecheck.calibration.library import CardLibrary
from sensecheck.core.cutoff import Certificate, Cutoff, Rate, at_least
from sensecheck.core.errors import SpecError
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.encoders.token_counter import token_counter
from sensecheck.retrieval.chain import Chain, chain
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.parts import Parts
from sensecheck.retrieval.prompt import Block
from sensecheck.retrieval.schema import chain_schema
from sensecheck.retrieval.selection import Step
from sensecheck.retrieval.spec import chain_from_data, chain_from_parts, chain_to_data
from sensecheck.retrieval.stage import Stage, StageContext
from sensecheck.retrieval.stages.diversity import distinct, diverse
from sensecheck.retrieval.stages.limits import tagged, top, within_chars, within_tokens
from sensecheck.retrieval.stages.ranking import Rerank, RerankByPairs, reorder, rerank
from sensecheck.retrieval.stages.threshold import above
from tests.corpus import each_of
from tests.examples import examples

FITTED = Cutoff(
    0.42,
    "above",
    (0.4, 0.5),
    Certificate(
        "squad:1f2e",
        "hashing:256:1",
        "exact",
        "false accepts <= 5% with 95% confidence",
        Rate(0.01, 0.0, 0.04, 300),
    ),
)
MINILM = token_counter("minilm")
EDITOR = jsonschema.Draft202012Validator(chain_schema())
ALL: list[dict[str, Any]] = [
    {"above": 0.6},
    {"tagged": {"lang": "en", "year": [2025, 2026]}},
    {"distinct": 0.9},
    {"diverse": {"weight": 0.25}},
    {"rerank": {"encoder": "hashing"}},
    {"top": 4},
    {"within_chars": {"chars": 800, "over": "skip"}},
    {"within_tokens": {"tokens": 500, "counter": "minilm", "over": "truncate", "tag": "evidence"}},
    {"reorder": "reverse"},
]


def test_each_stage_is_read_as_python_would_write_it() -> None:
    assert chain_from_data(ALL) == chain(
        above(0.6),
        tagged(lang="en", year=[2025, 2026]),
        distinct(0.9),
        diverse(0.25),
        rerank(Parts().encoder("hashing")),
        top(4),
        within_chars(800, over="skip"),
        within_tokens(500, MINILM, over="truncate", formatted=Block("evidence")),
        reorder("reverse"),
    )


@pytest.mark.parametrize("name", ["distinct", "diverse", "reorder", "rerank"])
def test_a_name_alone_is_the_stage_with_its_defaults(name: str) -> None:
    usual: dict[str, Stage] = {
        "distinct": distinct(),
        "diverse": diverse(),
        "reorder": reorder(),
        "rerank": rerank(),
    }

    assert chain_from_data([name]) == Chain((usual[name],)) == chain_from_data([{name: {}}])
    assert chain_to_data(chain_from_data([name])) == [name]


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ({"top": 4}, {"top": {"k": 4}}),
        ({"distinct": 1}, {"distinct": {"closeness": 1.0}}),
        ({"diverse": 0.3}, {"diverse": {"weight": 0.3}}),
        ({"within_chars": 9}, {"within_chars": {"chars": 9, "over": "stop"}}),
        ({"reorder": "edges"}, {"reorder": {"order": "edges"}}),
        ({"above": 0.5}, {"above": {"line": {"at_least": 0.5}, "unsure": "drop"}}),
        ({"tagged": {"lang": "en"}}, {"tagged": {"lang": ["en"]}}),
    ],
)
def test_a_value_alone_is_short_for_its_mapping(short: object, long: object) -> None:
    assert chain_from_data([short]) == chain_from_data([long])


def test_no_stage_is_no_guard() -> None:
    assert chain_from_data([]) == Chain()
    assert chain_to_data(Chain()) == []


def test_a_cross_encoder_is_named_like_everywhere() -> None:
    read = chain_from_data([{"rerank": {"verifier": "mpnet"}}])

    assert isinstance(read.stages[0], RerankByPairs)
    assert chain_to_data(read) == [{"rerank": {"verifier": "mpnet"}}]


def test_models_are_had_from_whoever_is_asked() -> None:
    parts = Parts(load_encoder=lambda name: HashingEncoder(len(name)))
    read = chain_from_parts([{"rerank": {"encoder": "ours"}}], parts)

    assert isinstance(read.stages[0], Rerank)
    assert read.stages[0].encoder is not None
    assert read.stages[0].encoder.dimension == 4
    selected = read([Match("tea", 0.1), Match("tea time", 0.9)], query="tea")
    assert [match.text for match in selected.kept] == ["tea", "tea time"]


closenesses = st.floats(-1, 1)
counts = st.integers(1, 10_000)
overs = st.sampled_from(["stop", "skip", "truncate"])
scalars = (
    st.text(max_size=8)
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.booleans()
)
lines = closenesses | st.builds(
    lambda a, line, b: {"at_least": line, "doubt": [a, b]},
    st.floats(-1, -0.5),
    st.floats(-0.4, 0.4),
    st.floats(0.5, 1),
)
stages = st.one_of(
    st.sampled_from(["distinct", "diverse", "reorder", "rerank"]),
    st.builds(lambda line: {"above": line}, lines),
    st.builds(
        lambda line, unsure: {"above": {"line": line, "unsure": unsure}},
        lines,
        st.sampled_from(["keep", "drop"]),
    ),
    st.builds(
        lambda wanted: {"tagged": wanted},
        st.dictionaries(st.text(max_size=5), scalars | st.lists(scalars, min_size=1, max_size=3), min_size=1),
    ),
    st.builds(lambda closeness: {"distinct": closeness}, closenesses),
    st.builds(lambda weight: {"diverse": {"weight": weight}}, st.floats(0, 1)),
    st.builds(lambda k: {"top": k}, counts),
    st.builds(lambda chars, over: {"within_chars": {"chars": chars, "over": over}}, counts, overs),
    st.builds(
        lambda tokens, over, empty: {
            "within_tokens": {"tokens": tokens, "counter": "minilm", "over": over, "empty": empty}
        },
        counts,
        overs,
        st.sampled_from(["omit", "say"]),
    ),
    st.builds(lambda order: {"reorder": order}, st.sampled_from(["edges", "reverse"])),
    st.just({"rerank": {"encoder": "hashing"}}),
)


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(stages, max_size=6))
def test_what_is_written_reads_back_as_an_equal_chain(data: list[Any]) -> None:
    read = chain_from_data(data)
    written = json.loads(json.dumps(chain_to_data(read)))

    assert chain_from_data(written) == read
    assert chain_to_data(chain_from_data(written)) == written


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(stages, max_size=4))
def test_what_can_be_read_and_written_is_valid_for_editors(data: list[Any]) -> None:
    EDITOR.validate(data)
    EDITOR.validate(chain_to_data(chain_from_data(data)))


@pytest.mark.parametrize("unsure", ["keep", "drop"])
def test_a_fitted_line_is_written_out_with_its_certificate(unsure: Any) -> None:
    held = chain(above(FITTED, unsure=unsure))

    data = json.loads(json.dumps(chain_to_data(held)))
    assert chain_from_data(data) == held
    EDITOR.validate(data)


def test_the_line_of_a_card_is_found_by_name_and_by_promise(tmp_path: Path) -> None:
    card = json.loads((CardLibrary.shipped().folders[0] / "grounded.json").read_text())
    card |= {"name": "relevant", "measure": {"kind": "relevance"}, "good": "above"}
    (tmp_path / "relevant.json").write_text(json.dumps(card))
    own = CardLibrary((tmp_path,))
    promise = {key: card["targets"][0][key] for key in ("fpr", "confidence")}

    by_name = chain_from_data([{"above": "relevant"}], library=own)

    assert by_name == chain_from_data([{"above": {"line": promise, "unsure": "drop"}}], library=own)
    assert by_name == chain_from_data(chain_to_data(by_name))
    with pytest.raises(SpecError, match=r"in `chain\[0\].above`: `relevent` is not a known card; did you"):
        chain_from_data([{"above": "relevent"}], library=own)


WRONG: list[tuple[Any, str]] = [
    ({"abov": 0.6}, "in `chain[1]`: `abov` is not a known stage; did you mean `above`?"),
    ("abov", "in `chain[1]`: `abov` is not a known stage; did you mean `above`?"),
    ({"above": 0.6, "top": 4}, "`chain[1]` must have one stage; got 2: `above`, `top`"),
    ({}, "`chain[1]` must have one stage; got 0"),
    (4, "`chain[1]` must be a stage such as {top: 4}; got int"),
    (None, "`chain[1]` must be a stage such as {top: 4}; got NoneType"),
    ("above", "in `chain[1].above`: a line is wanted"),
    ({"above": None}, "`chain[1].above` must be a number; got NoneType"),
    ({"above": True}, "`chain[1].above` must be a number; got bool"),
    ({"above": 60}, "similarity is a cosine, from -1 to 1; got the cutoff 60"),
    ({"above": {"at_most": 0.5}}, "`above` must be a line whose good side is above"),
    ({"above": {"lin": 0.5}}, "in `chain[1].above`: `lin` is not a known key; did you mean `line`?"),
    ({"above": {"line": {"lin": 0.5}}}, "in `chain[1].above.line`: `lin` is not a known key"),
    ({"above": {"unsure": "keep"}}, "`chain[1].above` lacks the key `line`"),
    (
        {"above": {"line": 0.5, "unsure": "kep"}},
        "`chain[1].above.unsure`: `kep` is not a known value; did you",
    ),
    ({"above": {"at_least": 0.5, "fpr": 0.05}}, "in a target: `at_least` is not a known key"),
    ("top", "`chain[1].top` lacks the key `k`"),
    ({"top": 0}, "in `chain[1].top`: `top` must be a whole number, at least 1; got 0"),
    ({"top": 2.5}, "`chain[1].top` must be a whole number; got float"),
    ({"top": True}, "`chain[1].top` must be a whole number; got bool"),
    ({"top": {"n": 4}}, "in `chain[1].top`: `n` is not a known key; known: `k`"),
    ({"distinct": None}, "`chain[1].distinct` must be a number; got NoneType"),
    ({"distinct": 95}, "`distinct` must be a similarity from -1 to 1; got 95.0"),
    ({"diverse": {"wait": 1}}, "in `chain[1].diverse`: `wait` is not a known key; did you mean `weight`?"),
    ({"reorder": "edge"}, "`chain[1].reorder`: `edge` is not a known value; did you mean `edges`?"),
    ({"rerank": "minilm"}, "`chain[1].rerank` must be a mapping such as {encoder: minilm}; got str"),
    ({"rerank": {"encoder": "a", "verifier": "b"}}, "must name one of `encoder` and `verifier`; got both"),
    ({"tagged": {}}, "in `chain[1].tagged`: `tagged` must have at least one key"),
    ({"tagged": ["en"]}, "`chain[1].tagged` must be a mapping such as {lang: en}; got list"),
    ({"tagged": {"lang": []}}, "the filter for `lang` names no value"),
    ({"tagged": {"lang": None}}, "in `chain[1].tagged`: the filter for `lang` must be a string"),
    ({"within_chars": {"over": "skip"}}, "`chain[1].within_chars` lacks the key `chars`"),
    (
        {"within_chars": {"chars": 9, "over": "stp"}},
        "`chain[1].within_chars.over`: `stp` is not a known value",
    ),
    ({"within_tokens": 500}, "`chain[1].within_tokens` must be a mapping such as {tokens: 500, counter"),
    ({"within_tokens": {"tokens": 500}}, "`chain[1].within_tokens` lacks the key `counter`"),
]
WRONG_FOR_READERS_ALONE: list[tuple[Any, str]] = [
    ({"above": "0.6"}, "a number is written without quotes; got the string `0.6`"),
    ({"above": {"fpr": 0.05}}, "no card promises false accepts <= 5% with 95% confidence for `relevance`"),
    ({"rerank": {"encoder": "minilmm"}}, "in `chain[1].rerank`: `minilmm` is not a known encoder; did you"),
    ({"rerank": {"verifier": "mpnett"}}, "in `chain[1].rerank`: `mpnett` is not a known verifier; did you"),
    ({"within_tokens": {"tokens": 5, "counter": "gpt"}}, "`gpt` is not a known token counter"),
    ({"within_tokens": {"tokens": 5, "counter": "minilm", "tag": "<a>"}}, "`tag` must be words such as"),
]


@each_of("entry, complaint", WRONG + WRONG_FOR_READERS_ALONE)
def test_what_is_not_understood_is_refused_with_its_place(entry: object, complaint: str) -> None:
    with pytest.raises(SpecError) as refused:
        chain_from_data(["distinct", entry])

    assert complaint in str(refused.value)
    assert "chain[1]" in str(refused.value)


@each_of("entry", [entry for entry, _ in WRONG])
def test_what_is_not_understood_is_underlined_by_editors(entry: object) -> None:
    with pytest.raises(jsonschema.ValidationError):
        EDITOR.validate([entry])


@pytest.mark.parametrize("data", [{"above": 0.6, "top": 4}, "top", None, 4])
def test_a_chain_that_is_no_list_is_refused(data: object) -> None:
    with pytest.raises(SpecError, match="`guards` must be a list of stages such as"):
        chain_from_data(data, at="guards")
    with pytest.raises(jsonschema.ValidationError):
        EDITOR.validate(data)


def test_the_schema_is_itself_valid_and_knows_every_stage() -> None:
    jsonschema.Draft202012Validator.check_schema(chain_schema())
    EDITOR.validate(ALL)

    titles = {one["title"] for one in chain_schema()["items"]["anyOf"] if "title" in one}
    assert titles == {next(iter(entry)) for entry in ALL}


class Mine:
    """A stage that somebody wrote."""

    name = "mine"

    def __call__(self, matches: Sequence[Match], asked: StageContext) -> Step:
        return Step(tuple(matches))


@pytest.mark.parametrize(
    ("stage", "complaint"),
    [
        (Mine(), "`chain[0]` is a Mine; only our own stages are data"),
        (rerank(HashingEncoder()), "ranks by a model that was made by hand"),
        (within_tokens(5, len), "counts tokens with a function of yours"),
        (within_tokens(5, MINILM, formatted=lambda matches: ""), "counts what a function of yours writes"),
    ],
)
def test_what_only_python_can_say_is_no_data(stage: Any, complaint: str) -> None:
    with pytest.raises(SpecError) as refused:
        chain_to_data(chain(stage))

    assert complaint in str(refused.value)


def test_a_hand_picked_line_is_written_as_its_number_and_a_doubtful_one_in_full() -> None:
    doubtful = at_least(0.5, doubt=(0.4, 0.6))

    assert chain_to_data(chain(above(0.5))) == [{"above": 0.5}]
    assert chain_to_data(chain(above(doubtful))) == [{"above": {"at_least": 0.5, "doubt": [0.4, 0.6]}}]
    assert chain_to_data(chain(replace(above(0.5), unsure="keep"))) == [
        {"above": {"line": 0.5, "unsure": "keep"}}
    ]
