# List what can be done.
default:
    @just --list --unsorted

python := env("SENSECHECK_PYTHON", ".venv/bin/python")

# Make the environment: everything that tests, docs and benchmarks need.
setup:
    tools/setup

# All of it, the same as CI.
check: lint test docs-check bare speed-short

# Style, types and the floors.
lint:
    {{ python }} -m ruff check .
    {{ python }} -m ruff format --check .
    {{ python }} -m mypy
    {{ python }} -m importlinter.cli lint

# Mend what can be mended.
format:
    {{ python }} -m ruff check --fix .
    {{ python }} -m ruff format .

# The tests, with the real model.
test *arguments:
    {{ python }} -m pytest {{ arguments }}

# The docs, built strictly; every page's code is run by the tests.
docs-check:
    {{ python }} -m mkdocs build --strict --quiet

# Write the measured figures into README and docs.
docs:
    {{ python }} benchmarks/write_figures.py

# Read the docs while writing them.
docs-serve:
    {{ python }} -m mkdocs serve

# The wheels: sensecheck, and the weights that go with it.
build:
    {{ python }} models/minilm/build.py --out dist
    {{ python }} -m hatchling build -d dist -t wheel

# The README's first screen, in an empty environment, from the built wheels.
bare: build
    {{ python }} -m pytest tests/bare -q

# Speed against the bare engine and against sentence-transformers, in full.
speed:
    {{ python }} benchmarks/speed/run.py --full

# The same in short form, for CI.
speed-short:
    {{ python }} benchmarks/speed/run.py --short

# What the shipped defaults do on labelled public data (SENSECHECK_DATA names its folder).
quality:
    {{ python }} benchmarks/quality/defaults.py
