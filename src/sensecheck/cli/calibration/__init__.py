"""`sensecheck calibrate`, `card` and `train-head`."""
