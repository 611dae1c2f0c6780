"""Guard LlamaIndex nodes: `python examples/guard_llama_index.py`.

Install with `pip install 'sensecheck[minilm]' llama-index-core`. A query engine takes the same guard, as one
of its `node_postprocessors`.
"""

from llama_index.core.schema import NodeWithScore, TextNode

from sensecheck.adapters.llama_index import SensecheckPostprocessor
from sensecheck.retrieval import above, chain, top
from sensecheck.retrieval.selection import Selection

PAGES = (
    "Tablets are lent for three weeks.",
    "A tablet may be kept for three weeks.",
    "The canteen opens at noon.",
    "Late tablets cost one euro a day.",
    "Bicycles are parked behind the library.",
)


def show(selection: Selection) -> None:
    """Print what was kept, and why the rest was dropped."""
    print(selection.explain())


guard = SensecheckPostprocessor(chain(above(0.3), top(2)), on_selection=show)
nodes = [NodeWithScore(node=TextNode(text=text, id_=f"page {n}")) for n, text in enumerate(PAGES, 1)]

for node in guard.postprocess_nodes(nodes, query_str="How long may I keep a tablet?"):
    print(f"into the prompt: {node.text}")
