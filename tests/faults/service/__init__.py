"""A real service, all that it leans on behind proxies, and readers who remember what they were told."""
