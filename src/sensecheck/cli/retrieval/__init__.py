"""`sensecheck guard` and `effects`."""
