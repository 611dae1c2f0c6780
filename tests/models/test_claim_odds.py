import numpy as np
from models.reader.claim_odds import SHARES, ClaimRow, fitted


def rows(*, words_tell: bool) -> list[ClaimRow]:
    """Claims that the reader tells apart a little, and words well or not at all."""
    rng = np.random.default_rng(0)
    found = []
    for name in SHARES:
        for at in range(120):
            good = at % 2 == 0
            words = rng.uniform(-0.3, 0.0) if good or not words_tell else rng.uniform(-3.0, -1.0)
            found.append(ClaimRow(name, rng.normal(0.5 if good else -0.5), words, good))
    return found


def test_words_count_where_they_tell_and_not_where_they_do_not() -> None:
    told, untold = (fitted(rows(words_tell=tell)) for tell in (True, False))

    assert told.moved(0.1) < -1.0
    assert untold.moved(0.8) > -0.3


def test_a_set_without_a_share_has_no_say() -> None:
    found = rows(words_tell=False)
    turned = [
        row._replace(good=not row.good, words=-5.0) if row.source == "lfqa_verification" else row
        for row in found
    ]

    assert SHARES["lfqa_verification"] == 0.0
    assert fitted(turned) == fitted(found)
