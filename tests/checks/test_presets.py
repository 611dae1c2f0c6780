"""What each preset is made of: measures, cutoffs and unsure bands, exactly."""

from collections.abc import Callable
from typing import Any

import pytest

from sensecheck.calibration.library import shipped_card
from sensecheck.checks.combine import AllOf, AnyOf, Cascade, Not, Vetoed, together
from sensecheck.checks.decision import carried
from sensecheck.checks.gate import Gate
from sensecheck.checks.grounded import Grounded
from sensecheck.checks.presets import (
    REFUSAL_EXEMPLARS,
    classified_as,
    cluster_classification,
    drift_threshold,
    keeps_facts,
    means,
    not_a_refusal,
    not_circling,
    refusal_cluster,
    relevant,
    trajectory,
    verdict_is,
)
from sensecheck.checks.second_opinion import Opinions, has_second_opinion, seconded
from sensecheck.checks.spec import check_from_data
from sensecheck.checks.thresholds import open_check, thresholds_of
from sensecheck.checks.weighted import Part, Scored
from sensecheck.core.cutoff import Certificate, Cutoff, at_least, at_most
from sensecheck.core.errors import CannotJudge, SpecError, StaleCutoff
from sensecheck.core.protocols import Check
from sensecheck.core.reading import NUMBERS_DIFFER, Evidence, Reading, Span
from sensecheck.core.run import digest_of
from sensecheck.core.verdict import MAX_BRIEF_CHARS, Outcome, Verdict, decide, why_no_promise
from sensecheck.measures.entailment import Entailment
from sensecheck.measures.exemplars import ClusterMargin, NearestExemplar
from sensecheck.measures.facts.agreement import FactAgreement
from sensecheck.measures.heads.head import Head
from sensecheck.measures.heads.model import shipped_head
from sensecheck.measures.repetition import Circling, Repetition
from sensecheck.measures.similarity import Relevance, Similarity
from sensecheck.measures.verdicts.statements import StatedVerdict

FACTS = Gate(FactAgreement(count=("changed", "less")), at_least(1.0))
CLUSTERS = {"a": ("x",), "b": ("y",)}
REFUSES = Head(shipped_head("refusal"), of=("refusal",), against=("answer", "disclaimer", "cannot_know"))


@pytest.mark.parametrize(
    ("check", "made_of"),
    [
        (
            means(policy="similarity"),
            AllOf((Gate(Similarity(), at_least(0.6, doubt=(0.5, 0.7)), english=True), FACTS), "means"),
        ),
        (
            means(0.95, policy="similarity"),
            AllOf((Gate(Similarity(), at_least(0.95, doubt=(0.85, 1.0)), english=True), FACTS), "means"),
        ),
        (
            means(0.05, 0.1),
            Vetoed((Gate(Entailment("expected"), at_least(0.05, doubt=(0.0, 0.05 + 0.1))), FACTS), "means"),
        ),
        (
            means(0.5, 0),
            Vetoed((Gate(Entailment("expected"), at_least(0.5)), FACTS), "means"),
        ),
        (keeps_facts(), Gate(FactAgreement(), at_least(1.0), "keeps_facts")),
        (
            not_a_refusal(0.5, 0.25),
            Gate(REFUSES, at_most(0.5, doubt=(0.25, 0.75)), "not_a_refusal"),
        ),
        (
            classified_as(CLUSTERS, "a"),
            Gate(
                ClusterMargin(CLUSTERS, "a", "mean"),
                at_least(0.0, doubt=(-0.03, 0.03)),
                "classified_as",
                english=True,
            ),
        ),
        (not_circling(), Gate(Repetition(), at_most(0.3), "not_circling")),
        (relevant(), Gate(Relevance(), at_least(0.4, doubt=(0.4 - 0.1, 0.5)), "relevant")),
        (relevant(-0.95), Gate(Relevance(), at_least(-0.95, doubt=(-1.0, -0.95 + 0.1)), "relevant")),
        (drift_threshold("x"), Gate(Similarity("x"), at_least(0.7), "drift_threshold")),
        (
            cluster_classification(CLUSTERS, "b"),
            Gate(ClusterMargin(CLUSTERS, "b", "mean"), at_least(0.0), "cluster_classification"),
        ),
        (refusal_cluster(), Gate(NearestExemplar(REFUSAL_EXEMPLARS), at_most(0.75), "refusal_cluster")),
        (trajectory(), Gate(Circling(), at_most(0.6), "trajectory")),
    ],
)
def test_a_preset_is_made_of(check: Check, made_of: Check) -> None:
    assert check == made_of


