"""The two sides of a page: the answer with its words coloured, and beside it the evidence."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from sensecheck.core.markup import Markup, said, tag, together
from sensecheck.core.reading import Span
from sensecheck.grounding.evidence import evidence_pieces
from sensecheck.grounding.grounding import FoundClaim, Grounding
from sensecheck.grounding.notes import MOST, Note, notes_of
from sensecheck.grounding.pieces import Piece, pieces_of


class Sides:
    """The parts of a page that show texts; claim 1 of the answer is `#c1`, what was found of it `#e1`."""

    def __init__(self, found: Grounding, names: Sequence[str]) -> None:
        self._found = found
        self._names = names
        self._notes = notes_of(found)
        self._places = found.places()

    def beside(self) -> Markup:
        """The answer, and what was found of each claim."""
        if self._found.claims:
            articles = (self._article(at, claim) for at, claim in enumerate(self._found.claims))
            shown = tag("h2", said("Evidence")), together(articles)
            legend = _legend()
        else:
            shown = tag("h2", said("What was read")), tag("pre", said(self._found.explain()), class_="card")
            legend = Markup("")
        answer = tag("section", tag("h2", said("Answer")), self._answer(), legend, class_="card answer")
        return tag("div", answer, tag("section", *shown, class_="evidence"), class_="sides")

    def table(self) -> Markup:
        """Everything that does not fit."""
        rows = [self._row(at, note) for at, notes in enumerate(self._notes, 1) for note in notes]
        if not rows:
            return Markup("")
        heads = ("claim", "words", "reason", "what was found", "where")
        head = tag("tr", *(tag("th", said(one), scope="col") for one in heads))
        table = tag("table", tag("thead", head), tag("tbody", together(rows)))
        about = tag("h2", said("Reasons")), tag("div", table, class_="scroll")
        return tag("section", *about, class_="card reasons")

    def place(self, span: Span) -> Markup:
        """Where a span of the passages stands, with the name of its file."""
        at = int(span.where.removeprefix("passages[").removesuffix("]"))
        name = f"{self._names[at]} " if at < len(self._names) else ""
        return tag("span", said(name), tag("code", said(self._places.written(span))), class_="place")

    def _answer(self) -> Markup:
        pieces = groupby(pieces_of(self._found, self._notes), key=lambda piece: piece.claim)
        parts = (self._said(at, group) for at, group in pieces)
        return tag("div", *parts, class_="text")

    def _said(self, at: int | None, pieces: Iterable[Piece]) -> Markup:
        """A claim, with a link to what was found of it; or what stands between claims."""
        written = [_piece(piece) for piece in pieces]
        if at is None:
            return tag("span", *written, class_="between")
        number, support = at + 1, self._found.claims[at].support
        mark = tag("sup", said(str(number)))
        return tag("a", *written, mark, href=f"#e{number}", id=f"c{number}", class_=f"claim {support}")

    def _article(self, at: int, claim: FoundClaim) -> Markup:
        number = at + 1
        value = "" if claim.value is None else f"{claim.value:.3f}"
        title = tag(
            "h3",
            tag("a", said(str(number)), href=f"#c{number}", class_="number"),
            tag("span", said(claim.support), class_="state"),
            tag("small", said(value)),
        )
        notes = (tag("li", ticked(note.says)) for note in self._notes[at])
        quotes = self._quotes(claim, self._notes[at])
        listed = tag("ul", together(notes)) if self._notes[at] else Markup("")
        return tag("article", title, listed, *quotes, id=f"e{number}", class_=f"card {claim.support}")

    def _quotes(self, claim: FoundClaim, notes: Sequence[Note]) -> Iterator[Markup]:
        """The best sentence, and the others that share a word; for a claim that states nothing, none."""
        for rank, span in enumerate(claim.evidence if claim.support != "abstained" else ()):
            pieces = list(evidence_pieces(claim.span, span, notes))
            if rank == 0 or any(part != "rest" for _, part in pieces):
                parts = (
                    _text(text) if part == "rest" else tag("mark", _text(text), class_=part)
                    for text, part in pieces
                )
                yield tag("blockquote", tag("p", *parts), tag("footer", self.place(span)))

    def _row(self, number: int, note: Note) -> Markup:
        words = ", ".join(list(dict.fromkeys(span.text for span in note.words))[:MOST]) or "the whole claim"
        return tag(
            "tr",
            tag("th", tag("a", said(str(number)), href=f"#e{number}"), scope="row"),
            tag("td", said(words)),
            tag("td", tag("code", said(note.kind))),
            tag("td", ticked(note.says)),
            tag("td", self.place(note.source) if note.source is not None else said("–")),
        )


def ticked(text: str) -> Markup:
    """A text in which what stands between backticks is shown as quoted."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # a text that is quoted has a backtick of its own
        return said(text)
    return Markup("".join(tag("code", said(part)) if at % 2 else said(part) for at, part in enumerate(parts)))


def _piece(piece: Piece) -> Markup:
    if piece.tone in ("between", "plain", "supported"):
        return _text(piece.text)
    about = piece.note.says if piece.note is not None else None
    return tag("mark", _text(piece.text), class_=piece.tone, title=about)


def _text(text: str) -> Markup:
    """A text with its line breaks; the carriage returns of some systems would be shown as errors."""
    return said(text.replace("\r", ""))


def _legend() -> Markup:
    marks = (tag("mark", said(word), class_=kind) for kind, word in _LEGEND)
    return tag("p", together(marks), class_="legend")


_LEGEND = (
    ("wrong", "does not fit"),
    ("doubtful", "in doubt"),
    ("abstained", "says that nothing is said"),
    ("matching", "shared words"),
    ("instead", "what the passages say instead"),
)
