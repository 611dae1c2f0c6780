"""What may pass from a retriever into a prompt."""
