"""What claims nothing: headings, frames around an answer, offers, conversation.

Whether a sentence is one of them is decided by its form and by the lists of phrases next to this module. In
doubt it is a claim: what is not judged cannot be found wrong, so that whatever has a number, tells what
happened, or goes on after a comma with a sentence of its own is judged.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, lru_cache
from typing import Literal

from sensecheck.measures.claims.grammar import (
    PhrasePattern,
    bare_words,
    has_past,
    has_verb,
    speaks,
    spelled_lines,
    without_source,
)
from sensecheck.measures.claims.layout import LayoutBlock
from sensecheck.text.sentences import sentences
from sensecheck.text.wordlists import read_words
from sensecheck.text.words import is_stop_word, stem, words

NonClaim = Literal["heading", "frame", "offer", "citation", "chat", "abstention"]
"""What a part of an answer is that claims nothing."""

_BOLD = re.compile(r"(?P<mark>\*\*|__)(?P<said>[^*_\n]+)(?P=mark)(?P<after>:?)")
_SENTENCE_END = re.compile(r"[.!?。！？][\"'”’»)\]*_]*$")
_COLON = re.compile(r"[:：][\s*_]{0,4}$")
_LONGEST, _LONGEST_TITLE, _LONGEST_SENTENCE = 12, 6, 3
"""In words: a line that introduces a list; a title or a bold line; a title that ends like a sentence."""
_THAT = re.compile(
    r"\bthat\s+(?:(?i:the|an?|his|her|its|their|this|these|it|they|he|she|we|you|there)\b|[A-Z])"
)
"""After it, something is said: `the proof that the mayor fled`."""
_PAST = re.compile(r"\b(?:did|was|were|had)\b", re.IGNORECASE)
_LISTS = ("item", "row", "header", "code")
_NUMBERED = re.compile(
    r"[\s*_]{0,4}(?:(?:step|part|section|phase|option|tip|chapter)\s)?\d{1,2}[.):]\s+(?=\D)", re.I
)
"""What counts headings: `2. Riding`."""
_ASKING_TITLE = re.compile(r"(?:what|how|why|when|where|who|which)(?:['’]s|['’]re)?\s", re.I)
_BOLD_LINE = re.compile(r"^[ \t]*(?:\*\*|__)[^*_\n]{1,80}(?:\*\*|__):?[ \t]*$", re.MULTILINE)
"""A further line that is all bold."""
_ADJUNCT = re.compile(
    r"[\s*_]{0,4}(?:for|to|in|on|at|with|when|if|as|after|before|during|under|using|by|from)\b[^,:;.]{1,90},\s",
    re.I,
)
"""What may lead to an announcement, and has numbers of its own: `For a drone of 300 grams, …`."""
_MARKS = " \t\r\n*_\"'“”‘’()[]#>!.…,:;。！？?"
_SPLIT_TOKENS = re.compile(r"(?<=\w) (?=(?:['’](?:s|re|d|ll|ve|m)|n['’]t)\b)|(?<=\w) (?=,)")
"""Between the parts of a text that was taken apart: `that 's true , yes`."""
_CLAUSE = re.compile(r"[,;:—–(]|\s-\s|[.!?](?=\s)")
_CONDITION = re.compile(
    r"(?:if|should|in\scase|for\s(?:more|further|any))\b(?P<when>[^,;:.!?]{1,120}),\s(?P<then>.{1,200})",
    re.I | re.S,
)
_PERSONAL = re.compile(
    r"\W*(?:you|your|i|we|it|this|that|anything|everything|something|me|to)(?:['’]\w{1,2})?\b", re.IGNORECASE
)
_HEDGED = re.compile(
    r"(?:i|we)['’]d\b|(?:i|we)\swould\b|(?:your|the|our)\s\w+\s(?:can|could)\b", re.IGNORECASE
)
_REFERRAL = re.compile(
    r"(?:(?:directly|first|yourself|instead|again)\b\W*)?(?:$|(?:about|regarding|concerning|on)\b"
    r"|for\s(?:\w+\s){0,3}(?:advice|help|details|information|assistance|guidance|clarification|answers?|support|more)\b"
    r"|to\s(?:confirm|check|find\sout|be\s(?:sure|certain|safe)|make\ssure|clarify|learn|discuss|verify)\b"
    r"|(?:if|when|should)\syou(?:['’]re|['’]ve|\sare|\shave|\sneed|\swant)?\s(?:still\s)?(?:unsure|worried|concerned|stuck|in\sdoubt"
    r"|any|more|further|not\ssure|uncertain|help|feel)\b)",
    re.IGNORECASE,
)
"""What to ask someone about; `contact support with a photo` says more than whom to ask."""
_FURTHER, _WISHED, _OFFERED, _LONGEST_SPOKEN = 4, 7, 18, 40
"""In words: what may follow a phrase of a frame; one of conversation; one of an offer; the whole of it."""

_ASKS = re.compile(r"[?？؟]+[!?\"'”’»)\]*_」』）]*$")
_LABEL = re.compile(r"[\W_]*(?:q|question|topic|note)\s*:\s*[\W_]*|[\W_]+", re.IGNORECASE)
_TELLS = re.compile(
    r"(?:did|do|can|could|would|have|are|were)\s+you\s+(?:know|heard?|believe|realise|realize|aware|remember|guess|ever\s+hear)"
    r"|(?:is|was|are|were|did|does|do|has|have|had|would|could|should|can|wo)n['’]t\b|remember\b|who\s+knew\b",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"(?:and|so|but|then)?\s*(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|am|do|does|did|has|have|had"
    r"|can|could|will|would|shall|should|may|might|must|in\s+(?:what|which))(?:['’]s|['’]re)?\b",
    re.IGNORECASE,
)
_SENTENCE_BREAK = re.compile(r"[.!?;:]\s")


@lru_cache(maxsize=4096)
def spoken(said: str) -> Literal["frame", "offer", "chat"] | None:
    """Whether a sentence is a frame, an offer or conversation; None where it may be a claim."""
    if not any(map(str.isalnum, said)):
        return "frame" if said.isascii() or not said.strip("—–…·•“”‘’ ") else "chat"
    if said.count(" ") > _LONGEST_SPOKEN:
        return None
    bare = _SPLIT_TOKENS.sub("", said.strip(_MARKS))
    if only_asks(said):
        return "offer" if any(True for _ in _matches("offers.txt", bare)) else "chat"
    if _announces(said):
        return "frame"
    if any(map(str.isdigit, bare)):
        return None
    if any(_is_courteous(match["further"]) and not _is_cut(match) for match in _matches("frames.txt", bare)):
        return "frame"
    if _is_offer(bare):
        return "offer"
    if any(_is_wish(match["further"]) and not _is_cut(match) for match in _matches("chat.txt", bare)):
        return "chat"
    opening, comma, rest = bare.partition(", ")
    return spoken(rest) if comma and spoken(opening) == "chat" else None


def _announces(text: str) -> bool:
    """Whether a line with a colon at its end says no more than that something follows."""
    if _COLON.search(text) is None:
        return False
    bare = text.strip(_MARKS)
    if only_announces(text) and any(True for _ in _matches("frames.txt", bare, colon=True)):
        return True
    adjunct = _ADJUNCT.match(text)
    rest = text[adjunct.end() :] if adjunct else text
    if any(map(str.isdigit, rest)) or has_past(text) or _THAT.search(text) or _PAST.search(text):
        return False
    return len(words(rest)) <= _LONGEST and any(
        pattern.search(rest.strip(_MARKS)) for pattern in _endings("frames.txt")
    )


def _is_offer(bare: str) -> bool:
    """Whether it offers something or says whom to ask, also after `If you are worried, …`.

    `If the light stays red, contact support` is none: that is what the passages have to say.
    """
    condition = _CONDITION.fullmatch(bare)
    then = bare if condition is None else condition["then"]
    if condition is not None and (_THAT.search(condition["when"]) or not _PERSONAL.match(condition["when"])):
        return False
    if any(_asserts_nothing(match["further"]) for match in _matches("offers.txt", then)):
        return True
    firm = condition is not None and not (_is_courteous(condition["when"]) or _HEDGED.match(then))
    return not firm and any(_is_referral(match["further"]) for match in _matches("advice.txt", then))


def _is_referral(further: str) -> bool:
    """Whether what follows `ask your doctor` is only what to ask about."""
    return _asserts_nothing(further) and _REFERRAL.match(further) is not None


def _asserts_nothing(further: str) -> bool:
    """Whether what follows an offer is only what it is about."""
    if len(words(further)) > _OFFERED or _THAT.search(further):
        return False
    first, *more = _CLAUSE.split(further)
    if re.search(r"(?!I\b)[^\W\d_a-z]", first) and not _PERSONAL.match(first):
        return False
    return not any(speaks(clause) for clause in more)


def _is_cut(match: re.Match[str]) -> bool:
    """Whether something new begins after the phrase: `Sorry, no pets`."""
    before = match.string[: match.start("further")].rstrip()
    return bool(match["further"]) and before[-1:] in ",;:—–(-"


def _is_wish(further: str) -> bool:
    """Whether what follows a phrase of conversation claims nothing."""
    further_words = words(further)
    if not further_words:
        return True
    if len(further_words) > _WISHED or _CLAUSE.search(further.strip(_MARKS)) or _THAT.search(further):
        return False
    return _PERSONAL.match(further) is not None or not has_verb(further)


def _is_courteous(further: str) -> bool:
    """Whether the words after a frame claim nothing."""
    further_words = [word.text for word in words(further)]
    if all(word in _courtesy() or is_stop_word(word) for word in further_words):
        return "that" not in further_words
    return len(further_words) <= _FURTHER and not has_verb(further) and "that" not in further_words


def _matches(name: str, bare: str, *, colon: bool = False) -> Iterator[re.Match[str]]:
    text_words = bare_words(bare)
    for phrase in _whole(name, colon=colon):
        if not any(text_words.isdisjoint(forms) for forms in phrase.wanted):  # much faster than the pattern
            match = phrase.pattern.fullmatch(bare)
            if match is not None:
                yield match


@cache
def _courtesy() -> frozenset[str]:
    return frozenset(read_words("courtesy.txt", __package__))


@cache
def _whole(name: str, *, colon: bool) -> tuple[PhrasePattern, ...]:
    """The phrases of a list that make a whole sentence: those that want a colon at its end, or the others."""
    lines = (line for line in spelled_lines(name) if not line.startswith("= "))
    return tuple(_with_further(line.removesuffix(":")) for line in lines if line.endswith(":") == colon)


@cache
def _endings(name: str) -> tuple[re.Pattern[str], ...]:
    """The phrases of a list with which a sentence may end before its colon."""
    lines = (line for line in spelled_lines(name) if line.startswith("= "))
    phrases = (line.removeprefix("= ").removesuffix(":").split("…") for line in lines)
    return tuple(
        re.compile(PhrasePattern.of(fixed).pattern.pattern + (r".{0,60}$" if more else "$"), re.I | re.S)
        for fixed, *more in phrases
    )


def _with_further(line: str) -> PhrasePattern:
    """The phrase, and as `further` whatever may follow it."""
    fixed = line.removesuffix("…")
    phrase = PhrasePattern.of(fixed, gap=14)
    rest = "(?P<further>.{0,200})" if fixed != line else "(?P<further>)"
    return replace(phrase, pattern=re.compile(phrase.pattern.pattern + rest, re.IGNORECASE | re.DOTALL))


def only_asks(said: str) -> bool:
    """Whether it is one short question without a number, and not one that tells what it asks."""
    if not _ASKS.search(said[-12:]) or len(words(said)) > _LONGEST or any(map(str.isdigit, said)):
        return False
    label = _LABEL.match(said)
    question = said[label.end() :] if label else said
    if _TELLS.match(question) or _SENTENCE_BREAK.search(question):
        return False
    return _ASKING.match(question) is not None or not has_verb(question)


def is_heading(
    said: str, block: LayoutBlock, following: LayoutBlock | None, *, opens: bool, below: str = ""
) -> bool:
    """Whether the whole block is a heading; at the end of a text nothing is, as it heads nothing.

    `opens` says that it is the first of the text, where a line of its own is more often the answer; `below`
    is the text under it, by which that can be told.
    """
    if following is None or block.form in ("item", "row", "header", "code"):
        return following is not None and block.form == "item" and _is_bold_heading(said, opens=True, below="")
    if block.form == "title":
        return only_asks(said) or _is_title(said)
    if _is_bold_heading(said, opens=opens, below=below if following.form in ("text", *_LISTS) else ""):
        return True
    if _BOLD.fullmatch(said) or "\n" in said or not said[:1].isupper() or len(list(sentences(said))) > 1:
        return False
    if _COLON.search(said):
        return _is_title(said) and spoken(said) is None
    return _is_title(said) and not _SENTENCE_END.search(said) and (not opens or _heads(said, below))


def introduces(said: str, following: LayoutBlock | None) -> bool:
    """Whether a sentence only introduces the list, the table or the code that follows it.

    With a number in it, or longer than a dozen words, it says something of its own.
    """
    if following is None or following.form not in _LISTS or not _COLON.search(said):
        return False
    return len(words(said)) <= _LONGEST and only_announces(said)


def only_announces(said: str) -> bool:
    """Whether a line before a colon is short, and has no number, no `that` and nothing that happened."""
    bare = without_source(said)
    if any(map(str.isdigit, bare)) or len(words(bare)) > _LONGEST:
        return False
    return not _THAT.search(bare) and not has_past(bare)


def _is_title(text: str) -> bool:
    """Whether a line names something and says nothing of it."""
    bare = _NUMBERED.sub("", text, count=1)
    count = len(words(bare))
    if _ASKING_TITLE.match(bare.lstrip("*_ ")) and count <= _LONGEST_TITLE + 2:
        return not has_past(bare) and not _SENTENCE_END.search(bare[-12:])
    if count > _LONGEST_TITLE or any(map(str.isdigit, bare)) or has_verb(bare):
        return False
    return not (_SENTENCE_END.search(bare[-12:]) and count > _LONGEST_SENTENCE)


def _is_bold_heading(text: str, *, opens: bool, below: str) -> bool:
    match = _BOLD.fullmatch(text)
    if match is None:
        return False
    inner = match["said"].strip()
    if inner.endswith((":", "：")) or match["after"]:
        return _is_title(inner)
    if not _is_title(inner) or _SENTENCE_END.search(inner):
        return False
    return not opens or _heads(inner, below) or _BOLD_LINE.search(below) is not None


def _heads(title: str, below: str) -> bool:
    """Whether a first line is the title of what follows, rather than the answer to what was asked.

    It is one where it names a part of a text, has small words as names have none, or its words come again.
    """
    title_words = words(title)
    if any(word.text in _parts() for word in title_words) or _ASKING_TITLE.match(title):
        return True
    if any(is_stop_word(word.text) for word in title_words) and len(title_words) > 1 and below:
        return True
    content_stems = [stem(word.text) for word in title_words if not is_stop_word(word.text)]
    return bool(content_stems) and set(content_stems) <= {stem(word.text) for word in words(below)}


@cache
def _parts() -> frozenset[str]:
    return frozenset(read_words("headings.txt", __package__))


def is_table_head(said: str) -> bool:
    """Whether the first row of a table only names its columns."""
    return not any(
        len(words(cell)) > _LONGEST_SENTENCE and (has_verb(cell) or any(map(str.isdigit, cell)))
        for cell in said.split("|")
    )
