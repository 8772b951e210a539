"""How full are the chunks? Mean of tokens over budget, each document's last chunk apart.

Run: python benchmarks/fill.py
"""

from __future__ import annotations

from statistics import mean

from sample_texts import corpora, prose

import spanwise

GOALS = {"words": 0.90, "sentences": 0.90, "recursive": 0.90, "structural": 0.75}
BUDGETS = (512, 128, 64)


def main() -> None:
    """Print a Markdown table: the mean over all chunks, and the least mean of one document."""
    documents = {**prose(), **corpora()}
    size = sum(map(len, documents.values()))
    print(f"Mean fill over {len(documents)} documents, {size:,} characters, cl100k_base.\n")
    sizes = " | ".join(f"{budget} tokens" for budget in BUDGETS)
    print(f"| strategy | {sizes} | least document at 512 | goal at 512 |")
    print("|---|" + "---|" * (len(BUDGETS) + 2))
    for strategy, goal in GOALS.items():
        fills = {budget: _fills(strategy, budget, documents) for budget in BUDGETS}
        overall = [mean(fill for each in fills[budget].values() for fill in each) for budget in BUDGETS]
        name, least = min(((name, mean(each)) for name, each in fills[512].items() if each), key=lambda pair: pair[1])
        cells = " | ".join(f"{value:.3f}" for value in overall)
        verdict = "met" if overall[0] >= goal else "MISSED"
        print(f"| {strategy} | {cells} | {least:.3f} ({name}) | {goal:.2f} {verdict} |")


def _fills(strategy: str, budget: int, documents: dict[str, str]) -> dict[str, list[float]]:
    chunker = spanwise.Chunker(strategy, max_tokens=budget, overflow="split")
    return {name: [chunk.tokens / budget for chunk in chunker.chunk(text)[:-1]] for name, text in documents.items()}


if __name__ == "__main__":
    main()
