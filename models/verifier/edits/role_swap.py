"""Two phrases of a claim in each other's place."""

from models.verifier.edits.edit import Edit
from models.verifier.edits.role_sides import SUBJECTS, Side


def swapped(claim: str, one: Side, other: Side) -> Edit:
    """The claim with two phrases exchanged, the one that stands first given first."""
    first, second = _acting(_small(other)), SUBJECTS.get(one.text.lower(), _small(one))
    if one.start == 0 and not claim.islower():
        first = first[0].upper() + first[1:]
    between = claim[one.end : other.start]
    text = claim[: one.start] + first + between + second + claim[other.end :]
    later = one.start + len(first) + len(between)
    return Edit("role", text, ((one.start, one.start + len(first)), (later, later + len(second))))


def _small(side: Side) -> str:
    """The phrase as it is written within a sentence."""
    return side.text if side.named else side.text[0].lower() + side.text[1:]


def _acting(text: str) -> str:
    """A pronoun as it is said of those who act; anything else as it is."""
    found = next((acting for acting, other in SUBJECTS.items() if other == text), text)
    return "I" if found == "i" else found
