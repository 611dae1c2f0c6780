"""Reading labelled answers with everything that is compared, each text encoded once."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.quality.grounding.judging import Policies
from benchmarks.quality.grounding.readings import ClaimRead, RowRead
from benchmarks.quality.grounding.rows import SHIPPED, Row
from benchmarks.quality.grounding.verifiers import Verifiers

from sensecheck.checks.gate import Gate
from sensecheck.checks.staircase import Staircase
from sensecheck.core.encoder import Answerers, Encoder, PairScore
from sensecheck.core.errors import CannotJudge
from sensecheck.core.protocols import Check, Measure
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.overlap import KeywordOverlap
from sensecheck.measures.passages import PassageSimilarity
from sensecheck.measures.support.beside import Beside, ClaimBeside, beside
from sensecheck.measures.support.groundedness import groundedness
from sensecheck.measures.support.signals import Signal
from sensecheck.measures.support.verified import Verified, pair_of
from sensecheck.measures.support.words import FEATURES

AT_ONCE = 64
_ASKED = FEATURES.index("asked")
STATES_NOTHING = "the answer states nothing"
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads: one encoder, the verifiers, and the rules that decide."""

    encoder: Encoder
    verifiers: Verifiers
    policies: Policies

    def read(self, rows: Sequence[Row], name: str) -> Iterator[RowRead]:
        """Each row, in order; how far it has come is told as it goes."""
        for start in range(0, len(rows), AT_ONCE):
            part = rows[start : start + AT_ONCE]
            by_fold = {fold: self._space(part, fold) for fold in {row.fold for row in part}}
            yield from (self._row(row, by_fold[row.fold]) for row in part)
            print(f"{name}: read {start + len(part):,} of {len(rows):,}", file=sys.stderr, flush=True)

    def _space(self, rows: Sequence[Row], fold: int | None) -> Space:
        """Everything that is asked about the rows of one fold, answered by who has not seen them."""
        scorer = self.verifiers.unseen_by(fold)
        checks: list[Check] = [Gate(PassageSimilarity()), Gate(groundedness())]
        checks += [*self.policies.checks.values(), *([Gate(Verified())] if scorer else [])]
        cases = [(row.sample, check) for row in rows if row.fold == fold for check in checks]
        return Staircase(Answerers(self.encoder, scorer)).climb(cases)

    def _row(self, row: Row, space: Space) -> RowRead:
        claims, unread = self._claims(row, space)
        return RowRead(
            row.unsupported,
            row.group,
            row.kind,
            row.fold,
            len(row.sample.answer),
            row.spans,
            _value(PassageSimilarity(), row.sample, space),
            _value(KeywordOverlap(), row.sample, space),
            _value(KeywordOverlap("long"), row.sample, space),
            claims,
            unread,
            {name: check.decide(row.sample, space).outcome for name, check in self.policies.checks.items()},
        )

    def _claims(self, row: Row, space: Space) -> tuple[tuple[ClaimRead, ...], str]:
        try:
            found = beside(row.sample, space)
        except CannotJudge as reason:
            return (), str(reason)
        pairs = [pair_of(row.sample, one.claim) for one in found.claims]
        scored = self._scores(row, pairs, space)
        own = str(SHIPPED if row.fold is None else row.fold)
        read = tuple(
            _claim(one, found, pair, {who: scores[at] for who, scores in scored.items()}, own)
            for at, (one, pair) in enumerate(zip(found.claims, pairs, strict=True))
        )
        return read, "" if read else STATES_NOTHING

    def _scores(
        self, row: Row, pairs: Sequence[Pair], space: Space
    ) -> Mapping[str, Sequence[PairScore | None]]:
        """What the verifier says that has not seen the row."""
        home = SHIPPED if row.fold is None else row.fold
        scored: dict[str, Sequence[PairScore | None]] = {}
        if home in self.verifiers.held_out:
            scored[str(home)] = [space.pairs.get(pair) for pair in pairs]
        return scored


def _claim(
    one: ClaimBeside, found: Beside, pair: Pair, scores: Mapping[str, PairScore | None], own: str
) -> ClaimRead:
    shift = one.claim.start - (len(pair[0]) - len(one.claim.text))
    score = scores.get(own)
    doubts = zip(score.spans, score.scores, strict=True) if score else ()
    return ClaimRead(
        (one.claim.start, one.claim.end),
        tuple((found.words.words[at].start, found.words.words[at].end) for at in one.words),
        tuple(tuple(found.words.features[at].tolist()) for at in one.words),
        tuple(_kind(signal) for signal in one.signals),
        one.near,
        one.verbatim,
        one.open_part is not None and bool(found.words.features[one.words, _ASKED].all()),
        {who: score.value for who, score in scores.items() if score is not None},
        tuple((start + shift, end + shift, odds) for (start, end), odds in doubts),
    )


def _kind(signal: Signal) -> str:
    return signal.kind if signal.changed else f"{signal.kind}:new"


def _value(measure: Measure, sample: Sample, space: Space) -> float | None:
    try:
        return measure.read(sample, space).value
    except CannotJudge:
        return None
