"""Which texts are kept from training: three folds, of which the first is held out.

The weights for the words (`models/support`) learn from no text of the first fold, and the reader
(`models/reader`) from no SummEdits domain of it.
"""

import hashlib

FOLDS = 3
DOMAINS = (
    ("news", "scitldr", "podcast"),
    ("sales_email", "sales_call", "samsum"),
    ("ectsum", "qmsumm"),
)
"""The domains of SummEdits in each fold."""


def fold_of(group: str) -> int:
    """The fold of an article or a claim, by the hash of its key."""
    return int.from_bytes(hashlib.blake2b(group.encode(), digest_size=4).digest()) % FOLDS


def fold_of_domain(domain: str) -> int:
    """The fold of a SummEdits domain."""
    return next(fold for fold, domains in enumerate(DOMAINS) if domain in domains)
