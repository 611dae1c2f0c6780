"""Two evaluations of the same questions held against each other, metric by metric and slice by slice."""
