"""Answers claim by claim, and passages window by window: what is checked against what."""
