"""What the service keeps: messages, keys, labels, policies."""
