"""What a battery can ask of an answer: each type of assertion, read into a check."""
