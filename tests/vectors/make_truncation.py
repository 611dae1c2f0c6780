"""Writes `truncation.jsonl`: where a text is cut, worked out from the written rule and not by our own code.

The rule: a text falls into words at runs of what ECMAScript calls WhiteSpace and LineTerminator, and a run at
either end leaves an empty word there; as many words stay as fit into the tokens at 1.3 each, rounded down.
Here this is done character by character and with whole numbers: nothing is shared with what it tests.

Each line holds the text as `[piece, how often]`, `max_tokens`, how many code points are `kept`, and how many
words these are.
"""

import json
from pathlib import Path
from random import Random

FILE = Path(__file__).with_name("truncation.jsonl")
COUNT = 1_000
SEED = 9

SPACES = [
    *(chr(code) for code in (0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x20, 0xA0, 0x1680)),
    *(chr(code) for code in range(0x2000, 0x200B)),
    *(chr(code) for code in (0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF)),
]
NO_SPACES = [chr(code) for code in (0x1C, 0x1D, 0x1E, 0x1F, 0x85, 0xAD, 0x180E, 0x200B, 0x200D, 0x2060, 0x00)]
"""What other languages, or the eye, take for white space."""

PROSE = ["The", "museum", "closes", "at", "17:30", "on", "weekdays,", "naïve", "don’t", "—", "x"]
CODE = ["def", "f(n):", "return", "{", "}", "n*f(n-1)", "//", "`a`", "|", "'''", "<b>", "\\n", "if(a<b)"]
PICTURES = ["😀", "👩‍🚀", "🇩🇪", "🏳️‍🌈", "𝔘𝔫𝔦", "𠮷", "e\u0301", "1️⃣"]
EASTERN = ["美術館は", "十時に開く。", "博物馆", "박물관은", "พิพิธภัณฑ์", "متحف"]
ODD = [f"a{mark}b" for mark in NO_SPACES] + NO_SPACES
GAPS = {
    "prose": [" ", " ", " ", "  ", "\n\n", "\n"],
    "code": ["\n    ", "\n\t\t", " ", "\n\n\n", "\r\n", "\t", "        "],
    "hostile": [*SPACES, "\r\n", " \ufeff ", "\u2028\u2029", "\u3000\u00a0"],
}
BORDERS = [0, 1, 2, 3, 12, 13, 14, 26, 27, 39, 65, 100, 130, 131, 500, 1300, 1999, 2000, 2000, 2001, 2600]


def words_of(text: str) -> list[tuple[int, int]]:
    """Where each word begins and ends; the empty ones at the ends too."""
    found, begin, at = [], 0, 0
    while at < len(text):
        if text[at] not in SPACES:
            at += 1
            continue
        found.append((begin, at))
        while at < len(text) and text[at] in SPACES:
            at += 1
        begin = at
    return [*found, (begin, len(text))]


def kept_of(text: str, max_tokens: int) -> tuple[int, int]:
    """How many code points stay, and how many words they are."""
    words, fit = words_of(text), max_tokens * 10 // 13
    if fit >= len(words):
        return len(text), len(words)
    return (words[fit - 1][1] if fit else 0), fit


def written(random: Random, max_tokens: int) -> list[tuple[str, int]]:
    """A text with about as many words as fit: a few less, as many, or some more."""
    fit = max_tokens * 10 // 13
    wanted = max(0, fit + random.choice([-2, -1, 0, 0, 1, 1, 2, 3, random.randint(4, 40)]))
    vocabulary = random.choice([PROSE, CODE, PICTURES, EASTERN, ODD, PROSE + CODE + PICTURES + EASTERN + ODD])
    gaps = GAPS[random.choice(list(GAPS))]
    lead, trail = (random.choice(["", "", random.choice(gaps)]) for _ in range(2))
    wanted -= (lead != "") + (trail != "")
    unit = [random.choice(vocabulary) + random.choice(gaps) for _ in range(random.randint(1, 5))]
    whole, left = divmod(max(wanted - 1, 0), len(unit))
    last = random.choice(vocabulary) if wanted > 0 else ""
    pieces = [(lead, 1), ("".join(unit), whole), ("".join(unit[:left]), 1), (last + trail, 1)]
    return [(piece, times) for piece, times in pieces if piece and times]


def vectors() -> list[str]:
    """All lines, each another one."""
    random, lines = Random(SEED), dict[str, None]()
    while len(lines) < COUNT:
        max_tokens = random.choice([*BORDERS, random.randint(0, 300)])
        pieces = written(random, max_tokens)
        kept, words = kept_of("".join(piece * times for piece, times in pieces), max_tokens)
        vector = {"text": pieces, "max_tokens": max_tokens, "kept": kept, "words": words}
        lines[json.dumps(vector, separators=(",", ":"))] = None
    return list(lines)


if __name__ == "__main__":
    FILE.write_text("".join(f"{line}\n" for line in vectors()))
