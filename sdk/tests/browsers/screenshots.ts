import { mkdirSync } from "node:fs"
import { resolve } from "node:path"
import type { Page } from "puppeteer-core"

const SHOTS = resolve(import.meta.dirname, "../../shots")

/** A picture for people to look at. */
export async function shot(page: Page, name: string): Promise<void> {
  mkdirSync(SHOTS, { recursive: true })
  await page.screenshot({ path: `${SHOTS}/${name.replaceAll(" ", "-")}.png` as `${string}.png` })
}
