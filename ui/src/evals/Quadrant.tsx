import { useMemo, useRef, useState } from "preact/hooks"
import { metricName, type EvalsIndex } from "../data/evals"
import { FIELDS, KIND_NAMES, type Axes, type Counts, type Field, type Kind } from "../data/fields"
import { shapeAt } from "../data/shapes"
import { counted, decimals, whole } from "../data/words"
import { useWidth } from "../pieces/Picture"
import {
  nearest,
  nextAt,
  pathsOf,
  sharing,
  placeX,
  placeY,
  planeOf,
  sizeOf,
  spotsOf,
  type Plane,
  type Spot,
} from "./plane"

const TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1]

interface Asked {
  index: EvalsIndex
  axes: Axes
  kinds: readonly Kind[]
  counts: Counts
  listed: readonly number[]
  open: number | null
  onOpen: (row: number) => void
}

/** Two metrics against each other; whoever presses near a mark sees its pair. The list beside it says the same. */
export function Quadrant({ index, axes, kinds, counts, listed, open, onOpen }: Asked) {
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const [pointed, setPointed] = useState<Spot | null>(null)
  const plane = useMemo(() => planeOf(index, axes, width), [index, axes, width])
  const spots = useMemo(() => spotsOf(index, axes, kinds, listed, plane), [index, axes, kinds, listed, plane])
  const paths = useMemo(() => pathsOf(spots), [spots])
  const chosen = spots.find((spot) => spot.row === open)
  const at = (event: PointerEvent | MouseEvent): Spot | null => {
    const box = frame.current!.getBoundingClientRect()
    return nearest(spots, event.clientX - box.left, event.clientY - box.top)
  }
  return (
    <div
      ref={frame}
      class={`plane ${pointed ? "pointing" : ""}`}
      onPointerMove={(event) => setPointed(at(event))}
      onPointerLeave={() => setPointed(null)}
      onClick={(event) => {
        const spot = at(event)
        if (spot) onOpen(nextAt(spots, spot, open).row)
      }}
    >
      <svg
        viewBox={`0 0 ${plane.width} ${plane.height}`}
        height={plane.height}
        role="img"
        aria-label={said(index, axes, counts, listed.length)}
      >
        <Ground {...{ plane, axes, index }} />
        <g class="all-dots">
          {paths.map(({ kind, hollow, path }) => (
            <path key={`${kind} ${hollow}`} class={`dots dots-${kind} ${hollow ? "hollow" : ""}`} d={path} />
          ))}
        </g>
        <Names plane={plane} axes={axes} />
        {[pointed, chosen].map((spot, nth) => spot && <Ringed key={nth} spot={spot} chosen={nth === 1} />)}
      </svg>
      {pointed && <Tip {...{ index, axes, plane }} spot={pointed} many={sharing(spots, pointed).length} />}
    </div>
  )
}

function Ground({ plane, axes, index }: { plane: Plane; axes: Axes; index: EvalsIndex }) {
  const { left, right, top, bottom, strip, height } = plane
  const [x, y] = [placeX(plane, axes.lines[0]), placeY(plane, axes.lines[1])]
  return (
    <g class="ground" aria-hidden="true">
      <rect class="field field-words" x={left} y={top} width={x - left} height={y - top} />
      <rect class="field field-both" x={x} y={top} width={right - x} height={y - top} />
      <rect class="field field-neither" x={left} y={y} width={x - left} height={bottom - y} />
      <rect class="field field-meaning" x={x} y={y} width={right - x} height={bottom - y} />
      {strip > 0 && (
        <>
          <rect class="strip" x={left - strip} y={top} width={strip - 4} height={bottom - top} />
          <rect class="strip" x={left} y={bottom + 4} width={right - left} height={strip - 4} />
          <rect class="strip" x={left - strip} y={bottom + 4} width={strip - 4} height={strip - 4} />
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
          <text class="tick" x={placeX(plane, tick)} y={bottom + strip + 20} text-anchor="middle">
            {tick}
          </text>
          <text class="tick" x={left - strip - 7} y={placeY(plane, tick) + 4} text-anchor="end">
            {tick}
          </text>
        </g>
      ))}
      <line class="cut" x1={x} x2={x} y1={top} y2={bottom} />
      <line class="cut" x1={left} x2={right} y1={y} y2={y} />
      <text class="axis" x={(left + right) / 2} y={height - 6} text-anchor="middle">
        {metricName(index.metrics, axes.across)} →
      </text>
      <text class="axis" transform={`translate(13 ${(top + bottom) / 2}) rotate(-90)`} text-anchor="middle">
        {metricName(index.metrics, axes.upwards)} →
      </text>
    </g>
  )
}

