import type { Ref } from "preact"
import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { headlineFirst, metricName, type EvalPair, type EvalsIndex } from "../data/evals"
import type { EvalsStore } from "../data/evalsStore"
import { factsDiffer, KIND_NAMES, type Kind } from "../data/kinds"
import type { Mark } from "../data/marks"
import { diffWords } from "../data/wordDiff"
import { plural, decimals, duration } from "../data/format"
import { MarkedText, type Tone } from "../components/MarkedText"
import { CodeText } from "../components/CodeText"
import { KindMark } from "./KindMark"

interface Props {
  store: EvalsStore
  row: number
  kind: Kind | undefined
  heading: Ref<HTMLHeadingElement>
  onClose: () => void
}

/** One question: answer and expected answer, their differences, and all scores. */
export function PairDetail({ store, row, kind, heading, onClose }: Props) {
  const { index } = store
  const pair = usePair(store, row)
  const frame = useRef<HTMLElement>(null)
  const { rows } = index
  // Also once its texts are loaded, since the pair is then taller.
  useEffect(() => {
    if (frame.current) scrollToElement(frame.current)
  }, [row, pair !== null])
  const about = [
    `Question ${rows.position[row]! + 1}`,
    rows.id[row],
    ...Object.entries(rows.slices).flatMap(([key, slice]) => {
      const value = slice.rows[row]
      return value === null || value === undefined ? [] : [`${key} ${slice.values[value]}`]
    }),
  ]
  return (
    <article class="pair" aria-labelledby="pair-title" ref={frame}>
      <header class="pair-head">
        <div>
          <p class="eyebrow" dir="auto">
            {about.join(" · ")}
          </p>
          <h3 id="pair-title" ref={heading} tabIndex={-1} dir="auto">
            {pair?.question ?? rows.title[row]}
          </h3>
          {kind && (
            <p class="pair-kind">
              <KindMark kind={kind} hollow={factsDiffer(index, row)} /> {KIND_NAMES[kind]}
            </p>
          )}
        </div>
        <button
          type="button"
          class="quiet close"
          onClick={onClose}
          aria-label="Close this pair"
          title="Close (Esc)"
        >
          ✕
        </button>
      </header>
      {pair ? <Body key={row} index={index} row={row} pair={pair} /> : <p class="empty">…</p>}
    </article>
  )
}

/** The share of the window for the pair: the list and the chart above it stay visible. */
const WINDOW_SHARE = 0.6

/** Scrolls no further than necessary, and instantly with reduced motion. */
function scrollToElement(element: Element): void {
  const { top, height } = element.getBoundingClientRect()
  const below = top + Math.min(height, innerHeight * WINDOW_SHARE) - innerHeight
  const by = top < 0 ? top : Math.max(0, below)
  const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)").matches
  if (by) scrollBy({ top: by, behavior: reducedMotion ? "auto" : "smooth" })
}

/** The texts of a pair; null until they are loaded. */
function usePair(store: EvalsStore, row: number): EvalPair | null {
  const [loaded, setLoaded] = useState<{ row: number; pair: EvalPair } | null>(null)
  useEffect(() => {
    let active = true
    void store.pair(row).then((pair) => active && setLoaded({ row, pair }))
    return () => {
      active = false
    }
  }, [store, row])
  return loaded?.row === row ? loaded.pair : null
}

