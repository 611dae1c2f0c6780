import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export const SDK: string = fileURLToPath(new URL("../../", import.meta.url))

export interface Installed {
  /** A project elsewhere that has the package, and React beside it. */
  folder: string
  /** What the tarball holds. */
  files: string[]
}

/** Packs the package, which builds it, and installs the tarball in an empty project, without a network. */
export function installTarball(): Installed {
  const folder = mkdtempSync(join(tmpdir(), "sensecheck-ask-"))
  const packed = run("npm", ["pack", "--json", "--pack-destination", folder], SDK)
  const [{ filename, files }] = JSON.parse(packed.slice(packed.indexOf("[\n")))
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "elsewhere", type: "module" }))
  run(
    "npm",
    ["install", "--offline", "--no-audit", "--no-fund", "--legacy-peer-deps", `./${filename}`],
    folder,
  )
  for (const name of ["react", "@types/react", "csstype"]) {
    const link = join(folder, "node_modules", name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(SDK, "node_modules", name), link)
  }
  return { folder, files: files.map(({ path }: { path: string }) => path) }
}

/** What the command says; when it fails, its words are in the error. */
export function run(command: string, given: string[], cwd: string): string {
  return execFileSync(command, given, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })
}
