"""Who may come in, and how much they may ask for."""
