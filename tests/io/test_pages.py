"""Texts as pages may show them, and as markup."""

from sensecheck.io.pages import readable
from sensecheck.text.markup import escape


def test_text_becomes_markup_that_shows_it() -> None:
    assert escape("a < b & \"c\" 'd'") == "a &lt; b &amp; &quot;c&quot; &#x27;d&#x27;"
    assert escape("\x00\u202e") == "\N{REPLACEMENT CHARACTER}" * 2


def test_texts_of_a_page_stay_as_long_as_they_were() -> None:
    data = {"a": ["x\r\ny\x00", ("\u202e\ud800😀", 1.5, None)], "b": {"c": "\x1b[5m\tz"}}

    assert readable(data) == {
        "a": ["x \ny\ufffd", ["\ufffd\ufffd😀", 1.5, None]],
        "b": {"c": "\ufffd[5m\tz"},
    }
