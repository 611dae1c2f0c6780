"""Labelled answers to cards and heads: one function per verb, for the command line and for notebooks."""

from sensecheck.training.cards import (
    Calibration,
    CalibrationRequest,
    CardCheckRequest,
    calibrate,
    check_card,
    find_card,
    list_cards,
)
from sensecheck.training.heads import TrainedHead, TrainingRequest, train_head

__all__ = [
    "Calibration",
    "CalibrationRequest",
    "CardCheckRequest",
    "TrainedHead",
    "TrainingRequest",
    "calibrate",
    "check_card",
    "find_card",
    "list_cards",
    "train_head",
]
