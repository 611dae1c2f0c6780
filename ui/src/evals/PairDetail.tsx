import type { Ref } from "preact"
import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { headlineFirst, metricName, type EvalPair, type EvalsIndex } from "../data/evals"
import type { EvalsStore } from "../data/evalsStore"
import { factsDiffer, KIND_NAMES, type Kind } from "../data/fields"
import type { Mark } from "../data/marks"
import { unshared } from "../data/wordDiff"
import { counted, decimals, duration } from "../data/words"
import { MarkedText, type Tone } from "../pieces/MarkedText"
import { Ticked } from "../pieces/Ticked"
import { KindMark } from "./KindMark"

interface Asked {
  store: EvalsStore
  row: number
  kind: Kind | undefined
  heading: Ref<HTMLHeadingElement>
  onClose: () => void
}

/** One question: what was expected and answered, what differs, and all that was read off it. */
export function PairDetail({ store, row, kind, heading, onClose }: Asked) {
  const { index } = store
  const pair = usePair(store, row)
  const frame = useRef<HTMLElement>(null)
  const { rows } = index
  // Also once its texts are there: a pair that has just been opened is lower than it will be.
  useEffect(() => {
    if (frame.current) intoSight(frame.current)
  }, [row, pair !== null])
  const about = [
    `Question ${rows.position[row]! + 1}`,
    rows.id[row],
    ...Object.entries(rows.slices).flatMap(([key, held]) => {
      const value = held.rows[row]
      return value === null || value === undefined ? [] : [`${key} ${held.values[value]}`]
    }),
  ]
  return (
    <article class="pair" aria-labelledby="pair-title" ref={frame}>
      <header class="pair-head">
        <div>
          <p class="over" dir="auto">
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

/** So much of the window the pair gets: the list and the picture above it stay in sight. */
const SHARE = 0.6

/** Scrolls no further than it has to, and at once for those who want nothing to move. */
function intoSight(element: Element): void {
  const { top, height } = element.getBoundingClientRect()
  const below = top + Math.min(height, innerHeight * SHARE) - innerHeight
  const by = top < 0 ? top : Math.max(0, below)
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches
  if (by) scrollBy({ top: by, behavior: still ? "auto" : "smooth" })
}

/** Until the next pair is there, the one before stays, so that nothing flickers. */
function usePair(store: EvalsStore, row: number): EvalPair | null {
  const [held, setHeld] = useState<{ row: number; pair: EvalPair } | null>(null)
  useEffect(() => {
    let wanted = true
    void store.pair(row).then((pair) => wanted && setHeld({ row, pair }))
    return () => {
      wanted = false
    }
  }, [store, row])
  return held?.row === row ? held.pair : null
}

function Body({ index, row, pair }: { index: EvalsIndex; row: number; pair: EvalPair }) {
  const [pointed, setPointed] = useState<number | null>(null)
  const [answerMarks, expectedMarks] = useMemo(() => marksOf(pair), [pair])
  const rest = { pointed, onPoint: setPointed }
  return (
    <>
      <div class="beside">
        <section aria-label="Answer">
          <h4 class="label">Answer</h4>
          {pair.answer ? (
            <MarkedText text={pair.answer} marks={answerMarks} {...rest} />
          ) : (
            <p class="none-said">{whyNone(pair)}</p>
          )}
        </section>
        <section aria-label="Expected">
          <h4 class="label">Expected</h4>
          {pair.expected ? (
            <MarkedText text={pair.expected} marks={expectedMarks} {...rest} />
          ) : (
            <p class="none-said">Nothing is expected.</p>
          )}
        </section>
      </div>
      {answerMarks.length + expectedMarks.length > 0 && <Legend facts={pair.facts.length > 0} />}
      {pair.facts.length > 0 && (
        <ul class="facts-differ" aria-label="Facts that differ">
          {pair.facts.map(({ kind, note }, at) => (
            <li
              key={at}
              class={pointed === at ? "lit" : ""}
              onPointerEnter={() => setPointed(at)}
              onPointerLeave={() => setPointed(null)}
            >
              <span class="kind">{kind}</span>
              <span>
                <Ticked text={note} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <Readings {...{ index, row, pair }} />
      <Passages {...pair} />
      {pair.left_out > 0 && (
        <p class="small">{counted(pair.left_out, "character")} of its texts are not in this page.</p>
      )}
    </>
  )
}

function whyNone({ answer, error }: EvalPair): string {
  if (answer === "") return "The answer is empty."
  return error ? `There is no answer: ${error}` : "There is no answer."
}

const ALONE: Tone = { tone: "claim", about: "only on this side", id: -1 }

/** The facts that differ, and the words beside them that only one side has. */
function marksOf(pair: EvalPair): [Mark<Tone>[], Mark<Tone>[]] {
  const { answer, expected, facts } = pair
  const [mine, theirs] = unshared(answer ?? "", expected ?? "")
  const placed = (side: "at" | "against"): Mark<Tone>[] =>
    facts.flatMap((fact, id) => {
      const place = fact[side]
      if (!place) return []
      return [{ start: place[0], end: place[1], as: { tone: "wrong", about: fact.note, id } }]
    })
  const both = (words: Mark<null>[], placed: Mark<Tone>[]): Mark<Tone>[] => [
    ...words
      .filter(({ start, end }) => placed.every((fact) => end <= fact.start || fact.end <= start))
      .map((mark) => ({ ...mark, as: ALONE })),
    ...placed,
  ]
  return [both(mine, placed("at")), both(theirs, placed("against"))]
}

function Legend({ facts }: { facts: boolean }) {
  return (
    <p class="legend small" aria-label="What the marks mean">
      {facts && <mark class="tone-wrong">a fact that differs</mark>}
      <mark class="tone-claim">a word that only this side has</mark>
    </p>
  )
}

interface ReadingsAsked {
  index: EvalsIndex
  row: number
  pair: EvalPair
}

/** Every metric's reading with its reason; what was not read is n/a, and says why. */
function Readings({ index, row, pair }: ReadingsAsked) {
  const labels = Object.entries(index.rows.labels)
  const spent = [
    pair.latency_ms !== null && `answered in ${duration(pair.latency_ms)}`,
    pair.cost !== null && `cost ${pair.cost}`,
  ].filter(Boolean)
  return (
    <>
      <dl class="readings" aria-label="Readings">
        {labels.map(([name, values]) => (
          <div key={`label ${name}`} class="reading-label">
            <dt>{name} (people said)</dt>
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
                    <Ticked text={(error ?? because)!} />
                  </p>
                )}
              </dd>
            </div>
          )
        })}
      </dl>
      {spent.length > 0 && <p class="small">{spent.join(", ")}</p>}
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
  if (bare) return <p class="small">The prompt held no passages.</p>
  if (!passages.length) return null
  return (
    <details>
      <summary>{counted(passages.length, "passage")} that the prompt held</summary>
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
