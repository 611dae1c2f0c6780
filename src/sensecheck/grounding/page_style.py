"""How the page of a grounding looks: calm, by day and by night, on a telephone and on paper."""

from collections.abc import Mapping

from sensecheck.core.markup import Markup

_LIGHT: Mapping[str, str] = {
    "back": "#f5f7f9",
    "ground": "#ffffff",
    "ink": "#1d2733",
    "soft": "#5b6776",
    "grid": "#e3e7ec",
    "good": "#1a7f4b",
    "wrong": "#b3261e",
    "wrong-tint": "#fde3e1",
    "doubtful": "#8a5a00",
    "doubtful-tint": "#fdf0cf",
    "match-tint": "#dff3e7",
    "instead-tint": "#dbe9fb",
    "instead": "#14539a",
    "near": "#eef3f8",
}
_DARK: Mapping[str, str] = {
    "back": "#0b0f14",
    "ground": "#12171e",
    "ink": "#e6eaf0",
    "soft": "#9aa6b4",
    "grid": "#2a323d",
    "good": "#6fcf97",
    "wrong": "#ff9a90",
    "wrong-tint": "#4a1f1d",
    "doubtful": "#f2c14e",
    "doubtful-tint": "#40330f",
    "match-tint": "#17382a",
    "instead-tint": "#16304f",
    "instead": "#9cc7ff",
    "near": "#1b2430",
}
"""Every kind of word is also told apart by its underline, for those who see no colours and for paper."""

