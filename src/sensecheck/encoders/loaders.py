"""One loader for each kind of encoder; what a kind needs is imported only inside its loader."""

from pathlib import Path

from sensecheck.core.encoder import Encoder
from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra
from sensecheck.core.loading import EncoderOptions

# ruff: noqa: PLC0415 - importing inside the loader is what this file is for


def minilm(argument: str, options: EncoderOptions) -> Encoder:
    """`minilm`: the model in the package `sensecheck-minilm`, on ONNX Runtime."""
    from sensecheck.encoders.weights import MINILM, must_be, packaged

    if argument:
        raise SpecError(f"the encoder `minilm` takes no argument; found `{argument}`")
    folder = packaged(MINILM)
    with extra("minilm"):
        from sensecheck.encoders.onnx import onnx_encoder
    must_be(folder, MINILM.package_files)
    return onnx_encoder(folder, name="minilm", threads=options.threads, prefix=options.prefix)


def onnx(argument: str, options: EncoderOptions) -> Encoder:
    """`onnx:FOLDER`: any sentence-embedding model with an ONNX file, from a local folder."""
    path = Path(_wanted("onnx", argument, "a folder"))
    with extra("onnx"):
        from sensecheck.encoders.onnx import onnx_encoder
    return onnx_encoder(path, name=path.resolve().name, threads=options.threads, prefix=options.prefix)


def hashing(argument: str, options: EncoderOptions) -> Encoder:
    """`hashing` or `hashing:DIMENSION`: words in buckets, for unit tests."""
    from sensecheck.encoders.hashing import HashingEncoder

    return HashingEncoder(int(argument)) if argument else HashingEncoder()


def _wanted(kind: str, argument: str, what: str) -> str:
    if not argument:
        raise SpecError(f"the encoder `{kind}` wants {what}: `{kind}:…`")
    return argument
