"""`sensecheck explain` and `embed`: where two texts agree and where they do not; and the vectors of texts."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from rich.text import Text

from sensecheck.cli.check.view import figure
from sensecheck.cli.console import Console, quoted, safe, write_json
from sensecheck.cli.options import Encoder, Json, argument, settings_with
from sensecheck.datasets.streams import Texts

if TYPE_CHECKING:
    from sensecheck.assessment import TextVector
    from sensecheck.assessment.compare import SentencePair, Stretch, TextComparison
    from sensecheck.measures.facts.fact import Difference

# ruff: noqa: PLC0415 - what places and compares texts brings numpy along, which `--help` does without

BAR_CELLS = 10
SHOWN_NUMBERS = 6
"""How many numbers of a vector are shown."""
UNDER = 4
"""What belongs to a pair stands under its bar, right of its number."""
_TEXT = "`@path` reads a file, `-` standard input."


def explain(
    a: Annotated[str, argument("A", f"A text. {_TEXT}")],
    b: Annotated[str, argument("B", "The text to compare it with.")],
    encoder: Encoder = None,
    as_json: Json = False,
) -> None:
    """Show where A and B agree, sentence by sentence, and which facts differ."""
    from sensecheck.assessment import explain as compare_texts
    from sensecheck.config import encoder as encoder_of

    texts = Texts()
    comparison = compare_texts(texts.read(a), texts.read(b), encoder=encoder_of(settings_with(encoder)))
    if as_json:
        write_json(comparison.to_data())
    else:
        _ComparisonView(Console(), comparison).show()


def embed(
    text: Annotated[list[str], argument("TEXT…", "The texts; `@path` reads a file, `-` standard input.")],
    encoder: Encoder = None,
    as_json: Json = False,
) -> None:
    """Print the vectors of texts."""
    from sensecheck.assessment import embed as embed_texts
    from sensecheck.config import encoder as encoder_of

    reader = Texts()
    texts = [reader.read(argument) for argument in text]
    vectors = embed_texts(texts, encoder=encoder_of(settings_with(encoder)))
    if as_json:
        write_json([vector.to_data() for vector in vectors])
        return
    console = Console()
    for one, vector in zip(texts, vectors, strict=True):
        _show_vector(console, one, vector)


class _ComparisonView:
    """A comparison as text; every difference is shown once, at the first sentence that it stands in."""

    def __init__(self, console: Console, comparison: "TextComparison") -> None:
        self._console = console
        self._comparison = comparison
        self._not_shown = list(comparison.differences)

    def show(self) -> None:
        """Pairs, then what only B says, then the sum of it."""
        for number, pair in enumerate(self._comparison.pairs, 1):
            self._show_pair(number, pair)
        if self._comparison.alone:
            self._console.line(("only in B", "bold"))
            for stretch in self._comparison.alone:
                self._show_sentence("B", stretch, [d.source for d in self._comparison.differences])
                self._show_differences(None, stretch)
        for difference in self._not_shown:
            self._console.line(*_in_words(difference), indent=UNDER)
        self._show_summary()

    def _show_pair(self, number: int, pair: "SentencePair") -> None:
        if pair.closeness is None:
            self._console.line(("could not be compared", "yellow"), label=(f"{number:<3} ", "bold"))
        else:
            bar = _bar(pair.closeness, self._console)
            self._console.line(bar, (f" {figure(pair.closeness)}", "bold"), label=(f"{number:<3} ", "bold"))
        self._show_sentence("A", pair.a, [d.answer for d in self._comparison.differences])
        if pair.b is not None:
            of_pair = [
                difference.source
                for difference in self._comparison.differences
                if difference.answer is None or _overlaps(difference.answer, pair.a)
            ]
            self._show_sentence("B", pair.b, of_pair)
        self._show_differences(pair.a, pair.b)

    def _show_sentence(self, side: str, stretch: "Stretch", spans: "Sequence[Stretch | None]") -> None:
        text = self._comparison.a if side == "A" else self._comparison.b
        inside = sorted({span for span in spans if span is not None and _overlaps(span, stretch)})
        line = _marked(text, stretch, inside, plain=not self._console.is_terminal)
        self._console.line(line, label=(f"{side}  ", "dim"), indent=UNDER)

    def _show_differences(self, a: "Stretch | None", b: "Stretch | None") -> None:
        """The differences of these sentences; one that stands in both texts belongs to its place in A."""
        for difference in list(self._not_shown):
            mine, theirs = difference.answer, difference.source
            here = _overlaps(mine, a) if mine is not None else theirs is not None and _overlaps(theirs, b)
            if here:
                self._console.line(*_in_words(difference), indent=UNDER + 3)
                self._not_shown.remove(difference)

    def _show_summary(self) -> None:
        comparison = self._comparison
        kinds = Counter(difference.kind for difference in comparison.differences)
        facts = ", ".join(f"{count} {kind}{'s' * (count > 1)}" for kind, count in kinds.items())
        total = len(comparison.differences)
        differ = (
            "no fact differs" if not total else "1 fact differs" if total == 1 else f"{total} facts differ"
        )
        self._console.line(
            ("similarity of the whole texts ", "bold"),
            (figure(comparison.closeness), "bold cyan"),
            ("; ", "bold"),
            (differ, "bold red" if total else "bold green"),
            f" ({facts})" if total else "",
        )
        if comparison.unread_chars:
            self._console.line((f"unread characters: {comparison.unread_chars}", "yellow"))


def _in_words(difference: "Difference") -> tuple[tuple[str, str], str]:
    return (f"{difference.kind} {difference.change}: ", "red"), safe(difference.note)


def _overlaps(span: "Stretch", stretch: "Stretch | None") -> bool:
    return stretch is not None and span[0] < stretch[1] and stretch[0] < span[1]


def _marked(text: str, stretch: "Stretch", spans: "list[Stretch]", *, plain: bool) -> Text:
    """A sentence with stretches of it marked: by colour, or between « and » where there is none."""
    line, at = Text(), stretch[0]
    for start, end in ((max(start, at), min(end, stretch[1])) for start, end in spans):
        if at <= start < end:
            line.append(safe(text[at:start]))
            difference = safe(text[start:end])
            line.append(f"«{difference}»" if plain else difference, "bold reverse red")
            at = end
    return line.append(safe(text[at : stretch[1]]))


def _bar(closeness: float, console: Console) -> Text:
    full, empty = ("█", "░") if "utf" in console.encoding.lower() else ("#", ".")
    filled = round(max(closeness, 0.0) * BAR_CELLS)
    return Text.assemble((full * filled, "cyan"), (empty * (BAR_CELLS - filled), "dim"))


def _show_vector(console: Console, text: str, vector: "TextVector") -> None:
    console.line((quoted(text), "bold"))
    numbers = " ".join(f"{number:+.4f}" for number in vector.vector[:SHOWN_NUMBERS])
    more = vector.dimension - SHOWN_NUMBERS
    console.line((numbers, "cyan"), f" … {more} more" if more > 0 else "", indent=2)
    windows = "1 window" if vector.windows == 1 else f"{vector.windows} windows"
    unread = f", unread characters: {vector.unread_chars}" if vector.unread_chars else ""
    console.line(f"{vector.dimension} dimensions, {windows}{unread}", indent=2)
    console.line((safe(vector.fingerprint or ""), "dim"), indent=2)
