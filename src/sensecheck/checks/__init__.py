"""From needs to verdicts: gates, their combinations, and the staircase that assesses."""
