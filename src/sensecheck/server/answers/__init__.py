"""Answers within passages: asked, released claim by claim, streamed and kept."""
