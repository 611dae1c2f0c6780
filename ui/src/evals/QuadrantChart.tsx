import { useMemo, useRef, useState } from "preact/hooks"
import { metricName, type EvalsIndex } from "../data/evals"
import { QUADRANTS, KIND_NAMES, type Axes, type Counts, type QuadrantName, type Kind } from "../data/kinds"
import { shapeAt } from "../data/kindShapes"
import { plural, decimals, integer } from "../data/format"
import { useWidth } from "../components/Chart"
import {
  nearest,
  nextUnderMark,
  pathsOf,
  pointsUnderMark,
  toX,
  toY,
  layoutOf,
  markRadius,
  pointsOf,
  type Layout,
  type Point,
} from "./quadrantLayout"

const TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1]

interface Props {
  index: EvalsIndex
  axes: Axes
  kinds: readonly Kind[]
  counts: Counts
  listed: readonly number[]
  open: number | null
  onOpen: (row: number) => void
}

/** Two metrics as a scatter plot; a click near a mark opens its answer. The list has the same answers. */
export function QuadrantChart({ index, axes, kinds, counts, listed, open, onOpen }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const [pointed, setPointed] = useState<Point | null>(null)
  const layout = useMemo(() => layoutOf(index, axes, width), [index, axes, width])
  const points = useMemo(
    () => pointsOf(index, axes, kinds, listed, layout),
    [index, axes, kinds, listed, layout],
  )
  const paths = useMemo(() => pathsOf(points), [points])
  const chosen = points.find((point) => point.row === open)
  const at = (event: PointerEvent | MouseEvent): Point | null => {
    const box = frame.current!.getBoundingClientRect()
    return nearest(points, event.clientX - box.left, event.clientY - box.top)
  }
  return (
    <div
      ref={frame}
      class={`quadrant-chart ${pointed ? "pointing" : ""}`}
      onPointerMove={(event) => setPointed(at(event))}
      onPointerLeave={() => setPointed(null)}
      onClick={(event) => {
        const point = at(event)
        if (point) onOpen(nextUnderMark(points, point, open).row)
      }}
    >
      <svg
        viewBox={`0 0 ${layout.width} ${layout.height}`}
        height={layout.height}
        role="img"
        aria-label={describeChart(index, axes, counts, listed.length)}
      >
        <Background {...{ layout, axes, index }} />
        <g class="all-dots">
          {paths.map(({ kind, hollow, path }) => (
            <path key={`${kind} ${hollow}`} class={`dots dots-${kind} ${hollow ? "hollow" : ""}`} d={path} />
          ))}
        </g>
        <QuadrantNames layout={layout} axes={axes} />
        {[pointed, chosen].map(
          (point, nth) => point && <HighlightedPoint key={nth} point={point} chosen={nth === 1} />,
        )}
      </svg>
      {pointed && (
        <Tooltip
          {...{ index, axes, layout }}
          point={pointed}
          count={pointsUnderMark(points, pointed).length}
        />
      )}
    </div>
  )
}

function Background({ layout, axes, index }: { layout: Layout; axes: Axes; index: EvalsIndex }) {
  const { left, right, top, bottom, strip, height } = layout
  const [x, y] = [toX(layout, axes.cutoffs[0]), toY(layout, axes.cutoffs[1])]
  return (
    <g class="plot-background" aria-hidden="true">
      <rect class="quadrant quadrant-words" x={left} y={top} width={x - left} height={y - top} />
      <rect class="quadrant quadrant-both" x={x} y={top} width={right - x} height={y - top} />
      <rect class="quadrant quadrant-neither" x={left} y={y} width={x - left} height={bottom - y} />
      <rect class="quadrant quadrant-meaning" x={x} y={y} width={right - x} height={bottom - y} />
      {strip > 0 && (
        <>
          <rect class="na-strip" x={left - strip} y={top} width={strip - 4} height={bottom - top} />
          <rect class="na-strip" x={left} y={bottom + 4} width={right - left} height={strip - 4} />
          <rect class="na-strip" x={left - strip} y={bottom + 4} width={strip - 4} height={strip - 4} />
          <text class="tick" x={left - strip / 2 - 2} y={bottom + strip + 20} text-anchor="middle">
            n/a
          </text>
          <text class="tick" x={left - strip - 7} y={bottom + strip / 2 + 6} text-anchor="end">
            n/a
          </text>
        </>
      )}
      {TICKS.map((tick) => (
        <g key={tick}>
          <text class="tick" x={toX(layout, tick)} y={bottom + strip + 20} text-anchor="middle">
            {tick}
          </text>
          <text class="tick" x={left - strip - 7} y={toY(layout, tick) + 4} text-anchor="end">
            {tick}
          </text>
        </g>
      ))}
      <line class="cutoff-line" x1={x} x2={x} y1={top} y2={bottom} />
      <line class="cutoff-line" x1={left} x2={right} y1={y} y2={y} />
      <text class="axis" x={(left + right) / 2} y={height - 6} text-anchor="middle">
        {metricName(index.metrics, axes.across)} →
      </text>
      <text class="axis" transform={`translate(13 ${(top + bottom) / 2}) rotate(-90)`} text-anchor="middle">
        {metricName(index.metrics, axes.upwards)} →
      </text>
    </g>
  )
}

