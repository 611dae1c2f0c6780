"""Our WordPiece and the `tokenizers` library: the same ids, the same characters."""

import json
import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st

from sensecheck.encoders.model_folder import ModelFolder
from sensecheck.encoders.pins import MINILM, packaged
from sensecheck.encoders.tokenizer_json import TokenizerJson
from sensecheck.encoders.wordpiece import Tokens, WordPiece, unread
from tests.examples import examples

FILE = packaged(MINILM) / "tokenizer.json"
THEIRS = tokenizers.Tokenizer.from_file(str(FILE))
THEIRS.no_truncation()
THEIRS.no_padding()
OURS = ModelFolder.at(FILE.parent).tokenizer()

SAMPLES = (
    "",
    " \t\r\n ",
    "The museum opens at 9:30, doesn't it? U.S.A., e.g. state-of-the-art (2024).",
    "ÅNGSTRÖM naïve café Straße İstanbul ŒUVRE ﬁne ½ ² Ⅷ ﷺ",
    "cafe\u0301 n\u0303 a\u0308\u0323 \u0301alone",
    "Ελληνικά: ΟΔΥΣΣΕΎΣ ς σ; русский ёлка Й; українська їжак",
    "日本語とカタカナ、ひらがな。漢字仮名交じり文 ガギグ 한국어 조선말 中文简体繁體",
    "العربية: السَّلامُ عَلَيْكُم، ١٢٣؛ עברית: שָׁלוֹם",
    "हिन्दी: नमस्ते दुनिया; தமிழ் வணக்கம்; ไทย สวัสดี",
    "emoji 🎉🧪👩‍👩‍👧‍👦🏳️‍🌈 ☃ ✈️ €£¥ ©®™ …—–“”‘’«»",
    "zero\u200bwidth\u200djoin\ufeffer soft\u00adhyphen nbsp\u00a0here \u3000wide",
    "\u2028line\u2029paragraph \x85next",
    "control\x00\x01\x07\x0b\x0c\x1b\x7fs \ufffd replaced \ue000 private",
    "def f(x: int) -> str:\n\treturn f'{x!r}' + \"\\n\"  # 100% $PATH <tag/> a_b a__b",
    "x" * 100 + " " + "y" * 101 + " " + "antidisestablishmentarianism" * 5,
    "http://example.org/a?b=c&d=%20#e me@example.org 1e-10 0xFF 3,141.59 ##ing",
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𝟙𝟚𝟛 𐐀𐐁 𒀀 ㍿ ㎏ ＦＵＬＬ ｈａｌｆ",
)


def ours(text: str) -> Tokens:
    """What we read, without what only we tell: where characters were dropped."""
    return replace(OURS.encode(text), dropped=())


def theirs(text: str) -> Tokens:
    found = THEIRS.encode(text, add_special_tokens=False)
    return Tokens(list(found.ids), [(start, end) for start, end in found.offsets])


def assigned_long_ago(char: str) -> bool:
    """Whether Unicode 3.2 knew a character: newer ones may be missing from the library's tables."""
    return unicodedata.ucd_3_2_0.category(char) not in ("Cn", "Cs")


OLD = st.characters(codec="utf-8").filter(assigned_long_ago)
NEAR = st.sampled_from("abcXYZ 019.,-'\"()[]#\t\n\u00a0éÉßİıǅ\u0301\u0308漢字ひガ가각א्ֹा\u200b\u200d")


def test_our_own_tokenizer_is_the_one_in_use() -> None:
    assert isinstance(OURS, WordPiece)
    assert OURS.start == THEIRS.token_to_id("[CLS]")
    assert OURS.end == THEIRS.token_to_id("[SEP]")
    assert OURS.unknown == THEIRS.token_to_id("[UNK]")


@pytest.mark.parametrize("text", SAMPLES)
def test_samples_of_many_scripts_read_alike(text: str) -> None:
    assert ours(text) == theirs(text)


@settings(max_examples=examples(400), deadline=None)
@given(st.text(OLD, max_size=60))
def test_any_text_reads_alike(text: str) -> None:
    assert ours(text) == theirs(text)


