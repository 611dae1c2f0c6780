"""What was run: kept, found, summed up, compared and shown."""
