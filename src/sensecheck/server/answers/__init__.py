"""Answers within passages: written, checked, released claim by claim, streamed and stored."""
