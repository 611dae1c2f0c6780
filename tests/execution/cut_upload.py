"""Uploads a part of a file, says so, and waits to be killed."""

import sys
import time

import fsspec

if __name__ == "__main__":
    store, path = fsspec.core.url_to_fs(sys.argv[1])
    with store.open(path, "xb", block_size=5 * 2**20) as file:
        file.write(b"." * 11 * 2**20)
        print("half", flush=True)
        time.sleep(600)
