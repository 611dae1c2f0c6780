"""The verifiers that we pin, as `models/reader/build.py --pins` wrote them; nothing else loads."""

from sensecheck.encoders.pins import PackagedModel

VERIFIER_LARGE = PackagedModel(
    name="verifier-large",
    extra="verifier-large",
    package="sensecheck_verifier_large",
    package_files={
        "onnx/model.onnx": "0f3dc5398f362333d050acd6d4bdd414fb065365dc015438465f8c258dc0e433",
        "tokenizer.json": "cf94b70ce8e654de07562a2a50451bdcf5c31147dcfed6ce2d015131856612be",
        "config.json": "93def37e0f0d8633eb3733a7efb7fa0db02d30ddfd1044383f38c54e4bd0abfd",
    },
)
