"""Where vectors and pair scores are kept: in a file, a folder, a store of objects, a server's memory."""
