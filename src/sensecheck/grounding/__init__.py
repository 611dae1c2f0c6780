"""An answer from within a passage, or the word that there is none."""
