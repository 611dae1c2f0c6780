"""The one walk, as it was recorded."""

from benchmarks.figures.tables import Results, sentence


def walk(results: Results) -> str:
    """A heading for each step; commands with what they printed, and what was done by hand."""
    return "\n\n".join(part for step in results["steps"] for part in _step(step))


def _step(step: Results) -> list[str]:
    parts = [f"## {step['title']}"]
    for one in step["shown"]:
        if one["by_hand"]:
            parts += [f"{sentence(one['typed'])}", f"```text\n{one['printed']}\n```"]
        else:
            parts.append(f"```text\n$ {one['typed']}\n{one['printed']}\n```")
    return parts
