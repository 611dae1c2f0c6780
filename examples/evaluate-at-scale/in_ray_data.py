"""Answers read inside Ray Data: `python examples/evaluate-at-scale/in_ray_data.py`.

Wants `pip install 'sensecheck[minilm,ray]' pandas`. An actor is a process with a model of its own. Reading
and writing want logical CPUs too: a pool that takes all of them leaves none, and nothing moves.
"""

import os

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # before Ray is imported: else it tells its makers

import ray
import ray.data

from sensecheck.adapters.tables import Assessing
from sensecheck.config import Settings
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

ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
pairs = ray.data.from_items(PAIRS)
found = pairs.map_batches(
    Assessing,
    # read here: the machines of a cluster have an environment of their own
    fn_constructor_args=(ORDER, Settings.from_environment()),
    batch_format="pyarrow",
    batch_size=4096,
    compute=ray.data.ActorPoolStrategy(size=1),
).materialize()
for row in found.take_all():
    print(row["status"], row["topic"], row["semantic_similarity"], row["reason"] or "")
print("mean closeness:", round(found.mean("semantic_similarity"), 3))
