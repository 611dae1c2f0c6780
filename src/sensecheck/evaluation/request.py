"""What is to be evaluated, checked before anything is read or asked."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from sensecheck.config import Settings, chain_parts
from sensecheck.core.errors import SpecError
from sensecheck.datasets.columns import COLUMN_NAMES, Columns
from sensecheck.datasets.rows import validate_rows_file
from sensecheck.evaluation.answer_model import DEFAULT_CONCURRENCY, AnswerModel, shown_encoder
from sensecheck.evaluation.answers import REFERENCES, Template
from sensecheck.execution import On
from sensecheck.retrieval.chain import Chain
from sensecheck.retrieval.flags import ChainFlags, chosen_chain

_DEFAULT_TEST = "default"
_PARQUET = "parquet:"
_FOR_PARQUET = (
    *("on", "workers", "ray_address", "ray_autoscales", "worker_cpus", "worker_gpus"),
    *("checks", "shard_rows", "with_texts"),
)
_FOR_DATABASE = (
    *("project", "test", "name", "resume", "html"),
    *("answers", "model", "api_key_env", "prompt", "concurrency", "cached"),
    *("guard", "min_similarity", "dedupe", "top_k", "max_chars", "max_tokens", "tokenizer"),
)
_PLAN_FILE = "run.json"
"""Of a large run that has begun."""
_FLAGS = {"checks": "--check", "with_texts": "--no-texts", "cached": "--no-cache"}
"""Flags that are not called as their fields."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationRequest:
    """One evaluation: what is answered, by whom, what is read off the answers, and where results go.

    Names of the fields are those of the options of `sensecheck eval`, and messages name the options.
    """

    questions: str | Path | Sequence[str | Path] = ()
    """A file of questions; into Parquet files, any number of files, patterns and folders."""
    columns: Columns = field(default_factory=Columns)
    metrics: Sequence[str] = ()
    """Empty for those that apply."""
    encoders: Sequence[str] = ()
    """Empty for the one of the settings; the first is the run's own."""
    settings: Settings = field(default_factory=Settings.from_environment)
    store: str | None = None
    """A database, `folder:` and a path, or `parquet:` and a folder or URL; None for that of the settings."""

    project: str | None = None
    test: str | None = None
    name: str = ""
    answers: Path | None = None
    """Recorded answers in a file of their own."""
    model: str | None = None
    """The model that is asked now, as `openai:URL#MODEL`; None where the answers are recorded."""
    api_key_env: str | None = None
    prompt: Path | None = None
    concurrency: int | None = None
    cached: bool = True
    """Whether answers of the model are cached for other runs."""
    guard: Chain | Path | None = None
    """All guards of the passages: a chain, or the file of one."""
    min_similarity: float | str | None = None
    dedupe: float | None = None
    top_k: int | None = None
    max_chars: int | None = None
    max_tokens: int | None = None
    tokenizer: str | None = None
    resume: str | None = None
    """The run that is resumed: its number, its name, or `latest`."""
    html: Path | None = None
    """A page that is written at the end."""

    on: On | None = None
    """Who works on Parquet files; processes unless given."""
    workers: int | None = None
    ray_address: str | None = None
    ray_autoscales: bool = False
    worker_cpus: float | None = None
    worker_gpus: float | None = None
    checks: Sequence[str] = ()
    """Names of presets, and files."""
    shard_rows: int | None = None
    with_texts: bool = True

    def __post_init__(self) -> None:
        for name in ("questions", "metrics", "encoders", "checks"):
            value = getattr(self, name)
            object.__setattr__(self, name, (value,) if isinstance(value, str | Path) else tuple(value))
        for name in ("answers", "prompt", "html", "guard"):
            if isinstance(value := getattr(self, name), str):
                object.__setattr__(self, name, Path(value))
        if self.encoders:
            object.__setattr__(self, "settings", replace(self.settings, encoder=self.encoders[0]))

    def validate(self) -> None:
        """Raise `SpecError` where two things that were asked for do not go together."""
        others = _FOR_PARQUET if self.parquet_address is None else _FOR_DATABASE
        for entry in fields(self):
            if entry.name in others and getattr(self, entry.name) != entry.default:
                self._refuse(_FLAGS.get(entry.name, f"--{entry.name.replace('_', '-')}"))
        for encoder in self.encoders:
            if self.encoders.count(encoder) > 1:
                raise SpecError(f"`--encoder {shown_encoder(encoder)}` was given twice")
        if self.parquet_address is None:
            self._validate_for_database()
        else:
            self._validate_for_parquet(self.parquet_address)

    @property
    def destination(self) -> str:
        """Where the results go: the address of a database, or `parquet:` and that of files."""
        return self.settings.store if self.store is None else self.store

    @property
    def parquet_address(self) -> str | None:
        """The folder or URL of a large run, which workers write; None where a place stores the results.

        Workers are asked for by their options, by several inputs, patterns, folders and Parquet files, or by
        resuming a run of theirs.
        """
        where = self.destination
        if not where.startswith(_PARQUET):
            return None
        address = where.removeprefix(_PARQUET)
        has_worker_options = any(
            getattr(self, entry.name) != entry.default for entry in fields(self) if entry.name in _FOR_PARQUET
        )
        several = len(self.addresses) > 1 or any(map(_is_large_input, self.addresses))
        has_begun = "://" not in address and (Path(address).expanduser() / _PLAN_FILE).is_file()
        return address if has_worker_options or several or has_begun or not address else None

    @property
    def addresses(self) -> tuple[str, ...]:
        """The questions as they were named: files, patterns and folders."""
        questions = self.questions
        return (str(questions),) if isinstance(questions, str | Path) else tuple(map(str, questions))

    @property
    def question_file(self) -> Path | None:
        """The one file of questions; None for those of the project."""
        if len(self.addresses) > 1:
            raise SpecError(
                f"got {len(self.addresses)} files of questions; several are for `--store parquet:ADDRESS`, "
                "which was not given"
            )
        return Path(self.addresses[0]) if self.addresses else None

    @property
    def named_project(self) -> str:
        """The project; the file's name unless it was given."""
        return self.project if self.project is not None else (self.question_file or Path()).stem

    @property
    def named_test(self) -> str:
        """The test that a new run belongs to."""
        return self.test if self.test is not None else _DEFAULT_TEST

    @property
    def named_run(self) -> str:
        """What a new run is called: unless it was given, by whose answers it is about."""
        if self.name:
            return self.name
        if self.answer_model is not None:
            return self.answer_model.model
        return (self.answers or self.question_file or Path()).stem

    @property
    def answer_model(self) -> AnswerModel | None:
        """The model that is asked now; None where the answers are recorded."""
        if self.model is None:
            return None
        concurrency = DEFAULT_CONCURRENCY if self.concurrency is None else self.concurrency
        return AnswerModel(self.model, self.api_key_env, concurrency, self.cached)

    @property
    def read_as(self) -> dict[str, Any]:
        """How columns are taken for recorded answers and labels; nothing where a model is asked."""
        if self.model is not None:
            return {}
        usual = {name for names in COLUMN_NAMES.values() for name in names}
        return {
            "parts": dict(self.columns.parts),
            "labels": sorted(self.columns.labels),
            "ignored": sorted(usual & set(self.columns.ignored)),
        }

    @property
    def has_answers_in_questions(self) -> bool:
        """Whether the answers are those in the file of questions."""
        return self.answers is None and self.model is None

    @property
    def guard_options(self) -> ChainFlags:
        """The guards that were named one by one."""
        above = None if self.min_similarity is None else str(self.min_similarity)
        return ChainFlags(above, self.dedupe, self.top_k, self.max_chars, self.max_tokens, self.tokenizer)

    def chain(self) -> Chain | None:
        """The guards, if there are any."""
        options = self.guard_options
        entries = [flag for flag, *_ in options.entries()]
        if self.guard is not None and entries:
            flags = ", ".join(f"`{flag}`" for flag in entries)
            raise SpecError(f"`--guard` has all guards; got {flags} as well; write them into the file")
        if self.guard is None and not entries:
            return None
        if isinstance(self.guard, Chain):
            return self.guard
        return chosen_chain(self.guard, options, chain_parts(self.settings), self.settings.cards_folder())

    def template(self) -> Template:
        """What is asked."""
        if self.prompt is None:
            return Template()
        try:
            text = self.prompt.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise SpecError(f"`{self.prompt}` cannot be read: {error}") from error
        template = Template.from_text(text)
        if self.chain() is not None and not template.has_references:
            raise SpecError(f"there are guards, and `{self.prompt}` has no `{REFERENCES}` that they are for")
        return template

    def _refuse(self, flag: str) -> None:
        if self.parquet_address is None:
            raise SpecError(f"`{flag}` is for `--store parquet:ADDRESS`, which was not given")
        raise SpecError(
            f"`{flag}` does not go with a large run, where workers read recorded answers; leave it out, or "
            "what asks for workers: `--on`, `--workers`, `--check`, `--shard-rows`, `--no-texts`, more inputs"
        )

    def _validate_for_database(self) -> None:
        for path in filter(None, (self.question_file, self.answers)):
            validate_rows_file(path)
        if self.question_file is None and self.project is None:
            raise SpecError("name a file of questions, or with `--project` a project that has some")
        model = self.answer_model
        if model is None:
            self._validate_without_model()
        elif self.answers is not None:
            raise SpecError("`--model` writes answers, and `--answers` has some; name one of them")
        elif self.columns.labels:
            raise SpecError("`--label` is about recorded answers, and `--model` writes new ones")
        else:
            model.validate(self.settings)
        if self.html is not None and self.html.is_dir():
            raise SpecError(f"`{self.html}` is a folder; `--html` must be the name of a file")

    def _validate_without_model(self) -> None:
        for flag, value in (("--prompt", self.prompt), ("--api-key-env", self.api_key_env)):
            if value is not None:
                raise SpecError(f"`{flag}` is for `--model`, which was not given")
        if self.question_file is None and self.answers is None:
            raise SpecError("a project has questions, and no answers; name `--answers` or `--model`")

    def _validate_for_parquet(self, address: str) -> None:
        if not address:
            raise SpecError(
                "`--store parquet:ADDRESS` must name a folder, or a prefix in a store; got an empty name"
            )
        if not self.addresses:
            raise SpecError("`--store parquet:ADDRESS` needs files of questions: files, patterns or folders")
        if self.shard_rows is not None and self.shard_rows < 1:
            raise SpecError(f"`--shard-rows` must be at least 1; got {self.shard_rows}")
        if len(self.encoders) > 1:
            raise SpecError(
                "with `--store parquet:ADDRESS` one encoder reads; name one `--encoder`, and make a run for "
                "each"
            )
        for flag, value in (
            ("--ray-address", self.ray_address),
            ("--worker-cpus", self.worker_cpus),
            ("--worker-gpus", self.worker_gpus),
            ("--ray-autoscales", self.ray_autoscales or None),
        ):
            if value is not None and self.on != "ray":
                raise SpecError(f"`{flag}` is for `--on ray`, which was not given")
        if self.workers is not None and self.workers < 1:
            raise SpecError(f"`--workers` must be at least 1; got {self.workers}")
        if self.on == "inline" and self.workers not in (None, 1):
            raise SpecError("`--on inline` is this process alone; `--workers` is for the others")
        for flag, share in (("--worker-cpus", self.worker_cpus), ("--worker-gpus", self.worker_gpus)):
            if share is not None and not share >= 0:
                raise SpecError(f"`{flag}` must be at least 0; got {share}")


def _is_large_input(address: str) -> bool:
    """Whether it may be more than one file of questions, or is one that only workers read."""
    return (
        "://" in address
        or any(character in address for character in "*?[")
        or Path(address).is_dir()
        or (Path(address).suffix == ".parquet")
    )