/** So wide is the longest line of a name. */
const ROOM = 88

/** The names of the fields, outside of them, so that they lie on no mark; in short where a field is narrow. */
function Names({ plane, axes }: { plane: Plane; axes: Axes }) {
  const { left, right, top, bottom, strip } = plane
  const x = placeX(plane, axes.lines[0])
  const [above, below] = [top - 34, bottom + strip + 41]
  return (
    <g class="names" aria-hidden="true">
      <Name field="words" x={left} y={above} anchor="start" room={x - left} above />
      <Name field="both" x={right} y={above} anchor="end" room={right - x} above />
      <Name field="neither" x={left} y={below} anchor="start" room={x - left} />
      <Name field="meaning" x={right} y={below} anchor="end" room={right - x} />
    </g>
  )
}

interface NameAsked {
  field: Field
  x: number
  y: number
  anchor: "start" | "end"
  room: number
  above?: boolean
}

function Name({ field, x, y, anchor, room, above = false }: NameAsked) {
  const { lines, short } = FIELDS[field]
  const told = room < ROOM ? [short] : lines
  // Next to its field, whether it has one line or two.
  const first = above ? y + 15 * (2 - told.length) : y
  return (
    <text text-anchor={anchor}>
      {told.map((line, at) => (
        <tspan key={at} x={x} y={first + 15 * at}>
          {line}
        </tspan>
      ))}
    </text>
  )
}

function Ringed({ spot: { x, y, kind, hollow }, chosen }: { spot: Spot; chosen: boolean }) {
  return (
    <g class={chosen ? "ring chosen" : "ring"} aria-hidden="true">
      <circle cx={x} cy={y} r={chosen ? 12 : 9} />
      <path class={`dots dots-${kind} ${hollow ? "hollow" : ""}`} d={shapeAt(kind, x, y, sizeOf(0) + 0.6)} />
    </g>
  )
}

interface TipAsked {
  index: EvalsIndex
  axes: Axes
  spot: Spot
  plane: Plane
  /** How many lie under the same mark. */
  many: number
}

function Tip({ index, axes, spot, plane, many }: TipAsked) {
  const [x, y] = [index.rows.values[axes.across]![spot.row]!, index.rows.values[axes.upwards]![spot.row]!]
  const side =
    spot.x > plane.width / 2 ? { right: `${plane.width - spot.x + 14}px` } : { left: `${spot.x + 14}px` }
  const end =
    spot.y > plane.height / 2 ? { bottom: `${plane.height - spot.y + 6}px` } : { top: `${spot.y + 6}px` }
  return (
    <div class="tip" style={{ ...side, ...end }} aria-hidden="true">
      <p dir="auto">{index.rows.title[spot.row]}</p>
      <p class="small">
        {known(x)} across, {known(y)} upwards
        {spot.hollow && "; a fact differs"}
        {many > 1 && `; ${whole(many)} under this mark, press again for the next`}
      </p>
    </div>
  )
}

export function known(value: number | null | undefined): string {
  return value === null || value === undefined ? "n/a" : decimals(value)
}

function said(index: EvalsIndex, axes: Axes, counts: Counts, shown: number): string {
  const fields = Object.entries(KIND_NAMES).map(([kind, name]) => `${counts[kind as Kind]} ${name}`)
  return (
    `${metricName(index.metrics, axes.across)} against ${metricName(index.metrics, axes.upwards)}, ` +
    `${counted(shown, "mark")}: ${fields.join(", ")}. The list beside it has the same answers.`
  )
}
