"""The pictures of a card in characters; in ASCII where the terminal knows no more."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from sensecheck.calibration.card import Bin, Card
from sensecheck.calibration.curves import Roc
from sensecheck.calibration.curves_scale import Scale
from sensecheck.calibration.histogram import Histogram
from sensecheck.calibration.page_words import hits, interval, measured, number, percent
from sensecheck.cli.canvas import Canvas
from sensecheck.cli.paint import Paper, safe

GOOD, BAD = "bright_blue", "dark_orange"
_LEVELS = 4
"""Rows of a bar; a row has eight eighths."""


class Pictures:
    """Draws on paper."""

    def __init__(self, paper: Paper, card: Card) -> None:
        self._paper = paper
        self._card = card
        self._unicode = "utf" in paper.encoding.lower()
        self._width = min(max(paper.width - 12, 20), 72) if paper.is_terminal else 72

    def histogram(self, histogram: Histogram) -> None:
        """Bars of the good answers, then of the bad ones, over the same readings."""
        scale = Scale(histogram.edges[0], histogram.edges[-1])
        wide = max(self._width // len(histogram.good), 1)
        width = wide * len(histogram.good)
        cut = round(scale.place(self._card.line) * width)
        self._paper.say((f"readings of {safe(measured(self._card))}, held-out answers", "bold"))
        for label, shares, colour in (("good", histogram.good, GOOD), ("bad", histogram.bad, BAD)):
            lines = list(_bars(shares, histogram.tallest, wide=wide, unicode=self._unicode))
            for i, line in enumerate(lines):
                head = label if i == len(lines) - 1 else percent(histogram.tallest) if i == 0 else ""
                parts = (line[:cut], colour), (self._sign("┆", ":"), "bold"), (line[cut:].rstrip(), colour)
                self._paper.say(*parts, label=(f"{head:>8} {self._sign('│', '|')}", "dim"))
            self._paper.say(self._axis(scale, width, cut), label=(" " * 9 + self._sign("└", "+"), "dim"))
        self._numbers(scale, width, cut)

    def roc(self, roc: Roc) -> None:
        """The curve in a square, with the card's line on it."""
        canvas = Canvas(36, 12, unicode=self._unicode)
        canvas.curve((point.bad, point.good) for point in roc.points)
        signs = {"passes, or unsure": (self._sign("○", "o"), roc.not_failed)} if roc.not_failed else {}
        signs |= {"passes": (self._sign("●", "O"), roc.passes)}
        for sign, point in signs.values():
            canvas.mark(point.bad, point.good, sign)
        about = f"AUC {'' if roc.whole else 'about '}{roc.auc:.3f}"
        self._paper.say((f"ROC: good answers that pass, by bad answers that pass; {about}", "bold"))
        lines = canvas.lines()
        for i, line in enumerate(lines):
            head = {0: "100%", len(lines) // 2: "good", len(lines) - 1: "0%"}.get(i, "")
            self._paper.say((line.rstrip(), GOOD), label=(f"{head:>8} {self._sign('│', '|')}", "dim"))
        self._paper.say((self._sign("└", "+") + self._sign("─", "-") * 36, "dim"), indent=9)
        self._paper.say(("0%               bad              100%", "dim"), indent=9)
        for what, (sign, point) in signs.items():
            told = f"{percent(point.good)} of good and {percent(point.bad)} of bad answers"
            self._paper.say(f"{sign} {what}: {told}", indent=10)

    def reliability(self, bins: Sequence[Bin]) -> None:
        """A strip for each bin, from 0% to 100% of good answers: what was expected, and what was seen."""
        seen, meant, both = self._sign("●", "o"), self._sign("◇", "x"), self._sign("◆", "*")
        span = self._sign("─", "-")
        self._paper.say(
            ("reliability: share of good answers by reading", "bold"),
            (f"  {seen} observed {span} 95% interval {meant} expected {both} both", "dim"),
        )
        reads = [f"{one.low:.3g} to {one.high:.3g}" for one in bins]
        widest = max(map(len, reads))
        for one, read in zip(bins, reads, strict=True):
            strip = _strip(one, seen=seen, meant=meant, both=both, span=span)
            told = f"{percent(one.observed.value)} ({hits(one.observed)}; {interval(one.observed)}), "
            self._paper.say(
                (strip, GOOD),
                ("| ", "dim"),
                f"{told}expected {percent(one.expected)}",
                label=(f"  {read:<{widest}} |", "dim"),
            )

    def _axis(self, scale: Scale, width: int, cut: int) -> Text:
        """The ground that bars stand on, with the line and the band of doubt."""
        low, high = (round(scale.place(edge) * width) for edge in self._card.doubt or (0, 0))
        plain, unsure = self._sign("─", "-"), self._sign("░", "~")
        ground = plain * low + unsure * (high - low) + plain * (width - high)
        return Text.assemble((ground[:cut], "dim"), (self._sign("┃", "|"), "bold"), (ground[cut:], "dim"))

    def _numbers(self, scale: Scale, width: int, cut: int) -> None:
        """The line in words under its place, and the readings at both ends."""
        card = self._card
        arrow = self._sign("→", "->") if card.good == "above" else self._sign("←", "<-")
        line = f"line {number(card.line)}, passes {arrow}"
        low, high = f"{scale.low:.3g}", f"{scale.high:.3g}"
        at = min(max(cut - len(line) // 2, len(low) + 2), width - len(line))
        text = f"{low:<{max(at, len(low) + 2)}}{line}"
        self._paper.say(f"{text}{high:>{max(width + 1 - len(text), len(high) + 2)}}", indent=10)
        if card.doubt is not None:
            band = f"unsure from {number(card.doubt[0])} to {number(card.doubt[1])}"
            self._paper.say((f"{self._sign('░', '~')} {band}", "dim"), indent=10)

    def _sign(self, fine: str, plain: str) -> str:
        return fine if self._unicode else plain


def _bars(shares: Sequence[float], tallest: float, *, wide: int, unicode: bool) -> Iterator[str]:
    """Rows of characters from top to bottom; whatever is there at all is seen."""
    heights = [max(round(share / tallest * _LEVELS * 8), 1) if share > 0 else 0 for share in shares]
    for level in reversed(range(_LEVELS)):
        eighths = [min(max(height - 8 * level, 0), 8) for height in heights]
        yield "".join((" ▁▂▃▄▅▆▇█" if unicode else " ..::::##")[eighth] * wide for eighth in eighths)


def _strip(one: Bin, *, seen: str, meant: str, both: str, span: str, width: int = 31) -> str:
    def place(share: float) -> int:
        return round(min(max(share, 0.0), 1.0) * (width - 1))

    cells = [" "] * width
    low, high = place(one.observed.low), place(one.observed.high)
    cells[low : high + 1] = [span] * (high + 1 - low)
    found, expected = place(one.observed.value), place(one.expected)
    cells[expected] = meant
    cells[found] = both if found == expected else seen
    return "".join(cells)
