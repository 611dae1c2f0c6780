"""The colours and strokes of the pictures, by day, by night, or as whoever looks has it."""

from collections.abc import Mapping
from typing import Literal

from sensecheck.calibration import svg_style
from sensecheck.core.markup import Markup

Scheme = Literal["both", "light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("both", "light", "dark")
"""`both` follows the reader's own; programs other than browsers take it for `light`."""

LIGHT: Mapping[str, str] = {
    **svg_style.LIGHT,
    "paraphrase": "#00805f",
    "close": "#806600",
    "changed": "#c25400",
    "worst": "#a1407e",
}
DARK: Mapping[str, str] = {
    **svg_style.DARK,
    "paraphrase": "#3fc79f",
    "close": "#dcbd4a",
    "changed": "#f0914a",
    "worst": "#e39bc7",
}

# Plain selectors, and weights by the hundred: the makers of PNGs know no more.
_FIXED = """
.picture text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; font-size: 12px; }
.picture .head { font-size: 18px; font-weight: 600; }
.picture .title { font-size: 13px; font-weight: 600; }
.picture .strong { font-weight: 600; }
.picture polyline { fill: none; stroke-width: 2; stroke-linejoin: round; }
.picture .cut { stroke-width: 1.5; stroke-dasharray: 5 4; }
.picture .even { stroke-dasharray: 4 4; }
.picture .span { stroke-width: 2; stroke-linecap: round; }
.picture .field { fill-opacity: 0.06; }
.picture .full { fill-opacity: 0.75; }
.picture .hollow { fill-opacity: 0.5; stroke-width: 1.3; }
.picture .area { fill-opacity: 0.14; }
.picture .hatch { stroke-width: 1.2; }
"""
_COLOUR_OF = {
    "good": "good",
    "paraphrase": "paraphrase",
    "close": "close",
    "changed": "changed",
    "bad": "worst",
}
"""By the class that marks of a kind have."""
_TINT_OF = {"both": "good", "meaning": "paraphrase", "words": "changed", "neither": "worst"}
"""By the class that a field has: it is called by what lies high there, and not by a kind."""


def style_of(scheme: Scheme) -> Markup:
    """All rules of a picture."""
    if scheme == "both":
        dark = f"@media (prefers-color-scheme: dark) {{\n{_rules(DARK)}}}\n"
        return Markup(f"{_FIXED}{_rules(LIGHT)}{dark}")
    return Markup(_FIXED + _rules(DARK if scheme == "dark" else LIGHT))


def _rules(colours: Mapping[str, str]) -> str:
    filled = {".ground": "ground", "text": "ink", ".soft": "soft", ".bar": "good", ".mark": "ink"}
    filled |= {".area": "good", ".point": "good"}
    drawn = {".grid": "grid", ".even": "soft", ".cut": "ink", ".axis": "soft", ".span": "good"}
    drawn |= {"polyline": "good", ".hatch": "soft", ".point": "ground"}
    rules = [f".picture {where} {{ fill: {colours[name]}; }}" for where, name in filled.items()]
    rules += [f".picture {where} {{ stroke: {colours[name]}; }}" for where, name in drawn.items()]
    rules += [f".picture .{field} {{ fill: {colours[name]}; }}" for field, name in _TINT_OF.items()]
    for kind, name in _COLOUR_OF.items():
        rules.append(f".picture .{kind} {{ fill: {colours[name]}; }}")
        rules.append(f".picture .hollow-{kind} {{ fill: {colours['ground']}; stroke: {colours[name]}; }}")
    return "\n".join(rules) + "\n"
