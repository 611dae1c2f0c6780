"""Lines of a file of JSON lines, a block of them in memory at a time."""

from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

BLOCK = 1 << 20
LONGEST = 64 * 1024 * 1024
"""Bytes of a line that is read at all."""
_BOM = b"\xef\xbb\xbf"


class Block(NamedTuple):
    """Whole lines, and where the first of them begins in the file."""

    start: int
    lines: bytes | None
    """None for a single line that is too long to be read."""


def blocks_of(file: BinaryIO, start: int, stop: int) -> Iterator[Block]:
    """All lines that begin from `start` to before `stop`, wherever they end."""
    at, held = _first_line(file, start), b""
    while at < stop:
        read = file.read(BLOCK)
        held += read
        end = _end(held, stop - at) if read else len(held)
        if end:
            yield Block(at, _without_mark(held[:end], at))
        elif len(held) > LONGEST:
            yield Block(at, None)
            end = len(held) + _skipped(file)
        at, held = at + end, held[end:]
        if not read:
            return


def _end(held: bytes, left: int) -> int:
    """Where the last whole line ends that begins before `left`; 0 where none ends."""
    last = held.rfind(b"\n") + 1
    return last if last < left else held.find(b"\n", left - 1) + 1


def _first_line(file: BinaryIO, start: int) -> int:
    """Where the first line begins that does so at `start` or after it; the file stands there."""
    if start == 0:
        file.seek(0)
        return 0
    file.seek(start - 1)
    return start - 1 + _skipped(file)


def _skipped(file: BinaryIO) -> int:
    """Go behind the end of the line; how many bytes that were."""
    begin, count = file.tell(), 0
    while read := file.read(BLOCK):
        if end := read.find(b"\n") + 1:
            file.seek(begin + count + end)
            return count + end
        count += len(read)
    return count


def _without_mark(lines: bytes, at: int) -> bytes:
    """A mark of the byte order, as some editors write at the beginning, is blank."""
    return b"   " + lines[3:] if at == 0 and lines.startswith(_BOM) else lines
