"""Guard a LangChain retriever: `python examples/guard_langchain.py`.

Install with `pip install 'sensecheck[minilm]' langchain-classic`.
"""

from langchain_classic.retrievers import ContextualCompressionRetriever
from langchain_core.documents import Document
from langchain_core.runnables import RunnableLambda

from sensecheck.adapters.langchain import SensecheckCompressor
from sensecheck.retrieval import above, chain, top
from sensecheck.retrieval.selection import Selection

PAGES = (
    "Tablets are lent for three weeks.",
    "A tablet may be kept for three weeks.",
    "The canteen opens at noon.",
    "Late tablets cost one euro a day.",
    "Bicycles are parked behind the library.",
)


def search(query: str) -> list[Document]:
    """Stand in for your own retriever; this one returns everything."""
    return [Document(page_content=text, metadata={"source": f"page {n}"}) for n, text in enumerate(PAGES, 1)]


def show(selection: Selection) -> None:
    """Print what was kept, and why the rest was dropped."""
    print(selection.explain())


guarded = ContextualCompressionRetriever(
    base_compressor=SensecheckCompressor(chain(above(0.3), top(2)), on_selection=show),
    base_retriever=RunnableLambda(search),
)

for document in guarded.invoke("How long may I keep a tablet?"):
    print(f"into the prompt: {document.page_content}")
