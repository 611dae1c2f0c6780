import type { CardData } from "../data/card"

/** The provenance of the threshold, and how to use it. */
export function Origin({ card }: { card: CardData }) {
  return (
    <section class="card">
      <h2>Provenance of the threshold</h2>
      <dl class="facts">
        {card.facts.map(([what, fact]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd dir="auto">{fact}</dd>
          </div>
        ))}
      </dl>
      <details>
        <summary>Complete definition of the measure</summary>
        <pre dir="auto">{card.measure_in_full}</pre>
      </details>
      <h3>Use in a check</h3>
      <pre>{`threshold: "${card.name}"  # of a preset\ncutoff: "${card.name}"  # of a gate`}</pre>
    </section>
  )
}
