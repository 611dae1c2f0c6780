"""Through the doors, with real parts."""
