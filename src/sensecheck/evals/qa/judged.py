"""What a judge is asked about an answer, the passages, and how the two fit."""

from collections.abc import Mapping

from sensecheck.core.protocols import Measure
from sensecheck.measures.judged import Judged
from sensecheck.measures.judged_overall import JudgedOverall
from sensecheck.measures.judged_passages import JudgedPassages

SCALE = (1.0, 5.0)
"""Five steps, which a model can tell apart and say the same way twice; they are kept as 0 to 1."""

# Prompts are asked, kept and compared word for word: whoever changes a word here begins a new history.
ANSWER_RELEVANCE = (
    "The answer answers the question that was asked: all of it, and nothing beside it. Whether what it says "
    "is true does not count. An answer that evades, repeats the question, speaks of something else, or says "
    "that it does not know answers nothing."
)
CONTEXT_RELEVANCE = (
    "Here, what is called the answer is no answer: it is the passages that a search brought back for the "
    "question, numbered. They hold what is needed to answer the question in full. Passages that only share "
    "its topic or its words hold nothing of it. What else they hold beside that does not count."
)
GROUNDEDNESS = (
    "Everything that the answer states follows from the passages alone. A statement that the passages do not "
    "make, or make otherwise, with another number, name, date or condition, does not follow, even if it is "
    "true. Saying that the passages do not tell is no statement."
)


def opinions() -> Mapping[str, Measure]:
    """The judged metrics by name; the overall one is read off the replies to the others."""
    parts: Mapping[str, Measure] = {
        "answer_relevance": Judged(ANSWER_RELEVANCE, SCALE, ("question",)),
        "context_relevance": JudgedPassages(Judged(CONTEXT_RELEVANCE, SCALE, ("question",))),
        "groundedness": Judged(GROUNDEDNESS, SCALE, ("passages",)),
    }
    return {**parts, "llm_judged_overall": JudgedOverall(parts)}
