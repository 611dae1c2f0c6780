"""Check an answer against its source, claim by claim: `python examples/grounded_answer.py`.

With a file name, such as `answer.html`, it also writes the result as a page to share.
"""

import sys
from pathlib import Path

from sensecheck import Grounding, Sense
from sensecheck.grounding.page import page_of

SOURCE = (
    "The museum opens at 9 and is closed on Mondays. A ticket costs 12 euros. "
    "Anna Meyer founded the museum in 1987."
)
ANSWER = (
    "Anna Meyer founded the museum in 1987. A ticket costs 14 euros.\n\n"
    "The text does not say whether dogs are allowed."
)


def show(found: Grounding) -> None:
    """Print each claim, the most similar sentence, and the words that do not fit."""
    for claim in found.claims:
        print(f"{claim.support}: {claim.span.text}")
        if claim.support != "supported":
            print(f"  because {claim.because}")
        for sentence in () if claim.support == "abstained" else claim.evidence[:1]:
            print(f"  nearest, {sentence.where}[{sentence.start}:{sentence.end}]: {sentence.text}")
    print("The answer may be shown." if found.accepted else "The answer is held back.")


def main(page: Path | None) -> None:
    """Check the answer, print the result, and write the page if requested."""
    found = Sense.load().grounded(ANSWER, SOURCE, question="Who founded the museum, and what is the price?")
    show(found)
    if page is not None:
        page.write_text(page_of(found, ["museum.txt"]), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
