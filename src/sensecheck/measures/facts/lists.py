"""Lists of which the answer leaves out a member: `red and blue` where `green, red and blue` was expected.

It is found only where the answer gives a list itself, of nothing but members of the expected one: whoever
says it in other words, or names one thing for several, has an item there that is none of the members.
"""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cache

from sensecheck.measures.facts.fact import Difference
from sensecheck.measures.facts.parsing import Parsed, Sentence
from sensecheck.text.wordlists import read_groups
from sensecheck.text.words import Word, is_stop_word, stem

_ITEM_WORDS = 5
"""How many words an item has at most."""
_MAX_ITEMS = 40
"""A list of more items is not compared."""
_ALIKE_CHARS = 4
"""Two words that begin with so many letters alike may be one: `Germany`, `German`."""
_JOINING = frozenset({"and", "or", "nor", "plus"})
_COMMA = re.compile(r"^[\"'”’)]*\s*,\s*[\"'“‘(]*$")
_SPACE = re.compile(r"^[\"'”’)\s]*[\"'“‘(]*$")
_AMPERSAND = re.compile(r"^\s*[&+]\s*$")
_DETERMINERS = frozenset(
    {"the", "a", "an", "our", "your", "my", "their", "its", "his", "her", "this", "that"}
)
_EXAMPLES = re.compile(
    r"\b(?:such as|like|for example|for instance|including|includes?|e\.\s?g\.|among (?:them|others)|say|etc"
    r"|and so on|and more|or so|usually|mostly|mainly)\b",
    re.IGNORECASE,
)
"""What makes a list one of examples, of which none need be named."""
_BESIDES = re.compile(
    r"\b(?:both|besides|beside|plus|along with|together with|as well|in addition|apart from|aside from|too"
    r"|also|others?|rest|all (?:of )?(?:them|these|those|three|four|five|six)|everything|everyone|same)\b",
    re.IGNORECASE,
)
"""What adds something to a list outside of it."""


@dataclass(frozen=True, slots=True)
class ListItem:
    """A member of a list: its words, and the stems that tell it from the other members."""

    words: tuple[Word, ...]
    stems: tuple[str, ...]
    """Of its content words; those nearest to the mark that parts it from another item come first."""
    is_outer: bool
    """Whether it is the first or the last: what else the sentence says touches it."""
    may_open: bool
    """Whether it may be no member, but what opens the sentence: `Dear guests, tea and coffee are free`."""

    @property
    def telling(self) -> tuple[str, ...]:
        """The stems that must belong to it: of an outer item, the others may be what is said of all."""
        return self.stems[:1] if self.is_outer else self.stems

    @property
    def is_determined(self) -> bool:
        """Whether it begins with an article or the like."""
        return self.words[0].text in _DETERMINERS

    def without(self, said: Set[str]) -> tuple[int, int]:
        """Where it stands, without the words at either end that are among these stems."""
        own = [word for word in self.words if is_stop_word(word.text) or stem(word.text) not in said]
        return own[0].start, own[-1].end


@dataclass(frozen=True, slots=True)
class ItemList:
    """The members of a list, at least two."""

    items: tuple[ListItem, ...]

    @property
    def start(self) -> int:
        """Where the first begins."""
        return self.items[0].words[0].start

    @property
    def end(self) -> int:
        """Where the last ends."""
        return self.items[-1].words[-1].end


def shorter_lists(answer: Parsed, expected: Parsed) -> Iterator[Difference]:
    """The lists of the answer that are an expected one without some of its members."""
    if _BESIDES.search(answer.text) or _EXAMPLES.search(expected.text):
        return
    theirs = [one for one in lists_in(expected) if len(one.items) > 2]
    for mine in lists_in(answer) if theirs else ():
        for other in theirs:
            if lacking := _lacking(mine, other, answer):
                places = [item.without(set(answer.stems)) for item in lacking]
                left_out = ", ".join(f"`{expected.text[slice(*place)]}`" for place in places)
                note = f"`{answer.text[mine.start : mine.end]}` leaves out {left_out}"
                yield Difference("list", "less", note, (mine.start, mine.end), places[0], 0)
                break


def lists_in(text: Parsed) -> Iterator[ItemList]:
    """The lists of a text: short items with commas between them, and `and` or `or` before the last one."""
    for sentence in text.sentences:
        pieces, links = _pieces(text.text, sentence)
        first = 0
        while first < len(links):
            last = first
            while last < len(links) and links[last] == "," and _is_item(pieces[last + 1]):
                last += 1
            if last < len(links) and links[last] == "and":
                while last + 1 < len(links) and links[last + 1] == "and" and _is_item(pieces[last + 1]):
                    last += 1
                goes_on = links[last + 1 : last + 2] == [","] and _is_item(pieces[last + 2])
                if not goes_on and (found := _list_of(pieces[first : last + 2], is_first=not first)):
                    yield found  # `Paris, France, and London, England` goes on
            first = last + 1


def _pieces(text: str, sentence: Sentence) -> tuple[list[list[Word]], list[str]]:
    """What stands between commas and `and`, and what parts each piece from the next: `,`, `and` or `.`."""
    pieces: list[list[Word]] = [[]]
    links: list[str] = []
    end = sentence.start
    for word in sentence.words:
        gap = text[end : word.start]
        end = word.end
        if pieces[-1] and not _SPACE.match(gap):
            links.append("," if _COMMA.match(gap) else "and" if _AMPERSAND.match(gap) else ".")
            pieces.append([])
        if word.text not in _JOINING:
            pieces[-1].append(word)
        elif pieces[-1]:
            links.append("and")
            pieces.append([])
        elif links:
            links[-1] = "and"  # `red, and blue`
    return (pieces, links) if pieces[-1] else (pieces[:-1], links[:-1])


