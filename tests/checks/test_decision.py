"""Cards that speak of the verdicts of a check, and not of one of its readings."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from sensecheck.calibration.card import Card, DataMark
from sensecheck.calibration.decision import RANGES, ClaimsRange, Decision
from sensecheck.calibration.fit import fit
from sensecheck.calibration.library import CardLibrary
from sensecheck.calibration.sample_size import NotCertifiable
from sensecheck.calibration.split import Labelled, split
from sensecheck.calibration.target import Target
from sensecheck.checks.assess import assess
from sensecheck.checks.calibrate import LabelledSample, fit_card, read_each, recheck_card, require_read
from sensecheck.checks.combine import AllOf
from sensecheck.checks.decision import OpenCheck, lax_cutoff
from sensecheck.checks.gate import Gate
from sensecheck.checks.grounded import Grounded
from sensecheck.checks.policies import named
from sensecheck.checks.presets import drift_threshold, means
from sensecheck.checks.spec import check_from_data, check_to_data
from sensecheck.checks.thresholds import open_again, open_check
from sensecheck.core.backends import Backends, Encoder, PairScore
from sensecheck.core.cutoff import Certificate, ClaimsCutoff, Cutoff, Side, at_least
from sensecheck.core.errors import CannotJudge, SpecError, StaleCutoff
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Verdict, promise_under, why_no_promise
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.measures.entailment import Entailment
from sensecheck.measures.similarity import Similarity
from sensecheck.measures.support.groundedness import groundedness

ANSWERERS = Backends(HashingEncoder())
THINGS = (
    *("camera", "laptop", "phone", "printer", "radio", "kettle", "toaster"),
    *("bicycle", "lamp", "clock", "tablet", "heater", "mixer", "drill"),
)
FPR, FNR = Target("false_accepts", 0.1), Target("false_rejects", 0.1)
SIMILARITY = {"policy": "similarity"}
MUSEUM = "The museum opens at nine. Tickets cost ten euros. Dogs may not come in. It closes at six."


def shop_rows(*, wrong_number: float = 0.0) -> Iterator[LabelledSample]:
    """Good answers in the expected words, bad ones in others; a share of the good ones changes a number."""
    for i, (thing, days) in enumerate((thing, days) for thing in THINGS for days in (7, 14, 30, 60, 90, 120)):
        expected = f"You can return a {thing} within {days} days."
        said = days + 1 if (i % 20) < 20 * wrong_number else days
        good, bad = (
            f"You can return the {thing} within {said} days.",
            f"We like every {thing} in our shop a lot.",
        )
        for answer, label in ((good, True), (bad, False)):
            yield LabelledSample(Sample(answer, expected=expected), label, f"{thing} {days}")


def calibrated(
    asked: Any, rows: Iterator[LabelledSample], *targets: Target, **others: Any
) -> Card | NotCertifiable:
    given: dict[str, Any] = {"method": "exact", "data": DataMark("shop.jsonl", "0" * 64, 1, group="prompt")}
    return fit_card(
        read_each(rows, asked, ANSWERERS),
        asked,
        name="shop",
        targets=targets,
        date="2026-01-31",
        version="0.1.0",
        **(given | others),
    )


def card_of(asked: Any, rows: Iterator[LabelledSample], *targets: Target, **others: Any) -> Card:
    found = calibrated(asked, rows, *targets, **others)
    assert isinstance(found, Card), found.describe()
    return found


def fit_shop(read: Iterable[tuple[LabelledSample, Verdict]]) -> None:
    """Fit a card on what was read, where that is refused."""
    fit_card(
        read,
        Similarity(),
        name="shop",
        good="above",
        method="exact",
        targets=(FPR,),
        data=DataMark("shop.jsonl", "0" * 64, 8),
        date="2026-01-31",
        version="0.1.0",
    )


def judged(check: Any, *samples: Sample, encoder: Encoder | None = None) -> list[Verdict]:
    answerers = ANSWERERS if encoder is None else Backends(encoder)
    return list(assess(((sample, check) for sample in samples), answerers))


def test_the_rates_of_a_card_are_those_of_the_verdicts_of_its_check() -> None:
    rows = list(shop_rows(wrong_number=0.3))
    card = card_of(open_check("means", SIMILARITY), iter(rows), FPR)
    _, aside = split([Labelled(0, bool(row.good), row.group) for row in rows], share_held_out=0.3, seed=0)
    groups = {row.group for row in aside}
    good = [row.sample for row in rows if row.good and row.group in groups]
    fails = [verdict.outcome for verdict in judged(means(card, policy="similarity"), *good)].count("fail")

    assert card.rates.false_rejects is not None
    assert (fails, len(good)) == (
        round(card.rates.false_rejects.value * card.rates.false_rejects.n),
        len(good),
    )
    assert fails > 0
    reading = card_of(Similarity(), iter(rows), FPR, good="above")
    assert reading.rates.false_rejects is not None
    assert reading.rates.false_rejects.value < card.rates.false_rejects.value
    assert "`means`" in card.promise
    assert card.speaks_of() == "the verdicts of `means`"
    assert reading.speaks_of().startswith("the reading of `similarity` against the cutoff alone, and not")


def test_a_promise_that_no_threshold_keeps_is_not_made() -> None:
    found = calibrated(open_check("means", SIMILARITY), shop_rows(wrong_number=0.5), FNR)

    assert isinstance(found, NotCertifiable)
    assert found.describe().startswith(
        "Not certifiable: no threshold of `means` keeps false rejects <= 10% with 95% confidence: "
    )
    assert "good answers fail whatever the threshold, and at most" in found.describe()


def test_what_other_parts_catch_needs_no_strict_line() -> None:
    rows = [
        row if row.good else replace(row, sample=replace(row.sample, answer=_with_other_days(row.sample)))
        for row in shop_rows()
    ]
    decided = card_of(open_check("means", SIMILARITY), iter(rows), FPR)

    assert decided.rates.false_accepts is not None
    assert decided.rates.false_accepts.value == 0
    reading = card_of(Similarity(), iter(rows), FPR, good="above")
    assert decided.line < reading.line


def _with_other_days(sample: Sample) -> str:
    """The expected answer with another number in it."""
    return (sample.expected or "").replace(" days", "5 days")


def test_a_verdict_decided_again_is_that_of_the_check_under_the_line(minilm: Encoder) -> None:
    check = open_check("grounded", {"policy": "fast"})
    samples = [
        Sample(answer, passages=(MUSEUM,))
        for answer in (
            "The museum opens at nine.",
            "The museum opens at nine. Tickets cost ten euros, and children enter for free.",
            "Penguins swim in the Atlantic.",
            "Dogs may come in.",
        )
    ]
    decided = [check.decided(verdict) for verdict in judged(check.reader, *samples, encoder=minilm)]

    assert [one.claims for one in decided] == [1, 2, 1, 1]
    for line in (0.05, 0.3, 0.6, 0.9, 1.0):
        for band in (None, (line / 2, line)):
            cutoff = Cutoff(line, "above", band)
            wanted = [verdict.outcome for verdict in judged(Grounded(cutoff), *samples, encoder=minilm)]
            assert [one.side(cutoff) for one in decided] == wanted
            plain = Cutoff(line, "above")
            assert all((one.passes >= line) == (one.side(plain) == "pass") for one in decided)
            assert all((one.fails < line) == (one.side(plain) == "fail") for one in decided)


class Reader:
    """A cross-encoder that believes a claim the less, the more of its words are not in the evidence."""

    fingerprint = "reader:1"

    def score(self, pairs: Sequence[tuple[str, str]]) -> Sequence[PairScore]:
        return [self._score(*pair) for pair in pairs]

    def _score(self, claim: str, evidence: str) -> PairScore:
        said, there = (set(text.lower().replace(".", "").split()) for text in (claim, evidence))
        return PairScore(4 * len(said - there) / len(said) - 2, contradicted=0.1)


def test_what_a_reader_read_is_decided_again_under_any_line(minilm: Encoder) -> None:
    answerers = Backends(minilm, pairs=Reader())
    check = open_check("grounded")
    assert isinstance(check.probe, Grounded)
    samples = [
        Sample(answer, passages=(MUSEUM,))
        for answer in (
            "The museum opens at nine.",
            "The museum can be seen from nine on.",
            "The museum opens its doors at nine. A ticket costs ten euros for everybody who comes.",
            "Penguins swim in the Atlantic.",
            "Dogs may come in.",
            "The text does not say who paid.",
        )
    ]
    decided = [
        check.decided(verdict) for verdict in assess(((one, check.reader) for one in samples), answerers)
    ]

    assert [one.claims for one in decided] == [1, 1, 2, 1, 1, 1]
    outcomes = set()
    for line in (0.05, 0.3, 0.5, 0.6, 0.7, 0.9, 1.0):
        for band in (None, (line / 2, line)):
            cutoff = Cutoff(line, "above", band)
            under = Grounded(check.probe.words, cutoff)
            verdicts = list(assess(((one, under) for one in samples), answerers))
            wanted = [verdict.outcome for verdict in verdicts]
            assert [one.side(cutoff) for one in decided] == wanted
            outcomes |= set(wanted)
            plain = Cutoff(line, "above")
            assert all((one.passes >= line) == (one.side(plain) == "pass") for one in decided)
            assert all((one.fails < line) == (one.side(plain) == "fail") for one in decided)
    assert outcomes == {"pass", "fail", "unsure"}


@pytest.mark.parametrize("line", [0.01, 0.5, 0.99])
def test_what_says_too_little_for_its_words_is_decided_again_as_it_was_read(
    minilm: Encoder, line: float
) -> None:
    answerers, open_one = Backends(minilm, pairs=Reader()), open_check("grounded")
    assert isinstance(open_one.probe, Grounded)
    check = Grounded(open_one.probe.words, at_least(line))
    sample = Sample("No.", question="May dogs come in?", passages=(MUSEUM,))
    (verdict,) = assess([(sample, check)], answerers)
    (read,) = assess([(sample, open_one.reader)], answerers)

    assert [second.check for part in verdict.parts for second in part.parts] == ["reader"]
    assert check.redecide(verdict) == verdict
    assert open_one.decided(read).side(at_least(line)) == verdict.outcome


def returns_rows() -> Iterator[LabelledSample]:
    """Good answers in words of the passage, bad ones in others; each makes one claim that is not verbatim."""
    for thing in THINGS:
        for days in (7, 14, 30):
            passage = f"Customers may return a {thing} within {days} days. The shop is open every day."
            good = f"Customers may return the {thing} within {days} days."
            bad = f"Everybody here adores such colourful {thing} designs more than customers ever did."
            for answer, label in ((good, True), (bad, False)):
                yield LabelledSample(Sample(answer, passages=(passage,)), label, f"{thing} {days}")


def verbatim_row() -> LabelledSample:
    """An answer that the words settle, so that no reader is asked."""
    return LabelledSample(Sample("Dogs may not come in.", passages=(MUSEUM,)), True, "dogs")


@pytest.mark.parametrize("verbatim", [False, True])
def test_a_card_that_was_fitted_with_a_reader_decides_with_that_reader(
    minilm: Encoder, verbatim: bool
) -> None:
    answerers, check = Backends(minilm, pairs=Reader()), open_check("grounded")
    rows = [*returns_rows(), *([verbatim_row()] if verbatim else ())]
    found = fit_card(
        read_each(rows, check, answerers),
        check,
        name="shop",
        method="exact",
        targets=(FPR,),
        data=DataMark("shop.jsonl", "0" * 64, len(rows), group="prompt"),
        date="2026-01-31",
        version="0.1.0",
    )
    assert isinstance(found, Card), found.describe()
    good, bad = (row.sample for row in rows[:2])
    under = named("default").check(threshold=found)

    verdicts = list(assess(((sample, under) for sample in (good, bad)), answerers))

    assert [verdict.outcome for verdict in verdicts] == ["pass", "fail"], verdicts[0].explain()
    assert promise_under(verdicts[0]) != ""


@dataclass(frozen=True)
class Claims:
    """An answer whose worst claim decides, as a check of claims would."""

    worst: float
    claims: int
    hopeless: bool = False

    @property
    def passes(self) -> float:
        return float("-inf") if self.hopeless else self.worst

    @property
    def fails(self) -> float:
        return float("-inf") if self.hopeless else self.worst

    def side(self, cutoff: Cutoff) -> Side:
        return "fail" if self.hopeless else cutoff.for_claims(self.claims).side(self.worst)


def claims_rows(counts: dict[int, int], hopeless: int | None = None) -> list[Labelled]:
    """As many good as bad answers of so many claims; the more claims, the lower they read."""
    rows = []
    for claims, count in counts.items():
        for i in range(count):
            for good in (True, False):
                worst = (i / count + (1.0 if good else 0.0)) / claims
                lost = hopeless == claims and good and i % 3 == 0
                rows.append(Labelled(worst, good, f"{claims} {i}", decided=Claims(worst, claims, lost)))
    return rows


def by_claims(rows: list[Labelled], *targets: Target, **others: Any) -> Card:
    decision = Decision("grounded", {"kind": "grounded"}, "threshold", {"kind": "claims"})
    found = fit(
        rows,
        name="claims",
        measure={"kind": "groundedness"},
        encoder=None,
        good="above",
        method=others.pop("method", "exact"),
        targets=targets,
        data=DataMark("claims.jsonl", "0" * 64, len(rows)),
        date="2026-01-31",
        version="0.1.0",
        decides=decision,
        **others,
    )
    assert isinstance(found, Card), found.describe()
    return found


def test_answers_of_more_claims_have_a_line_and_rates_of_their_own() -> None:
    card = by_claims(claims_rows({1: 200, 3: 200, 5: 200, 9: 200}), FPR)

    assert card.broken == ()
    assert [one.claims for one in card.claims] == list(RANGES)
    assert all(one.promised and one.scope == one.claims for one in card.claims)
    lines = [one.line for one in card.claims]
    assert lines == sorted(lines, reverse=True)
    assert lines[0] > 2 * lines[-1]
    for one in card.claims:
        assert one.rates.false_accepts is not None
        assert one.rates.false_accepts.n == one.held_out.bad > 10
        assert one.rates.false_accepts.low <= 0.1
    assert (
        "of 1 claim, 2 to 3 claims, 4 to 7 claims, 8 claims or more (each of these by itself)" in card.promise
    )
    cutoff = card.cutoff()
    assert [cutoff.for_claims(count).value for count in (0, 1, 2, 3, 4, 7, 8, 50)] == [
        lines[at] for at in (0, 0, 1, 1, 2, 2, 3, 3)
    ]
    told = cutoff.for_claims(5).certificate
    assert told is not None
    assert "of the same kind and of 4 to 7 claims" in told.promise
    assert told.false_accepts == card.claims[2].rates.false_accepts
    assert Card.from_json(card.to_json()) == card


def test_too_few_answers_of_some_length_share_a_line_and_the_card_says_so() -> None:
    card = by_claims(claims_rows({1: 90, 3: 90, 5: 90, 9: 8}), FPR)

    last = card.claims[-1]
    assert (last.scope, last.line) == (ClaimsRange(4, None), card.claims[2].line)
    assert "too few of 8 claims or more for a promise of their own" in last.promise
    assert [one.scope.describe() for one in card.claims] == [
        "1 claim",
        "2 to 3 claims",
        "4 claims or more",
        "4 claims or more",
    ]


def test_a_length_that_nobody_labelled_is_promised_nothing() -> None:
    card = by_claims(claims_rows({2: 90, 5: 90}), FPR)

    assert [one.promised for one in card.claims] == [False, True, True, False]
    assert card.promise.endswith("; nothing is promised for answers of 1 claim, 8 claims or more")
    assert card.claims[-1].promise == (
        "nothing is promised for answers of 8 claims or more: among the rows to fit on there were no bad "
        "answers of that length"
    )
    told = card.cutoff().for_claims(9).certificate
    assert told is not None
    assert told.promise == card.claims[-1].promise
    lines = [(one.line, one.doubt) for one in card.claims]
    assert lines[0] == lines[1] != lines[2] == lines[3]  # that of the next length, and not that of all


def test_a_length_at_which_no_line_holds_is_promised_nothing() -> None:
    card = by_claims(claims_rows({1: 90, 3: 90, 5: 90, 9: 90}, hopeless=9), FNR)

    assert [one.promised for one in card.claims] == [True, True, True, False]
    assert card.promise.endswith("; nothing is promised for answers of 8 claims or more")
    told = card.cutoff().for_claims(9).certificate
    assert told is not None
    assert told.promise.startswith("nothing is promised for answers of 8 claims or more: no threshold of ")
    assert card.claims[-1].line == card.claims[-2].line  # that of the next length


def test_a_card_whose_held_out_rows_break_its_promise_says_so() -> None:
    rows = claims_rows({1: 120})
    _, aside = split(rows, share_held_out=0.3, seed=0)
    groups = {row.group for row in aside}
    turned = [
        replace(row, value=5.0, decided=Claims(5.0, 1)) if row.group in groups and not row.good else row
        for row in rows
    ]
    card = by_claims(turned, FPR)

    (broken,) = card.broken
    assert broken.startswith("false accepts <= 10% with 95% confidence is broken (100.0% of 36) for answers")
    told = card.certificate()
    assert told.promise.startswith("broken on the rows that were held out: ")
    assert by_claims(rows, FPR).broken == ()


def test_a_promise_that_is_broken_for_one_length_stands_for_the_others() -> None:
    rows = claims_rows({1: 120, 3: 120})
    _, aside = split(rows, share_held_out=0.3, seed=0)
    groups = {row.group for row in aside}
    turned = [
        replace(row, value=5.0, decided=Claims(5.0, 1))
        if row.group in groups and not row.good and row.claims == 1
        else row
        for row in rows
    ]
    card = by_claims(turned, FPR)
    promises = [card.cutoff().for_claims(count).certificate.promise for count in (1, 3)]  # type: ignore[union-attr]

    assert len(card.broken) == 1
    assert [promise.startswith("broken on the rows") for promise in promises] == [True, False]


def test_a_promise_is_under_the_verdicts_of_its_own_check_alone() -> None:
    card = card_of(open_check("means", SIMILARITY), shop_rows(), FPR)
    sample = next(shop_rows()).sample

    (whole,) = judged(means(card, policy="similarity"), sample)
    assert promise_under(whole) == card.promise
    assert [promise_under(part) for part in whole.parts] == ["", ""]
    stored = Verdict.from_json(whole.to_json())
    assert promise_under(stored) == card.promise
    (other,) = judged(drift_threshold(threshold=card), sample)
    assert (promise_under(other), why_no_promise(other)) == (
        "",
        "the cutoff was fitted for the check `means`",
    )
    assert "for `means`, and not for this check" in other.explain()
    (bare,) = judged(Gate(Similarity(), card.cutoff()), sample)
    assert promise_under(bare) == ""
    (within,) = judged(AllOf((means(card, policy="similarity"), drift_threshold())), sample)
    assert (promise_under(within), promise_under(within.parts[0])) == ("", card.promise)
    (alone,) = judged(means(0.5, policy="similarity"), sample)
    assert promise_under(alone) == ""


def test_a_promise_for_a_reading_is_one_for_the_gate_alone() -> None:
    card = card_of(Similarity(), shop_rows(), FPR, good="above")
    sample = next(shop_rows()).sample

    (gate,) = judged(drift_threshold(threshold=card), sample)
    (whole,) = judged(means(card, policy="similarity"), sample)
    assert promise_under(gate) == card.promise
    assert promise_under(whole) == ""
    assert promise_under(whole.parts[0]) == card.promise


def test_the_shipped_line_of_grounded_promises_nothing_for_its_verdicts() -> None:
    card = CardLibrary.shipped().card("grounded")
    verdict = Verdict("grounded", "pass", "", cutoff=named("fast").check().words)  # type: ignore[attr-defined]

    assert (card.format, card.decides) == (1, None)
    assert promise_under(verdict) == ""
    assert "fitted on readings alone, and `grounded` decides by more" in why_no_promise(verdict)


@pytest.mark.parametrize(
    ("policy", "mark", "other"), [("fast", "fast@1", "default"), ("default", "default@2", "fast")]
)
def test_a_card_for_one_policy_promises_nothing_under_another(policy: str, mark: str, other: str) -> None:
    check = open_check("grounded", {"policy": policy})
    line = Cutoff(0.4, "above", certificate=Certificate("x", promise="p", check=check.decision.mark))

    def kept_by(found: Any) -> str:
        assert isinstance(found, Grounded)
        fitted = found.words if found.reader is None else found.reader
        assert fitted.certificate is not None
        return fitted.certificate.kept_by

    class Fitted:
        def cutoff_for(self, measure: Any, good: Any) -> Cutoff:
            return line

    assert check.decision.name == f"grounded, policy {mark}"
    assert kept_by(named(policy).check(threshold=Fitted())) == "grounded"
    assert kept_by(named(other).check(threshold=Fitted())) == ""


def test_the_policies_with_a_reader_differ_in_their_cards_alone() -> None:
    default, strict = (open_check("grounded", {"policy": policy}) for policy in ("default", "strict"))

    assert default.decision.check == strict.decision.check
    assert named("default").check(threshold=0.5) == named("strict").check(threshold=0.5)
    assert named("default").check() != named("strict").check()


def test_a_promise_is_looked_for_among_cards_of_this_very_check(tmp_path: Any) -> None:
    decided = replace(card_of(open_check("means", SIMILARITY), shop_rows(), FNR), name="decided")
    reading = replace(card_of(Similarity(), shop_rows(), FNR, good="above"), name="reading")
    library = CardLibrary((tmp_path,))
    data = {"kind": "means", **SIMILARITY, "threshold": {"fnr": 0.1}}

    (tmp_path / "reading.json").write_text(reading.to_json())
    with pytest.raises(SpecError, match=r"no card promises false rejects <= 10% .* for `similarity`"):
        check_from_data(data, library=library)
    (tmp_path / "decided.json").write_text(decided.to_json())
    assert check_from_data(data, library=library) == means(decided, policy="similarity")
    (tmp_path / "decided.json").write_text(replace(decided, broken=("x",)).to_json())
    with pytest.raises(SpecError, match="no card promises"):
        check_from_data(data, library=library)


def test_lines_by_claims_are_data_and_decide_by_the_number_of_claims(minilm: Encoder) -> None:
    words = replace(
        at_least(0.5), by_claims=(ClaimsCutoff(0, at_least(0.9)), ClaimsCutoff(2, at_least(0.01)))
    )
    check = Grounded(words)
    passage = "The museum opens at nine in the morning. Tickets cost ten euros."
    one, two = judged(
        check,
        Sample("The museum shuts at nine.", passages=(passage,)),
        Sample("The museum opens at nine. Tickets cost ten euros.", passages=(passage,)),
        encoder=minilm,
    )

    assert check_from_data(check_to_data(check)) == check
    assert (one.cutoff, two.cutoff) == (at_least(0.9), at_least(0.01))
    assert all(part.cutoff == at_least(0.01) for part in two.parts)
    with pytest.raises(SpecError, match="`by_claims` must count up"):
        replace(words, by_claims=words.by_claims[::-1])


def test_new_rows_are_held_against_the_verdicts_of_the_check() -> None:
    card = card_of(open_check("means", SIMILARITY), shop_rows(), FPR, FNR)
    assert card.decides is not None
    check = open_again(card.decides)
    new = list(shop_rows(wrong_number=0.4))

    found = recheck_card(card, read_each(new, check, ANSWERERS), check=check)
    assert [(one.target.errors, one.outcome) for one in found.promises] == [
        ("false_accepts", "holds"),
        ("false_rejects", "broken"),
    ]
    with pytest.raises(SpecError, match="speaks of the verdicts of `means`; the rows were read by a measure"):
        recheck_card(card, read_each(new, Similarity(), ANSWERERS))


def test_a_check_that_decides_by_other_parts_today_is_not_that_of_the_card() -> None:
    decision = open_check("means", SIMILARITY).decision
    changed = replace(decision, check={**decision.check, "checks": []})

    with pytest.raises(
        SpecError, match="`means` as it was then, and today that check decides by other parts"
    ):
        open_again(changed)


def test_the_opposite_of_a_check_is_not_fitted() -> None:
    with pytest.raises(
        SpecError, match="`verdict_is` is the opposite of a check; calibrate that check itself"
    ):
        open_check("verdict_is", {"wanted": "fail"})


def test_a_check_that_need_not_read_its_measure_reads_it_for_the_card() -> None:
    check = open_check("verdict_is")

    assert isinstance(check, OpenCheck)
    assert isinstance(check.reader, AllOf)
    assert check.reader.checks[0] is check.probe


def test_measures_of_claims_are_counted_by_their_check() -> None:
    assert open_check("grounded", {"policy": "fast"}).measure == groundedness()
    assert open_check("grounded").measure == Entailment("passages")


def test_a_check_of_others_hides_its_cutoff() -> None:
    line = at_least(0.5)
    with pytest.raises(SpecError) as refused:
        OpenCheck.of(
            Gate(Similarity(), at_least(0.5)), line, Similarity(), name="own", use={}, key="threshold"
        )
    assert str(refused.value) == (
        "the cutoff of `own` is not known; it must stand in a check of our own kinds"
    )


def test_a_check_without_claims_counts_none() -> None:
    check = open_check("means", SIMILARITY)
    (verdict,) = judged(check.reader, next(shop_rows()).sample)

    assert check.decided(verdict).claims is None


def test_best_f1_has_a_cutoff_for_each_length_and_promises_none() -> None:
    card = by_claims(claims_rows({1: 30, 3: 30}), method="best_f1")

    assert {one.promise for one in card.claims} == {card.promise}
    assert card.promise == (
        "promises nothing on new answers: of all cutoffs, this one found the bad ones best (F1) among the "
        "rows that it was fitted on"
    )


def test_a_promise_that_holds_at_no_length_is_not_made() -> None:
    rows = [replace(row, decided=Claims(row.value, 1, hopeless=row.good)) for row in claims_rows({1: 60})]
    decision = Decision("grounded", {"kind": "grounded"}, "threshold", {"kind": "claims"})
    found = fit(
        rows,
        name="claims",
        measure={"kind": "groundedness"},
        encoder=None,
        good="above",
        method="exact",
        targets=(FNR,),
        data=DataMark("claims.jsonl", "0" * 64, len(rows)),
        date="2026-01-31",
        version="0.1.0",
        decides=decision,
    )

    assert isinstance(found, NotCertifiable)
    assert "no threshold of `grounded`" in found.describe()


def test_the_good_side_of_a_check_is_known() -> None:
    check = open_check("means", SIMILARITY)
    with pytest.raises(SpecError) as refused:
        card_of(check, shop_rows(), FPR, good="below")
    assert str(refused.value) == "`good` must be `above`, the good side of `means`; got `below`"


def test_rows_without_a_label_are_not_fitted_on() -> None:
    rows = [*shop_rows(), replace(next(shop_rows()), good=None)]
    with pytest.raises(SpecError) as refused:
        card_of(Similarity(), iter(rows), FPR)
    assert str(refused.value) == (
        f"1 of {len(rows)} rows have no label; a cutoff is fitted on labelled rows alone"
    )


def test_rows_that_were_read_by_two_encoders_have_no_common_cutoff() -> None:
    rows = list(shop_rows())
    read = [
        *read_each(iter(rows[:4]), Similarity(), ANSWERERS),
        *read_each(iter(rows[4:8]), Similarity(), Backends(HashingEncoder(64))),
    ]
    with pytest.raises(SpecError) as refused:
        fit_shop(read)
    assert str(refused.value) == (
        "the rows were read with `hashing:256:1` and `hashing:64:1`; a cutoff holds for one encoder alone"
    )


def test_a_card_is_checked_against_its_own_encoder_and_against_no_rows_at_all() -> None:
    card = card_of(Similarity(), shop_rows(), FPR, good="above")

    with pytest.raises(SpecError, match=r"^there are no new readings to check the card against$"):
        recheck_card(card, [])
    with pytest.raises(StaleCutoff, match="fitted for the encoder `hashing:256:1`; in use is `hashing:64:1`"):
        recheck_card(card, read_each(shop_rows(), Similarity(), Backends(HashingEncoder(64))))


def test_a_row_that_is_an_error_is_not_read_though_it_has_a_reading() -> None:
    read = [
        (row, replace(verdict, outcome="error", because="stale"))
        for row, verdict in read_each(shop_rows(), Similarity(), ANSWERERS)
    ]
    with pytest.raises(CannotJudge) as refused:
        fit_shop(read)
    assert (
        str(refused.value) == f"{len(read)} of {len(read)} rows could not be read (the first because stale)"
    )


def test_rows_that_cannot_be_read_say_how_to_leave_them_out_where_some_stay() -> None:
    require_read(0, 0, "", skip_unreadable=False)
    require_read(3, 2, "it is empty", skip_unreadable=True)
    for skip in (False, True):
        with pytest.raises(CannotJudge) as none:
            require_read(3, 0, "it is empty", skip_unreadable=skip)
        assert str(none.value) == "3 of 3 rows could not be read (the first because it is empty)"
    with pytest.raises(CannotJudge) as some:
        require_read(3, 2, "it is empty", skip_unreadable=False)
    assert str(some.value) == (
        "3 of 5 rows could not be read (the first because it is empty); fix them, or skip them: "
        "`--skip-unreadable`, in Python `skip_unreadable=True`"
    )


def test_every_reading_passes_the_lax_cutoff() -> None:
    for value in (-1000.0, 0.0, 1000.0):
        assert lax_cutoff("above").side(value) == lax_cutoff("below").side(value) == "pass"
