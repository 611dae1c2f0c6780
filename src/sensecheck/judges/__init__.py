"""Language models that are asked for their opinion, one file per way of asking."""
