"""A picture as pixels; the letters in it are drawn with a font of this machine."""

from sensecheck.core.errors import ToolError
from sensecheck.core.extras import extra

FAMILIES = (
    "Liberation Sans",
    "Arial",
    "Helvetica",
    "Segoe UI",
    "Noto Sans",
    "Open Sans",
    "Roboto",
    "DejaVu Sans",
    "Verdana",
)
"""Fonts that read well in pictures, the narrower first."""
_TEXT = '<text x="4" y="30" font-family="sans-serif" font-size="24">Ag09</text>'


def png_of(svg: str, *, zoom: float = 2.0, system_fonts: bool = True) -> bytes:
    """The SVG as a PNG, twice as fine as it is large; `ToolError` where no font is found.

    Without a font, every letter would be missing from the picture, and nothing would say so.
    """
    with extra("pictures"):
        from resvg_py import svg_to_bytes  # noqa: PLC0415 - wanted by few

    family = _family(system_fonts=system_fonts)
    return svg_to_bytes(
        svg_string=svg, zoom=zoom, skip_system_fonts=not system_fonts, sans_serif_family=family
    )


def _family(*, system_fonts: bool) -> str | None:
    """The first family that there is; None where only others are, one of which is taken then."""
    others = _drawn(_TEXT, None, system_fonts=system_fonts)
    if others == _drawn("", None, system_fonts=system_fonts):
        known = ", ".join(FAMILIES)
        raise ToolError(
            f"no font was found on this machine, so the picture would have no letters; install one ({known}) "
            "or write the picture as `.svg`"
        )
    found = (name for name in FAMILIES if _drawn(_TEXT, name, system_fonts=system_fonts) != others)
    return next(found, None)


def _drawn(inside: str, family: str | None, *, system_fonts: bool) -> bytes:
    from resvg_py import svg_to_bytes  # noqa: PLC0415 - wanted by few

    probe = f'<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40">{inside}</svg>'
    wanted = family if family is not None else "no such family"
    return svg_to_bytes(svg_string=probe, skip_system_fonts=not system_fonts, sans_serif_family=wanted)
