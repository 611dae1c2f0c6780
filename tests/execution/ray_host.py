"""Holds a Ray cluster of its own, and says its address, until it is killed."""

import sys

import ray

from sensecheck.execution.ray import OWN_CLUSTER, cluster

with cluster(OWN_CLUSTER, 2):
    print(ray.get_runtime_context().gcs_address, flush=True)
    sys.stdin.read()
