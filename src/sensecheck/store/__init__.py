"""Where runs, verdicts and labels are kept."""
