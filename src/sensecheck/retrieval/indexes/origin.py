"""Which encoder made the vectors of an index, written down beside them."""

import json
from dataclasses import asdict, dataclass

from sensecheck.core.errors import EncoderError, SpecError, StaleIndex

FORMAT = 1
"""Goes up whenever what is written into an engine changes."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The encoder's fingerprint, and how long its vectors are."""

    encoder: str
    dimension: int

    def __post_init__(self) -> None:
        if not self.encoder:
            raise SpecError("`encoder` wants the fingerprint of an encoder; found nothing")
        if self.dimension < 1:
            raise SpecError(f"`dimension` wants at least 1; found {self.dimension}")

    def written(self) -> str:
        """The origin as a line of JSON."""
        return json.dumps(asdict(self) | {"format": FORMAT})

    def must_be_that_of(self, written: object, *, at: str) -> None:
        """Raise unless what is written at a place was made by this encoder."""
        found = origin_of(written, at=at)
        if found.encoder != self.encoder:
            raise StaleIndex(
                f"{at} holds vectors of the encoder `{found.encoder}`; in use is `{self.encoder}`: "
                "its closeness would mean nothing; build the index again, or open it with its own encoder"
            )
        if found.dimension != self.dimension:
            raise EncoderError(
                f"{at} holds vectors of {found.dimension} numbers; found an encoder of {self.dimension}"
            )


def origin_of(written: object, *, at: str) -> Origin:
    """What `written` wrote; `SpecError` where it was not, or by a later sensecheck."""
    try:
        data = json.loads(written) if isinstance(written, str | bytes) else None
    except ValueError:
        data = None
    if not (isinstance(data, dict) and {"encoder", "dimension", "format"} <= data.keys()):
        raise SpecError(
            f"{at} does not say which encoder made its vectors: it is no index that sensecheck made; "
            "take another name, and add the references there"
        )
    if data["format"] != FORMAT:
        raise SpecError(
            f"{at} is written in the format {data['format']}; known is {FORMAT}: build the index again"
        )
    return Origin(data["encoder"], data["dimension"])
