import { CodeText } from "../components/CodeText"
import type { GroundingData } from "../data/grounding"

/** The thresholds, and their promises. */
export function Thresholds({ grounding: { thresholds } }: { grounding: GroundingData }) {
  if (!thresholds.length) return null
  return (
    <section class="card">
      <h2>Thresholds</h2>
      <dl class="facts">
        {thresholds.map(({ name, words, promise, no_promise }, at) => (
          <div key={at}>
            <dt>{name}</dt>
            <dd>
              <p dir="auto">{words}</p>
              <p class="small" dir="auto">
                <CodeText
                  text={
                    promise === null ? `No promise for this verdict: ${no_promise}.` : `Promise: ${promise}.`
                  }
                />
              </p>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
