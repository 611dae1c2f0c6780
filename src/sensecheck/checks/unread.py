"""Labelled rows that could not be read: an error, unless somebody lets them be left out."""

from sensecheck.core.errors import CannotJudge


def unread_in_words(unread: int, read: int, reason: str) -> str:
    """How many rows could not be read, and why the first could not be."""
    return f"{unread} of {unread + read} rows could not be read (the first because {reason})"


def must_be_read(unread: int, read: int, reason: str, *, leave_out_unread: bool) -> None:
    """Raise `CannotJudge` for rows that could not be read, unless they may be left out and some stay."""
    if unread and not (leave_out_unread and read):
        way_out = f"; mend them, or {_LEAVE_OUT}" if read else ""
        raise CannotJudge(f"{unread_in_words(unread, read, reason)}{way_out}")


_LEAVE_OUT = "leave them out: `--leave-out-unread`, in Python `leave_out_unread=True`"
