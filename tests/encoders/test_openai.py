"""Endpoints: a real llama.cpp server, and one that does everything wrong."""

import json
import traceback
from typing import Any
from urllib.request import urlopen

import numpy as np
import pytest

from sensecheck.checks.assess import assess
from sensecheck.checks.gate import Gate
from sensecheck.core.backends import Backends
from sensecheck.core.cutoff import at_least
from sensecheck.core.errors import BackendError, EncoderError, SpecError, Unreachable
from sensecheck.core.loading import EncoderOptions, load_encoder
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.encoders.openai import BATCH_SIZE, OpenAIEncoder, openai_encoder
from sensecheck.measures.similarity import Similarity
from sensecheck.testing import encoder_contract

SECRET = "the patient in bed nine is called Aurelia"


def at(address: str, model: str, *, served: str = "one", **options: Any) -> OpenAIEncoder:
    return openai_encoder(f"{address}/{served}/v1", model, **{"retries": 0, "timeout": 20.0, **options})


def seen(address: str, model: str) -> list[dict[str, Any]]:
    with urlopen(f"{address}/seen/{model}") as reply:
        return list(json.load(reply))


def test_a_real_server_keeps_the_contract(llama: str) -> None:
    encoder_contract(openai_encoder(f"{llama}/v1", "smollm2", window_chars=400, overlap=80), words=100)


def test_a_real_server_is_loaded_by_its_address(llama: str) -> None:
    encoders = [load_encoder(f"openai:{llama}/v1#smollm2", EncoderOptions(timeout=60)) for _ in range(2)]
    cat, same, other = "A cat sat there.", "A cat was sitting there.", "Invoice 2024-117 is overdue."
    space = Space.of([cat, same, other], encoders[0])

    assert encoders[0].name == "smollm2"
    assert encoders[0].dimension == 576
    assert encoders[0].fingerprint == encoders[1].fingerprint
    assert space.similarity(cat, same) > space.similarity(cat, other)


def test_a_real_server_that_gives_its_reason_is_quoted(llama: str) -> None:
    encoder = openai_encoder(f"{llama}/v1", "smollm2", retries=0)

    with pytest.raises(EncoderError, match=r"400 Bad Request: Input content cannot be empty"):
        encoder.encode([""])


def test_the_endpoint_keeps_the_contract(endpoint: str) -> None:
    encoder_contract(at(endpoint, "good"))


def test_making_an_encoder_asks_nothing(endpoint: str) -> None:
    encoder = at(endpoint, "unasked")

    assert encoder.name == "unasked"
    assert list(encoder.encode([])) == []
    assert seen(endpoint, "unasked") == []


def test_many_texts_go_in_batches_and_each_distinct_one_once(endpoint: str) -> None:
    texts = [f"text {n % 100}" for n in range(200)]
    placed = at(endpoint, "batched").encode(texts)

    sizes = [len(request["texts"]) for request in seen(endpoint, "batched")]
    assert sorted(sizes) == sorted([BATCH_SIZE, 100 - BATCH_SIZE, 1])
    assert all(np.array_equal(placed[n].vector, placed[n + 100].vector) for n in range(100))


def test_shuffled_vectors_are_put_in_order(endpoint: str) -> None:
    texts = ["one", "two", "three"]
    shuffled, straight = (at(endpoint, model).encode(texts) for model in ("shuffled", "good"))

    assert all(np.array_equal(a.vector, b.vector) for a, b in zip(shuffled, straight, strict=True))


def test_a_long_text_is_cut_at_whitespace(endpoint: str) -> None:
    text = " ".join(f"word{n}" for n in range(800))
    (placed,) = at(endpoint, "windows", prefix="query: ").encode([text])

    words = set(text.split())
    assert len(placed.spans) > 4
    assert all(set(text[a:b].split()) <= words and b - a <= 1200 for a, b in placed.spans)
    sent = [piece for request in seen(endpoint, "windows") for piece in request["texts"]]
    assert all(piece.startswith("query: ") for piece in sent)


def test_a_failure_that_passes_is_tried_again(endpoint: str) -> None:
    assert len(at(endpoint, "fails-once", retries=2).encode(["text"])) == 1
    assert len(seen(endpoint, "fails-once")) == 3  # the failure, the text, the probe


