"""What several verbs can be told."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from sensecheck.wiring import Settings

# ruff: noqa: PLC0415 - the settings bring numpy along, which `--help` does without

Json = Annotated[bool, typer.Option("--json", metavar="", help="Print JSON, for programs.")]
Encoder = Annotated[
    str | None,
    typer.Option(
        "--encoder",
        metavar="NAME",
        help="Place texts with this encoder instead of the one in SENSECHECK_ENCODER: "
        "minilm, onnx:FOLDER, hub:ORG/NAME@COMMIT, openai:URL#MODEL, …",
        show_default=False,
    ),
]

Store = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="URL|FILE",
        help="Another database than the one in SENSECHECK_STORE: postgresql://USER@HOST/DATABASE, or a file.",
        show_default=False,
    ),
]


def settings_with(encoder: str | None) -> "Settings":
    """The settings in the environment, with the encoder that the command line names instead."""
    from dataclasses import replace

    from sensecheck.wiring import Settings

    settings = Settings.from_environment()
    return settings if encoder is None else replace(settings, encoder=encoder)
