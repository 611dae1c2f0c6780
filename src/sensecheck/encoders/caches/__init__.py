"""Where vectors may be kept: in a file, in a folder, in a store of objects, in a server's memory."""
