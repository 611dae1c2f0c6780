# List what can be done.
default:
    @just --list --unsorted

export PATH := justfile_directory() / ".venv/bin:" + env("PATH")

# Make the environment: everything that tests, docs and benchmarks need.
setup:
    tools/setup

# All of it, the same as CI.
check: lint test docs-check bare speed-short

# Style, types and the floors.
lint:
    ruff check .
    ruff format --check .
    mypy
    lint-imports

# Mend what can be mended.
format:
    ruff check --fix .
    ruff format .

# The tests, with the real model.
test *arguments:
    pytest --ignore tests/bare {{ arguments }}

# The docs, built strictly, with figures as they were measured; every page's code is run by the tests.
docs-check:
    NO_MKDOCS_2_WARNING=1 mkdocs build --strict --quiet
    python benchmarks/write_figures.py --check

# Write the measured figures into README and docs.
docs:
    python benchmarks/write_figures.py

# Read the docs while writing them.
docs-serve:
    NO_MKDOCS_2_WARNING=1 mkdocs serve

# The wheels: sensecheck, and the weights that go with it.
build:
    python models/minilm/build.py --out dist
    hatchling build -d dist -t wheel

# The README's first screen, in an empty environment, from the built wheels.
bare: build
    pytest tests/bare

# Speed against the bare engine and against sentence-transformers, in full.
speed:
    python benchmarks/speed/run.py --full

# The same in short form, for CI.
speed-short:
    python benchmarks/speed/run.py --short

# What an install brings into an empty environment.
weight: build
    python benchmarks/weight.py

# What the shipped defaults do on labelled public data (SENSECHECK_DATA names its folder).
quality:
    python benchmarks/quality/defaults.py
