"""Results as benchmarks write them, as small as they can be."""

from collections.abc import Mapping
from typing import Any

from tests.benchmarks.small_scale_results import SCALE

SHARE = {"share": 0.5, "low": 0.4, "high": 0.6}
DRAWN = SHARE | {"draws": 20}
COUNTED = SHARE | {"n": 500}
OUTCOMES = {"n": 20, **dict.fromkeys(("pass", "fail", "unsure", "error"), SHARE)}
FIGURE = {"value": 0.812, "low": 0.79, "high": 0.833}
SIZE = {"n": 829, "unsupported": 160, "left_out": 2}

HOUSE = dict.fromkeys(
    (
        "modules", "lines", "median_lines", "p90_lines", "largest_lines", "files_under_40_lines",
        "single_importers", "class_names_used_twice",
    ),
    16,
)  # fmt: skip

PARTS: dict[str, dict[str, object]] = {
    "msgspec": {
        "cards": 4,
        "cards_refused": 3,
        "schema_is_closed": False,
        "schema_has_descriptions": True,
    },
    "limits": {"redis": {"ratio": 9.5, "low": 9.0, "high": 10.0}, "round_trips": [1, 12]},
}
RESULTS: Mapping[str, Mapping[str, Any]] = {
    **SCALE,
    "house": {
        "before": HOUSE,
        "now": HOUSE,
        "planned": {"core": 16, "runs": 27},
        "packages": {"core": [16, 2034], "runs": [46, 10465], "studio": [15, 3165]},
    },
    "run_family": {
        **{side: {"modules": 2, "lines": 300} for side in ("before", "before_same", "now", "now_same")},
        "removed_features": [{"feature": "pictures", "lines": 100}],
        "new_features": [{"feature": "a leaderboard", "lines": 50}],
    },
    "files_executed": {"`Sense.grounded` on two sentences": {"before": 84, "now": 78}},
    "serving": {
        "peak": 20.0,
        "kept": {"count": 500, "bytes_each": 900.0, "each_second": 4000.0},
        "measured": [
            {
                "name": name,
                "about": "this by that",
                "ratio": ratio,
                "low": 0.9,
                "high": 1.1,
                "rounds": 2,
                "goal": "at least 0.9",
                "met": True,
            }
            for name, ratio in (("nothing cached", 1.0), ("everything cached", 1200.0))
        ],
    },
    "cost": {
        "lengths": [1000, 2500],
        "kinds": {"prose": {"cpu": [1.0, 2.4], "r2": 0.99, "by_estimate": 0.4}},
    },
    "attack": {
        "p95_by_quiet": 1.5,
        "readers_answered": 1.0,
        "longest_refusal_by_limit": 1.1,
        "attacks_answered": 12,
        "attacks_refused": 3000,
        "refusals_with_retry_after": 1.0,
    },
    "serving_faults": {
        "killed": {"kills": 100, "kept": {"acknowledged": 1000, "lost": 0, "doubled": 0}},
        "summary": {
            "kills": 100,
            "acknowledged": 1000,
            "lost": 0,
            "doubled": 0,
            "worst_recovery": {"killed": 1.5, "disk full": 0.5},
        },
    },
    "extractive": {"measured": [{"kind": "answered", "given": COUNTED, "right": COUNTED}]},
    "page_questions": {
        "pages": 2,
        "questions": 9,
        **{
            rule: {"useful": SHARE | {"n": 4}, "wrong": SHARE, "shown_unanswerable": SHARE}
            for rule in ("extraction", "left_out")
        },
        "later": {
            rule: {"useful": SHARE, "wrong": SHARE, "shown_unanswerable": SHARE}
            for rule in ("extraction", "by_earlier_pages")
        },
    },
    "related": {
        "top": 3,
        "measured": [
            {"kind": "on the page", "given": COUNTED, "right": COUNTED, "first": COUNTED},
            {"kind": "taken out", "given": COUNTED},
        ],
    },
    "everyday": {
        "measured": [
            {
                "task": task,
                "rule": rule,
                "n": 20,
                "decided": SHARE,
                "right_of_decided": right,
                "labels": {"same": OUTCOMES},
            }
            for task, rule, right in (
                ("means", "means", SHARE),
                ("means", "cosine 0.7", None),
                ("grounded: answers", "default", SHARE),
                ("grounded: answers", "cosine 0.7", SHARE),
                ("grounded: claims", "default", SHARE),
                ("refusals: English", "not_a_refusal", SHARE),
            )
        ],
        "ragtruth": [
            {
                "task": "RAGTruth: answers",
                "rule": "default",
                "n": 20,
                "decided": SHARE,
                "right_of_decided": SHARE,
                "labels": {"supported": OUTCOMES},
                "kinds": {"supported, under 40 words": OUTCOMES},
            }
        ],
    },
    "claim_odds": {
        "measured": [
            {"set": "everyday", "share": 0.5, "claims": 1612, "reader": 0.861, "words": 0.578, "both": 0.859},
            {"set": "begin", "share": 0.25, "claims": 90, "reader": 0.861, "words": 0.873, "both": 0.884},
        ]
    },
    "trials": {
        "readers": {
            mark: {
                check: {
                    "n": 20,
                    "decided": SHARE,
                    "right_of_decided": SHARE,
                    "labels": {"good": OUTCOMES, "bad": OUTCOMES},
                }
                for check in ("means", "grounded")
            }
            for mark in ("oldest", "older", "shipped")
        }
    },
    "languages": {
        "english": 1000,
        "others": 100,
        "measured": [
            {
                "name": "ours",
                "kilobytes": 110,
                "licence": "Apache-2.0",
                "milliseconds_a_text": 0.3,
                "english_taken_for_another": {"all": SHARE, "20 to 40": SHARE},
                "others_taken_for_english": {"all": SHARE},
            }
        ],
    },
    "claims": {
        "measured": [
            {"set": name, "label": "no_claim", "n": 20, "recognised": SHARE, "kinds": kinds, "rejected": more}
            for name, kinds, more in (("everyday", {"chat": 3}, SHARE), ("BEGIN", {}, None))
        ]
    },
    "sdk_size": {
        "ours": [{"name": "the client alone", "bytes": 2900}],
        "peers": [{"name": "another", "version": "1.0", "bytes": 200_000}],
    },
    "parts": {
        "measured": [
            {
                "library": library,
                "version": "1.0",
                "part": "this and that",
                "lines": 200,
                "around": 20,
                "distributions": 1,
                "kilobytes": 500,
                "speed": {"ratio": 0.5, "low": 0.4, "high": 0.6},
                "messages": [{"mistake": "a | b", "ours": "`a | b` is <no> text", "theirs": ""}],
                **more,
            }
            for library, more in PARTS.items()
        ]
    },
    "weight": {"distributions": 9, "megabytes": 157.0, "base_distributions": 5, "base_megabytes": 40.5},
    "before_and_after": {
        "before": "a1b2c3d",
        "rounds": 3,
        "ratios": {"`import sensecheck`": {"now / before": 0.98, "spread": [0.9, 1.1]}},
    },
    "check_times": {
        "before": {
            "commit": "a1b2c3d",
            "cores": 2,
            "src_modules": 10,
            "src_lines": 1000,
            "tests_modules": 5,
            "tests_lines": 900,
            "collection": {"tests": 300, "cpu_seconds": 12.3},
            "recipes": {"check": {"cpu_seconds": 3000.0, "wall_seconds": 1800.0, "exit_code": 0}},
        }
    },
    "speed": {
        "measured": [
            {"about": "one by other", "goal": "at least 20", "ratio": 41.26, "met": True},
            {"about": "this by that", "goal": "at most 1.5", "ratio": 1.75, "met": False},
            {"about": "for the record", "goal": None, "ratio": 0.5, "met": None},
        ]
    },
    "promptfoo": {
        "sensecheck": "0.1.0",
        "promptfoo": "0.121.20",
        "pairs": 2000,
        "rounds": 2,
        "measured": [
            {"name": f"promptfoo, {what}", "about": f"this by that, {text}", "ratio": 4.5}
            for what, text in (("cpu", "CPU time"), ("wall", "time on the clock"))
        ],
    },
    "guards": {
        "versions": {"langchain-core": "1.7.2", "llama-index-core": "0.14.25"},
        "candidates": 20,
        "shared": {"queries": 2000, "distinct_candidates": 1199, "within_noise_of_the_cutoff": 1},
        "strangers": {"queries": 60},
        "measured": [
            {
                "name": "theirs, each",
                "about": "this by that",
                "goal": "at least 2",
                "ratio": 4.5,
                "met": True,
            },
            {"name": "our own, each", "about": "left out", "goal": None, "ratio": 1.5, "met": None},
        ],
    },
    "pgvector": {
        "about": "made up",
        "vectors": 1_000_000,
        "dimension": 384,
        "queries": 500,
        "postgresql": "18.4",
        "pgvector extension": "0.8.5",
        "measured": [
            {"name": "recall@10, ef_search 40", "about": "found", "goal": None, "ratio": 0.9},
            {"name": "all guards, share of a query", "about": "cost", "goal": "at most 0.05", "ratio": 0.1},
        ],
    },
    "readers_speed": {
        "packages": {"onnxruntime": "1.31.1", "openvino": "2026.4", "numpy": "2.4"},
        "refused": {"OpenVINO in bf16": "this machine runs it in `f32`"},
        "measured": [
            {
                "about": "one claim by a bare pass",
                "goal": "at most 1.3",
                "ratio": 1.04,
                "rounds": 5,
                "met": True,
            },
        ],
    },
    "lexical": {
        "packages": {"sacrebleu": "2.6.0", "rouge-score": "0.1.2"},
        "measured": [
            {
                "about": "theirs by ours",
                "goal": "at least 5",
                "ratio": 6.5,
                "rounds": 5,
                "notes": {"pairs": 10_000},
            },
        ],
    },
    "evals_100k": {
        "pairs": 100_000,
        "metrics": ["bleu", "semantic_similarity"],
        "measured": [
            {
                "name": "evaluation",
                "about": "bare by ours",
                "ratio": 0.95,
                "low": 0.9,
                "high": 0.99,
                "goal": "at least 0.9",
                "met": True,
                "notes": {"pairs": 100_000, "pairs per CPU second": 88.1},
            },
            {
                "name": "memory of an evaluation",
                "about": "all by a quarter",
                "ratio": 1.2,
                "low": 1.2,
                "high": 1.2,
                "goal": "at most 1.1",
                "met": False,
                "notes": {"megabytes at 25%": 300, "megabytes at 100%": 360},
            },
        ],
    },
    "rag_peers": {
        "versions": {"ragas": "0.4.3", "llama-index-core": "0.14.25", "langchain-classic": "1.0.8"},
        "measured": [
            {
                "name": f"{what}: ragas",
                "about": f"theirs by ours, {what}",
                "ratio": 1.75,
                "low": 1.5,
                "high": 2.0,
                "goal": "at least 1.5",
                "met": True,
                "notes": {"pairs": 2000},
            }
            for what in ("cold", "cold, with caches")
        ],
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
    "precision": {
        "bytes_a_vector": {"float32": 1536, "float16": 768},
        "lines": {"means": 0.6},
        "sweep": [0.3, 0.9, 61],
        "band": 0.005,
        "measured": [
            {
                "set": "sick",
                "kept": kept,
                "pairs": 1000,
                "largest_move": moved,
                "flipped": {"means": flipped},
                "flipped_of_sweep": 5 * flipped,
                "beyond_band": 0,
            }
            for kept, moved, flipped in (("float32", 0.0, 0), ("float16", 7.8e-05, 1))
        ],
    },
    "promise": {
        "wanted": {"fpr": 0.05, "confidence": 0.95},
        "fits": 5000,
        "rows_per_label": 100,
        "measured": [
            {
                "population": population,
                "method": method,
                "fits": 5000,
                "broken": SHARE,
                "mean_fpr": 0.0198,
                "mean_tpr": 0.6332,
            }
            for population in ("simulated", "answers")
            for method in ("exact", "conformal", "empirical_quantile", "best_f1")
        ],
    },
    "verdict_promise": {
        "rows": 829,
        "bad": 160,
        "questions": 148,
        "splits": 200,
        "wanted": 0.2,
        "measured": [
            {
                "policy": "default",
                "way": way,
                "promise": promise,
                "target": {"fpr": 0.2, "confidence": 0.95},
                "claims": "8 claims or more",
                "no_card": 0,
                "splits": splits,
                "answers": 20.0,
                "errors": 0.042,
                "above": SHARE,
                "by_chance": 0.061,
                "contradicted": SHARE,
            }
            for way, promise, splits in (
                ("verdicts", "fpr", 200),
                ("reading", "fpr", 200),
                ("reading", "both", 200),
                ("verdicts", "fpr", 3),
            )
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
    "relevance": {
        "groups": 529,
        "rounds": 1000,
        "measured": [
            *(
                {
                    "table": "lines",
                    "unit": "paragraph",
                    **told,
                    "line": 0.5236,
                    "relevant_lost": COUNTED,
                    "irrelevant_kept": dict.fromkeys(("drawn", "retrieved"), COUNTED),
                    "promise": {"drawn": "holds", "retrieved": "broken"},
                }
                for told in (
                    {"by": "hand"},
                    {"by": "card", "fitted_on": "drawn", "target": {"fpr": 0.1, "confidence": 0.95}},
                    {"by": "card", "fitted_on": "drawn", "target": {"fnr": 0.05, "confidence": 0.95}},
                    {"by": "card", "fitted_on": "retrieved", "target": {"fnr": 0.05, "confidence": 0.95}},
                )
            ),
            {
                "table": "promise",
                "unit": "sentence",
                "mix": "retrieved",
                "target": {"fpr": 0.1, "confidence": 0.95},
                "broken": SHARE | {"share": 0.031},
                "mean": 0.0702,
                **{key: {"broken": SHARE} for key in ("other_groups", "other_articles")},
            },
        ],
    },
    "groundedness": {
        "reader": {"fingerprint": "reader:1", "runs": ["first", "second"], "learned": {"begin": 0.031}},
        "measured": [
            {
                "table": "sets",
                "set": "begin",
                "rows": 150,
                "of": 1457,
                "learned": 0.031,
                "other_domains": False,
            },
            {
                "table": "sets",
                "set": "faithbench",
                "rows": 100,
                "of": 800,
                "learned": 0.0,
                "other_domains": False,
            },
            {"table": "ranking", "set": "ragtruth_qa", "rule": "cosine", **SIZE, "auroc": FIGURE},
            {"table": "ranking", "set": "ragtruth_qa", "rule": "words", **SIZE, "auroc": FIGURE},
            {"table": "ranking", "set": "begin", "rule": "words", **SIZE, "auroc": FIGURE},
            {
                "table": "decided",
                "answers": "begin, supported",
                "policy": "default",
                **dict.fromkeys(("pass", "fail"), COUNTED),
            },
            {
                "table": "detecting",
                "set": "ragtruth_qa",
                "rule": "words",
                **SIZE,
                "at_shipped": FIGURE,
                "cross_fitted": FIGURE,
                "by_looking": FIGURE,
            },
            {"table": "telling", "set": "begin", "rule": "words", **SIZE, "bacc": FIGURE, "f1": FIGURE},
            {"table": "published", "set": "begin", "rule": "another's", "bacc": 0.777},
            {"table": "domains", "rule": "words", **SIZE, "bacc": {"news": 0.7012}, "mean": FIGURE},
            {"table": "changes", "kind": "date", "rule": "words", "n": 300, "auroc": FIGURE},
            *(
                {
                    "table": "accepted",
                    "set": "squad2_derived",
                    "kind": "answer swapped",
                    "wanted": "fail",
                    "policy": policy,
                    **dict.fromkeys(("pass", "fail"), COUNTED),
                }
                for policy in ("similarity-or-keywords", "default")
            ),
            {
                "table": "contrast",
                "policy": "default",
                "family": "role",
                "right": COUNTED,
                "accepted_or_not": COUNTED | {"share": 0.75},
            },
        ],
    },
    "answers": {
        "rows": 15000,
        "questions": 3010,
        "correct": 11000,
        "several": 7000,
        "left_out": 94,
        "references": {"rows": 13000, "correct": 10000},
        "measured": [
            {
                "table": "answers",
                "metric": "cosine",
                "auroc": FIGURE,
                "joined": FIGURE,
                "references": FIGURE,
                "systems": {"fid": FIGURE},
            },
            {"table": "pairs", "set": "stsb", "metric": "cosine", "spearman": FIGURE},
            {"table": "pairs", "set": "sick", "metric": "cosine", "spearman": FIGURE, "auroc": FIGURE},
        ],
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
    "second_opinion": {
        "measured": [
            {
                "task": "means",
                "way": way,
                "rows": 128,
                "decided": SHARE,
                "right_of_decided": right,
                "judge": judge,
            }
            for way, right, judge in (
                ("alone", None, None),
                (
                    "second opinion",
                    COUNTED,
                    {
                        "asked": 14,
                        "to_pass": {"n": 6, "right": 5},
                        "to_fail": {"n": 7, "right": 7},
                        "errors": 1,
                    },
                ),
            )
        ],
    },
    "coverage_core": {
        "least": 0.95,
        "packages": [
            {"package": name, "lines": {"reached": 99, "of": 100}, "branches": {"reached": 1, "of": 1}}
            for name in ("core", "all")
        ],
    },
    "mutation": {
        "of": 40,
        "all": {"name": "all", "mutants": 4, "found": SHARE, "not_reached": 1, "equivalent": 0},
        "packages": [],
        "kinds": [],
    },
}
"""By file."""