def _is_item(piece: Sequence[Word]) -> bool:
    """Whether it is short, no clause of its own, and no phrase such as `on Sundays`."""
    if not 0 < len(piece) <= _ITEM_WORDS or piece[0].text in _group("opening"):
        return False
    return not any(word.text in _clause_words() for word in piece)


def _list_of(pieces: Sequence[Sequence[Word]], *, is_first: bool) -> ItemList | None:
    """The list of these pieces, without what stands before its first item and behind its last."""
    if len(pieces) > 2 and _is_opening(pieces[0]):
        pieces, is_first = pieces[1:], False
    if len(pieces) > _MAX_ITEMS:
        return None
    nuclei = [_tail(pieces[0]), *pieces[1:-1], _head(pieces[-1])]
    contents = [[word for word in words if not is_stop_word(word.text)] for words in nuclei]
    if not all(contents) or any(word.text[0].isdigit() for words in nuclei for word in words):
        return None
    ordered = [contents[0][::-1], *contents[1:]]
    stems = [[stem(word.text) for word in words] for words in ordered]
    items = []
    for at, (words, own) in enumerate(zip(nuclei, stems, strict=True)):
        others = {word for place, other in enumerate(stems) if place != at for word in other}
        told = tuple(word for word in own if word not in others)
        may_open = not at and is_first and _may_open(pieces, words)
        items.append(ListItem(tuple(words), told, at in (0, len(nuclei) - 1), may_open))
    return ItemList(tuple(items))


def _is_opening(piece: Sequence[Word]) -> bool:
    """Whether it only opens the sentence, before a comma: `Yes`, `In summer`, `Usually`."""
    first = piece[0].text
    if first in _group("before-answer") | _group("yes") | _group("no") or first in _group("opening"):
        return True
    return len(piece) == 1 and first.endswith("ly")


def _may_open(pieces: Sequence[Sequence[Word]], nucleus: Sequence[Word]) -> bool:
    """Whether a clause follows the first piece of a sentence, and the piece is not built as the next one."""
    plain = [[word for word in piece if word.text not in _DETERMINERS] for piece in pieces]
    is_whole = len(nucleus) == len(pieces[0])
    return is_whole and len(plain[0]) != len(plain[1]) and len(plain[-1]) > len(plain[1])


def _tail(piece: Sequence[Word]) -> Sequence[Word]:
    """The last words of a piece that belong together: `green` of `it comes in green`."""
    start = len(piece)
    while start and (not is_stop_word(piece[start - 1].text) or piece[start - 1].text in _DETERMINERS):
        start -= 1
        if piece[start].text in _DETERMINERS:
            break
    return piece[max(start, len(piece) - _ITEM_WORDS) :]


def _head(piece: Sequence[Word]) -> Sequence[Word]:
    """The first words of a piece that belong together: `a letter` of `a letter of motivation`."""
    end = 0
    while end < len(piece) and (
        not is_stop_word(piece[end].text) or (not end and piece[end].text in _DETERMINERS)
    ):
        end += 1
    return piece[: min(end, _ITEM_WORDS)]


def _lacking(mine: ItemList, theirs: ItemList, answer: Parsed) -> Sequence[ListItem]:
    """The members that a shorter list leaves out; none where an item of it is none of the members."""
    if len(mine.items) >= len(theirs.items):
        return ()
    named: set[int] = set()
    for item in mine.items:
        matching = {at for at, member in enumerate(theirs.items) if _is_named(member, item)}
        if len(matching) != 1 or matching <= named:
            return ()
        named |= matching
    said = {word for word in answer.stems if word}
    lacking = [member for at, member in enumerate(theirs.items) if at not in named]
    if not all(_is_left_out(member, said) for member in lacking) or any(
        _is_apposition(theirs.items, theirs.items.index(member)) for member in lacking
    ):
        return ()
    return lacking


def _is_named(member: ListItem, item: ListItem) -> bool:
    """Whether an item is this member: a word in common, of those next to its mark if it is an outer one."""
    return not set(member.telling).isdisjoint(item.stems)


def _is_left_out(member: ListItem, said: Set[str]) -> bool:
    """Whether the answer has no word that tells this member from the others, nor one that is like it."""
    if not member.telling or member.may_open:
        return False
    return not any(_is_alike(word, other) for word in member.telling for other in said)


def _is_alike(one: str, other: str) -> bool:
    shorter = min(len(one), len(other))
    return one == other or (shorter >= _ALIKE_CHARS and one[:_ALIKE_CHARS] == other[:_ALIKE_CHARS])


def _is_apposition(items: Sequence[ListItem], at: int) -> bool:
    """Whether it may say what the item before it is: `Berlin, the capital, and Paris`."""
    return 0 < at < len(items) - 1 and items[at].is_determined and not items[at - 1].is_determined


@cache
def _clause_words() -> frozenset[str]:
    """Words that make a piece a clause, or something else than one more item."""
    return _group("unlisted") | _group("auxiliary") | _group("clause")


def _group(name: str) -> frozenset[str]:
    return read_groups("cues.txt", __package__)[name]
