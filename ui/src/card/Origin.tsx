import type { CardData } from "../data/card"

/** Where the threshold comes from, in full, and how it is used. */
export function Origin({ card }: { card: CardData }) {
  return (
    <section class="card">
      <h2>Where the threshold comes from</h2>
      <dl class="facts">
        {card.facts.map(([what, fact]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd dir="auto">{fact}</dd>
          </div>
        ))}
      </dl>
      <details>
        <summary>The measure in full</summary>
        <pre dir="auto">{card.measure_in_full}</pre>
      </details>
      <h3>To use it in a check</h3>
      <pre>{`threshold: "${card.name}"  # of a preset\ncutoff: "${card.name}"  # of a gate`}</pre>
    </section>
  )
}