_PAGE = """
* { box-sizing: border-box; }
html { color-scheme: light dark; -webkit-text-size-adjust: 100%; scroll-behavior: smooth; }
body { margin: 0; background: var(--back); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 76rem; margin: 0 auto; padding: 2.5rem 1.25rem 3rem; }
h1, h2, h3, p, dl, ul, blockquote { margin: 0; }
h1 { font-size: clamp(1.6rem, 5vw, 2.3rem); line-height: 1.2; letter-spacing: -0.01em; }
h2 { font-size: 1.15rem; margin: 0 0 0.9rem; }
h3 { font-size: 0.95rem; display: flex; gap: 0.6rem; align-items: baseline; }
code { font: 0.875em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
a { color: inherit; }
small, .over, .asked, dt, thead th { color: var(--soft); }
.over { font-size: 0.85rem; letter-spacing: 0.06em; text-transform: uppercase; }
.because { font-size: 1.1rem; margin-top: 0.6rem; max-width: 60rem; overflow-wrap: anywhere; }
.asked { margin-top: 0.4rem; overflow-wrap: anywhere; }
h1.supported, .supported .state { color: var(--good); }
h1.unsupported, h1.partially_supported, .unsupported .state { color: var(--wrong); }
h1.undetermined, .undetermined .state { color: var(--doubtful); }
h1.abstained, .abstained .state { color: var(--soft); }
.card { background: var(--ground); border: 1px solid var(--grid); border-radius: 12px; padding: 1.25rem;
  overflow-wrap: anywhere; }
main > .card { margin-top: 1.25rem; }
.tiles { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(12rem, 100%), 1fr));
  margin-top: 1.5rem; }
.tile b { display: block; font-size: 1.5rem; line-height: 1.3; font-weight: 650; }
.tile p { font-size: 0.875rem; color: var(--soft); }
.tile .what { color: var(--ink); }
.warning { border-left: 4px solid var(--doubtful); }
.warning ul { padding-left: 1.1rem; }
.warning small { display: block; }
.sides { display: grid; gap: 1.25rem; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
  align-items: start; margin-top: 1.25rem; }
.answer { position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow-y: auto; }
.text { white-space: pre-wrap; line-height: 1.75; }
.between { color: var(--soft); }
.claim { text-decoration: none; border-radius: 4px; padding: 0.1em 0; -webkit-box-decoration-break: clone;
  box-decoration-break: clone; }
.claim sup { font-size: 0.7em; line-height: 0; margin-left: 0.15em; color: var(--soft); }
.claim.supported sup { color: var(--good); }
.claim.unsupported sup { color: var(--wrong); }
mark { color: inherit; background: none; border-radius: 3px; text-decoration-thickness: 2px;
  text-underline-offset: 3px; }
mark.wrong { background: var(--wrong-tint); text-decoration: underline wavy 1px var(--wrong); }
mark.doubtful { background: var(--doubtful-tint); text-decoration: underline dotted 2px var(--doubtful); }
mark.abstained { color: var(--soft); font-style: italic; }
mark.matching { background: var(--match-tint); }
mark.instead { background: var(--instead-tint); font-weight: 600;
  text-decoration: underline 2px var(--instead); }
.legend { margin-top: 1rem; font-size: 0.8rem; display: flex; flex-wrap: wrap; gap: 0.4rem 1rem; }
.evidence { display: grid; gap: 0.8rem; }
.evidence > h2 { margin: 0; padding: 1.25rem 0 0 0.25rem; }
article.card { padding: 0.9rem 1.1rem; border-left-width: 4px; scroll-margin: 1rem; }
article.supported { border-left-color: var(--good); }
article.unsupported { border-left-color: var(--wrong); }
article.undetermined { border-left-color: var(--doubtful); }
article.abstained { border-left-color: var(--soft); }
article ul { padding-left: 1.1rem; margin-top: 0.3rem; font-size: 0.925rem; }
.number { text-decoration: none; min-width: 1.5rem; text-align: center; border-radius: 1rem;
  background: var(--near); padding: 0 0.4rem; }
blockquote { margin-top: 0.6rem; padding-left: 0.8rem; border-left: 2px solid var(--grid); }
blockquote footer, .place { font-size: 0.8rem; color: var(--soft); }
blockquote footer { margin: 0; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 0.85rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.875rem; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.9rem 0.4rem 0;
  border-top: 1px solid var(--grid); overflow-wrap: anywhere; min-width: 4rem; }
td:nth-child(2) { min-width: 8rem; }
td:nth-child(5) { min-width: 10rem; }
thead th { border-top: 0; font-weight: 500; }
td:nth-child(3) { white-space: nowrap; }
td:nth-child(4) { min-width: 14rem; }
dl { display: grid; grid-template-columns: minmax(6rem, 10rem) 1fr; gap: 0.5rem 1.25rem;
  font-size: 0.925rem; }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
main > footer { margin-top: 1.5rem; font-size: 0.85rem; color: var(--soft); overflow-wrap: anywhere; }
a:focus-visible { outline: 2px solid var(--instead); outline-offset: 2px; border-radius: 3px; }
.claim:hover, .claim:target { background: var(--near); }
article:target { outline: 2px solid var(--instead); }
@media (max-width: 50rem) {
  main { padding: 1.5rem 0.75rem 2rem; }
  .card { padding: 1rem; border-radius: 10px; }
  .sides { grid-template-columns: minmax(0, 1fr); }
  .answer { position: static; max-height: none; }
  .evidence > h2 { padding-top: 0; }
  .tiles { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0.6rem; }
  .tile b { font-size: 1.15rem; overflow-wrap: anywhere; }
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: 0.6rem; }
}
@media print {
  body { background: none; font-size: 10.5pt; }
  main { max-width: none; padding: 0; }
  .answer { position: static; max-height: none; overflow: visible; }
  .tile, article, tr { break-inside: avoid; }
}
"""


def page_style(claims: int) -> Markup:
    """Every rule of the page; pointing at a claim shows its evidence, and the other way round."""
    dark = f"@media screen and (prefers-color-scheme: dark) {{ {_variables(_DARK)} }}"
    pairs = "".join(_pair(number) for number in range(1, claims + 1))
    return Markup(f"{_variables(_LIGHT)}\n{dark}{_PAGE}{pairs}")


def _pair(number: int) -> str:
    """No script: a claim and its evidence know of each other by their number."""
    here, there = f"#c{number}", f"#e{number}"
    return (
        f".sides:has({here}:hover) {there}, .sides:has({here}:focus-visible) {there} "
        "{ outline: 2px solid var(--instead); }\n"
        f".sides:has({there}:hover) {here} {{ background: var(--near); }}\n"
    )


def _variables(colours: Mapping[str, str]) -> str:
    named = "; ".join(f"--{name}: {colour}" for name, colour in colours.items())
    return f":root {{ {named}; }}"
