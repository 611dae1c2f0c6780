import type { ComponentChildren } from "preact"
import { useMemo, useState } from "preact/hooks"
import { explainVerdict, answerMarks } from "../data/evidence"
import { expectedTexts } from "../data/expected"
import type { Cutoff, Run } from "../data/run"
import { plural, decimals, duration } from "../data/format"
import { AnswerCard } from "../components/AnswerCard"
import { OutcomeBadge } from "../components/OutcomeBadge"
import { CodeText } from "../components/CodeText"
import { VerdictTree } from "../components/VerdictTree"

interface Props {
  cutoffs: readonly Cutoff[]
  run: Run
  answer: string | null
  /** The variable `expected` of the test. */
  expectedVariable: unknown
  /** Shown between the answer and its assertions. */
  children: ComponentChildren
}

/** One run of a test: its answer and its assertions. */
export function RunDetail({ cutoffs, run, answer, expectedVariable, children }: Props) {
  const [pointed, onPoint] = useState<number | null>(null)
  const explanation = useMemo(() => explainVerdict(run.verdict), [run])
  const marks = useMemo(() => answerMarks(explanation, answer?.length ?? 0), [explanation, answer])
  const parts = explanation.parts.length ? explanation.parts : [explanation]
  const expected = useMemo(
    () => expectedTexts(parts, run.scores, expectedVariable),
    [explanation, run, expectedVariable],
  )
  return (
    <>
      <Reason run={run} />
      <AnswerCard {...{ answer, marks, expected, pointed, onPoint }} />
      {children}
      {answer !== null && (
        <section class="card" aria-label="Assertions">
          <h3>{plural(parts.length, "assertion")}</h3>
          {parts.map((part, at) => (
            <VerdictTree
              key={at}
              explained={part}
              score={run.scores[at]}
              {...{ cutoffs, answer, pointed, onPoint }}
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
        <CodeText text={run.verdict.because} />
      </span>
      {facts.length > 0 && <span class="small">{facts.join(" · ")}</span>}
    </p>
  )
}
