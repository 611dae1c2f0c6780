"""A grounding as text: what was decided and by what cutoff, then each claim next to its evidence."""

from collections.abc import Iterator, Sequence
from itertools import groupby, zip_longest

from rich.text import Text

from sensecheck.cli.check.view import figure, show
from sensecheck.cli.console import NARROWEST, Console, outcome, safe
from sensecheck.core.reading import Span
from sensecheck.core.unicode import Encoding
from sensecheck.core.verdict import promise_under, why_no_promise
from sensecheck.grounding.grounding import Grounding
from sensecheck.grounding.highlights import (
    AnswerPiece,
    Note,
    Tone,
    evidence_pieces,
    notes_of,
    pieces_of,
    promises_of,
    quote,
)

WIDE = 110
"""A terminal of this many columns shows evidence next to its claim, a narrower one below it."""
INDENT = 2
_COLOURS: dict[Tone, str] = {
    "between": "dim",
    "aside": "dim",
    "supported": "",
    "plain": "",
    "wrong": "bold red",
    "doubtful": "yellow",
    "abstained": "dim",
}
_STATES = {"supported": "green", "unsupported": "bold red", "undetermined": "yellow", "abstained": "dim"}


def show_grounding(
    console: Console, found: Grounding, names: Sequence[str] = (), offsets: Encoding = "code_points"
) -> None:
    """All of it; `names` are those of the files that the first passages come from."""
    _GroundingView(console, found, names, offsets).show()


class _GroundingView:
    """Where colours cannot be seen, words that do not fit stand in brackets with the number of their note."""

    def __init__(
        self, console: Console, grounding: Grounding, names: Sequence[str], offsets: Encoding
    ) -> None:
        self._console = console
        self._grounding = grounding
        self._names = names
        self._places = grounding.places(offsets)
        self._notes = notes_of(grounding)
        self._marked = not console.is_terminal or console.no_color

    def show(self) -> None:
        """The head, then the claims in their order with the text between them."""
        self._show_head()
        for part in () if self._grounding.claims else self._grounding.verdict.parts:
            show(self._console, part, said=self._grounding.because, indent=INDENT)
        before = Text()
        for index, group in groupby(pieces_of(self._grounding, self._notes), key=lambda piece: piece.claim):
            if index is None:
                before = self._show_between("".join(piece.text for piece in group))
            else:
                self._show_claim(index, before + self._coloured(group))
                before = Text()
        if before.plain.strip():
            self._console.line("")
            self._console.line(before, indent=INDENT)

    def _show_head(self) -> None:
        grounding = self._grounding
        self._console.line((safe(grounding.because), "bold"), label=outcome(grounding.outcome))
        accepted = "may be shown" if grounding.accepted else "is held back"
        policy = grounding.policy
        self._below(f"policy {safe(policy.mark)}, fail mode {policy.fail_mode}: the answer {accepted}")
        if grounding.second_opinion is not None:
            self._below("the check was unsure; a judge was asked, and its opinion stands")
        reading = grounding.verdict.reading
        for name, cutoff in promises_of(grounding):
            if name != "support" and cutoff == grounding.verdict.cutoff:
                continue  # the line above is the same
            value = f" {figure(reading.value, cutoff)}" if reading is not None and name == "support" else ""
            self._below(f"{name}{value}, needs {safe(cutoff.describe())}")
        reason = (
            "a judge decided it"
            if grounding.second_opinion is not None
            else why_no_promise(grounding.verdict)
        )
        promise = promise_under(grounding.verdict) or f"none for this verdict: {reason}"
        self._below(f"promise: {safe(promise)}")
        if grounding.unread_chars:
            self._below(f"unread characters: {grounding.unread_chars}", "yellow")
        for span in grounding.injections:
            self._below(
                f"a passage speaks to the model: {safe(quote(span.text))}, {self._place(span)}", "yellow"
            )

    def _below(self, text: str, colour: str = "") -> None:
        self._console.line((text, colour), indent=7)

    def _show_between(self, text: str) -> Text:
        """Writes the lines before a claim; returns what precedes it on its own line."""
        *above, last = text.split("\n")
        lines = [line.strip() for line in above if line.strip()]
        for line in ["", *lines] if lines else []:
            self._console.line((safe(line), "dim"), indent=INDENT)
        return Text().append(safe(last.lstrip()), "dim")

    def _coloured(self, pieces: Iterator[AnswerPiece]) -> Text:
        line = Text()
        for piece in pieces:
            text = safe(" ".join(piece.text.split("\n")))
            marked = self._marked and piece.note is not None
            line.append(
                f"[{text}]{{{piece.note.number}}}" if marked and piece.note else text, _COLOURS[piece.tone]
            )
        return line

    def _show_claim(self, index: int, claim_text: Text) -> None:
        claim = self._grounding.claims[index]
        value = "" if claim.value is None else f" {figure(claim.value, self._grounding.verdict.cutoff)}"
        title = Text.assemble(
            (f"{index + 1} ", "bold"), (claim.support, _STATES[claim.support]), (value, "dim")
        )
        lines = [*map(self._note_in_words, self._notes[index]), *self._evidence(index)]
        self._console.line("")
        if self._console.is_terminal and self._console.width >= WIDE:
            self._side_by_side([title, claim_text], lines)
            return
        self._console.line(title)
        for line in (claim_text, *lines):
            self._console.line(line, indent=INDENT)

    def _side_by_side(self, left: Sequence[Text], right: Sequence[Text]) -> None:
        half = max((self._console.width - 3) // 2, NARROWEST)
        columns = (
            [piece for text in side for piece in text.wrap(self._console, half)] for side in (left, right)
        )
        for mine, theirs in zip_longest(*columns, fillvalue=Text()):
            mine = mine.copy()
            mine.truncate(half, pad=True)
            self._console.print(mine + Text("   ") + theirs, soft_wrap=True)

    def _note_in_words(self, note: Note) -> Text:
        number = f"{{{note.number}}} " if self._marked and note.words else ""
        place = "" if note.source is None else f", {self._place(note.source)}"
        return Text.assemble(number, (f"{safe(note.kind)}: ", "bold"), safe(note.says), (place, "dim"))

    def _evidence(self, index: int) -> Iterator[Text]:
        """The best sentence; that of a claim which states nothing would only mislead."""
        claim = self._grounding.claims[index]
        for span in claim.evidence[: claim.support != "abstained"]:
            line = Text.assemble(("nearest: ", "dim"), '"')
            for text, part in evidence_pieces(claim.span, span, self._notes[index]):
                line.append(safe(" ".join(text.split("\n"))), "bold cyan" if part == "instead" else "")
            yield line.append('"').append(f", {self._place(span)}", "dim")

    def _place(self, span: Span) -> str:
        index = int(span.where.removeprefix("passages[").removesuffix("]"))
        name = f"{safe(self._names[index])} " if index < len(self._names) else ""
        return f"{name}{self._places.written(span)}"
