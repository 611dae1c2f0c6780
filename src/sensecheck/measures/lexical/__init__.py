"""How much two texts share letter by letter and word by word."""
