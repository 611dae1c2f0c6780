"""A grounding as a page to show to others: one file, no script, nothing fetched from anywhere."""

from collections import Counter
from collections.abc import Iterator, Sequence

from sensecheck.core.cutoff import Cutoff
from sensecheck.core.markup import Markup, said, tag, together
from sensecheck.core.reading import Span
from sensecheck.grounding.grounding import Grounding
from sensecheck.grounding.notes import quote
from sensecheck.grounding.page_sides import Sides, ticked
from sensecheck.grounding.page_style import page_style
from sensecheck.grounding.promises import promises_of

_HEAD = (
    '<meta charset="utf-8">\n'
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    '<meta http-equiv="Content-Security-Policy" '
    "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
    '<meta name="color-scheme" content="light dark">\n'
)


def page_of(found: Grounding, names: Sequence[str] = ()) -> str:
    """A whole HTML file; `names` are those of the files that the first passages come from."""
    title = tag("title", said(f"{_word(found)} · grounding"))
    head = tag("head", Markup(_HEAD), title, tag("style", page_style(len(found.claims))))
    body = tag("body", tag("main", together(_parts(found, Sides(found, names)))))
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def _parts(found: Grounding, sides: Sides) -> Iterator[Markup]:
    yield _header(found)
    yield tag("div", *_tiles(found), class_="tiles")
    if found.injections:
        yield _injections(found.injections, sides)
    yield sides.beside()
    yield sides.table()
    yield _lines(found)
    mark = found.verdict.fingerprint
    yield tag("footer", tag("p", said(f"Read with {mark} by sensecheck." if mark else "Read by sensecheck.")))


def _word(found: Grounding) -> str:
    """The support as a title."""
    word = "could not be judged" if found.outcome == "error" else found.support.replace("_", " ")
    return word.capitalize()


def _header(found: Grounding) -> Markup:
    asked = found.sample.question
    return tag(
        "header",
        tag("p", said("Does the answer come from the passages?"), class_="over"),
        tag("h1", said(_word(found)), class_=found.support),
        tag("p", ticked(_because(found)), class_="because"),
        *((tag("p", said(f"Asked: {asked}"), class_="asked"),) if asked else ()),
    )


def _because(found: Grounding) -> str:
    """Why, without the word that the title has said."""
    wrong = sum(claim.support == "unsupported" for claim in found.claims)
    if wrong:
        verb = "does" if wrong == 1 else "do"
        return f"{wrong} of {len(found.claims)} claims {verb} not come from the passages."
    return found.because.removeprefix(f"{found.support.replace('_', ' ')}: ")


def _tiles(found: Grounding) -> Iterator[Markup]:
    """The figures that are looked for first."""
    reading, cutoff = found.verdict.reading, found.verdict.cutoff
    if reading is not None:
        wanted = cutoff.in_words().partition(" (")[0] if cutoff else ""
        yield _tile("support", f"{reading.value:.3f}", f"wanted {wanted}" if wanted else "")
    if found.claims:
        states = Counter(claim.support for claim in found.claims)
        others = ", ".join(f"{count} {state}" for state, count in states.items() if state != "supported")
        yield _tile("claims supported", f"{states['supported']} of {len(found.claims)}", others)
    accepted = "may be shown" if found.accepted else "is held back"
    yield _tile("policy", found.policy.mark, f"fail mode {found.policy.fail_mode}: the answer {accepted}")
    if reading is not None:
        about = "everything was read" if not found.unread_chars else "what they say was not looked at"
        yield _tile("unread characters", str(found.unread_chars), about)


def _tile(what: str, figure: str, about: str = "") -> Markup:
    return tag(
        "div",
        tag("p", said(what), class_="what"),
        tag("b", said(figure)),
        tag("p", said(about)),
        class_="card tile",
    )


def _injections(spans: Sequence[Span], sides: Sides) -> Markup:
    items = (tag("li", said(quote(span.text, 200)), tag("small", sides.place(span))) for span in spans)
    return tag(
        "section",
        tag("h2", said("A passage speaks to the model")),
        tag("ul", together(items)),
        class_="card warning",
    )


def _lines(found: Grounding) -> Markup:
    """The lines that decided, and what they promise; a rule that knows no claims tells of its own lines."""
    facts = [
        together((tag("dt", said(name)), tag("dd", tag("p", said(line)), tag("p", said(promise)))))
        for name, line, promise in ((name, *_promise(cutoff)) for name, cutoff in promises_of(found))
    ]
    if not facts:
        return Markup("")
    return tag("section", tag("h2", said("The lines that decide")), tag("dl", together(facts)), class_="card")


def _promise(cutoff: Cutoff) -> tuple[str, str]:
    if cutoff.certificate is None:
        return cutoff.in_words(), "No promise: the line was picked by hand."
    return cutoff.in_words(), f"Promise: {cutoff.certificate.promise.replace('<=', '≤')}."
