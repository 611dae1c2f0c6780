"""Claims that say a sentence again with an amount in other words, or as `Yes, it does.`; and answers that say
their question again.

Each rule is narrow, since what it finds is certain without asking anybody: nothing may be denied or
restricted, and behind `yes` and `no` only members of a list are left out.
"""

import re
from collections.abc import Iterator, Sequence

from sensecheck.measures.facts.equivalence import amounts_in, same_value, written_alike
from sensecheck.measures.facts.fact import Fact, Moment, Quantity
from sensecheck.measures.support.source import PassageSentence, plain
from sensecheck.text.words import Word, is_stop_word, stem, words

MAX_SENTENCE_CHARS = 600
_LEAD = re.compile(r"^\W*(yes|yeah|yep|no|nope)\b[\s,.!:;–—-]*", re.I)
_ELLIPSIS = re.compile(
    r"(?:(?:it|they|you|we|i|he|she|that|this|there) (?:\w+n['’]t|cannot|\w+(?: not)?))?[.!]?", re.I
)
_QUESTION = re.compile(
    r"^\W*(?:is|are|was|were|am|do|does|did|can|could|will|would|may|has|have|had)\b", re.I
)
_LISTED = re.compile(r"[,(]|\b(?:and|or)\b", re.I)
_JOINING = re.compile(r"\b(?:and|or)\b", re.I)
_CLAUSE_END = re.compile(r"[;:.!?](?:\s|$)")
_OR = re.compile(r"\bor\b", re.I)
_OR_BEFORE = re.compile(r"\b(?:either|or)\W+(?:(?:the|an?)\s+)?$", re.I)
_OR_BEHIND = re.compile(r"\W*or\b", re.I)
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_NARROWS = re.compile(
    r"\W*(?:for|on|in|at|with|to|by|from|of|above|below|within|again|more|less|per|each|as|ago|later|earlier"
    r"|[ap]\.?m)\b",
    re.I,
)
_WHEREVER = re.compile(r"\s(?:at|in|with) (?:any|all|every) \w+(?=\W*$)", re.I)
"""What at the end of a sentence narrows nothing: `at any socket`."""
_SHARED = (
    re.compile(r"\b(?:was|were|did|had|used to|will|shall|would|could)\b", re.I),
    re.compile(r"\b(?:all|every|each|any|both|either|other)\b", re.I),
    re.compile(r"\b(?:off|up|down|out|more|fewer|less|my|your|our)\b", re.I),
    re.compile(r"\b(?:must|should|shall|ought|needs?|ha(?:s|ve) to|required|mandatory)\b", re.I),
)
"""Words of time, number, direction and duty, which the two must have alike."""
_CLAUSES = re.compile(r";|,\s*(?:and|or|so|yet)\b", re.I)
_TURNING = re.compile(
    r"\b(?:he|she|him|her|his|hers|who|whom|whose|which|that|lacks?|fail\w*|den(?:y|ies|ied)|refus\w+|one of"
    r"|the other)\b",
    re.I,
)
"""What makes a list, or who does what in it, another one than it seems."""
_DENIAL = re.compile(r"\b(?:not|no|never|cannot|neither|nor|none|nothing|without|hardly|\w+n['’]t)\b", re.I)
_RESTRICTION = re.compile(
    r"\b(?:if|unless|only|except|excluding|but|although|though|while|when|until|till|before|after|during"
    r"|provided|depending|otherwise|instead|some|many|few|several|selected|most|sometimes"
    r"|mostly|mainly|largely|chiefly|primarily|partly|almost|nearly"
    r"|usually|often|rarely|may|might|up to|at most|at least|than)\b",
    re.I,
)
_MEASURING = re.compile(r"\b(?:when|what time|how (?:long|much|many|old|far|often|soon|late|early))\b", re.I)
_ASKING = frozenset({"many", "much", "long", "old", "far", "often", "soon", "late", "early", "time"})
_PASSIVE = re.compile(r"\b(?:is|are|was|were|be|been)\s+(?:\w+ly\s+)?\w+(?:ed|en|wn|ld|nt|ght|pt)\b", re.I)
_DIRECTION = re.compile(
    r"\b(to|from|by|against|into|under|over|above|below|for|with|between|towards?|on|in|at|off|since|behind)\s+"
    r"(?:(?:the|a|an|our|your)\s+)?$",
    re.I,
)
_PRONOUN = re.compile(r"^\W*(?:it|they|he|she|this|these)\b", re.I)
_AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|do|does|did|can|could|should|would|will|shall|may|might|must|has|have|had)\b", re.I
)
_WHOM = re.compile(r"^\W*whom?\s+(?:do|does|did|can|could|should|would|will|shall|may|must)\b", re.I)


