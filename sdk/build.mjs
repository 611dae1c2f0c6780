/**
 * Builds `dist`: modules one to one with their types, for bundlers, and one script for a tag.
 * `sizes` gets what size-limit measures: what a bundler makes of a single import.
 */
import { execFileSync } from "node:child_process"
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { build as buildScript } from "vite"

const here = fileURLToPath(new URL(".", import.meta.url))
const { version, license } = JSON.parse(readFileSync(`${here}package.json`, "utf8"))

for (const folder of ["dist", "sizes"]) rmSync(here + folder, { recursive: true, force: true })

execFileSync(process.execPath, [`${here}node_modules/typescript/bin/tsc`, "-p", "tsconfig.build.json"], {
  cwd: here,
  stdio: "inherit",
})
// The compiler leaves `./x.ts` in type declarations, which not every tool resolves.
for (const file of readdirSync(`${here}dist`, { recursive: true })) {
  if (!file.endsWith(".d.ts")) continue
  const types = readFileSync(`${here}dist/${file}`, "utf8")
  writeFileSync(`${here}dist/${file}`, types.replace(/(["'])(\.{1,2}\/[^"']*)\.ts\1/g, "$1$2.js$1"))
}
copyFileSync(`${here}../LICENSE`, `${here}dist/LICENSE`)

/** Removes the line breaks of style sheets. */
const flatStyles = {
  name: "flat-styles",
  enforce: "pre",
  transform: (code, id) =>
    /(styles|highlighter)\.ts$/.test(id)
      ? code.replace(/`[^`]+`/g, (text) => text.replaceAll("\n", ""))
      : undefined,
}

await buildScript({
  root: here,
  configFile: false,
  logLevel: "warn",
  publicDir: false,
  plugins: [flatStyles],
  build: {
    outDir: "dist",
    emptyOutDir: false,
    target: "es2022",
    minify: true,
    reportCompressedSize: false,
    lib: { entry: "src/script.ts", name: "Sensecheck", formats: ["iife"], fileName: () => "sensecheck.js" },
    rolldownOptions: {
      optimization: { inlineConst: { mode: "all", pass: 3 } },
      output: {
        postBanner: `/*! sensecheck-ask ${version} | ${license} */`,
        externalLiveBindings: false,
        generatedCode: { symbols: false },
      },
    },
  },
})

// A server may send it without a charset: then only ASCII is read correctly.
const script = `${here}dist/sensecheck.js`
const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
writeFileSync(script, readFileSync(script, "utf8").replace(/[^\0-\x7f]/g, escaped))

const bundleOptions = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  logLevel: "warning",
}
await build({ ...bundleOptions, entryPoints: ["dist/client.js"], outfile: "sizes/client.js" })
await build({
  ...bundleOptions,
  stdin: { contents: `export { createClient } from "./dist/index.js"`, resolveDir: here },
  outfile: "sizes/picked.js",
})
await build({
  ...bundleOptions,
  entryPoints: ["dist/react.js"],
  external: ["react", "./widget/*"],
  outfile: "sizes/react.js",
})
