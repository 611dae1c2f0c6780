"""A drawing of a certain size, to stand in a page or beside others on a sheet."""

from dataclasses import dataclass

from sensecheck.core.markup import Markup, tag


@dataclass(frozen=True, slots=True)
class Picture:
    """What is drawn, and the same in a sentence for those who do not see it."""

    width: float
    height: float
    title: str
    about: str
    inside: Markup

    def alone(self) -> Markup:
        """In a page: as wide as its place."""
        return tag(
            "svg",
            self.inside,
            viewBox=f"0 0 {self.width:g} {self.height:g}",
            class_="picture",
            role="img",
            aria_label=f"{self.title}. {self.about}",
        )

    def at(self, x: float, y: float) -> Markup:
        """On a sheet: with its upper left corner there."""
        return tag("g", self.inside, transform=f"translate({x:g} {y:g})")
