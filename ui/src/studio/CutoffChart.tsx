import { useMemo, useRef } from "preact/hooks"
import { useWidth } from "../components/Chart"
import { scaleOf } from "../data/card"
import { barsOf, valueAt, type Chart, type LabelKind, type Placed } from "./cutoffs"

const HEIGHT = 300
const MARGIN = { left: 12, right: 12, top: 30, bottom: 28 }
export type Handle = "cutoff" | "low" | "high"

interface Props {
  chart: Chart
  placed: Placed
  /** The value of a fitted cutoff, which may lie between two places. */
  exact: number | null
  onMove: (handle: Handle, place: number) => void
}

/** Readings by label: good ones above the axis, bad ones below; the cutoff and its band can be dragged. */
export function CutoffChart({ chart, placed, exact, onMove }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const dragged = useRef<Handle | null>(null)
  const inner = width - MARGIN.left - MARGIN.right
  const last = chart.grid.count - 1
  const x = (place: number) => MARGIN.left + (inner * place) / last
  const bars = useMemo(() => <Bars chart={chart} width={width} />, [chart, width])
  const cutoff = exact === null ? x(placed.cutoff) : x(exact / chart.grid.step - chart.grid.first)
  const edges = placed.band ?? [placed.cutoff, placed.cutoff]
  const move = (event: PointerEvent) => {
    if (!dragged.current || !frame.current) return
    const at = (event.clientX - frame.current.getBoundingClientRect().left - MARGIN.left) / inner
    onMove(dragged.current, Math.max(0, Math.min(last, Math.round(at * last))))
  }
  const start = (event: PointerEvent) => {
    const at = event.clientX - frame.current!.getBoundingClientRect().left
    const handles: [Handle, number][] = [["cutoff", x(placed.cutoff)]]
    if (placed.band) handles.push(["low", x(edges[0])], ["high", x(edges[1])])
    handles.sort(([, one], [, other]) => Math.abs(one - at) - Math.abs(other - at))
    dragged.current = handles[0]![0]
    ;(event.currentTarget as Element).setPointerCapture(event.pointerId)
    move(event)
  }
  const passes = chart.good === "above" ? "passes →" : "← passes"
  return (
    <div ref={frame} class="cutoff-chart">
      <svg
        viewBox={`0 0 ${width} ${HEIGHT}`}
        width={width}
        height={HEIGHT}
        aria-hidden="true"
        onPointerDown={start}
        onPointerMove={move}
        onPointerUp={() => (dragged.current = null)}
        onPointerCancel={() => (dragged.current = null)}
      >
        {placed.band && (
          <rect
            class="band"
            x={x(edges[0])}
            y={MARGIN.top}
            width={Math.max(0, x(edges[1]) - x(edges[0]))}
            height={HEIGHT - MARGIN.top - MARGIN.bottom}
          />
        )}
        {bars}
        {placed.band && <EdgeLine at={x(edges[0])} />}
        {placed.band && <EdgeLine at={x(edges[1])} />}
        <g class="drag-cutoff" transform={`translate(${cutoff} 0)`}>
          <line y1={16} y2={HEIGHT - MARGIN.bottom} />
          <circle cy={16} r={7} />
          <text
            x={chart.good === "above" ? 12 : -12}
            y={20}
            text-anchor={chart.good === "above" ? "start" : "end"}
          >
            {passes}
          </text>
        </g>
      </svg>
    </div>
  )
}

const EdgeLine = ({ at }: { at: number }) => (
  <g class="drag-edge" transform={`translate(${at} 0)`}>
    <line y1={MARGIN.top} y2={HEIGHT - MARGIN.bottom} />
    <rect x={-4} y={HEIGHT / 2 - 12} width={8} height={24} rx={4} />
  </g>
)

/** The bars and the axis; they stay while lines move. */
function Bars({ chart, width }: { chart: Chart; width: number }) {
  const inner = width - MARGIN.left - MARGIN.right
  const last = chart.grid.count - 1
  const bars = barsOf(chart, Math.max(24, Math.min(90, Math.floor(inner / 9))))
  const x = (place: number) => MARGIN.left + (inner * place) / last
  const middle = (HEIGHT - MARGIN.top - MARGIN.bottom) / 2 + MARGIN.top
  const space = middle - MARGIN.top - 8
  const share = (bar: (typeof bars)[number], kind: LabelKind) => bar.counts[kind] / Math.max(1, chart.n[kind])
  const tallest = Math.max(
    1e-9,
    ...bars.flatMap((bar) => [share(bar, "good"), share(bar, "bad"), share(bar, "other")]),
  )
  const heights = (kind: LabelKind) =>
    bars.map((bar) => ({ ...bar, height: (share(bar, kind) / tallest) * space }))
  const { ticks, place } = scaleOf(valueAt(chart, 0), valueAt(chart, last))
  return (
    <g>
      {heights("other").map(({ from, to, height }) => (
        <rect
          key={from}
          class="bar-other"
          x={x(from)}
          y={middle - height}
          width={x(to) - x(from)}
          height={height}
        />
      ))}
      {(["good", "bad"] as const).map((kind) =>
        heights(kind).map(({ from, to, height }) => (
          <rect
            key={`${kind} ${from}`}
            class={`bar-${kind}`}
            x={x(from) + 0.5}
            y={kind === "good" ? middle - height : middle}
            width={Math.max(1, x(to) - x(from) - 1)}
            height={height}
          />
        )),
      )}
      <line class="axis" x1={MARGIN.left} x2={width - MARGIN.right} y1={middle} y2={middle} />
      {ticks(width > 520 ? 11 : 6).map((value) => (
        <text
          key={value}
          class="tick"
          x={MARGIN.left + inner * place(value)}
          y={HEIGHT - 8}
          text-anchor="middle"
        >
          {Number(value.toPrecision(6))}
        </text>
      ))}
    </g>
  )
}
