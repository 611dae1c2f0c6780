"""Texts of strangers, for a terminal: nothing in them can steer it."""


def printable(line: str) -> str:
    """One line, with a mark in place of everything that is not a visible character."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in line)


def readable(text: str) -> str:
    """The same for a text of several lines."""
    return "\n".join(map(printable, text.split("\n")))
