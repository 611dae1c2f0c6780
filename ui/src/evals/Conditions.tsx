import type { EvalsIndex } from "../data/evals"
import { toText } from "../data/format"

/** The settings that the scores depend on. */
export function Conditions({ index }: { index: EvalsIndex }) {
  const facts = Object.entries({ ...index.embedding, ...index.generation, ...index.conditions })
  if (!facts.length) return null
  return (
    <details class="card conditions">
      <summary>Settings of the run</summary>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">
              <code>{toText(value)}</code>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
