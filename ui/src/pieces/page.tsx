import { render, type ComponentChild } from "preact"
import { unpacked } from "../data/blob"

/** Shows the data of a page, once it is unpacked; or why it cannot be shown. */
export async function showPage<T extends { format: number }>(
  kind: string,
  format: number,
  page: (data: T) => ComponentChild,
): Promise<void> {
  const app = document.getElementById("app")!
  try {
    const held = document.querySelector(`script[data-blob="${kind}"]`)
    if (!held) throw new Error("this page holds no data")
    const data = await unpacked<T>(held.textContent)
    if (data.format !== format) throw new Error(`its format must be ${format}; got ${data.format}`)
    render(page(data), app)
  } catch (wrong) {
    render(
      <p class="broken" role="alert">
        This page cannot be shown: {String(wrong)}
      </p>,
      app,
    )
  }
}
