"""Facts of texts in small letters, with spaces around their marks."""

from benchmarks.quality.everyday import DATA
from benchmarks.quality.lowercased import tokenised
from models.heads.public import rows_of

from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.facts.agreement import FactAgreement


def test_a_copy_has_spaces_around_its_marks_and_no_capitals() -> None:
    text = "Don't pay $1,200 (or 5%) to Ann's.\nIt's $3.50."

    assert tokenised(text) == "do n't pay $ 1 , 200 ( or 5 % ) to ann 's .\nit 's $ 3.50 ."


def test_small_letters_and_tokens_change_few_decisions_on_facts() -> None:
    measure, space = FactAgreement(), Space()

    def keeps(answer: str, expected: str) -> bool:
        return measure.read(Sample.of(answer, expected=expected), space).value >= 1

    rows = list(rows_of(DATA, "means.jsonl.gz"))
    differ = [
        row["id"]
        for row in rows
        if keeps(row["answer"], row["expected"])
        != keeps(tokenised(row["answer"]), tokenised(row["expected"]))
    ]

    assert len(differ) <= 0.05 * len(rows), differ
