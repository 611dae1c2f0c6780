"""The verifier that we pin: its package can carry nothing else than what is written here."""

from sensecheck.encoders.weights import PackagedModel

VERIFIER = PackagedModel(
    name="verifier",
    extra="verifier",
    package="sensecheck_verifier",
    package_files={
        # No file has this sum: nothing is accepted until there are weights to pin.
        "onnx/model.onnx": "7da85ac82b8aaabead26d254cd66997a2162b941a5625f68abe6fd9394a8f8fa",
        "tokenizer.json": "5fd1c882abbd30517dced455a2c9768945ec726b96727927e4959348d9de550b",
        "config.json": "2bbafb7842429d55c4085f31bf86c39baa8472b5037461e7ecf8c19dbd449d6d",
    },
)
