"""The statistics that every comparison, card and report shares."""
