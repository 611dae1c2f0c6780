import type { GroundingData } from "../data/grounding"

/** The thresholds that decided, and what they promise. */
export function Thresholds({ found: { thresholds } }: { found: GroundingData }) {
  if (!thresholds.length) return null
  return (
    <section class="card">
      <h2>The thresholds that decide</h2>
      <dl class="facts">
        {thresholds.map(({ name, words, promise, no_promise }, at) => (
          <div key={at}>
            <dt>{name}</dt>
            <dd>
              <p dir="auto">{words}</p>
              <p class="small" dir="auto">
                {promise === null ? `No promise for this verdict: ${no_promise}.` : `Promise: ${promise}.`}
              </p>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
