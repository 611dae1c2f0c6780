"""The shapes of values that assertions take, for the JSON Schema."""

from sensecheck.evals.assertions.kind import Schema

ANY: Schema = {}
TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
COUNT: Schema = {"type": "number", "minimum": 0}
SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
SCORE: Schema = {"type": "number", "exclusiveMinimum": 0, "maximum": 1}
"""What a score must reach: it can fall short of it."""
WRITTEN: Schema = {"type": ["string", "number"]}
"""A text, or a number that is written out."""
SEVERAL: Schema = {"type": ["string", "array"], "items": WRITTEN, "minItems": 1}
"""A list, or one text with commas in it."""
TEXTS: Schema = {"type": ["string", "array"], "items": TEXT, "minItems": 1}
LINE: Schema = {
    "description": "A number, the name of a card, the path to one, or what a card must promise.",
    "anyOf": [
        NUMBER,
        TEXT,
        {
            "type": "object",
            "properties": {"fpr": SHARE, "fnr": SHARE, "confidence": SHARE},
            "additionalProperties": False,
        },
    ],
}
ELSEWHERE: Schema = {"type": "string", "pattern": r"^file://|\{\{"}
"""A file's name, or a variable, where a text of its own would not do."""
CLUSTERS: Schema = {
    "anyOf": [
        ELSEWHERE,
        {
            "type": "object",
            "additionalProperties": {"anyOf": [ELSEWHERE, {"type": "array", "items": TEXT, "minItems": 1}]},
            "minProperties": 2,
        },
    ]
}
