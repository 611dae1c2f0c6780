"""Names, as both databases can keep them and look them up."""

from sensecheck.core.errors import SampleError, SpecError
from sensecheck.core.run import storable

LONGEST = 500
"""Characters; PostgreSQL looks up no text that is much longer."""
_SHOWN = 40


def kept_name(name: str, what: str, wrong: type[SpecError | SampleError] = SpecError) -> str:
    """The name of something as it is kept; one that is too long is an error."""
    if len(name) > LONGEST:
        raise wrong(
            f"{what} is too long: `{storable(name[:_SHOWN])}…` has {len(name):,} characters; "
            f"wanted at most {LONGEST}"
        )
    return storable(name)
