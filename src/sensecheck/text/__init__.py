"""Words, sentences and languages of a text, with their places; texts of strangers made safe."""