def test_a_stated_verdict_comes_before_an_understood_one() -> None:
    passes = Head(shipped_head("verdict"), of=("pass",))
    stated = Gate(StatedVerdict(), at_least(0.5, doubt=(0.26, 0.74)))
    understood = Gate(passes, at_least(0.5), "understood_verdict")

    assert verdict_is(threshold=0.5) == Cascade((stated, understood), "verdict_is")
    assert verdict_is("fail", 0.5) == Not(Cascade((stated, understood), "verdict"), "verdict_is")


def test_presets_take_the_cutoffs_of_shipped_cards() -> None:
    first = next(iter(getattr(means(), "checks", ())))
    refusal = getattr(not_a_refusal(), "cutoff", None)

    assert isinstance(first, Gate)
    assert first.cutoff is not None
    assert first.cutoff.value == shipped_card("means").line
    assert refusal is not None
    assert refusal.value == shipped_card("refusal").line


def said(call: Callable[[], Any]) -> str:
    with pytest.raises(SpecError) as refused:
        call()
    return str(refused.value)


def test_what_a_preset_does_not_take_is_refused() -> None:
    assert said(lambda: means(policy="words")) == (  # type: ignore[arg-type]  # what a caller may write
        "`words` is not a known policy of `means`; known: `reader`, `similarity`"
    )
    assert said(lambda: means(shipped_card("means"), 0.1)) == (
        "`doubt` is for a threshold that is a number; a card has its own; got 0.1"
    )
    assert said(lambda: relevant(0.5, -1)) == ("`doubt` must be the half width of a band, 0 or more; got -1")
    assert said(lambda: means("mine")) == (  # type: ignore[arg-type]  # what a caller may write
        "a threshold must be a number, or a line such as a card; got str; a name is looked up by "
        "`CardLibrary.card`, or in a check or a chain as data"
    )
    assert said(lambda: check_from_data({"kind": "not", "check": {"kind": "means"}, "lable": "x"})) == (
        "in `check`: `lable` is not a known key; did you mean `label`? known: `check`, `label`"
    )
    assert said(lambda: thresholds_of("meens")).startswith(
        "`meens` is not a known preset; did you mean `means`? known: "
    )
    assert said(lambda: open_check("keeps_facts")).startswith(
        "the preset `keeps_facts` has no threshold to calibrate; these have one: `means`, `not_a_refusal`, "
    )
    assert said(lambda: open_check("means", {"threshold": 0.5})) == (
        "the preset `means` has the threshold `threshold`; leave out the one that is to be calibrated"
    )
    assert said(lambda: open_check("similarity_or_keywords")) == (
        "the preset `similarity_or_keywords` has the thresholds `similarity` and `overlap`; give a number "
        "for all but one"
    )
    for kind, check in (("any_of", AnyOf), ("all_of", AllOf), ("cascade", Cascade)):
        assert said(lambda check=check: check(())) == f"`{kind}` must have at least one check; got none"  # type: ignore[misc]


def test_which_errors_a_check_makes_no_more_of_than_its_gate() -> None:
    line, other = at_least(0.5), at_least(0.6)
    gate, second = Gate(Similarity(), line), Gate(Similarity(), other)
    both = frozenset(("false_accepts", "false_rejects"))

    assert carried(gate, line) == both
    assert carried(second, line) == frozenset()
    assert carried(AllOf((gate,)), line) == carried(AnyOf((gate,)), line) == both
    assert carried(AllOf((gate, second)), line) == frozenset(("false_accepts",))
    assert carried(AnyOf((gate, second)), line) == frozenset(("false_rejects",))
    assert carried(Cascade((gate, second)), line) == carried(Not(gate), line) == frozenset()
    assert carried(Grounded(line), line) == frozenset(("false_accepts",))
    assert carried(Grounded(line, other), line) == carried(Grounded(line, other), other) == frozenset()


def part(outcome: Outcome, name: str = "p", **others: Any) -> Verdict:
    return Verdict(name, outcome, f"because of {name}", **others)


def test_a_verdict_of_parts_gives_the_reasons_of_those_that_decide() -> None:
    one, two = part("fail", "one", fingerprint="a:1"), part("fail", "two", fingerprint="b:1")
    verdict = AllOf.of("both", (one, part("pass", fingerprint="a:1"), two), "seven")

    assert (verdict.check, verdict.outcome, verdict.sample) == ("both", "fail", "seven")
    assert verdict.because == "one: because of one; two: because of two"
    assert verdict.fingerprint == "a:1+b:1"
    assert together("x", "pass", (part("pass"),), deciding=()).fingerprint is None
    measured = AnyOf.of("both", (part("pass"), part("measured", "m"), part("error", "e")))
    assert (measured.outcome, measured.because) == ("error", "`m` has no cutoff; it only measures")
    assert AnyOf.of("both", (part("pass"), part("error", "e"))).because == "e: because of e"
    assert AnyOf.of("both", (part("fail"), part("unsure", "u"))).outcome == "unsure"
    assert AllOf.of("both", (part("pass"), part("unsure", "u"))).outcome == "unsure"


