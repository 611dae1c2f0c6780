"""`sensecheck eval`: a set of questions, answered, read by all metrics and kept."""

EXIT_CODES = ""


def eval_() -> None:
    """Evaluate the answers to a set of questions, and keep what came of it."""
