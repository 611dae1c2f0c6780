"""Middleware: what every request goes through."""
