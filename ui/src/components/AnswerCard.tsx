import type { ToneMark } from "../data/evidence"
import type { Expected } from "../data/expected"
import { Legend } from "./Legend"
import { MarkedText } from "./MarkedText"

interface Props {
  answer: string | null
  marks: ToneMark[]
  expected: Expected[]
  pointed: number | null
  onPoint: (id: number | null) => void
}

/** The answer next to the expected text; differences are marked in both. */
export function AnswerCard({ answer, marks, expected, ...rest }: Props) {
  const all = [...marks, ...expected.flatMap((one) => one.marks)]
  return (
    <div class="card">
      <div class="side-by-side">
        <section aria-label="Answer">
          <h3>Answer</h3>
          <Answer answer={answer} marks={marks} {...rest} />
        </section>
        {expected.length > 0 && (
          <section aria-label="Expected">
            {expected.map((one) => (
              <div key={one.text} class="expected">
                <h3>
                  Expected <span class="expected-by">by {one.by.join(", ")}</span>
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

function Answer({ answer, marks, ...rest }: Omit<Props, "expected">) {
  if (answer === null) return <p class="empty">No answer.</p>
  if (answer === "") return <p class="empty">The answer is empty.</p>
  return <MarkedText text={answer} marks={marks} {...rest} />
}
