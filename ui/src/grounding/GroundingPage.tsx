import { useCallback, useEffect, useState } from "preact/hooks"
import { reasonText, outcomeOf, titleOf, type GroundingData } from "../data/grounding"
import { Help } from "../components/Help"
import { useKeys } from "../components/useKeys"
import { OutcomeMark } from "../components/OutcomeBadge"
import { ThemeToggle, useTheme } from "../components/Theme"
import { CodeText } from "../components/CodeText"
import { Answer } from "./Answer"
import { Claims } from "./Claims"
import { Passages, PlaceLink } from "./Passages"
import { Reasons } from "./Reasons"
import { Thresholds } from "./Thresholds"
import { Tiles } from "./Tiles"

const KEYS: [string[], string][] = [
  [["j"], "next claim"],
  [["k"], "previous claim"],
  [["n"], "next claim that is not supported"],
  [["t"], "switch theme: system, light, dark"],
  [["?"], "this help"],
]

/** An answer next to its evidence, claim by claim. */
export function GroundingPage({ grounding }: { grounding: GroundingData }) {
  const [theme, nextTheme] = useTheme()
  const [help, setHelp] = useState(false)
  const [pointed, setPointed] = useState<number | null>(null)
  const chosen = useChosenClaim(grounding)
  const highlighted = pointed ?? chosen.claim
  useKeys({
    t: nextTheme,
    j: () => chosen.step(1, () => true),
    k: () => chosen.step(-1, () => true),
    n: () => chosen.step(1, ({ support }) => outcomeOf(support) === "fail" || support === "undetermined"),
    "?": () => setHelp(true),
  })
  const title = titleOf(grounding)
  useEffect(() => {
    document.title = `${title} · grounding`
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView()
  }, [title])
  const props = { grounding, highlighted, onPoint: setPointed }
  return (
    <>
      <header class="head">
        <div class="head-title">
          <p class="eyebrow">sensecheck · does the answer come from the passages?</p>
          <h1 class={`badge-${grounding.outcome}`}>
            <OutcomeMark outcome={grounding.outcome} />
            {title}
          </h1>
          <p class="because" dir="auto">
            <CodeText text={reasonText(grounding)} />
          </p>
          {grounding.question && (
            <p class="small" dir="auto">
              Question: {grounding.question}
            </p>
          )}
        </div>
        <div class="head-tools">
          <button
            type="button"
            class="quiet"
            onClick={() => setHelp(true)}
            aria-label="Keyboard shortcuts"
            title="Keyboard shortcuts (?)"
          >
            ?
          </button>
          <ThemeToggle theme={theme} onNext={nextTheme} />
        </div>
      </header>
      <main class="main">
        <Tiles grounding={grounding} />
        {grounding.injections.length > 0 && <Injections grounding={grounding} />}
        <div class="columns">
          <div class="texts">
            <Answer {...props} />
            <Passages {...props} />
          </div>
          {grounding.explained === null ? (
            <Claims {...props} />
          ) : (
            <section class="claims" aria-labelledby="read">
              <h2 id="read">Explanation of the score</h2>
              <pre class="card" dir="auto">
                {grounding.explained}
              </pre>
            </section>
          )}
        </div>
        <Reasons grounding={grounding} />
        <Thresholds grounding={grounding} />
        <footer class="small">
          {grounding.encoder
            ? `Encoder: ${grounding.encoder}. Written by sensecheck.`
            : "Written by sensecheck."}
        </footer>
      </main>
      <Help open={help} onClose={() => setHelp(false)} keys={KEYS} />
    </>
  )
}

/** The claim that was chosen by keyboard; its evidence gets the focus. */
function useChosenClaim({ claims }: GroundingData) {
  const [claim, setClaim] = useState<number | null>(null)
  const step = useCallback(
    (by: 1 | -1, matches: (claim: GroundingData["claims"][number]) => boolean) => {
      const from = claim ?? (by > 0 ? -1 : claims.length)
      for (let at = from + by; at >= 0 && at < claims.length; at += by) {
        if (!matches(claims[at]!)) continue
        setClaim(at)
        document.getElementById(`e${at + 1}`)?.focus()
        return
      }
    },
    [claim, claims],
  )
  return { claim, step }
}

/** The instructions to the model that the passages contain. */
function Injections({ grounding }: { grounding: GroundingData }) {
  return (
    <section class="card warning">
      <h2>A passage contains instructions to the model</h2>
      <ul>
        {grounding.injections.map((one, at) => (
          <li key={at}>
            <q dir="auto">{grounding.passages[one.passage]!.text.slice(one.start, one.end)}</q>{" "}
            <PlaceLink grounding={grounding} place={one} />
          </li>
        ))}
      </ul>
    </section>
  )
}
