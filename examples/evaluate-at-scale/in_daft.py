"""Score answers inside Daft: `python examples/evaluate-at-scale/in_daft.py`.

Install with `pip install 'sensecheck[minilm,scale]' daft`. Daft sends usage statistics unless
DO_NOT_TRACK is `true`.
"""

import daft

from sensecheck.adapters.daft import assessed
from sensecheck.tables.order import TableOrder

GOLD = "Tablets are lent for three weeks."
PAIRS = [
    {"topic": "tablets", "gold": GOLD, "said": "You may keep a tablet for 3 weeks."},
    {"topic": "tablets", "gold": GOLD, "said": "Tablets are lent for two weeks."},
    {"topic": "hours", "gold": "The library opens at nine.", "said": "It opens at 9 in the morning."},
    {"topic": "hours", "gold": "The library opens at nine.", "said": None},
]
ORDER = TableOrder(
    metrics=("semantic_similarity", "fact_agreement"), columns={"expected": "gold", "answer": "said"}
)

pairs = daft.from_pylist(PAIRS)
found = pairs.with_column("found", assessed(ORDER)).select("topic", "said", daft.col("found").unnest())
for row in found.to_pylist():
    print(row["status"], row["topic"], row["semantic_similarity"], row["reason"] or "")

means = found.groupby("topic").agg(daft.col("semantic_similarity").mean()).sort("topic")
print("by topic:", {row["topic"]: round(row["semantic_similarity"], 3) for row in means.to_pylist()})
