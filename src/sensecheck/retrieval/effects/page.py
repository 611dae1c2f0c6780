"""Effects as one page to look at: one file, which wants a browser and fetches nothing."""

from sensecheck.io.pages import blob, built_page, json_bytes
from sensecheck.retrieval.effects.report import EffectsReport


def page_of(report: EffectsReport) -> str:
    """A whole HTML file, the same for the same report."""
    before, after = built_page("sensecheck.retrieval.effects", "effects_page.html")
    return before + blob("effects", json_bytes(report.to_data())) + after
