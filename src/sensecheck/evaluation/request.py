"""What a command line asks to be evaluated, known to be possible before anything is read or asked.

Addresses are kept and shown without a password, and without a query that may hold a key.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from sensecheck.config import Settings, chain_parts, shelf, variables
from sensecheck.core.errors import BatteryError, SpecError
from sensecheck.core.serialization import unknown
from sensecheck.datasets.columns import COLUMN_NAMES, Columns
from sensecheck.datasets.rows import must_be_rows
from sensecheck.documents.node import Node, Place
from sensecheck.documents.reading import content_of, decoded, read_file
from sensecheck.evaluation.answers import REFERENCES, Template
from sensecheck.execution import On
from sensecheck.io.openai import Endpoint, is_address
from sensecheck.retrieval.chain import Chain
from sensecheck.retrieval.flags import Short, chosen_chain
from sensecheck.sources.loading import SourceOptions, connect
from sensecheck.sources.source import AnswerSource, SourceSpec

_PLACE = Place("--ask", 1)
_SENT = (
    "temperature",
    "top_p",
    "max_tokens",
    "max_completion_tokens",
    "seed",
    "stop",
    "frequency_penalty",
    "presence_penalty",
    "reasoning_effort",
)
"""What may be sent along with a prompt."""
_WANTED = "`openai:http://localhost:8080/v1#MODEL`"

_DEFAULT_TEST = "default"

_FILES = (".json", ".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class AnswerModel:
    """Who is asked, and how."""

    described: str
    """`openai:URL#MODEL`, with `?temperature=0.2` and the like after it."""
    key_variable: str | None = None
    """The variable that holds the key; the key of an encoder is sent to no model."""
    at_once: int = 4
    cached: bool = True

    @property
    def url(self) -> str:
        """The address."""
        return self._split()[0]

    @property
    def model(self) -> str:
        """What the server calls it."""
        return self._split()[1]

    @property
    def parameters(self) -> dict[str, Any]:
        """What is sent along with every prompt, as far as it was given."""
        named = parse_qsl(self._split()[2], keep_blank_values=True)
        for name, _ in named:
            _must_be_known(name)
        return {name: _plain(value) for name, value in named}

    def must_be_possible(self, settings: Settings) -> None:
        """Raise `SpecError` unless the model can be asked, as far as that is known without asking."""
        if self.at_once < 1:
            raise SpecError(f"`--at-once` wants 1 or more; found {self.at_once}")
        replace(self, cached=False).source(settings)

    def source(self, settings: Settings) -> AnswerSource:
        """The model, ready to be asked; what it answers is kept on disk, and not asked again."""
        config = {"apiBaseUrl": self.url, **self.parameters}
        if self.key_variable is not None:
            config["apiKeyEnvar"] = self.key_variable
        spec = SourceSpec(f"openai:chat:{self.model}", self.model, Node.of(config, _PLACE))
        options = SourceOptions(
            Path(),
            variables(),
            timeout=settings.timeout,
            retries=settings.retries,
            at_once=self.at_once,
        )
        try:
            (source,) = connect(
                [spec], options, kept=settings.answers_file() if self.cached else None, run=""
            )
        except BatteryError as wrong:
            raise SpecError(str(wrong).replace(f"{_PLACE}: ", "`--ask`: ")) from wrong
        return source

    def _split(self) -> tuple[str, str, str]:
        kind, _, rest = self.described.partition(":")
        url, _, served = rest.partition("#")
        model, _, parameters = served.partition("?")
        if kind != "openai" or not is_address(url) or not model:
            raise SpecError(f"`--ask` wants {_WANTED}; found another form, or no address in it")
        return url, model, parameters


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationRequest:
    """One evaluation."""

    questions: Path | None
    project: str | None
    test: str | None
    name: str
    columns: Columns
    answers: Path | None
    asking: AnswerModel | None
    """Who is asked now; None where the answers are recorded."""
    prompt: Path | None
    guard: Path | None
    short: Short
    metrics: tuple[str, ...]
    """Empty for those that apply."""
    encoders: tuple[str, ...]
    """Empty for the one of the settings."""
    settings: Settings
    resume: str | None
    html: Path | None

    def must_be_possible(self, *, key_variable: str | None) -> None:
        """Raise `SpecError` where two things that were asked for do not go together."""
        for path in filter(None, (self.questions, self.answers)):
            must_be_rows(path)
        if self.questions is None and self.project is None:
            raise SpecError("name a file of questions, or with `--project` a project that has some")
        if self.asking is None:
            self._must_not_speak_of_asking(key_variable)
        elif self.answers is not None:
            raise SpecError("`--ask` writes answers, and `--answers` brings some; wanted one of them")
        elif self.columns.labels:
            raise SpecError("`--label` is about recorded answers, and `--ask` writes new ones")
        else:
            self.asking.must_be_possible(self.settings)
        if self.html is not None and self.html.is_dir():
            raise SpecError(f"`{self.html}` is a folder; a page wants the name of a file")
        self._must_name_encoders_once()

    def _must_not_speak_of_asking(self, key_variable: str | None) -> None:
        for flag, found in (("--prompt", self.prompt), ("--ask-key", key_variable)):
            if found is not None:
                raise SpecError(f"`{flag}` is for `--ask`, which was not given")
        if self.questions is None and self.answers is None:
            raise SpecError("a project has questions, and no answers; name `--answers` or `--ask`")

    def _must_name_encoders_once(self) -> None:
        for named in self.encoders:
            if self.encoders.count(named) > 1:
                raise SpecError(f"`--encoder {shown_encoder(named)}` was given twice")

    @property
    def named_project(self) -> str:
        """The project; the file's name unless it was given."""
        return self.project if self.project is not None else (self.questions or Path()).stem

    @property
    def named_test(self) -> str:
        """The test that a new run belongs to."""
        return self.test if self.test is not None else _DEFAULT_TEST

    @property
    def named_run(self) -> str:
        """What a new run is called: unless it was given, by whose answers it is about."""
        if self.name:
            return self.name
        if self.asking is not None:
            return self.asking.model
        return (self.answers or self.questions or Path()).stem

    @property
    def read_as(self) -> dict[str, Any]:
        """How columns are taken for recorded answers and labels; nothing where somebody is asked."""
        if self.asking is not None:
            return {}
        usual = {name for names in COLUMN_NAMES.values() for name in names}
        return {
            "parts": dict(self.columns.parts),
            "labels": sorted(self.columns.labels),
            "ignored": sorted(usual & set(self.columns.ignored)),
        }

    @property
    def answers_stand_beside(self) -> bool:
        """Whether the answers are those in the file of questions."""
        return self.answers is None and self.asking is None

    def chain(self) -> Chain | None:
        """The guards, if there are any."""
        entries = [flag for flag, *_ in self.short.entries()]
        if self.guard is not None and entries:
            flags = ", ".join(f"`{flag}`" for flag in entries)
            raise SpecError(f"`--guard` brings all guards; found {flags} beside it; write them into the file")
        if self.guard is None and not entries:
            return None
        return chosen_chain(self.guard, self.short, chain_parts(self.settings), self.settings.cards_folder())

    def template(self) -> Template:
        """What is asked."""
        if self.prompt is None:
            return Template()
        try:
            text = self.prompt.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as wrong:
            raise SpecError(f"`{self.prompt}` cannot be read: {wrong}") from wrong
        template = Template.from_text(text)
        if self.chain() is not None and not template.has_references:
            raise SpecError(f"there are guards, and `{self.prompt}` has no `{REFERENCES}` that they are for")
        return template


