"""`sensecheck train-head`: from answers with labels to a small model that tells the labels apart."""

from pathlib import Path
from typing import Annotated

from sensecheck.cli.console import Console, write_json
from sensecheck.cli.options import (
    COLUMNS,
    Encoder,
    Group,
    Ignored,
    Json,
    SkipUnreadable,
    argument,
    option,
    settings_with,
)
from sensecheck.cli.progress import stage_progress

# ruff: noqa: PLC0415 - the parts that place and fit bring numpy along, which `--help` does without

_HEAD = "The head"
_LOOKS = "What it looks at"


def train_head(
    file: Annotated[str, argument("LABELLED.jsonl", "Labelled answers, one per line; or a .csv.")],
    name: Annotated[str, option("--name NAME", "What the head is called.", _HEAD)],
    out: Annotated[Path | None, option("--out FILE.json", "Its file; NAME.json unless given.", _HEAD)] = None,
    inverse_regularization: Annotated[
        float,
        option(
            "--inverse-regularization NUMBER",
            "How freely it is fitted, scikit-learn's C; less for few rows.",
            _HEAD,
            default=True,
        ),
    ] = 3.0,
    source: Annotated[
        str | None, option("--source 'NAME; LICENCE'", "Whose answers, for a head that travels.", _HEAD)
    ] = None,
    force: Annotated[bool, option("--force", "Overwrite a file of this name.", _HEAD)] = False,
    recipe: Annotated[
        str | None, option("--recipe FILE.json", "Sentences, patterns and classes, as data.", _LOOKS)
    ] = None,
    base: Annotated[
        str | None, option("--base NAME", "The sentences and patterns of one of our heads.", _LOOKS)
    ] = None,
    sentences: Annotated[
        list[str] | None,
        option(
            "--sentence first:16",
            "A sentence, and how many of its words are read: first, second, third or last. Repeat for more; "
            "first:16, second:16 and last:16 unless given.",
            _LOOKS,
        ),
    ] = None,
    patterns: Annotated[
        list[str] | None,
        option(
            "--pattern NAME:WHERE:PATTERN",
            "A pattern, and where it is looked for: opening, rest, last or answer. Repeat for more.",
            _LOOKS,
        ),
    ] = None,
    label: Annotated[
        str, option("--label COLUMN", "The class of the answer: any text.", COLUMNS, default=True)
    ] = "label",
    group: Group = None,
    ignored: Ignored = None,
    skip_unreadable: SkipUnreadable = False,
    encoder: Encoder = None,
    as_json: Json = False,
) -> None:
    """Train a head: a small model that tells classes of answers apart, from answers with labels.

    A row holds an `answer` and its `label`. Name what each other column is.
    """
    from sensecheck.cli.calibration.view import head_data, show_head
    from sensecheck.training import TrainingRequest
    from sensecheck.training import train_head as train_head_

    source_name, _, licence = map(str.strip, (source or "").partition(";"))
    request = TrainingRequest(
        data=file,
        name=name,
        path=out,
        inverse_regularization=inverse_regularization,
        source=source_name,
        licence=licence,
        recipe=recipe,
        base=base,
        sentences=sentences or (),
        patterns=patterns or (),
        label=label,
        group=group,
        ignored=ignored or (),
        skip_unreadable=skip_unreadable,
        force=force,
        settings=settings_with(encoder),
    )
    with stage_progress(as_json=as_json) as report:
        trained = train_head_(request, on_progress=report)
    if as_json:
        write_json(head_data(trained))
    else:
        show_head(Console(), trained)