@settings(max_examples=examples(400), deadline=None)
@given(st.text(NEAR, max_size=120))
def test_texts_of_awkward_characters_read_alike(text: str) -> None:
    assert ours(text) == theirs(text)


@settings(max_examples=examples(200), deadline=None)
@given(st.text(st.characters(max_codepoint=127), max_size=120))
def test_plain_ascii_reads_alike(text: str) -> None:
    assert ours(text) == theirs(text)


@pytest.mark.parametrize("special", ["[CLS]", "[SEP]", "[PAD]", "[UNK]", "[MASK]"])
def test_a_special_token_in_a_text_is_plain_text(special: str) -> None:
    text = f"one {special} two"
    mine, library = OURS.encode(text), theirs(text)

    assert THEIRS.token_to_id(special) in library.ids
    assert THEIRS.token_to_id(special) not in mine.ids
    assert "".join(text[a:b] for a, b in mine.spans) == text.replace(" ", "")


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("plain words", 0),
        ("\u200b", 1),
        ("zero\u200bwidth \ufffd\ufffd", 3),
        ("bell\x07 tab\t line\n", 1),
        ("ᏣᎳ and \u200b", 3),
        ("👩\u200d👩\u200d👧", 5),
    ],
)
def test_dropped_characters_are_unread_and_counted_once(text: str, count: int) -> None:
    assert unread(OURS.encode(text), OURS.unknown) == count


DESCRIBED: dict[str, Any] = json.loads(FILE.read_text())
TOP = len(DESCRIBED["model"]["vocab"])
CLS, SEP = OURS.start, OURS.end
ROBERTA = {"type": "RobertaProcessing", "sep": ["</s>", TOP + 1], "cls": ["<s>", TOP]}
ODD = "well-known, isn't it? 日本語 École"


def folder_with(tokenizer: dict[str, Any], at: Path) -> ModelFolder:
    (at / "tokenizer.json").write_text(json.dumps(tokenizer))
    return replace(ModelFolder.at(FILE.parent), tokenizer_file=at / "tokenizer.json")


@pytest.mark.parametrize(
    "change",
    [
        {"model": {"continuing_subword_prefix": "@@"}},
        {"model": {"unk_token": "[PAD]"}},
        {"post_processor": {**ROBERTA, "trim_offsets": True, "add_prefix_space": False}},
        {"post_processor": {"type": "BertProcessing", "sep": ["[SEP]", CLS], "cls": ["[CLS]", SEP]}},
        {"post_processor": None},
        {"pre_tokenizer": {"type": "WhitespaceSplit"}},
        {"normalizer": {"handle_chinese_chars": False}},
        {"normalizer": {"clean_text": False}},
        {
            "added_tokens": [
                {**DESCRIBED["added_tokens"][0], "id": 2088, "content": "world", "special": False}
            ]
        },
    ],
    ids=str,
)
def test_what_reads_otherwise_than_bert_is_left_to_the_library(
    change: dict[str, Any], tmp_path: Path
) -> None:
    vocabulary = DESCRIBED["model"]["vocab"] | {"<s>": TOP, "</s>": TOP + 1}
    other = {**DESCRIBED, "model": {**DESCRIBED["model"], "vocab": vocabulary}}
    for part, value in change.items():
        other[part] = {**other[part], **value} if part in ("model", "normalizer") else value
    tokenizer = folder_with(other, tmp_path).tokenizer()
    library = tokenizers.Tokenizer.from_str(json.dumps(other))
    library.no_truncation()
    library.no_padding()

    assert isinstance(tokenizer, TokenizerJson)
    read = [tokenizer.start, *tokenizer.encode(ODD).ids, tokenizer.end]
    assert [token for token in read if token is not None] == library.encode(ODD).ids


def test_both_ways_to_write_what_bert_puts_around_a_text_are_known(tmp_path: Path) -> None:
    around = {"type": "BertProcessing", "sep": ["[SEP]", SEP], "cls": ["[CLS]", CLS]}

    assert isinstance(folder_with({**DESCRIBED, "post_processor": around}, tmp_path).tokenizer(), WordPiece)
