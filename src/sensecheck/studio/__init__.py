"""The Studio: runs of all stores as pages that people look at, on a laptop and on the service."""
