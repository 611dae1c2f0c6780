"""What a command line asks of a large run, known to be possible before anything is read."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from sensecheck.cli.eval_out_options import On
from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import unknown
from sensecheck.evals.qa.files.columns import Columns
from sensecheck.wiring import Settings

_FOR_OUT = (
    *("--on", "--workers", "--ray-address", "--ray-autoscales", "--worker-cpus", "--worker-gpus"),
    *("--check", "--shard-rows", "--without-texts"),
)
_NOT_FOR_OUT = (
    *("--project", "--test", "--name", "--store", "--resume", "--html"),
    *("--answers", "--ask", "--ask-key", "--prompt", "--at-once", "--no-cache"),
    *("--guard", "--above", "--distinct", "--top", "--chars", "--tokens", "--counter"),
)
_FILES = (".json", ".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class Crewing:
    """Who does the work, as far as it was said."""

    on: On | None
    workers: int | None
    ray_address: str | None
    worker_cpus: float | None
    worker_gpus: float | None
    ray_autoscales: bool = False

    def must_be_possible(self) -> None:
        """Raise `SpecError` where two things do not go together, or a number is none that there can be."""
        for flag, given in (
            ("--ray-address", self.ray_address),
            ("--worker-cpus", self.worker_cpus),
            ("--worker-gpus", self.worker_gpus),
            ("--ray-autoscales", self.ray_autoscales or None),
        ):
            if given is not None and self.on != "ray":
                raise SpecError(f"`{flag}` is for `--on ray`, which was not given")
        if self.workers is not None and self.workers < 1:
            raise SpecError(f"`--workers` wants at least 1; found {self.workers}")
        if self.on == "inline" and self.workers not in (None, 1):
            raise SpecError("`--on inline` is this process alone; `--workers` is for the others")
        for flag, share in (("--worker-cpus", self.worker_cpus), ("--worker-gpus", self.worker_gpus)):
            if share is not None and not share >= 0:
                raise SpecError(f"`{flag}` wants at least 0; found {share}")


@dataclass(frozen=True, slots=True, kw_only=True)
class OutOrder:
    """One large run."""

    addresses: tuple[str, ...]
    out: str
    crewing: Crewing
    columns: Columns
    metrics: tuple[str, ...]
    """Empty for those that apply."""
    checks: tuple[str, ...]
    """Names of presets, and files."""
    encoders: tuple[str, ...]
    """The one that the settings name instead of their own, if any."""
    settings: Settings
    shard_rows: int | None
    with_texts: bool

    def must_be_possible(self) -> None:
        """Raise `SpecError` where it is not."""
        if not self.out:
            raise SpecError("`--out` wants a folder, or a prefix in a store; found an empty name")
        if not self.addresses:
            raise SpecError("`--out` wants the files of questions named: files, patterns or folders")
        if self.shard_rows is not None and self.shard_rows < 1:
            raise SpecError(f"`--shard-rows` wants at least 1; found {self.shard_rows}")
        if len(self.encoders) > 1:
            raise SpecError("with `--out` one encoder reads; name one `--encoder`, and make a run for each")
        self.crewing.must_be_possible()

    def checks_as_data(self) -> tuple[dict[str, Any], ...]:
        """The checks, with the lines of the cards that they name written out."""
        from sensecheck.checks.spec import check_from_data, check_to_data  # noqa: PLC0415 - for those who name one
        from sensecheck.wiring import shelf  # noqa: PLC0415

        cards = shelf(self.settings) if self.checks else None
        described = [entry for named in self.checks for entry in _described(named)]
        return tuple(check_to_data(check_from_data(data, at=at, shelf=cards)) for at, data in described)


def must_go_together(context: typer.Context, out: str | None) -> None:
    """Raise where an option is for the other way of evaluating."""
    flags = {one.name: one.opts[0] for one in context.command.params if one.name}
    typed = [flag for name, flag in flags.items() if _was_typed(context, name)]
    for flag in typed:
        if out is None and flag in _FOR_OUT:
            raise SpecError(f"`{flag}` is for `--out`, which was not given")
        if out is not None and flag in _NOT_FOR_OUT:
            raise SpecError(
                f"`{flag}` does not go with `--out`, which reads recorded answers and keeps its results as "
                "files, in no database; leave one of them away"
            )


def _was_typed(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _described(named: str) -> list[tuple[str, Any]]:
    """The checks that a file holds, or the preset of this name, each with its place."""
    from sensecheck.checks.presets import PRESETS  # noqa: PLC0415 - for those who name one

    if named in PRESETS:
        return [(named, {"kind": named})]
    if Path(named).suffix not in _FILES:
        raise SpecError(f"{unknown('preset', named, PRESETS)}, or a file of checks: `checks.yaml`")
    held = _data_in(Path(named))
    if not isinstance(held, list):
        return [(named, held)]
    return [(f"{named}[{number}]", data) for number, data in enumerate(held)]


def _data_in(path: Path) -> Any:
    from sensecheck.evals.documents.content import content_of, decoded  # noqa: PLC0415 - for those who name a file
    from sensecheck.evals.documents.reading import read_file  # noqa: PLC0415
    from sensecheck.evals.node import Node, Place  # noqa: PLC0415

    text = decoded(content_of(path, Node(None, Place(str(path), 1))), path)
    return read_file(text, path).plain()
