"""What is told of the service while it runs."""
