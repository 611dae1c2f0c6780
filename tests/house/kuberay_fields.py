"""The fields of a RayJob of KubeRay 1.6 that we use or could want, as its reference lists them.

The schema that KubeRay installs in a cluster is in no package; it has some 10,000 lines, nearly all of them
about pods.
"""

from typing import Any

TEXT, COUNT, SWITCH = {"type": "string"}, {"type": "integer", "minimum": 0}, {"type": "boolean"}
TEXTS = {"type": "object", "additionalProperties": TEXT}


def _only(wanted: tuple[str, ...], **fields: Any) -> dict[str, Any]:
    return {"type": "object", "required": list(wanted), "properties": fields, "additionalProperties": False}


AMOUNTS = {
    "type": "object",
    "additionalProperties": {"type": "string", "pattern": r"^\d+(\.\d+)?(m|[KMGT]i)?$"},
}
CONTAINER = _only(
    ("name", "image", "resources"),
    name=TEXT,
    image=TEXT,
    env={"type": "array"},
    ports={"type": "array", "items": _only(("containerPort",), containerPort=COUNT, name=TEXT)},
    resources=_only(("requests", "limits"), requests=AMOUNTS, limits=AMOUNTS),
)
PODS = _only(
    ("spec",),
    metadata={"type": "object"},
    spec=_only(
        ("containers",),
        serviceAccountName=TEXT,
        containers={"type": "array", "minItems": 1, "items": CONTAINER},
        nodeSelector=TEXTS,
        tolerations={"type": "array"},
    ),
)
CLUSTER = _only(
    ("headGroupSpec",),
    rayVersion=TEXT,
    authOptions=_only((), mode={"enum": ["disabled", "token"]}, secretName=TEXT, enableK8sTokenAuth=SWITCH),
    enableInTreeAutoscaling=SWITCH,
    autoscalerOptions=_only(
        (),
        upscalingMode={"enum": ["Default", "Aggressive", "Conservative"]},
        idleTimeoutSeconds=COUNT,
        version={"enum": ["v1", "v2"]},
    ),
    headGroupSpec=_only(("template",), rayStartParams=TEXTS, template=PODS, serviceType=TEXT),
    workerGroupSpecs={
        "type": "array",
        "items": _only(
            ("groupName", "template"),
            groupName=TEXT,
            replicas=COUNT,
            minReplicas=COUNT,
            maxReplicas=COUNT,
            numOfHosts=COUNT,
            idleTimeoutSeconds=COUNT,
            rayStartParams=TEXTS,
            template=PODS,
        ),
    },
)
RAY_JOB = _only(
    ("apiVersion", "kind", "metadata", "spec"),
    apiVersion={"const": "ray.io/v1"},
    kind={"const": "RayJob"},
    metadata=_only(("name",), name=TEXT, labels=TEXTS, annotations=TEXTS),
    spec=_only(
        ("entrypoint", "rayClusterSpec"),
        entrypoint=TEXT,
        submissionMode={"enum": ["K8sJobMode", "HTTPMode", "InteractiveMode", "SidecarMode"]},
        shutdownAfterJobFinishes=SWITCH,
        ttlSecondsAfterFinished=COUNT,
        activeDeadlineSeconds=COUNT,
        backoffLimit=COUNT,
        entrypointNumCpus={"type": "number"},
        entrypointNumGpus={"type": "number"},
        runtimeEnvYAML=TEXT,
        jobId=TEXT,
        suspend=SWITCH,
        metadata=TEXTS,
        rayClusterSpec=CLUSTER,
    ),
)