@dataclass(frozen=True, slots=True)
class WorkerOptions:
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
class LargeEvaluationRequest:
    """One large run."""

    addresses: tuple[str, ...]
    out: str
    worker_options: WorkerOptions
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
        self.worker_options.must_be_possible()

    def checks_as_data(self) -> tuple[dict[str, Any], ...]:
        """The checks, with the lines of the cards that they name written out."""
        from sensecheck.checks.spec import check_from_data, check_to_data  # noqa: PLC0415 - for those who name one

        cards = shelf(self.settings) if self.checks else None
        described = [entry for named in self.checks for entry in _described(named)]
        return tuple(check_to_data(check_from_data(data, at=at, shelf=cards)) for at, data in described)


def shown_address(url: str) -> str:
    """The address without a password, and without its query."""
    return Endpoint(url, "", api_key=None, timeout=1.0, retries=0).url


def shown_encoder(described: str) -> str:
    """What an encoder is called: `openai:URL#MODEL` with such an address, all others as they are."""
    kind, _, argument = described.partition(":")
    url, _, model = argument.partition("#")
    if kind != "openai" or not is_address(url):
        return described
    return f"openai:{shown_address(url)}#{model.partition('?')[0]}"


def shown_data(held: Any) -> Any:
    """Plain data in which every encoder is called so."""
    if isinstance(held, str):
        return shown_encoder(held)
    if isinstance(held, Mapping):
        return {name: shown_data(value) for name, value in held.items()}
    return [shown_data(value) for value in held] if isinstance(held, list | tuple) else held


def _must_be_known(name: str) -> None:
    """Parameters are kept beside the run, so that none may be taken that could be a key."""
    if name not in _SENT:
        found = f"`{name}`" if name.isidentifier() else "another one"
        raise SpecError(
            f"`--ask` sends none but these along: {', '.join(_SENT)}; found {found}; a key is named by its "
            "variable, with `--ask-key VARIABLE`"
        )


def _plain(value: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            continue
    return value


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
    text = decoded(content_of(path, Node(None, Place(str(path), 1))), path)
    return read_file(text, path).plain()
