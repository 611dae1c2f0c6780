"""Score answers inside Spark: `python examples/evaluate-at-scale/in_spark.py`.

Needs `pip install 'sensecheck[minilm,scale]' pyspark 'pandas<3'`, and Java 17 or later. On a cluster, install
sensecheck on every worker.
"""

import os
import sys

from pyspark.sql import SparkSession

from sensecheck.adapters.spark import in_arrow, schema_of
from sensecheck.tables.order import TableOrder

GOLD = "Tablets are lent for three weeks."
PAIRS = [
    ("tablets", GOLD, "You may keep a tablet for 3 weeks."),
    ("tablets", GOLD, "Tablets are lent for two weeks."),
    ("hours", "The library opens at nine.", "It opens at 9 in the morning."),
    ("hours", "The library opens at nine.", None),
]
ORDER = TableOrder(
    metrics=("semantic_similarity", "fact_agreement"), columns={"expected": "gold", "answer": "said"}
)

os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # the default is the first `python3` on the path
spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
pairs = spark.createDataFrame(PAIRS, "topic string, gold string, said string")
found = pairs.mapInArrow(in_arrow(ORDER), schema_of(pairs.schema, ORDER)).cache()
for row in found.collect():
    print(row["status"], row["topic"], row["semantic_similarity"], row["reason"] or "")

print("mean similarity:", round(found.agg({"semantic_similarity": "avg"}).first()[0], 3))
spark.stop()
