"""What every request passes: limits, headers, problems."""
