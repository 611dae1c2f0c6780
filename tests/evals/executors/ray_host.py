"""Holds a Ray cluster of its own, and says its address, until it is killed."""

import sys

import ray

from sensecheck.execution.ray import OWN, cluster

with cluster(OWN, 2):
    print(ray.get_runtime_context().gcs_address, flush=True)
    sys.stdin.read()
