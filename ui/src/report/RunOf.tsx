import type { ComponentChildren } from "preact"
import { useMemo, useState } from "preact/hooks"
import { explained, marksOf } from "../data/evidence"
import { expectedOf } from "../data/expected"
import type { Line, Run } from "../data/run"
import { counted, decimals, duration } from "../data/words"
import { AnswerCard } from "../pieces/AnswerCard"
import { OutcomeBadge } from "../pieces/OutcomeBadge"
import { Ticked } from "../pieces/Ticked"
import { VerdictTree } from "../pieces/VerdictTree"

interface Asked {
  lines: readonly Line[]
  run: Run
  answer: string | null
  /** The variable `expected` of the test. */
  known: unknown
  /** What stands between the answer and the assertions on it. */
  children: ComponentChildren
}

/** One of the times that a test was run: its answer, and every assertion on it. */
export function RunOf({ lines, run, answer, known, children }: Asked) {
  const [pointed, onPoint] = useState<number | null>(null)
  const explanation = useMemo(() => explained(run.verdict), [run])
  const marks = useMemo(() => marksOf(explanation, answer?.length ?? 0), [explanation, answer])
  const parts = explanation.parts.length ? explanation.parts : [explanation]
  const expected = useMemo(() => expectedOf(parts, run.scores, known), [explanation, run, known])
  return (
    <>
      <Reason run={run} />
      <AnswerCard {...{ answer, marks, expected, pointed, onPoint }} />
      {children}
      {answer !== null && (
        <section class="card" aria-label="Assertions">
          <h3>{counted(parts.length, "assertion")}</h3>
          {parts.map((part, at) => (
            <VerdictTree
              key={at}
              explained={part}
              score={run.scores[at]}
              {...{ lines, answer, pointed, onPoint }}
            />
          ))}
        </section>
      )}
    </>
  )
}

function Reason({ run }: { run: Run }) {
  const facts = [
    run.score !== null && `score ${decimals(run.score)}`,
    run.latency !== null && duration(run.latency),
    run.cost !== null && `cost ${run.cost}`,
  ].filter(Boolean)
  return (
    <p class={`reason reason-${run.outcome}`}>
      <OutcomeBadge outcome={run.outcome} />{" "}
      <span>
        <Ticked text={run.verdict.because} />
      </span>
      {facts.length > 0 && <span class="small">{facts.join(" · ")}</span>}
    </p>
  )
}
