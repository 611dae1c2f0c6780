"""Answers checked and grounded, one or a file of them; texts compared and encoded."""

from sensecheck.assessment.check import AnswerCheckRequest, GroundingRequest, check_answers, ground_answers
from sensecheck.assessment.compare import TextComparison, TextVector, embed, explain
from sensecheck.assessment.rows import AssessedRow, AssessedRows

__all__ = [
    "AnswerCheckRequest",
    "AssessedRow",
    "AssessedRows",
    "GroundingRequest",
    "TextComparison",
    "TextVector",
    "check_answers",
    "embed",
    "explain",
    "ground_answers",
]