def restated_sentence(
    claim: str, question: str | None, sentences: Sequence[PassageSentence], every: Sequence[PassageSentence]
) -> PassageSentence | None:
    """The sentence that a claim says again, if any; `every` holds all sentences in their order."""
    for sentence in sentences:
        if len(sentence.text) > MAX_SENTENCE_CHARS:
            continue
        if written_alike(claim, sentence.text):
            return sentence
        subject = _subject_stems(sentence, every)
        if _is_named_amount(claim, question, sentence, subject) or any(
            _states(statement, sentence.text, question, subject, denied)
            for statement, denied in _statements(claim, question)
        ):
            return sentence
    return None


def fills_question(answer: str, question: str, expected: str) -> bool:
    """Whether an answer says the question again with what was expected in it, and nothing else.

    `William Shakespeare wrote Hamlet.` for `William Shakespeare`, where the question was who wrote Hamlet.
    What was expected must be new: of `The Rhine is longer than the Danube.` the question may name both.
    """
    texts = (answer, question, expected)
    if any(map(_DENIAL.search, texts)) or any(map(_RESTRICTION.search, (answer, expected))):
        return False
    said, asked, wanted = map(_content, texts)
    if not wanted or not set(wanted).isdisjoint(asked) or _is_redirected(answer, expected):
        return False
    starts = (at for at in range(len(said) - len(wanted) + 1) if said[at : at + len(wanted)] == wanted)
    start = next(starts, None)
    if start is None or not _is_in_its_role(question, answer, is_first=start == 0):
        return False
    others, remaining = [*said[:start], *said[start + len(wanted) :]], iter(asked)
    return bool(others) and all(word in remaining for word in others)  # in the order of the question


def _is_in_its_role(question: str, answer: str, *, is_first: bool) -> bool:
    """Whether what was asked for stands where its question has it: who did something, or to whom."""
    if not _AUXILIARY.search(question):
        return is_first or bool(_PASSIVE.search(answer))
    return not (is_first and _WHOM.search(question))


def _statements(claim: str, question: str | None) -> Iterator[tuple[str, bool]]:
    """What a claim states, without a `yes` or `no` before it, and whether it denies that."""
    lead = _LEAD.match(claim)
    rest = claim[lead.end() :] if lead else claim
    denied = bool(_DENIAL.search(rest))
    if _RESTRICTION.search(rest):
        return
    if lead is None:
        yield rest, denied
        return
    no = lead[1].lower().startswith("n")
    if rest and denied != no:
        return
    if not _ELLIPSIS.fullmatch(rest):
        yield rest, no
    elif question and _QUESTION.match(question) and not _DENIAL.search(question):
        yield question, no


def _subject_stems(sentence: PassageSentence, every: Sequence[PassageSentence]) -> frozenset[str]:
    """The words of the sentence before one that begins with a pronoun, which stands for one of them."""
    at = every.index(sentence)
    if not at or not _PRONOUN.match(sentence.text) or every[at - 1].passage != sentence.passage:
        return frozenset()
    return every[at - 1].stems


def _states(
    statement: str, sentence: str, question: str | None, subject: frozenset[str], denied: bool
) -> bool:
    """Whether a sentence makes the statement, or denies it, with nothing but members of lists between."""
    sentence = _WHEREVER.sub("", sentence)
    texts = (statement, sentence)
    if any(map(_TURNING.search, texts)) or _RESTRICTION.search(sentence) or _is_redirected(*texts):
        return False
    if len(_DENIAL.findall(sentence)) != int(denied):
        return False
    if any(_matched_words(marks, statement) != _matched_words(marks, sentence) for marks in _SHARED):
        return False
    joining = _matched_words(_JOINING, statement)
    if joining and joining != _matched_words(_JOINING, sentence):
        return False
    amounts, sentence_amounts = amounts_in(statement), amounts_in(sentence)
    reworded = [fact for fact in amounts if statement[fact.start : fact.end] not in sentence]
    if not all(_is_the_only(fact, sentence_amounts) for fact in reworded):
        return False
    sentence_words = _content_words(sentence)
    content = _content(statement, without=reworded)
    sentence_stems = {stem(word.text) for word in sentence_words}
    while len(content) > 1 and content[0] in subject - sentence_stems:
        content = content[1:]
    if len(content) + len(reworded) < 2 or not _content(statement, without=amounts):
        return False
    kinds = [_kind(fact) for fact in sentence_amounts]
    is_copied = plain(statement) in plain(sentence)
    if not is_copied and any(kinds.count(_kind(fact)) > 1 for fact in amounts):
        return False  # another one may go with what is said
    is_measured = bool(amounts and question and _MEASURING.search(question))
    return _in_order(content, sentence_words, sentence, is_measured=is_measured)


