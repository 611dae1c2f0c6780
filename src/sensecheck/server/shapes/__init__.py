"""What strangers send and what they get, as schemas."""
