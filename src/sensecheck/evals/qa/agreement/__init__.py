"""How well metrics agree with what people said of the same answers."""
