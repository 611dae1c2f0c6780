import { integer, percent, plural } from "../data/format"
import { spanText, targetsText, type InUse, type Needed, type WeekData, type WeekFacts } from "../data/week"
import { DayCharts } from "./DayCharts"
import { FigureTiles, NAMES } from "./FigureTiles"

/** The figures of a week, next to those of the week before: on the page of the Studio, and as a file. */
export function WeekView({ data }: { data: WeekData }) {
  const { week, before, figures } = data
  if (week.messages + before.messages === 0) return <NoMessages />
  const moved = figures.filter(({ direction }) => direction !== null)
  return (
    <div class="week">
      <p class="week-lead">
        {plural(week.messages, "message")}, {integer(before.messages)} in the week before (
        {spanText(before.first_day, before.last_day)}). {targetsText(figures)}{" "}
        {moved.length > 0
          ? `Changed since then: ${moved.map((one) => `${NAMES[one.name]} (${one.direction})`).join(", ")}.`
          : "No rate has changed by more than its interval."}
        {!data.is_over && " The last day is not over yet."}
      </p>
      <FigureTiles figures={figures} />
      <Changes data={data} />
      <DayCharts week={week} before={before} />
      <section class="card week-counts">
        <h2>Messages</h2>
        <Counts week={week} before={before} />
      </section>
      <LabelNote data={data} />
      <footer class="small">
        Days are those of UTC. Success and abstentions have exact 95% intervals. False negatives are good
        answers that were held back, false positives bad answers that were let through: both are estimated
        from labels of messages that were drawn at random, with intervals that contain the true rate with at
        least 95% confidence. A rate counts as changed where the interval of the difference does not contain
        zero. Written by sensecheck {data.version}, {data.made_at.slice(0, 16).replace("T", " ")} UTC.
      </footer>
    </div>
  )
}

const PARTS: Record<InUse["part"], string> = {
  policy: "policy",
  encoder: "encoder",
  reader: "reader",
  writer: "writer",
}

/** Policies, cards and models of both weeks, and what is new in this one. */
function Changes({ data: { in_use, fitted, before } }: { data: WeekData }) {
  const known = before.messages > 0
  const changed = in_use.filter((one) => one.messages === 0 || one.before === 0)
  return (
    <section class="card">
      <h2>What changed</h2>
      {fitted.length > 0 && (
        <ul class="week-fitted">
          {fitted.map((one) => (
            <li key={one.mark}>
              <p>
                <b dir="auto">{one.mark}</b> was fitted on {plural(one.rows, "label")}, based on{" "}
                <code>{one.base}</code>: cutoff{" "}
                {one.cutoff_before === null ? "" : `${shortNumber(one.cutoff_before)} → `}
                <b>{shortNumber(one.cutoff)}</b>
              </p>
              <p class="small" dir="auto">
                {one.at.slice(0, 16).replace("T", " ")} UTC · {one.promise}
              </p>
            </li>
          ))}
        </ul>
      )}
      {known && changed.length === 0 && (
        <p class="lead">The same policies and models as in the week before were in use.</p>
      )}
      {!known && <p class="lead">There are no messages of the week before to compare with.</p>}
      <div class="scroll">
        <table class="in-use">
          <thead>
            <tr>
              <th>in use</th>
              <th>name</th>
              <th class="figure">this week</th>
              <th class="figure">week before</th>
            </tr>
          </thead>
          <tbody>
            {in_use.map((one) => (
              <tr key={`${one.part} ${one.name}`}>
                <th scope="row">{PARTS[one.part]}</th>
                <td class="in-use-name" dir="auto">
                  {one.name}
                  {known && one.before === 0 && <span class="tag tag-new">new</span>}
                  {known && one.messages === 0 && <span class="tag">no longer used</span>}
                </td>
                <td class="figure">{integer(one.messages)}</td>
                <td class="figure">{integer(one.before)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

const shortNumber = (value: number) => String(Number(value.toPrecision(4)))

type CountedRow = [name: string, of: (one: WeekFacts) => number, whole: ((one: WeekFacts) => number) | null]

const all = (one: WeekFacts) => one.messages
const COUNTED: CountedRow[] = [
  ["all messages", all, null],
  ["with an answer that was judged", (one) => one.judged, all],
  ["passed", (one) => one.outcomes["pass"] ?? 0, all],
  ["failed", (one) => one.outcomes["fail"] ?? 0, all],
  ["unsure, or no answer", (one) => one.outcomes["unsure"] ?? 0, all],
  ["could not be judged", (one) => one.outcomes["error"] ?? 0, all],
  ["readers said: helpful", (one) => one.feedback["up"] ?? 0, all],
  ["readers said: not helpful", (one) => one.feedback["down"] ?? 0, all],
]

function Counts({ week, before }: { week: WeekFacts; before: WeekFacts }) {
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>messages</th>
            <th class="figure">this week</th>
            <th class="figure">week before</th>
          </tr>
        </thead>
        <tbody>
          {COUNTED.map(([name, of, whole]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {[week, before].map((one) => (
                <td class="figure" key={one.first_day}>
                  {integer(of(one))}
                  {whole && whole(one) > 0 && (
                    <span class="small share">{percent(of(one) / whole(one))}</span>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** How many labels the error rates come from, and how many more would decide whether targets are met. */
function LabelNote({ data: { labels } }: { data: WeekData }) {
  const total = labels.accepted + labels.rejected
  const lacking = Object.entries(labels.needed).filter(
    (entry): entry is [string, Needed] => entry[1] !== null && entry[1].accepted + entry[1].rejected > 0,
  )
  return (
    <section class="card">
      <h2>Labels</h2>
      <p class="lead">
        {total === 0
          ? "No message of this week that was drawn at random is labelled, so error rates are not known."
          : `${plural(total, "label")} of messages that were drawn at random: ${integer(labels.accepted)} of accepted answers, ${integer(labels.rejected)} of answers that were held back.`}
        {labels.not_at_random > 0 &&
          ` ${plural(labels.not_at_random, "more message is", "more messages are")} labelled, and not drawn at random: they count for no rate.`}
      </p>
      {lacking.length > 0 && (
        <>
          <p class="lead">To decide whether a target is met, about so many more labels are needed:</p>
          <ul class="week-needed">
            {lacking.map(([name, more]) => (
              <li key={name}>
                {NAMES[name === "false_negative_rate" ? "false_negatives" : "false_positives"]}:{" "}
                {integer(more.accepted)} of accepted answers, {integer(more.rejected)} of those held back
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function NoMessages() {
  return (
    <div class="card first-steps">
      <h2>No messages in these two weeks</h2>
      <p>
        This page counts what the service judges: answers at <code>/v1/answers</code> and checks at{" "}
        <code>/v1/check</code>, with a key of this project.
      </p>
    </div>
  )
}
