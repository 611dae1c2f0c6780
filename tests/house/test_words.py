"""What people read is written in ordinary words: docs, help texts, messages and the names of modules.

The words are those that the glossary of the design replaces. Prose is read without its code; messages are the
texts of errors and notes in the source.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "sensecheck"
PRIVATE = {
    r"band of doubt": "unsure band",
    r"birth certificates?": "certificate, provenance",
    r"hand-picked lines?|lines? that (?:somebody|someone) picked": "uncalibrated cutoff",
    r"held against": "compared with, checked against",
    r"brought along": "passed in",
    r"(?:is|are|was|were) told": "is reported, is shown",
    r"mends?|mended": "fix",
    r"strange (?:columns?|keys?)": "unknown",
    r"(?:it|run|which) goes on": "resumes, continues",
    r"(?:database|encoder|model|service|store|server) (?:is|was) away": "unavailable",
    r"somebody|nobody|whoever": "the user, the caller, no one",
    r"more than chance": "significant",
    r"sluices?|lanes?|doorm[ae]n|belts?|crews?|sheets? of": "queue, authentication, workers, view",
    r"desks?": "widget",
    r"shelf|shelves": "card library",
    r"wants? [^.;]{1,80}; got": "must be …; got …",
}
"""A pattern of the old vocabulary, and what to write."""
_PATTERN = re.compile(r"\b(?:" + "|".join(f"(?:{one})" for one in PRIVATE) + r")\b", re.IGNORECASE)
_CODE = re.compile(r"```.*?```|~~~.*?~~~|`[^`\n]*`|<!--.*?-->|\]\([^)]*\)", re.DOTALL)
_EXPERTS = ("decisions",)
"""Records of decisions keep the words of their day."""
_SPEAKS = ("Error", "CannotJudge", "note", "line", "print_error")
"""Calls whose texts people read, by how their names end."""
_UNNAMED = re.compile(r".*(?:ing|ed)$|kept|told|held|given|brought|said|found|seen|spoken|spent")
"""Participles and gerunds."""
_NOUNS = {
    "calling", "embed", "escaping", "grounded", "grounding", "hashing", "loading", "logging",
    "matching", "meaning", "numbering", "pairing", "parsing", "planning", "quoting", "ranking",
    "reading", "recording", "redacted", "rounding", "routing", "scoring", "setting", "settings",
    "streaming", "string", "testing", "timing", "tracing", "trending", "weighted", "wording",
}  # fmt: skip
"""Words of the field that end like participles."""

_VAGUE = re.compile(r"_?(?:must|told|asked|given|wanted|held|found|said|kept|brought)(?:_\w+)?")
"""Functions that say neither what they do nor what they return; one that refuses is `require_…`."""
_PARTICIPLES = {"kept_by_budget"}
"""What guards keep is called so in results, too."""


def _pages() -> list[Path]:
    docs = (path for path in (ROOT / "docs").rglob("*.md") if not set(_EXPERTS) & set(path.parts))
    return sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *docs])


def private_words(text: str) -> list[str]:
    """What stands in a text of the old vocabulary, also where a line ends within it."""
    return sorted({found[0].lower() for found in _PATTERN.finditer(" ".join(text.split()))})


@pytest.mark.parametrize("page", _pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_page_is_written_in_ordinary_words(page: Path) -> None:
    assert private_words(_CODE.sub(" ", page.read_text(encoding="utf-8"))) == []


def test_help_texts_are_written_in_ordinary_words() -> None:
    helped = sorted((ROOT / "tests" / "golden" / "help").glob("*.txt"))

    assert len(helped) > 30
    assert {one.stem: words for one in helped if (words := private_words(one.read_text("utf-8")))} == {}


@pytest.mark.core
@pytest.mark.slow  # every module is parsed
def test_messages_are_written_in_ordinary_words() -> None:
    spoken = {
        f"{path.relative_to(SOURCE)}:{line}": words
        for path in sorted(SOURCE.rglob("*.py"))
        for line, text in _messages(ast.parse(path.read_text(encoding="utf-8")))
        if (words := private_words(text))
    }

    assert spoken == {}


def test_modules_are_named_by_nouns() -> None:
    named = {path.stem for path in SOURCE.rglob("*.py")}

    assert sorted(name for name in named if name not in _NOUNS and _UNNAMED.fullmatch(name)) == []


@pytest.mark.core
@pytest.mark.slow  # every module is parsed
def test_functions_are_named_by_what_they_do_or_return() -> None:
    named = {
        node.name
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }

    assert sorted(name for name in named - _PARTICIPLES if _VAGUE.fullmatch(name)) == []


def test_a_word_of_the_old_vocabulary_is_found_in_prose_and_not_in_code() -> None:
    prose = "Nobody mends the band\nof doubt.\n```\nnobody\n```\nSo `nobody` is a name."

    assert private_words(_CODE.sub(" ", prose)) == ["band of doubt", "mends", "nobody"]
    assert private_words("The encoder is unavailable.") == []


def _messages(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The texts of a module that people read, by their lines; what is filled in is left open."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name(node.func).endswith(_SPEAKS):
            for argument in node.args:
                if text := _text(argument):
                    yield node.lineno, text


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) if isinstance(part, ast.Constant) else "…" for part in node.values)
    return ""
