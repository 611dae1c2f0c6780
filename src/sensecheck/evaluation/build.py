"""All that an evaluation is made of, loaded and connected before its first question.

These are the questions, read once and stored; who answers them; and who reads the answers.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any

from sensecheck import __version__
from sensecheck.config import encoder, judge, verifier
from sensecheck.core.backends import Judge
from sensecheck.core.errors import SampleError, SpecError
from sensecheck.core.extras import extra
from sensecheck.core.run import Item, QuestionSet, Run
from sensecheck.core.serialization import did_you_mean
from sensecheck.datasets.answers import ANSWER_PARTS, AnswerTable
from sensecheck.datasets.columns import COLUMN_NAMES
from sensecheck.datasets.questions import FileContents, QuestionRows
from sensecheck.datasets.rows import digest_of_file
from sensecheck.evaluation.answer_model import AnswerModel, shown_address, shown_data, shown_encoder
from sensecheck.evaluation.answers import (
    BesideQuestions,
    ChainGuard,
    Generating,
    Guard,
    Guarded,
    InAnswerTable,
    block_of_texts,
)
from sensecheck.evaluation.batches import (
    BATCH_SIZE,
    LIVE_BATCH_SIZE,
    AnswerEach,
    Conditions,
    ObservedSource,
    UnlessUnreached,
)
from sensecheck.evaluation.request import EvaluationRequest
from sensecheck.evaluation.scorer import NEVER_ANSWERED, NamedEncoder, Panel
from sensecheck.measures.metrics import Metric, metrics_named, standard_for
from sensecheck.retrieval.chain import Chain
from sensecheck.retrieval.flags import block_of
from sensecheck.retrieval.spec import chain_to_data
from sensecheck.runs.place import RunPlace

_OF_QUESTIONS = ("id", "question", "expected", "passages")
_PAIRS = ("question", "expected", "passages")

_RECORDED = {"answers": "recorded"}

_WITHOUT_ENCODER = ("lexical", "facts", "judged")


@dataclass(frozen=True, slots=True)
class Answering:
    """Who answers, and what that is known by."""

    each: Callable[[Run], AnswerEach]
    """What answers, from the question on at which a run is."""
    fingerprint: str
    """Changes whenever other answers are to be expected."""
    configured: dict[str, Any] = field(default_factory=lambda: dict(_RECORDED))
    """How answers come about, as the test is configured."""
    prompt: str = ""
    """The digest of the prompt, where a model is asked."""
    batch_size: int = BATCH_SIZE
    """Answers that are read and stored together."""


@dataclass(frozen=True, slots=True)
class EvaluationParts:
    """Who reads and who answers, and what decides about the readings."""

    panel: Panel
    answering: Answering
    conditions: Conditions

    def require_encoders(self) -> None:
        """Raise what an encoder says that does not tell who it is."""
        for one in self.panel.encoders:
            _ = one.encoder.fingerprint


@dataclass(frozen=True, slots=True)
class LoadedQuestions:
    """The questions, and what the files had to say."""

    chosen: QuestionSet
    parts: frozenset[str]
    """What questions have, next to their answers: those metrics apply that read it."""
    table: AnswerTable | None
    """The answers of a file of their own."""
    strange: tuple[str, ...]
    """Columns that mean nothing to us."""


def parts_of(request: EvaluationRequest, loaded: LoadedQuestions, chain: Chain | None) -> EvaluationParts:
    """As the request and the settings say; nothing has been asked for yet."""
    panel = _panel_of(request, loaded.parts, guarded=chain is not None)
    guard = None if chain is None else ChainGuard.of(chain, panel.encoders[0].encoder)
    answering = _answering_of(request, loaded, chain, guard)
    conditions = Conditions(
        __version__,
        panel.metrics,
        panel.encoders,
        answering.fingerprint,
        answering.prompt,
        [] if chain is None else shown_data(chain_to_data(chain)),
        "" if panel.judge is None else panel.judge.fingerprint,
        "" if panel.pairs is None else request.settings.verifier,
        request.read_as,
    )
    return EvaluationParts(panel, answering, conditions)


def read_questions(request: EvaluationRequest, store: RunPlace, *, guarded: bool) -> LoadedQuestions:
    """Every row checked, every question stored; what is wrong is reported with its line."""
    if request.question_file is None:  # refused before a large file of answers is read
        store.require_project(request.named_project)
    contents, table = FileContents(), None
    if request.answers is not None:
        table = AnswerTable.of(
            QuestionRows(request.answers, replace(request.columns, slices=()), ANSWER_PARTS, contents)
        )
        has_passages = "passages" in contents.parts
        contents.parts.clear()
        contents.parts |= {"passages"} if has_passages else set()
    if request.question_file is None:
        chosen = store.latest_set(request.named_project)
        contents.parts |= _stored_parts(store, chosen)
    else:
        rows = _question_rows(request, contents)
        chosen = store.keep_set(request.named_project, _checked_pairs(rows, request, guarded=guarded))
    _require_met(request, contents)
    strange = tuple(column for column in contents.strange if column not in contents.columns)
    return LoadedQuestions(chosen, frozenset(contents.parts) & frozenset(_PAIRS), table, strange)


def _panel_of(request: EvaluationRequest, parts: frozenset[str], *, guarded: bool) -> Panel:
    """The metrics that were named, or those that apply to what questions have; guards need an encoder too."""
    names = request.metrics or standard_for(parts, judge=bool(request.settings.judge))
    metrics = metrics_named(names)
    if not metrics:
        raise SpecError(
            "no metric applies to questions without `expected` answers and `passages`; "
            "name one with `--metric`"
        )
    kinds = {metric.kind for metric in metrics}
    if "lexical" in kinds:
        with extra("eval"):  # reported now, and not in the middle of a run
            import rapidfuzz  # noqa: F401, PLC0415
    compares = guarded or not kinds <= set(_WITHOUT_ENCODER)
    if request.encoders and not compares:
        raise SpecError("`--encoder` is for metrics that compare meaning, and none of these does")
    return Panel(
        metrics,
        _encoders(request) if compares else (),
        verifier(request.settings) if "context" in kinds else None,
        _judge(request, metrics) if "judged" in kinds else None,
    )


def _encoders(request: EvaluationRequest) -> tuple[NamedEncoder, ...]:
    """Each by its name; the prefix and the key of the settings are those of the first alone."""
    first, *others = request.encoders or (request.settings.encoder,)
    encoders = [NamedEncoder(shown_encoder(first), encoder(request.settings))]
    for address in others:
        loaded = encoder(replace(request.settings, encoder=address, prefix="", api_key=None))
        encoders.append(NamedEncoder(shown_encoder(address), loaded))
    _require_distinct(encoders)
    return tuple(one.settled() for one in encoders)


def _require_distinct(encoders: list[NamedEncoder]) -> None:
    """Of those that do not answer, that is not known."""
    seen: dict[str, str] = {}
    for name, fingerprint in (one.mark for one in encoders) if len(encoders) > 1 else ():
        if fingerprint in seen:
            raise SpecError(f"`--encoder {name}` is the same as `{seen[fingerprint]}`; leave one of them out")
        if not fingerprint.startswith(NEVER_ANSWERED):
            seen[fingerprint] = name


def _judge(request: EvaluationRequest, metrics: tuple[Metric, ...]) -> Judge:
    loaded = judge(request.settings)
    if loaded is None:
        names = ", ".join(f"`{metric.name}`" for metric in metrics if metric.kind == "judged")
        raise SpecError(f"there is no judge for {names}; name one in SENSECHECK_JUDGE")
    return loaded


def _answering_of(
    request: EvaluationRequest, loaded: LoadedQuestions, chain: Chain | None, guard: Guard | None
) -> Answering:
    """As the request says; nothing has been asked for yet."""
    if request.answer_model is not None:
        return _asking_model(request, request.answer_model, chain, guard)
    if loaded.table is not None and request.answers is not None:
        table = InAnswerTable(loaded.table)
        return Answering(lambda _: _guarded(table, guard), f"recorded:{digest_of_file(request.answers)}")
    rows = _question_rows(request)
    mark = f"recorded:{digest_of_file(rows.path)}"
    return Answering(lambda run: _guarded(BesideQuestions(rows, after=run.done), guard), mark)


def _asking_model(
    request: EvaluationRequest, model: AnswerModel, chain: Chain | None, guard: Guard | None
) -> Answering:
    source, template = ObservedSource(model.source(request.settings)), request.template()
    block = block_of_texts(block_of(chain or Chain(), request.guard_options))
    generating = Generating(source, template, block, guard, model.concurrency)
    url = shown_address(model.url)
    configured = {
        "answers": "asked",
        "model": model.model,
        "url": url,
        "parameters": model.parameters,
        "prompt": template.with_references,
    }
    batch_size = max(LIVE_BATCH_SIZE, 4 * model.concurrency)
    return Answering(
        lambda run: UnlessUnreached(generating, source, run, url),
        source.fingerprint,
        configured,
        template.digest,
        batch_size,
    )


def _guarded(answering: AnswerEach, guard: Guard | None) -> AnswerEach:
    return answering if guard is None else Guarded(answering, guard)


def _question_rows(request: EvaluationRequest, contents: FileContents | None = None) -> QuestionRows:
    """The rows of the file of questions, with their answers where those are taken from it."""
    if request.question_file is None:
        raise SpecError("no file of questions was named")
    columns, parts = request.columns, tuple(COLUMN_NAMES)
    if request.model is not None:
        parts = (*_OF_QUESTIONS, "answer")  # which is an error, and not an unknown column
    elif request.answers is not None:
        columns, parts = replace(request.columns, labels=()), (*_OF_QUESTIONS, "answer")
    return QuestionRows(
        request.question_file, columns, parts, FileContents() if contents is None else contents
    )


def _stored_parts(store: RunPlace, chosen: QuestionSet) -> set[str]:
    parts: set[str] = set()
    for placed in store.questions(chosen):
        parts |= {part for part in _PAIRS if getattr(placed.item, part)}
        if len(parts) == len(_PAIRS):
            break
    return parts


def _checked_pairs(rows: QuestionRows, request: EvaluationRequest, *, guarded: bool) -> Iterator[Item]:
    has_answers = False
    for row in rows:
        has_answers = has_answers or row.given is not None
        if row.item.question is None and (guarded or request.model is not None):
            raise SampleError(f"{row.where} has no `question`")
        if row.item.question is None and row.item.expected is None:
            what = f"{row.where} has neither a `question` nor an `expected` answer"
            raise SampleError(f"{what}{_other_columns(rows, 'question')}")
        if row.given is not None and not request.has_answers_in_questions:
            flag = "--answers" if request.model is None else "--model"
            raise SampleError(
                f"{row.where} has an answer, and `{flag}` brings others; name one of them: `--ignore-column "
                f"{rows.columns.parts.get('answer', 'answer')}` leaves that of the file unread"
            )
        yield row.item
    if not rows.seen.rows:
        raise SampleError(f"`{rows.path.name}` has no row")
    if not has_answers and request.has_answers_in_questions:
        raise SampleError(
            f"no row of `{rows.path.name}` has an `answer`{_other_columns(rows, 'answer')}; name answers "
            "that were recorded elsewhere with `--answers FILE`, or a model that is asked with "
            "`--model openai:URL#MODEL`"
        )


def _other_columns(rows: QuestionRows, part: str) -> str:
    """The columns that mean nothing to us, one of which may be the part that is missing."""
    names = list(rows.seen.strange)
    if not names:
        return ""
    nearest = next(iter(get_close_matches(part, names, n=1, cutoff=0.6)), "NAME")
    listed = ", ".join(f"`{name}`" for name in names[:5]) + (", …" if len(names) > 5 else "")
    return f" (columns with other names: {listed}; is one of them the {part}? `--column {part}={nearest}`)"


def _require_met(request: EvaluationRequest, contents: FileContents) -> None:
    """A column that was named, and that no row has, is a slip."""
    columns = request.columns
    options = (
        *((f"--column {part}={column}", column) for part, column in columns.parts.items()),
        *((f"--slice {column}", column) for column in columns.slices),
        *((f"--label {column}", column) for column in columns.labels),
    )
    file_columns = {*contents.columns, *contents.strange}
    files = " and ".join(
        f"`{path.name}`" for path in (request.question_file, request.answers) if path is not None
    )
    for option, column in options:
        if column not in contents.columns:
            raise SampleError(
                f"`{option}`: no row has it: {did_you_mean(f'column of {files}', column, file_columns)}"
            )
