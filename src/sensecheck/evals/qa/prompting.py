"""The prompt that a question becomes, with the references that were found for it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from sensecheck.core.errors import SpecError

QUESTION, REFERENCES = "{question}", "{references}"
FROM_REFERENCES = f"""\
Below are references, and after them a question.
Answer the question in one or two sentences, with nothing but what the references say.
If they do not say it, answer that you do not know.

{REFERENCES}

Question: {QUESTION}
Answer:"""
ALONE = f"""\
Answer the question in one or two sentences.

Question: {QUESTION}
Answer:"""
_MARK = re.compile(r"\{(question|references)\}")

Block = Callable[[Sequence[str]], str]
"""Passages to the text that stands for them in the prompt."""


@dataclass(frozen=True, slots=True)
class Template:
    """A text with `{question}` and `{references}` in it; all other braces are left alone."""

    with_references: str = FROM_REFERENCES
    alone: str = ALONE
    """For a question without references."""

    @classmethod
    def from_text(cls, text: str) -> "Template":
        """One text for both."""
        if "\0" in text:
            raise SpecError("the prompt has a NUL character, which no database keeps; take it out")
        if QUESTION not in text:
            raise SpecError(f"the prompt has no `{QUESTION}`, so that every question would be the same")
        return cls(text, text)

    @property
    def has_references(self) -> bool:
        """Whether references have a place in it."""
        return REFERENCES in self.with_references

    @property
    def digest(self) -> str:
        """Changes with every character."""
        return sha256(f"{self.with_references}\0{self.alone}".encode()).hexdigest()[:16]

    def filled(self, question: str, passages: Sequence[str], block: Block) -> str:
        """The prompt for one question; what is put in is not searched for marks again."""
        put = {"question": question, "references": block(passages)}
        text = self.with_references if passages else self.alone
        return _MARK.sub(lambda found: put[found[1]], text)
