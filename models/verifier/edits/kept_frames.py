"""A claim put into a frame that adds nothing: `According to the passage, ...`, a bullet, another sentence."""

import re
from collections.abc import Iterator
from random import Random

from models.verifier.edits.edit import Article
from models.verifier.edits.kept_drops import HAS_VERB
from models.verifier.edits.kept_moves import inner

_BEFORE = (
    "According to the passage, ",
    "According to the text, ",
    "According to the article, ",
    "The text says that ",
    "The passage states that ",
    "The article mentions that ",
    "The passage explains that ",
    "The document notes that ",
    "It is stated that ",
    "As stated in the text, ",
    "Based on the passage, ",
    "Based on the given information, ",
    "The source reports that ",
    "The author writes that ",
    "From the passage, we learn that ",
    "We are told that ",
    "As the article notes, ",
    "It is clear from the text that ",
    "Per the document, ",
    "In short, ",
    "According to the context provided, ",
    "The context says that ",
    "In the text, it is mentioned that ",
)
_GREETINGS = ("Yes, ", "Sure: ", "In summary, ", "To answer your question, ", "Briefly, ", "Answer: ")
_AFTER = (
    ", according to the passage",
    ", according to the text",
    ", as the article says",
    ", as stated in the passage",
)
_BULLETS = ("- ", "* ", "• ", "1. ", "> ")
_STRONG = re.compile(r"(?<![\w*])(?:[A-Z][\w-]+(?: [A-Z][\w-]+)+|\$?\d[\d,.]*\d%?)(?![\w*])")
_UNCLEAR = re.compile(
    r"^(?:he|she|it|they|this|these|those|that|such|however|but|and|also|his|her|its|their|there|then"
    r"|here|for|yet|so"
    r"|both|another|other|instead|moreover|furthermore|thus|therefore|similarly|in addition|who|which"
    r"|when|while|i|we|you)\b",
    re.I,
)
"""Openings that lean on the sentence before."""
_LINKED = re.compile(
    r"(?:and|but|so|or|yet|because|also|then|however|according to|in conclusion|in summary)\b", re.I
)
_PLAIN = re.compile(r"^[A-Z][^?!\"“”:;\n]{20,160}\.$")


def framed(claim: str, article: Article, rng: Random) -> Iterator[str]:
    """The claim with a few words before or after it that only say where it is from."""
    if "?" in claim or not claim[:1].isalnum() or _LINKED.match(claim) or not HAS_VERB.search(claim):
        return
    if (inside := inner(claim, article)) is not None:
        yield rng.choice(_BEFORE if rng.random() < 0.8 else _GREETINGS) + inside
    if claim.endswith(".") and claim.count(".") == 1 and "," not in claim:
        yield claim[:-1] + rng.choice(_AFTER) + "."


def combined(claim: str, article: Article, rng: Random) -> Iterator[str]:
    """The claim and another sentence of the article in one."""
    if not _PLAIN.match(claim):
        return
    others = [other for other in article.sentences if _PLAIN.match(other) and not _UNCLEAR.match(other)]
    others = [other for other in others if not _alike(other, claim)]
    for other in rng.sample(others, min(2, len(others))):
        inside = inner(other, article)
        if inside is not None and not _UNCLEAR.match(claim):
            join = rng.choice([", and ", "; "]) if "," not in other else "; "
            yield claim[:-1] + join + inside


def _alike(one: str, other: str) -> bool:
    """Whether two sentences share most words, as a claim does with the sentence that it comes from."""
    mine, theirs = set(one.lower().split()), set(other.lower().split())
    return 2 * len(mine & theirs) > min(len(mine), len(theirs))


def lowered(claim: str, article: Article, rng: Random) -> Iterator[str]:
    """The claim in lowercase letters."""
    if claim != claim.lower():
        yield claim.lower()


def marked_up(claim: str, article: Article, rng: Random) -> Iterator[str]:
    """The claim as a line of Markdown, or without its full stop."""
    strong = [match.span() for match in _STRONG.finditer(claim)]
    if strong:
        start, end = rng.choice(strong)
        yield f"{claim[:start]}**{claim[start:end]}**{claim[end:]}"
    if claim[:1].isalnum():
        yield rng.choice(_BULLETS) + claim
    if claim.endswith(".") and claim.count(".") == 1:
        yield claim[:-1]
