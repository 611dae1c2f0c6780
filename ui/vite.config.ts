import { defineConfig } from "vite"
import { licences } from "./licences.ts"
import { singleFile } from "./singleFile.ts"

export default defineConfig({
  plugins: [licences("report_page.licences.txt"), singleFile("report_page.html")],
  build: {
    target: "es2022",
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
  },
})
