"""Linear models over parts of an answer: what was learned from labelled answers, and run with numpy."""
