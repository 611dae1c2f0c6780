"""What was found of claims, as readings with their evidence."""

from collections.abc import Iterator, Sequence

from sensecheck.core.reading import UNREAD, Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.support.source import PassageSentence, plain
from sensecheck.measures.support.support import DERIVED, ClaimSupport, CounterWord, Signal, Support

ABSTAINS = "abstention"
"""The kind of evidence that marks a claim which only says that the passages do not say."""
MENTIONED = "mentioned"
"""The kind of evidence that marks a claim which says that the passages do not say, and they do."""
PERHAPS_MENTIONED = "perhaps_mentioned"
"""The same, where the passages speak of it and may not say it."""
NO_EVIDENCE = "no_evidence"
"""The kind of evidence that marks a claim of which nothing stands in the passages: it is never supported."""
UNCHECKED = "unchecked"
"""The kind of evidence that marks a claim which says too little to be judged by its words."""
SHOWN = 0.1
"""A word that speaks less against its claim is not shown."""
QUOTED_CHARS = 120
REMOTE = 0.35
"""The nearest sentence of the passages is no nearer than that: the claim is about something else."""


def speaks_of_nothing(found: ClaimSupport) -> bool:
    """Whether nothing of a claim stands in the passages, nor anything near it."""
    return not found.evidence or (found.strange and found.near < REMOTE)


def answer_reading(sample: Sample, found: Support, space: Space) -> Reading:
    """The answer as a whole: its support, and what speaks most against it."""
    readable = space.readable(sample.passages)
    lost_chars = sum(len(passage) for passage in sample.passages if passage not in readable)
    unread = lost_chars + space.unread(sample.answer, *readable)
    if not found.claims:
        message = "the answer states nothing that could be checked against the passages"
        return Reading(0.0, message, (), unread)
    worst = max(found.claims, key=lambda claim: claim.against)
    evidence = (
        *(item for claim in found.claims for item in evidence_of(sample, claim)),
        *injected(sample, found),
    )
    count = len(found.claims)
    because = "its one claim" if count == 1 else f"the worst of its {count} claims"
    return Reading(found.support, f"{because}: {because_of(worst)}", evidence, unread)


def claim_reading(sample: Sample, found: ClaimSupport) -> Reading:
    """One claim: its support, where the passages come nearest to it, and what does not fit."""
    return Reading(found.support, because_of(found), tuple(evidence_of(sample, found)))


def because_of(found: ClaimSupport) -> str:
    """The strongest reason, in words."""
    if found.mention is not None and found.mention.sure:
        return f"it says that the passages do not say; they say `{_quoted(found.mention.sentence)}`"
    if found.mention is not None and found.open:
        return (
            f"it says that the passages do not say; they speak of it in `{_quoted(found.mention.sentence)}`"
        )
    if found.open:
        return "it says that the passages do not say"
    if found.verbatim:
        plain_claim = plain(found.claim.stated)
        how = (
            "word by word"
            if any(plain_claim in plain(sentence.text) for sentence in found.evidence)
            else "in other words"
        )
        return f"the passages say it {how}"
    if speaks_of_nothing(found):
        return "nothing of it stands in the passages"
    signals = sorted(found.signals, key=lambda signal: signal.kind == DERIVED)
    if signals:
        return "; ".join(dict.fromkeys(signal.note for signal in signals[:2]))
    if not found.placed:
        return "it says too little to be held against the passages by its words alone"
    strange = [counter_word.word.text for counter_word in _novel_words(found.words)]
    if strange:
        verb = "is" if len(strange) == 1 else "are"
        return f"{', '.join(f'`{word}`' for word in strange[:4])} {verb} not in the passages"
    return f"its words stand in the passages; the nearest sentence lies at {found.near:.3f}"


