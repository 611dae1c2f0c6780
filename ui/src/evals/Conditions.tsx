import type { EvalsIndex } from "../data/evals"
import { plainly } from "../data/words"

/** What decided about the readings. */
export function Conditions({ index }: { index: EvalsIndex }) {
  const facts = Object.entries({ ...index.embedding, ...index.generation, ...index.conditions })
  if (!facts.length) return null
  return (
    <details class="card conditions">
      <summary>Under which conditions</summary>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">
              <code>{plainly(value)}</code>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
