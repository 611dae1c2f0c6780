"""Characters that nobody sees: those that Unicode lets a page leave out, and a few blanks beside them."""

TAGS = "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
"""Invisible copies of ASCII, and the unused places around them."""
SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
MONGOLIAN_SELECTORS = "\u180b-\u180d\u180f"
DIRECTIONS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
SOFT_HYPHEN = "\u00ad"
BRAILLE_BLANK = "\u2800"
NO_WIDTH = (
    "\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200d\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0"
    "\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
)
"""Joiners, fillers and marks that only machines read; also the fillers of Hangul, which are blank."""
UNSEEN = NO_WIDTH + DIRECTIONS + TAGS + SELECTORS + MONGOLIAN_SELECTORS + SOFT_HYPHEN + BRAILLE_BLANK
"""All of them, to stand within the brackets of a pattern."""
