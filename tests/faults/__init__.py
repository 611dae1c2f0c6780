"""Faults on the way to a server: a proxy that can delay, cut, and lose what goes through it."""
