"""Fit a cutoff on labels, and use it in a check: `python examples/calibrate_and_test.py`.

Nothing is written. Your labelled answers would come from a file; `sensecheck calibrate` reads one.
"""

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import sha256
from itertools import product

import sensecheck
from sensecheck import Card, LabelledSample, Sample, Sense, Settings, Target, fit_card
from sensecheck.calibration.card import DataMark
from sensecheck.checks.calibrate import read_each, recheck_card
from sensecheck.checks.presets import means
from sensecheck.checks.thresholds import open_check
from sensecheck.config import answerers

FIRST = ("camera", "laptop", "phone", "printer", "radio", "kettle", "toaster", "bicycle", "lamp", "clock")
LATER = ("tablet", "heater", "mixer", "drill", "scooter", "keyboard", "piano", "tent", "sofa", "oven")
TOPICS = (
    ("You can return a {} within 30 days.", "For 30 days you may send the {} back.", "We have many a {}."),
    ("The warranty of a {} lasts two years.", "Your {} has a two-year warranty.", "Keep the {}'s receipt."),
    ("Our workshop repairs a broken {}.", "We mend any {} in our workshop.", "I am sorry about your {}."),
    ("Sending a {} is free of charge.", "We send you the {} for free.", "Our prices for a {} are low."),
)
"""The expected answer, an answer that means the same, and one that does not."""


def labelled(items: tuple[str, ...]) -> Iterator[LabelledSample]:
    """Yield a good and a bad answer to each question; the two share a group, since they share a question."""
    for item, topic in product(items, TOPICS):
        expected, good, bad = (text.format(item) for text in topic)
        yield LabelledSample(Sample(good, expected=expected), good=True, group=expected)
        yield LabelledSample(Sample(bad, expected=expected), good=False, group=expected)


def main() -> int:
    """Calibrate, judge, and recheck later."""
    settings = Settings.from_environment()
    asked, check, rows = answerers(settings), open_check("means"), list(labelled(FIRST))
    found = fit_card(
        read_each(rows, check, asked),
        check,
        name="support",
        method="exact",
        targets=[Target("false_accepts", 0.15, 0.95)],
        data=DataMark("templates", sha256(repr(rows).encode()).hexdigest(), len(rows), group="expected"),
        date=datetime.now(UTC).date().isoformat(),
        version=sensecheck.__version__,
    )
    if not isinstance(found, Card):
        print(found.describe())
        return 4
    print(f"{found.promise}\nline: {found.cutoff().describe()}\n")

    sense, fitted = Sense(asked), means(found)
    for answer in ("You have 30 days to send back a tent.", "We sell tents of every size."):
        verdict = sense.judge(Sample(answer, expected="You can return a tent within 30 days."), fitted)
        print(f"{verdict.outcome.upper()}: {answer}")

    later = recheck_card(found, read_each(labelled(LATER), check, asked), check=check)
    print(f"\n{later.verdict}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
