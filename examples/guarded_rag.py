"""Retrieve from pgvector, guard the references, ask a model, and check its answer against them.

python examples/guarded_rag.py --database postgresql://localhost/postgres --model http://localhost:8080/v1 M

Any PostgreSQL with pgvector and any server with OpenAI's chat completions will do:
pip install 'sensecheck[local,pgvector]'
"""

import argparse
import json
from urllib.request import Request, urlopen

from sensecheck import Sense, load_encoder
from sensecheck.retrieval import Block, above, chain, distinct, top, within_chars
from sensecheck.retrieval.indexes.index import Reference, Retriever, placed_entries
from sensecheck.retrieval.indexes.pgvector import PgVectorIndex

REFERENCES = (
    "The museum opens at nine, and on Sundays it opens at eleven.",
    "On Sundays the museum opens at eleven, on other days at nine.",
    "A ticket costs twelve euros; children under six come in free.",
    "Bread is baked from flour, water and salt.",
)
KEEP = chain(above(0.3), distinct(0.9), top(3), within_chars(400))
TABLE = "sensecheck_example"


def main() -> None:
    """One question from the index to a checked answer."""
    parser = argparse.ArgumentParser(description="A guarded RAG pipeline over pgvector and a real model.")
    parser.add_argument("--database", required=True, help="the address of a PostgreSQL with pgvector")
    parser.add_argument("--model", required=True, nargs=2, metavar=("URL", "NAME"), help="…/v1, and a model")
    parser.add_argument("--question", default="When does the museum open?")
    given = parser.parse_args()
    encoder = load_encoder("minilm")
    entries = list(placed_entries((Reference(str(at), text) for at, text in enumerate(REFERENCES)), encoder))
    index = PgVectorIndex.open(
        given.database, TABLE, encoder=encoder.fingerprint, dimension=len(entries[0].vector)
    )
    try:
        index.add(entries)
        found = Retriever(encoder, index).retrieve(given.question)
    finally:
        index.close()
    selection = KEEP(found.matches, query=found.query)
    print(selection.explain())
    kept = [match.text for match in selection.kept]
    address, model = given.model
    prompt = f"{Block()(selection.kept)}\n\n{given.question} Answer in one sentence."
    answer = asked(address, model, prompt)
    print(f"\nanswer: {answer}")
    verdict = Sense.load().grounded(answer, kept, question=given.question)
    print(f"{verdict.outcome}: {verdict.because}")


def asked(address: str, model: str, prompt: str) -> str:
    """What the model answers."""
    body = {"model": model, "temperature": 0, "messages": [{"role": "user", "content": prompt}]}
    request = Request(
        f"{address}/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urlopen(request, timeout=120) as reply:
        text: str = json.load(reply)["choices"][0]["message"]["content"]
    return text.strip()


if __name__ == "__main__":
    main()
