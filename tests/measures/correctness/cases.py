"""Hand-written answers beside expected ones, and whether a person would call them correct."""

from typing import NamedTuple


class Case(NamedTuple):
    """An answer, what was expected of it, and what people would say."""

    about: str
    question: str | None
    expected: str
    answer: str
    correct: bool


CASES = (
    Case("the same", "who wrote Emma", "Jane Austen", "Jane Austen", True),
    Case("in a sentence", "who wrote Emma", "Jane Austen", "Emma was written by Jane Austen in 1815.", True),
    Case("surname alone", "who got the first nobel prize", "Wilhelm Conrad Röntgen", "It was Röntgen.", True),
    Case("accent lost", "who got the first nobel prize", "Wilhelm Röntgen", "Wilhelm Rontgen", True),
    Case("another name", "who wrote Emma", "Jane Austen", "Emma was written by Charlotte Brontë.", False),
    Case("number in words", "how many seasons were there", "8", "There were eight seasons of it.", True),
    Case("another number", "how many seasons were there", "8", "There were nine seasons of it.", False),
    Case("within a number", "how many episodes are there", "3", "13", False),
    Case(
        "date otherwise",
        "when was the treaty signed",
        "5 July 1948",
        "The treaty was signed on July 5, 1948.",
        True,
    ),
    Case("another year", "when was the treaty signed", "1948", "The treaty was signed in 1949.", False),
    Case("does not know", "who wrote Emma", "Jane Austen", "I'm sorry, I don't know who wrote Emma.", False),
    Case(
        "verbose",
        "where does the ceremony take place",
        "Oslo",
        "The prize has a long history, going back to the will of its founder. The ceremony takes place every "
        "December in Oslo, the capital of Norway, in the presence of the king and many guests.",
        True,
    ),
    Case(
        "verbose and wrong",
        "where does the ceremony take place",
        "Oslo",
        "The prize has a long history, going back to the will of its founder. The ceremony takes place every "
        "December in Stockholm, the capital of Sweden, in the presence of the king and many guests.",
        False,
    ),
    Case("glued", "who played him in 1967", "Robert Blake", "He was played byRobert Blakein it1.", True),
    Case(
        "paraphrase",
        None,
        "The shop refunds the full price within thirty days.",
        "Within 30 days the store will refund you the full price.",
        True,
    ),
    Case(
        "negated",
        None,
        "The shop refunds the full price within thirty days.",
        "The shop does not refund the full price within thirty days.",
        False,
    ),
    Case(
        "changed number",
        None,
        "The shop refunds the full price within thirty days.",
        "The shop refunds the full price within ninety days.",
        False,
    ),
    Case(
        "opposite",
        None,
        "Sales increased sharply in the second quarter.",
        "Sales decreased sharply in the second quarter.",
        False,
    ),
    Case(
        "long reference, short answer",
        "when did toyota come to the united states",
        "Toyota officially opened for business in the United States on October 31, 1957.",
        "It came in 1957.",
        True,
    ),
    Case(
        "long reference, wrong answer",
        "when did toyota come to the united states",
        "Toyota officially opened for business in the United States on October 31, 1957.",
        "It came in 1964.",
        False,
    ),
    Case(
        "something else",
        None,
        "The shop refunds the full price within thirty days.",
        "Whales feed their young with milk.",
        False,
    ),
)

MISSED = (
    Case("initials", "which body adopted it", "United Nations", "It was adopted by the UN in 2007.", True),
)
"""Where it is wrong, so that it is noticed when it no longer is."""
