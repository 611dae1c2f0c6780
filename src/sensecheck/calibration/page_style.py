"""How the page of a card looks: calm, by day and by night, on a telephone and on paper."""

from collections.abc import Mapping

from sensecheck.calibration.svg_style import DARK, LIGHT, picture_style
from sensecheck.core.markup import Markup

_PAGE = """
* { box-sizing: border-box; }
html { color-scheme: light dark; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--back); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 68rem; margin: 0 auto; padding: 2.5rem 1.25rem 3rem; }
h1, h2, h3, p, dl, figure { margin: 0; }
h1 { font-size: clamp(1.6rem, 5vw, 2.3rem); line-height: 1.2; letter-spacing: -0.01em;
  overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 0 0 0.9rem; }
h3 { font-size: 0.95rem; margin: 1.2rem 0 0.4rem; }
code, .code { font: 0.9em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.over { color: var(--soft); font-size: 0.85rem; letter-spacing: 0.06em; text-transform: uppercase; }
.soft, figcaption, caption, dt, th { color: var(--soft); }
.promise { font-size: 1.1rem; margin-top: 1rem; max-width: 60rem; overflow-wrap: anywhere; }
.passes { margin-top: 0.5rem; color: var(--soft); }
.card { background: var(--ground); border: 1px solid var(--grid); border-radius: 12px; padding: 1.25rem;
  margin-top: 1.25rem; overflow-wrap: anywhere; }
.tiles { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(10rem, 100%), 1fr));
  margin-top: 1.75rem; }
.tiles .card { margin: 0; }
.tile b { display: block; font-size: 1.9rem; line-height: 1.2; font-weight: 650; letter-spacing: -0.01em; }
.tile p { font-size: 0.875rem; color: var(--soft); }
.tile .what { color: var(--ink); font-size: 0.95rem; }
.warning { border-left: 4px solid var(--bad); }
.warning ul { margin: 0; padding-left: 1.1rem; }
.pair { display: grid; gap: 1.25rem; grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr));
  margin-top: 1.25rem; }
.pair .card { margin: 0; }
figcaption { font-size: 0.875rem; margin-top: 0.4rem; max-width: 44rem; }
.picture { display: block; width: 100%; height: auto; }
.pair .picture { max-width: 28rem; margin: 0 auto; }
.narrow { display: none; }
details { margin-top: 0.75rem; font-size: 0.875rem; }
summary { cursor: pointer; color: var(--soft); }
summary:focus-visible { outline: 2px solid var(--good); outline-offset: 3px; border-radius: 3px; }
.scroll { overflow-x: auto; }
.scroll + .scroll { margin-top: 1.25rem; }
table { border-collapse: collapse; width: 100%; font-size: 0.875rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding-bottom: 0.3rem; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.9rem 0.4rem 0;
  border-top: 1px solid var(--grid); overflow-wrap: break-word; }
th[scope="row"] { min-width: 6.5rem; max-width: 18rem; overflow-wrap: anywhere; }
thead th { border-top: 0; font-weight: 500; }
tbody th { color: var(--ink); font-weight: 600; }
td small { display: block; color: var(--soft); }
dl { display: grid; grid-template-columns: minmax(7rem, 13rem) 1fr; gap: 0.35rem 1.25rem;
  font-size: 0.925rem; }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
pre { margin: 0.5rem 0 0; padding: 0.8rem 1rem; background: var(--back); border-radius: 8px; overflow-x: auto;
  white-space: pre-wrap; overflow-wrap: anywhere; }
footer { margin-top: 1.5rem; font-size: 0.85rem; color: var(--soft); }
@media (max-width: 42rem) {
  main { padding: 1.5rem 0.75rem 2rem; }
  .card { padding: 1rem; border-radius: 10px; }
  .wide { display: none; }
  .narrow { display: block; }
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: 0.6rem; }
}
@media print {
  body { background: none; font-size: 11pt; }
  main { max-width: none; padding: 0; }
  .card, figure, tr { break-inside: avoid; }
  details:not([open]) { display: none; }
}
"""


def page_style() -> Markup:
    """Every rule of the page, and those of its pictures."""
    by_day, by_night = _variables(LIGHT, back="#f5f7f9"), _variables(DARK, back="#0b0f14")
    dark = f"@media (prefers-color-scheme: dark) {{ {by_night} }}"
    return Markup(f"{by_day}\n{dark}{_PAGE}{picture_style()}")


def _variables(colours: Mapping[str, str], *, back: str) -> str:
    named = "; ".join(f"--{name}: {colour}" for name, colour in colours.items())
    return f":root {{ --back: {back}; {named}; }}"
