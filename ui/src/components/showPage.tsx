import { render, type ComponentChild } from "preact"
import { unpack } from "../data/unpack"

/** Unpacks and shows the data of a page, or shows why it cannot be shown. */
export async function showPage<T extends { format: number }>(
  kind: string,
  format: number,
  page: (data: T) => ComponentChild,
): Promise<void> {
  const app = document.getElementById("app")!
  try {
    const script = document.querySelector(`script[data-blob="${kind}"]`)
    if (!script) throw new Error("this page contains no data")
    const data = await unpack<T>(script.textContent)
    if (data.format !== format) throw new Error(`its format must be ${format}; got ${data.format}`)
    render(page(data), app)
  } catch (error) {
    render(
      <p class="page-error" role="alert">
        This page cannot be shown: {String(error)}
      </p>,
      app,
    )
  }
}
