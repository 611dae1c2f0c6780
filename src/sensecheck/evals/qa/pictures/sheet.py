"""A picture on a ground of its own, with its title: a whole SVG file."""

import textwrap
from dataclasses import dataclass

from sensecheck.calibration.svg import box, words
from sensecheck.core.markup import Markup, said, tag, together
from sensecheck.evals.qa.pictures.style import Scheme, style_of
from sensecheck.store.records import Run

EDGE = 24
TOP = 78
"""Where what is drawn begins, below title and subtitle."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is drawn, and the same in a sentence for those who do not see it."""

    width: float
    height: float
    title: str
    below_title: str
    about: str
    inside: Markup

    def svg(self, scheme: Scheme = "both") -> str:
        """The file, with everything in it that it needs."""
        drawn = tag(
            "svg",
            tag("title", said(self.title)),
            tag("desc", said(self.about)),
            tag("style", style_of(scheme)),
            box(0, 0, self.width, self.height, "ground"),
            words(self.title, EDGE, 38, "head"),
            words(_short(self.below_title, self.width), EDGE, 60, "soft"),
            self.inside,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {self.width:g} {self.height:g}",
            width=self.width,
            height=self.height,
            class_="picture",
            role="img",
        )
        return f"{drawn}\n"


def named(run: Run) -> str:
    """`nq, open questions, run 3 (gpt4)`."""
    name = f" ({run.name})" if run.name else ""
    return f"{run.test.project}, {run.test.name}, run {run.key}{name}"


def notes(texts: str, x: float, y: float, width: float) -> Markup:
    """A text in small lines, as wide as there is room for."""
    lines = textwrap.wrap(texts, max(20, int(width / 6.4)))
    return together(words(line, x, y + 17 * at, "soft") for at, line in enumerate(lines))


def _short(text: str, width: float) -> str:
    most = int((width - 2 * EDGE) / 6.6)
    return text if len(text) <= most else text[: most - 1] + "…"
