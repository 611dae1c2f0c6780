import { useState } from "preact/hooks"
import { Rates } from "../card/Rates"
import type { CardData } from "../data/card"
import { integer } from "../data/format"
import { send, type RequestError, type RunHead } from "./api"
import type { Chart } from "./cutoffs"
import { Failure, Select } from "./parts"
import type { SetParams } from "./route"

export interface FittedCard {
  page: CardData
  file: string
  cutoff: number
  unsure: [number, number] | null
  is_new: boolean
  changes: { what: string; before: string | null; after: string }[]
  check: unknown
  saved?: string
  /** The name and version of the policy that it became. */
  applied?: string
}

interface FitReply {
  card: FittedCard | null
  because?: string
}

interface Props {
  id: string
  run: RunHead
  chart: Chart
  fpr: number | null
  fnr: number | null
  setParams: SetParams
  fitted: FittedCard | null
  onFitted: (card: FittedCard | null) => void
}

/** What a card is to promise; fitted, it is shown with what it changes, and can be saved. */
export function FitPanel({ id, run, chart, fpr, fnr, setParams, fitted, onFitted }: Props) {
  const [name, setName] = useState(() => cardName(run.project, chart.metric))
  const [method, setMethod] = useState<"exact" | "best_f1">("exact")
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<RequestError | null>(null)
  const [because, setBecause] = useState("")
  const promises = method === "exact"
  const fit = (more: { save?: boolean; replace?: boolean; apply?: boolean } = {}) => {
    setBusy(true)
    setError(null)
    setBecause("")
    const { metric, label, rows, good } = chart
    const targets = promises ? { fpr, fnr } : {}
    send<FitReply>(`/runs/${id}/calibrate/fit`, {
      name,
      metric,
      label,
      rows,
      good,
      method,
      ...targets,
      ...more,
    })
      .then((reply) => {
        onFitted(reply.card)
        setBecause(reply.because ?? "")
      }, setError)
      .finally(() => setBusy(false))
  }
  const { missing } = chart
  const lacking = [
    missing.bad && `${integer(missing.bad)} more bad`,
    missing.good && `${integer(missing.good)} more good`,
  ]
    .filter(Boolean)
    .join(" and ")
  return (
    <section class="card fit">
      <h2>Fit a cutoff that keeps a promise</h2>
      <form
        class="fit-form"
        onSubmit={(event) => {
          event.preventDefault()
          fit()
        }}
      >
        <Select
          label="Method"
          all=""
          value={method}
          choices={[
            ["exact", "with a guarantee (95% confidence)"],
            ["best_f1", "best F1, promises nothing"],
          ]}
          onChoose={(value) => setMethod(value as typeof method)}
        />
        {promises && (
          <>
            <Limit
              name="bad answers that pass, at most"
              value={fpr}
              onChange={(value) => setParams({ fpr: value })}
            />
            <Limit
              name="good answers that fail, at most"
              value={fnr}
              onChange={(value) => setParams({ fnr: value })}
            />
          </>
        )}
        <label>
          name of the card
          <input value={name} maxLength={100} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <button type="submit" class="primary" disabled={busy || !chart.can_fit}>
          {busy ? "Fitting …" : "Fit"}
        </button>
      </form>
      {!chart.can_fit && <p class="small">This key may look, and not fit: it needs the scope `review`.</p>}
      {promises && chart.rows === "all" ? (
        <p class="notice">
          Only the random sample may feed a guarantee. Choose it above, or a method that promises nothing.
        </p>
      ) : (
        promises &&
        lacking && (
          <p class="notice verdict-unsure">
            <b>{lacking} labels needed</b> for this promise; 30% of the labels are held out to count errors
            on.
          </p>
        )
      )}
      {because && <p class="notice verdict-unsure">{because}</p>}
      {error && <Failure error={error} />}
      {fitted && (
        <Fitted
          card={fitted}
          canSave={chart.can_save}
          canApply={chart.can_apply}
          busy={busy}
          onSave={(replace) => fit({ save: true, replace })}
          onApply={() => fit({ apply: true })}
        />
      )}
    </section>
  )
}

function Limit({
  name,
  value,
  onChange,
}: {
  name: string
  value: number | null
  onChange: (value: string | null) => void
}) {
  return (
    <label>
      {name}
      <span class="percent">
        <input
          type="number"
          min={0.1}
          max={99}
          step={0.1}
          value={value === null ? "" : Number((100 * value).toPrecision(6))}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return
            event.preventDefault() // the limit is taken over first; the next press fits
            event.currentTarget.blur()
          }}
          onChange={(event) => {
            const given = Number(event.currentTarget.value)
            onChange(given > 0 && given < 100 ? String(given / 100) : null)
          }}
        />
        %
      </span>
    </label>
  )
}

interface FittedProps {
  card: FittedCard
  canSave: boolean
  canApply: boolean
  busy: boolean
  onSave: (replace: boolean) => void
  onApply: () => void
}

function Fitted({ card, canSave, canApply, busy, onSave, onApply }: FittedProps) {
  const { page, changes, is_new: isNew } = card
  return (
    <div class="fitted">
      <h3>
        The card {page.name} {isNew ? "(new)" : "beside the one that is there"}
      </h3>
      {page.broken.length > 0 && (
        <p class="notice verdict-fail">
          <b>The held-out answers contradict the promise.</b> {page.broken.join("; ")}. Label more rows, and
          fit again.
        </p>
      )}
      {page.warnings.length > 0 && <p class="notice verdict-unsure">{page.warnings.join("; ")}</p>}
      <table class="card-diff">
        <thead>
          <tr>
            <th scope="col">of the card</th>
            {!isNew && <th scope="col">before</th>}
            <th scope="col">{isNew ? "value" : "now"}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ what, before, after }) => (
            <tr key={what} class={!isNew && before !== after ? "differs" : ""}>
              <th scope="row">{what}</th>
              {!isNew && <td>{before === null ? "–" : before !== after ? <del>{before}</del> : before}</td>}
              <td>{!isNew && before !== after ? <ins>{after}</ins> : after}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Rates card={page} />
      <p class="fit-actions">
        {canSave && !card.saved && (
          <button
            type="button"
            class="primary"
            disabled={busy || page.broken.length > 0}
            onClick={() => onSave(!isNew)}
          >
            {isNew ? "Save the card" : "Replace the card"}
          </button>
        )}
        {canApply && !card.applied && Object.keys(page.targets).length > 0 && (
          <button type="button" class="primary" disabled={busy || page.broken.length > 0} onClick={onApply}>
            Apply as {isNew ? "a new policy" : "the next version of the policy"}
          </button>
        )}
        <a
          class="button"
          download={`${page.name}.json`}
          href={`data:application/json;charset=utf-8,${encodeURIComponent(card.file)}`}
        >
          Download
        </a>
        {card.applied && (
          <span role="status">
            Applied: requests that name the policy <code>{card.applied.split("@")[0]}</code> are now judged by{" "}
            <code>{card.applied}</code>
          </span>
        )}
        {card.saved && (
          <span role="status">
            Saved to <code>{card.saved}</code>
          </span>
        )}
      </p>
    </div>
  )
}

/** A name that can be that of a file. */
function cardName(project: string, metric: string): string {
  const plain = `${project.replace(/\.battery\.ya?ml$/, "")}-${metric}`.toLowerCase()
  return (
    plain
      .replace(/[^a-z0-9_.-]+/g, "-")
      .replace(/^[^a-z0-9]+/, "")
      .slice(0, 100) || "card"
  )
}