@pytest.mark.parametrize(
    ("first", "other", "outcome"),
    [
        ("pass", "pass", "pass"),
        ("pass", "unsure", "unsure"),
        ("pass", "fail", "unsure"),
        ("unsure", "fail", "unsure"),
        ("fail", "fail", "fail"),
        ("fail", "pass", "fail"),
        ("pass", "error", "error"),
        ("error", "fail", "error"),
    ],
)
def test_a_veto_without_a_reading_keeps_from_passing(
    first: Outcome, other: Outcome, outcome: Outcome
) -> None:
    verdict = Vetoed.of("v", (part(first, "first"), part(other, "other")))

    assert verdict.outcome == outcome
    if (first, other) == ("pass", "fail"):
        assert verdict.because == "other: because of other; first: because of first"


def test_stored_verdicts_of_other_parts_are_refused() -> None:
    gate = Gate(Similarity(), at_least(0.5), "near")
    band = Gate(Similarity(), at_least(0.5, doubt=(0.1, 0.9)), "near")
    read = Verdict("near", "unsure", "so", Reading(0.5, "so"))

    assert said(lambda: AllOf((gate,)).redecide(Verdict("all_of", "pass", "", parts=(read, read)))) == (
        "the verdict of `all_of` has 2 parts; the check has 1"
    )
    cascade = Cascade((band, band))
    for parts in ((), (read,) * 3):
        assert said(lambda parts=parts: cascade.redecide(Verdict("cascade", "pass", "", parts=parts))) == (  # type: ignore[misc]
            f"the verdict of `cascade` has {len(parts)} parts; wanted 1 to 2"
        )
    unsure = cascade.redecide(Verdict("cascade", "pass", "", parts=(read, read), sample="seven"))
    assert (unsure.outcome, len(unsure.parts), unsure.sample) == ("unsure", 2, "seven")
    first = Cascade((gate, band)).redecide(Verdict("cascade", "pass", "", parts=(read, read)))
    assert (first.outcome, len(first.parts)) == ("pass", 1)


def test_a_language_that_was_not_verified_is_unsure_but_for_numbers_that_differ() -> None:
    mark = Evidence("language", note="not verified for German")
    numbers = Evidence(NUMBERS_DIFFER, note="`9` differs")
    line = at_least(0.5)

    for value in (0.1, 0.9):
        verdict = decide("near", Reading(value, "so", (mark,)), line, None)
        assert (verdict.outcome, verdict.because) == ("unsure", "not verified for German; so")
    fails = decide("near", Reading(0.1, "so", (numbers,)), line, None)
    assert (fails.outcome, fails.because) == ("fail", "`9` differs")
    assert decide("near", Reading(0.9, "so", (numbers,)), line, None).outcome == "unsure"
    assert decide("near", Reading(0.1, "so", (mark,)), None, None).outcome == "measured"


def test_a_cutoff_that_does_not_fit_says_what_is_in_use() -> None:
    fitted = Cutoff(0.5, "above", certificate=Certificate("labels", "minilm:1"))
    with pytest.raises(StaleCutoff) as unknown:
        fitted.require_encoder(None)
    assert str(unknown.value) == (
        "the cutoff was fitted for the encoder `minilm:1`; it is not known which encoder is in use"
    )
    bare = Cutoff(0.5, "above", certificate=Certificate("labels"))
    bare.require_encoder(None)
    with pytest.raises(StaleCutoff) as other:
        bare.require_encoder("hashing:1")
    assert str(other.value) == (
        "the cutoff was fitted for a measure without an encoder; in use is `hashing:1`"
    )


def test_why_there_is_no_promise() -> None:
    fitted = Cutoff(0.5, "above", certificate=Certificate("labels", check="means#1"))
    reading = Reading(0.5, "so")

    assert why_no_promise(Verdict("near", "error", "so")) == "nothing was decided"
    assert why_no_promise(Verdict("near", "measured", "so")) == "nothing was decided"
    assert why_no_promise(Verdict("near", "pass", "so", reading, at_least(0.5))) == (
        "the cutoff was picked by hand"
    )
    assert why_no_promise(Verdict("near", "pass", "so")) == "the cutoff was picked by hand"
    assert why_no_promise(Verdict("near", "pass", "so", reading, fitted)) == (
        "the cutoff was fitted for the check `means`"
    )
    alone = Cutoff(0.5, "above", certificate=Certificate("labels"))
    assert why_no_promise(Verdict("near", "pass", "so", reading, alone)) == (
        "the cutoff was fitted on readings alone, and `near` decides by more than that"
    )