/** Width of the longest line of a name, in pixels. */
const NAME_WIDTH = 88

/** The names of the quadrants, outside of the plot so that they cover no mark; short if a quadrant is narrow. */
function QuadrantNames({ layout, axes }: { layout: Layout; axes: Axes }) {
  const { left, right, top, bottom, strip } = layout
  const x = toX(layout, axes.cutoffs[0])
  const [above, below] = [top - 34, bottom + strip + 41]
  return (
    <g class="quadrant-names" aria-hidden="true">
      <QuadrantLabel quadrant="words" x={left} y={above} anchor="start" space={x - left} above />
      <QuadrantLabel quadrant="both" x={right} y={above} anchor="end" space={right - x} above />
      <QuadrantLabel quadrant="neither" x={left} y={below} anchor="start" space={x - left} />
      <QuadrantLabel quadrant="meaning" x={right} y={below} anchor="end" space={right - x} />
    </g>
  )
}

interface QuadrantLabelProps {
  quadrant: QuadrantName
  x: number
  y: number
  anchor: "start" | "end"
  space: number
  above?: boolean
}

function QuadrantLabel({ quadrant, x, y, anchor, space, above = false }: QuadrantLabelProps) {
  const { lines, short } = QUADRANTS[quadrant]
  const text = space < NAME_WIDTH ? [short] : lines
  // Next to its quadrant, with one line or two.
  const first = above ? y + 15 * (2 - text.length) : y
  return (
    <text text-anchor={anchor}>
      {text.map((line, at) => (
        <tspan key={at} x={x} y={first + 15 * at}>
          {line}
        </tspan>
      ))}
    </text>
  )
}

function HighlightedPoint({ point: { x, y, kind, hollow }, chosen }: { point: Point; chosen: boolean }) {
  return (
    <g class={chosen ? "ring chosen" : "ring"} aria-hidden="true">
      <circle cx={x} cy={y} r={chosen ? 12 : 9} />
      <path
        class={`dots dots-${kind} ${hollow ? "hollow" : ""}`}
        d={shapeAt(kind, x, y, markRadius(0) + 0.6)}
      />
    </g>
  )
}

interface TooltipProps {
  index: EvalsIndex
  axes: Axes
  point: Point
  layout: Layout
  /** Number of answers under the same mark. */
  count: number
}

function Tooltip({ index, axes, point, layout, count }: TooltipProps) {
  const [x, y] = [index.rows.values[axes.across]![point.row]!, index.rows.values[axes.upwards]![point.row]!]
  const side =
    point.x > layout.width / 2 ? { right: `${layout.width - point.x + 14}px` } : { left: `${point.x + 14}px` }
  const end =
    point.y > layout.height / 2 ? { bottom: `${layout.height - point.y + 6}px` } : { top: `${point.y + 6}px` }
  return (
    <div class="tip" style={{ ...side, ...end }} aria-hidden="true">
      <p dir="auto">{index.rows.title[point.row]}</p>
      <p class="small">
        x {valueOrNa(x)}, y {valueOrNa(y)}
        {point.hollow && "; a fact differs"}
        {count > 1 && `; ${integer(count)} answers here, click again for the next`}
      </p>
    </div>
  )
}

export function valueOrNa(value: number | null | undefined): string {
  return value === null || value === undefined ? "n/a" : decimals(value)
}

function describeChart(index: EvalsIndex, axes: Axes, counts: Counts, shown: number): string {
  const fields = Object.entries(KIND_NAMES).map(([kind, name]) => `${counts[kind as Kind]} ${name}`)
  return (
    `${metricName(index.metrics, axes.across)} against ${metricName(index.metrics, axes.upwards)}, ` +
    `${plural(shown, "mark")}: ${fields.join(", ")}. The list has the same answers.`
  )
}
