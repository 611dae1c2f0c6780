"""Facts: numbers, dates, names, negations and opposites, and where an answer's differ from a reference's."""
