"""Score answers inside Ray Data: `python examples/evaluate-at-scale/in_ray_data.py`.

Install with `pip install 'sensecheck[minilm,ray]' pandas`. An actor is a process with its own model. Reading
and writing need logical CPUs too: if the pool takes all of them, the job hangs.
"""

import os

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # before Ray is imported, or it sends statistics

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
    # read here, since the machines of a cluster have their own environments
    fn_constructor_args=(ORDER, Settings.from_environment()),
    batch_format="pyarrow",
    batch_size=4096,
    compute=ray.data.ActorPoolStrategy(size=1),
).materialize()
for row in found.take_all():
    print(row["status"], row["topic"], row["semantic_similarity"], row["reason"] or "")
print("mean similarity:", round(found.mean("semantic_similarity"), 3))
