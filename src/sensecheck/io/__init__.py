"""Files, object stores and network clients, with their limits."""
