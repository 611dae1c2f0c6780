import type { ToneMark } from "../data/evidence"
import type { Expected } from "../data/expected"
import { Legend } from "./Legend"
import { MarkedText } from "./MarkedText"

interface Asked {
  answer: string | null
  marks: ToneMark[]
  expected: Expected[]
  pointed: number | null
  onPoint: (id: number | null) => void
}

/** The answer beside what was expected; what differs is marked in both. */
export function AnswerCard({ answer, marks, expected, ...rest }: Asked) {
  const all = [...marks, ...expected.flatMap((one) => one.marks)]
  return (
    <div class="card">
      <div class="beside">
        <section aria-label="Answer">
          <h3>Answer</h3>
          <Answer answer={answer} marks={marks} {...rest} />
        </section>
        {expected.length > 0 && (
          <section aria-label="Expected">
            {expected.map((one) => (
              <div key={one.text} class="expected">
                <h3>
                  Expected <span class="by">by {one.by.join(", ")}</span>
                </h3>
                <MarkedText text={one.text} marks={one.marks} {...rest} />
              </div>
            ))}
          </section>
        )}
      </div>
      <Legend tones={all.map((mark) => mark.as.tone)} />
    </div>
  )
}

function Answer({ answer, marks, ...rest }: Omit<Asked, "expected">) {
  if (answer === null) return <p class="empty">There is no answer.</p>
  if (answer === "") return <p class="empty">The answer is empty.</p>
  return <MarkedText text={answer} marks={marks} {...rest} />
}
