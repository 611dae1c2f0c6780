/**
 * Builds `dist`: modules one to one with their types, for bundlers; and for a tag, the script that loads first, the
 * one that it loads with the first question, and the languages.
 * `sizes` gets what size-limit measures: what a bundler makes of a single import.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
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

/** A tag loads what is not needed at first by itself; a bundler makes chunks of it. */
const loadedByTag = {
  name: "loaded-by-tag",
  enforce: "pre",
  resolveId: (source) => (source === "./load.ts" ? `${here}src/tag/load.ts` : undefined),
}

/** A script for a tag, without modules; `name` is its global, if it has one. */
async function buildTag(entry, fileName, define = {}, name = "SensecheckAnswers") {
  await buildScript({
    root: here,
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    plugins: [flatStyles, loadedByTag],
    define,
    build: {
      outDir: "dist",
      emptyOutDir: false,
      target: "es2022",
      minify: "terser",
      terserOptions: { ecma: 2020, compress: { passes: 3 }, format: { comments: /^!/ } },
      reportCompressedSize: false,
      lib: { entry, name, formats: ["iife"], fileName: () => fileName },
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
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
  const script = readFileSync(`${here}dist/${fileName}`, "utf8").replace(/[^\0-\x7f]/g, escaped)
  writeFileSync(`${here}dist/${fileName}`, script)
  return script
}

const answers = await buildTag("src/tag/answers.ts", "answers.js")
const digest = createHash("sha384").update(answers).digest("base64")
await buildTag(
  "src/tag/script.ts",
  "sensecheck.js",
  { ANSWERS_INTEGRITY: JSON.stringify(`sha384-${digest}`) },
  "Sensecheck",
)
for (const file of readdirSync(`${here}src/languages`)) {
  const code = file.replace(".ts", "")
  const { strings } = await import(`./dist/languages/${code}.js`)
  writeFileSync(`${here}dist/languages/${code}.json`, JSON.stringify(strings))
}

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
