"""Windows of characters, for encoders whose tokenizer we do not have."""

from sensecheck.encoders.windows import window_bounds


def character_windows(text: str, limit: int, overlap: int) -> list[tuple[int, int]]:
    """Where each window begins and ends: cut at whitespace where there is some, and none of them blank."""
    bounds = window_bounds(len(text), limit, overlap)
    reach = overlap // 2
    starts = [0, *(_begin(text, start, reach) for start, _ in bounds[1:])]
    ends = [*(_end(text, end, reach) for _, end in bounds[:-1]), len(text)]
    windows = [(a, b) for a, b in zip(starts, ends, strict=True) if text[a:b].strip()] or bounds[:1]
    windows[0] = (0, windows[0][1])
    windows[-1] = (windows[-1][0], len(text))
    return windows


def _begin(text: str, start: int, reach: int) -> int:
    """The first beginning of a word within reach after `start`."""
    for index in range(start, start + reach):
        if text[index - 1].isspace() and not text[index].isspace():
            return index
    return start


def _end(text: str, end: int, reach: int) -> int:
    """The last end of a word within reach before `end`."""
    for index in range(end, end - reach, -1):
        if text[index].isspace() and not text[index - 1].isspace():
            return index
    return end
