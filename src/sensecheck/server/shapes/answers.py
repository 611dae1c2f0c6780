"""What `/v1/answers` is asked."""

from typing import Annotated, Literal

from pydantic import Field

from sensecheck.core.unicode import Encoding
from sensecheck.server.shapes.texts import Include, PassageText, PolicyName, QuestionText, SessionId, Shape

Hold = Literal["answer", "claim", "none"]


class AnswerRequest(Shape):
    """A question, and the passage that alone may answer it."""

    question: QuestionText
    passage: PassageText
    session_id: SessionId | None = None
    policy: PolicyName | None = Field(default=None, description="Without it, the policy of the key.")
    hold: Hold | None = Field(
        default=None,
        description="What is held back until it was checked: the whole `answer`; each `claim`, after which a "
        "first one that does not pass ends the answer; or `none`, which only secret keys may ask for, and "
        "which counts for events alone. Without it, `claim` for events and `answer` else.",
    )
    include: Annotated[list[Include], Field(max_length=5)] | None = Field(
        default=None, description="What to show; without it, all that the key may see."
    )
    offsets: Encoding = Field(default="code_points", description="What `start` and `end` count.")
    store: bool = Field(default=True, description="Whether question and answer are kept.")
