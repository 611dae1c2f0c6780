// Configs through promptfoo's own library, all in one process: node parity.mjs ENTRY RESULTS CONFIG…
import { readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"
import { pathToFileURL } from "node:url"

const [entry, results, ...configs] = process.argv.slice(2)
const yaml = createRequire(entry)("js-yaml")
const { evaluate } = await import(pathToFileURL(join(dirname(entry), "index.js")))

const found = {}
for (const path of configs) {
  const config = yaml.load(readFileSync(path, "utf-8"))
  const done = await evaluate(config, { cache: false, maxConcurrency: 1 })
  found[basename(path, ".yaml")] = (await done.toEvaluateSummary()).results
}
writeFileSync(results, JSON.stringify(found))
process.exit(0) // the workers of Python providers would keep it waiting
