"""What must not change, as files: what commands print, digests, fingerprints, and the contracts."""
