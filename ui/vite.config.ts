import { defineConfig } from "vite"
import { licences } from "./licences.ts"
import { singleFile } from "./singleFile.ts"

/** The pages by build mode: the source of each, and its name in the package. */
const PAGES: Record<string, { from: string; name: string }> = {
  production: { from: "index.html", name: "report_page" },
  effects: { from: "effects.html", name: "effects_page" },
  evals: { from: "evals.html", name: "evals_page" },
  card: { from: "card.html", name: "card_page" },
  grounding: { from: "grounding.html", name: "grounding_page" },
  week: { from: "week.html", name: "week_page" },
  studio: { from: "studio.html", name: "studio_page" },
}

export default defineConfig(({ mode }) => {
  const page = PAGES[mode] ?? PAGES["production"]!
  return {
    plugins: [
      licences(`${page.name}.licences.txt`),
      singleFile(`${page.name}.html`, page.from, mode === "studio"),
    ],
    build: {
      target: "es2022",
      modulePreload: false,
      cssCodeSplit: false,
      assetsInlineLimit: Number.MAX_SAFE_INTEGER,
      emptyOutDir: mode === "production",
      rolldownOptions: { input: page.from },
    },
  }
})
