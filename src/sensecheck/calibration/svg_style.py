"""The colours of the pictures: two that everybody can tell apart, by day and by night."""

from collections.abc import Mapping

from sensecheck.core.markup import Markup

LIGHT: Mapping[str, str] = {
    "ground": "#ffffff",
    "ink": "#1d2733",
    "soft": "#5b6776",
    "grid": "#e3e7ec",
    "good": "#0072b2",
    "bad": "#d55e00",
    "doubt": "#8a94a1",
}
DARK: Mapping[str, str] = {
    "ground": "#12171e",
    "ink": "#e6eaf0",
    "soft": "#9aa6b4",
    "grid": "#2a323d",
    "good": "#56b4e9",
    "bad": "#f0914a",
    "doubt": "#8a94a1",
}
"""Blue and vermilion are told apart with any kind of colour blindness, and in grey by their place."""

_FIXED = """
.picture text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
.picture .strong { font-weight: 600; }
.picture .head { font-size: 20px; font-weight: 650; }
.picture .title { font-size: 14px; font-weight: 650; }
.picture polyline, .picture line { fill: none; }
.picture .limit { stroke-dasharray: 2 4; stroke-width: 1.5; }
.picture .even { stroke-dasharray: 5 5; }
.picture .cut { stroke-width: 2; }
.picture .curve { stroke-width: 2.5; stroke-linejoin: round; }
.picture .span { stroke-width: 2; stroke-linecap: round; }
.picture .band { fill-opacity: 0.22; }
.picture .under { fill-opacity: 0.1; }
.picture .mark { stroke-width: 2; }
"""


def picture_style() -> Markup:
    """The rules for every picture; plain colours, since few programs but browsers know variables."""
    dark = _rules(DARK)
    return Markup(f"{_FIXED}{_rules(LIGHT)}@media (prefers-color-scheme: dark) {{\n{dark}}}\n")


def _rules(colours: Mapping[str, str]) -> str:
    filled = {".ground": "ground", "text": "ink", ".soft": "soft", ".good": "good", ".bad": "bad"}
    filled |= {".band": "doubt", ".under": "good", ".mark": "ink", ".point": "good", ".open": "ground"}
    drawn = {".grid": "grid", ".even": "doubt", ".limit": "soft", ".cut": "ink", ".axis": "soft"}
    drawn |= {".curve": "good", ".span": "good", ".mark": "ground", ".open": "ink"}
    rules = [f".picture {where} {{ fill: {colours[name]}; }}" for where, name in filled.items()]
    rules += [f".picture {where} {{ stroke: {colours[name]}; }}" for where, name in drawn.items()]
    return "\n".join(rules) + "\n"