def test_an_explanation_has_every_line() -> None:
    evidence = (
        Evidence("nearest", Span.of("answer", "x" * 81), Span.of("expected", "y  z"), 0.12345, "a note"),
        Evidence("unread"),
    )
    inner = Verdict("near", "pass", "so", Reading(0.51239, "so", evidence, 3), at_least(0.5))
    whole = Verdict("all_of", "pass", "near: so", parts=(inner, part("fail")))

    assert whole.explain().split("\n") == [
        "PASS all_of: near: so",
        "  PASS near: so",
        "    read 0.5124, needs at least 0.5 (uncalibrated)",
        "    unread characters: 3",
        f"    - nearest: a note answer[0:81] “{'x' * 77}…” ~ expected[0:4] “y z” (0.123)",
        "    - unread:",
        "  FAIL p: because of p",
    ]
    assert whole.in_brief() == "PASS all_of, near 0.5124, needs at least 0.5: so"
    unsure = Verdict("near", "unsure", "so", Reading(0.5, "so"), at_most(0.5, doubt=(0.4, 0.6)))
    assert unsure.in_brief() == "UNSURE near 0.5, unsure from 0.4 to 0.6: so"
    assert Verdict("near", "fail", "so", Reading(0.7, "so"), at_most(0.5)).in_brief() == (
        "FAIL near 0.7, needs at most 0.5: so"
    )
    with pytest.raises(CannotJudge, match=r"^the verdict of `p` holds no reading to decide again from$"):
        part("error").with_cutoff(at_least(0.5))


def test_one_question_to_the_judge_is_counted_in_the_singular() -> None:
    opinions = Opinions()
    opinions.add([part("pass", "second_opinion")])

    assert str(opinions) == "second opinion: the judge was asked once in 1 verdict; from unsure: 1 to pass"


def test_a_check_with_a_second_opinion_keeps_its_name() -> None:
    check = seconded(Gate(Similarity(), at_least(0.5), "means"))

    assert (check.name, has_second_opinion(check)) == ("means", True)
    assert has_second_opinion(Scored((Part(check),))) is True
    assert has_second_opinion(Scored((Part(Gate(Similarity(), at_least(0.5))),))) is False
    assert has_second_opinion(seconded(Gate(Similarity(), at_least(0.5), "not-a-refusal")))


def test_what_is_long_is_cut_at_its_limit() -> None:
    full = Verdict("p", "pass", "x" * (MAX_BRIEF_CHARS - len("PASS p: ")))
    assert full.in_brief() == f"PASS p: {full.because}"
    cut = Verdict("p", "pass", full.because + "y").in_brief()
    assert cut == f"{full.in_brief()[: MAX_BRIEF_CHARS - 1]}…"
    quote = Evidence("nearest", Span.of("answer", "x" * 80))
    shown = Verdict("p", "pass", "so", Reading(1.0, "so", (quote,))).explain()
    assert f"“{'x' * 80}”" in shown


def test_a_digest_is_the_same_on_every_machine() -> None:
    assert digest_of({"b": [1, None], "a": "ä"}) == digest_of({"a": "ä", "b": [1, None]})
    assert digest_of({"a": "ä"}) == "ba42eceab1bf32f07027697bede2a15f70f93dd65ff787430268aa3c7d352c2d"


def test_a_cascade_that_stopped_early_stays_where_it_stopped() -> None:
    band = Gate(Similarity(), at_least(0.5, doubt=(0.1, 0.9)), "near")
    stored = Verdict("cascade", "pass", "so", parts=(Verdict("near", "pass", "so", Reading(0.5, "so")),))

    again = Cascade((band, band)).redecide(stored)
    assert (again.outcome, len(again.parts)) == ("unsure", 1)


def test_what_is_no_check_is_refused_to_the_letter() -> None:
    assert said(lambda: check_from_data({"kind": "all_of", "checks": [], "lable": "x"})) == (
        "in `check`: `lable` is not a known key; did you mean `label`? known: `checks`, `label`"
    )
    assert said(lambda: open_check("verdict_is", {"wanted": "fail"})) == (
        "`verdict_is` is the opposite of a check; calibrate that check itself instead"
    )
    for data, message in (
        ([], "`cutoff` must be a mapping such as {at_least: 0.7}; got list"),
        ({}, "`cutoff` must have one of `at_least` and `at_most`; got 0 of them"),
        (
            {"at_least": 1, "at_most": 1},
            "`cutoff` must have one of `at_least` and `at_most`; got 2 of them",
        ),
        ({"at_least": "x"}, "`cutoff.at_least` must be a number; got str"),
    ):
        assert said(lambda data=data: Cutoff.from_data(data)) == message  # type: ignore[misc]
    assert said(lambda: Cutoff.from_data({"atleast": 1})).startswith(
        "in `cutoff`: `atleast` is not a known key; did you mean `at_least`? known: "
    )
    with pytest.raises(CannotJudge) as none:
        Reading(float("nan"), "so")
    assert str(none.value) == "the reading is not a number: nan (so)"
