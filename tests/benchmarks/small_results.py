"""Results as benchmarks write them, as small as they can be."""

from collections.abc import Mapping
from typing import Any

SHARE = {"share": 0.5, "low": 0.4, "high": 0.6}
DRAWN = SHARE | {"draws": 20}
COUNTED = SHARE | {"n": 500}

RESULTS: Mapping[str, Mapping[str, Any]] = {
    "weight": {"distributions": 9, "megabytes": 157.0, "base_distributions": 5, "base_megabytes": 40.5},
    "speed": {
        "measured": [
            {"about": "one by other", "goal": "at least 20", "ratio": 41.26, "met": True},
            {"about": "this by that", "goal": "at most 1.5", "ratio": 1.75, "met": False},
            {"about": "for the record", "goal": None, "ratio": 0.5, "met": None},
        ]
    },
    "defaults": {
        "measured": [
            {
                "family": "meaning",
                "rule": rule,
                "set": "sick",
                "label": "contradiction",
                "wanted": "fail",
                "n": 100,
                "pass": SHARE | {"share": 0.1},
                "fail": SHARE,
                "unsure": SHARE | {"share": 0.4},
                "error": SHARE | {"share": 0.0},
            }
            for rule in ("means", "drift_threshold")
        ]
    },
    "promise": {
        "wanted": {"fpr": 0.05, "confidence": 0.95},
        "fits": 5000,
        "rows_per_label": 100,
        "measured": [
            {
                "population": "simulated",
                "method": method,
                "broken": SHARE,
                "mean_fpr": 0.0198,
                "mean_tpr": 0.6332,
            }
            for method in ("exact", "conformal", "empirical_quantile", "best_f1")
        ],
    },
    "refusals": {
        "measured": [
            {
                "table": "shipped",
                "set": "unseen",
                "label": "answer",
                "n": 425,
                **dict.fromkeys(("pass", "fail", "unsure", "error"), SHARE),
            },
            {
                "table": "xstest",
                "rule": "list of phrases",
                **dict.fromkeys(("recall", "fpr", "of_caught", "of_missed"), COUNTED),
            },
            {"table": "xstest_auroc", "auroc": 0.9939},
            {"table": "apart", "label": "partial", "n": 176, "answer": 52, "partial": 26, "refusal": 98},
            {"table": "harmless", "fpr": COUNTED},
            {"table": "chatgpt", "rule": "list of phrases", "recall": COUNTED, "fpr": COUNTED},
            {"table": "chatgpt", "rule": "head, taught", "recall": DRAWN, "fpr": DRAWN},
        ]
    },
    "verdicts": {
        "rows": 440,
        "measured": [
            {"rule": "stated verdict alone", "right": None, "unsure": SHARE, "errors": 0},
            {"rule": "head", "right": SHARE | {"n": 430}, "unsure": SHARE, "errors": 2},
        ],
    },
    "cascade": {
        "rows": 2000,
        "refusals": 900,
        "goal": {"most_asked": 0.2, "met": True},
        "measured": [
            {
                "way": way,
                "asked": asked,
                "asked_share": asked / 2000,
                "accuracy": SHARE,
                "against_always": {"difference": 0.101, "low": -0.002, "high": 0.108},
            }
            for way, asked in (("always the judge", 2000), ("cascade", 82))
        ],
    },
}
"""By file."""
