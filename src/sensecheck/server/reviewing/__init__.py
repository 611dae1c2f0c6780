"""What reviewers say, and what follows from it."""
