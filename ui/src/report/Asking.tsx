import type { Detail, Texts } from "../data/run"
import { plainly } from "../data/words"

/** What the source was asked, and all that is known of the test. */
export function Asking({ detail, texts }: { detail: Detail; texts: Texts }) {
  const known = [
    ...Object.entries(texts.vars),
    ...Object.entries(detail.metadata).map(([key, value]) => [`${key} (metadata)`, value] as const),
  ]
  if (!texts.prompt && !known.length) return null
  return (
    <section class="card" aria-label="What was asked">
      {texts.prompt && (
        <>
          <h3>Prompt</h3>
          <div class="text soft" dir="auto">
            {texts.prompt}
          </div>
        </>
      )}
      {known.length > 0 && (
        <>
          <h3>Variables</h3>
          <dl class="facts">
            {known.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd class="text" dir="auto">
                  {plainly(value)}
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <p class="small">
        key <code>{detail.key}</code>
      </p>
    </section>
  )
}
