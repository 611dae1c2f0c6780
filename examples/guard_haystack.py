"""Guard a Haystack pipeline: `python examples/guard_haystack.py`.

Install with `pip install 'sensecheck[minilm]' haystack-ai`. Haystack sends telemetry unless
HAYSTACK_TELEMETRY_ENABLED is `false`.
"""

from haystack import Document, Pipeline
from haystack.components.retrievers import FilterRetriever
from haystack.document_stores.in_memory import InMemoryDocumentStore

from sensecheck.adapters.haystack import SensecheckGuard

PAGES = (
    "Tablets are lent for three weeks.",
    "A tablet may be kept for three weeks.",
    "The canteen opens at noon.",
    "Late tablets cost one euro a day.",
    "Bicycles are parked behind the library.",
)
QUERY = "How long may I keep a tablet?"

store = InMemoryDocumentStore()
store.write_documents([Document(id=f"page {n}", content=text) for n, text in enumerate(PAGES, 1)])
pipeline = Pipeline()
pipeline.add_component("retriever", FilterRetriever(store))
pipeline.add_component("guard", SensecheckGuard([{"above": 0.3}, {"top": 2}]))
pipeline.connect("retriever.documents", "guard.documents")

found = pipeline.run({"retriever": {}, "guard": {"query": QUERY}})["guard"]
print(f"kept {len(found['documents'])} of {len(PAGES)}")
for document in found["documents"]:
    print(f"into the prompt: {document.content}")
for gone in found["selection"]["dropped"]:
    print(f"dropped {gone['source']}: {gone['stage']}, {gone['because']}")