function Body({ index, row, pair }: { index: EvalsIndex; row: number; pair: EvalPair }) {
  const [pointed, setPointed] = useState<number | null>(null)
  const [answerMarks, expectedMarks] = useMemo(() => pairMarks(pair), [pair])
  const rest = { pointed, onPoint: setPointed }
  return (
    <>
      <div class="side-by-side">
        <section aria-label="Answer">
          <h4 class="label">Answer</h4>
          {pair.answer ? (
            <MarkedText text={pair.answer} marks={answerMarks} {...rest} />
          ) : (
            <p class="missing-text">{missingAnswerText(pair)}</p>
          )}
        </section>
        <section aria-label="Expected">
          <h4 class="label">Expected</h4>
          {pair.expected ? (
            <MarkedText text={pair.expected} marks={expectedMarks} {...rest} />
          ) : (
            <p class="missing-text">No expected answer.</p>
          )}
        </section>
      </div>
      {answerMarks.length + expectedMarks.length > 0 && <Legend facts={pair.facts.length > 0} />}
      {pair.facts.length > 0 && (
        <ul class="facts-differ" aria-label="Facts that differ">
          {pair.facts.map(({ kind, note }, at) => (
            <li
              key={at}
              class={pointed === at ? "highlighted" : ""}
              onPointerEnter={() => setPointed(at)}
              onPointerLeave={() => setPointed(null)}
            >
              <span class="kind">{kind}</span>
              <span>
                <CodeText text={note} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <Scores {...{ index, row, pair }} />
      <Passages {...pair} />
      {pair.left_out > 0 && (
        <p class="small">{plural(pair.left_out, "character")} of its texts are not included in this page.</p>
      )}
    </>
  )
}

function missingAnswerText({ answer, error }: EvalPair): string {
  if (answer === "") return "The answer is empty."
  return error ? `No answer: ${error}` : "No answer."
}

const ONLY_HERE: Tone = { tone: "claim", about: "only in this text", id: -1 }

/** The marks of both texts: facts that differ, and words that only one text has. */
function pairMarks(pair: EvalPair): [Mark<Tone>[], Mark<Tone>[]] {
  const { answer, expected, facts } = pair
  const [mine, theirs] = diffWords(answer ?? "", expected ?? "")
  const placed = (side: "at" | "against"): Mark<Tone>[] =>
    facts.flatMap((fact, id) => {
      const place = fact[side]
      if (!place) return []
      return [{ start: place[0], end: place[1], as: { tone: "wrong", about: fact.note, id } }]
    })
  const both = (words: Mark<null>[], placed: Mark<Tone>[]): Mark<Tone>[] => [
    ...words
      .filter(({ start, end }) => placed.every((fact) => end <= fact.start || fact.end <= start))
      .map((mark) => ({ ...mark, as: ONLY_HERE })),
    ...placed,
  ]
  return [both(mine, placed("at")), both(theirs, placed("against"))]
}

function Legend({ facts }: { facts: boolean }) {
  return (
    <p class="legend small" aria-label="Legend">
      {facts && <mark class="tone-wrong">fact that differs</mark>}
      <mark class="tone-claim">only in this text</mark>
    </p>
  )
}

interface ScoresProps {
  index: EvalsIndex
  row: number
  pair: EvalPair
}

/** The score of every metric with its reason; a missing score is n/a, with the reason. */
function Scores({ index, row, pair }: ScoresProps) {
  const labels = Object.entries(index.rows.labels)
  const usage = [
    pair.latency_ms !== null && `answered in ${duration(pair.latency_ms)}`,
    pair.cost !== null && `cost ${pair.cost}`,
  ].filter(Boolean)
  return (
    <>
      <dl class="readings" aria-label="Scores">
        {labels.map(([name, values]) => (
          <div key={`label ${name}`} class="reading-label">
            <dt>{name} (human label)</dt>
            <dd>
              <b>{values[row] === null ? "n/a" : String(values[row])}</b>
            </dd>
          </div>
        ))}
        {headlineFirst(index.metrics).map((at) => {
          const value = index.rows.values[at]![row]!
          const [because, error] = pair.because[at] ?? [null, null]
          return (
            <div key={at}>
              <dt>{metricName(index.metrics, at)}</dt>
              <dd>
                <b>{value === null ? "n/a" : decimals(value)}</b>
                <Bar value={value} />
                {(error ?? because) && (
                  <p class={error ? "small wrong" : "small"}>
                    <CodeText text={(error ?? because)!} />
                  </p>
                )}
              </dd>
            </div>
          )
        })}
      </dl>
      {usage.length > 0 && <p class="small">{usage.join(", ")}</p>}
    </>
  )
}

function Bar({ value }: { value: number | null }) {
  return (
    <span class={value === null ? "bar unread" : "bar"} aria-hidden="true">
      {value !== null && <span style={{ width: `${Math.max(0, Math.min(1, value)) * 100}%` }} />}
    </span>
  )
}

export function Passages({ passages, bare }: Pick<EvalPair, "passages" | "bare">) {
  if (bare) return <p class="small">The prompt contained no passages.</p>
  if (!passages.length) return null
  return (
    <details>
      <summary>{plural(passages.length, "passage")} in the prompt</summary>
      <ol class="passages">
        {passages.map((text, at) => (
          <li key={at} class="text soft" dir="auto">
            {text}
          </li>
        ))}
      </ol>
    </details>
  )
}
