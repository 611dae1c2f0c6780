import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Plugin } from "vite"

const PACKAGE = /^(.*[\\/]node_modules[\\/])((?:@[^\\/]+[\\/])?[^\\/]+)/

/** Writes the licences of all packages that are part of the build. */
export function licences(name: string): Plugin {
  return {
    name: "licences",
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === "chunk" ? file.moduleIds : []))
      const folders = new Map(modules.flatMap((id) => packageOf(id)))
      const texts = [...folders].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, folder]) => licenceIn(folder))
      this.emitFile({ type: "asset", fileName: name, source: texts.join("\n\n----\n\n") + "\n" })
    },
  }
}

function packageOf(id: string): [string, string][] {
  const match = PACKAGE.exec(id)
  return match ? [[match[2]!.replace("\\", "/"), match[0]]] : []
}

function licenceIn(folder: string): string {
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    name: string
    version: string
  }
  const file = existsSync(folder) && readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
  if (!file) throw new Error(`\`${about.name}\` is part of the page but has no licence file`)
  return `${about.name} ${about.version}\n\n${readFileSync(join(folder, file), "utf8").trim()}`
}
