"""Which language a text is in, as far as that can be told offline: English, or which other.

Scripts other than Latin are told by their letters. Texts in Latin letters are told by the words that carry
their grammar: those of English against those of each other language. Where neither side has enough of them,
as in names, code, numbers or a few words, nothing is known, and what is unknown is taken for English.

A measure says that it is bound to English by naming the texts that it takes for English (`EnglishOnly`); a
gate can say so for any measure, or against it. Where one of these texts is in another language, the reading
gets a mark: no verdict is then a `pass`, and none a `fail` but for numbers and dates that differ.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import Final

from sensecheck.core.errors import Unreadable
from sensecheck.core.protocols import EnglishOnly, Measure
from sensecheck.core.reading import LANGUAGE, NUMBERS_DIFFER, Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.text.wordlists import read_groups

MIN_CHARS: Final = 20
"""A shorter text must plainly be another language; a Chinese, Japanese or Korean character counts as two."""
MAX_CHARS: Final = 2000
"""The beginning of a text that is looked at."""
OTHER: Final = "this language"
"""The name of a language of which only that is known: it is not English."""

_MIN_EVIDENCE = 1.5
"""How much must speak for a language: a word of its own counts 1, a weak one or one by its letters a half."""
_MIN_EVIDENCE_ALONE = 1.25
"""How much is enough where no word is English."""
_LONG = 9
"""From so many different words in small letters on, a text without English words is not English."""
_FEW = 0.1
"""The share of English words up to which a text is without them."""
_FRAME_WORDS = 3
"""Words around what is quoted that can tell the language by themselves."""
_SENTENCE_WORDS = 3
"""So many words make a short text a sentence, if it ends like one; fewer may be a name or a loan."""
_SCRIPT_CHARS = 5
"""Letters that a short text in another script needs: fewer may be a formula, or one word that is quoted."""
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_PAUSE = re.compile(r"[.,;:!?…。、，！？،؟¡¿\n]+")
_SAID_ANYWHERE = frozenset(("no", "non", "sorry", "pardon", "impossible"))
"""What stands beside such a reply in more than one language, English among them."""
_FENCED = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|<[^<>\n]{1,200}>", re.DOTALL)
_CODE = re.compile(r"[_\\/{}=|$#@<>]|\w[.(:]\w")
_QUOTE = re.compile(
    r"“[^”]{8,}”|„[^“”]{8,}[“”]|«[^»]{8,}»|\"[^\"]{8,}\"|(?<!\w)'[^'\n]{8,}?'(?!\w)|(?<!\w)‘[^\n]{8,}?’(?!\w)"
)
_ENDING = re.compile(r"(?:ing|ed|ly|ness|tions?|ers|ists?|ism|ians?|ships?|['’]s|ies|cks?|ghts?|ys|ths?)$")
_SCRIPTS: Mapping[str, str] = {
    "Japanese": "\u3041-\u30ff\uff66-\uff9d",
    "Korean": "\uac00-\ud7a3\u1100-\u11ff\u3131-\u318e",
    "Chinese": "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f",
    "Russian": "\u0400-\u052f",
    "Arabic": "\u0620-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefc",
    "Hindi": "\u0900-\u0963\u0966-\u097f",
    "Greek": "\u0370-\u03ff\u1f00-\u1fff",
    "Hebrew": "\u0591-\u05f4\ufb1d-\ufb4f",
    "Thai": "\u0e01-\u0e5b",
    "Bengali": "\u0980-\u09ff",
    "Punjabi": "\u0a00-\u0a7f",
    "Gujarati": "\u0a80-\u0aff",
    "Tamil": "\u0b80-\u0bff",
    "Telugu": "\u0c00-\u0c7f",
    "Kannada": "\u0c80-\u0cff",
    "Malayalam": "\u0d00-\u0d7f",
    "Sinhala": "\u0d80-\u0dff",
    "Lao": "\u0e80-\u0edf",
    "Tibetan": "\u0f00-\u0fff",
    "Burmese": "\u1000-\u109f",
    "Georgian": "\u10a0-\u10ff\u1c90-\u1cbf",
    "Armenian": "\u0531-\u058f",
    "Amharic": "\u1200-\u139f",
    "Khmer": "\u1780-\u17ff",
}
"""The letters of each script, under the language that most often is written in them."""
_NO_MARKS = str.maketrans(dict.fromkeys('.,;:!?…()"«»“”„।', " "))
_IDEOGRAPHIC = frozenset(("Japanese", "Korean", "Chinese"))
_SAME_SCRIPT: Mapping[str, tuple[tuple[str, str], ...]] = {
    "Russian": (
        ("Belarusian", "ў"),
        ("Ukrainian", "їєґ"),
        ("Macedonian", "ѓќѕ"),
        ("Serbian", "ђћљњј"),
        ("Kazakh", "әғқңөұүһ"),
        ("Ukrainian", "і"),
    ),
    "Arabic": (("Urdu", "ٹڈڑںےہ"), ("Persian", "پچژگکی")),
}
"""Languages that share a script with a more frequent one, by letters that it has not; the first that fits."""
_SAME_LETTERS: Mapping[str, tuple[str, ...]] = {"Russian": ("Bulgarian",), "Hindi": ("Marathi", "Nepali")}
"""Languages that differ from a more frequent one by their words alone."""
_LETTERS: Mapping[str, str] = {
    "Croatian": "čćđšž",
    "Czech": "ěřůčšžýťďň",
    "Danish": "æøå",
    "Estonian": "õäöü",
    "Finnish": "äö",
    "French": "éèêàçùûîôœ",
    "German": "äöüß",
    "Hungarian": "őűáéíóöüú",
    "Icelandic": "ðþæý",
    "Italian": "àèìòù",
    "Latvian": "āēīūķļņģčšž",
    "Lithuanian": "ąčęėįšųūž",
    "Norwegian": "æøå",
    "Polish": "ąćęłńóśźż",
    "Portuguese": "ãõçáéíóúâêô",
    "Romanian": "ăâîșțşţ",
    "Slovak": "ľĺŕôäčšžťďň",
    "Slovenian": "čšž",
    "Spanish": "ñáéíóú¿¡",
    "Swedish": "åäö",
    "Turkish": "ığşçöü",
    "Vietnamese": "ăâđêôơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ",
}
"""Letters in small words that English has only in loans: a hint at each language that has them."""


Texts = Mapping[str, str]
"""Texts by where they stand: `answer`, `expected`, `passages[0]`."""

_COMPARED = ("number", "unit", "date")
_NUMBER = re.compile(r"\d(?:[\d.,\u00a0\u202f '’]*\d)?")
_LETTERS_ONLY = re.compile(r"[^\W\d_]+")
_NEXT = re.compile(r"[\W_]{0,3}([^\W\d_]+)")
_JOINED = re.compile(r"\d+(?:[.,]\d+)+")
_JOINED_CHARS = 30
_HALF_DAY = 12


def language_of(text: str) -> str | None:
    """The English name of a text's language, or `this language`; None if it is English or nothing is known.

    Nothing is known of short texts, names, code and numbers. A text that is mostly English is English,
    whatever it quotes.
    """
    return _language_of(text[:MAX_CHARS])


def not_english(texts: Iterable[str]) -> str | None:
    """The language of the first of these texts that is not English; None when none is known to be another."""
    return next(filter(None, map(language_of, texts)), None)


@lru_cache(maxsize=1024)
def _language_of(text: str) -> str | None:
    """Cached, since several measures read the same texts one after the other."""
    if len(text) < 2 * MIN_CHARS and (language := _by_reply(text)) is not None:
        return language
    if is_short(text):
        return _of_few_words(text)
    prose = _without_code(text)
    unquoted = _QUOTE.sub(" ", prose)
    if not text.isascii() and (script := _by_script(unquoted) or _by_script(text)) is not None:
        return script
    frame = _WORD.findall(unquoted)
    if len(frame) >= _FRAME_WORDS and (language := _by_words(frame)) is not None:
        return language
    prose_words = _WORD.findall(prose)
    framed = len(frame) < len(prose_words) and any(word.lower() in _english() for word in frame)
    return None if framed else _by_words(prose_words)


def _by_reply(text: str) -> str | None:
    """The language of a usual short reply, or of several of one language."""
    small = text.replace("İ", "i").lower().replace("’", "'")
    parts = [" ".join(words) for part in _PAUSE.split(small) if (words := _WORD.findall(part))]
    whole, said = " ".join(parts), frozenset(parts)
    for language, replies in read_groups("short_replies.txt", separator=";").items():
        if whole in replies or (said & replies and said <= replies | _SAID_ANYWHERE):
            return language
    return None


def _of_few_words(text: str) -> str | None:
    """The language of a short text that is in another script, or a sentence; names and loans are neither."""
    if not text.isascii() and (script := _by_script(text)) is not None:
        letters = _weight(text) - len(_LETTERS_ONLY.sub("", text))
        return script if letters >= _SCRIPT_CHARS else None
    words = _WORD.findall(text)
    is_sentence = len(words) >= _SENTENCE_WORDS and all(word[0].islower() for word in words[1:])
    ends = text.rstrip()[-1:] in tuple(".!?…")
    return _by_words(words) if is_sentence and ends and not _CODE.search(text) else None


def is_short(text: str) -> bool:
    """Whether a text is too short to be judged in another language, even where that is known."""
    return len(text) < MIN_CHARS and (text.isascii() or _weight(text) < MIN_CHARS)


def _weight(text: str) -> int:
    """How long a text is, in characters of an alphabet."""
    counts = _script_counts(text)
    return len(text) + sum(counts.get(name, 0) for name in _IDEOGRAPHIC)


def _by_script(text: str) -> str | None:
    """The language whose script most of the letters are in; None for Latin letters."""
    counts = _script_counts(text)
    if not counts:
        return None
    others = sum(count * (2 if name in _IDEOGRAPHIC else 1) for name, count in counts.items())
    if others <= sum(char.isalpha() and char < "\u0250" for char in text):
        return None
    if "Japanese" in counts and counts["Japanese"] * 8 >= counts.get("Chinese", 0):
        return "Japanese"
    return _within_script(max(counts, key=counts.__getitem__), text.lower())


def _within_script(name: str, text: str) -> str:
    for language, letters in _SAME_SCRIPT.get(name, ()):
        if not frozenset(letters).isdisjoint(text):
            return language
    words, groups = frozenset(text.translate(_NO_MARKS).split()), read_groups("languages.txt")
    candidates = (name, *_SAME_LETTERS.get(name, ()))
    return max(candidates, key=lambda candidate: len(words & groups.get(candidate, frozenset())))


def _script_counts(text: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for match in _other_letters().finditer(text):
        name = str(match.lastgroup)
        counts[name] = counts.get(name, 0) + len(match[0])
    return counts


@cache
def _other_letters() -> re.Pattern[str]:
    return re.compile("|".join(f"(?P<{name}>[{letters}]+)" for name, letters in _SCRIPTS.items()))


@cache
def _weights() -> dict[str, tuple[tuple[str, float], ...]]:
    """Each word that English has not, with the languages that it speaks for."""
    groups = read_groups("languages.txt")
    weak, weights = groups["weak"], dict[str, dict[str, float]]()
    for language, words in groups.items():
        if language not in ("English", "both", "weak"):
            for word in words:
                weights.setdefault(word, {})[language] = 0.5 if word in weak else 1.0
    return {word: tuple(by.items()) for word, by in weights.items()}


@cache
def _english() -> dict[str, float]:
    groups = read_groups("languages.txt")
    return {word: 0.4 if word in groups["both"] else 1.0 for word in groups["English"]}


@cache
def _by_letter() -> dict[str, tuple[str, ...]]:
    letters = sorted(set("".join(_LETTERS.values())))
    return {
        letter: tuple(name for name, language_letters in _LETTERS.items() if letter in language_letters)
        for letter in letters
    }


def _without_code(text: str) -> str:
    """The text without what stands between back quotes, addresses, tags and names of programs."""
    plain = _FENCED.sub(" ", text) if "`" in text or "<" in text else text
    if not _CODE.search(plain):
        return plain
    return " ".join(part for part in plain.split() if not _CODE.search(part))


def _by_words(words: list[str]) -> str | None:
    """The language that the words speak for, each different one once; None for English, or for nothing."""
    english, weights = _english(), _weights()
    small = shared = 0
    ours, theirs, sure = 0.0, dict[str, float](), dict[str, int]()
    for word in dict.fromkeys(words):
        form = word.lower().replace("’", "'")
        written_small = word[0].islower()
        small += written_small and len(word) > 1
        if form in english:
            ours += english[form]
            shared += english[form] < 1
            continue
        part = 1.0 if written_small or word is words[0] else 0.5  # names are written large
        speaking = weights.get(form) or (_hints(form) if written_small and not form.isascii() else ())
        for language, weight in speaking:
            theirs[language] = theirs.get(language, 0.0) + weight * part
            sure[language] = sure.get(language, 0) + (weight == 1.0 or form not in weights)
    best = max(theirs, key=lambda name: (theirs[name], sure[name]), default=None)
    enough = _MIN_EVIDENCE if ours else _MIN_EVIDENCE_ALONE
    if best is not None and sure[best] and theirs[best] > ours and theirs[best] >= enough:
        return best
    english_evidence = ours + shared / 10 + _endings(words)
    return OTHER if small >= _LONG and english_evidence <= _FEW * small else None


def _endings(words: list[str]) -> float:
    """How many words that no list has end as English ones do, each for one half."""
    return sum(0.5 for word in dict.fromkeys(words) if _ENDING.search(word))


def _hints(form: str) -> tuple[tuple[str, float], ...]:
    """What the letters of a word that no list has say about its language."""
    languages = {name for letter in set(form) for name in _by_letter().get(letter, ())}
    return tuple((name, 0.5) for name in sorted(languages))


def texts_of(measure: Measure, sample: Sample, *, english: bool | None = None) -> Texts:
    """The texts of a sample that are taken for English; none for a measure that is bound to no language."""
    if english is False:
        return {}
    if isinstance(measure, EnglishOnly):
        return measure.english_texts(sample)
    if english is None:
        return {}
    others = [text for text in measure.needs(sample).texts if text != sample.answer]
    return {"answer": sample.answer, **{f"texts[{at}]": text for at, text in enumerate(others)}}


def unverified(texts: Texts) -> str | None:
    """Why nothing is decided on these texts: `not verified for German`; None where all may be English."""
    language = not_english(texts.values())
    return None if language is None else f"not verified for {language}"


def marked(reading: Reading, texts: Texts) -> Reading:
    """The reading, with a mark where one of the texts is in a language that was not verified."""
    reason = unverified(texts)
    return reading if reason is None else with_mark(reading, reason, texts)


def with_mark(reading: Reading, reason: str, texts: Texts) -> Reading:
    """The reading with the mark of a language: what differs in every language stays decided."""
    differing = next((item for item in reading.evidence if _differs(item, texts)), None)
    if differing is None:
        mark = Evidence(LANGUAGE, note=reason)
    else:
        mark = Evidence(
            NUMBERS_DIFFER, note=f"{differing.note} (only numbers and dates are compared: {reason})"
        )
    return reading.beside((mark,))


def reason_why_unread(reason: Unreadable, texts: Texts) -> str | None:
    """Why texts that the encoder cannot read are `unsure`: they are in another language; None: an `error`."""
    language = unverified(texts)
    return None if language is None else f"{language}; {reason}"


def _differs(item: Evidence, texts: Texts) -> bool:
    """Whether a number or a date of the answer is another one in every language and way of writing."""
    if item.kind.removesuffix("_mismatch") not in _COMPARED or item.answer is None or item.source is None:
        return False
    here, there = _whole(item.answer, texts), _whole(item.source, texts)
    if _words_of(here, texts) != _words_of(there, texts):
        return False  # 14 days are two weeks: what is counted must be the same
    mine, theirs = _NUMBER.findall(here.text), _NUMBER.findall(there.text)
    if not mine or len(mine) != len(theirs):
        return False
    if len(mine) > 1:
        return sorted(map(_part, mine)) != sorted(map(_part, theirs))
    return not any(_may_be_same(one, other) for one in _values(mine[0]) for other in _values(theirs[0]))


def _whole(span: Span, texts: Texts) -> Span:
    """A stretch of text with all of the number that it begins or ends in: `5` of `1,5`."""
    text = texts.get(span.where, "")
    for match in _JOINED.finditer(text, max(span.start - _JOINED_CHARS, 0)):
        if match.start() >= span.end:
            break
        if match.end() > span.start:
            span = Span.of(span.where, text, min(span.start, match.start()), max(span.end, match.end()))
    return span


def _words_of(span: Span, texts: Texts) -> tuple[str, ...]:
    """The words in a stretch of text, and the one after it."""
    following = _NEXT.match(texts.get(span.where, ""), span.end)
    inside = [word.casefold() for word in _LETTERS_ONLY.findall(span.text)]
    return (*inside, following[1].casefold() if following else "")


def _values(written: str) -> Iterator[float]:
    """The numbers that digits can stand for: `1.500` is one and a half, or fifteen hundred."""
    digits = re.sub(r"[\s'’]", "", written)
    yield float(re.sub(r"[.,]", "", digits))
    if len(parts := re.split(r"[.,]", digits)) > 1:
        yield float("".join(parts[:-1]) + "." + parts[-1])


def _may_be_same(one: float, other: float) -> bool:
    """Whether two numbers can mean the same: they are equal, or hours that are half a day apart."""
    return one == other or (max(one, other) <= 2 * _HALF_DAY and abs(one - other) == _HALF_DAY)


def _part(written: str) -> int:
    """A part of a date; a year in four digits or in two."""
    number = int(re.sub(r"\D", "", written))
    return number % 100 if number > 999 else number
