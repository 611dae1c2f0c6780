"""What guards do to a pipeline, with them and without, on labelled data."""
