"""What calibration says, to the letter: promises, refusals, and what is missing."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sensecheck.calibration.card import Card, validate_card_name
from sensecheck.calibration.decision import Counts, Decision
from sensecheck.calibration.library import CardLibrary
from sensecheck.calibration.placement import PromiseResult, allowed, fewest, promise_result
from sensecheck.calibration.recheck import NewReading, recheck, shift_of
from sensecheck.calibration.sample_size import NotCertifiable
from sensecheck.calibration.split import Labelled, how_many_held_out, one_each, split
from sensecheck.calibration.target import Target, promise_of
from sensecheck.core.cutoff import Rate
from sensecheck.core.errors import SpecError
from sensecheck.measures.overlap import KeywordOverlap
from sensecheck.measures.similarity import Similarity
from tests.calibration.fitting import FNR, FPR, card_of, fitted, normal_rows

ROWS = normal_rows(1, 200, 200)
CARD = card_of(ROWS, FPR)
SURE = Target("false_accepts", 0.05, 0.95)


def refused(call: Callable[[], Any]) -> str:
    with pytest.raises(SpecError) as said:
        call()
    return str(said.value)


@pytest.mark.parametrize(
    ("targets", "others", "message"),
    [
        (
            (FPR,),
            {"method": "best_f1"},
            "the method `best_f1` promises nothing, and takes no target; leave the targets out",
        ),
        ((), {}, "the method `exact` needs a target such as fpr 0.05; got none"),
        ((FPR, SURE), {}, "one `fpr` and one `fnr` at most; got fpr, fpr"),
        ((FPR,), {"date": "2026-1-31"}, "`date` must be a day such as 2026-01-31; got `2026-1-31`"),
        ((FPR,), {"date": "20260131"}, "`date` must be a day such as 2026-01-31; got `20260131`"),
        ((FPR,), {"share_held_out": 1}, "`share_held_out` must be a share from 0 to less than 1; got 1"),
        (
            (FPR,),
            {"share_held_out": -0.1},
            "`share_held_out` must be a share from 0 to less than 1; got -0.1",
        ),
        (
            (SURE,),
            {"method": "conformal"},
            "`confidence` is for the method `exact`; `conformal` keeps its target on average only",
        ),
    ],
)
def test_a_fit_that_cannot_be_is_refused(
    targets: tuple[Target, ...], others: dict[str, Any], message: str
) -> None:
    assert refused(lambda: fitted(ROWS, *targets, **others)) == message


def test_rows_that_are_no_readings_are_refused() -> None:
    assert refused(lambda: fitted([], FPR)) == "there are no labelled readings to fit a cutoff on"
    wrong = [Labelled(0.0, True), Labelled(float("nan"), False)]
    assert refused(lambda: fitted(wrong, FPR)) == "`rows[1]` must be a finite reading; got nan"
    assert refused(lambda: recheck(CARD, [])) == "there are no new readings to check the card against"
    new = [NewReading(0.0), NewReading(float("inf"))]
    assert refused(lambda: recheck(CARD, new)) == "`rows[1]` must be a finite reading; got inf"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Target("false_accepts", 0), "`fpr` must be a share between 0 and 1; got 0"),
        (lambda: Target("false_rejects", 1), "`fnr` must be a share between 0 and 1; got 1"),
        (lambda: Target("false_rejects", 0.1, 1), "`confidence` must be a share between 0 and 1; got 1"),
        (lambda: Target("false_rejects", 0.1, 0), "`confidence` must be a share between 0 and 1; got 0"),
        (lambda: Target.from_data([]), "a target must be a mapping such as {fpr: 0.05}; got list"),
        (
            lambda: Target.from_data({"fpr": 0.1, "confidense": 0.9}),
            "in a target: `confidense` is not a known key; did you mean `confidence`? known: `confidence`, "
            "`fnr`, `fpr`",
        ),
        (lambda: Target.from_data({}), "a target must have one of `fpr` and `fnr`; got 0 of them"),
        (
            lambda: Target.from_data({"fpr": 0.1, "fnr": 0.1}),
            "a target must have one of `fpr` and `fnr`; got 2 of them",
        ),
        (lambda: Target.from_data({"fpr": "low"}), "`fpr` must be a number; got str"),
        (lambda: Counts(-1, 2), "counts of a card must be 0 or more; got -1 good and 2 bad"),
        (lambda: Counts(1, -2), "counts of a card must be 0 or more; got 1 good and -2 bad"),
        (
            lambda: fewest("exact", Target("false_accepts", 1e-13)),
            "`fpr` must be a share of at least 1e-12, for no one has labels enough to promise less; "
            "got 1e-13",
        ),
        (
            lambda: validate_card_name("Big"),
            "a card's name must be of small letters, digits, `_`, `.` and `-`, and begin with one of the "
            "first two; got `Big`",
        ),
        (
            lambda: validate_card_name("a.json"),
            "a card's name must have no `.json` at its end, which its file has; got `a.json`",
        ),
    ],
)
def test_what_is_described_wrongly_is_refused(call: Callable[[], Any], message: str) -> None:
    assert refused(call) == message


def test_a_target_in_words_and_as_data() -> None:
    assert SURE.describe() == "false accepts <= 5% with 95% confidence"
    assert FNR.describe() == "false rejects <= 10%"
    assert (SURE.to_data(), FNR.to_data()) == ({"fpr": 0.05, "confidence": 0.95}, {"fnr": 0.1})
    assert Target.from_data(SURE.to_data()) == SURE
    assert (FPR.sure, replace(FPR, confidence=0.9).sure) == (0.95, 0.9)
    assert FPR.with_method("exact") == SURE
    assert FPR.with_method("conformal") == FPR


@pytest.mark.parametrize(
    ("one", "other", "implied"),
    [
        (SURE, SURE, True),
        (replace(SURE, at_most=0.04), SURE, True),
        (replace(SURE, at_most=0.06), SURE, False),
        (replace(SURE, confidence=0.96), SURE, True),
        (replace(SURE, confidence=0.94), SURE, False),
        (replace(SURE, errors="false_rejects"), SURE, False),
        (FPR, SURE, False),
        (SURE, FPR, False),
    ],
)
def test_one_promise_implies_another(one: Target, other: Target, implied: bool) -> None:
    assert one.implies(other) is implied


@pytest.mark.parametrize(
    ("given", "promise"),
    [
        (
            {"method": "exact", "targets": (SURE,), "grouped": None},
            "false accepts <= 5% with 95% confidence: of new bad answers of the same kind, at most 5% pass",
        ),
        (
            {"method": "exact", "targets": (SURE,), "grouped": None, "check": "means", "claims": "1 claim"},
            "false accepts <= 5% with 95% confidence: of new bad answers of the same kind and of 1 claim, at "
            "most 5% pass `means`",
        ),
        (
            {"method": "exact", "targets": (SURE,), "grouped": "prompt"},
            "false accepts <= 5% with 95% confidence: of bad answers of the same kind, one picked at random "
            "from each new group (`prompt`), at most 5% pass",
        ),
        (
            {"method": "conformal", "targets": (FNR,), "grouped": "group"},
            "false rejects <= 10% on average over many fits, with no stated confidence for this one: of good "
            "answers of the same kind, one picked at random from each new group, at most 10% fail, on that "
            "average",
        ),
        (
            {"method": "exact", "targets": (SURE, replace(SURE, errors="false_rejects")), "grouped": None},
            "false accepts <= 5% with 95% confidence: of new bad answers of the same kind, at most 5% pass; "
            "false rejects <= 5% with 95% confidence: of new good answers of the same kind, at most 5% fail; "
            "each with its own confidence",
        ),
        (
            {"method": "conformal", "targets": (FPR, FNR), "grouped": None},
            "false accepts <= 5% on average over many fits, with no stated confidence for this one: of new "
            "bad answers of the same kind, at most 5% pass, on that average; false rejects <= 10% on average "
            "over many fits, with no stated confidence for this one: of new good answers of the same kind, "
            "at most 10% fail, on that average",
        ),
    ],
)
def test_a_promise_is_a_sentence(given: dict[str, Any], promise: str) -> None:
    assert promise_of(**given) == promise


RATE = Rate(0.1, 0.05, 0.2, 50)


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (
            PromiseResult(SURE, "holds", RATE, 0),
            "false accepts <= 5% with 95% confidence holds (10.0% of 50)",
        ),
        (
            PromiseResult(SURE, "broken", RATE, 0, "1 claim"),
            "false accepts <= 5% with 95% confidence for answers of 1 claim is broken (10.0% of 50)",
        ),
        (
            PromiseResult(FNR, "above", RATE, 0),
            "false rejects <= 10% is an average, and this cutoff is above it (10.0% of 50), as some of a "
            "sound fit are",
        ),
        (
            PromiseResult(FNR, "too few", None, 7),
            "false rejects <= 10% on average is not contradicted (no rows), but needs at least 7 more good "
            "answers",
        ),
        (
            PromiseResult(SURE, "too few", RATE, 1),
            "false accepts <= 5% with 95% confidence is not contradicted (10.0% of 50), but needs at least 1 "
            "more bad answers",
        ),
    ],
)
def test_what_became_of_a_promise_in_words(result: PromiseResult, words: str) -> None:
    assert result.describe() == words


def test_a_promise_is_decided_by_as_few_rows_as_it_takes() -> None:
    assert (fewest("exact", SURE), fewest("conformal", FPR)) == (59, 19)
    assert promise_result(SURE, ["fail"] * 59).outcome == "holds"
    few = promise_result(SURE, ["fail"] * 58)
    assert (few.outcome, few.more) == ("too few", 1)
    none = promise_result(SURE, [])
    assert (none.outcome, none.errors, none.more) == ("too few", None, 59)
    assert promise_result(SURE, ["pass"] * 59).outcome == "broken"
    assert promise_result(FPR, ["pass"] * 59).outcome == "above"
    assert promise_result(SURE, ["unsure"] * 59).outcome == "holds"
    reject = replace(SURE, errors="false_rejects")
    assert promise_result(reject, ["pass"] * 59).outcome == "holds"
    assert promise_result(reject, ["fail"] * 59).outcome == "broken"
    assert [allowed("exact", SURE, n) for n in (58, 59, 92, 93)] == [None, 0, 0, 1]
    assert [allowed("conformal", FPR, n) for n in (18, 19, 38, 39)] == [None, 0, 0, 1]


def test_too_few_labels_say_how_many_more() -> None:
    found = fitted(normal_rows(1, 200, 44), FPR)
    assert isinstance(found, NotCertifiable)
    assert found.describe() == (
        "Not certifiable: 40 more bad answers needed (have 44 bad, need 84 to fit on 59; 30% are held out)"
    )
    both = NotCertifiable({"good": 1, "bad": 2}, {"good": 3, "bad": 4}, {"good": 5, "bad": 6}, 0, True)
    assert str(both) == both.describe()
    assert both.describe() == (
        "Not certifiable: 1 more good answer and 2 more bad answers needed (have 3 good, need 4 to fit on 5; "
        "have 4 bad, need 6 to fit on 6; answers of one group count once)"
    )
    lost = replace(both, out_of_reach=("no threshold keeps it", "none at all"))
    assert lost.describe() == "Not certifiable: no threshold keeps it; none at all"


def test_a_card_is_refused_that_contradicts_itself() -> None:
    def changed(**fields: Any) -> Callable[[], Card]:
        return lambda: replace(CARD, **fields)

    assert refused(changed(method="fast")).startswith("`fast` is not a known method; known: ")
    assert refused(changed(method="best_f1")) == (
        "the card `words` of the method `best_f1` must have no target"
    )
    assert refused(changed(targets=())) == "the card `words` of the method `exact` must have a target"
    assert refused(changed(targets=(SURE, SURE))) == "the card `words` promises one thing twice"
    assert refused(changed(targets=(FPR,))) == (
        "the card `words` promises false accepts <= 5%, but not how surely"
    )
    assert refused(changed(name="a" * 500)).startswith("a card's name must have at most ")


def test_a_card_is_for_one_measure_and_one_side() -> None:
    assert CARD.cutoff_for(KeywordOverlap(), "above") == CARD.cutoff()
    assert refused(lambda: CARD.cutoff_for(Similarity(), "above")) == (
        'the card `words` is for {"kind": "keyword_overlap"}; got {"kind": "similarity"}'
    )
    assert refused(lambda: CARD.cutoff_for(KeywordOverlap(), "below")) == (
        "the card `words` calls readings above its cutoff good, not below"
    )
    long = refused(lambda: CARD.cutoff_for(Similarity("x" * 300), "above"))
    assert long.endswith("x…")
    assert len(long) == len('the card `words` is for {"kind": "keyword_overlap"}; got ') + 198


def test_a_file_that_is_no_card_is_refused() -> None:
    data = json.loads(CARD.to_json())

    assert refused(lambda: Card.from_json("{}", at="here")) == "`here` is not a card: it has no `format`"
    assert refused(lambda: Card.from_json(json.dumps({**data, "format": 99}))) == (
        f"`card` has the card format 99; expected {data['format']}"
    )
    assert refused(lambda: Card.from_json("[]")) == "`card` must be a mapping; got list"


def test_a_card_says_what_it_speaks_of() -> None:
    assert CARD.speaks_of() == (
        "the reading of `keyword_overlap` against the cutoff alone, and not the verdicts of a check"
    )
    decides = Decision("means", {"kind": "means"}, "threshold", {"kind": "gate"})
    assert replace(CARD, decides=decides).speaks_of() == "the verdicts of `means`"
    certificate = CARD.certificate()
    assert certificate.fitted_on == "labels.jsonl#000000000000 (words)"
    assert (certificate.promise, certificate.check) == (CARD.promise, "")
    broken = replace(CARD, broken=("x",)).certificate().promise
    assert broken == f"broken on the rows that were held out: {CARD.promise}"
    assert replace(CARD, decides=decides).certificate().check == decides.mark


def lying(folder: Path, *cards: Card) -> CardLibrary:
    folder.mkdir(exist_ok=True)
    for card in cards:
        (folder / f"{card.name}.json").write_text(card.to_json(), encoding="utf-8")
    return CardLibrary((folder,))


def test_a_library_says_what_it_has_not(tmp_path: Path) -> None:
    one = lying(tmp_path / "one", CARD)
    empty = lying(tmp_path / "empty")

    assert refused(lambda: one.card("word")) == (
        f"`word` is not a known card; did you mean `words`? known: `words`; looked in `{tmp_path / 'one'}`"
    )
    assert refused(lambda: empty.card("word")) == (
        f"`word` is not a known card; there is none; looked in `{tmp_path / 'empty'}`"
    )
    assert refused(lambda: CardLibrary(()).card("word")) == (
        "`word` is not a known card; there is none; looked in no folder"
    )
    nowhere = tmp_path / "nowhere"
    assert refused(lambda: CardLibrary((nowhere,)).card("word")) == f"`{nowhere}` is not a folder of cards"
    twice = CardLibrary((*one.folders, lying(tmp_path / "two", CARD).folders[0]))
    assert refused(lambda: twice.card("words")) == (
        f"the card `words` is in two places: {tmp_path / 'one' / 'words.json'} and "
        f"{tmp_path / 'two' / 'words.json'}"
    )
    assert refused(lambda: one.cutoff_source("0.7")) == (
        "a number is written without quotes; got the string `0.7`, and there is no such card"
    )
    assert refused(lambda: one.cutoff_source([], at="here")) == "`here` must be a number; got list"


def test_a_library_says_which_file_is_wrong(tmp_path: Path) -> None:
    library = lying(tmp_path, CARD)
    other = tmp_path / "other.json"
    other.write_text(CARD.to_json(), encoding="utf-8")

    assert refused(lambda: library.card("other")) == (
        f"the card in `{other}` is called `words`; expected `other`"
    )
    assert refused(lambda: list(library.cards())) == (
        f"`{other}` is among the cards and cannot be used: the card in `{other}` is called `words`; expected "
        "`other`; fix it, rename or move it"
    )
    other.write_bytes(b"\xff")
    assert refused(lambda: library.card("other")).startswith(f"the card `{other}` cannot be read: ")


def test_a_promise_is_looked_for_among_cards(tmp_path: Path) -> None:
    library = lying(tmp_path, CARD)
    lax, strict = Target("false_accepts", 0.1), Target("false_accepts", 0.01)

    assert library.promising(lax).cutoff_for(KeywordOverlap(), "above") == CARD.cutoff()
    assert library.cutoff({"fpr": 0.1}, KeywordOverlap()) == CARD.cutoff()
    assert refused(lambda: library.cutoff(strict.to_data(), KeywordOverlap())) == (
        "no card promises false accepts <= 1% with 95% confidence for `keyword_overlap`; make one: "
        "sensecheck calibrate … --fpr 0.01 --confidence 0.95"
    )
    lying(tmp_path, replace(CARD, name="alike"))
    assert refused(lambda: library.cutoff({"fpr": 0.1}, KeywordOverlap())) == (
        "several cards promise false accepts <= 10% with 95% confidence for `keyword_overlap`: `alike`, "
        "`words`; name the one that is meant"
    )
    lying(tmp_path, replace(CARD, name="alike", broken=("it is",)))
    assert library.cutoff({"fpr": 0.1}, KeywordOverlap()) == CARD.cutoff()
    weaker = replace(CARD, name="alike", targets=(replace(SURE, at_most=0.08),), line=CARD.line - 1)
    lying(tmp_path, weaker)
    assert library.cutoff({"fpr": 0.1}, KeywordOverlap()).value == weaker.line


def test_as_many_are_held_out_as_the_share_says() -> None:
    assert [how_many_held_out(units, 0.3) for units in (0, 1, 2, 5, 10, 15)] == [0, 0, 1, 2, 3, 5]
    assert [how_many_held_out(10, share) for share in (0, 0.01, 0.99)] == [0, 1, 9]
    rows = [Labelled(float(i), i % 2 == 0, f"g{i // 4}") for i in range(20)]
    to_fit, aside = split(rows, share_held_out=0.4, seed=1)
    assert {row.group for row in to_fit}.isdisjoint({row.group for row in aside})
    assert (len(to_fit), len(aside)) == (12, 8)
    assert split(rows, share_held_out=0.4, seed=1) == (to_fit, aside)
    kept, none = split(rows, share_held_out=0, seed=1)
    assert (sorted(kept, key=lambda row: row.value), none) == (rows, [])
    counted = one_each(rows, seed=1)
    assert len(counted) == 10
    assert {(row.group, row.good) for row in counted} == {
        (f"g{i}", good) for i in range(5) for good in (True, False)
    }
    assert counted == one_each(rows, seed=1) != one_each(rows, seed=2)


def test_readings_that_moved_somewhat_are_told_from_those_that_moved() -> None:
    base = [i / 1000 for i in range(1000)]
    same, little, far = (shift_of("good", base, [value + off for value in base]) for off in (0.0, 0.08, 0.5))

    assert same is not None
    assert little is not None
    assert far is not None
    assert (same.degree, little.degree, far.degree) == ("stable", "somewhat", "moved")
    assert (same.psi, same.ks, same.n) == (0.0, 0.0, 1000)
    assert little.ks == pytest.approx(0.08)
    assert 0.1 <= little.psi <= 0.25
    few = shift_of("good", base, [0.6, 0.7, 0.8, 0.9])
    assert few is not None
    assert few.degree == "too few"
    assert shift_of("good", [], [1.0]) is None
    assert shift_of("good", [1.0], []) is None


def test_a_verdict_names_every_promise_and_every_shift() -> None:
    card = card_of(normal_rows(1, 400, 400), FPR, FNR)
    found = recheck(card, [NewReading(row.value, row.good) for row in normal_rows(2, 500, 500)])

    assert found.verdict == (
        f"{found.verdict.partition(':')[0]}: {found.promises[0].describe()}; {found.promises[1].describe()}; "
        f"of the readings, good ones have not visibly moved (PSI {found.shifts[0].psi:.2f}) and bad ones "
        f"have not visibly moved (PSI {found.shifts[1].psi:.2f})."
    )
