import { useEffect, useState } from "preact/hooks"
import { OutcomeBadge } from "../components/OutcomeBadge"
import { plural } from "../data/format"
import { useRequest, type GridCell, type GridReply } from "./api"
import { Failure, Loading } from "./parts"
import { Pages } from "./RunsPage"

const PAGE_SIZE = 20

interface Props {
  id: string
  filters: string
  onOpen: (at: number) => void
}

/** Tests in rows, sources and prompts in columns, with the answers in the cells. */
export function GridView({ id, filters, onOpen }: Props) {
  const [start, setStart] = useState(0)
  useEffect(() => setStart(0), [filters])
  const { data, error, reload } = useRequest<GridReply>(
    `/runs/${id}/grid?${filters}&start=${start}&limit=${PAGE_SIZE}`,
  )
  if (error) return <Failure error={error} onRetry={reload} />
  if (!data) return <Loading what="the grid" />
  if (!data.tests.length) return <p class="empty">No test matches these filters.</p>
  const columns = [...new Set(data.tests.flatMap(({ cells }) => cells.map(columnOf)))]
  const several = new Set(data.tests.flatMap(({ cells }) => cells.map(({ prompt }) => prompt))).size > 1
  return (
    <section class="card answers-grid">
      <h2>
        {plural(data.total, "test")} by source{several && " and prompt"}
      </h2>
      <div class="scroll" tabIndex={0} role="region" aria-label="Answers by source">
        <table>
          <thead>
            <tr>
              <th>test</th>
              {columns.map((column) => (
                <th key={column}>{several ? column : column.split(" · ")[0]}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.tests.map(({ test, title, cells }) => (
              <tr key={test}>
                <th scope="row">
                  <small>{test}</small> <span dir="auto">{title}</span>
                </th>
                {columns.map((column) => (
                  <td key={column}>
                    <Cell cell={cells.find((cell) => columnOf(cell) === column)} onOpen={onOpen} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Pages total={data.total} start={start} size={PAGE_SIZE} onStart={setStart} />
    </section>
  )
}

const columnOf = ({ source, prompt }: GridCell) => `${source} · ${prompt}`

function Cell({ cell, onOpen }: { cell: GridCell | undefined; onOpen: (at: number) => void }) {
  if (!cell) return <span class="none">–</span>
  return (
    <button type="button" class={`answer-cell answer-${cell.outcome}`} onClick={() => onOpen(cell.at)}>
      <OutcomeBadge outcome={cell.outcome} />
      <span class="answer-text" dir="auto">
        {cell.answer ?? cell.because}
      </span>
    </button>
  )
}
