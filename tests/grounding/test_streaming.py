"""What is released of an answer, however the stream that it comes in is cut."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sensecheck.grounding.streaming import Borders, Held
from sensecheck.measures.claims.claims import claims
from tests.examples import examples
from tests.pace import usual_seconds

NASTY = [
    "Paris is the capital. It has 2.1 million people, e.g. Dr. No. See p. 4 ff. for more. And so on.",
    "He said: “It is so.” She left. “Really?” he asked… then nothing. Well... maybe. Yes!",
    "A. Smith wrote it. He left.\n\nB. Jones came. She stayed.",
    "1. First it was so. Then not.\n2. Second.\n\n42. Nothing counts here. It is alone.",
    "Here are two:\n- one is red. It is.\n- two is blue\n    - and a part of it\n\nThat is all. Bye!",
    "# Title. Of it\nOne is. Two is.\n\n**Bold. Name**\nMore of it. And more.\n\n**Note:** So it is. Yes.",
    "| a | b |\n|---|---|\n| c. D | e |\nAfter it. Comes more | x\n\nDone now. All of it.",
    "Foo is here. Bar a | b\n---|---\nC | d\n\nIt ended. So it did.",
    "It is `a. B and c` there. But `open. Here it goes on. And on.\nNext line. Is here.",
    "```python\nx = 1. \n\n# It is. So it is.\n```\nAfter the code. Comes text.\n~~~\nnever closed. Here",
    "    x = 1;\n\n    y = 2. Or so;\n\nText after it. Goes on.\n\n    Indented text. Only.",
    "> Quoted it is. So it is.\n> More. And more.\n\nNot quoted. At all.",
    "What is it? It is a bridge. Is it? Sure! Let me know if you need more.",
    "彼は行った。「そうだ。」彼女は言った。次。もう一つ！",
    "A line that is broken by an editor because it is long enough\nGoes on here. And ends.\nAnother. One.",
    "In the U.S. Army it is so. The U.S. The end. J. R. Tolkien vs. Mr. X, etc. It is over.\r\n\r\nBye now.",
    "The rule; the other; " * 12 + "the end. One more. And one.",
    "- " + "word " * 61 + "stop. Another one. And more.\n- short\n\nThe end. Of it.",
    "...",
    "No",
    "   \n\n",
    "",
]
PIECES = st.sampled_from(
    [
        *(
            "Foo bar baz. ",
            "He left. ",
            "e.g. ",
            "Dr. ",
            "3.5 ",
            "\n",
            "\n\n",
            "- item one",
            "1. first",
            "2. second",
        ),
        *(
            "A. Smith wrote it. ",
            "B. Jones",
            "| a | b |",
            "---|---",
            "|--|--|\n",
            "a | b",
            "`code. Here ",
            "`",
        ),
        *("```", "~~~", "> quoted. Text ", "# Title. More", "**Bold. thing**", "**", "Here are three:", "__"),
        *(
            "    x = 1;",
            "    indented. Text ",
            "\t- sub",
            "…",
            "... ",
            "What is it? ",
            "Sure! ",
            "“Quoted.” ",
        ),
        *(
            "(see p. 4). ",
            "彼は行った。",
            "」次。",
            "U.S. Army ",
            "etc. ",
            "and more ",
            "?!",
            '" ',
            "x",
            "Y",
            " ",
        ),
        *(
            "; ",
            "vs. ",
            "No. ",
            "5 ",
            "\r\n",
            "]",
            "A line that is long enough to be broken by an editor of text ",
        ),
    ]
)
TEXTS = st.lists(PIECES, max_size=14).map("".join)
Accepts = Callable[[str], bool]


def release(pieces: Iterable[str], accepts: Accepts) -> str:
    """What goes out of a stream cut so."""
    held, released, checked = Held(), "", [""]

    def step(prefixes: tuple[str, ...]) -> str:
        sent = ""
        for prefix in prefixes:
            if held.is_refused or not accepts(prefix):
                held.refused()
                break
            checked.append(prefix)
            sent += held.accepted(prefix)
        return sent

    for piece in pieces:
        released += step(held.feed(piece))
        assert released in checked
    released += step(held.finish())
    assert released == held.released
    assert released in checked
    return released


def refusing(marked: str) -> Accepts:
    """Accepts what does not hold a certain claim of the text."""
    return lambda prefix: marked not in prefix


def is_border(text: str, at: int) -> bool:
    """Whether no claim of the text lies on both sides."""
    return not any(claim.start < at < claim.end for claim in claims(text))


def verdicts(text: str) -> Iterator[Accepts]:
    """Everything passes, nothing passes, and each claim in turn does not."""
    yield lambda prefix: True
    yield lambda prefix: False
    yield from (lambda prefix, n=claim.end: len(prefix) < n for claim in claims(text))


def settled(text: str, *, whole: bool) -> tuple[int, ...]:
    """Where this text may be cut so that what stands before is made of complete claims, whatever follows.

    The longer the text, the more there are, but none is ever taken back, and none is added before another.
    With `whole`, nothing follows, and the end of the text is the last.
    """
    found = [end for start, end in Borders().more(text, whole=whole) if ends_in_claim(text[start:end])]
    last = len(text.rstrip())
    return (*found, last) if whole and last > (found[-1] if found else 0) else tuple(found)


def ends_in_claim(piece: str) -> bool:
    found = claims(piece)
    return bool(found) and found[-1].checked and found[-1].end == len(piece)


def cut_at(text: str, places: Sequence[int]) -> list[str]:
    return [text[start:end] for start, end in pairwise((0, *sorted(places), len(text)))]


@pytest.mark.parametrize("text", NASTY)
def test_where_a_text_is_settled_stays_so_whatever_follows(text: str) -> None:
    whole = settled(text, whole=True)
    so_far: tuple[int, ...] = ()
    for length in range(len(text) + 1):
        now = settled(text[:length], whole=False)
        assert now[: len(so_far)] == so_far
        assert whole[: len(now)] == now
        so_far = now
    assert all(is_border(text, end) for end in whole)
    assert whole[-1:] == ((len(text.rstrip()),) if text.strip() else ())


@settings(max_examples=examples(1500))
@given(TEXTS, TEXTS)
@example("Foo is here. Bar", " a | b\n---|---\nC | d")
@example("A. Smith wrote it. He left. ", "\n\nB. Jones")
@example("It is `open. Here it goes. ", "And closed` now.")
@example("Foo bar baz. (see p. 4). ", "")
@example("Foo bar baz. |--|--|\n", "Foo bar baz. ")
@example("Foo bar baz. Note: |\n", "Foo bar baz. ")
@example("(see p. 4). Foo bar baz. ", "    x = 1;")
@example("Foo bar baz. “Quoted.” (see p. 4). ", "")
@example("Foo bar baz. “Quoted.” (Source: the long report (2020) and", " more). ")
@example(f"Foo bar baz. “Quoted.” (Source: {'a long title ' * 11}", "of a report). ")
def test_nothing_that_follows_changes_what_was_settled(text: str, more: str) -> None:
    before, after = settled(text, whole=False), settled(text + more, whole=True)

    assert after[: len(before)] == before
    assert settled(text + more, whole=False)[: len(before)] == before
    assert all(is_border(text + more, end) for end in before)


@pytest.mark.core
@pytest.mark.slow
@pytest.mark.parametrize("text", NASTY)
def test_every_way_of_cutting_in_three_releases_the_same(text: str) -> None:
    accepts_all = next(verdicts(text))
    cuts = list(combinations(range(0, len(text) + 1, 1 + len(text) // 40), 2))
    for accepts in (accepts_all, refusing(text[len(text) // 2 : len(text) // 2 + 3] or "x")):
        assert len({release(cut_at(text, cut), accepts) for cut in cuts} | {release([text], accepts)}) == 1
    assert release(text, accepts_all) == text.rstrip()


@pytest.mark.parametrize("text", NASTY)
def test_no_character_of_a_refused_claim_is_released_nor_of_anything_after_it(text: str) -> None:
    for claim, accepts in zip(claims(text), list(verdicts(text))[2:], strict=True):
        for pieces in ([text], text, cut_at(text, range(0, len(text), 7))):
            released = release(pieces, accepts)
            assert text.startswith(released)
            assert len(released) <= claim.start
            assert is_border(text, len(released))


@settings(max_examples=examples(2000))
@given(st.data())
def test_what_is_released_does_not_depend_on_how_the_stream_is_cut(data: st.DataObject) -> None:
    text = data.draw(TEXTS)
    end = data.draw(st.integers(0, len(text) + 1))
    ways = data.draw(st.lists(st.lists(st.integers(0, len(text)), max_size=12), min_size=1, max_size=3))

    released = {release(cut_at(text, cuts), lambda prefix: len(prefix) < end) for cuts in (*ways, ())}

    assert len(released) == 1
    (only,) = released
    assert text.startswith(only)
    assert is_border(text, len(only))
    assert len(only) < max(end, 1)


def test_a_sentence_goes_out_as_soon_as_the_next_has_begun() -> None:
    held = Held()
    fed = [held.feed(piece) for piece in ("The bridge opened", " in 1932.", " It", " carries", " trains.")]

    assert fed == [(), (), (), ("The bridge opened in 1932.",), ()]
    assert held.accepted("The bridge opened in 1932.") == "The bridge opened in 1932."
    assert held.finish() == ("The bridge opened in 1932. It carries trains.",)


def test_headings_greetings_and_what_introduces_a_list_wait_for_what_they_introduce() -> None:
    text = (
        "Sure!\n\n## Facts\n\nThese are known:\n\n- It opened in 1932.\n- It carries trains.\n\nThat is all."
    )

    assert [text[:end].rpartition("\n")[2] for end in settled(text, whole=True)] == [
        "- It opened in 1932.",
        "- It carries trains.",
        "That is all.",
    ]


def test_only_what_was_offered_can_be_accepted_and_in_order() -> None:
    held = Held()
    first, second = held.feed("It is one. It is two. It is three.")

    for wrong in (second, "It", ""):
        with pytest.raises(ValueError, match="only the first beginning"):
            held.accepted(wrong)
    held.accepted(first)
    held.refused()
    with pytest.raises(ValueError, match="only the first beginning"):
        held.accepted(second)
    assert held.feed("More of it. And more.") == held.finish() == ()
    assert held.released == first


MANY = "".join(f"It is {at}. So it is.{' ' if at % 7 else chr(10) * 2}" for at in range(200))


@pytest.mark.parametrize("text", [MANY, "Yes. It is. " * 660, "- It is so.\n" * 500])
def test_an_answer_of_many_claims_is_offered_in_few_beginnings(text: str) -> None:
    held, offered = Held(), list[str]()
    for piece in cut_at(text, range(0, len(text), 5)):
        offered += held.feed(piece)
    offered += held.finish()
    ends = settled(text, whole=True)

    assert len(offered) <= 64
    assert [len(prefix) for prefix in offered[:32]] == list(ends[:32])
    assert {len(prefix) for prefix in offered} <= set(ends)
    assert offered[-1] == text.rstrip()


def test_of_many_claims_the_same_is_released_however_the_stream_is_cut() -> None:
    for accepts in (next(verdicts(MANY)), refusing("It is 27."), refusing("It is 111.")):
        ways = [cut_at(MANY, range(0, len(MANY), step)) for step in (1, 3, 7, 50, 999)]
        (only,) = {release(pieces, accepts) for pieces in ways}
        assert only == MANY.rstrip() or MANY[len(only) :].count("It is") > 40


@pytest.mark.parametrize("unit", ["Yes. It is. ", "`a` It is. ", "A | b. C is. ", "It is so.\n\n", "a\nb\n"])
def test_long_answers_in_small_pieces_take_little_time(unit: str) -> None:
    text, held = (unit * 8_000)[:8_000], Held()
    begun = time.thread_time()
    for piece in cut_at(text, range(0, len(text), 4)):
        held.feed(piece)
    held.finish()

    assert usual_seconds(begun) < 4
