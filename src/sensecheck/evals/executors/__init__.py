"""Who does the work of a large run: this process, others beside it, or a cluster."""
