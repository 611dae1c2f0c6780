"""ONNX Runtime without its reports: whoever needs it takes it from here, never from the package itself."""

import os

os.putenv("ORT_DISABLE_TELEMETRY", "1")  # read once, by native code, while the package is imported

import onnxruntime
from onnxruntime.capi.onnxruntime_pybind11_state import (
    EPFail,
    Fail,
    InvalidArgument,
    InvalidGraph,
    InvalidProtobuf,
    NoModel,
    NoSuchFile,
    RuntimeException,
)
from onnxruntime.capi.onnxruntime_pybind11_state import NotImplemented as NotImplemented_

onnxruntime.disable_telemetry_events()  # all that is left to do where someone else imported it first

InferenceSession = onnxruntime.InferenceSession
SessionOptions = onnxruntime.SessionOptions
FAILURES = (
    EPFail,
    Fail,
    InvalidArgument,
    InvalidGraph,
    InvalidProtobuf,
    NoModel,
    NoSuchFile,
    NotImplemented_,
    RuntimeException,
)
"""What it raises; they have no base of their own."""
