import { useCallback, useEffect, useState } from "preact/hooks"
import { becauseOf, outcomeOf, titleOf, type GroundingData } from "../data/grounding"
import { Help } from "../pieces/Help"
import { useKeys } from "../pieces/keyboard"
import { OutcomeMark } from "../pieces/OutcomeBadge"
import { ThemeToggle, useTheme } from "../pieces/Theme"
import { Ticked } from "../pieces/Ticked"
import { Answer } from "./Answer"
import { Claims } from "./Claims"
import { Passages, PlaceLink } from "./Passages"
import { Reasons } from "./Reasons"
import { Thresholds } from "./Thresholds"
import { Tiles } from "./Tiles"

const KEYS: [string[], string][] = [
  [["j"], "the next claim"],
  [["k"], "the claim before"],
  [["n"], "the next claim that is not supported"],
  [["t"], "light, dark, or as the system has it"],
  [["?"], "this help"],
]

/** An answer beside its evidence, claim by claim. */
export function GroundingPage({ found }: { found: GroundingData }) {
  const [theme, nextTheme] = useTheme()
  const [help, setHelp] = useState(false)
  const [pointed, setPointed] = useState<number | null>(null)
  const chosen = useChosen(found)
  const lit = pointed ?? chosen.claim
  useKeys({
    t: nextTheme,
    j: () => chosen.step(1, () => true),
    k: () => chosen.step(-1, () => true),
    n: () => chosen.step(1, ({ support }) => outcomeOf(support) === "fail" || support === "undetermined"),
    "?": () => setHelp(true),
  })
  const title = titleOf(found)
  useEffect(() => {
    document.title = `${title} · grounding`
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView()
  }, [title])
  const shown = { found, lit, onPoint: setPointed }
  return (
    <>
      <header class="head">
        <div class="head-title">
          <p class="over">sensecheck · does the answer come from the passages?</p>
          <h1 class={`badge-${found.outcome}`}>
            <OutcomeMark outcome={found.outcome} />
            {title}
          </h1>
          <p class="because" dir="auto">
            <Ticked text={becauseOf(found)} />
          </p>
          {found.question && (
            <p class="small" dir="auto">
              Asked: {found.question}
            </p>
          )}
        </div>
        <div class="head-tools">
          <button
            type="button"
            class="quiet"
            onClick={() => setHelp(true)}
            aria-label="Keys"
            title="Keys (?)"
          >
            ?
          </button>
          <ThemeToggle theme={theme} onNext={nextTheme} />
        </div>
      </header>
      <main class="main">
        <Tiles found={found} />
        {found.injections.length > 0 && <Injections found={found} />}
        <div class="sides">
          <div class="texts">
            <Answer {...shown} />
            <Passages {...shown} />
          </div>
          {found.explained === null ? (
            <Claims {...shown} />
          ) : (
            <section class="claims" aria-labelledby="read">
              <h2 id="read">What was read</h2>
              <pre class="card" dir="auto">
                {found.explained}
              </pre>
            </section>
          )}
        </div>
        <Reasons found={found} />
        <Thresholds found={found} />
        <footer class="small">
          {found.encoder ? `Vectors by ${found.encoder}; written by sensecheck.` : "Written by sensecheck."}
        </footer>
      </main>
      <Help open={help} onClose={() => setHelp(false)} keys={KEYS} />
    </>
  )
}

/** The claim that was gone to by keys; its evidence has the focus, so that it is seen and read out. */
function useChosen({ claims }: GroundingData) {
  const [claim, setClaim] = useState<number | null>(null)
  const step = useCallback(
    (by: 1 | -1, wanted: (claim: GroundingData["claims"][number]) => boolean) => {
      const from = claim ?? (by > 0 ? -1 : claims.length)
      for (let at = from + by; at >= 0 && at < claims.length; at += by) {
        if (!wanted(claims[at]!)) continue
        setClaim(at)
        document.getElementById(`e${at + 1}`)?.focus()
        return
      }
    },
    [claim, claims],
  )
  return { claim, step }
}

/** Where the passages speak to the model, which they should not. */
function Injections({ found }: { found: GroundingData }) {
  return (
    <section class="card warning">
      <h2>A passage speaks to the model</h2>
      <ul>
        {found.injections.map((one, at) => (
          <li key={at}>
            <q dir="auto">{found.passages[one.passage]!.text.slice(one.start, one.end)}</q>{" "}
            <PlaceLink found={found} place={one} />
          </li>
        ))}
      </ul>
    </section>
  )
}
