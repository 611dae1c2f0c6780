"""What is cached on disk: vectors, scores of pairs, replies of judges, answers of batteries."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from sensecheck.config import Settings
from sensecheck.core.errors import CacheError, SpecError
from sensecheck.encoders.caches import keeper_at
from sensecheck.encoders.disk_cache import Keeper
from sensecheck.io.blobcache import AnswerFile, KeptFile, ReplyFile

Cached = Literal["texts", "pairs", "replies", "answers"]
"""What entries belong to: the vectors of texts, a verifier's scores of pairs, a judge's replies, or a
source's answers."""
STORED: Mapping[Cached, str] = {
    "texts": "vectors",
    "pairs": "scores",
    "replies": "replies",
    "answers": "answers",
}
"""What is stored for each."""
_SUFFIXES = ("-wal", "-shm", "")
"""Endings of a cache's files, the main one last: what is left without it is not read again."""


@dataclass(frozen=True, slots=True)
class CacheUse:
    """One cache: its location, how large it is, and how many entries it has by model or source."""

    kind: Cached
    path: str
    bytes: int
    max_bytes: int | None
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class ClearedCache:
    """What was cleared of one cache."""

    kind: Cached
    path: str
    count: int | None
    """Entries that are gone; None where the file was damaged, and is deleted."""
    bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClearRequest:
    """What to clear: one model's or source's entries, by its fingerprint, or everything."""

    encoder: str | None = None
    verifier: str | None = None
    judge: str | None = None
    source: str | None = None
    everything: bool = False
    """Everything, also where a file is damaged."""
    settings: Settings = field(default_factory=Settings.from_environment)

    @property
    def makers(self) -> Mapping[Cached, str | None]:
        """The fingerprint by what its entries belong to."""
        return dict(
            zip(get_args(Cached), (self.encoder, self.verifier, self.judge, self.source), strict=True)
        )

    def validate(self) -> None:
        """Raise `SpecError` unless it is one of them."""
        if self.everything + sum(maker is not None for maker in self.makers.values()) != 1:
            raise SpecError(
                "say what to clear: one of `--encoder FINGERPRINT`, `--verifier FINGERPRINT`, "
                "`--judge FINGERPRINT`, `--source FINGERPRINT` and `--all`"
            )


def cache_contents(settings: Settings | None = None) -> list[CacheUse]:
    """What is cached; none where the cache is off. No file is made by looking."""
    return [
        CacheUse(kind, keeper.address, _size(keeper), keeper.max_bytes, _counts(keeper))
        for kind, keeper in _caches(settings or Settings.from_environment()).items()
    ]


def clear_cache(request: ClearRequest) -> list[ClearedCache]:
    """Clear entries; they are made again when they are needed. None where the cache is off."""
    request.validate()
    return [
        _clear(keeper, kind, request.makers[kind])
        for kind, keeper in _caches(request.settings).items()
        if request.everything or request.makers[kind] is not None
    ]


def _caches(settings: Settings) -> dict[Cached, Keeper]:
    vectors, replies, answers = settings.cache_address(), settings.replies_file(), settings.answers_file()
    if vectors is None or replies is None or answers is None:
        return {}
    max_bytes = settings.cache_mb * 1_000_000
    return {
        "texts": keeper_at(vectors, max_bytes=max_bytes),
        "pairs": keeper_at(vectors, max_bytes=max_bytes, what="pairs"),
        "replies": ReplyFile(replies, max_bytes=max_bytes),
        "answers": AnswerFile(answers),
    }


def _clear(keeper: Keeper, kind: Cached, maker: str | None) -> ClearedCache:
    before = _size(keeper)
    count = _empty(keeper) if maker is None else _clear_maker(keeper, kind, maker)
    return ClearedCache(kind, keeper.address, count, before - _size(keeper))


def _clear_maker(keeper: Keeper, kind: Cached, maker: str) -> int:
    counts = _counts(keeper)
    if maker not in counts:
        makers = ", ".join(f"`{name}`" for name in counts) or "nothing"
        raise SpecError(f"the cache has no {STORED[kind]} of `{maker}`; it has those of: {makers}")
    return keeper.clear(maker)


def _empty(keeper: Keeper) -> int | None:
    """Delete all; how many there were, or None when that can no longer be read."""
    count: int | None
    try:
        count = sum(_counts(keeper).values())
    except CacheError:
        count = None
    path = _file_of(keeper)
    if path is None:
        keeper.clear()
        return count
    try:
        for suffix in _SUFFIXES:
            Path(f"{path}{suffix}").unlink(missing_ok=True)
    except OSError as error:
        raise CacheError(f"`{path}` cannot be deleted: {error.strerror}") from error
    return count


def _counts(keeper: Keeper) -> dict[str, int]:
    """How many entries there are, by their maker; a missing file is not created."""
    path = _file_of(keeper)
    return keeper.count() if path is None or path.exists() else {}


def _size(keeper: Keeper) -> int:
    path = _file_of(keeper)
    if path is None:
        return keeper.used_bytes()
    return sum(file.stat().st_size for file in (Path(f"{path}{end}") for end in _SUFFIXES) if file.is_file())


def _file_of(keeper: Keeper) -> Path | None:
    """The one SQLite file that holds everything; None where it is elsewhere."""
    return keeper.path if isinstance(keeper, KeptFile) else None
