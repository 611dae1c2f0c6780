"""Calls that both transports must answer, and calls that they must refuse."""

from typing import Any

FRIDAY = "The parcel arrives on Friday."
CLUSTERS = {
    "pass": ["verdict: PASS", "The tool call is correct", "This passes validation"],
    "fail": ["verdict: FAIL", "The tool call is incorrect", "This fails validation"],
}
LOOP = "We must decide. The plan is good. " * 4

GOOD: list[tuple[str, dict[str, Any]]] = [
    ("embed_text", {"text": FRIDAY}),
    ("embed_text", {"text": "Ein Wort. " * 400}),
    ("calculate_drift", {"text_a": FRIDAY, "text_b": "Your parcel will be there on Friday."}),
    ("calculate_drift", {"text_a": FRIDAY, "text_b": FRIDAY}),
    ("analyze_trajectory", {"text": LOOP}),
    ("analyze_trajectory", {"text": LOOP, "include_sentences": True}),
    ("check_answer", {"answer": "It opened in 1932.", "expected": "It opened in 1937.", "check": "means"}),
    ("check_answer", {"answer": "I cannot help with that.", "check": "not_a_refusal"}),
    ("check_answer", {"answer": "verdict: PASS", "check": {"kind": "verdict_is", "wanted": "fail"}}),
    ("check_answer", {"answer": LOOP, "check": {"kind": "gate", "measure": {"kind": "circling"}}}),
    ("check_answer", {"answer": "It is grey.", "check": "grounded", "passages": ["The bridge is grey."]}),
    (
        "ground_answer",
        {
            "answer": "The library lends tablets for two weeks.",
            "passages": [
                "Tablets can be borrowed from the library for three weeks.",
                "It is closed on Monday.",
            ],
            "question": "How long can I have a tablet?",
        },
    ),
    (
        "ground_answer",
        {"answer": "It is grey.", "passages": ["It is grey."], "policy": "similarity-or-keywords"},
    ),
    ("classify_text", {"text": "verdict: PASS, all is well", "clusters": CLUSTERS}),
    ("classify_text", {"text": "verdict: PASS, all is well", "clusters": CLUSTERS, "by": "centroid"}),
]

BAD: list[tuple[str, dict[str, Any] | None, str]] = [
    ("calculate_drift", None, "lacks the key `text_a`"),
    ("calculate_drift", {"text_a": "x"}, "lacks the key `text_b`"),
    ("calculate_drift", {"text_a": "x", "text_b": None}, "must be a string; got NoneType"),
    ("calculate_drift", {"text_a": "x", "text_b": 3}, "must be a string; got int"),
    ("calculate_drift", {"text_a": "x", "text_b": ["y"]}, "must be a string; got list"),
    ("calculate_drift", {"text_a": "x", "textb": "y"}, "did you mean `text_b`"),
    ("calculate_drift", {"text_a": "", "text_b": "y"}, "the text is empty"),
    ("calculate_drift", {"text_a": "x" * 200_001, "text_b": "y"}, "at most 200000 are taken"),
    ("embed_text", {"text": " \n\t"}, "the text is empty"),
    ("analyze_trajectory", {"text": "One sentence only."}, "needs at least two sentences"),
    ("analyze_trajectory", {"text": LOOP, "include_sentences": "no"}, "must be true or false; got str"),
    ("check_answer", {"answer": "x", "check": "meens"}, "did you mean `means`"),
    ("check_answer", {"answer": "x", "check": 3}, "must be a string; got int"),
    ("check_answer", {"answer": "x", "check": "means"}, "no `expected` answer"),
    (
        "check_answer",
        {"answer": "x", "expected": "y", "check": {"kind": "means", "treshold": 1}},
        "did you mean",
    ),
    (
        "check_answer",
        {"answer": "x", "check": {"kind": "not_a_refusal", "threshold": "no-such-card"}},
        "card",
    ),
    (
        "check_answer",
        {"answer": "x", "check": {"kind": "gate", "measure": {"kind": "head"}}},
        "for this tool",
    ),
    ("ground_answer", {"answer": "x", "passages": "one text"}, "must be a list; got str"),
    ("ground_answer", {"answer": "x", "passages": []}, "no `passages`"),
    ("ground_answer", {"answer": "x", "passages": ["y"] * 101}, "at most 100 are taken"),
    ("ground_answer", {"answer": "x", "passages": ["y"], "policy": "strickt"}, "did you mean `strict`"),
    ("classify_text", {"text": "x", "clusters": {}}, "must have at least two clusters; got 0"),
    ("classify_text", {"text": "x", "clusters": {"a": ["y"]}}, "must have at least two clusters; got 1"),
    ("classify_text", {"text": "x", "clusters": {"a": ["y"], "b": []}}, "is empty"),
    ("classify_text", {"text": "x", "clusters": CLUSTERS, "by": "median"}, "`median` is not a known value"),
]
