"""Whether a message quotes a text that it must not tell."""

import re
from base64 import b64encode
from urllib.parse import unquote

SHARED = 12
"""As many letters in a row that a message shares with a text make it a quotation of the text."""


def quotes(message: str, text: str) -> bool:
    """Whether the message shares so many letters with the text that it may quote it; a short text, whole."""
    message_letters, text_letters = _letters(message), _letters(text)
    if not text_letters:
        return bool(text.strip()) and text.strip() in message
    length = min(SHARED, len(text_letters))
    return any(
        message_letters[i : i + length] in text_letters for i in range(len(message_letters) - length + 1)
    )


def spellings(secret: str) -> set[str]:
    """The ways in which a secret is sent: as it is, without the escapes of an address, and in base64."""
    plain = {secret, unquote(secret)}
    return plain | {b64encode(spelling.encode(errors="surrogatepass")).decode() for spelling in plain}


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()