def evidence_of(sample: Sample, found: ClaimSupport) -> Iterator[Evidence]:
    """Where the passages come nearest to a claim, and everything in it that does not fit."""
    mine = Span.of("answer", sample.answer, found.claim.start, found.claim.end)
    for number, sentence in enumerate(_nearest_sentences(found)):
        theirs = Span.of(
            f"passages[{sentence.passage}]", sample.passages[sentence.passage], sentence.start, sentence.end
        )
        yield Evidence("nearest", mine, theirs, found.near if number == 0 else None)
    if speaks_of_nothing(found):
        yield Evidence(NO_EVIDENCE, mine, note="nothing of it stands in the passages:")
    elif found.near < REMOTE and not found.verbatim:
        yield Evidence(
            "low_similarity", mine, closeness=found.near, note="nothing in the passages lies near:"
        )
    if found.abstains is not None:
        start, end = (found.claim.start + place for place in found.abstains)
        yield _open_evidence(sample, found, Span.of("answer", sample.answer, start, end))
    elif not found.placed:
        yield Evidence(UNCHECKED, mine, note="says too little to be found in one place:")
    yield from (_signal_evidence(sample, signal) for signal in found.signals)
    yield from (_word_evidence(sample, counter_word) for counter_word in _novel_words(found.words))


def _open_evidence(sample: Sample, support: ClaimSupport, claim_span: Span) -> Evidence:
    """What a claim says to be missing: right, wrong, or perhaps wrong."""
    if support.mention is None:
        return Evidence(ABSTAINS if support.open else "open_part", claim_span)
    sentence = support.mention.sentence
    theirs = Span.of(
        f"passages[{sentence.passage}]", sample.passages[sentence.passage], sentence.start, sentence.end
    )
    if support.mention.sure:
        return Evidence(MENTIONED, claim_span, theirs, note="the passages do say it:")
    return Evidence(PERHAPS_MENTIONED, claim_span, theirs, note="the passages speak of it:")


def _quoted(sentence: PassageSentence) -> str:
    """A sentence on one line, cut where it is long."""
    line = " ".join(sentence.text.split())
    return line if len(line) <= QUOTED_CHARS else f"{line[: QUOTED_CHARS - 1]}…"


def injected(sample: Sample, found: Support) -> tuple[Evidence, ...]:
    """Where the passages speak to the model, or cannot be read; it says nothing of the answer."""
    injections = (
        Evidence(
            "injection_in_source",
            source=Span.of(f"passages[{at}]", sample.passages[at], start, end),
            note=f"speaks to the model ({why}):",
        )
        for at, start, end, why in found.source.injections
    )
    unread = (
        Evidence(UNREAD, source=Span.of(f"passages[{at}]", text), note="cannot be read, and is left out:")
        for at, text in enumerate(sample.passages)
        if not found.source.passages[at] and text
    )
    return (*injections, *unread)


def _nearest_sentences(support: ClaimSupport) -> Sequence[PassageSentence]:
    """The sentence that says a claim word by word; where none does, the two that come nearest."""
    if not support.verbatim:
        return support.evidence[:2]
    plain_claim = plain(support.claim.text)
    exact = [sentence for sentence in support.evidence if plain(sentence.text) == plain_claim]
    return exact[:1] or support.evidence[:1]


def _novel_words(words: Sequence[CounterWord]) -> list[CounterWord]:
    """The words that the passages do not hold and that count, in their order."""
    return [word for word in words if word.missing and word.weight >= SHOWN]


def _signal_evidence(sample: Sample, signal: Signal) -> Evidence:
    mine = Span.of("answer", sample.answer, *signal.answer)
    theirs = None
    if signal.source is not None and signal.passage is not None:
        theirs = Span.of(f"passages[{signal.passage}]", sample.passages[signal.passage], *signal.source)
    return Evidence(signal.kind, mine, theirs, note=signal.note)


def _word_evidence(sample: Sample, counter_word: CounterWord) -> Evidence:
    mine = Span.of("answer", sample.answer, counter_word.word.start, counter_word.word.end)
    theirs = None
    if counter_word.nearest is not None and counter_word.passage is not None:
        place = counter_word.nearest.start, counter_word.nearest.end
        theirs = Span.of(f"passages[{counter_word.passage}]", sample.passages[counter_word.passage], *place)
    return Evidence("novel_term", mine, theirs, note="is not in the passages:")
