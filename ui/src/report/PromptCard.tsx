import type { Detail, Texts } from "../data/run"
import { toText } from "../data/format"

/** The prompt, and the variables and metadata of the test. */
export function PromptCard({ detail, texts }: { detail: Detail; texts: Texts }) {
  const variables = [
    ...Object.entries(texts.vars),
    ...Object.entries(detail.metadata).map(([key, value]) => [`${key} (metadata)`, value] as const),
  ]
  if (!texts.prompt && !variables.length) return null
  return (
    <section class="card" aria-label="Prompt and variables">
      {texts.prompt && (
        <>
          <h3>Prompt</h3>
          <div class="text soft" dir="auto">
            {texts.prompt}
          </div>
        </>
      )}
      {variables.length > 0 && (
        <>
          <h3>Variables</h3>
          <dl class="facts">
            {variables.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd class="text" dir="auto">
                  {toText(value)}
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