@pytest.mark.parametrize(
    ("model", "error", "says"),
    [
        ("fails", Unreachable, r"503 Service Unavailable, tried 2 x: loading model"),
        ("busy", Unreachable, r"429 Too Many Requests: slow down"),
        ("quotes", EncoderError, r"400 Bad Request$"),
        ("refuses", EncoderError, r"401 Unauthorized$"),
        ("page", EncoderError, r"no list of vectors; wanted 2"),
        ("ragged", EncoderError, r"one vector a text, all of one dimension"),
        ("nan", EncoderError, r"NaN"),
        ("zeros", EncoderError, r"vector of zeros"),
        ("short", EncoderError, r"with 1 vectors; wanted 2"),
        ("twice", EncoderError, r"which vector belongs to which text"),
    ],
)
def test_a_wrong_answer_is_an_error_that_keeps_secrets(
    endpoint: str, model: str, error: type[BackendError], says: str
) -> None:
    encoder = at(endpoint, model, api_key="sk-very-secret", retries=1)

    with pytest.raises(error, match=says) as caught:
        encoder.encode([SECRET, "another text"])
    assert f"{endpoint}/one/v1" in str(caught.value)
    told = "".join(traceback.format_exception(caught.value))
    assert "Aurelia" not in told
    assert "sk-very-secret" not in told
    assert caught.value.__context__ is None


def test_a_server_with_too_much_to_do_is_not_asked_in_halves(endpoint: str) -> None:
    check = Gate(Similarity("another text"), at_least(0.5))
    cases = [(Sample(f"text {n}"), check) for n in range(10)]
    before = len(seen(endpoint, "busy"))
    verdicts = list(assess(cases, Backends(at(endpoint, "busy"))))

    assert {verdict.outcome for verdict in verdicts} == {"error"}
    assert verdicts[0].because.endswith("answered 429 Too Many Requests: slow down")
    assert len(seen(endpoint, "busy")) == before + 1


def test_an_endpoint_that_hangs_is_unreachable(endpoint: str) -> None:
    with pytest.raises(Unreachable, match=r"did not answer within 0.3 s, tried 1 x"):
        at(endpoint, "hangs", timeout=0.3).encode(["text"])


def test_an_endpoint_that_is_not_there_is_unreachable() -> None:
    encoder = openai_encoder("http://me:password@127.0.0.1:9/v1", "any", retries=0)

    with pytest.raises(Unreachable, match=r"`http://127.0.0.1:9/v1` could not be reached"):
        encoder.fingerprint  # noqa: B018 - reading it is what asks


def test_a_model_that_changes_under_way_is_noticed(endpoint: str) -> None:
    encoder = at(endpoint, "shrinks")
    assert encoder.dimension == 32

    with pytest.raises(EncoderError, match=r"8 dimensions for `shrinks`; wanted 32"):
        encoder.encode(["text"])


def test_the_fingerprint_tells_two_models_of_one_name_apart(endpoint: str) -> None:
    one, two = (at(endpoint, "good", served=served) for served in ("one", "two"))

    assert one.fingerprint != two.fingerprint
    assert one.fingerprint == at(endpoint, "good").fingerprint
    assert one.fingerprint != at(endpoint, "good", prefix="query: ").fingerprint


def test_the_fingerprint_bears_jitter(endpoint: str) -> None:
    marks = {at(endpoint, "jitters").fingerprint for _ in range(10)}

    assert len(marks) == 1


def test_the_probe_is_asked_once(endpoint: str) -> None:
    encoder = at(endpoint, "probed")
    for _ in range(3):
        Space.of(["text"], encoder)

    assert len(seen(endpoint, "probed")) == 4  # three times the text, once the probe


def test_keyless_servers_get_a_placeholder_and_nothing_from_the_environment(
    endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "from-the-environment")
    at(endpoint, "keyless").encode(["text"])

    (first, _) = seen(endpoint, "keyless")
    assert first["headers"]["authorization"] == "Bearer not-needed"
    assert "from-the-environment" not in json.dumps(first)


def test_token_vectors_are_refused(endpoint: str) -> None:
    with pytest.raises(EncoderError, match="has no token vectors"):
        at(endpoint, "good").encode(["text"], tokens=True)


@pytest.mark.parametrize(
    "argument",
    [
        "",
        "#model",
        "http://host/v1",
        "ftp://host/v1#m",
        "http://host:x/v1#m",
        "http://999.1.1.1/v1#m",
        "http://h\0st/v1#m",
    ],
)
def test_a_wrong_address_is_a_wrong_description(argument: str) -> None:
    with pytest.raises(SpecError, match="openai"):
        load_encoder(f"openai:{argument}")
