"""The service: answers from a passage, and checks of answers, over HTTP."""