def _matched_words(marks: re.Pattern[str], text: str) -> set[str]:
    return {match.lower() for match in marks.findall(text)}


def _in_order(
    content: Sequence[str], sentence_words: Sequence[Word], sentence: str, *, is_measured: bool = False
) -> bool:
    """Whether the words follow each other in the sentence, up to members of lists that are left out.

    Nothing that restricts the last of them may follow it, unless an amount is what was asked for.
    """
    places: list[int] = []
    for expected in content:
        start = places[-1] + 1 if places else 0
        stems = (stem(word.text) for word in sentence_words[start:])
        following = next((index for index, one in enumerate(stems, start) if one == expected), None)
        if following is None:
            return False
        if places and not _is_listed_gap(sentence_words, places[-1], following, sentence):
            return False
        places.append(following)
    if not places:
        return True
    before, after = sentence[: sentence_words[places[0]].start], sentence[sentence_words[places[-1]].end :]
    if _OR_BEFORE.search(before) or _OR_BEHIND.match(after):
        return False
    return is_measured or not _NARROWS.match(after)


def _is_listed_gap(sentence_words: Sequence[Word], before: int, after: int, sentence: str) -> bool:
    """Whether two words stand side by side, or only members of a list stand between them."""
    gap = _IN_BRACKETS.sub("", sentence[sentence_words[before].end : sentence_words[after].start])
    if _CLAUSE_END.search(gap):
        return False
    if after == before + 1:
        return True
    last = sentence[sentence_words[after - 1].end : sentence_words[after].start]
    first = sentence[sentence_words[before].end : sentence_words[before + 1].start]
    if _AUXILIARY.search(gap) or _OR.search(gap):
        return False
    if _JOINING.search(gap) and not _JOINING.search(last):  # the manager, Mr Hill, and the owner, Ms Day
        return False
    return bool(_LISTED.search(last) or _LISTED.search(first))


def _content(text: str, *, without: Sequence[Fact] = ()) -> list[str]:
    """The stems of the words that carry content, in their order, but for those of some facts."""
    return [
        stem(word.text)
        for word in _content_words(text)
        if not any(fact.start <= word.start < fact.end for fact in without)
    ]


def _content_words(text: str) -> list[Word]:
    return [word for word in words(text) if not (is_stop_word(word.text) or _DENIAL.match(word.text))]


def _is_redirected(statement: str, sentence: str) -> bool:
    """Whether a word stands behind another preposition: `to London` for `from London`."""
    mine, theirs = _directions(statement), _directions(sentence)
    return any(mine[word] != theirs[word] for word in mine.keys() & theirs.keys())


def _directions(text: str) -> dict[str, str]:
    matches = ((stem(word.text), _DIRECTION.search(text[: word.start])) for word in _content_words(text))
    return {word: match[1].lower() for word, match in matches if match}


def _is_named_amount(
    claim: str, question: str | None, sentence: PassageSentence, subject: frozenset[str]
) -> bool:
    """Whether a claim is an amount or a time alone, and the sentence says that one of what is asked."""
    if not question or not _MEASURING.search(question):
        return False
    texts = (claim, sentence.text)
    if any(map(_DENIAL.search, texts)) or any(map(_RESTRICTION.search, texts)):
        return False
    if _TURNING.search(sentence.text) or _CLAUSES.search(sentence.text):
        return False
    mine, theirs = amounts_in(claim), amounts_in(sentence.text)
    if not mine or _content(claim, without=mine) or not all(_is_the_only(amount, theirs) for amount in mine):
        return False
    question_stems = {word for word in _content(question) if word not in _ASKING}
    return bool(question_stems & sentence.stems) and question_stems <= sentence.stems | subject


def _is_the_only(fact: Fact, theirs: Sequence[Fact]) -> bool:
    """Whether of all amounts of its kind in a sentence there is one, and it is the same."""
    alike = [other.value for other in theirs if _kind(other) == _kind(fact)]
    return len(alike) == 1 and same_value(fact.value, alike[0])


def _kind(fact: Fact) -> str:
    if isinstance(fact.value, Quantity):
        return fact.value.dimension
    return "clock" if isinstance(fact.value, Moment) and fact.value.minute is not None else "date"
