"""What strangers try."""
