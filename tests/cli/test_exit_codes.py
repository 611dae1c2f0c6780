"""One table of exit codes for all verbs, in the code, in the help and in the docs."""

import re
from pathlib import Path

import pytest

from sensecheck.cli.exit_codes import EXIT_CODES, NOT_JUDGED, exit_code
from tests.golden.commands import commands
from tests.walks.cli import typed

DOCS = Path(__file__).parents[2] / "docs" / "how-to" / "command-line.md"


def test_the_docs_have_the_table_of_the_code() -> None:
    rows = re.findall(r"^\| `([a-z -]+)` \| (\d+) \| (.*) \|$", DOCS.read_text("utf-8"), re.MULTILINE)
    wanted = [(verb, str(code), meaning) for verb, of in EXIT_CODES.items() for code, meaning in of.items()]

    assert [(verb, code, meaning.replace("`", "")) for verb, code, meaning in rows] == wanted


def test_every_verb_of_the_table_is_one_and_its_help_says_its_codes() -> None:
    known = {" ".join(words) for words in commands()}

    assert set(EXIT_CODES) <= known
    for verb, codes in EXIT_CODES.items():
        if verb != "db":
            help_text = " ".join(typed(*verb.split(), "--help").stdout.split())
            assert all(" ".join(meaning.split()[:3]) in help_text for meaning in codes.values()), verb


@pytest.mark.parametrize("outcomes", [("pass", "unsure"), ("unsure",), ("measured", "pass")])
def test_unsure_is_no_judgement(outcomes: tuple[str, ...]) -> None:
    assert exit_code(outcomes) == NOT_JUDGED  # type: ignore[arg-type]
