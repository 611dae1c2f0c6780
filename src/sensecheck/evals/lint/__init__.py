"""What is allowed in a battery and yet not to be trusted: one file per suspicion."""
