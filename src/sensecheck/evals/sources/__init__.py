"""Where the answers of a battery come from: one file per way."""
