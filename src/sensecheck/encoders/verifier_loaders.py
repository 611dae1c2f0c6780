"""One loader for each kind of verifier; what a kind needs is imported only inside its loader."""

from pathlib import Path

from sensecheck.core.backends import PairScorer
from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra
from sensecheck.core.loading import VerifierOptions

# ruff: noqa: PLC0415 - importing inside the loader is what this file is for


def mpnet(argument: str, options: VerifierOptions) -> PairScorer:
    """`mpnet`: our reader, in the package `sensecheck-verifier-large`, on ONNX Runtime."""
    from sensecheck.encoders.pins import verified
    from sensecheck.encoders.verifier_weights import VERIFIER_LARGE

    if argument:
        raise SpecError(f"the verifier `mpnet` takes no argument; got `{argument}`")
    folder = verified(VERIFIER_LARGE)
    with extra("verifier-large"):
        from sensecheck.encoders.verifier import OnnxVerifier
    return OnnxVerifier.from_folder(folder, threads=options.threads)


def onnx(argument: str, options: VerifierOptions) -> PairScorer:
    """`onnx:FOLDER`: a model with an ONNX file that reads a claim and its evidence, from a local folder."""
    if not argument:
        raise SpecError("the verifier `onnx` needs a folder: `onnx:…`")
    with extra("onnx"):
        from sensecheck.encoders.verifier import OnnxVerifier
    return OnnxVerifier.from_folder(Path(argument).expanduser(), threads=options.threads)


def hub(argument: str, options: VerifierOptions) -> PairScorer:
    """`hub:ORG/NAME@COMMIT`: such a model from the Hugging Face hub, downloaded once."""
    if not argument:
        raise SpecError("the verifier `hub` needs a model and its commit: `hub:ORG/NAME@COMMIT`")
    with extra("hub"):
        from sensecheck.encoders.hub import Hub
        from sensecheck.encoders.verifier import OnnxVerifier
    instead = "copy the model's folder there, and name it `onnx:FOLDER`"
    folder = Hub.of(argument, token=options.hub_token, without_network=instead).whole()
    return OnnxVerifier.from_folder(folder, threads=options.threads)
