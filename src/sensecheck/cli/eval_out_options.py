"""What `sensecheck eval --out` can be told beside what all evaluations can."""

from typing import Annotated, Any, Literal

import typer

_PANEL = "Large sets: results in a folder of Parquet files, with --out"
On = Literal["inline", "processes", "ray"]


def _option(flag: str, about: str, metavar: str = "") -> Any:
    return typer.Option(flag, metavar=metavar, help=about, rich_help_panel=_PANEL, show_default=False)


Out = Annotated[
    str | None,
    _option(
        "--out",
        "Keep the results there, in no database: an empty folder, or a prefix in a store such as "
        "s3://BUCKET/RUN. QUESTIONS may then be several files, patterns and folders of Parquet or JSON "
        "lines. The same command again goes on with a run that was interrupted.",
        "FOLDER|URL",
    ),
]
OnOption = Annotated[
    On | None,
    _option(
        "--on",
        "Who works: this process, several on this machine, or a Ray cluster; processes unless given.",
        "inline|processes|ray",
    ),
]
Workers = Annotated[
    int | None,
    _option("--workers", "How many work at the same time; one a core unless given.", "N"),
]
RayAddress = Annotated[
    str | None,
    _option("--ray-address", "The cluster, for --on ray; a local one is started without it.", "ADDRESS"),
]
RayAutoscales = Annotated[
    bool,
    _option(
        "--ray-autoscales",
        "The cluster adds machines by itself: ask for all --workers, though there is no room for them yet.",
    ),
]
WorkerCpus = Annotated[
    float | None,
    _option("--worker-cpus", "Cores that a worker of the cluster takes; 1 unless given.", "N"),
]
WorkerGpus = Annotated[
    float | None, _option("--worker-gpus", "GPUs that a worker of the cluster takes; 0 unless given.", "N")
]
Checks = Annotated[
    list[str] | None,
    _option(
        "--check",
        "Also decide by this check: the name of a preset, or a file with one check or a list of them; see "
        "`sensecheck schema`. Repeat for more.",
        "NAME|FILE",
    ),
]
ShardRows = Annotated[
    int | None,
    _option(
        "--shard-rows",
        "Rows that are worked on together, at most; unless given, what suits the inputs.",
        "N",
    ),
]
WithoutTexts = Annotated[
    bool, _option("--without-texts", "Leave questions, answers and passages out of the results.")
]
