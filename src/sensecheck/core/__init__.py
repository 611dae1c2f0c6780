"""Ground floor: values and shapes."""
