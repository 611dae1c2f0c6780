"""Paths into a server's reply."""

import json

import pytest

from sensecheck.documents.node import Node
from sensecheck.sources.http_request import ResponsePath
from tests.sources.described import PLACE

REPLY = json.dumps({"a": {"b-c": [{"d e": "here"}, 7, None, {"x": 1}]}, "$s_1": "dollar"})


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("json.a['b-c'][0]['d e']", "here"),
        ('json["a"].b-c[0]["d e"]', "here"),
        ("json?.a?.['b-c'][1]", "7"),
        ("json.a.b-c[2]", None),
        ("json.a.b-c[3]", '{"x":1}'),
        ("json.$s_1", "dollar"),
        ("json.nowhere", None),
        ("json.a[0]", None),
        ("text", REPLY),
    ],
)
def test_a_path_leads_to_the_answer(path: str, found: str | None) -> None:
    assert ResponsePath.read(Node(path, PLACE)).find(REPLY) == found


def test_a_reply_that_is_one_text_is_that_text() -> None:
    assert ResponsePath().find('"hello"') == "hello"
    assert ResponsePath().find("hello") == "hello"
    assert ResponsePath.read(Node("json", PLACE)).find('"hello"') == "hello"
