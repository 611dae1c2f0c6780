import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { promisify } from "node:util"

const STARTING = 240_000
const MANY = ["--per-minute", "100000", "--per-session-minute", "100000", "--per-address-minute", "100000"]

/** One answer of a writer that says again what it was given. */
export interface Recording {
  question: string
  answer: string
  pieces?: string[]
  pause_ms?: number
}

export interface ServiceOptions {
  /** The pages that its publishable key is for. */
  origin: string
  /** Without them the sentences of the passage answer. */
  recordings?: readonly Recording[]
}

/** A running `sensecheck serve` with the real model, and a database of its own. */
export interface Service {
  url: string
  /** For the page. */
  key: string
  /** Another key; without options, a secret one, with which a test looks behind the page. */
  newKey(...options: string[]): Promise<string>
  /** Its engines hold still until the returned function is called. */
  freeze(): () => void
  end(): Promise<void>
}

export async function startService({ origin, recordings }: ServiceOptions): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), "sensecheck-browsers-"))
  const newKey = (...more: string[]) => created(folder, more)
  const key = await newKey("--publishable", "--origin", origin, ...MANY)
  const recorded = join(folder, "answers.jsonl")
  if (recordings) await writeFile(recorded, recordings.map((one) => JSON.stringify(one)).join("\n"))
  const writer = recordings ? `recorded:${recorded}` : "extractive"
  const service = spawn(command(), ["serve", "--port", "0", "--engines", "1", "--writer", writer], {
    cwd: folder,
    env: environment(folder),
    stdio: ["ignore", "pipe", "pipe"],
  })
  const url = await addressOf(service)
  return {
    url,
    key,
    newKey,
    freeze: () => frozen(service),
    async end() {
      const ended = once(service, "exit")
      service.kill("SIGTERM")
      await ended
      await rm(folder, { recursive: true })
    },
  }
}

/** The address that it prints once it can answer. */
async function addressOf(service: ChildProcess): Promise<string> {
  if (!service.stdout || !service.stderr) throw new Error("the service was started without its output")
  const said: string[] = []
  createInterface({ input: service.stderr }).on("line", (line) => said.push(line))
  const lines = createInterface({ input: service.stdout })
  const first = once(lines, "line", { signal: AbortSignal.timeout(STARTING) })
  const ended = once(service, "exit").then(([code]) => {
    throw new Error(
      `\`sensecheck serve\` ended with ${code} before it answered:\n${said.slice(-5).join("\n")}`,
    )
  })
  const [url] = (await Promise.race([first, ended])) as [string]
  ended.catch(() => undefined) // from here on its end is the test's own doing
  return url
}

async function created(folder: string, options: readonly string[]): Promise<string> {
  const args = ["keys", "create", ...options]
  const { stdout } = await promisify(execFile)(command(), args, { cwd: folder, env: environment(folder) })
  return stdout.trim()
}

function frozen(service: ChildProcess): () => void {
  const children = readFileSync(`/proc/${service.pid}/task/${service.pid}/children`, "utf8")
  const engines = children.split(" ").filter(Boolean).map(Number)
  if (engines.length === 0) throw new Error("the service has no engine that could be stopped")
  for (const engine of engines) process.kill(engine, "SIGSTOP")
  return () => {
    for (const engine of engines) process.kill(engine, "SIGCONT")
  }
}

function environment(folder: string): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith("SENSECHECK_"))
  return {
    ...Object.fromEntries(others),
    SENSECHECK_STORE: join(folder, "kept.sqlite3"),
    SENSECHECK_CACHE: "off",
  }
}

/** The service of this checkout; elsewhere, the one that is installed. */
function command(): string {
  const here = resolve(import.meta.dirname, "../../../.venv/bin/sensecheck")
  return existsSync(here) ? here : "sensecheck"
}
